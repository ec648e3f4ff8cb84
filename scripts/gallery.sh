#!/bin/sh
# Renders every picture of the README: `gallery.sh path/to/landform folder`. The picture of the
# window needs Xvfb, xdotool and ImageMagick's `import`; the others need no display.
set -eu

landform=$1
folder=$2
mkdir -p "$folder"

picture() {
    name=$1
    shift
    echo "$folder/$name.png"
    "$landform" render "$@" -o "$folder/$name.png"
}

picture hero alpine --size 1600x720

# The render types.
for type in 1d lines triangles teximage clouds rendered map; do
    case $type in
    1d) options="--iterations 9 --h 0.8 --seed 6" ;;
    lines) options="--iterations 5" ;;
    teximage | map) options="--iterations 9 --texture-iterations 9" ;;
    clouds) options="--cloud-iterations 8" ;;
    *) options="" ;;
    esac
    # shellcheck disable=SC2086 # the options are words
    picture "type-$type" --type "$type" $options --size 480x320
done
picture martz-1997 martz-1997 --size 480x320
picture seeded jacksboro --size 480x320

# The passes, as in figures a to e of the article.
for step in a=0 b=0.5 c=1 d=1.5 e=2; do
    picture "pass-${step%=*}" passes --set "view.pass=${step#*=}" --size 480x270
done

# The window.
if command -v Xvfb >/dev/null && command -v xdotool >/dev/null && command -v import >/dev/null; then
    echo "$folder/window.png"
    settings=$(mktemp -d)
    display=:97
    Xvfb $display -screen 0 1280x720x24 >/dev/null 2>&1 &
    server=$!
    sleep 1
    DISPLAY=$display LANDFORM_CONFIG_DIR=$settings "$landform" view alpine --size 1280x720 &
    window=$!
    DISPLAY=$display xdotool search --sync --name Landform >/dev/null
    sleep 3
    DISPLAY=$display import -window root "$folder/window.png"
    kill $window $server
    rm -rf "$settings"
else
    echo "no Xvfb, xdotool or ImageMagick, so the picture of the window stays as it is" >&2
fi
