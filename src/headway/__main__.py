"""The `headway` command, also as `python -m headway`."""

import signal


def main() -> None:
    """Run the command; while it is being imported, Ctrl-C ends it without a word."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from headway.cli import main as run

    run()


if __name__ == "__main__":
    main()
