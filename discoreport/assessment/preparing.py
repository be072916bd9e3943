"""Settings and files -> variables ready to be counted, rules in codes, and what is to be said of the files."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from discoreport.assessment import writing
from discoreport.assessment.results import VariableSummary
from discoreport.assessment.settings import OF_VARIABLES, Exclusion, Settings, settings_from
from discoreport.data import likely_missing
from discoreport.data.coding import SMALL_CELL, Variable
from discoreport.data.comparing import APART, COPYING, Finding, all_missing, compare, compare_as_counted
from discoreport.data.doubting import doubts
from discoreport.data.grouping import FEWEST_CLASSES, Grouping, group, special_positions
from discoreport.data.marking import marked
from discoreport.data.table import Table, require_columns, shared_columns
from discoreport.errors import ComparisonWarning, SettingsError, suggest
from discoreport.measures.exclusions import Rules


def with_targets(settings: Settings, tables: Sequence[Table]) -> Settings:
    """Check the names against the files, and write out the targets: by default what has a value and is no key."""
    require_columns(settings.keys, tables)
    require_columns(settings.targets or (), tables)
    shared = shared_columns(tables)
    for setting in OF_VARIABLES:
        for name in getattr(settings, setting):
            if name not in shared:
                raise SettingsError(f"{setting}: no column '{name}' in all files. {suggest(name, shared)}")
    if settings.targets is not None:
        return settings
    others = [name for name in shared if name not in settings.keys]
    usable = [name for name in others if not _problem(name, tables)]
    empty = marked(tables, settings.missing_values)[0].without_values(usable)
    targets = tuple(name for name in usable if name not in empty)
    return settings_from({**settings.model_dump(exclude_unset=True), "targets": targets})


def not_assessed(settings: Settings, tables: Sequence[Table]) -> Iterator[Finding]:
    """Name what the settings leave aside, and settings that lead nowhere because of that."""
    used = (*settings.keys, *(settings.targets or ()))
    others = [name for name in shared_columns(tables) if name not in used]
    problems = {name: _problem(name, tables) for name in others}
    empty = tables[0].without_values([name for name in others if not problems[name]])
    for name in others:
        if problems[name]:
            yield Finding(name, 0, "not_comparable", "warning", f"was not assessed. {problems[name]}")
            continue
        named = [setting for setting in OF_VARIABLES if name in getattr(settings, setting)]
        also = f"; {' and '.join(named)} for it has no effect" if named else ""
        yield Finding(name, 0, "not_assessed", "note", f"in all files, but neither key nor target{also}")
        if name in empty:
            yield all_missing(name)


def _problem(name: str, tables: Sequence[Table]) -> str:
    """Say why a variable can't be compared; empty where it can."""
    return next(filter(None, (table.problem(name) for table in tables)), "")


@dataclass(frozen=True)
class Prepared:
    """A variable ready to be counted, what the original has of it, and what is to be said of it."""

    variable: Variable
    summary: VariableSummary
    findings: tuple[Finding, ...]


def prepare(variable: Variable, tables: Sequence[Table], settings: Settings) -> Prepared:
    """Compare the files on one variable, and group it where the settings ask for it.

    Parameters
    ----------
    variable
        Coded over all files.
    tables
        The files, the original first.
    settings
        Special codes and groups.

    Raises
    ------
    SettingsError
        Where a special code occurs in no file, or the variable can't be grouped.
    """
    name = variable.name
    codes = tuple(dict.fromkeys((*settings.special_codes.get(name, ()), *variable.declared)))
    special = special_positions(variable, codes)
    findings = [*compare(variable, tables, special), *doubts(variable, tables, special)]
    grouping = Grouping((), "", ())
    counted = variable
    if name in settings.numeric_groups:
        counted, grouping = group(variable, settings.numeric_groups[name], codes)
        findings += [*_of_classes(counted, grouping), *_codes_in_classes(variable, special)]
    findings += compare_as_counted(counted)
    levels = [variable.n_levels_in(file) for file in range(len(tables))]
    summary = VariableSummary(
        name=name,
        label=tables[0].labels.get(name, ""),
        role="key" if name in settings.keys else "target",
        kind=variable.kind,
        n_levels=levels[0],
        n_levels_synthetic=tuple(levels[1:]),
        percent_missing=100 * (variable.n_missing_in(0) + variable.n_declared_in(0)) / tables[0].n_records,
        special_codes=codes,
        missing_values=settings.missing_values.get(name, ()),
        classes=grouping.labels,
        breaks=grouping.breaks,
        grouped_by=grouping.method,
        value_labels=_labels_of_many(variable),
    )
    return Prepared(counted, summary, tuple(findings))


def _labels_of_many(variable: Variable) -> dict[str, str]:
    """Give the value labels of levels that many original records have; others may name a single person."""
    if type(variable) is not Variable or not variable.labels:
        return {}
    many = {text for text, n in zip(variable.level_texts, variable.counts[0], strict=False) if n >= SMALL_CELL}
    return {text: label for text, label in variable.labels.items() if text in many}


