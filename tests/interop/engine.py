"""Opens the folders for engines with programs that are not ours, and turns their numbers into metres as the
engine does with the numbers to enter: the same heights and the same level of the sea as in a GeoTIFF, and masks
that add up. Run by scripts/interop.sh, which installs what it needs.

usage: engine.py path/to/landform [path/to/the program made of tinyexr.cc]
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

LANDFORM = Path(sys.argv[1]).resolve()
TINYEXR = sys.argv[2] if len(sys.argv) > 2 else None
SEA_M = -50.0
SCENE = [
    "--seed", "3", "--iterations", "8", "--set", "water.enabled=true", "--set", "water.level=-0.05",
    "--set", "plants.0.kind=spruce", "--set", "plants.0.density=0.1",
]  # fmt: skip
METRES = {"metres": 1.0, "centimetres": 0.01}


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def gdal(path, shape):
    """The values of a picture, by GDAL."""
    raw = path.with_name(path.name + ".raw")
    run("gdal_translate", "-q", "-ot", "Float32", "-of", "ENVI", path, raw)
    return np.fromfile(raw, "<f4").reshape(shape)


def values(folder, content, shape):
    """The numbers of a file of the folder, northern row first."""
    path = folder / content["file"]
    if content["format"] == "r16":
        found = np.fromfile(path, "<u2").reshape(shape).astype(float)
    elif content["format"] == "exr":
        done = subprocess.run([TINYEXR, path], check=True, capture_output=True)
        found = np.frombuffer(done.stdout, "<f4").reshape(shape).astype(float)
    else:
        found = gdal(path, shape).astype(float)
    return found if content["first_row"] == "north" else found[::-1]


def in_unreal(enter, values):
    return (values - 32768) / 128 * enter["Scale Z"] + enter["Location Z"]


def in_unity(enter, values):
    return values / 65535 * enter["Terrain Height"] + enter["Position Y"]


def in_godot(enter, values):
    low, high = enter["R16 Range from"], enter["R16 Range to"]
    return low + values / 65535 * (high - low)


def in_blender(enter, values):
    return (values - enter["Midlevel"]) * enter["Strength"] + enter["Location Z"]


ENGINES = {"unreal": in_unreal, "unity": in_unity, "godot": in_godot, "blender": in_blender}


def check(folder, engine, on_axis):
    run(LANDFORM, "generate", *SCENE, "--for", engine, "-o", folder)
    said = json.loads((folder / "landform.json").read_text())
    shape = (said["height"], said["width"])
    missing = [c["file"] for c in said["contents"] if not (folder / c["file"]).is_file()]
    assert not missing, missing

    # Within half a step of the file.
    geotiff = folder / "heights.tif"
    size = ["--samples", str(shape[0]), "--levels", str(said["refined_by_levels"])]
    run(LANDFORM, "generate", *SCENE, *size, "-o", geotiff)
    wanted = gdal(geotiff, shape)
    unit = METRES[said["axes"]["unit"]]
    content = next(c for c in said["contents"] if c["content"] == "heights")
    heights = on_axis(said["enter"], values(folder, content, shape)) * unit
    step = (wanted.max() - wanted.min()) / 65535
    far = np.abs(heights - wanted).max()
    assert far <= 0.51 * step, f"{engine}: {far} m, at steps of {step} m"

    sea = said["water"]["sea_level_on_axis"]
    assert abs(sea["at"] * METRES[sea["unit"]] - SEA_M) < 1e-3, sea
    surface = {**content, "file": said["water"]["surface"]["file"]}
    surface = on_axis(said["enter"], values(folder, surface, shape)) * unit
    is_wet = heights < SEA_M - step
    assert is_wet.any() and np.abs(surface[is_wet] - SEA_M).max() <= 0.51 * step

    masks = [c for c in said["contents"] if c["content"] == "mask"]
    total = np.zeros(shape)
    for mask in masks:
        seen = np.asarray(Image.open(folder / mask["file"]), float)
        assert seen.shape == shape, mask
        assert abs(seen.mean() / 255 - mask["share"]) < 1e-4, mask
        total += seen * mask["sums_to_255_with_others"]
    assert (total == 255).all(), f"{engine}: masks of {total.min()} to {total.max()}"
    print(f"{engine}: heights and sea within {far / step:.2f} steps, {len(masks)} masks")


with tempfile.TemporaryDirectory() as place:
    for name, on_axis in ENGINES.items():
        if name == "blender" and not TINYEXR:
            print("no tinyexr here: heights for Blender not checked")
            continue
        check(Path(place) / name, name, on_axis)
