"""An assessment -> the report for the release approval file, as one HTML page or as PDF."""

from discoreport.report.report import Report

__all__ = ["Report"]
