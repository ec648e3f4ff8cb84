"""Opens every exported format with programs that are not ours and checks size, orientation,
range and scale on an asymmetric map. Run by scripts/interop.sh, which installs what it needs.

usage: check.py path/to/landform
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import numpy as np
import tifffile
import trimesh
from PIL import Image

import programs

LANDFORM = Path(sys.argv[1]).resolve()
TILE_M = 3000.0
SCENE = ["--seed", "5", "--iterations", "6", "--set", f"surface.tile_size_m={TILE_M}"]


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def check_maps(folder, heights, metres):
    """Slope, aspect and hillshade as gdaldem has them, normals as NumPy's gradient has them."""
    dem = folder / "tiff.tif"
    inside = (slice(1, -1), slice(1, -1))  # gdaldem leaves the border out, or goes on straight
    azimuth, altitude = 250.0, 35.0
    light = ["--set", f"light.bearing={azimuth}", "--set", f"light.elevation={altitude}"]

    def ours(name, *words):
        file = folder / f"{name}.tif"
        run(LANDFORM, "generate", *SCENE, *words, "--map", name, "-o", file)
        return tifffile.imread(file).astype(np.float64)

    def gdaldem(name, *words):
        file = folder / f"gdal-{name}.tif"
        run("gdaldem", name, dem, file, "-q", *words)
        return tifffile.imread(file).astype(np.float64)

    apart = {}
    apart["slope"] = np.abs(ours("slope") - gdaldem("slope"))[inside]
    turn = np.abs(ours("aspect") - gdaldem("aspect"))[inside]
    apart["aspect"] = np.minimum(turn, 360 - turn)
    words = ["-az", str(azimuth), "-alt", str(altitude)]
    # gdaldem has whole numbers.
    apart["hillshade"] = np.abs(ours("hillshade", *light) - gdaldem("hillshade", *words))[inside]
    for name, most in [("slope", 2e-3), ("aspect", 2e-2), ("hillshade", 0.51)]:
        assert apart[name].max() <= most, f"{name} by gdaldem: {apart[name].max()}"
        print(f"gdaldem {name}: at most {apart[name].max():.2g} apart")

    # Row 0 is north, so slopes down the picture are southwards; one-sided at the border as ours
    # are of a map that does not wrap.
    free = ["--set", "surface.diamond_square.edges=free"]
    run(LANDFORM, "generate", *SCENE, *free, "-o", folder / "free.npy")
    land = np.load(folder / "free.npy").astype(np.float64)
    south, east = np.gradient(land, 2 / 64)
    normal = np.stack([-east, south, np.ones_like(east)], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    for name, turned in [("normal", 1), ("normal-dx", -1)]:
        run(LANDFORM, "generate", *SCENE, *free, "--map", name, "-o", folder / f"{name}.png")
        image = Image.open(folder / f"{name}.png")
        assert image.mode == "RGB" and image.size == (65, 65)
        decoded = np.asarray(image) / 255 * 2 - 1
        decoded[..., 1] *= turned
        assert np.abs(decoded - normal).max() <= 1.001 / 255, name

    # Masks sum to white.
    masks = ["--set", "view.palette=alpine", "--map", "splat", "-o", folder / "mask{band}.png"]
    run(LANDFORM, "generate", *SCENE, *masks)
    planes = [np.asarray(Image.open(folder / f"mask{band}.png")) for band in range(8)]
    assert (np.sum(planes, axis=0, dtype=np.int64) == 255).all()


def main(folder):
    formats = "npy png png8 r16 r32 tiff tiff16 exr asc obj ply stl glb".split()
    files = {}
    for name in formats:
        extension = {"png8": "png", "tiff": "tif", "tiff16": "tif"}.get(name, name)
        files[name] = folder / f"{name}.{extension}"
        run(LANDFORM, "generate", *SCENE, "--format", name, "-o", files[name])

    # NumPy is the reference: raw heights, row 0 north.
    heights = np.load(files["npy"])
    assert heights.shape == (65, 65) and heights.dtype == np.float32
    assert not np.allclose(heights, heights.T) and not np.allclose(heights, heights[::-1])
    low, high = float(heights.min()), float(heights.max())
    metres = (heights.astype(np.float64) * TILE_M / 2).astype(np.float32)

    def levels(top):
        return np.floor((heights.astype(np.float64) - low) * (top / (high - low)) + 0.5)

    assert np.array_equal(np.asarray(Image.open(files["png"])), levels(65535)), "Pillow, png"
    assert np.array_equal(np.asarray(Image.open(files["png8"])), levels(255)), "Pillow, png8"
    r16 = np.fromfile(files["r16"], "<u2").reshape(65, 65)
    assert np.array_equal(r16, levels(65535)), "r16"
    assert np.array_equal(np.fromfile(files["r32"], "<f4").reshape(65, 65), heights), "r32"
    assert np.array_equal(tifffile.imread(files["tiff"]), metres), "tifffile, float"
    assert np.array_equal(tifffile.imread(files["tiff16"]), levels(65535)), "tifffile, 16"

    # GDAL: geography.
    step = TILE_M / 64
    for name in ["tiff", "asc"]:
        info = json.loads(run("gdalinfo", "-json", "-mm", files[name]))
        assert info["size"] == [65, 65]
        # A sample is a point: pixels reach half a step beyond.
        wanted = [-step / 2, step, 0, TILE_M + step / 2, 0, -step]
        assert np.allclose(info["geoTransform"], wanted), info["geoTransform"]
        band = info["bands"][0]
        assert np.isclose(band["computedMin"], metres.min(), atol=1e-3)
        assert np.isclose(band["computedMax"], metres.max(), atol=1e-3)
        copy = folder / f"{name}-by-gdal.tif"
        run("gdal_translate", "-q", files[name], copy)
        assert np.array_equal(tifffile.imread(copy), metres), f"gdal_translate of {name}"

    # Tiles of a planet, joined by GDAL.
    for column in range(2):
        region = f"{1000 + 32 * column},2000,33,33"
        tile = folder / f"tile-{column}.tif"
        run(LANDFORM, "generate", "--iterations", "24", "--region", region, "-o", tile)
    run("gdalbuildvrt", "-q", folder / "all.vrt", folder / "tile-0.tif", folder / "tile-1.tif")
    run("gdal_translate", "-q", folder / "all.vrt", folder / "all.tif")
    both = folder / "both.tif"
    run(LANDFORM, "generate", "--iterations", "24", "--region", "1000,2000,65,33", "-o", both)
    assert np.array_equal(tifffile.imread(folder / "all.tif"), tifffile.imread(both)), "gdalbuildvrt"

    check_maps(folder, heights, metres)
    check_depth(folder)
    films(folder)
    scenes()
    # Height maps of other programs in: packed, tiled, big-endian, without data here and there.
    for options in [
        ["-co", "COMPRESS=LZW", "-co", "PREDICTOR=3"],
        ["-co", "COMPRESS=DEFLATE", "-co", "TILED=YES", "-co", "BLOCKXSIZE=32", "-co", "BLOCKYSIZE=32"],
        ["-co", "BIGTIFF=YES", "-co", "ENDIANNESS=BIG"],
        ["-ot", "Float64"],
        ["-of", "AAIGrid", "-co", "FORCE_CELLSIZE=YES"],
    ]:
        theirs = folder / ("theirs.asc" if "AAIGrid" in options else "theirs.tif")
        run("gdal_translate", "-q", *options, files["tiff"], theirs)
        run(LANDFORM, "generate", "--input", theirs, "-o", folder / "ours.npy")
        assert np.allclose(np.load(folder / "ours.npy"), heights, rtol=1e-6, atol=1e-6), options
    holes = folder / "holes.tif"
    run("gdal_translate", "-q", "-a_nodata", repr(float(metres[30, 40])), files["tiff"], holes)
    said = subprocess.run(
        [LANDFORM, "generate", "--input", holes, "-o", folder / "filled.npy"],
        check=True, capture_output=True, text=True,
    ).stderr
    assert said.startswith("warning: 1 of 4225 samples hold no data"), said
    filled = np.load(folder / "filled.npy")
    assert np.isnan(filled[30, 40]) and np.isnan(filled).sum() == 1, "no data goes out as no data"
    # Meshes have the heights that were filled from around it.
    run(LANDFORM, "generate", "--input", holes, "-o", folder / "mesh.ply")
    assert len(trimesh.load(folder / "mesh.ply", force="mesh", process=False).vertices) == 4225
    cog = folder / "cog.tif"
    run(LANDFORM, "generate", *SCENE, "--format", "cog", "-o", cog)
    assert "LAYOUT=COG" in run("gdalinfo", cog), "a cloud-optimised GeoTIFF"
    run("gdal_translate", "-q", cog, folder / "unpacked.tif")
    assert np.allclose(tifffile.imread(folder / "unpacked.tif"), metres, rtol=1e-6), "cog"
    for name in ["placed.asc", "placed.png"]:
        run(LANDFORM, "generate", *SCENE, "--crs", "EPSG:2056", "--origin", "2600000,1200000", "-o", folder / name)
        said = run("gdalinfo", folder / name)
        assert "Pixel Size = (46.875" in said, said
        # GDAL reads the system of a picture from a file of its own; QGIS reads this one.
        assert "LV95" in (said if name.endswith("asc") else (folder / "placed.prj").read_text()), said

    meshes(folder, files, heights)
    programs.gltf(sorted(folder.glob("*.glb")))
    blender(folder, heights)
    print("NumPy, Pillow, tifffile, GDAL and trimesh agree with every format and map")


def meshes(folder, files, heights):
    low, high = float(heights.min()), float(heights.max())
    for detail in [[], ["--error", "20"], ["--triangles", "999"]]:
        for name in "obj ply stl glb".split() if detail else []:
            files[name] = folder / f"fewer{detail[0]} {detail[1]}.{name}"
            run(LANDFORM, "generate", *SCENE, *detail, "-o", files[name])
        counts = set()
        block = trimesh.load(files["stl"], force="mesh")
        assert block.is_watertight and block.is_winding_consistent and block.volume > 0
        assert np.allclose(block.bounds[:, :2], [[-50, -50], [50, 50]])
        if not detail:
            assert np.allclose(block.bounds[:, 2], [0, 3 + (high - low) * 50], atol=1e-4)
            # The prism below each triangle of the map, and the base.
            corners = heights[:-1, 1:], heights[1:, :-1], heights[:-1, :-1], heights[1:, 1:]
            mean = sum(c.astype(float).mean() * w for c, w in zip(corners, [2, 2, 1, 1])) / 6
            assert np.isclose(block.volume, 1e4 * (3 + (mean - low) * 50), rtol=1e-4)
        base = (np.abs(block.triangles[:, :, 2]) < 1e-6).all(axis=1)
        assert base.sum() == 2, "triangles of the base"
        counts.add(int((block.face_normals[:, 2] > 1e-6).sum()))
        for name, unit in [("obj", 1.0), ("ply", TILE_M / 2), ("glb", TILE_M / 2)]:
            mesh = trimesh.load(files[name], force="mesh", process=False)
            if name == "ply":
                assert mesh.visual.kind == "vertex" and len(set(map(tuple, mesh.visual.vertex_colors))) > 2
                # z is up; turned so that y is, as in the others.
                mesh.apply_transform(trimesh.transformations.rotation_matrix(-np.pi / 2, [1, 0, 0]))
            counts.add(len(mesh.faces))
            if not detail:
                wanted = np.array([[-1, low, -1], [1, high, 1]]) * unit
                assert np.allclose(mesh.bounds, wanted, rtol=1e-5), (name, mesh.bounds)
                # North is -z: the sample at row 3, column 50.
                corner = np.array([-1 + 50 / 32, heights[3, 50], -1 + 3 / 32]) * unit
                distance = np.linalg.norm(mesh.vertices - corner, axis=1).min()
                assert distance < 1e-3 * unit, (name, distance)
            assert (mesh.face_normals[:, 1] > 0).all(), f"{name}: faces look up"
            # Every vertex is a sample, at its place.
            places = np.round((mesh.vertices[:, [2, 0]] / unit + 1) * 32).astype(int)
            there = heights[places[:, 0], places[:, 1]]
            assert np.allclose(mesh.vertices[:, 1] / unit, there, atol=1e-5), name
            if name in ["obj", "glb"]:
                material = mesh.visual.material
                image = getattr(material, "baseColorTexture", None) or material.image
                assert image.size == (257, 257), (name, image.size)
                assert len(mesh.visual.uv) == len(mesh.vertices)
                # The highest vertex has the colours' other end than the lowest.
                x, y = (mesh.visual.uv[mesh.vertices[:, 1].argmax()] * 257).astype(int)
                assert 0 <= x < 257 and 0 <= y < 257
        assert len(counts) == 1, counts
        if detail and detail[0] == "--triangles":
            assert counts <= {998, 999}, counts
        if detail and detail[0] == "--error":
            far = distance_from(mesh, heights)
            assert far <= 20 + 1e-3, far


def distance_from(mesh, heights):
    """The largest vertical distance of a sample from a mesh in metres."""
    step = TILE_M / 64
    far = 0.0
    rows, columns = np.mgrid[0:65, 0:65]
    points = np.stack([columns.ravel() * step - TILE_M / 2, rows.ravel() * step - TILE_M / 2], 1)
    wanted = heights.ravel().astype(float) * TILE_M / 2
    for a, b, c in mesh.triangles:
        flat = np.array([[b[0] - a[0], c[0] - a[0]], [b[2] - a[2], c[2] - a[2]]])
        u, v = np.linalg.solve(flat, (points - [a[0], a[2]]).T)
        inside = (u > -1e-6) & (v > -1e-6) & (u + v < 1 + 1e-6)
        surface = a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1])
        far = max(far, np.abs(surface - wanted)[inside].max(initial=0.0))
    return far


