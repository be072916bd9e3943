"""Made-up releases, each with a flaw that somebody planted or with none, and what page 1 must say of it.

The people are made up, and a release without a flaw is drawn from a model of them, never from their records: what it
lets an intruder conclude is what holds for such people in general. A flaw is then put in. ``PLANTED`` is the list; the
table of the guide is made from it (`table`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

N = 3000
KEYS = ["sex", "age", "region", "trade"]
TARGETS = ["income", "union", "illness"]
SETTINGS: dict[str, Any] = {"keys": KEYS, "targets": TARGETS, "numeric_groups": {"income": 20}}
ILLNESSES = ["none", "asthma", "diabetes", "epilepsy", "HIV"]


@dataclass(frozen=True)
class Release:
    """What is handed to `assess`, and what is asked of it besides."""

    original: pd.DataFrame
    synthetic: list[pd.DataFrame]
    settings: dict[str, Any] = field(default_factory=dict)
    control: pd.DataFrame | None = None
    earlier: list[pd.DataFrame] = field(default_factory=list)
    sensitive: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Planted:
    """A release: what was done to it, and what an approver sees of that.

    Parameters
    ----------
    what
        What was done, in words.
    make
        Makes it.
    boxes
        How the boxes of page 1 begin, or what they say; where there are none, there is no box at all.
    beyond
        Targets whose excess on page 1 is so high that a release without a flaw doesn't reach it.
    needs
        What must be given besides the files and their keys.
    says
        What page 1 says of it elsewhere.
    why_not
        Why page 1 doesn't show it, where it doesn't.
    """

    what: str
    make: Callable[[np.random.Generator], Release]
    boxes: tuple[str, ...] = ()
    beyond: tuple[str, ...] = ()
    needs: str = ""
    says: str = ""
    why_not: str = ""


# People and their models ----------------------------------------------------------------------------------------------


def people(rng: np.random.Generator, n: int = N) -> pd.DataFrame:
    """Draw people of the made-up country; two calls give two samples of one population."""
    age = rng.integers(18, 90, n)
    trade = rng.choice([f"trade {number:02}" for number in range(25)], n, p=_falling(25))
    ill = rng.random(n) < 0.05 + age / 400
    return pd.DataFrame(
        {
            "sex": rng.choice(["female", "male"], n),
            "age": age,
            "region": rng.choice([f"region {letter}" for letter in "ABCDEFGH"], n, p=_falling(8)),
            "trade": trade,
            "income": np.round(np.exp(rng.normal(10 + age / 200, 0.5, n)), 2),
            "union": np.where(rng.random(n) < 0.3 + 0.3 * (trade < "trade 05"), "yes", "no"),
            "illness": np.where(ill, rng.choice(ILLNESSES[1:], n, p=[0.5, 0.35, 0.1, 0.05]), "none"),
        }
    )


def _falling(levels: int) -> np.ndarray:
    weights = 1 / np.arange(1, levels + 1)
    return weights / weights.sum()


def fair(rng: np.random.Generator, n: int = N) -> pd.DataFrame:
    """Draw a release from the model of the people: it holds nobody's record, but by chance."""
    return people(rng, n)


# Flaws ----------------------------------------------------------------------------------------------------------------


def _clean(rng: np.random.Generator) -> Release:
    return Release(people(rng), [fair(rng)])


def _independent(rng: np.random.Generator) -> Release:
    original = people(rng)
    return Release(original, [original.apply(lambda column: rng.permutation(column.to_numpy()))])


