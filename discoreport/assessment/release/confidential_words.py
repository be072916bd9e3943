"""What must stay inside, found in words that are for everybody, however it is written there."""

from __future__ import annotations

import bisect
import functools
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from discoreport.assessment.assessment import Assessment
from discoreport.measures import MEASURES

SHORTEST_LEVEL = 3
"""Levels shorter than this are not looked for in the words that people enter, and seeds only after the word."""

Finder = Callable[[str, bool], object]
"""Tells whether a text holds something; for a name, in which there is no room for units, a number alone will do."""


def secrets(assessment: Assessment) -> Iterator[tuple[str, Finder]]:
    """Say how to find in a text what must stay inside, by kind."""
    seed = assessment.documentation.synthesis.seed
    if seed:
        yield "the seed of the synthesis", functools.partial(_tells_seed, folded(seed))
    yield "a measured figure", _Figures.of(assessment).told_in
    for words in sorted({words for level in _levels(assessment) if len(words := _words(level)) >= SHORTEST_LEVEL}):
        yield LEVEL, functools.partial(_tells_level, _in_any_number(words))


LEVEL = "a level of a flag, of an exclusion or of a group that is fully exposed"


def seen(text: str) -> str:
    """Give the signs of a text that can be seen, those that are alike (full width, ligatures, digits, letters) as one.

    Examples
    --------
    >>> seen("Ｓo\N{SOFT HYPHEN}fa ２７·８\N{NO-BREAK SPACE}％")
    'Sofa 27.8 %'
    >>> seen("D\N{CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I}SC\N{GREEK CAPITAL LETTER OMICRON}")
    'DiSCO'
    """
    plain = [sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) not in _UNSEEN]
    digits = [_SIGNS.get(sign) or str(unicodedata.decimal(sign, sign)) for sign in plain]
    return _in_latin(re.sub(r"(?<=\d)[·∙](?=\d)", ".", " ".join("".join(digits).split())))


def _in_latin(text: str) -> str:
    """Write the letters of words that look like Latin ones in Latin; a letter alone, as of a formula, stays."""
    return _LETTERS.sub(lambda word: word.group().translate(_LOOK_LIKE), text)


@functools.lru_cache(maxsize=1024)
def folded(text: str, *, every_number: bool = False) -> str:
    """Write a text in the one way in which it is searched: no accents, no capitals, numbers and units in figures.

    Parameters
    ----------
    text
        Any.
    every_number
        Whether small numbers are written in figures wherever they stand; else only where something is counted by them.

    Examples
    --------
    >>> folded("Twenty-seven point eight per cent of the Élèves, two files"), folded("nine in ten", every_number=True)
    ('27.8 % of the eleves, two files', '9 in 10')
    """
    apart = unicodedata.normalize("NFKD", seen(text).casefold())
    plain = _in_latin("".join(sign for sign in apart if unicodedata.category(sign) != "Mn"))
    plain = _NUMBER_WORDS.sub(functools.partial(_in_figures, every_number=every_number), plain)
    for pattern, sign in _UNITS:
        plain = pattern.sub(sign, plain)
    return plain


_LETTERS = re.compile(r"[^\W\d_]{2,}")
_LOOK_LIKE = str.maketrans(
    "АВСЕНІЈКМОРЅТХУѴԚԜасегһіјӏкорѕхуѵԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγηικνορυχω",
    "ABCEHIJKMOPSTXYVQWacerhijlkopsxyvdqwABEZHIKMNOPTYXaynikvopuxw",
)
"""Letters of the Cyrillic and the Greek alphabet that readers take for Latin ones."""
_UNSEEN = {"Cf", "Me", "Co", "Cn"}
_SIGNS = {
    "٫": ".", "٬": ",", "٪": "%", "؉": "‰", "؊": "‱", "\N{RIGHT SINGLE QUOTATION MARK}": "'", "\N{FRACTION SLASH}": "/",
    "\N{DIVISION SLASH}": "/", "\N{VARIATION SELECTOR-15}": "", "\N{COMBINING GRAPHEME JOINER}": "",
    **dict.fromkeys("‐‑‒–—―−", "-"),
}  # fmt: skip
_SMALL = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NUMBERS = {word: n for n, word in enumerate(_SMALL)} | {word: 10 * n for n, word in enumerate(_TENS, start=2)}
_TIMES = {"hundred": 100, "thousand": 1000}
_WORD = rf"(?:{'|'.join(sorted([*_NUMBERS, *_TIMES], key=len, reverse=True))})"
_NUMBER_WORDS = re.compile(rf"(?<![^\W_]){_WORD}(?:(?: and |[ -]){_WORD}|-?{_WORD})*(?: point(?: {_WORD})+)?(?![^\W_])")
_COUNTS = re.compile(
    rf" ?(?:%|-?per ?cent|-?pct|per mill|-? ?(?:percentage )?points?|out of (?:{_WORD}|\d)|in (?:{_WORD}|\d))"
)
_UNITS = [
    (re.compile(pattern), sign)
    for pattern, sign in (
        (r"(?<![^\W\d_])(?:per ?cent(?:age)?|pct\.?|prozent)(?: ?-?(?:points?|punkte?))?(?![^\W\d_])", "%"),
        (r"(?<=\d)([ -]?)(?:p\. ?c\.|pc|pp|points?)(?![^\W_])", r"\1%"),
        (r"(?<![^\W\d_])(?:per ?mill?e?|promille?|per (?:1[,.' ]?000|thousand))(?![^\W_])", "‰"),
        (r"(?<![^\W\d_])(?:basis points?|bps?|per (?:10[,.' ]?000|ten thousand))(?![^\W_])", "‱"),
    )
]


