"""Settings and files -> variables ready to be counted, rules in codes, and what is to be said of the files.

All that counts begins here: an assessment, analyses, the form, mitigation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from discoreport.assessment import formatting
from discoreport.assessment.engine_choice import Files
from discoreport.assessment.provenance import VariableSummary
from discoreport.assessment.settings import OF_VARIABLES, Settings
from discoreport.data.coding import SMALL_CELL, Variable
from discoreport.data.findings import likely_missing
from discoreport.data.findings.comparison import all_missing, compare, compare_as_counted, compare_files
from discoreport.data.findings.doubts import doubts
from discoreport.data.findings.finding import Finding
from discoreport.data.findings.unit_identifier import about_units
from discoreport.data.missing_values import marked
from discoreport.data.numeric_groups import FEWEST_CLASSES, Grouping, group, special_positions
from discoreport.data.table import Table, require_columns, shared_columns
from discoreport.errors import SettingsError, suggest
from discoreport.measures.exclusions import Rules


def with_targets(settings: Settings, tables: Sequence[Table]) -> Settings:
    """Check the names against the files, and write out the targets: by default what has a value and is no key."""
    require_columns(settings.keys, tables)
    require_columns(settings.targets or (), tables)
    require_columns(() if settings.unit is None else (settings.unit,), tables)
    shared = shared_columns(tables)
    for setting in OF_VARIABLES:
        for name in getattr(settings, setting):
            if name not in shared:
                raise SettingsError(f"{setting}: no column '{name}' in all files. {suggest(name, shared)}")
    if settings.targets is not None:
        return settings
    others = [name for name in shared if name not in (*settings.keys, settings.unit)]
    usable = [name for name in others if not _problem(name, tables)]
    empty = marked(tables, settings.missing_values)[0].without_values(usable)
    targets = tuple(name for name in usable if name not in empty)
    return Settings(**{**settings.model_dump(exclude_unset=True), "targets": targets})


def not_assessed(settings: Settings, tables: Sequence[Table]) -> Iterator[Finding]:
    """Name what the settings leave aside, and settings that lead nowhere because of that."""
    used = (*settings.keys, *(settings.targets or ()), settings.unit)
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
class PreparedVariable:
    """A variable ready to be counted; what is to be said of it is found when it is asked for.

    Parameters
    ----------
    coded
        As the files have it.
    variable
        As it is counted: in groups where the settings ask for them.
    tables
        The files, the original first.
    settings
        What its groups and special codes come from.
    codes, special
        Its special codes, and their positions among the levels.
    grouping
        How its groups came about; None where it has none.
    """

    coded: Variable
    variable: Variable
    tables: Sequence[Table]
    settings: Settings
    codes: tuple[str, ...]
    special: Sequence[int]
    grouping: Grouping | None

    @property
    def summary(self) -> VariableSummary:
        """What the original has of it."""
        coded, name, original = self.coded, self.coded.name, self.tables[0]
        levels = [coded.n_levels_in(file) for file in range(len(self.tables))]
        grouping = self.grouping or Grouping((), "", ())
        return VariableSummary(
            name=name,
            label=original.labels.get(name, ""),
            role="key" if name in self.settings.keys else "target",
            kind=coded.kind,
            n_levels=levels[0],
            n_levels_synthetic=tuple(levels[1:]),
            percent_missing=100 * (coded.n_missing_in(0) + coded.n_declared_in(0)) / original.n_records,
            special_codes=self.codes,
            missing_values=self.settings.missing_values.get(name, ()),
            classes=grouping.labels,
            breaks=grouping.breaks,
            grouped_by=grouping.method,
            value_labels=_labels_of_many(coded),
        )

    def findings(self) -> Iterator[Finding]:
        """Compare the files on it, and say how its groups came about."""
        yield from compare(self.coded, self.tables, self.special)
        yield from doubts(self.coded, self.tables, self.special)
        if self.grouping:
            yield from _of_classes(self.variable, self.grouping)
            yield from _codes_in_classes(self.coded, self.special)
        yield from compare_as_counted(self.variable)


def prepare_variable(coded: Variable, tables: Sequence[Table], settings: Settings) -> PreparedVariable:
    """Group a variable where the settings ask for it.

    Parameters
    ----------
    coded
        Over all files.
    tables
        The files, the original first.
    settings
        Special codes and groups.

    Raises
    ------
    SettingsError
        Where a special code occurs in no file, or the variable can't be grouped.
    """
    name, codes = coded.name, special_codes_of(coded, settings)
    special = special_positions(coded, codes)
    variable, grouping = coded, None
    if name in settings.numeric_groups:
        variable, grouping = group(coded, settings.numeric_groups[name], codes)
    return PreparedVariable(coded, variable, tables, settings, codes, special, grouping)


def special_codes_of(coded: Variable, settings: Settings) -> tuple[str, ...]:
    """Give the values of a variable that are codes, not numbers: those of the settings, and those its files declare."""
    return tuple(dict.fromkeys((*settings.special_codes.get(coded.name, ()), *coded.declared)))


@dataclass(frozen=True)
class PreparedFiles:
    """Files whose variables are coded and grouped as some settings say; get it from `prepare`.

    Parameters
    ----------
    files
        In any engine, values that mean "missing" taken for missing.
    settings
        Targets written out.
    """

    files: Files
    settings: Settings

    @property
    def tables(self) -> Sequence[Table]:
        """The files, the original first."""
        return self.files.tables

    def variable(self, name: str) -> PreparedVariable:
        """Prepare one variable; it is not kept here."""
        return prepare_variable(self.files.code(name), self.tables, self.settings)

    @cached_property
    def variables(self) -> dict[str, Variable]:
        """Keys and targets by name, as they are counted; all of them kept."""
        return {name: self.variable(name).variable for name in self.names}

    @property
    def names(self) -> tuple[str, ...]:
        """Keys and targets."""
        return (*self.settings.keys, *(self.settings.targets or ()))

    @property
    def keys(self) -> tuple[Variable, ...]:
        """The keys in the order of the settings."""
        return tuple(self.variables[name] for name in self.settings.keys)

    @cached_property
    def unit(self) -> Variable | None:
        """What says which records belong together; None where each is for itself."""
        return None if self.settings.unit is None else self.files.code(self.settings.unit)

    @property
    def targets(self) -> tuple[Variable, ...]:
        """The targets in the order of the settings."""
        return tuple(self.variables[name] for name in self.settings.targets or ())

    def of_files(self) -> Iterator[Finding]:
        """Compare the files as wholes, and name what the settings leave aside."""
        yield from compare_files(self.tables)
        yield from not_assessed(self.settings, self.tables)
        if self.unit is not None:
            yield from about_units(self.unit, self.tables)

    def findings(self) -> Iterator[Finding]:
        """Say what differs between the files, as wholes and in keys and targets, which are coded once more for it."""
        yield from self.of_files()
        for name in self.names:
            yield from self.variable(name).findings()


def prepare(files: Files, settings: Settings) -> PreparedFiles:
    """Get ready to count what settings name.

    Parameters
    ----------
    files
        In any engine; they stay open.
    settings
        As for `assess_with`.

    Raises
    ------
    DataError, SettingsError
        As `assess`; of single variables, when they are asked for.
    """
    return marked_files(files, with_targets(settings, files.tables))


def marked_files(files: Files, settings: Settings) -> PreparedFiles:
    """Do what `prepare` does where the settings are known to fit the files, and their targets don't matter."""
    return PreparedFiles(files.with_missing(settings.missing_values), settings)