def _nearly_all_say_no(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    for frame in (original, synthetic):
        frame["union"] = np.where(rng.random(N) < 0.02, "yes", "no")
    return Release(original, [synthetic])


def _several_clean(rng: np.random.Generator) -> Release:
    return Release(people(rng), [fair(rng) for _ in range(3)])


def _copied(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    synthetic.iloc[: N // 10] = original.iloc[rng.permutation(N)[: N // 10]].to_numpy()
    return Release(original, [synthetic.sample(frac=1, random_state=1)])


def _copied_few(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    synthetic.iloc[: N // 33] = original.iloc[rng.permutation(N)[: N // 33]].to_numpy()
    return Release(original, [synthetic.sample(frac=1, random_state=1)])


def _copied_very_few(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    synthetic.iloc[: N // 100] = original.iloc[rng.permutation(N)[: N // 100]].to_numpy()
    return Release(original, [synthetic.sample(frac=1, random_state=1)])


def _one_value_changed(rng: np.random.Generator) -> Release:
    original = people(rng)
    synthetic = original.copy()
    for place in range(N):
        column = rng.integers(len(original.columns))
        synthetic.iat[place, column] = original.iat[rng.integers(N), column]
    return Release(original, [synthetic.sample(frac=1, random_state=1)])


def _renamed_codes(rng: np.random.Generator) -> Release:
    original = people(rng)
    copied = original.copy()
    copied["region"] = copied["region"].str[-1].map(lambda letter: f"R{ord(letter) - 64}")
    copied["sex"] = copied["sex"].map({"female": "2", "male": "1"})
    return Release(original, [copied])


def _renumbered(rng: np.random.Generator) -> Release:
    original = people(rng)
    copied = original.sample(frac=1, random_state=2)
    for frame in (original, copied):
        frame.insert(0, "number", np.arange(1, N + 1) + (frame is copied) * 50_000)
    return Release(original, [copied])


def _households(rng: np.random.Generator) -> Release:
    def of(n: int) -> pd.DataFrame:
        frame = people(rng, n)
        sizes = rng.choice([1, 2, 3, 4, 6], n, p=[0.3, 0.35, 0.15, 0.15, 0.05])
        frame["household"] = np.repeat(np.arange(n), sizes)[:n]
        frame["age"] = frame["age"] // 20 * 20
        return frame.drop(columns="trade")

    original, synthetic = of(N), of(N)
    synthetic["household"] += 500_000
    large = original["household"].map(original["household"].value_counts()) == 6
    kept = original[large].assign(household=lambda frame: frame["household"] + 100_000)
    settings = {"keys": ["sex", "age", "region"], "unit": "household"}
    return Release(original, [pd.concat([synthetic[len(kept) :], kept])], settings)


def _one_group(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    theirs = original["region"] == "region F"
    synthetic = pd.concat([synthetic[synthetic["region"] != "region F"], original[theirs]])
    return Release(original, [synthetic])


def _memorised_numbers(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    synthetic["income"] = rng.permutation(original["income"].to_numpy())
    return Release(original, [synthetic])


def _numbers_of_their_keys(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    known = original.drop_duplicates(KEYS, keep=False)
    synthetic.iloc[: len(known) // 2] = known[: len(known) // 2][synthetic.columns].to_numpy()
    synthetic["union"] = rng.permutation(synthetic["union"].to_numpy())
    synthetic["illness"] = rng.permutation(synthetic["illness"].to_numpy())
    return Release(original, [synthetic])


def _order_of_rows(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    for name in ("income", "illness"):
        synthetic[name] = original[name]
    return Release(original, [synthetic])


def _across_files(rng: np.random.Generator) -> Release:
    original = people(rng)
    files = []
    for _ in range(5):
        synthetic = fair(rng)
        kept = np.flatnonzero(rng.random(N) < 0.2)
        synthetic.loc[kept, KEYS] = original.loc[kept, KEYS].to_numpy()
        files.append(synthetic.sample(frac=1, random_state=3))
    return Release(original, files)


def _last_year(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    return Release(original, [synthetic], earlier=[original.sample(frac=0.5, random_state=4)])


def _missing_values(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    refused = rng.random(N) < 0.15
    original["income"] = original["income"].where(~refused)
    synthetic.loc[refused, KEYS] = original.loc[refused, KEYS].to_numpy()
    synthetic["income"] = synthetic["income"].where(~refused)
    return Release(original, [synthetic.sample(frac=1, random_state=5)])


def _digits(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    synthetic["income"] = np.floor(synthetic["income"]) + original["income"] % 1
    return Release(original, [synthetic.sample(frac=1, random_state=6)])


def _one_level(rng: np.random.Generator) -> Release:
    """Give away everybody with a rare illness, which the policy names."""
    original, synthetic = people(rng), fair(rng)
    theirs = original["illness"].isin(["epilepsy", "HIV"])
    synthetic = synthetic[~synthetic["illness"].isin(["epilepsy", "HIV"])]
    synthetic = pd.concat([synthetic.iloc[: N - theirs.sum()], original[theirs]])
    return Release(original, [synthetic.sample(frac=1, random_state=7)], sensitive={"illness": ("HIV", "epilepsy")})


def _control_of_members(rng: np.random.Generator) -> Release:
    original = people(rng)
    members = original.sample(frac=0.5, random_state=8)
    return Release(original, [fair(rng)], control=pd.concat([members, fair(rng, N // 2)]))


def _entered_twice(rng: np.random.Generator) -> Release:
    original = people(rng)
    return Release(original, [pd.concat([original, original])])


def _spelled_otherwise(rng: np.random.Generator) -> Release:
    original = people(rng)
    copied = original.copy()
    for name in ("region", "trade", "illness"):
        copied[name] = copied[name].str.upper() + " "
    return Release(original, [copied.sample(frac=1, random_state=9)])


def _shuffled(*parts: pd.DataFrame) -> pd.DataFrame:
    return pd.concat(parts).sample(frac=1, random_state=10).reset_index(drop=True)


def _swapped_names(rng: np.random.Generator) -> Release:
    original = people(rng).assign(owner=np.where(rng.random(N) < 0.4, "yes", "no"))
    copied = original.rename(columns={"union": "owner", "owner": "union"})[original.columns]
    return Release(original, [_shuffled(copied)])


def _jittered(rng: np.random.Generator) -> Release:
    original = people(rng)
    ages, factors = rng.choice([-1, 1], N), 1 + rng.normal(0, 0.05, N)
    moved = {"age": original["age"] + ages, "income": (original["income"] * factors).round(2)}
    return Release(original, [_shuffled(original.assign(**moved))])


def _other_currency(rng: np.random.Generator) -> Release:
    original = people(rng)
    return Release(original, [_shuffled(original.assign(income=(original["income"] * 1.17).round(2)))])


def _few_neighbours(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    theirs = original[(original["region"] == "region H") & (original["trade"] < "trade 03")]
    return Release(original, [_shuffled(synthetic[len(theirs) :], theirs)])


def _member_removed(rng: np.random.Generator) -> Release:
    made = _households(rng)
    original, (synthetic,) = made.original, made.synthetic
    theirs = original["household"].map(original["household"].value_counts()) >= 4
    kept = original[theirs & original["household"].duplicated()]
    kept = kept.assign(household=kept["household"] + 900_000)
    return Release(original, [pd.concat([synthetic[: N - len(kept)], kept])], made.settings)


def _rounded(rng: np.random.Generator) -> Release:
    made = _numbers_of_their_keys(rng)
    rounded = made.synthetic[0]["income"].astype(float).round(-2)
    return Release(made.original, [_shuffled(made.synthetic[0].assign(income=rounded))])


def _holes(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    for name in ("region", "trade", "income", "union", "illness"):
        known = rng.random(N) >= 0.1
        original[name], synthetic[name] = original[name].where(known), synthetic[name].where(known)
    return Release(original, [synthetic])


def _multiplied(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    one = original[original["illness"] == "HIV"].drop_duplicates(KEYS, keep=False)[:1]
    return Release(original, [_shuffled(synthetic[200:], *[one] * 200)])


def _dates_moved(rng: np.random.Generator) -> Release:
    original = people(rng).assign(seen=pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 1500, N), "D"))
    moved = original.assign(seen=original["seen"] + pd.Timedelta(days=37), income=fair(rng)["income"])
    return Release(original, [_shuffled(moved)])


def _keys_of_one_level(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    theirs = original[original["illness"] == "HIV"]
    told = fair(rng, len(theirs)).assign(illness="HIV", **{name: theirs[name].to_numpy() for name in KEYS})
    others = synthetic[synthetic["illness"] != "HIV"]
    return Release(original, [_shuffled(others[len(told) :], told)], sensitive={"illness": ("HIV",)})


def _turned_round(rng: np.random.Generator) -> Release:
    made = _order_of_rows(rng)
    return Release(made.original, [made.synthetic[0][::-1]])


def _moved_on(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    for name in ("income", "illness"):
        synthetic[name] = np.roll(original[name], 700)
    return Release(original, [synthetic])


def _highest_incomes(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    return Release(original, [_shuffled(synthetic[20:], original.nlargest(20, "income"))])


def _hashed(rng: np.random.Generator) -> Release:
    original, synthetic = people(rng), fair(rng)
    original["number"] = [f"P{number:06}" for number in rng.permutation(10**6)[:N]]
    synthetic["number"] = [hashlib.sha256(number.encode()).hexdigest() for number in original["number"]]
    return Release(original, [_shuffled(synthetic)])


FLAWS = (
    Planted("a tenth of the records copied", _copied, ("Records of the original",), ("income", "union")),
    Planted(
        "every record copied, with one value changed", _one_value_changed, ("Records of the original",), ("income",)
    ),
    Planted("a copy under new codes", _renamed_codes, ("don't match well", "A copy of the original?")),
    Planted("a copy spelled otherwise", _spelled_otherwise, ("don't match well", "A copy of the original?")),
    Planted(
        "a copy with new running numbers", _renumbered, ("A copy of the original?",), ("income", "union", "illness")
    ),
    Planted(
        "everybody entered twice, so that nobody is unique", _entered_twice, ("warning about the files", "Records of")
    ),
    Planted("large households copied", _households, ("to the last digit",), ("income", "union"), needs="the unit"),
    Planted("one region copied", _one_group, ("Records of the original",), ("income", "union")),
    Planted("incomes of half of the unique people", _numbers_of_their_keys, ("Records of the original",), ("income",)),
    Planted("two variables left in the original's order", _order_of_rows, ("Records in the order of the original",)),
    Planted(
        "a fifth of the people in each of five files", _across_files, ("Records of the original", "5 files from one")
    ),
    Planted("half of the people in last year's file", _last_year, ("earlier releases",), needs="the earlier file"),
    Planted("those who refused to state their income", _missing_values, ("Records of the original",), ("income",)),
    Planted(
        "everybody with a rare illness",
        _one_level,
        ("to the last digit",),
        ("illness",),
        needs="the policy's sensitive levels",
    ),
    Planted(
        "half of the control took part", _control_of_members, ("The control file is in doubt",), needs="the control"
    ),
    Planted(
        "a copy with two yes-or-no variables under each other's name", _swapped_names, ("Records of", "A copy with")
    ),
    Planted("a copy with ages a year off and incomes five per cent", _jittered, ("A copy with changed values?",)),
    Planted("a copy in another currency", _other_currency, ("don't match well", "A copy of the original?"), ("union",)),
    Planted("sixty people of one place and trade copied", _few_neighbours, ("to the last digit",)),
    Planted("large households copied but for one member", _member_removed, ("to the last digit",), needs="the unit"),
    Planted("incomes of half of the unique people, rounded", _rounded, ("Records of the original",), ("income",)),
    Planted("the original's pattern of missing values, place by place", _holes, ("Records in the order",)),
    Planted("one rare record two hundred times", _multiplied, ("to the last digit",)),
    Planted("a copy with dates moved by 37 days and new incomes", _dates_moved, ("A copy with changed values?",)),
    Planted(
        "the keys of everybody with one rare illness",
        _keys_of_one_level,
        says="20 of the 25 with HIV",
        needs="the policy's sensitive levels",
    ),
    Planted("two variables in the original's order, turned round", _turned_round, ("Records in the order",)),
    Planted("three hundredths of the records copied", _copied_few, ("to the last digit",)),
    Planted(
        "a hundredth of the records copied",
        _copied_very_few,
        why_not="fewer than the policy's limit of whole records; their number is on page 1",
    ),
    Planted(
        "the twenty highest incomes with their people",
        _highest_incomes,
        why_not="fewer than that limit: cap such values before release (`mitigate`, `limit_values`)",
    ),
    Planted(
        "two variables in the original's order, all moved on by 700 places",
        _moved_on,
        why_not="places are compared up to 60 apart: shuffle every release",
    ),
    Planted(
        "hashes of the original's running numbers",
        _hashed,
        why_not="a value of its own for every record is none that files share: release no such variable",
    ),
    Planted(
        "each income of the original to the cent, of nobody in particular",
        _memorised_numbers,
        why_not="no key leads to them; who knows an income can look it up: round such numbers before synthesis",
    ),
    Planted(
        "the cents of each income, in new ones",
        _digits,
        why_not="numbers are compared whole, or in classes",
    ),
)
"""Releases with a flaw."""

FAIR = (
    Planted("drawn from a model of the people", _clean),
    Planted("each variable drawn by itself", _independent),
    Planted("a target that nearly everybody shares", _nearly_all_say_no),
    Planted("three files of a model", _several_clean, ("3 files from one original",)),
)
"""Releases without one: page 1 cries at none of them."""

N_FURTHER = 20
"""Fair releases of other sizes."""


def further_fair(number: int) -> Planted:
    """Give one of the further releases without a flaw, from 0 on: each of another size, in five ways.

    The files are twice or half as large as the original, hold each variable drawn by itself, lack some incomes, or
    have them rounded.
    """
    n = int(np.geomspace(150, N, N_FURTHER).round()[number])
    way = number % 5

    def make(rng: np.random.Generator) -> Release:
        original = people(rng, n)
        synthetic = fair(rng, {0: 2 * n, 1: n // 2}.get(way, n))
        if way == 2:
            synthetic = original.apply(lambda column: rng.permutation(column.to_numpy()))
        for frame in (original, synthetic):
            if way == 3:
                frame.loc[rng.random(len(frame)) < 0.1, "income"] = np.nan
            if way == 4:
                frame["income"] = frame["income"].round(-3)
        return Release(original, [synthetic])

    return Planted(f"{n} people", make)


def table() -> str:
    """Write the guide's table of what is found, and what isn't."""
    lines = ["| What was done | What page 1 shows |", "|---|---|"]
    for one in FLAWS:
        shown = [*(f'box "{words}"' for words in one.boxes), f"excess of {', '.join(one.beyond)}" * bool(one.beyond)]
        shown += [f'row "{one.says}"'] * bool(one.says)
        found = f"not found: {one.why_not}" if one.why_not else " and ".join(filter(None, shown))
        lines.append(f"| {one.what} | {found}{f' (given {one.needs})' if one.needs else ''} |")
    return "\n".join(lines)
