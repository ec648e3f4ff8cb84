"""Programs that once read our files wrongly, or were read wrongly by us: tinyexr, GRASS, SAGA,
GDAL and ImageMagick as editors of our files, and a map that lies at 49 degrees north. Run by
scripts/interop.sh, which installs what it needs. Every check is made; those that fail are named
at the end.

usage: others.py path/to/landform [path/to/the program made of tinyexr.cc]
"""

import gettext
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

import numpy as np
import tifffile
import trimesh
from PIL import Image

LANDFORM = Path(sys.argv[1]).resolve()
TINYEXR = sys.argv[2] if len(sys.argv) > 2 else None
SCENE = ["--seed", "5", "--iterations", "6", "--set", "surface.tile_size_m=3000"]


class Skipped(Exception):
    """A program is not here."""


def run(*words, **more):
    """Standard output of a program, which must succeed."""
    done = subprocess.run(words, capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{words}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def need(program):
    if not shutil.which(program):
        raise Skipped(f"no {program} here")


def generate(*words):
    run(LANDFORM, "generate", *words)


def heights(folder, *words):
    """The heights of a scene or a file, as Landform has them."""
    generate(*words, "-o", folder / "heights.npy")
    return np.load(folder / "heights.npy")


def wide_image(folder):
    """An image of 120 x 91 pixels that is another one however it is turned."""
    y, x = np.mgrid[0:91, 0:120]
    values = (2000 + 9 * x + 3 * y + 500 * np.sin(x / 9.0) * np.cos(y / 14.0)).astype("<u2")
    file = folder / "wide.png"
    Image.fromarray(values).save(file)
    return file, values


def tinyexr(folder):
    if not TINYEXR:
        raise Skipped("no tinyexr here")
    image, _ = wide_image(folder)
    for name, words in {
        "small": SCENE,
        "many blocks": ["--seed", "5", "--iterations", "8"],
        "wide": ["--input", image],
        "flipped": [*SCENE, "--flip"],
        "a map of slopes": [*SCENE, "--map", "slope"],
    }.items():
        exr, npy = folder / "map.exr", folder / "map.npy"
        generate(*words, "-o", exr, "-o", npy)
        done = subprocess.run([TINYEXR, exr], capture_output=True)
        assert done.returncode == 0, done.stderr
        width, height = map(int, done.stderr.split())
        read = np.frombuffer(done.stdout, "<f4").reshape(height, width)
        assert np.array_equal(read, np.load(npy)), f"{name}: other heights"


def into_grass(folder, tif, place):
    """What GRASS says of a file that it imports into a location made of `place`."""
    location = folder / "location"
    run("grass", "-e", "-c", place, location)
    # GRASS says that something is wrong and goes on; a map must come of it.
    text = run("grass", location / "PERMANENT", "--exec", "sh", "-c",
               f"r.in.gdal --quiet input={tif} output=land && r.info -gr map=land")
    told = dict(line.split("=") for line in text.splitlines() if "=" in line)
    metres = tifffile.imread(tif)
    assert [told["rows"], told["cols"]] == ["65", "65"], told
    assert math.isclose(float(told["ewres"]), 3000 / 64, rel_tol=1e-9), told
    assert math.isclose(float(told["min"]), metres.min(), rel_tol=1e-6), told
    assert math.isclose(float(told["max"]), metres.max(), rel_tol=1e-6), told
    return told


def grass(folder):
    """A file that says nothing of the earth, into a location that knows nothing of it."""
    need("grass")
    tif = folder / "land.tif"
    generate(*SCENE, "-o", tif)
    into_grass(folder, tif, "XY")


def grass_on_the_earth(folder):
    """A file with coordinates, into the location that they make."""
    need("grass")
    tif = folder / "land.tif"
    generate(*SCENE, "--crs", "EPSG:32632", "--origin", "500000,5427000", "-o", tif)
    told = into_grass(folder, tif, tif)
    assert abs(float(told["west"]) - 500000) < 3000 / 64, told


def saga(folder):
    need("saga_cmd")
    asc, tif = folder / "land.asc", folder / "land.tif"
    generate(*SCENE, "-o", asc, "-o", tif)
    metres = tifffile.imread(tif)
    grid = folder / "saga.sgrd"
    run("saga_cmd", "-f=s", "io_grid", "1", "-FILE", asc, "-GRID", grid)
    lines = (line.split("\t=") for line in grid.read_text().splitlines() if "\t=" in line)
    told = {key.strip(): value.strip() for key, value in lines}
    assert [told["CELLCOUNT_X"], told["CELLCOUNT_Y"]] == ["65", "65"], told
    assert math.isclose(float(told["CELLSIZE"]), 3000 / 64, rel_tol=1e-6), told
    # The first sample is a point at 0, whatever its cell reaches over.
    assert abs(float(told["POSITION_XMIN"])) < 1e-6, told
    assert abs(float(told["POSITION_YMIN"])) < 1e-6, told
    assert told["DATAFORMAT"] in ("FLOAT", "DOUBLE"), told
    kind = {"FLOAT": "<f4", "DOUBLE": "<f8"}[told["DATAFORMAT"]]
    values = np.fromfile(grid.with_suffix(".sdat"), kind).reshape(65, 65)
    if told.get("TOPTOBOTTOM", "FALSE") != "TRUE":
        values = values[::-1]
    assert np.allclose(values, metres, rtol=1e-5, atol=1e-2), "other heights"


def edited(folder, name, wanted):
    """A file that another program has changed stands for what it holds now."""
    found = heights(folder, folder / name).astype(np.float64)
    assert found.shape == wanted.shape, f"{name}: {found.shape}, not {wanted.shape}"
    alike = np.corrcoef(found.ravel(), wanted.astype(np.float64).ravel())[0, 1]
    assert alike > 0.9999, f"{name}: correlation {alike}"
    # The statistics are of the same heights.
    told = json.loads(run(LANDFORM, "stats", folder / name, "--json"))
    assert [told["height"], told["width"]] == list(wanted.shape), (name, told)


def edited_by_gdal(folder):
    files = {"tiff": "a.tif", "tiff16": "b.tif", "png": "c.png", "asc": "d.asc"}
    for kind, name in files.items():
        generate(*SCENE, "--format", kind, "-o", folder / name)
        whole = heights(folder, folder / name)
        for words, of in [
            (["-srcwin", "3", "5", "20", "20"], lambda map: map[5:25, 3:23]),
            (["-scale", "0", "65535", "65535", "0"], lambda map: -map),
        ]:
            driver = {"c.png": "PNG", "d.asc": "AAIGrid"}.get(name, "GTiff")
            if driver == "AAIGrid" and words[0] == "-scale":
                continue
            out = f"edited{words[0]}-{name}"
            run("gdal_translate", "-q", "-of", driver, *words, folder / name, folder / out)
            edited(folder, out, of(whole))


def edited_by_imagemagick(folder):
    # The folder of this file is two below the scripts'.
    if subprocess.run([Path(__file__).parents[2] / "scripts/imagemagick.sh"]).returncode != 0:
        raise Skipped("no ImageMagick here")
    for kind, name in {"png": "c.png", "tiff16": "b.tif"}.items():
        generate(*SCENE, "--format", kind, "-o", folder / name)
        whole = heights(folder, folder / name)
        for words, of in [
            (["-crop", "20x30+3+5", "+repage"], lambda map: map[5:35, 3:23]),
            (["-negate"], lambda map: -map),
            (["-flip"], lambda map: map[::-1]),
        ]:
            out = f"magick-{words[0][1:]}-{name}"
            run("convert", folder / name, *words, "-depth", "16", folder / out)
            edited(folder, out, of(whole))


def edited_by_pillow(folder):
    generate(*SCENE, "-o", folder / "c.png")
    whole = heights(folder, folder / "c.png")
    with Image.open(folder / "c.png") as image:
        kept = image.info
        part = image.crop((3, 5, 33, 25))
        from PIL.PngImagePlugin import PngInfo
        words = PngInfo()
        for key, value in kept.items():
            if isinstance(value, str):
                words.add_itxt(key, value)
        part.save(folder / "pillow.png", pnginfo=words)
    edited(folder, "pillow.png", whole[5:25, 3:33])


def at_49_north(folder):
    """A map of 120 x 91 samples, a 1200th of a degree each, around 49 degrees north."""
    _, values = wide_image(folder)
    tifffile.imwrite(folder / "plain.tif", values.astype("<f4") / 4)
    west, north, step = 8.0, 49.0 + 91 / 2400, 1 / 1200
    run("gdal_translate", "-q", "-a_srs", "EPSG:4326", "-a_ullr",
        *map(repr, [west, north, west + 120 * step, north - 91 * step]),
        folder / "plain.tif", folder / "degrees.tif")
    # Metres of a degree on the ellipsoid of WGS 84.
    middle = math.radians(49)
    east_m = 111412.84 * math.cos(middle) - 93.5 * math.cos(3 * middle)
    north_m = 111132.92 - 559.82 * math.cos(2 * middle)
    wide_m, deep_m = 119 * step * east_m, 90 * step * north_m
    ours = folder / "ours.tif"
    mesh = folder / "ours.ply"
    generate("--input", folder / "degrees.tif", "-o", ours, "-o", mesh)
    info = json.loads(run("gdalinfo", "-json", ours))
    columns, rows = info["size"]
    _, dx, _, _, _, dy = info["geoTransform"]
    across, down = abs(dx) * (columns - 1), abs(dy) * (rows - 1)
    if "GEOGC" in info.get("coordinateSystem", {}).get("wkt", ""):
        across, down = across * east_m, down * north_m
    assert abs(across / wide_m - 1) < 0.005, f"{across} m wide, not {wide_m}"
    assert abs(down / deep_m - 1) < 0.005, f"{down} m deep, not {deep_m}"
    box = np.ptp(trimesh.load(mesh, process=False).bounds, axis=0)
    assert abs(box[0] / wide_m - 1) < 0.005, f"the mesh is {box[0]} m wide, not {wide_m}"
    assert abs(box[1] / deep_m - 1) < 0.005, f"the mesh is {box[1]} m deep, not {deep_m}"
    high = np.ptp(values.astype(np.float64) / 4)
    assert abs(box[2] / high - 1) < 0.005, f"the mesh is {box[2]} m high, not {high}"


def packed_by_gdal(folder):
    tif = folder / "land.tif"
    generate(*SCENE, "-o", tif)
    wanted = heights(folder, *SCENE)
    # The recipe is left out, so that the heights are read.
    run("gdal_translate", "-q", "-mo", "TIFFTAG_IMAGEDESCRIPTION=", tif, folder / "bare.tif")
    for words in [["ZSTD"], ["ZSTD", "-co", "PREDICTOR=3"], ["ZSTD", "-co", "TILED=YES"],
                  ["LERC"], ["LERC_DEFLATE"], ["LERC_ZSTD", "-co", "TILED=YES"],
                  ["LERC", "-ot", "Float64"]]:
        packed = folder / "packed.tif"
        done = subprocess.run(
            ["gdal_translate", "-q", "-co", f"COMPRESS={words[0]}", *words[1:],
             folder / "bare.tif", packed], capture_output=True, text=True)
        if done.returncode:
            raise Skipped(f"this GDAL does not pack with {words[0]}")
        found = heights(folder, "--input", packed)
        assert np.allclose(found, wanted, rtol=1e-6, atol=1e-6), words


def netcdf_of_gdal(folder):
    """A GeoTIFF and the netCDF that GDAL makes of it are the same map."""
    if "netCDF" not in run("gdalinfo", "--formats"):
        raise Skipped("this GDAL writes no netCDF")
    _, values = wide_image(folder)
    tifffile.imwrite(folder / "plain.tif", values.astype("<i2"))
    for name, system, corners in [
        ("degrees", "EPSG:4326", [8.0, 49.1, 8.1, 49.1 - 0.1 * 91 / 120]),
        ("metres", "EPSG:32632", [500000, 5427000, 503600, 5427000 - 30 * 91]),
    ]:
        tif = folder / f"{name}.tif"
        run("gdal_translate", "-q", "-a_srs", system, "-a_nodata", "-32768", "-a_ullr",
            *map(repr, corners), folder / "plain.tif", tif)
        wanted = heights(folder, "--input", tif)
        for kind in ["NC", "NC2", "NC4", "NC4C"]:
            nc = folder / f"{name}-{kind}.nc"
            packed = ["-co", "COMPRESS=DEFLATE"] if kind.startswith("NC4") else []
            run("gdal_translate", "-q", "-of", "netCDF", "-co", f"FORMAT={kind}", *packed, tif, nc)
            found = heights(folder, "--input", nc)
            assert found.shape == wanted.shape, (nc.name, found.shape, wanted.shape)
            assert np.allclose(found, wanted, rtol=1e-4, atol=1e-5), nc.name
            generate("--input", nc, "-o", folder / "again.tif")
            code = json.loads(run("gdalinfo", "-json", folder / "again.tif"))
            assert system[5:] in code["coordinateSystem"]["wkt"], nc.name


def netcdf_of_python(folder):
    """Elevations as GEBCO hands them out, written by netCDF's own library."""
    try:
        import netCDF4
    except ImportError:
        raise Skipped("no netCDF4 for this Python")
    _, values = wide_image(folder)
    for kind in ["NETCDF4", "NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET"]:
        file = netCDF4.Dataset(folder / "gebco.nc", "w", format=kind)
        for name, count, first, unit in [("lat", 91, 49.0, "degrees_north"),
                                         ("lon", 120, 8.0, "degrees_east")]:
            file.createDimension(name, count)
            axis = file.createVariable(name, "f8", (name,))
            axis.units = unit
            axis[:] = first + (np.arange(count) + 0.5) / 240
        map = file.createVariable("elevation", "i2", ("lat", "lon"), fill_value=-32767)
        map.units, map.scale_factor, map.add_offset = "m", 0.5, 100.0
        map[:] = values[::-1] * 0.5 + 100.0
        file.close()
        metres = heights(folder, "--input", folder / "gebco.nc") * 1000.0
        told = json.loads(run(LANDFORM, "generate", "--input", folder / "gebco.nc", "--json",
                              "-o", folder / "again.npy"))
        assert math.isclose(told["min_m"], values.min() * 0.5 + 100, rel_tol=1e-3), told
        assert math.isclose(told["max_m"], values.max() * 0.5 + 100, rel_tol=1e-3), told
        # North is at the top: heights rise to the south.
        assert metres[0].mean() < metres[-1].mean(), kind


def gdal_asc(folder, name, cell, *words):
    """A grid of 81 x 61 heights from 200 to 799, by GDAL."""
    values = np.linspace(200, 799, 81 * 61).reshape(61, 81)
    text = "ncols 81\nnrows 61\nxllcorner 8\nyllcorner 49\n" + f"cellsize {cell}\n"
    (folder / "raw.asc").write_text(text + "\n".join(" ".join(map(str, row)) for row in values))
    run("gdal_translate", "-q", *words, folder / "raw.asc", folder / name)
    return folder / name


def feet(folder):
    """What comes in as feet goes out as metres that do not claim to be feet."""
    source = gdal_asc(folder, "feet.tif", 10, "-a_srs", "EPSG:2263+6360")
    ours = folder / "ours.tif"
    generate(source, "-o", ours)
    source.unlink()
    info = json.loads(run("gdalinfo", "-json", "-stats", ours))
    assert "VERT" not in info["coordinateSystem"]["wkt"].upper(), info["coordinateSystem"]
    band = info["bands"][0]
    foot = 1200 / 3937
    assert abs(band["minimum"] / (200 * foot) - 1) < 1e-3, band
    assert abs(band["maximum"] / (799 * foot) - 1) < 1e-3, band
    generate(ours, "-o", folder / "again.tif")
    again = tifffile.imread(folder / "again.tif")
    assert np.allclose(again, tifffile.imread(ours), rtol=1e-5)


def systems_without_a_code(folder):
    """A grid whose system has only words says the same system in what is made of it."""
    for name, srs, cell in [
        ("degrees", "EPSG:4326", 0.5),
        ("bessel", "EPSG:4314", 0.01),
        ("lambert", "EPSG:2154", 100),
    ]:
        source = gdal_asc(folder, f"{name}.asc", cell, "-of", "AAIGrid", "-a_srs", srs)
        assert "AUTHORITY" not in source.with_suffix(".prj").read_text()
        ours = folder / f"{name}.tif"
        generate(source, "-o", ours, "-o", folder / f"ours-{name}.asc")
        wkt = json.loads(run("gdalinfo", "-json", ours))["coordinateSystem"]["wkt"]
        found = run("gdalsrsinfo", "-o", "proj4", ours).strip()
        wanted = run("gdalsrsinfo", "-o", "proj4", source.with_suffix(".prj")).strip()
        assert found == wanted, f"{name}: {found}, not {wanted}: {wkt}"
        text = (folder / f"ours-{name}.asc").read_text()
        assert "\ncellsize " in text, text[:200]
        if shutil.which("saga_cmd"):
            run("saga_cmd", "io_grid", "1", "-FILE", folder / f"ours-{name}.asc",
                "-GRID", folder / f"{name}.sgrd")
            assert (folder / f"{name}.sdat").exists()


def gettext_catalogs(folder):
    """What translators' own tools make of the files of languages is what the command says."""
    need("msgfmt")
    files = sorted((Path(__file__).parents[2] / "assets/languages").glob("*.po"))
    assert files
    commands = re.compile(r"^  (\w+) +([A-Z].*)$", re.MULTILINE)

    def about(language):
        """What the command says of its subcommands in a language."""
        spoken = {**os.environ, "LC_ALL": language, "LANGUAGE": ""}
        return run(LANDFORM, "--help", env=spoken)

    english = commands.findall(about("C").split("\n\n")[2])
    assert len(english) > 5, english
    for file in files:
        compiled = folder / f"{file.stem}.mo"
        run("msgfmt", "--check", "-o", compiled, file)
        with compiled.open("rb") as opened:
            catalog = gettext.GNUTranslations(opened)
        said = about({"zh-Hans": "zh_CN.UTF-8"}.get(file.stem, file.stem))
        for _, text in english:
            wanted = catalog.gettext(text)
            assert wanted != text, f"{file.name}: nothing for {text!r}"
            assert wanted.replace(" ", "") in "".join(said.split()), f"{file.name}: {wanted}"


def main():
    checks = [tinyexr, grass, grass_on_the_earth, saga, packed_by_gdal, netcdf_of_gdal,
              netcdf_of_python, edited_by_gdal, edited_by_imagemagick, edited_by_pillow,
              at_49_north, feet, systems_without_a_code, gettext_catalogs]
    failed, skipped = [], []
    for check in checks:
        with tempfile.TemporaryDirectory() as place:
            try:
                check(Path(place))
                print(f"{check.__name__}: agrees", flush=True)
            except Skipped as why:
                skipped.append(f"{check.__name__} ({why})")
            except Exception:
                failed.append(check.__name__)
                traceback.print_exc()
    if skipped:
        print("=" * 72 + f"\nSKIPPED, NOT CHECKED: {', '.join(skipped)}\n" + "=" * 72, flush=True)
    if skipped and os.environ.get("INTEROP_ALL") == "1":
        failed.extend(skipped)
    sys.exit(f"these do not agree: {', '.join(failed)}" if failed else None)


main()
