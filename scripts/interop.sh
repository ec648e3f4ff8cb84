#!/bin/sh
# Opens every exported format with other programs: GDAL (Debian, Ubuntu) and Python's NumPy,
# Pillow, tifffile and trimesh, in a virtual environment of its own below `target`; Khronos'
# gltf-validator where npm is; Blender where it is, or with INTEROP_BLENDER=1.
# usage: interop.sh path/to/landform
# Exit 77: these programs are not here and cannot be had.
set -eu
cd "$(dirname "$0")/.."

if ! command -v gdalinfo >/dev/null 2>&1; then
    if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" != 0 ]; then
        echo "landform: please install GDAL's programs (gdal-bin)" >&2
        exit 77
    fi
    apt-get update -qq || exit 77
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        gdal-bin python3-venv >/dev/null || exit 77
fi
if [ "${INTEROP_BLENDER:-}" = 1 ] && ! command -v blender >/dev/null 2>&1; then
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        blender >/dev/null
fi
place=target/interop
if [ ! -x $place/bin/python ]; then
    python3 -m venv $place || exit 77
fi
$place/bin/pip install --quiet --disable-pip-version-check \
    'numpy>=2,<3' 'pillow>=11' 'tifffile>=2025' 'trimesh>=4,<5' || exit 77
if command -v npm >/dev/null 2>&1 &&
    npm install --silent --no-fund --no-audit --prefix $place gltf-validator@2.0.0-dev.3.10 >/dev/null 2>&1; then
    GLTF_VALIDATOR=$PWD/$place/node_modules
    export GLTF_VALIDATOR
fi
$place/bin/python tests/interop/check.py "$1"
