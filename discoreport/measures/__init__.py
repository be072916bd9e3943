"""Cells in, numbers out: the published measures, each defined once, and the engines that count."""

from collections import ChainMap
from collections.abc import Mapping

from discoreport.measures import attribute, cap, identity
from discoreport.measures.attribute import EXCESS
from discoreport.measures.registry import GROUPS, MEASURES, Measure

FIGURES: Mapping[str, Measure] = ChainMap({EXCESS.name: EXCESS}, MEASURES)
"""The measures, and the excess: what has words, and what a threshold can be set for."""

__all__ = ["EXCESS", "FIGURES", "GROUPS", "MEASURES", "Measure", "attribute", "cap", "identity"]
