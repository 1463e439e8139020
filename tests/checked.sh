#!/bin/sh
# Forged models and checkpoints under kernels that check each access to memory: bounds of arrays by Cython, all else by AddressSanitizer.
#
#     tests/checked.sh FOLDER [TESTS…]
#
# copies the source to FOLDER, compiles it there with HEADWAY_CHECKED=1 (some minutes), opens every forged model of
# tests/forged.py, goes on from every 11th forged checkpoint of tests/forged_checkpoints.py, and runs TESTS if there are any. A
# wrong access ends it with a report. `python` must be one that can build headway: activate the environment first.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
cd "$source"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$folder"
cd "$folder"
HEADWAY_CHECKED=1 python setup.py build_ext --inplace
LD_PRELOAD=$(gcc -print-file-name=libasan.so)
ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
PYTHONPATH=$folder/src
export LD_PRELOAD ASAN_OPTIONS PYTHONPATH
python tests/forged.py "$folder/forged"
python tests/forged_checkpoints.py "$folder/forged" 11
if [ $# -gt 0 ]; then python -m pytest -n 0 -p no:cacheprovider "$@"; fi