def check_depth(folder):
    """A region of level 41: NumPy has 64 bits, GDAL offset and numbers that make the same metres."""
    files = [folder / f"deep.{kind}" for kind in ["npy", "tif", "png"]]
    outputs = [word for file in files for word in ["-o", file]]
    region = ["--levels", "35", "--region", "999999999999,555555555555,33,17"]
    run(LANDFORM, "generate", *SCENE, *region, *outputs)
    exact = np.load(files[0])
    assert exact.dtype == np.float64 and exact.shape == (17, 33)
    assert len(np.unique(exact)) > 17 * 33 * 0.99
    metres = exact * TILE_M / 2
    band = json.loads(run("gdalinfo", "-json", files[1]))["bands"][0]
    assert band["scale"] == 1.0, band
    above = tifffile.imread(files[1]).astype(np.float64)
    apart = np.abs(band["offset"] + above - metres).max()
    # Rounded to 32 bits twice, as half tiles above the base and as metres above the offset.
    most = np.abs(above).max() * 2.0**-23 + 2 * np.spacing(np.abs(metres).max())
    assert apart <= most, (apart, most)
    assert np.ptp(above) > 0 and np.allclose(np.ptp(above), np.ptp(metres), rtol=1e-3)
    steps = np.asarray(Image.open(files[2])).astype(np.float64)
    assert (steps.min(), steps.max()) == (0, 65535)
    fit = np.corrcoef(steps.ravel(), exact.ravel())[0, 1]
    assert fit > 0.999999, fit
    print(f"NumPy, GDAL and Pillow agree at level 41: {apart:.2g} m apart")


