"""Small random tables and settings for Hypothesis."""

import os
from dataclasses import dataclass, field

import pandas as pd
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

# The same examples every time; HYPOTHESIS_EXAMPLES=2000 asks for more of them, and for new ones.
_EXAMPLES = int(os.environ.get("HYPOTHESIS_EXAMPLES", "0"))


def _examples(number):
    return settings(
        max_examples=_EXAMPLES or number,
        derandomize=not _EXAMPLES,
        deadline=None,
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


often = _examples(12)
sometimes = _examples(8)
few = settings(_examples(2), phases=[Phase.explicit, Phase.generate])  # an engine takes a second to start

KEYS = ("sex", "region", "age group")
TARGETS = ("income", "illness")
LEVELS = {
    "sex": ("f", "m"),
    "region": ("north", "south", "west | east"),
    "age group": ("old", "young", "Missing"),
    "income": ("high", "low", "none"),
    "illness": ("no", "yes"),
}


@dataclass
class Problem:
    """An original, synthetic files (lists of records each), and the settings of an assessment."""

    original: list
    synthetic: list
    keys: list
    targets: list
    settings: dict = field(default_factory=dict)

    def frames(self):
        columns = [*self.keys, *self.targets]
        frames = [pd.DataFrame(records, columns=columns, dtype=object) for records in (self.original, *self.synthetic)]
        return frames[0], frames[1:]

    def levels(self, name):
        return list(dict.fromkeys(record[name] for file in (self.original, *self.synthetic) for record in file))


def tables(names, most, with_missing):
    """Draw the records of one file, several of them alike."""
    levels = {name: [*LEVELS[name], None] if with_missing else list(LEVELS[name]) for name in names}
    record = st.fixed_dictionaries({name: st.sampled_from(levels[name]) for name in names})
    return st.lists(record, min_size=1, max_size=most).flatmap(
        lambda kinds: st.lists(st.sampled_from(kinds), min_size=1, max_size=2 * most)
    )


def missing_settings(names):
    rule = st.sampled_from(["level", "exclude"])
    return st.one_of(rule, st.dictionaries(st.sampled_from(names), rule))


@st.composite
def problems(draw, *, with_missing=True, with_settings=True, most_synthetic=3, same_size=False):
    """Draw an original, one to three synthetic files of any size, and settings that fit them."""
    keys = draw(st.permutations(KEYS))[: draw(st.integers(2, 3))]
    targets = draw(st.permutations(TARGETS))[: draw(st.integers(1, 2))]
    names = [*keys, *targets]
    original = draw(tables(names, 8, with_missing))
    n_files = draw(st.integers(1, most_synthetic))
    synthetic = [draw(tables(names, 8, with_missing)) for _ in range(n_files)]
    # Records of the original among the synthetic ones make matches likely.
    synthetic = [file + draw(st.lists(st.sampled_from(original), max_size=6)) for file in synthetic]
    if same_size:
        synthetic = [(file * len(original))[: len(original)] for file in synthetic]
    problem = Problem(original, synthetic, keys, targets)
    if with_settings:
        problem.settings = draw(settings_for(problem))
    return problem


@st.composite
def settings_for(draw, problem):
    """Draw settings that name nothing but what the files have."""
    exclude = []
    for _ in range(draw(st.integers(0, 3))):
        target = draw(st.sampled_from(problem.targets))
        rule = {"target": target, "level": draw(st.sampled_from(problem.levels(target)))}
        if draw(st.booleans()):
            key = draw(st.sampled_from(problem.keys))
            rule |= {"key": key, "key_level": draw(st.sampled_from(problem.levels(key)))}
        exclude.append(rule)
    percentages = st.sampled_from([0, 30, 50, 80, 90])
    return {
        "exclude": exclude,
        "key_missing": draw(missing_settings(problem.keys)),
        "target_missing": draw(missing_settings(problem.targets)),
        "max_denominator": draw(st.sampled_from([None, None, 1, 2, 3])),
        "one_way_threshold": (draw(st.integers(0, 5)), draw(percentages)),
        "two_way_threshold": (draw(st.integers(0, 3)), draw(percentages)),
    }
