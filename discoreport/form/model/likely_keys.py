"""What a variable likely is, told by the name, else by the whole label, else by the values.

Others know it of a person; or it is the number of a household or person, which says which records belong together.
"""

from __future__ import annotations

import re

import numpy as np

from discoreport.data.coding import Variable, level_numbers


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SEEN = _words(
    """sex gender gndr age agep agea ager agegroup agegrp agecat ageyears birth born dob yob birthyear
        birthyr ageband agebin agebracket ageclass agecl agerange region province district county state municipality
        city town village settlement place placesize
        residence postcode zip zipcode puma statefip countyfip area urban urbanicity rural metro nationality citizenship
        citizen country
        cntry bpl pobp pob nativity ethnic ethnicity ethnicgroup race races racethn raceeth racegrp racecat
        rac racecen rachsing hisp hispan hispanic household households hh hhsize hhtype size children childs occupation
        profession sector industry nace"""
)
"""Words for what others see or can look up."""
_BESIDE = _words(
    """and are at band banded bands bin binned bins bracket brackets by categories category class classes code coded
        cohort consider current date day decade describe detailed do for from group grouped grouping groups grp have
        head her his home how in interval intervals interview is live lived living main major many member members month
        most name native no num number of old one or people person persons recode recoded reported resid resp
        respondent respondents self status that the this to type unit us were what where which year years you your
        range ranges yourself yrs"""
)
"""Words that may stand beside them; any other word says that it is about something else."""
_UNITS = _words(
    """client clients dwelling families family hh house household households individual individuals member members
        participant participants patient patients people person persons pers pupil pupils respondent respondents student
        students subject subjects"""
)
"""Words for what several records may be of."""
_NUMBERS = _words("id ident identification identifier ids key no nr num number numbers nummer serial")
"""Words for what tells one of them from another."""
_UNIT_NUMBERS = _words(
    """clientid dwellingid famid familyid famnr hhid hhidnum hhidnr hhno hhnr hhnum hid householdid householdno
        idfam idhh idhog idhogar idind idno idpers indid individualid participantid patientid persid personid pid
        respid respondentid studentid subjectid subjid"""
)
"""Both in one word."""
_BESIDE_UNITS = frozenset({"a", "of", "pseudonymised", "the", "this", "unique"})
_FEW_UNITS = 20
"""A variable of so few levels counts something, such as the members of a household."""
_LARGEST_UNIT = 100
"""Records a unit has on average at most."""
_IN_LABELS = frozenset({"old", "born"})
"""Words that say so in a question alone: how old are you, where were you born."""
_PARTS = re.compile(r"[a-z]+")
_TURNS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_FURTHER = re.compile(r"\s*[:,(/;]")
_SEXES = (
    {"male", "female"}, {"m", "f"}, {"man", "woman"}, {"men", "women"}, {"boy", "girl"}, {"mann", "frau"},
    {"homme", "femme"}, {"hombre", "mujer"}, {"h", "m"}, {"k", "m"},
)  # fmt: skip
_RACES = {"white", "black", "asian", "hispanic", "latino", "mixed", "indigenous", "arab"}
_LARGEST_SHARE = 0.08
"""Of ages no single one has more; of scores from 0 to 100 the round ones do."""
_FILLED = 0.85
"""Ages and years of birth leave few gaps."""


def words_of(text: str) -> list[str]:
    """Cut a name or a label into its words, without figures and signs.

    Examples
    --------
    >>> words_of("RespondentAge_2")
    ['respondent', 'age']
    """
    return _PARTS.findall(_TURNS.sub(" ", text).replace("'s", "").casefold())


def _says(words: list[str], seen: frozenset[str]) -> bool:
    return any(word in seen for word in words) and all(word in seen | _BESIDE or len(word) == 1 for word in words)


