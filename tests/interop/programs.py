"""Programs that check files, where scripts/interop.sh could get them."""

import json
import os
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent


def gltf(files):
    """Khronos' validator: no error and no warning."""
    if not os.environ.get("GLTF_VALIDATOR"):
        print("no gltf-validator here: .glb not checked by it")
        return
    environment = {**os.environ, "NODE_PATH": os.environ["GLTF_VALIDATOR"]}
    words = ["node", HERE / "gltf.js", *files]
    subprocess.run(words, check=True, env=environment)
    print(f"gltf-validator finds nothing in {len(files)} files")


def blender(files):
    """What Blender makes of files, by their names; `None` where it is not."""
    script = HERE / "blender.py"
    if os.environ.get("BLENDER_PYTHON"):
        start = [os.environ["BLENDER_PYTHON"], script, "--"]
    elif shutil.which("blender"):
        start = ["blender", "--background", "--factory-startup", "--python", script, "--"]
    else:
        print("no Blender here: not checked by it")
        return None
    done = subprocess.run([*start, *files], check=True, capture_output=True, text=True)
    lines = [line[9:] for line in done.stdout.splitlines() if line.startswith("LANDFORM ")]
    reports = {Path(r["file"]).name: r for r in map(json.loads, lines)}
    assert len(reports) == len(files), done.stdout
    return reports
