"""Imports meshes into Blender and prints what it makes of them, one line of JSON a file.

usage: blender --background --factory-startup --python blender.py -- FILE...
"""

import json
import sys

import bpy
import numpy

# The glTF importer of Blender 3.4 says `numpy.bool`, which later NumPys do not know.
if not hasattr(numpy, "bool"):
    numpy.bool = bool


def open_file(path):
    kind = path.rsplit(".", 1)[1]
    if kind == "glb":
        bpy.ops.import_scene.gltf(filepath=path)
    elif kind == "obj":
        bpy.ops.wm.obj_import(filepath=path)
    elif kind == "ply" and hasattr(bpy.ops.wm, "ply_import"):
        bpy.ops.wm.ply_import(filepath=path)
    elif kind == "ply":
        bpy.ops.preferences.addon_enable(module="io_mesh_ply")
        bpy.ops.import_mesh.ply(filepath=path)
    elif hasattr(bpy.ops.wm, "stl_import"):
        bpy.ops.wm.stl_import(filepath=path)
    else:
        bpy.ops.preferences.addon_enable(module="io_mesh_stl")
        bpy.ops.import_mesh.stl(filepath=path)


for path in sys.argv[sys.argv.index("--") + 1 :]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    open_file(path)
    bpy.context.view_layer.update()
    meshes = [thing for thing in bpy.context.scene.objects if thing.type == "MESH"]
    corners = [m.matrix_world @ v.co for m in meshes for v in m.data.vertices]
    box = [[pick(c[axis] for c in corners) for axis in range(3)] for pick in (min, max)]
    images = [list(image.size) for image in bpy.data.images if image.size[0] > 0]
    report = {
        "file": path,
        "triangles": sum(len(m.data.polygons) for m in meshes),
        "vertices": len(corners),
        "box": box,
        "images": images,
        "origins": [list(m.matrix_world.translation) for m in meshes],
        "sizes": [list(m.matrix_world.to_scale()) for m in meshes],
    }
    print("LANDFORM " + json.dumps(report))
