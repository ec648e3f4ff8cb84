//! What holds for all pictures.

use super::*;

#[test]
fn warming_up_leaves_the_picture_as_it_is() {
    let mut desk = Desk::new();
    let landscape = scene("surface.iterations=6 clouds.iterations=4");
    desk.update(&landscape);
    let (before, _) = desk.draw(&landscape, (60, 40));
    let cheaper = landscape.with("view.antialias", "false").expect("a scene");
    let facade = desk.headless.facade();
    desk.renderer.warm_up(facade, &cheaper).expect("a picture");
    assert!(desk.renderer.read_picture().expect("its pixels") == before);
    assert!(desk.draw(&landscape, (60, 40)).0 == before);
}

#[test]
fn every_shader_compiles() {
    let headless = Headless::new().expect("OpenGL 3.3");
    assert!(compile_all(headless.facade()).expect("shaders") >= 10);
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    let size = (160, 90);
    let settings = "view.tile=3 surface.height_scale=0.5";
    let mut desk = Desk::new();
    let first = desk.take(settings, size);
    desk.take("view.render_type=triangles surface.seed=7", (77, 31));
    assert!(desk.take(settings, size) == first);
    let scene = scene(settings);
    assert!(picture(&landscape(&scene), size).expect("a picture") == first);
}

#[test]
fn presenting_copies_the_picture_exactly() {
    let mut desk = Desk::new();
    let size = (96, 64);
    let expected = desk.take("surface.iterations=5", size);
    let facade = desk.headless.facade();
    let window = glium::texture::SrgbTexture2d::empty(facade, 120, 80).expect("a texture");
    let mut surface =
        glium::framebuffer::SimpleFrameBuffer::new(facade, &window).expect("a framebuffer");
    surface.clear_color(1.0, 0.0, 1.0, 1.0);
    let rect = glium::BlitTarget {
        left: 11,
        bottom: 7,
        width: 96,
        height: 64,
    };
    desk.renderer.present(&mut surface, rect);
    let shown: Vec<Vec<(u8, u8, u8, u8)>> = window.read();
    for row in 0..64 {
        for column in 0..96 {
            let (r, g, b, _) = shown[7 + row][11 + column];
            assert_eq!(
                [r, g, b],
                expected.at(63 - row, column),
                "row {row}, column {column}"
            );
        }
    }
    assert_eq!(shown[0][0], (255, 0, 255, 255), "outside the rectangle");
}

/// Cameras above many tiles, looking down steeply enough to see nothing else.
fn views_from_above() -> impl Iterator<Item = String> {
    (0..10).map(|i| {
        let spread = |by: f32| (i as f32 * by).fract();
        format!(
            "camera.bearing={} camera.pitch={} camera.distance={} camera.target=[{},0.0,{}]",
            spread(0.618) * 360.0,
            60.0 + spread(0.37) * 30.0,
            0.3 + spread(0.73) * 5.0,
            spread(0.41) * 2.0 - 1.0,
            spread(0.29) * 2.0 - 1.0,
        )
    })
}

#[test]
fn the_ground_has_no_holes() {
    // What is behind the ground is the colour of the fog, which no palette has.
    let behind = |pixel: &&[u8; 3]| {
        let [r, g, b] = **pixel;
        r.abs_diff(214) < 3 && g.abs_diff(222) < 3 && b == 255
    };
    let mut desk = Desk::new();
    let common = "view.render_type=rendered fog.enabled=false view.antialias=false view.tile=16 surface.height_scale=0.3";
    for ground in [
        "surface.iterations=8 surface.hurst=0.2".to_owned(),
        "surface.iterations=7".to_owned(),
        "surface.iterations=2".to_owned(),
        JACKSBORO.to_owned(),
    ] {
        desk.update(&scene(&format!("{ground} {common}")));
        for view in views_from_above() {
            let scene = scene(&format!("{ground} {common} {view}"));
            let (picture, stats) = desk.draw(&scene, (120, 120));
            let holes = picture.as_slice().iter().filter(behind).count();
            assert_eq!(holes, 0, "{ground} {view} {stats:?}");
        }
    }
}

#[test]
fn level_of_detail_is_hardly_seen() {
    let mut desk = Desk::of_way(GroundPath::Raster);
    let scene = scene(
        "view.render_type=triangles surface.iterations=9 surface.height_scale=0.4 view.tile=2",
    );
    desk.update(&scene);
    let (coarse, less) = desk.draw(&scene, (320, 180));
    desk.renderer.set_full_detail(true);
    let (full, all) = desk.draw(&scene, (320, 180));
    assert!(less.triangles * 4 < all.triangles, "{less:?} of {all:?}");
    let difference = mean_difference(&coarse, &full);
    assert!(difference < 4.0, "mean difference {difference}/255");
}