def known_to_others(name: str, label: str, looks: str = "") -> str:
    """Say why others likely know a variable; "" where nothing says so.

    Parameters
    ----------
    name, label
        As the file has them. A label counts as a whole, up to a colon, comma or bracket: one in which such a word
        is among others, as in a question about something else, says nothing.
    looks
        What its values look like, from `looks_like`; counts where neither name nor label has such a word.

    Examples
    --------
    >>> known_to_others("v7", "Race of respondent")
    'Others may know it.'
    >>> known_to_others("v9", "Who won the presidential race")
    ''
    >>> known_to_others("q3", "", "ages")
    'Its values look like ages, which others may know.'
    """
    named, labelled = words_of(name), words_of(_FURTHER.split(label.strip(), maxsplit=1)[0])
    if _says(named, _SEEN) or _says(labelled, _SEEN | _IN_LABELS):
        return "Others may know it."
    if looks and _SEEN.isdisjoint({*named, *words_of(label)}):
        return f"Its values look like {looks}, which others may know."
    return ""


def says_unit(name: str, label: str, n_levels: int, n_records: int) -> bool:
    """Tell whether a variable likely is the number of a household or person that several records share.

    Parameters
    ----------
    name, label
        As the file has them; a label counts as a whole, as above.
    n_levels, n_records
        Distinct values in the original, and its records.

    Examples
    --------
    >>> says_unit("household_id", "", 2000, 5000), says_unit("household_id", "", 5000, 5000)
    (True, False)
    >>> says_unit("v2", "Number of persons", 8, 5000)
    False
    """
    if not _FEW_UNITS < n_levels < n_records <= _LARGEST_UNIT * n_levels:
        return False
    return _numbers_units(words_of(name)) or _numbers_units(words_of(_FURTHER.split(label.strip(), maxsplit=1)[0]))


def _numbers_units(words: list[str]) -> bool:
    said = set(words)
    if not said <= _UNITS | _NUMBERS | _UNIT_NUMBERS | _BESIDE_UNITS:
        return False
    return bool(said & _UNIT_NUMBERS or (said & _UNITS and (said & _NUMBERS or len(words) == 1)))


def looks_like(variable: Variable) -> str:
    """Say what the values of the original look like: "ages", "years of birth", "sexes", "ethnic groups"; else "".

    Parameters
    ----------
    variable
        Coded, not grouped. One of which only counts are at hand says nothing.
    """
    if type(variable) is not Variable:
        return ""
    counts = np.asarray(variable.counts[0][: variable.n_levels])
    if variable.kind == "number" and not variable.labels:
        return _numbers_like(level_numbers(variable)[: variable.n_levels], counts)
    present = [text for text, n in zip(variable.level_texts, counts, strict=False) if n]
    words = {str(variable.labels.get(text, text)).casefold().strip() for text in present}
    if any(pair <= words and len(words) <= len(pair) + 2 for pair in _SEXES):
        return "sexes"
    races = sum(not _RACES.isdisjoint(words_of(word)) for word in words)
    return "ethnic groups" if races >= 3 and len(words) <= 30 else ""


def _numbers_like(numbers: np.ndarray, counts: np.ndarray) -> str:
    """Tell ages and years of birth by their range, by how few gaps they leave, and by having no round favourites."""
    kept = np.isfinite(numbers) & (counts > 0)
    numbers, counts = numbers[kept], counts[kept]
    if numbers.size < 30 or (numbers != np.floor(numbers)).any() or counts.max() > _LARGEST_SHARE * counts.sum():
        return ""
    low, high = numbers.min(), numbers.max()
    middle = numbers <= numbers[np.argsort(numbers)][int(0.95 * (numbers.size - 1))]
    filled = middle.sum() / max(numbers[middle].max() - low + 1, 1)
    if filled < _FILLED:
        return ""
    if 0 <= low <= 30 and 65 <= high <= 120:
        return "ages"
    return "years of birth" if low >= 1880 and high <= 2035 and 40 <= high - low <= 115 else ""
