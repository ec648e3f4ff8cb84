//! Images that are gone or have changed.

use super::*;

#[test]
fn export_outlives_the_image_it_came_from() {
    let folder = folder();
    let here = folder.path();
    write_utm(&here.join("dem.tif"));
    for name in ["a.tif", "a.asc", "a.npy", "a.png", "a.r32", "a.exr"] {
        facts(here, &format!("dem.tif -o {name}"));
    }
    facts(here, "dem.tif -o a.obj");
    let wanted = import::heights(&here.join("dem.tif")).unwrap();
    // With the image there the scene names it, wherever the two are taken together.
    let found = import::find(&here.join("a.tif")).unwrap();
    let scene = found.scene.unwrap();
    assert_eq!(scene.surface.input, Some(here.join("dem.tif")));
    assert_eq!(found.notices, [""; 0]);
    let check = |reason: &str| {
        for name in ["a.tif", "a.asc", "a.npy", "a.png", "a.r32", "a.exr"] {
            let path = here.join(name);
            let found = import::find(&path).unwrap();
            let scene = found.scene.unwrap();
            assert_eq!(scene.surface.input, Some(path), "{name}");
            let [notice] = &found.notices[..] else {
                panic!("{name}: {:?}", found.notices);
            };
            assert!(notice.contains(reason), "{notice}");
            assert!(notice.contains("the heights in this file"), "{notice}");
            let inputs = import::inputs(&scene).unwrap();
            let job = landform::job::Job::new();
            let map = landform::pipeline::heights(&scene, &inputs, &job).unwrap();
            for (height, wanted) in map.heights().iter().zip(wanted.heights()) {
                assert!((height - wanted).abs() < 1e-4, "{name}: {height} {wanted}");
            }
            let output = landform(here, &format!("generate {name} -o b.npy --force"));
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.success(), "{name}: {said}");
            assert!(said.contains(reason), "{name}: {said}");
        }
        let output = landform(here, "stats a.png");
        assert!(output.status.success());
        assert!(String::from_utf8(output.stderr).unwrap().contains(reason));
    };
    // Another image of that name.
    let other = Place {
        scale: &[25.0, 25.0, 0.0],
        ..Place::default()
    };
    write_tiff(&here.join("dem.tif"), 9, &[7.0; 81], &other);
    check("is not the image that this file was made from");
    fs::remove_file(here.join("dem.tif")).unwrap();
    check("no longer exists");
    // A mesh has no heights to fall back on.
    fail(here, "generate a.obj -o c.npy", 1, &["dem.tif"]);
}

#[test]
fn scene_warns_of_a_replaced_image_and_continues() {
    let folder = folder();
    let here = folder.path();
    write_utm(&here.join("dem.tif"));
    let scene = import::open(&here.join("dem.tif")).unwrap();
    landform::export::scene(&here.join("x.toml"), &scene).unwrap();
    let (_, said) = facts(here, "x.toml -o y.npy");
    assert!(!said.contains("is not the image"), "{said}");
    assert_eq!(import::open(&here.join("x.toml")).unwrap(), scene);
    write_tiff(&here.join("dem.tif"), 9, &[7.0; 81], &Place::default());
    let (_, said) = facts(here, "x.toml -o y.npy");
    assert!(
        said.contains("dem.tif is not the image that this file was made from: x.toml"),
        "{said}"
    );
}

#[test]
fn the_window_says_that_the_image_is_gone() {
    use landform::app::files::{Done, FileJob, Files};
    let folder = folder();
    let here = folder.path();
    write_utm(&here.join("dem.tif"));
    facts(here, "dem.tif -o a.tif");
    fs::remove_file(here.join("dem.tif")).unwrap();
    let files = Files::start(|| {});
    files.hand(FileJob::Open(here.join("a.tif"))).unwrap();
    let done = loop {
        let done = files.take();
        if !done.is_empty() {
            break done;
        }
        std::thread::yield_now();
    };
    let [(_, Done::Opened(_, opened, _))] = &done[..] else {
        panic!("a scene");
    };
    let notice = &opened.notices[0];
    assert!(notice.contains("dem.tif no longer exists"), "{notice}");
    assert_eq!(opened.scene.surface.input, Some(here.join("a.tif")));
}