fn mean_difference(a: &Picture, b: &Picture) -> f64 {
    let pairs = a
        .as_slice()
        .iter()
        .flatten()
        .zip(b.as_slice().iter().flatten());
    let sum: u64 = pairs.map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / (a.as_slice().len() * 3) as f64
}

#[test]
fn small_maps_are_drawn_in_full() {
    for (iterations, triangles) in [(1, 8), (2, 32), (3, 128), (6, 8192)] {
        let mut desk = Desk::of_way(GroundPath::Raster);
        let scene = scene(&format!(
            "view.render_type=triangles surface.iterations={iterations} camera.distance=6"
        ));
        desk.update(&scene);
        assert_eq!(desk.draw(&scene, (64, 64)).1.triangles, triangles);
    }
}

#[test]
fn the_colors_in_a_file_are_the_teximage() {
    let mut desk = Desk::new();
    for settings in [
        "teximage.iterations=6 view.palette=alpine",
        "teximage.iterations=9 view.palette=grey light.bearing=290 light.ambient=0.2",
        "teximage.iterations=7 surface.diamond_square.edges=free view.palette=desert",
        "teximage.iterations=8 surface.iterations=7 water.rivers=true water.river_width=0.1",
        "teximage.iterations=7 water.rivers=true surface.diamond_square.edges=free \
            water.enabled=true",
        "teximage.iterations=6 view.palette=alpine water.enabled=true water.level=0.05",
        ERODED,
    ] {
        let settings = format!("view.render_type=teximage {settings}");
        desk.take(&settings, (64, 64));
        let drawn = desk.renderer.read_teximage().expect("a baked texture");
        let scene = scene(&settings);
        let (inputs, job) = (Inputs::default(), Job::new());
        let map = pipeline::teximage(&scene, &inputs, &job).unwrap();
        let palette = inputs.palette(&scene.view.palette).unwrap();
        let covers = covers::on(&map, &palette.covers, &job).unwrap();
        assert_eq!(covers.is_some(), settings.contains("erosion"));
        let mut baked = colors::bake(&map, &palette, covers.as_ref(), &scene.light, &job).unwrap();
        if let Some(rivers) = pipeline::rivers(&scene, &inputs, &job).unwrap() {
            let dry = baked.clone();
            let (color, light) = (scene.water.color, &scene.light);
            colors::draw_rivers(&mut baked, &rivers, color, light, &job).unwrap();
            assert!(baked != dry);
        }
        if let Some(sea) = Sea::of(&scene.water) {
            colors::draw_sea(&mut baked, &map, &sea, &scene.light, &job).unwrap();
        }
        assert_eq!(
            (drawn.rows(), drawn.columns()),
            (baked.rows(), baked.columns())
        );
        let pairs = drawn.as_slice().iter().zip(baked.as_slice());
        let apart = |(a, b): (&[u8; 3], &[u8; 3])| (0..3).map(|i| a[i].abs_diff(b[i])).max();
        let most = pairs.filter_map(apart).max();
        assert!(most <= Some(2), "{most:?} levels apart: {settings}");
    }
}

#[test]
fn the_teximage_joins_at_its_edges() {
    let mut desk = Desk::new();
    desk.take("view.render_type=teximage teximage.iterations=8", (64, 64));
    let texture = desk.renderer.read_teximage().expect("a baked texture");
    assert_eq!((texture.rows(), texture.columns()), (512, 512));
    let step = |a: [u8; 3], b: [u8; 3]| -> u64 {
        a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(b))).sum()
    };
    let last = 511;
    let across = |from: usize, to: usize| -> u64 {
        (0..512)
            .map(|i| step(texture.at(i, from), texture.at(i, to)))
            .sum()
    };
    let down = |from: usize, to: usize| -> u64 {
        (0..512)
            .map(|i| step(texture.at(from, i), texture.at(to, i)))
            .sum()
    };
    let usual = (0..last)
        .map(|i| across(i, i + 1).max(down(i, i + 1)))
        .max();
    let usual = usual.expect("511 steps");
    assert!(
        across(last, 0) <= usual && down(last, 0) <= usual,
        "a seam, usual step {usual}"
    );
}

