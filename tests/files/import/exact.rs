//! What went out comes in again, to the last bit and with its scene.

use super::*;

fn heights_of(scene: &Scene) -> Vec<f32> {
    let inputs = import::inputs(scene).unwrap();
    let map = landform::pipeline::heights(scene, &inputs, &Job::new()).unwrap();
    map.heights().to_vec()
}

/// The same grid values whatever the format, and the file as text where it has no scene to say
/// where it comes from.
fn values(path: &Path) -> Grid<f32> {
    import::image(path).unwrap()
}

#[test]
fn floats_convert_between_all_formats_bit_for_bit() {
    let folder = folder();
    let formats = ["npy", "r32", "tiff", "exr", "asc"];
    let wanted = bits(&heights_of(&scene()));
    for from in formats {
        let first = export(folder.path(), &format!("{from}-in"), from, &scene());
        let opened = import::open_image(&first).unwrap();
        assert_eq!(bits(&heights_of(&opened)), wanted, "{from}");
        for to in formats {
            let second = export(folder.path(), &format!("{from}-to"), to, &opened);
            assert_eq!(bits(values(&second).as_slice()), wanted, "{from} to {to}");
            // Numbers for other programs are those that the first file would have had.
            if to != "exr" && to != "tiff" && to != "asc" {
                let direct = export(folder.path(), "direct", to, &scene());
                assert_eq!(fs::read(&second).unwrap(), fs::read(direct).unwrap());
            }
        }
    }
}

#[test]
fn sixteen_bit_steps_convert_exactly_between_formats() {
    let folder = folder();
    let formats = ["png", "r16", "tiff16"];
    let wanted = bits(values(&export(folder.path(), "wanted", "png", &scene())).as_slice());
    for from in formats {
        let first = export(folder.path(), &format!("{from}-in"), from, &scene());
        assert_eq!(bits(values(&first).as_slice()), wanted, "{from}");
        let opened = import::open_image(&first).unwrap();
        // Heights too, as well as 65,536 steps can say them.
        for (before, after) in heights_of(&scene()).iter().zip(heights_of(&opened)) {
            assert!((before - after).abs() < 1e-4, "{from}: {before} {after}");
        }
        for to in formats {
            let second = export(folder.path(), &format!("{from}-to"), to, &opened);
            assert_eq!(bits(values(&second).as_slice()), wanted, "{from} to {to}");
        }
    }
    let first = export(folder.path(), "narrow", "png8", &scene());
    let opened = import::open_image(&first).unwrap();
    let again = export(folder.path(), "again", "png8", &opened);
    assert_eq!(values(&again), values(&first));
}

#[test]
fn pictures_of_other_programs_keep_their_steps() {
    let folder = folder();
    let path = folder.path().join("x.png");
    // Neither black nor white, as in a map that counts metres.
    let image = image::ImageBuffer::from_fn(9, 7, |x, y| image::Luma([(300 + 97 * x + y) as u16]));
    image.save(&path).unwrap();
    let opened = import::open_image(&path).unwrap();
    for name in ["png", "r16", "tiff16"] {
        let again = export(folder.path(), "again", name, &opened);
        if name != "r16" {
            let again = image::open(again).unwrap().into_luma16();
            assert_eq!(again.as_raw(), image.as_raw(), "{name}");
        }
    }
    let again = export(folder.path(), "flat", "png", &{
        let flat = image::ImageBuffer::from_pixel(4, 4, image::Luma([777_u16]));
        flat.save(&path).unwrap();
        import::open_image(&path).unwrap()
    });
    assert!(values(&again).as_slice().iter().all(|step| *step == 777.0));
    // What is changed spans the range, as ever.
    let mut higher = opened;
    higher.modifiers.push(landform::modify::Modifier::new(
        landform::modify::ModifierKind::Invert,
    ));
    image.save(&path).unwrap();
    let again = export(folder.path(), "changed", "png", &higher);
    assert_eq!(values(&again).range(), (0.0, 65_535.0));
}

#[test]
fn every_exported_file_gives_its_scene_back() {
    let folder = folder();
    for format in crate::common::written_formats() {
        let path = export(folder.path(), format.name, format.name, &scene());
        // Most hold it, the others have it beside them.
        let opened = import::scene(&path).unwrap();
        assert_eq!(opened.as_ref(), Some(&scene()), "{}", format.name);
        assert_eq!(import::open(&path).unwrap(), scene());
        if !format.is_mesh() {
            // Read as heights, it is still heights.
            let map = import::open_image(&path).unwrap();
            assert_eq!(map.surface.generator, Generator::Image, "{}", format.name);
            assert_eq!(map.view.render_type, RenderType::Map);
        }
    }
}

