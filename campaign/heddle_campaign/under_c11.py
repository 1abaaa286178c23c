"""What `heddle check` does where the memory model is left open (docs/claims.md): sequential consistency first, and where C11's memory
model allows more, that too. Here these are two searches, one after the other, each of which is cut."""

# Whoever gives one of these asks for one search.
OF_ONE_SEARCH = (
    "--memory-model", "--preset", "--order", "--reduction", "--bound", "--visited", "--rewind", "--points", "--timeouts", "--priority",
    "--focus-function", "--focus-variable", "--no-races",
)  # fmt: skip


def is_open(check: list[str]) -> bool:
    return not any(word.partition("=")[0] in OF_ONE_SEARCH for word in check)


def options(check: list[str], under_c11: bool) -> list[str]:
    """Those of the first or the second search."""
    return [*check, "--memory-model", "c11" if under_c11 else "sc"] if is_open(check) else check


def follows(check: list[str], found: dict) -> bool:
    """`found`: the JSON of the first search."""
    explored = found["stop"] == "exhausted" and found["verdict"] != "uncontrolled" and not found["bugs"]
    return explored and may_follow(check, found)


def may_follow(check: list[str], found: dict) -> bool:
    return is_open(check) and bool(found["weak_memory"]["pairs"])
