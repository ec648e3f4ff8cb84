"""Opens exported plants with programs that are not ours: the same number everywhere, and places within
a millimetre. Run by scripts/interop.sh, which installs what it needs.

usage: plants.py path/to/landform
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import trimesh

import programs

LANDFORM = Path(sys.argv[1]).resolve()
TILE_M = 500.0
MOST_M = 1e-3
SCENE = [
    "--seed", "3", "--iterations", "7", "--set", f"surface.tile_size_m={TILE_M}",
    "--set", "plants.0.kind=spruce", "--set", "plants.1.kind=boulder", "--set", "plants.2.kind=birch",
    "--set", "plants.2.density=0.3",
]  # fmt: skip
FILES = ["x.csv", "x.geojson", "instances.glb", "nodes.glb", "x.usda"]


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def same(found, wanted, who):
    """The same places, in any order."""
    found, wanted = np.asarray(found, float), np.asarray(wanted, float)
    assert found.shape == wanted.shape, f"{who}: {len(found)} of {len(wanted)} plants"
    # Sorting by rounded coordinates could part neighbours, so each looks for its own.
    nearest = [np.abs(found - place).max(axis=1).argmin() for place in wanted]
    assert len(set(nearest)) == len(wanted), who
    far = np.abs(found[nearest] - wanted).max()
    assert far <= MOST_M, f"{who}: {far} m"
    print(f"{who}: {len(found)} plants, at most {far:.1e} m off")


def main(folder):
    for name in FILES:
        more = ["--plants-as", "nodes"] if name == "nodes.glb" else []
        run(LANDFORM, "generate", *SCENE, "--plants", folder / name, *more)
    with open(folder / "x.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 500 and {row["species"] for row in rows} == {"spruce", "boulder", "birch"}
    places = np.array([[float(row[axis]) for axis in "xyz"] for row in rows])
    heights = np.array([float(row["height"]) for row in rows])

    said = run("ogrinfo", "-al", "-so", folder / "x.geojson")
    assert f"Feature Count: {len(rows)}\n" in said, said
    table = folder / "by-gdal.csv"
    run("ogr2ogr", "-f", "CSV", "-lco", "GEOMETRY=AS_XYZ", table, folder / "x.geojson")
    with open(table, newline="") as file:
        theirs = list(csv.DictReader(file))
    same([[float(row[axis]) for axis in "XYZ"] for row in theirs], places, "GDAL, GeoJSON")

    # Meshes have y up and z south, from the middle of the map.
    x, y, z = places.T
    stands = np.stack([x - TILE_M / 2, z, TILE_M / 2 - y], axis=1)
    on_the_ground(folder, stands)
    nodes(folder, stands, heights)
    usd(folder, stands, rows)
    glbs = [folder / "instances.glb", folder / "nodes.glb"]
    programs.gltf(glbs)
    reports = programs.blender(glbs)
    for name, report in (reports or {}).items():
        # Blender has z up, and south is -y.
        wanted = np.stack([stands[:, 0], -stands[:, 2], stands[:, 1]], axis=1)
        same(report["origins"], wanted, f"Blender, {name}")
        sizes = np.sort(np.array(report["sizes"])[:, 2])
        assert np.allclose(sizes, np.sort(heights), atol=2e-3), name


def on_the_ground(folder, stands):
    """The plants stand on the mesh of the ground."""
    run(LANDFORM, "generate", *SCENE, "-o", folder / "land.glb")
    land = trimesh.load(folder / "land.glb", force="mesh", process=False)
    side = 129
    grid = np.asarray(land.vertices).reshape(side, side, 3)
    step = TILE_M / (side - 1)
    assert np.allclose(grid[0, 0, ::2], -TILE_M / 2) and np.allclose(grid[-1, -1, ::2], TILE_M / 2)
    at = (stands[:, [2, 0]] + TILE_M / 2) / step
    row, column = np.minimum(at.astype(int), side - 2).T
    corners = np.stack([grid[row + a, column + b, 1] for a in (0, 1) for b in (0, 1)])
    assert (stands[:, 1] >= corners.min(axis=0) - MOST_M).all(), "plants below the ground"
    assert (stands[:, 1] <= corners.max(axis=0) + MOST_M).all(), "plants above the ground"


def nodes(folder, stands, heights):
    """trimesh reads the nodes of a glTF."""
    scene = trimesh.load(folder / "nodes.glb")
    moved = [scene.graph[name][0] for name in scene.graph.nodes_geometry]
    same([matrix[:3, 3] for matrix in moved], stands, "trimesh, nodes")
    sizes = sorted(np.linalg.norm(matrix[:3, 1]) for matrix in moved)
    assert np.allclose(sizes, np.sort(heights), atol=2e-3)


def usd(folder, stands, rows):
    """USD's own library reads the point instancer."""
    try:
        from pxr import Usd, UsdGeom
    except ImportError:
        print("no usd-core here: .usda not checked by it")
        return
    stage = Usd.Stage.Open(str(folder / "x.usda"))
    assert UsdGeom.GetStageUpAxis(stage) == "Y" and UsdGeom.GetStageMetersPerUnit(stage) == 1
    assert stage.GetDefaultPrim().GetPath() == "/Plants"
    points = UsdGeom.PointInstancer(stage.GetPrimAtPath("/Plants/Points"))
    time = Usd.TimeCode.Default()
    moved = [np.array(matrix).T for matrix in points.ComputeInstanceTransformsAtTime(time, time)]
    same([matrix[:3, 3] for matrix in moved], stands, "usd-core")
    names = [path.name.split("_")[0] for path in points.GetPrototypesRel().GetTargets()]
    species = [names[index] for index in points.GetProtoIndicesAttr().Get()]
    assert species == [row["species"] for row in rows]
    for matrix, row in zip(moved, rows):
        assert abs(np.linalg.norm(matrix[:3, 1]) - float(row["height"])) < 2e-3
        # North of the model, turned clockwise as seen from above.
        turn = np.radians(float(row["rotation"]))
        north = matrix[:3, :3] @ [0, 0, -1]
        assert np.allclose(north / np.linalg.norm(north), [np.sin(turn), 0, -np.cos(turn)], atol=5e-3)
    for path in points.GetPrototypesRel().GetTargets():
        mesh = UsdGeom.Mesh(stage.GetPrimAtPath(path))
        count = len(mesh.GetPointsAttr().Get())
        assert mesh.GetPrim().IsValid() and count == len(mesh.GetNormalsAttr().Get())
        assert count == len(mesh.GetDisplayColorAttr().Get()), path
        assert max(mesh.GetFaceVertexIndicesAttr().Get()) < count, path


with tempfile.TemporaryDirectory() as place:
    main(Path(place))