def _of_classes(grouped: Variable, grouping: Grouping) -> Iterator[Finding]:
    """Say how classes came about where that isn't as asked, and where they are small."""
    if grouping.method == "equal widths":
        detail = f"quantiles gave fewer than {FEWEST_CLASSES} classes; classes of equal width were formed"
        yield Finding(grouped.name, 0, "grouping", "note", detail)
    n_small = int((grouped.counts[0][: len(grouping.labels)] < SMALL_CELL).sum())
    if n_small:
        n_classes = writing.counted(n_small, "class holds", "classes hold")
        detail = f"{n_classes} fewer than {SMALL_CELL} original records; bounds may be somebody's value"
        yield Finding(grouped.name, 0, "small_classes", "note", detail)


def _codes_in_classes(variable: Variable, special: Sequence[int]) -> Iterator[Finding]:
    """Warn of numbers that look like codes where they would fall into the classes of numbers."""
    files = range(len(variable.counts)) if variable.has_levels else ()
    places = sorted({place for file in files for place in likely_missing.codes(variable, file)} - set(special))
    if places:
        text = variable.level_texts[places[0]]
        n_records = int(variable.counts[0][places].sum())
        yield Finding(
            variable.name, 0, "code_in_classes", "warning",
            f"{text} is far from all other numbers. If it is a code, it doesn't belong into a class of numbers: "
            f"special_codes={{\"{variable.name}\": [{text}]}}, --code {variable.name}={text}",
            len(places), n_records, 100 * n_records / int(variable.counts[0].sum()),
        )  # fmt: skip


def excludes(settings: Settings) -> bool:
    """Tell whether any setting can leave records out."""
    names = (*settings.keys, *(settings.targets or ()))
    return bool(settings.exclude or settings.max_denominator or any(map(settings.excludes_missing, names)))


def rules_for(target: Variable, keys: Sequence[Variable], settings: Settings) -> Rules:
    """Translate the exclusions that concern one target into codes."""
    levels, pairs = [], []
    for rule in settings.exclude:
        if rule.target != target.name:
            continue
        level = _code(target, rule.level, rule)
        if rule.key is None:
            levels.append(level)
        else:
            place = settings.keys.index(rule.key)
            pairs.append((level, place, _code(keys[place], rule.key_level, rule)))
    leave_out = settings.excludes_missing
    return Rules(
        levels=tuple(levels),
        missing_target=_missing_of(target) if leave_out(target.name) else (),
        missing_keys=missing_keys_of(keys, settings),
        pairs=tuple(pairs),
        max_denominator=settings.max_denominator,
    )


def missing_keys_of(keys: Sequence[Variable], settings: Settings) -> tuple[tuple[int, ...], ...]:
    """Give for each key the codes of its missing values where they are left out, else none."""
    return tuple(_missing_of(key) if settings.excludes_missing(key.name) else () for key in keys)


def _missing_of(variable: Variable) -> tuple[int, ...]:
    """Give the codes of missing values: of empty ones, and of those that a file declares as missing."""
    declared = tuple(variable.code_of(level) for level in variable.declared)
    return (*declared, variable.n_levels) if variable.has_missing else declared


def _code(variable: Variable, level: str | None, rule: Exclusion) -> int:
    try:
        return variable.code_of(level)
    except KeyError:
        pass
    if level is None:
        raise SettingsError(f"exclude {rule}: '{variable.name}' has no missing values in any file.")
    raise SettingsError(
        f"exclude {rule}: '{variable.name}' has no level '{level}' in any file. {variable.suggest(level)}"
    )


_UNWARNED = ContextVar("unwarned", default=False)


@contextmanager
def unwarned() -> Iterator[None]:
    """Let `warn_of` say nothing, for what tells of findings itself.

    It holds for the thread that asks; filters of `warnings` would hold for the others, too.
    """
    before = _UNWARNED.set(True)
    try:
        yield
    finally:
        _UNWARNED.reset(before)


def is_unwarned() -> bool:
    """Tell whether `warn_of` says nothing."""
    return _UNWARNED.get()


def warn_of(findings: Sequence[Finding], stacklevel: int) -> None:
    """Warn in Python's way of all findings that put low figures in doubt, except `unwarned`."""
    loud = [finding for finding in findings if finding.severity == "warning"]
    if not loud or _UNWARNED.get():
        return
    lines = [str(finding) for finding in loud[:8]]
    more = [f"and {len(loud) - 8} more; see .comparison"] if len(loud) > 8 else []
    kinds = {one.finding for one in loud}
    heads = {
        "The files don't match well.": kinds - APART,
        "Low figures can't be taken at face value.": kinds & APART - {*COPYING},
        "Records of the original are in a synthetic file.": kinds & {*COPYING},
    }
    message = " ".join([*(head for head, found in heads.items() if found), "; ".join(lines + more)])
    warnings.warn(message, ComparisonWarning, stacklevel=stacklevel + 1)
