"""The compiled kernels; everything else about the package is in pyproject.toml."""

import os
import subprocess
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

CHECKED = bool(os.environ.get("HEADWAY_CHECKED"))
"""Whether each access to memory is checked, by Cython and by AddressSanitizer; see tests/checked.sh."""
BUILD = Path("build/checked" if CHECKED else "build/cython")
SHARED = "headway.kernels._utility"
SANITIZED = ["-fsanitize=address"] if CHECKED else []
OPTIONS = ["-O1", "-g1", "-fno-omit-frame-pointer", *SANITIZED] if CHECKED else ["-O3", "-g0"]

# What Cython writes into every module for arrays is compiled once, which takes a third of the time.
# It is written anew where it differs only, so that a second build in the same place compiles nothing.
utility, draft = BUILD / "_utility.c", BUILD / "draft" / "_utility.c"
draft.parent.mkdir(parents=True, exist_ok=True)
subprocess.run([sys.executable, "-m", "cython", "--generate-shared", str(draft)], check=True)
if not utility.exists() or utility.read_bytes() != draft.read_bytes():
    draft.replace(utility)
kernels = sorted(Path("src").glob("headway/kernels/**/*.pyx"))
extensions = [
    Extension(
        ".".join(path.relative_to("src").with_suffix("").parts),
        [path.as_posix()],
        extra_compile_args=OPTIONS,
        extra_link_args=SANITIZED,
    )
    for path in kernels
]
compiled = cythonize(
    extensions,
    build_dir=BUILD.as_posix(),
    shared_utility_qualified_name=SHARED,
    compiler_directives={
        "language_level": 3,
        "boundscheck": CHECKED,
        "wraparound": False,
        "initializedcheck": False,
        "cdivision": True,
        "freethreading_compatible": True,
    },
)
setup(
    ext_modules=[
        Extension(SHARED, [utility.as_posix()], extra_compile_args=OPTIONS, extra_link_args=SANITIZED),
        *compiled,
    ],
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
