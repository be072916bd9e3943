"""Counts of records and names of keys, found in words that are for everybody."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.counts_behind_percentages import share
from discoreport.assessment.release.written_alike import NO_FIGURE, SENTENCE, folded, seen
from discoreport.measures import MEASURES

Finder = Callable[[str, bool], object]
"""Tells whether a text holds something; for a name, in which there is no room for units, a number alone will do."""

LEAST_COUNT, _LEAST_OF_LEVELS = 13, 100
"""Smaller numbers count too many other things: months, districts, files. Levels are many: theirs from 100, if no risk
is spoken of."""
_RECORDS = (
    r"(?:records?|rows?|cases?|persons?|people|individuals?|respondents?|participants?|households?|units?|men|women"
    r"|children|adults|patients?|pupils?|students?|residents?|citizens?|users?|companies|businesses|firms|copies)"
)
_BETWEEN = (
    r"(?: (?:of the|of all|such|other|real|true|single|unique|original|synthetic|whole|confidential|[a-z]+ed)){0,2}"
)
_NUMBER = r"(?<![\d.,'])(\d{1,3}(?:[ ,.']\d{3})+|\d+)"
_COUNTED = re.compile(rf"{_NUMBER}{_BETWEEN}[ -]{_RECORDS}(?![^\W_])")
_AT_RISK = re.compile(
    r"(?<![^\W_])(?:uniques?|unique on|(?:re-?)?identif(?:y|ied|iable)|single[ds]? out|singling out|gives? away"
    r"|given away|at risk|disclos(?:ed|ive)|expos(?:ed?|ure)|recogni[sz]\w*|reveal\w*|inferred|guess\w*"
    r"|trace(?:d|able))(?![^\W_])"
)
_PERCENT = re.compile(r"(?<![\d.,'])(\d+)(?: ?to \d+)? ?%")
_SHARE = re.compile(r"(?<![\d.,'])0?[.,](\d\d)(?!\d)(?! ?%)")
_ONE_IN = re.compile(r"(?<![\d.,'])(\d{1,3}) (?:in|of|out of)(?: every)? (\d{1,3})(?![\d%])")
_ANY = re.compile(rf"{_NUMBER}(?! ?%)(?![.,]\d)")
_OF_KEYS = re.compile(
    r"(?<![^\W_])(?:keys|key variables?|key(?: is| was|:)|as (?:a |the )?key|quasi-? ?identif\w+|intruders?|attackers?"
    r"|adversar\w+|re-?identif\w+|single[ds]? out|singling out|knows|knowing|who know)(?![^\W_])"
)


def counts_told(assessment: Assessment) -> Finder:
    """Give what finds the records behind a measure: "651 people", or any of them in a sentence about risk."""
    counted = set(_counts(assessment))
    of_levels = {one.disclosed for one in assessment.level_risks if one.disclosed >= LEAST_COUNT}
    counted |= {count for count in of_levels if count >= _LEAST_OF_LEVELS}
    headlines = {value for value, _ in _headlines(assessment) if value}
    sizes = [assessment.original.n_records, *(file.n_records for file in assessment.synthetic)]
    published = {*sizes, *(file.n_columns for file in assessment.synthetic)}
    counted, of_levels = counted - published, of_levels - published

    def told(text: str, is_name: bool) -> bool:  # noqa: ARG001  # a Finder
        for part in SENTENCE.split(NO_FIGURE.sub(" ", folded(seen(text)))):
            risky = _AT_RISK.search(part)
            numbers = (_ANY if risky else _COUNTED).finditer(part)
            if any(_plain(found[1]) in (counted | of_levels if risky else counted) for found in numbers):
                return True
            shares = _shares(folded(part, every_number=True)) if risky else []
            if any(abs(one - value) <= 0.5 + 1e-9 for one in shares for value in headlines):
                return True
        return False

    return told


def _shares(part: str) -> list[float]:
    """Give the shares of a sentence in percent: whole percentages, two decimals, so many in so many."""
    found = [float(one[1]) for one in (*_PERCENT.finditer(part), *_SHARE.finditer(part))]
    pairs = [(int(one[1]), int(one[2])) for one in _ONE_IN.finditer(part)]
    return found + [100 * some / of for some, of in pairs if 0 < some < of]


def keys_told(assessment: Assessment) -> Finder:
    """Give what finds the name or the label of a key where a sentence speaks of keys or intruders."""
    keys = [one for one in (*assessment.variables, *assessment.described) if one.role == "key"]
    words = sorted({_words(word) for one in keys for word in (one.name, one.label)} - {""})
    named = re.compile("|".join(rf"(?<!\w){re.escape(word)}s?(?!\w)" for word in words) or "(?!)")

    def told(text: str, is_name: bool) -> bool:  # noqa: ARG001  # a Finder
        parts = SENTENCE.split(folded(seen(text)))
        return any(_OF_KEYS.search(part) and named.search(_words(part)) for part in parts)

    return told


def _words(text: str) -> str:
    """Give the words of a text, which hyphens and the like keep apart as spaces do."""
    return " ".join(re.sub(r"[\W_]+", " ", folded(text)).split())


def _plain(number: str) -> int:
    return int(re.sub(r"\D", "", number))


def _headlines(assessment: Assessment) -> Iterator[tuple[float | None, int | None]]:
    """Give percentage and records of each measure that counts records."""
    outcomes = [assessment.outcome, *filter(None, [assessment.outcome_without_exclusions])]
    for outcome in outcomes:
        for result in (*outcome.identity, *outcome.results):
            for name in result.values:
                entry = MEASURES.get(name)
                if entry is not None and entry.of is not None and entry.unit == "%" and not entry.weighed:
                    found = share(assessment, result, name)
                    yield found.percent, found.records
        for risk in outcome.units:
            yield risk.percent_unique, risk.unique_in_original
            yield risk.percent_found, risk.unique_and_in_synthetic
            yield risk.percent, risk.unique_in_both


def _counts(assessment: Assessment) -> Iterator[int]:
    """List counts of records that are measured."""
    yield from (records for _, records in _headlines(assessment) if records and records >= LEAST_COUNT)
    outcomes = [assessment.outcome, *filter(None, [assessment.outcome_without_exclusions])]
    yield from (flag.disclosive for one in outcomes for flag in one.flags if flag.disclosive >= LEAST_COUNT)
    for one in assessment.whole_records:
        found = [one.matches.synthetic_records, one.matches.original_records]
        if one.units is not None:
            found += [one.units.synthetic_units, one.units.original_units, one.units.unique_original_units]
        yield from (count for count in found if count >= LEAST_COUNT)