def _in_figures(found: re.Match[str], *, every_number: bool) -> str:
    """Write a number that is in words in figures; "one of the files" counts nothing."""
    whole, _, decimals = found.group().partition(" point ")
    words = re.findall(_WORD, whole)
    total = hundreds = 0
    for word in words:
        if word in _TIMES:
            hundreds = max(hundreds, 1) * _TIMES[word]
            total, hundreds = (total + hundreds, 0) if word == "thousand" else (total, hundreds)
        else:
            hundreds += _NUMBERS[word]
    small = len(words) == 1 and total + hundreds < len(_SMALL) and total + hundreds != 0 and not decimals
    if small and not every_number and not _COUNTS.match(found.string, found.end()):
        return found.group()
    after = "".join(str(_NUMBERS.get(word, 0)) for word in decimals.split())
    return f"{total + hundreds}" + (f".{after}" if after else "")


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
_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_NO_FIGURE = re.compile(
    r"(?<![\d.,])(?:"
    r"\d{4}-\d\d?(?:-\d\d?)?(?:t[\d:.+z]+)?|\d\d?[./-]\d\d?[./-](?:\d{4}|\d\d)|\d\d?:\d\d(?::\d\d)?"  # dates, times
    rf"|\d\d?(?:st|nd|rd|th)?\.? (?:{_MONTHS})(?:,? \d{{4}})?"
    r"|(?:19|20)\d\d(?:[/-](?:19|20)?\d\d)?(?! ?(?:[%‰‱/]|of |in \d|out |[^\W\d_]*records|rows))"  # years
    r"|\d+(?:\.\d+){2,}(?:[.-]?\w+)*|\d+\.\d+-\d+"  # versions
    r")(?![.,]?\d)"
    rf"|(?<![^\W\d_])(?:{_MONTHS}) \d\d?(?:st|nd|rd|th)?(?![.\d])(?:,? \d{{4}})?"
    r"|(?<![^\W\d_])(?:version|ver\.?|v\.?) ?\d[\w.-]*|\[\d{1,2}\]"
    r"|(?<![^\W\d_])(?:section|table|chapter|page|appendix|annex) \d{1,3}(?![\d%‰])|doi:? ?\S+|10\.\d{4,}/\S+"
)
"""Dates, years, versions and references."""
_PARAMETER = re.compile(r"(?:epsilon|delta|rho|alpha|[εδρα])\W{0,3}(?:(?:is|of|was) )?$")
_SENTENCE = re.compile(r"[.!?;](?= [^\d ])")
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
    """What was measured, in percent and rising, with the sizes of the files, and those of them that are published."""

    percentages: tuple[float, ...]
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
        files = [one for file in assessment.synthetic for one in (file.n_records, file.n_columns)]
        return cls(
            percentages=tuple(sorted({value for value in found if value})),
            sizes=frozenset([assessment.original.n_records, *(file.n_records for file in assessment.synthetic)]),
            published=frozenset([*files, len(assessment.synthetic)]),
        )

    def told_in(self, text: str, is_name: bool) -> bool:  # a Finder
        """Tell whether a text holds a figure, to whatever decimals and in whatever unit, or any number of a measure.

        A whole percentage is one only beside the name of a measure: "a sample of 10 %" is for everybody.
        """
        plain = _NO_FIGURE.sub(" ", folded(_EXACT.sub(_MARK, seen(text))))
        if any(self._is_told(found, is_name) for found in _RUN.finditer(plain)):
            return True
        if any(self._is_ratio(*pair) for found in _RATIO.finditer(plain) for pair in _pairs(found)):
            return True
        parts = [part for part in _SENTENCE.split(plain) if _MEASURE.search(part)]
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
    near = any(_SEED.search(part) and re.search(number, part) for part in _SENTENCE.split(plain))
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
    labels = {one.name: one.value_labels for one in assessment.variables}
    for name, level in levels:
        yield from filter(None, (level, labels.get(name or "", {}).get(level or "", "")))


def _words(text: str) -> str:
    """Give the words of a text, which hyphens and the like keep apart as spaces do."""
    apart = unicodedata.normalize("NFKD", seen(text).casefold())
    plain = _in_latin("".join(sign for sign in apart if unicodedata.category(sign) != "Mn"))
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
