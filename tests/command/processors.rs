//! The same bytes on processors without the instructions of this one: the program itself is run on them
//! by an emulator, so that what it finds at its start is what it would find there.

use std::path::Path;
use std::process::Command;

use crate::common::{folder, landform};
use landform::mask::By;
use landform::modify::{Modifier, ModifierKind};
use landform::scene::Scene;

/// Processors with AVX2 and with neither that nor AVX.
const PROCESSORS: [&str; 2] = ["Haswell", "Nehalem"];

/// Every modifier, one after the other, and every mask that needs nothing beside the map. Few samples:
/// an emulator takes thirty times as long.
fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 6;
    let masks = By::ALL
        .iter()
        .filter(|by| !matches!(by, By::Image | By::WaterDistance));
    let kinds = ModifierKind::ALL.iter().cycle();
    let steps = ModifierKind::ALL.len().max(masks.clone().count());
    scene.modifiers = kinds
        .zip(masks.cycle())
        .take(steps)
        .map(|(kind, by)| {
            let mut modifier = Modifier::new(*kind);
            modifier.mask.by = *by;
            modifier
        })
        .collect();
    scene
}

fn bytes(folder: &Path) -> Vec<u8> {
    std::fs::read(folder.join("map.npy")).unwrap()
}

#[test]
fn no_processor_makes_another_map() {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    let folder = folder();
    let folder = folder.path();
    std::fs::write(folder.join("scene.toml"), scene().to_toml()).unwrap();
    let arguments = ["generate", "scene.toml", "-o", "map.npy", "--force"];
    let done = landform(folder, &arguments.join(" "));
    assert!(done.status.success(), "{done:?}");
    let here = bytes(folder);
    for processor in PROCESSORS {
        std::fs::remove_file(folder.join("map.npy")).unwrap();
        let done = Command::new("qemu-x86_64")
            .args(["-cpu", processor, env!("CARGO_BIN_EXE_landform")])
            .args(arguments)
            .current_dir(folder)
            .output()
            .expect("qemu-x86_64, which scripts/deps.sh installs");
        assert!(done.status.success(), "{processor}: {done:?}");
        assert!(bytes(folder) == here, "another map on {processor}");
    }
}
