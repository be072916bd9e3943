"""Makes `at_once.json` anew, after a change of commands or options: ``python -m discoreport.cli.make_at_once``."""

from __future__ import annotations

import json

from discoreport.cli.at_once import KEPT
from discoreport.cli.completion import SHELLS, script
from discoreport.cli.parser import COMMANDS, parser


def made() -> dict[str, list[str]]:
    """Make the help of every command and the completion for every shell, in lines, by the words that ask for them."""
    commands = next(one.choices for one in parser(whole=True)._actions if isinstance(one.choices, dict))
    texts = {f"{name} --help": list(command.short_help()) for name, command in commands.items()}
    return texts | {f"completion {shell}": list(script(shell, commands, COMMANDS)) for shell in SHELLS}


if __name__ == "__main__":
    KEPT.write_text(json.dumps(made(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
