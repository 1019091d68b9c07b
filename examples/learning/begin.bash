# Sourced by run and run-bytes, which set defaults for rounds and directory: reads [--rounds N] [DIRECTORY],
# creates the directory, which must not exist, and enters it. Sets here to the directory of the example, and
# python to an interpreter that uses the package hagg of the source tree, if there is one, and otherwise the
# installed one.
here=$(cd "$(dirname "$0")" && pwd)
if [ "${1:-}" = --rounds ]; then
    rounds=${2:-}
    shift $(($# < 2 ? $# : 2))
fi
if [[ ! $rounds =~ ^[1-9][0-9]{0,3}$ ]] || (($# > 1)); then
    echo "usage: $(basename "$0") [--rounds N] [DIRECTORY]" >&2
    exit 2
fi
directory=${1:-$directory}
mkdir "$directory"
cd "$directory"

export PYTHONPATH=$here/../../python PYTHONDONTWRITEBYTECODE=1
python=${HAGG_PYTHON:-/usr/bin/python3}
