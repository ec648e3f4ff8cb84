#!/bin/sh
# Renders every picture of the README and the book: `gallery.sh path/to/landform folder`.
# Photographs need ImageMagick, the animation ffmpeg with libwebp, pictures of the window Xvfb and
# xdotool too; the others need no display.
set -eu

scripts=$(dirname "$0")
landform=$1
folder=$2
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

picture() {
    name=$1
    shift
    echo "$folder/$name.png"
    "$landform" render "$@" --force -o "$folder/$name.png"
}

# A preset as a photograph of 3840x2160 pixels, and a small one that stands for it.
photo() {
    echo "$folder/photo-$1.jpg"
    "$landform" render "$1" --size 3840x2160 --samples-per-pixel 4 -o "$work/$1.png"
    convert "$work/$1.png" -strip -sampling-factor 4:2:0 -quality 92 "$folder/photo-$1.jpg"
    convert "$work/$1.png" -strip -resize 640x360 -quality 88 "$folder/photo-$1-small.jpg"
    rm "$work/$1.png"
}

picture hero alpine --size 1600x720

if "$scripts/imagemagick.sh"; then
    for preset in alpine river-valley canyon fjord badlands volcano old-hills alpine-dawn \
        island-noon desert-mesas foggy-hills moonlit-lake karakoram-snow \
        dolomites granite-domes scree-valley basalt-coast slate-quarry; do
        photo $preset
    done
else
    echo "no ImageMagick, so the photographs stay as they are" >&2
fi

# The animation of the README: three seconds of flight, 60 frames of 480x270 as PNG, packed into an
# animated WebP, which is a fifth as large as a GIF and has all colours. The scene with its camera
# path is assets/gallery/flight.toml.
if command -v ffmpeg >/dev/null; then
    echo "$folder/flight.webp"
    "$landform" film "$scripts/../assets/gallery/flight.toml" --size 480x270 --samples-per-pixel 4 \
        -o "$work/flight/"
    ffmpeg -v error -y -framerate 20 -i "$work/flight/frame-%04d.png" -c:v libwebp_anim \
        -quality 82 -compression_level 6 -loop 0 "$folder/flight.webp"
else
    echo "no ffmpeg, so the animation stays as it is" >&2
fi

# The render types.
ground="--seed 42 --iterations 10 --h 0.88 --height-scale 0.45 --set light.ambient=0.35"
picture type-1d --type 1d --iterations 9 --h 0.85 --height-scale 0.6 --seed 6 --size 480x320
picture type-lines wireframe --size 480x320
# shellcheck disable=SC2086 # the options are words
picture type-triangles --type triangles $ground --camera 30,32,2.7 --size 480x320
# shellcheck disable=SC2086
picture type-teximage --type teximage $ground --texture-iterations 10 --texture-h 0.88 --size 480x320
picture type-clouds --type clouds --cloud-iterations 8 --size 480x320
picture type-landscape alpine --size 480x320
picture type-landscape-water alpine --set water.enabled=true --set water.level=0.02 \
    --set water.color=glacier --size 480x320
picture type-sky alpine --type sky --camera 270,26,1 --set camera.fov=50 --set light.bearing=180 \
    --set light.elevation=5 --size 480x320
picture type-rendered quick-start --size 480x320
# shellcheck disable=SC2086
picture type-map --type map $ground --size 480x320
picture martz-1997 martz-1997 --size 480x320
picture powers-of-ten powers-of-ten --contact-sheet 4x3 --size 320x180 --set \
    camera.distance=20,6,2,0.2,2e-2,2e-3,2e-4,2e-5,2e-6,2e-7,2e-8,2e-9
picture seeded jacksboro --size 480x320

# The analysis.
ground="hill --type map --palette atlas"
contours="--set analysis.contours=true --set analysis.hillshade=true"
section="--set section.from=[-0.9,-0.3] --set section.to=[0.85,-0.1]"
# shellcheck disable=SC2086
picture analysis-contours $ground $contours --size 480x480
# shellcheck disable=SC2086
picture analysis-slope $ground --set analysis.color=slope $section --size 480x480
# shellcheck disable=SC2086
picture analysis-aspect $ground --set analysis.color=aspect --set analysis.hillshade=true \
    --size 480x480

# The generators and modifiers that have a preset of their name.
for kind in generator modifier; do
    for preset in "$scripts/../assets/presets/${kind}s"/*.toml; do
        preset=$(basename "$preset" .toml)
        picture "$kind-$preset" "$preset" --size 360x240
    done
done
for rock in limestone granite sandstone slate basalt clay; do
    picture rock-$rock alpine --set rock.kind=$rock --set snow.enabled=false --set camera.distance=0.45 --size 360x240
done
picture layers-craters craters --size 480x320
picture pins caldera --size 480x320
picture layers-faulted faulted --size 480x320

echo "$folder/contact-sheet.png"
"$landform" render erosion --contact-sheet 5x4 --size 240x135 -o "$folder/contact-sheet.png" --force

# The passes, as in figures a to e of the article.
for step in a=0 b=0.5 c=1 d=1.5 e=2; do
    picture "pass-${step%=*}" passes --pass "${step#*=}" --size 480x270
done

# The window.
if command -v Xvfb >/dev/null && command -v xdotool >/dev/null && "$scripts/imagemagick.sh"; then
    echo "$folder/window.png"
    settings=$work/settings
    mkdir "$settings"
    display=:97
    Xvfb $display -noreset -screen 0 1280x720x24 >/dev/null 2>&1 &
    server=$!
    sleep 1
    DISPLAY=$display LANDFORM_CONFIG_DIR=$settings "$landform" view alpine --size 1280x720 &
    window=$!
    DISPLAY=$display xdotool search --sync --name Landform >/dev/null
    # Until the landscape is complete.
    sleep 10
    DISPLAY=$display import -window root "$folder/window.png"
    echo "$folder/statistics.png"
    DISPLAY=$display xdotool search --name Landform windowfocus --sync key F3
    sleep 3
    DISPLAY=$display import -window root "$folder/statistics.png"
    echo "$folder/export.png"
    DISPLAY=$display xdotool search --name Landform windowfocus --sync key F3 key ctrl+e
    sleep 2
    # For: Unreal.
    DISPLAY=$display xdotool mousemove 850 82 click 1
    sleep 1
    DISPLAY=$display xdotool mousemove 850 132 click 1 mousemove 400 600
    sleep 3
    DISPLAY=$display import -window root "$folder/export.png"
    kill $window
    wait $window || true
    echo "$folder/analysis-section.png"
    # shellcheck disable=SC2086
    DISPLAY=$display LANDFORM_CONFIG_DIR=$settings/section "$landform" view $ground $contours \
        $section --size 1280x720 &
    window=$!
    DISPLAY=$display xdotool search --sync --name Landform >/dev/null
    sleep 3
    DISPLAY=$display import -window root "$folder/analysis-section.png"
    kill $window $server
else
    echo "no Xvfb, xdotool or ImageMagick, so the pictures of the window stay as they are" >&2
fi
