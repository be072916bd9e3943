"""What must stay inside, found in words that are for everybody, however it is written there."""

from __future__ import annotations

import bisect
import functools
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.release.confidential_counts import Finder, counts_told, keys_told
from discoreport.assessment.release.written_alike import NO_FIGURE, SENTENCE, folded, in_latin, seen
from discoreport.measures import MEASURES

SHORTEST_LEVEL = 3
"""Levels shorter than this are not looked for in the words that people enter, and seeds only after the word."""


def secrets(assessment: Assessment) -> Iterator[tuple[str, Finder]]:
    """Say how to find in a text what must stay inside, by kind."""
    seed = assessment.documentation.synthesis.seed
    if seed:
        yield "the seed of the synthesis", functools.partial(_tells_seed, folded(seed))
    yield "a measured figure", _Figures.of(assessment).told_in
    yield "a measured figure", counts_told(assessment)
    yield KEY, keys_told(assessment)
    for words in sorted({words for level in _levels(assessment) if len(words := _words(level)) >= SHORTEST_LEVEL}):
        yield LEVEL, functools.partial(_tells_level, _in_any_number(words))


KEY = "the name of a key"
LEVEL = "a level of a flag, of an exclusion or of a group that is fully exposed"


# Figures ---------------------------------------------------------------------------------------------


def _number(name: str) -> str:
    """Describe a number: with groups of three digits, with decimals, or neither."""
    groups = rf"\d{{1,3}}(?P<{name}_sign>[ ,.'])\d{{3}}(?:(?P={name}_sign)\d{{3}})*(?!\d)(?:[.,]\d+)?"
    return rf"(?<!\d)(?P<{name}>{groups}|\d+[.,_]\d+|(?<!\w)[.,]\d+|\d+)"


_RUN = re.compile(_number("number"))
_GAP = r"[ *_~`'\")\]-]{0,3}"
_UNIT = re.compile(rf"{_GAP}([%‰‱])")
_UNIT_BEFORE = re.compile(r"([%‰‱])[)\]]?[ :=]{0,3}$")
_PLACES = {"%": 0, "‰": 1, "‱": 2}
_RATIO = re.compile(
    rf"{_number('part')}(?: [^\W\d_]+)?(?: ?/ ?| (?:out )?(?:of|in|from|among) )(?:the |all |a total of )*"
    + _number("whole")
)
_PARAMETER = re.compile(r"(?:epsilon|delta|rho|alpha|[εδρα])\W{0,3}(?:(?:is|of|was) )?$")
_ORDINARY = {"is", "dis", "caps"}
_MARK = "¤"
_NAMES = [name for name in MEASURES if name.casefold() not in _ORDINARY]
_EXACT = re.compile(rf"(?<![^\W\d_])(?:iS|DiS|CAPs)(?![^\W\d_])|(?:{'|'.join(_NAMES)})(?![a-z])")
"""Names that are words of their own in small letters, and those that stand close to others, as "RiskDiSCO90"."""
_VAGUE = len("in Synthetic")
_WRITTEN_OUT = [one.stands_for for one in MEASURES.values() if len(one.stands_for) > _VAGUE]
_ANY_NAME = "|".join(re.escape(name.casefold()) for name in ("DCAP", "TCAP", *_NAMES, *_WRITTEN_OUT))
_MEASURE = re.compile(
    rf"{_MARK}|(?<![^\W\d_])(?:{_ANY_NAME.replace('_', '[ _-]?')})(?![^\W\d_])",
)


