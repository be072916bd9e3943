"""Files and documents with something wrong in them: the same ones each time."""

import copy
import io
import random
import zipfile

ODD = (
    None, True, -1, 0, 1, 2**31, 2**63, 10**400, 1e308, -1e-320, float("nan"), float("inf"), "", " ", "0", "nan",
    "1e999", "x" * 5000, "a\nb", "a\0b", "\ud800", "../../etc", "/nowhere/at/all", "=1+1", "{{ 1 }}",
    [], {}, [[]], [None], [1, "a"], {"a": 1},
)  # fmt: skip
"""Values that somebody may well put where they don't belong."""


def bytes_of(content, chance):
    """Change some bytes of a file: one, a run of them, what is there twice, or where it ends."""
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 8))):
        start = chance.randrange(len(changed) or 1)
        stop = min(len(changed), start + chance.choice((1, 1, 2, 4, 16, 200)))
        way = chance.randrange(7)
        if way == 0:
            changed[start:stop] = bytes(chance.randrange(256) for _ in range(stop - start))
        elif way == 1:
            del changed[start:stop]
        elif way == 2:
            changed[start:start] = changed[start:stop]
        elif way == 3:
            changed[start:stop] = chance.choice((b"\0", b"\xff", b"\x7f", b"\x80")) * (stop - start)
        elif way == 4:
            other = chance.randrange(len(changed) or 1)
            changed[start:stop] = changed[other : other + stop - start]
        elif way == 5 and stop > start:
            changed[start] ^= 1 << chance.randrange(8)
        elif chance.randrange(4) == 0:
            del changed[start:]
    return bytes(changed)


def zip_of(content, chance):
    """Change what is inside a zip file, whose own sums are right."""
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    name = chance.choice(sorted(members))
    members[name] = bytes_of(members[name], chance)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as packed:
        for one, inside in members.items():
            packed.writestr(one, inside)
    return written.getvalue()


def lines_of(content, chance, odd):
    """Change the lines of a text: one twice, gone, elsewhere, or an odd one in its place."""
    lines = content.decode().splitlines(keepends=True)
    for _ in range(chance.choice((1, 1, 3))):
        place, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        way = chance.randrange(5)
        if way == 0:
            lines.insert(other, lines[place])
        elif way == 1 and len(lines) > 1:
            del lines[place]
        elif way == 2:
            lines[place], lines[other] = lines[other], lines[place]
        else:
            lines[place] = odd(lines[place], chance)
    return "".join(lines).encode()


VALUES = (
    "1", "-1", "9" * 5000, "1e999", "nan", '""', '"\\u0000"', "[]", "{}", "[1, 'a']", "1979-05-27", "true",
    "2024-02-31",
)  # fmt: skip


def odd_value(line, chance):
    """Give a line of TOML with an odd value."""
    name, equals, _ = line.partition("=")
    return f"{name}{equals} {chance.choice(VALUES)}\n"


MARKUP = (
    "{{ report.nothing }}", "{{ 1 // 0 }}", "{% for one in report %}", "{{ [0] * 10 ** 15 }}", "{{ '0' * 10 ** 15 }}",
    '{% include "nowhere.html" %}', "{{ report.targets[99] }}", "{% endfor %}",
    "{{ 10 ** 5000 }}",
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "{{ range(10 ** 9)|list }}", "{{ 'x'.format(1, 2) }}",
    "{{ ''|nothing }}",
    '{% import "words.html" as ours %}{{ ours.nothing() }}', "{{ '%d' % 'x' }}", "{{ report() }}",
)  # fmt: skip


def odd_markup(line, chance):
    """Give a line of a template with something that can't be filled, most of the time."""
    return line.rstrip("\n") + chance.choice(MARKUP) + "\n"


def tree_of(content, chance):
    """Change one place in nested values: an odd value, a neighbour's, none at all, one twice, another name."""
    changed = copy.deepcopy(content)
    for _ in range(chance.choice((1, 1, 2))):
        places = list(_places(changed))
        if not places:
            return changed
        held, name = chance.choice(places)
        way = chance.randrange(6)
        if way == 0:
            del held[name]
        elif way == 1:
            other, there = chance.choice(places)
            held[name] = copy.deepcopy(other[there])
        elif way == 2 and isinstance(held, list):
            held.insert(name, copy.deepcopy(held[name]))
        elif way == 3 and isinstance(held, dict):
            held[chance.choice(("", "extra", f"{name} "))] = held.pop(name)
        else:
            held[name] = copy.deepcopy(chance.choice(ODD))
    return changed


def _places(tree):
    for name in list(tree) if isinstance(tree, dict) else range(len(tree)):
        yield tree, name
        if isinstance(tree[name], dict | list):
            yield from _places(tree[name])


def chances(seed, n):
    """Give as many sources of chance, the same each time."""
    return (random.Random(f"{seed} {number}") for number in range(n))
