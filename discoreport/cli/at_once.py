"""Help and completions, as `make_at_once` made them: options need most of the package, and help is wanted at once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

KEPT = Path(__file__).with_suffix(".json")


def said_at_once(words: Sequence[str]) -> str | None:
    """Give what the command line says to these words without more ado, or None where it has to look."""
    asked = ["--help" if word == "-h" else word for word in words]
    if len(asked) != 2 or not (asked[0] == "completion" or asked[1] == "--help"):
        return None
    lines = json.loads(KEPT.read_text(encoding="utf-8")).get(" ".join(asked))
    return None if lines is None else "\n".join(lines)