#[test]
fn north_is_up_and_east_right_from_above() {
    // Bright in the north-west only: the map, the baked texture and the ground must agree.
    let base = "surface.iterations=6 surface.height_scale=0.2 fog.enabled=false \
                view.antialias=false teximage.iterations=6";
    let mut desk = Desk::new();
    let map = desk.take(&format!("{base} view.render_type=teximage"), (128, 128));
    let above = desk.take(
        &format!(
            "{base} view.render_type=rendered camera.bearing=0 camera.pitch=90 camera.distance=20 camera.fov=10 \
             camera.target=[0.0,0.0,0.0]"
        ),
        (128, 128),
    );
    // fov 10° at 20 half tiles: the tile covers 57 % of the picture, in the map 92 %.
    let sample = |picture: &Picture, half: f64, x: f64, z: f64| {
        let at = |v: f64| ((v * half + 0.5) * 128.0) as usize;
        picture.at(at(z), at(x))
    };
    let half_above = 1.0 / (20.0 * 5f64.to_radians().tan()) / 2.0;
    let mut sum = 0;
    let places = [-0.8, -0.4, -0.1, 0.2, 0.5, 0.8];
    for x in places {
        for z in places {
            let a = sample(&map, 118.0 / 256.0, x, z);
            let b = sample(&above, half_above, x, z);
            sum += (0..3).map(|i| u32::from(a[i].abs_diff(b[i]))).sum::<u32>();
        }
    }
    let mean = sum / (3 * 36);
    assert!(mean < 16, "mean difference {mean}/255");
}

#[test]
fn scenes_may_be_newer_than_what_is_uploaded() {
    const SIZE: (u32, u32) = (32, 32);
    let mut desk = Desk::new();
    let mut fresh = Desk::new();
    for old in ["view.render_type=lines", "surface.generator=midpoint-1d"] {
        let old = format!("{old} surface.iterations=4");
        for name in RenderType::NAMES {
            desk.update(&scene(&old));
            let settings = format!("surface.iterations=4 view.render_type={name} view.tile=2");
            let newer = scene(&settings);
            let early = desk.draw(&newer, SIZE).0;
            let expected = fresh.take(&settings, SIZE);
            // Lines need nothing but the heights, which are there already.
            if *name == "lines" && !old.contains("midpoint-1d") {
                assert!(early == expected, "{name} over {old}");
            }
            assert_eq!((early.columns(), early.rows()), (32, 32), "{name}");
            // What was drawn too early leaves nothing behind.
            desk.update(&newer);
            assert!(desk.draw(&newer, SIZE).0 == expected, "{name} after {old}");
        }
    }
}

#[test]
fn extreme_views_draw_something() {
    let mut desk = Desk::new();
    let mut last = None;
    for settings in [
        "camera.pitch=90",
        "camera.pitch=-90",
        "camera.distance=0.01",
        "camera.distance=100 fog.enabled=false view.render_type=triangles view.tile=16",
        "camera.fov=120",
        "camera.target=[1000.0,0.0,0.0]",
        "fog.start=5 fog.end=1",
        "surface.height_scale=0",
        "surface.height_scale=1000",
        "surface.iterations=1 view.tile=16",
    ] {
        let picture = desk.take(settings, (90, 50));
        assert!(last.replace(picture.clone()) != Some(picture), "{settings}");
    }
    for size in [(1, 1), (1, 500), (900, 2), (64, 64)] {
        let picture = desk.take("", size);
        assert_eq!((picture.columns() as u32, picture.rows() as u32), size);
    }
}

#[test]
fn impossible_sizes_are_refused_on_one_line() {
    let mut desk = Desk::new();
    let scene = scene("surface.iterations=2");
    desk.update(&scene);
    let before = desk.draw(&scene, (40, 30)).0;
    for size in [(0, 10), (10, 0), (1_000_000, 10), (10, u32::MAX)] {
        let facade = desk.headless.facade();
        let error = desk
            .renderer
            .draw(facade, &scene, size)
            .expect_err("too large");
        assert!(matches!(error, RenderError::Size { asked, .. } if asked == size));
        assert!(!error.to_string().contains('\n'));
    }
    let facade = desk.headless.facade();
    let huge = desk.renderer.draw(facade, &scene, (16384, 16384));
    assert!(matches!(huge, Err(RenderError::OutOfMemory { .. })));
    let kept = desk.renderer.read_picture().expect("the last picture");
    assert!(difference(&kept, &before) == 0.0);
}

#[test]
fn drawing_before_an_upload_is_an_error() {
    let headless = Headless::new().expect("OpenGL 3.3");
    let mut renderer = Renderer::new(headless.facade()).expect("a renderer");
    assert!(renderer.read_picture().is_err());
    let result = renderer.draw(headless.facade(), &Scene::default(), (8, 8));
    assert!(result.is_err());
}