def _labels_of_many(variable: Variable) -> dict[str, str]:
    """Give the value labels of levels that many original records have; others may name a single person."""
    if type(variable) is not Variable or not variable.labels:
        return {}
    many = {text for text, *_ in variable.common_levels}
    return {text: label for text, label in variable.labels.items() if text in many}


def _of_classes(grouped: Variable, grouping: Grouping) -> Iterator[Finding]:
    """Say how classes came about where that isn't as asked, and where they are small."""
    if grouping.method == "equal widths":
        detail = f"quantiles gave fewer than {FEWEST_CLASSES} classes; classes of equal width were formed"
        yield Finding(grouped.name, 0, "grouping", "note", detail)
    n_small = int((grouped.counts[0][: len(grouping.labels)] < SMALL_CELL).sum())
    if n_small:
        n_classes = formatting.counted(n_small, "class holds", "classes hold")
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
        level = target.require_level(rule.level, f"exclude {rule}: ")
        if rule.key is None:
            levels.append(level)
        else:
            place = settings.keys.index(rule.key)
            pairs.append((level, place, keys[place].require_level(rule.key_level, f"exclude {rule}: ")))
    leave_out = settings.excludes_missing
    return Rules(
        levels=tuple(levels),
        missing_target=missing_codes_of(target) if leave_out(target.name) else (),
        missing_keys=missing_keys_of(keys, settings),
        pairs=tuple(pairs),
        max_denominator=settings.max_denominator,
    )


def missing_keys_of(keys: Sequence[Variable], settings: Settings) -> tuple[tuple[int, ...], ...]:
    """Give for each key the codes of its missing values where they are left out, else none."""
    return tuple(missing_codes_of(key) if settings.excludes_missing(key.name) else () for key in keys)


def missing_codes_of(variable: Variable) -> tuple[int, ...]:
    """Give the codes of missing values: of empty ones, and of those that a file declares as missing."""
    declared = tuple(variable.code_of(level) for level in variable.declared)
    return (*declared, variable.n_levels) if variable.has_missing else declared
