"""What figures are counted with."""

# ruff: noqa: F401  # what several tests take from private modules, they take from here

from discoreport.data.parallel import gather
from discoreport.measures.cap import WITHOUT_KEYS
from discoreport.measures.cells import Cells
from discoreport.measures.intervals import by_cluster, newcombe, t_interval, t_quantile, welch, wilson
from discoreport.measures.table_utility import cell_sums, put_together