def films(folder):
    """A film of six pictures, as Pillow and, where it is, ffmpeg read it."""
    film = [LANDFORM, "film", "hill", "--like", "turntable", "--seconds", "0.6", "--fps", "10"]
    film += ["--iterations", "6", "--size", "96x64"]
    run(*film, "-o", f"{folder}/p-####.png")
    pictures = [
        np.asarray(Image.open(f"{folder}/p-{number:04}.png").convert("RGB"))
        for number in range(1, 7)
    ]
    assert any((pictures[0] != other).any() for other in pictures), "nothing moves"
    for end, most in [("png", 0), ("gif", 60)]:
        run(*film, "-o", f"{folder}/film.{end}")
        with Image.open(f"{folder}/film.{end}") as opened:
            assert opened.size == (96, 64) and opened.n_frames == 6, f"Pillow, {end}"
            for index, picture in enumerate(pictures):
                opened.seek(index)
                assert abs(opened.info["duration"] - 100) < 1, f"Pillow, {end}: time"
                seen = np.asarray(opened.convert("RGB")).astype(int)
                off = np.abs(seen - picture)
                # A GIF has 256 colours a picture.
                assert off.max() <= most and off.mean() <= most / 10, f"Pillow, {end}"
    readers = "Pillow"
    if shutil.which("ffmpeg") and shutil.which("ffprobe"):
        for end in ["mp4", "webm"]:
            run(*film, "-o", f"{folder}/film.{end}")
            count = subprocess.run(
                ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0"]
                + ["-show_entries", "stream=nb_read_frames,width,height", "-of", "csv=p=0"]
                + [f"{folder}/film.{end}"],
                check=True,
                capture_output=True,
                text=True,
            )
            assert count.stdout.strip().split(",") == ["96", "64", "6"], count.stdout
        readers += " and ffmpeg"
    print(f"{readers} agree with films")


