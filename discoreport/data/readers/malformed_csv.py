"""Is a text with a sign between its fields a regular table? Every quote, line end and field, before anybody reads it.

Readers differ in what they make of a stray quote or a lone carriage return, and swallow records without a word. What
passes here means the same to all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from discoreport.data.readers.source_file import HINT
from discoreport.errors import DataError

CHUNK = 2**22
"""Bytes that are looked at in one go."""
_LONGEST = 2**26
_MANY_SIGNS = 4
"""So many delimiters placed just as in records are no accident."""
_QUOTE, _DELIMITER, _LF, _CR = range(1, 5)
_REMEDY = 'Put fields that hold quotes, delimiters or line breaks in quotes, and write quotes in them twice ("").'

Places = npt.NDArray[np.int64]


@dataclass
class Lines:
    """What is known of a text so far.

    Parameters
    ----------
    delimiter
        The sign between fields.
    n_fields
        How many fields each record has.
    name
        Of the file, for messages.
    line
        The number of the line that comes next.
    ends
        The kinds of line ends seen, and the line of the first of each.
    n_spanning, n_alike, n_signs, first_alike
        Quoted fields that span lines; those of them that hold delimiters just where records would have them, how many
        delimiters that is, and the line in which the first of these begins.
    """

    delimiter: str
    n_fields: int
    name: str
    line: int = 1
    ends: dict[str, int] = field(default_factory=dict)
    n_spanning: int = 0
    n_alike: int = 0
    n_signs: int = 0
    first_alike: int = 0

    @property
    def mixed(self) -> bool:
        """Whether lines end in more than one way."""
        return len(self.ends) > 1

    @property
    def doubts(self) -> tuple[str, ...]:
        """What is to be warned of."""
        return (f"line {self.first_alike}: {self._swallowed}",) if self.n_alike else ()

    @property
    def _swallowed(self) -> str:
        return (
            "a field in quotes spans lines and holds delimiters just where records would have them. "
            "Has a stray quote swallowed records?"
        )

    def problem(self, line: int, what: str) -> DataError:
        """Say what is wrong in which line; quotes nothing of it."""
        return DataError(f"'{self.name}' isn't a regular table: line {line}: {what}")

    def take(self, data: bytes, *, last: bool) -> bytes:
        """Look at a piece of text that begins with a record.

        Returns
        -------
        bytes
            The beginning of a record that goes on in the next piece.

        Raises
        ------
        DataError
            Naming the line.
        """
        signs = _Signs.of(data, self.delimiter, last=last)
        broken = signs.first_broken_quote()
        ends = signs.places[signs.is_end & ~signs.inside]
        ends = ends[ends < broken] if broken is not None else ends
        self._check_fields(signs, ends, len(data) if last and broken is None else None)
        if broken is not None:
            raise self.problem(self.line + signs.lines_before(signs.opening(broken)), signs.what_is_wrong(broken))
        self._check_ends(signs, ends)
        done = len(data) if last else int(ends[-1]) + 1 if len(ends) else 0
        if len(data) - done > _LONGEST:
            raise self.problem(self.line + signs.lines_before(done), "this record is too long. Is a quote missing?")
        self._look_into_quotes(signs, done)
        self.line += signs.lines_before(done)
        return data[done:]

    def finish(self) -> None:
        """Raise where quoted fields that span lines look like records that a stray quote has swallowed."""
        if self.n_alike and self.n_alike == self.n_spanning and self.n_signs >= _MANY_SIGNS:
            raise self.problem(self.first_alike, f"{self._swallowed} {_REMEDY}")

    def _check_fields(self, signs: _Signs, ends: Places, stop: int | None) -> None:
        """Count the delimiters of each record; lines with nothing in them are none."""
        if stop is not None and (not len(ends) or ends[-1] + 1 < stop):
            ends = np.append(ends, stop)
        starts = np.concatenate([[0], ends[:-1] + 1]).astype(np.int64) if len(ends) else ends
        between = signs.places[signs.is_delimiter & ~signs.inside]
        n_fields = np.diff(np.searchsorted(between, np.concatenate([starts[:1], ends]))) + 1
        blank = (ends == starts) | ((ends == starts + 1) & signs.is_byte(starts, _CR))
        wrong = np.flatnonzero((n_fields != self.n_fields) & ~blank)
        if len(wrong):
            first = int(wrong[0])
            said = f"it has {n_fields[first]} fields, the header has {self.n_fields}. {_REMEDY} {HINT}"
            raise self.problem(self.line + signs.lines_before(int(starts[first])), said)

    def _check_ends(self, signs: _Signs, ends: Places) -> None:
        """Note how lines end; a carriage return alone ends them all, or stands where it shouldn't."""
        feeds = signs.is_byte(ends, _LF)
        returned = feeds & (ends > 0) & signs.is_byte(ends - 1, _CR)
        for kind, where in (("CRLF", returned), ("LF", feeds & ~returned), ("CR", ~feeds)):
            if kind not in self.ends and where.any():
                self.ends[kind] = self.line + signs.lines_before(int(ends[where][0]))
        if "CR" in self.ends and self.mixed:
            others = min(line for kind, line in self.ends.items() if kind != "CR")
            said = f"a carriage return alone ends a line here and not elsewhere. {_REMEDY}"
            raise self.problem(max(self.ends["CR"], others), said)

    def _look_into_quotes(self, signs: _Signs, done: int) -> None:
        """Look for quoted fields that span lines and hold delimiters just where records would have them."""
        breaks = signs.places[signs.is_end & signs.inside]
        breaks = breaks[breaks < done]
        if not len(breaks) or self.n_fields == 1:
            return
        openings, closings = signs.quoted_fields()
        spanning = np.unique(np.searchsorted(openings, breaks) - 1)
        openings, closings = openings[spanning], closings[spanning]
        held = signs.places[signs.is_delimiter & signs.inside]
        n_held, n_breaks = (np.diff(np.searchsorted(of, [openings, closings]), axis=0)[0] for of in (held, breaks))
        per_record = self.n_fields - 1
        self.n_spanning += len(spanning)
        ends, between = (signs.places[kind & ~signs.inside] for kind in (signs.is_end, signs.is_delimiter))
        for place in np.flatnonzero(n_held == n_breaks * per_record):
            opening, closing = int(openings[place]), int(closings[place])
            n_before = np.searchsorted(ends, opening)
            begins = ends[n_before - 1] if n_before else -1
            column = int(np.searchsorted(between, opening) - np.searchsorted(between, begins))
            parts = signs.data[opening + 1 : closing].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
            found = [part.count(self.delimiter.encode()) for part in parts]
            if found == [per_record - column, *[per_record] * (len(found) - 2), column]:
                self.first_alike = self.first_alike or self.line + signs.lines_before(opening)
                self.n_alike += 1
                self.n_signs += sum(found)