@dataclass(frozen=True)
class _Figures:
    """What was measured, in percent and rising, records given away of those of a level, and the sizes of the files.

    Some of the sizes are published.
    """

    percentages: tuple[float, ...]
    of_levels: frozenset[tuple[float, float]]
    sizes: frozenset[int]
    published: frozenset[int]

    @classmethod
    def of(cls, assessment: Assessment) -> _Figures:
        outcomes = [assessment.outcome, *filter(None, [assessment.outcome_without_exclusions])]
        results = [result for outcome in outcomes for result in (*outcome.results, *outcome.identity)]
        found = [
            value
            for result in results
            for name, value in result.values.items()
            if value and (name not in MEASURES or MEASURES[name].unit == "%")
        ]
        found += [value for result in results for value in result.tau]
        found += [flag.percent_original for outcome in outcomes for flag in outcome.flags]
        found += [abs(value) for _, result in assessment.analyses.filled() for value in result.percentages()]
        levels = [one for one in assessment.level_risks if one.disclosed and one.original]
        found += [100 * one.disclosed / one.original for one in levels]
        files = [one for file in assessment.synthetic for one in (file.n_records, file.n_columns)]
        return cls(
            percentages=tuple(sorted({value for value in found if value})),
            of_levels=frozenset((float(one.disclosed), float(one.original)) for one in levels),
            sizes=frozenset([assessment.original.n_records, *(file.n_records for file in assessment.synthetic)]),
            published=frozenset([*files, len(assessment.synthetic)]),
        )

    def told_in(self, text: str, is_name: bool) -> bool:  # a Finder
        """Tell whether a text holds a figure, to whatever decimals and in whatever unit, or any number of a measure.

        A whole percentage is one only beside the name of a measure: "a sample of 10 %" is for everybody.
        """
        plain = NO_FIGURE.sub(" ", folded(_EXACT.sub(_MARK, seen(text))))
        if any(self._is_told(found, is_name) for found in _RUN.finditer(plain)):
            return True
        if any(self._is_ratio(*pair) for found in _RATIO.finditer(plain) for pair in _pairs(found)):
            return True
        parts = [part for part in SENTENCE.split(plain) if _MEASURE.search(part)]
        return any(not self._is_published(found) for part in parts for found in _RUN.finditer(part))

    def _is_told(self, found: re.Match[str], is_name: bool) -> bool:
        text = found.string
        unit = _UNIT.match(text, found.end()) or _UNIT_BEFORE.search(text, 0, found.start())
        for value, decimals in _readings(found.group()):
            places = decimals
            if unit:
                value, places = value / 10 ** _PLACES[unit[1]], decimals + _PLACES[unit[1]]  # noqa: PLW2901
            elif value < 1 and decimals > 2 and not _PARAMETER.search(text, 0, found.start()):
                value, places = 100 * value, decimals - 2  # noqa: PLW2901
            elif not (is_name and value >= 10):  # 1.2 in a name is a version
                continue
            if places and value and self._has(value, 0.5 * 10**-places):
                return True
            bounds = (0.0, 0.05) if "<" in text[found.start() - 2 : found.start()] else (99.95, 100.0)
            if (
                unit
                and f"{value:.1f}" in {"0.1", "99.9"}
                and any(bounds[0] < one < bounds[1] for one in self.percentages)
            ):
                return bool(re.search("[<>] ?$", text[: found.start()]))
        return False

    def _is_ratio(self, part: float, whole: float) -> bool:
        """Tell whether a count of another is a figure; few of few is a way of speaking."""
        if (part, whole) in self.of_levels:
            return True
        known = whole > 100 or whole in self.sizes
        return 0 < part <= whole and known and self._has(100 * part / whole, min(0.05, 50 / whole))

    def _has(self, value: float, tolerance: float) -> bool:
        slack = 1e-9 + tolerance
        place = bisect.bisect_left(self.percentages, value - slack)
        return place < len(self.percentages) and self.percentages[place] <= value + slack

    def _is_published(self, found: re.Match[str]) -> bool:
        """Tell whether a number is the size of a synthetic file, in so many words."""
        counts = re.compile(r" [^\W\d_]{4,}").match(found.string, found.end())
        return bool(counts) and any(value in self.published for value, _ in _readings(found.group()))


def _readings(written: str) -> list[tuple[float, int]]:
    """Give what a number can mean, each with its decimals: "27,800" is two numbers."""
    found = []
    grouped = re.fullmatch(r"(\d{1,3}([ ,.'])\d{3}(?:\2\d{3})*)(?:[.,](\d+))?", written)
    if grouped:
        decimals = grouped[3] or ""
        found.append((float(f"{re.sub('[^0-9]', '', grouped[1])}.{decimals or 0}"), len(decimals)))
    plain = re.fullmatch(r"(\d*)[.,_](\d+)", written)
    if plain:
        found.append((float(f"{plain[1] or 0}.{plain[2]}"), len(plain[2])))
    if written.isdigit():
        found.append((float(written), 0))
    return found


