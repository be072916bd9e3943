"""Sensitivity to the keys: every subset of what an intruder may know, and what each key adds to the risk."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from pydantic import Field

from discoreport.assessment.accept_settings import SettingsGiven, names_given, settings_given
from discoreport.assessment.analyses.base import Analysis, Options, Variables
from discoreport.assessment.analyses.count_cells import of_files, require_whole
from discoreport.assessment.analyses.result import AnalysisResult
from discoreport.assessment.analyses.sensitivity.results import Sensitivity, SubsetFigures
from discoreport.assessment.engine_choice import MemoryFiles, read_all
from discoreport.assessment.evaluate_measures import evaluate
from discoreport.assessment.formatting import of_file, percentage, points
from discoreport.assessment.measure_files import warn_as_assess
from discoreport.assessment.measured import Measured
from discoreport.assessment.prepare import PreparedFiles, missing_keys_of, prepare, rules_for, with_targets
from discoreport.assessment.progress import Progress, Steps
from discoreport.assessment.provenance import Source
from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.settings import Names, Settings, Whole
from discoreport.data.coding import Variable
from discoreport.data.parallel import gather
from discoreport.errors import SettingsError, suggest
from discoreport.measures import MEASURES, Measure
from discoreport.measures.cap import WITHOUT_KEYS
from discoreport.measures.exclusions import Rules, exclude
from discoreport.measures.key_index import KeyIndex, combine
from discoreport.measures.key_subsets import SubsetCells, cells_of_subsets
from discoreport.measures.memory_engine import Counter
from discoreport.measures.registry import of_group

MOST = 4096
"""Subsets that are evaluated for each target and synthesis unless more are asked for: all of 12 candidates."""
MOST_EVER = 2**16
"""Subsets that can be asked for: all of 16 candidates."""

IDENTITY_AND_ATTRIBUTE = tuple(entry.name for entry in (*of_group("identity"), *of_group("attribute")))
"""The measures that are evaluated unless others are asked for."""

Places = tuple[int, ...]


class SensitivityOptions(Options):
    """Of `sensitivity`."""

    candidates: Variables = Field(
        (),
        title="Further candidates",
        description="variables, too, that an intruder might know; they are no targets then",
    )
    measures: Names = Field(
        IDENTITY_AND_ATTRIBUTE, title="Measures", description="measures to evaluate, by their published names"
    )
    most: Whole = Field(
        MOST, ge=1, le=MOST_EVER, title="Most subsets", description="most subsets of the keys to evaluate"
    )


def sensitivity(
    original: object,
    synthetic: object,
    settings: SettingsGiven,
    *,
    candidates: Sequence[str] | str = (),
    measures: Sequence[str] | str = IDENTITY_AND_ATTRIBUTE,
    most: int = MOST,
    progress: Progress | None = None,
) -> Sensitivity:
    """Evaluate measures for every subset of the variables that an intruder may know.

    Parameters
    ----------
    original, synthetic
        As for `assess`, in memory; one synthetic file or a list of them.
    settings
        As for `assess_with`. Its keys are candidates too, and what `leave_one_out` and `add_one_in` start from.
        An exclusion that names a key applies to the subsets that have this key.
    candidates
        Further variables that an intruder might know. None of them may be a target.
    measures
        Published names. `baseCAPd` and `baseMode` are refused: no key has a part in them.
    most
        Most subsets to evaluate. Where there are more of them, all up to some size are, and those that
        `leave_one_out` and `add_one_in` need: the result is not `complete`, and says no shares.
    progress
        Called with subsets done, subsets in all, and the target that is counted.

    Returns
    -------
    Sensitivity
        One row for each subset, target and synthesis; the empty subset is what is known without any key.

    Raises
    ------
    DataError, SettingsError
        As `assess`; and where a measure is unknown or can't be had.

    Warns
    -----
    ComparisonWarning
        As `assess` does.

    Notes
    -----
    Each variable is coded and grouped once, over all files, so that a subset has the figures that `assess` gives
    with these keys. Without exclusions subsets are refined from one another; with exclusions or a unit each is counted
    on its own, which takes several times as long. With a unit, the same subset is known of all of its records; without
    any key that is how many they are. Identity measures are of the keys alone: only missing keys can be
    left out of them.

    All figures go into a record: with 12 candidates, 7 targets and all of these measures 5 to 10 MB for each synthetic
    file, with repU and DiSCO alone about 1 MB.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"age": [30, 31, 41, 41], "sex": ["f", "f", "f", "m"], "ill": ["y", "n", "n", "n"]})
    >>> found = sensitivity(original, original, Settings(keys=["age"]), candidates=["sex"], measures=["UiO", "DiSCO"])
    >>> found.table[["keys", "UiO", "DiSCO"]]
           keys    UiO  DiSCO
    0             0.0    0.0
    1       age   50.0  100.0
    2       sex   25.0   25.0
    3  age, sex  100.0  100.0
    >>> found.shapley("UiO").set_index("key")["share"].to_dict()  # age: (50 + 75) / 2; sex: (25 + 50) / 2
    {'age': 62.5, 'sex': 37.5}
    """
    settings = settings_given(settings)
    tables = read_all(original, synthetic)
    names = tuple(dict.fromkeys((*settings.keys, *names_given(candidates, "sensitivity: candidates"))))
    widened = Settings(**{**settings.model_dump(exclude_unset=True), "keys": names})
    widened = with_targets(widened, tables)
    targets = widened.targets or ()
    entries = _measures(names_given(measures, "sensitivity: measures"), bool(targets))
    most = require_whole(most, 1, "sensitivity: most", MOST_EVER)

    largest, further = _chosen(len(names), len(settings.keys), most)
    n_subsets = sum(math.comb(len(names), size) for size in range(largest + 1)) + len(further)
    of_keys = tuple(entry for entry in entries if entry.group == "identity")
    of_targets = tuple(entry for entry in entries if entry not in of_keys)
    counted = targets if of_targets else ()
    coded = prepare(MemoryFiles(tables), widened.for_targets(counted))
    passes = [(None, of_keys)] * bool(of_keys) + [(target, of_targets) for target in coded.targets]
    found: dict[tuple[str, int, str], dict[Places, float | None]] = {}
    tell = Steps(progress, n_subsets * len(passes) * (len(tables) - 1))
    for target, evaluated in passes:
        name, rules = "", Rules(missing_keys=missing_keys_of(coded.keys, widened))
        if target is not None:
            name, rules = target.name, rules_for(target, coded.keys, widened)
        for synthesis in range(1, len(tables)):
            for places, values in _evaluated(coded, target, synthesis, rules, evaluated, largest, further):
                tell.next(name)
                for measure, value in values.items():
                    found.setdefault((name, synthesis, measure), {})[places] = value
    tell.done()
    subsets = sorted(next(iter(found.values())), key=lambda places: (len(places), places))
    figures = [
        SubsetFigures(
            target=name,
            synthesis=synthesis,
            measure=entry.name,
            values=tuple(found["" if entry in of_keys else name, synthesis, entry.name][places] for places in subsets),
        )
        for name in counted or ("",)
        for synthesis in range(1, len(tables))
        for entry in entries
    ]
    asked = settings.model_copy(update={"targets": targets})  # of all candidates together files may share nothing
    warn_as_assess(tables, asked, findings=coded.findings())
    return Sensitivity(
        settings=asked,
        original=Source.of(tables[0]),
        synthetic=tuple(Source.of(table) for table in tables[1:]),
        candidates=names,
        targets=tuple(counted),
        measures=tuple(entry.name for entry in entries),
        largest=largest,
        subsets=tuple(tuple(names[place] for place in places) for places in subsets),
        figures=tuple(figures),
    )


def _measures(names: Sequence[str], has_targets: bool) -> tuple[Measure, ...]:
    for name in names:
        if name not in MEASURES:
            raise SettingsError(f"sensitivity: no measure '{name}'. {suggest(name, MEASURES)}")
        if name in WITHOUT_KEYS:
            raise SettingsError(f"sensitivity: no key has a part in {name}. Leave it out.")
    entries = [MEASURES[name] for name in dict.fromkeys(names)]
    chosen = tuple(entry for entry in entries if has_targets or entry.group == "identity")
    if not chosen:
        raise SettingsError("sensitivity: there is nothing to evaluate. Name measures, and targets for attribute ones.")
    return chosen


def _chosen(n_candidates: int, n_keys: int, most: int) -> tuple[int, tuple[Places, ...]]:
    """Say up to which size all subsets are evaluated, and which others are.

    The keys of the settings come first among the candidates.
    """
    sizes = list(itertools.accumulate(math.comb(n_candidates, size) for size in range(n_candidates + 1)))
    largest = max((size for size, n in enumerate(sizes) if n <= most), default=0)
    keys, everything = tuple(range(n_keys)), tuple(range(n_candidates))
    wanted = [keys, everything]
    wanted += [tuple(other for other in keys if other != place) for place in keys]
    wanted += [(*keys, place) for place in everything[n_keys:]]
    return largest, tuple(places for places in dict.fromkeys(wanted) if len(places) > largest)


def _evaluated(
    coded: PreparedFiles,
    target: Variable | None,
    synthesis: int,
    rules: Rules,
    measures: Sequence[Measure],
    largest: int,
    further: Sequence[Places],
) -> Iterator[tuple[Places, dict[str, float | None]]]:
    """Evaluate measures subset by subset, in any order.

    Each subset is counted on its own where records are left out, or where those of a unit are known together: what is
    known of the others is the same subset then.
    """
    keys, unit = coded.keys, coded.unit and of_files(coded.unit, (0, synthesis))
    of_all: Iterator[Places] = itertools.chain.from_iterable(
        itertools.combinations(range(len(keys)), size) for size in range(largest + 1)
    )
    if rules.any or unit:
        further = (*of_all, *further)
    else:
        branches = cells_of_subsets(keys, target, synthesis, largest)
        yield from gather([_values(branch, measures) for branch in branches])
    pair = [of_files(variable, (0, synthesis)) for variable in keys]
    for places in further:
        counter = Counter(_index([pair[place] for place in places], unit, pair[0]))
        (cells,) = counter.of_keys() if target is None else counter.of_target(of_files(target, (0, synthesis)))
        yield places, evaluate(cells.rows(exclude(cells, _narrowed(rules, places))[0]), measures)


def _values(
    branch: Iterator[SubsetCells], measures: Sequence[Measure]
) -> Iterator[tuple[Places, dict[str, float | None]]]:
    for subset in branch:
        values = subset.values(measures)
        known = {name: None if math.isnan(value) else value for name, value in values.items()}
        yield tuple(sorted(subset.places)), known


def _index(keys: Sequence[Variable], unit: Variable | None, any_key: Variable) -> KeyIndex:
    if keys or unit:
        return combine(keys, unit)
    return KeyIndex((), tuple(np.zeros(len(codes), np.int64) for codes in any_key.codes), 1, ())


def _narrowed(rules: Rules, places: Places) -> Rules:
    """Give the rules that apply where only some of the keys are known."""
    pairs = [(level, places.index(key), code) for level, key, code in rules.pairs if key in places]
    missing = tuple(rules.missing_keys[place] for place in places) if rules.missing_keys else ()
    return dataclasses.replace(rules, pairs=tuple(pairs), missing_keys=missing)


def _run(
    original: object,
    synthetic: Sequence[object],
    settings: Settings,
    options: SensitivityOptions,
    progress: Progress | None,
) -> AnalysisResult:
    if settings.targets is not None:  # what an intruder knows can't be learnt
        settings = settings.for_targets([name for name in settings.targets if name not in options.candidates])
    return sensitivity(original, list(synthetic), settings, **dict(options), progress=progress)


def _in_short(found: Sensitivity, _: Measured, __: Documentation) -> Iterator[str]:
    if found.complete and "repU" in found.measures:
        shares = found.shapley("repU").dropna().sort_values("share", ascending=False)
        whole = percentage(found.value("repU", found.candidates))
        for key, share in shares.head(1).itertuples(index=False):
            further = " with the further candidates" if len(found.candidates) > len(found.settings.keys) else ""
            told = f"{key} adds most to repU, {points(share)} of {whole} percentage points"
            yield f"Sensitivity: {told}{further}{of_file(found.file('repU'), len(found.synthetic))}"


def _options_from(found: Sensitivity, _: Measured) -> dict[str, Any]:
    n = len(found.candidates)
    return {
        "candidates": found.candidates[len(found.settings.keys) :],
        "measures": found.measures,
        "most": sum(math.comb(n, size) for size in range(found.largest + 1)),
    }


ANALYSIS = Analysis(
    name="sensitivity",
    title="Sensitivity to the keys",
    question="Which key carries the risk?",
    tells="What each key adds to the risk, over every subset of them, and how few of them suffice.",
    options=SensitivityOptions,
    runs=_run,
    in_short=_in_short,
    options_from=_options_from,
)