@dataclass(frozen=True)
class _Signs:
    """Where quotes, delimiters and line ends are in a piece of text, and which of them a quoted field holds."""

    data: bytes
    kinds: npt.NDArray[np.uint8]
    places: Places
    inside: npt.NDArray[np.bool_]
    is_delimiter: npt.NDArray[np.bool_]
    is_end: npt.NDArray[np.bool_]
    quotes: Places
    last: bool

    @classmethod
    def of(cls, data: bytes, delimiter: str, *, last: bool) -> _Signs:
        table = bytearray(256)
        for kind, sign in enumerate(['"', delimiter, "\n", "\r"], start=_QUOTE):
            table[ord(sign)] = kind
        kinds = np.frombuffer(data.translate(table), np.uint8)
        places = np.flatnonzero(kinds != 0)
        found = kinds[places]
        is_quote = found == _QUOTE
        inside = ((np.cumsum(is_quote, dtype=np.uint8) - is_quote) & 1).astype(bool)  # an odd number of quotes before
        lone = found == _CR  # a carriage return ends a line where no line feed follows
        followed = np.append(places[1:] == places[:-1] + 1, [False])[: len(places)] & np.append(found[1:] == _LF, False)
        cut = (places == len(data) - 1) & (not last)  # what follows isn't known yet
        is_end = (found == _LF) | (lone & ~followed & ~cut)
        return cls(data, kinds, places, inside, found == _DELIMITER, is_end, places[is_quote], last)

    def is_byte(self, places: Places, kind: int) -> npt.NDArray[np.bool_]:
        """Tell whether there is a sign of some kind at each of some places."""
        known = places < len(self.kinds)
        return known & (self.kinds[np.where(known, places, 0)] == kind) if len(self.kinds) else known

    def lines_before(self, place: int) -> int:
        """Count the lines that end before a place."""
        return int(np.count_nonzero(self.is_end[: np.searchsorted(self.places, place)]))

    def first_broken_quote(self) -> int | None:
        """Find the first quote that neither begins a field, nor ends it, nor is one of two within it."""
        quotes, n = self.quotes, len(self.quotes)
        if not n:
            return None
        adjoins = np.append(np.diff(quotes) == 1, False)  # the next sign is a quote, too
        opens = np.arange(n) % 2 == 0
        beside = np.where(opens, quotes - 1, quotes + 1)
        edge = (beside < 0) | (beside >= len(self.data))
        free = edge | (self.kinds[np.where(edge, 0, beside)] > _QUOTE)
        twice = np.where(opens, np.append(False, adjoins[:-1]), adjoins)
        broken = np.flatnonzero(~free & ~twice)
        if len(broken):
            return int(quotes[broken[0]])
        return int(quotes[-1]) if n % 2 and self.last else None

    def opening(self, quote: int) -> int:
        """Find the quote that opens the field in which a quote is; the quote itself where it is in none."""
        openings, _ = self.quoted_fields()
        place = int(np.searchsorted(self.quotes, quote))
        return int(openings[np.searchsorted(openings, quote, side="right") - 1]) if place % 2 else quote

    def what_is_wrong(self, quote: int) -> str:
        """Say what is wrong with a quote."""
        if int(np.searchsorted(self.quotes, quote)) % 2:
            said = "a field in quotes begins here, and neither the delimiter nor a line end follows its closing quote"
        elif quote == self.quotes[-1] and self.last and len(self.quotes) % 2 and self._begins_field(quote):
            said = "a field in quotes begins here that is never closed"
        else:
            said = "there is a quote inside a field"
        return f"{said}. {_REMEDY}"

    def _begins_field(self, quote: int) -> bool:
        return quote == 0 or self.kinds[quote - 1] > _QUOTE

    def quoted_fields(self) -> tuple[Places, Places]:
        """Give the quotes that open fields, and those that close them; the end of the text for one left open."""
        quotes = self.quotes if len(self.quotes) % 2 == 0 else np.append(self.quotes, len(self.data))
        openings, closings = quotes[::2], quotes[1::2]
        goes_on = openings[1:] == closings[:-1] + 1  # two quotes within a field
        return openings[np.append(True, ~goes_on)], closings[np.append(~goes_on, True)]


def require_regular(pieces: Iterable[bytes], delimiter: str, n_fields: int, name: str, n_before: int = 0) -> Lines:
    """Look at every quote, line end and delimiter of a text.

    Parameters
    ----------
    pieces
        The text in UTF-8, the header line included, in pieces of any size.
    delimiter
        The sign between fields.
    n_fields
        How many fields the header has.
    name
        Of the file, for messages.
    n_before
        How many lines of the file come before the text.

    Returns
    -------
    Lines
        How its lines end, and what is to be warned of.

    Raises
    ------
    DataError
        Naming the first line that is wrong: a quote that isn't closed, is followed by anything but the delimiter or a
        line end, or is inside a field; more or fewer fields than the header has; a lone carriage return. Also where
        quoted fields look like records that a stray quote has swallowed.
    """
    lines = Lines(delimiter, n_fields, name, n_before + 1)
    rest = b""
    for piece in pieces:
        rest = lines.take(rest + piece, last=False)
    lines.take(rest, last=True)
    lines.finish()
    return lines