#[test]
fn sidecar_is_believed_only_beside_its_file() {
    let folder = folder();
    let path = export(folder.path(), "x", "r32", &scene());
    let mut bytes = fs::read(&path).unwrap();
    bytes[100] ^= 1;
    fs::write(&path, &bytes).unwrap();
    assert_eq!(import::scene(&path).unwrap(), None);
    assert_eq!(
        import::open(&path).unwrap().surface.generator,
        Generator::Image
    );
    bytes[100] ^= 1;
    fs::write(&path, &bytes).unwrap();
    assert_eq!(import::scene(&path).unwrap(), Some(scene()));
    fs::write(folder.path().join("x.r32.json"), "{\"bytes\": 16900").unwrap();
    assert_eq!(import::scene(&path).unwrap(), None);
}

#[test]
fn a_sidecar_tells_the_shape_of_bare_numbers() {
    let folder = folder();
    let path = folder.path().join("x.npy");
    write_npy(&path, 3, 5, |row, column| (row * 5 + column) as f32 / 20.0);
    let opened = import::open_image(&path).unwrap();
    for name in ["r16", "r32"] {
        let bare = export(folder.path(), "bare", name, &opened);
        let read = values(&bare);
        assert_eq!((read.rows(), read.columns()), (3, 5), "{name}");
        fs::remove_file(format!("{}.json", bare.display())).unwrap();
        let message = import::image(&bare).unwrap_err().to_string();
        assert!(message.contains("not a square"), "{message}");
    }
}

#[test]
fn mesh_without_its_scene_is_refused_with_reason() {
    let folder = folder();
    for (name, text) in [
        ("x.obj", "v 0 0 0\n"),
        ("x.stl", "solid\n"),
        ("x.ply", "ply\nformat ascii 1.0\nend_header\n"),
        ("x.glb", "glTF"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let message = import::open(&path).unwrap_err().to_string();
        assert!(
            message.contains("mesh") && message.contains("scene"),
            "{message}"
        );
        assert!(message.ends_with(name), "{message}");
    }
}

#[test]
fn scene_in_comments_is_found_at_either_end() {
    let folder = folder();
    let scene = scene();
    for name in ["obj", "asc"] {
        let text = fs::read_to_string(export(folder.path(), "x", name, &scene)).unwrap();
        let (comments, content): (Vec<_>, Vec<_>) =
            text.lines().partition(|line| line.starts_with("# "));
        let more = "# nothing\n".repeat(200_000);
        let (comments, content) = (comments.join("\r\n"), content.join("\r\n"));
        for text in [
            format!("{comments}\r\n{content}\r\n{more}"),
            format!("{content}\r\n{more}{comments}\r\n"),
        ] {
            let found = import::scene_in(name, text.as_bytes());
            assert_eq!(found, Some(scene.clone()), "{name}");
        }
        let (cut, _) = comments.rsplit_once("# landform scene end").unwrap();
        let cut = format!("{content}\r\n{cut}");
        assert_eq!(import::scene_in(name, cut.as_bytes()), None);
    }
}

#[test]
fn files_named_in_scenes_are_found_beside_them() {
    let folder = folder();
    image::GrayImage::from_fn(5, 5, |x, y| image::Luma([(x * 9 + y) as u8]))
        .save(folder.path().join("photo.png"))
        .unwrap();
    let mut named = scene();
    named.surface.input = Some(folder.path().join("photo.png"));
    let path = folder.path().join("view.png");
    let pixels = Grid::filled(2, 2, [1, 2, 3]);
    export::picture(&path, &pixels, &named).unwrap();
    let opened = import::open(&path).unwrap();
    assert_eq!(opened.surface.input, Some(folder.path().join("photo.png")));
    // They go together wherever they are taken.
    let there = self::folder();
    for name in ["photo.png", "view.png"] {
        fs::rename(folder.path().join(name), there.path().join(name)).unwrap();
    }
    let opened = import::open(&there.path().join("view.png")).unwrap();
    assert_eq!(opened.surface.input, Some(there.path().join("photo.png")));
}
