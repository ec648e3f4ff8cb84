#!/bin/sh
# Installs the system packages that are missing: `deps.sh run` for the program, `deps.sh test`
# for its tests too. Debian and Ubuntu only; elsewhere it says what is needed.
set -eu

window="libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon0 libxkbcommon-x11-0 libgl1 libglx-mesa0"
headless="libegl1 libegl-mesa0 libgl1-mesa-dri"
tests="ffmpeg gdal-bin xvfb xdotool strace qemu-user fonts-dejavu-core fonts-wqy-microhei"

case "${1:-run}" in
run) wanted="$window $headless" ;;
test) wanted="$window $headless $tests" ;;
*)
    echo "usage: deps.sh run|test" >&2
    exit 2
    ;;
esac

if ! command -v cargo >/dev/null 2>&1; then
    echo "landform needs Rust 1.89 or newer: see https://rustup.rs" >&2
    exit 1
fi

if ! command -v dpkg-query >/dev/null 2>&1; then
    case "$(uname -s)" in
    Linux)
        echo "landform: not a Debian system, so please see to it that these are installed:" >&2
        echo "  OpenGL and EGL (Mesa), libX11, libxcb, libXcursor, libXi, libxkbcommon (with x11)" >&2
        [ "${1:-run}" = test ] && echo "  and for the tests: ffmpeg, GDAL (gdal-bin), Xvfb, xdotool, strace, qemu-x86_64 (on x86-64), the fonts DejaVu Sans and WenQuanYi Micro Hei" >&2
        ;;
    esac
    exit 0
fi

missing=""
for package in $wanted; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
else
    echo "landform needs packages that only root can install; please run:" >&2
    echo "  apt-get install$missing" >&2
    exit 1
fi

echo "landform: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # the lists are words
$as_root apt-get update -qq
# shellcheck disable=SC2086
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