def _pairs(found: re.Match[str]) -> list[tuple[float, float]]:
    first, second = (_readings(found[group]) for group in ("part", "whole"))
    return [(one, other) for one, _ in first for other, _ in second]


# Seeds and levels ------------------------------------------------------------------------------------

_SEED = re.compile(r"seed(?:s|ed|ing)?(?![^\W\d_])|random[ _-]state|rng")
_GROUPS = "[ ,.'_]?"
_THINGS = r"(?! ?(?:records|rows|persons|people|households|variables|columns|respondents|students|users|%|‰))"


def _tells_seed(seed: str, text: str, is_name: bool) -> bool:  # noqa: ARG001  # a Finder
    plain = folded(text, every_number=True)
    digits = re.sub(r"[ ,.'_-]", "", seed)
    if digits.isdigit():
        thirds = [one for one in [digits[: len(digits) % 3], *re.findall("...", digits[len(digits) % 3 :])] if one]
        spread = "|" + "[ -]?".join(digits) if len(digits) > 4 else ""
        pattern = rf"(?:{_GROUPS.join(thirds)}|{digits}{spread})"
    else:
        pattern = r"[\W_]*".join(re.escape(word) for word in re.findall(r"[^\W_]+", seed) or [seed])
    number = rf"(?<!\d)(?<!\d[.,]){pattern}(?![.,]?\d)"
    near = any(_SEED.search(part) and re.search(number, part) for part in SENTENCE.split(plain))
    is_year = re.fullmatch(r"(?:19|20)\d\d", digits)
    alone = rf"(?<![^\W_])(?<!\d[.,]){pattern}(?![^\W_])(?![.,]\d){_THINGS}"
    return near or bool(len(seed) >= SHORTEST_LEVEL and not is_year and re.search(alone, plain))


def _levels(assessment: Assessment) -> Iterator[str]:
    """List the levels of flags, exclusions and fully exposed groups, with what the file calls them."""
    outcomes = [assessment.outcome, *filter(None, [assessment.outcome_without_exclusions])]
    cases = [flag.case for outcome in outcomes for flag in outcome.flags]
    cases += [rule.case for rule in assessment.settings.exclude]
    levels = {(name, level) for target, own, key, of_key in cases for name, level in ((target, own), (key, of_key))}
    found = assessment.analyses.groups
    if found:  # in which every record is given away
        levels |= {(one.variable, one.level) for one in found.groups if one.flag and not one.merged}
    labels = {one.name: one.value_labels for one in assessment.described}
    for name, level in levels:
        yield from filter(None, (level, labels.get(name or "", {}).get(level or "", "")))


def _words(text: str) -> str:
    """Give the words of a text, which hyphens and the like keep apart as spaces do."""
    apart = unicodedata.normalize("NFKD", seen(text).casefold())
    plain = in_latin("".join(sign for sign in apart if unicodedata.category(sign) != "Mn"))
    return " ".join(re.sub(r"[\W_]+", " ", plain).split())


def _in_any_number(words: str) -> re.Pattern[str]:
    """Find words in singular and plural."""
    if not words[-1].isalpha():
        return re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")
    stem, endings = words, "(?: ?s|es|en|n)?"
    for ending, others in (("ies", "(?:y|ies)"), ("y", "(?:y|ies|ys)"), ("s", "(?:s|ses|es)?")):
        if words.endswith(ending) and len(words) > len(ending) + 2:
            stem, endings = words[: -len(ending)], others
            break
    return re.compile(rf"(?<!\w){re.escape(stem)}{endings}(?!\w)")


def _tells_level(pattern: re.Pattern[str], text: str, is_name: bool) -> object:  # noqa: ARG001  # a Finder
    return pattern.search(_words(text))
