#!/bin/sh
# Opens every exported format with other programs: GDAL (Debian, Ubuntu) and Python's NumPy,
# Pillow, tifffile, trimesh and netCDF4, in a virtual environment of its own below `target`; tinyexr,
# ImageMagick, GRASS, SAGA and gettext where they are or can be installed; Khronos' gltf-validator where
# npm is; USD's own library; Blender where it is, or with INTEROP_BLENDER=1, as a module of
# Python (bpy, 400 MB) or else as a package. What is left out is said;
# with INTEROP_ALL=1 it counts as a failure.
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
# Each alone, since one that there is not would leave out all of them.
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    wanted=
    for pair in c++:g++ grass:grass-core msgfmt:gettext saga_cmd:saga; do
        command -v "${pair%%:*}" >/dev/null 2>&1 || wanted="$wanted ${pair#*:}"
    done
    scripts/imagemagick.sh || wanted="$wanted imagemagick"
    [ -f /usr/include/tinyexr.h ] || wanted="$wanted libtinyexr-dev"
    if [ -n "$wanted" ]; then
        apt-get update -qq || true
        for package in $wanted; do
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
                "$package" >/dev/null 2>&1 || echo "landform: no $package to be had" >&2
        done
    fi
fi
place=target/interop
if [ ! -x $place/bin/python ]; then
    python3 -m venv $place || exit 77
fi
$place/bin/pip install --quiet --disable-pip-version-check \
    'numpy>=2,<3' 'pillow>=11' 'tifffile>=2025' 'trimesh>=4,<5' || exit 77
$place/bin/pip install --quiet --disable-pip-version-check 'netCDF4>=1.7' ||
    echo "landform: no netCDF4 to be had" >&2
$place/bin/pip install --quiet --disable-pip-version-check 'usd-core>=24' ||
    echo "landform: no usd-core to be had" >&2
# bpy wants an older NumPy, so it has an environment of its own.
if [ "${INTEROP_BLENDER:-}" = 1 ] && ! command -v blender >/dev/null 2>&1; then
    if [ -x $place/blender/bin/python ] || python3 -m venv $place/blender &&
        $place/blender/bin/pip install --quiet --disable-pip-version-check 'bpy>=4.2,<6'; then
        BLENDER_PYTHON=$PWD/$place/blender/bin/python
        export BLENDER_PYTHON
    else
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            blender >/dev/null
    fi
fi
if command -v npm >/dev/null 2>&1 &&
    npm install --silent --no-fund --no-audit --prefix $place gltf-validator@2.0.0-dev.3.10 >/dev/null 2>&1; then
    GLTF_VALIDATOR=$PWD/$place/node_modules
    export GLTF_VALIDATOR
fi
tinyexr=
if [ -f /usr/include/tinyexr.h ] &&
    "${CXX:-c++}" -O1 -o $place/tinyexr tests/interop/tinyexr.cc -ltinyexr; then
    tinyexr=$PWD/$place/tinyexr
fi
$place/bin/python tests/interop/check.py "$1"
$place/bin/python tests/interop/plants.py "$1"
$place/bin/python tests/interop/engine.py "$1" $tinyexr
$place/bin/python tests/interop/others.py "$1" $tinyexr
