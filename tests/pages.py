"""What a report is made of: its sections, tables and files."""

# ruff: noqa: F401  # what several tests take from private modules, they take from here

from discoreport.assessment.release import public_record
from discoreport.assessment.release.public_record import PublicRecord, public
from discoreport.assessment.release.public_utility import _banded, public_utility
from discoreport.report import bundle, pdf, report, signing, templates, verify
from discoreport.report.analysis_sections import AnalysisSections
from discoreport.report.bundle import SUMS, contents, read_sums, with_sums, write_checker_layout, write_folder
from discoreport.report.csv_tables import internal_tables, to_csv
from discoreport.report.glossary_example import example
from discoreport.report.internal_edition import InternalEdition
from discoreport.report.page_resources import PageResources
from discoreport.report.pdf import render
from discoreport.report.signing import check_signatures, sign
from discoreport.report.templates import fill, folder, font, words_in
