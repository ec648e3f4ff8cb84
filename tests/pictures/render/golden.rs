//! Golden pictures.

use super::*;

#[test]
fn pictures_match_the_golden_ones() {
    let jacksboro = |rest: &str| format!("{JACKSBORO} {rest}");
    let rows: &[(&str, (u32, u32), String)] = &[
        (
            "ridge",
            (192, 128),
            "view.render_type=1d surface.iterations=6".into(),
        ),
        (
            "ridge_tiled",
            (192, 128),
            "view.render_type=1d view.tile=3".into(),
        ),
        (
            "ridge_pass",
            (240, 160),
            "view.render_type=1d surface.iterations=6 surface.height_scale=0.6 surface.seed=5 \
             view.pass=2"
                .into(),
        ),
        (
            "lines",
            (192, 128),
            "view.render_type=lines surface.iterations=5".into(),
        ),
        (
            "lines_martz",
            (128, 128),
            "view.render_type=lines surface.iterations=2".into(),
        ),
        (
            "lines_pass",
            (192, 128),
            "view.render_type=lines surface.iterations=2 view.pass=1.5".into(),
        ),
        (
            "map_pass",
            (128, 128),
            "view.render_type=map view.palette=grey surface.iterations=2 view.pass=2".into(),
        ),
        (
            "lines_invert",
            (128, 128),
            "view.render_type=lines surface.iterations=4 view.invert=true".into(),
        ),
        (
            "triangles",
            (192, 128),
            "view.render_type=triangles surface.height_scale=0.5".into(),
        ),
        (
            "triangles_light",
            (192, 128),
            "view.render_type=triangles surface.height_scale=0.5 light.shadows=true light.occlusion=true light.elevation=25"
                .into(),
        ),
        (
            "triangles_flat",
            (128, 128),
            "view.render_type=triangles view.shading=flat surface.iterations=3 view.palette=martz"
                .into(),
        ),
        (
            "triangles_smallest",
            (128, 128),
            "view.render_type=triangles surface.iterations=1 view.antialias=false".into(),
        ),
        (
            "teximage",
            (128, 128),
            "view.render_type=teximage teximage.iterations=6".into(),
        ),
        (
            "clouds",
            (128, 128),
            "view.render_type=clouds view.tile=2".into(),
        ),
        (
            "clouds_nearest",
            (128, 128),
            "view.render_type=clouds clouds.iterations=3 view.filter=nearest".into(),
        ),
        ("map", (128, 128), "view.render_type=map".into()),
        (
            "map_nearest",
            (128, 128),
            "view.render_type=map view.filter=nearest surface.iterations=3 view.tile=2".into(),
        ),
        ("map_image", (192, 128), jacksboro("view.render_type=map")),
        (
            "triangles_image",
            (192, 128),
            jacksboro("view.render_type=triangles"),
        ),
        (
            "triangles_image_tiled",
            (192, 128),
            jacksboro("view.render_type=triangles view.tile=2"),
        ),
        (
            "rendered",
            (192, 128),
            "view.render_type=rendered".into(),
        ),
        (
            "rendered_from_below",
            (128, 128),
            "view.render_type=rendered surface.iterations=4 surface.height_scale=0.4 camera.pitch=-30"
                .into(),
        ),
        (
            "rendered_martz",
            (192, 128),
            "view.render_type=rendered surface.iterations=4 view.tile=3 view.palette=martz surface.height_scale=0.5".into(),
        ),
        (
            "rendered_invert",
            (128, 128),
            "view.render_type=rendered surface.iterations=5 view.tile=3 view.invert=true fog.enabled=false".into(),
        ),
    ];
    let mut desk = Desk::new();
    let failures: Vec<_> = rows
        .iter()
        .filter_map(|(name, size, settings)| check_golden(name, &desk.take(settings, *size)).err())
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn generator_and_modifier_presets_look_as_before() {
    let mut desk = Desk::new();
    let shown = presets()
        .iter()
        .filter(|preset| preset.group != Group::Landscapes);
    let failures: Vec<_> = shown
        .filter_map(|preset| {
            let mut scene = preset.scene();
            scene.surface.iterations = scene.surface.iterations.min(7);
            desk.update(&scene);
            let picture = desk.draw(&scene, (160, 107)).0;
            check_golden(&format!("preset_{}", preset.name), &picture).err()
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
