"""Groups and special codes of one numeric variable: what is set, and what the data propose."""

from __future__ import annotations

from discoreport.data.coding import SMALL_CELL
from discoreport.data.level_text import level_text
from discoreport.errors import DiscoReportError, SettingsError
from discoreport.form.model.distributions import distribution
from discoreport.form.model.pending_decisions import undecided_numbers
from discoreport.form.model.suggested_settings import USUAL_GROUPS, codes_seen
from discoreport.form.model.typed_numbers import numbers
from discoreport.form.panels.panel import Context
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.html import page

_UNDECIDED = ("choose", "")
_GROUPS = [("each number counts", "0"), *((f"about {n} classes", str(n)) for n in (5, 10, 20, 50)), ("own", "own")]


class NumberSettings:
    """Groups and codes of one numeric variable."""

    def __init__(self, context: Context, filling: c.Filling, name: str) -> None:
        self.state, self.tasks, self.name = context.state, context.tasks, name
        self.codes_proposed = codes_seen(self.state.files.code(name))  # type: ignore[union-attr]
        self.words = c.html()
        self.groups = c.choice("Count its numbers", "In about so many classes, or each by itself", _GROUPS, "0")
        self.breaks = c.text(
            "Classes or bounds", "A number of classes, or the bounds between them, rising, separated by spaces",
            placeholder="20, or 0 10 20 50 100",
        )  # fmt: skip
        self.codes = c.text(
            "Special codes",
            "Numbers that are codes; each stays a level",
            placeholder="-8 -9; none if empty",
        )
        proposed = " ".join(self.codes_proposed)
        self.propose = c.button(
            f"Take {proposed}" if proposed else "None seen", "Numbers in the data that look like codes", self._take
        )
        self.propose.layout.display = "" if proposed else "none"
        self.message = c.Message()
        self.spread = c.html()
        c.on_change(self.groups, filling.told(self._grouped, self.message))
        c.on_change(self.breaks, filling.told(self._broken, self.message))
        c.on_change(self.codes, filling.told(self._coded, self.message))
        row = c.box(self.groups, self.breaks, self.codes, self.propose, kind="row")
        self.view = c.box(c.box(self.words, row, self.message), self.spread, kind="columns")

    def _said(self) -> str:
        """Say what it is, and what is proposed; a number that is a key is known as it is."""
        state = self.state
        role = "key" if self.name in state.draft.keys else "target"
        parts = [f"about {USUAL_GROUPS} classes"] if role == "target" else []
        parts += [f"special codes {' '.join(self.codes_proposed)}"] if self.codes_proposed else []
        n_levels = state.files.facts[self.name].n_levels  # type: ignore[union-attr]
        return page("number", variable=self.name, role=role, n_levels=n_levels, proposed=parts)

    def _spread(self) -> str:
        """Draw how the numbers are spread, and say where classes begin."""
        state = self.state
        if state.files is None or state.problem or not self.tasks.may_count:
            return ""
        try:
            found = distribution(state.files, state.draft.settings(), self.name)
        except DiscoReportError:  # the field says what is wrong
            return ""
        return page("distribution", found=found, name=self.name, least=SMALL_CELL)

    def show(self) -> None:
        """Show what is set."""
        self.words.value = self._said()
        draft = self.state.draft
        groups = draft.numeric_groups.get(self.name)
        usual = groups is None or str(groups) in {value for _, value in _GROUPS}
        undecided = self.name in undecided_numbers(self.state)
        self.groups.options = (_UNDECIDED, *_GROUPS) if undecided else tuple(_GROUPS)
        none = "" if undecided else "0"
        self.groups.value = none if groups is None else str(groups) if usual else "own"
        self.spread.value = self._spread()
        own = () if usual else (groups,) if isinstance(groups, int) else groups or ()
        self.breaks.value = c.digits(*own)
        self.breaks.layout.display = "" if self.groups.value == "own" else "none"
        codes = draft.special_codes.get(self.name, ())
        self.codes.value = " ".join(code or "" for code in codes)
        self.propose.disabled = not set(self.codes_proposed) - set(codes)

    def _set(self, groups: int | tuple[float, ...] | None) -> None:
        draft = self.state.draft
        others = {name: value for name, value in draft.numeric_groups.items() if name != self.name}
        each = tuple(name for name in draft.each_counts if name != self.name)
        if groups is None:
            self.state.change(numeric_groups=others, each_counts=(*each, self.name))
        else:
            self.state.change(numeric_groups={**others, self.name: groups}, each_counts=each)

    def _grouped(self, chosen: str) -> None:
        self.breaks.layout.display = "" if chosen == "own" else "none"
        if chosen not in ("", "own"):
            self._set(int(chosen) or None)

    def _broken(self, text: str) -> None:
        read = numbers(text)
        if len(read) == 1 and read[0].is_integer() and read[0] >= 2:
            self._set(int(read[0]))
        elif len(read) > 1 and list(read) == sorted(set(read)):
            self._set(read)
        elif read:
            raise SettingsError(f"'{text}': give at least 2 classes, or at least two bounds in rising order.")

    def _coded(self, text: str) -> None:
        self._set_codes(tuple(level_text(part) or "" for part in text.replace(",", " ").replace(";", " ").split()))

    def _set_codes(self, codes: tuple[str, ...]) -> None:
        self.tasks.require_free()
        files = self.state.files
        for code in codes:
            try:
                files.code(self.name).code_of(code)  # type: ignore[union-attr]
            except KeyError:
                raise SettingsError(f"'{self.name}' has no value {code} in any file.") from None
        others = {name: value for name, value in self.state.draft.special_codes.items() if name != self.name}
        self.state.change(special_codes={**others, self.name: codes} if codes else others)

    def _take(self) -> None:
        known = self.state.draft.special_codes.get(self.name, ())
        self._set_codes((*filter(None, known), *(code for code in self.codes_proposed if code not in known)))
