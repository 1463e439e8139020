"""`headway completion`."""

import click

from headway.cli import headway_command

INSTALL = {
    "bash": '# add to ~/.bashrc: eval "$(headway completion bash)"',
    "zsh": '# add to ~/.zshrc: eval "$(headway completion zsh)"',
    "fish": "# write to ~/.config/fish/completions/headway.fish",
}


@headway_command
@click.argument("shell", type=click.Choice(list(INSTALL)))
def command(shell: str) -> None:
    """Print the completion script for a shell."""
    from click.shell_completion import get_completion_class

    from headway.cli import run

    completion = get_completion_class(shell)
    assert completion is not None
    click.echo(INSTALL[shell])
    click.echo(completion(run, {}, "headway", "_HEADWAY_COMPLETE").source())
