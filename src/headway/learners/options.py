"""Options of learners as a user writes them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

from headway.errors import HeadwayError


def options_from(options: Mapping[str, Any] | Iterable[str]) -> dict[str, Any]:
    """Options by name, from a mapping or from words like `phi=0.5` and `average=no`."""
    if isinstance(options, Mapping):
        return dict(options)
    found = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise HeadwayError(f"{option!r} is no option; write NAME=VALUE, as in phi=0.5")
        try:
            found[name] = ast.literal_eval({"yes": "True", "no": "False"}.get(value, value))
        except (SyntaxError, ValueError):
            raise HeadwayError(f"the value of {option!r} is no number; write it as in phi=0.5 or average=no") from None
    return found
