"""The version, alone in its file so that the build and `headway --version` need nothing else."""

__version__ = "0.1.0"