def scenes():
    """Every preset as text, as Python's own reader of TOML reads it."""
    names = [line.split()[0] for line in run(LANDFORM, "list", "presets").splitlines()]
    assert len(names) > 20, names
    for name in names:
        texts = [run(LANDFORM, "scene", name, *more) for more in ([], ["--all"])]
        short, whole = map(tomllib.loads, texts)

        def same(part, of):
            return all(
                same(value, of[key]) if isinstance(value, dict) else value == of[key]
                for key, value in part.items()
            )

        assert same(short, whole), name
    print("Python reads every scene that is printed")


def blender(folder, heights):
    """Blender, where it is installed."""
    files = [folder / f"for blender.{name}" for name in "obj ply stl glb".split()]
    outputs = [word for file in files for word in ["-o", file]]
    run(LANDFORM, "generate", *SCENE, "--error", "20", *outputs)
    reports = programs.blender(files)
    if reports is None:
        return
    reports = {Path(name).suffix: report for name, report in reports.items()}
    assert reports[".obj"]["triangles"] == reports[".glb"]["triangles"]
    for kind, unit in [(".obj", 1.0), (".ply", TILE_M / 2), (".glb", TILE_M / 2), (".stl", 50.0)]:
        low, high = np.array(reports[kind]["box"])
        # Blender's z is up.
        assert np.allclose([low[:2], high[:2]], [[-unit] * 2, [unit] * 2], rtol=1e-4), kind
        assert high[2] > low[2]
        if kind in [".ply", ".glb"]:
            rise = np.ptp(heights.astype(float)) * unit
            assert abs(high[2] - low[2] - rise) <= 40, f"{kind} lies on its side"
    for kind in [".obj", ".glb"]:
        assert [257, 257] in reports[kind]["images"], reports[kind]
    print("Blender agrees with obj, ply, stl and glb")


with tempfile.TemporaryDirectory() as place:
    main(Path(place))
