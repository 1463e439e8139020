"""The compiled kernels; everything else about the package is in pyproject.toml."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

kernels = sorted(path.as_posix() for path in Path("src/headway/kernels").glob("*.pyx"))
extensions = [
    Extension(f"headway.kernels.{Path(source).stem}", [source], extra_compile_args=["-O3", "-g0"]) for source in kernels
]
setup(
    ext_modules=cythonize(
        extensions,
        build_dir="build/cython",
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "initializedcheck": False,
            "cdivision": True,
            "freethreading_compatible": True,
        },
    ),
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
