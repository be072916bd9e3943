"""Files and frames as the engine sees them."""

# ruff: noqa: F401  # what several tests take from private modules, they take from here

from discoreport import files
from discoreport.data.coding import Variable, code_variable
from discoreport.data.readers.read import _READERS, read
from discoreport.data.table import Table
from discoreport.files import write_file
