"""One way of writing for texts that are searched: signs that are alike as one, numbers in figures."""

from __future__ import annotations

import functools
import re
import unicodedata


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
    return in_latin(re.sub(r"(?<=\d)[·∙](?=\d)", ".", " ".join("".join(digits).split())))


def in_latin(text: str) -> str:
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
    plain = in_latin("".join(sign for sign in apart if unicodedata.category(sign) != "Mn"))
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
_TIMES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
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
        if word == "hundred":
            hundreds = max(hundreds, 1) * 100
        elif word in _TIMES:
            total, hundreds = total + max(hundreds, 1) * _TIMES[word], 0
        else:
            hundreds += _NUMBERS[word]
    if len(words) > 1 and all(_NUMBERS.get(word, 10) < 10 for word in words):  # digit by digit
        total, hundreds = int("".join(str(_NUMBERS[word]) for word in words)), 0
    small = len(words) == 1 and total + hundreds < len(_SMALL) and total + hundreds != 0 and not decimals
    if small and not every_number and not _COUNTS.match(found.string, found.end()):
        return found.group()
    after = "".join(str(_NUMBERS.get(word, 0)) for word in decimals.split())
    return f"{total + hundreds}" + (f".{after}" if after else "")


SENTENCE = re.compile(r"[.!?;](?= [^\d ])")
"""Where a folded text is parted into sentences."""

_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
NO_FIGURE = re.compile(
    r"(?<![\d.,])(?:"
    r"\d{4}-\d\d?(?:-\d\d?)?(?:t[\d:.+z]+)?|\d\d?[./-]\d\d?[./-](?:\d{4}|\d\d)|\d\d?:\d\d(?::\d\d)?"  # dates, times
    rf"|\d\d?(?:st|nd|rd|th)?\.? (?:{_MONTHS})(?:,? \d{{4}})?"
    r"|(?:19|20)\d\d(?:[/-](?:19|20)?\d\d)?(?! ?(?:[%‰‱/]|of |in \d|out |[^\W\d_]*records|rows"
    r"|people|persons|individuals|respondents|households))"  # years
    r"|\d+(?:\.\d+){2,}(?:[.-]?\w+)*|\d+\.\d+-\d+"  # versions
    r")(?![.,]?\d)"
    rf"|(?<![^\W\d_])(?:{_MONTHS}) \d\d?(?:st|nd|rd|th)?(?![.\d])(?:,? \d{{4}})?"
    r"|(?<![^\W\d_])(?:version|ver\.?|v\.?) ?\d[\w.-]*|\[\d{1,2}\]"
    r"|(?<![^\W\d_])(?:section|table|chapter|page|appendix|annex) \d{1,3}(?![\d%‰])|doi:? ?\S+|10\.\d{4,}/\S+"
)
"""Dates, years, versions and references."""
