//! Analysis in pictures.

use std::collections::BTreeSet;

use super::*;

#[test]
fn slopes_darken_and_aspects_go_round() {
    let light = |[r, g, b]: [f32; 3]| 0.3 * r + 0.6 * g + 0.1 * b;
    for degrees in 0..90 {
        let (a, b) = (
            slope_color(degrees as f32),
            slope_color(degrees as f32 + 1.0),
        );
        assert!(light(a) > light(b), "{degrees}");
    }
    assert_eq!(slope_color(120.0), slope_color(90.0));
    assert_eq!(slope_color(-1.0), slope_color(0.0));
    assert_eq!(aspect_color(0.0), aspect_color(360.0));
    assert_eq!(aspect_color(-90.0), aspect_color(270.0));
    let step = |degrees: f32| {
        let (a, b) = (aspect_color(degrees), aspect_color(degrees + 1.0));
        (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f32::max)
    };
    assert!((0..360).all(|degrees| step(degrees as f32) < 0.02));
}

const HILLS: &str = "surface.iterations=5 surface.hurst=0.9 surface.height_scale=0.6";

fn take(studio: &mut HeadlessRenderer, settings: &str, size: (u32, u32)) -> Picture {
    studio
        .picture(&landscape(&scene(settings)), size)
        .expect("a picture")
}

#[test]
fn pictures_match_the_golden_ones() {
    let mut studio = HeadlessRenderer::new().expect("OpenGL 3.3");
    let line = "section.from=[-0.7,0.6] section.to=[0.8,-0.5]";
    let rows = [
        (
            "contours",
            "view.render_type=map analysis.contours=true".to_owned(),
        ),
        (
            "contours_atlas",
            "view.render_type=map view.palette=atlas analysis.contours=true \
             analysis.contour_interval=25 view.tile=2"
                .to_owned(),
        ),
        (
            "hillshade",
            "view.render_type=map analysis.hillshade=true analysis.contours=true \
             view.palette=atlas"
                .to_owned(),
        ),
        (
            "slope",
            "view.render_type=map analysis.color=slope analysis.contours=true".to_owned(),
        ),
        (
            "aspect",
            format!("view.render_type=map analysis.color=aspect {line}"),
        ),
        (
            "triangles",
            format!("view.render_type=triangles analysis.contours=true {line}"),
        ),
        (
            "triangles_slope",
            "view.render_type=triangles analysis.color=slope view.invert=true".to_owned(),
        ),
    ];
    let failed: Vec<String> = rows
        .iter()
        .filter_map(|(name, settings)| {
            let picture = take(&mut studio, &format!("{HILLS} {settings}"), (240, 180));
            check_golden(&format!("analysis_{name}"), &picture).err()
        })
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn picture_colours_match_slope_and_aspect_maps() {
    let mut studio = HeadlessRenderer::new().expect("OpenGL 3.3");
    for edges in ["wrap", "free"] {
        let base = format!(
            "view.render_type=map view.filter=nearest analysis.legend=false surface.iterations=4 \
             surface.hurst=0.8 surface.diamond_square.edges={edges}"
        );
        let land = landscape(&scene(&base));
        let relief = Relief::of(&land.heights, land.scene.surface.tile_size_m);
        let (light, job) = (&land.scene.light, Job::new());
        for name in ["slope", "aspect"] {
            let made = maps::Map::named(name)
                .unwrap()
                .numbers(&relief, light, &job);
            let numbers = made.unwrap().unwrap();
            let picture = take(
                &mut studio,
                &format!("{base} analysis.color={name}"),
                (240, 240),
            );
            // 16 cells over 220 pixels, in a margin of 10.
            let mut compared = 0;
            for row in 0..=16 {
                for column in 0..=16 {
                    let at = |index: usize| (10 + (index * 220 + 8) / 16).clamp(11, 228);
                    let number = numbers.at(row, column);
                    let wanted = match name {
                        "slope" => slope_color(number),
                        _ => aspect_color(number),
                    };
                    let seen = picture.row(at(row))[at(column)];
                    let wanted = wanted.map(|value| (value * 255.0).round() as u8);
                    let near = (0..3).all(|i| seen[i].abs_diff(wanted[i]) <= 4);
                    compared += usize::from(near);
                }
            }
            // Gentle slopes are paler in aspect.
            let least = if name == "slope" { 289 } else { 200 };
            assert!(compared >= least, "{name} {edges}: {compared} of 289");
        }
    }
    let level = take(
        &mut studio,
        "view.render_type=map analysis.legend=false analysis.color=aspect \
         surface.height_scale=0 surface.iterations=3",
        (64, 64),
    );
    let wanted = LEVEL.map(|value| (value * 255.0).round() as u8);
    assert_eq!(level.row(32)[32], wanted);
}

#[test]
fn legend_shows_contours_in_their_colours() {
    let mut studio = HeadlessRenderer::new().expect("OpenGL 3.3");
    let settings = "view.render_type=map analysis.contours=true analysis.labels=false";
    let picture = take(&mut studio, &format!("{HILLS} {settings}"), (640, 480));
    // The map is a square in the middle, the legend lies to the left of it.
    let is_line = |[r, g, b]: &[u8; 3]| r > g && g > b && *r < 120 && r - b > 15;
    let colors = |columns: std::ops::Range<usize>| -> BTreeSet<[u8; 3]> {
        let rows = (0..480).flat_map(|row| &picture.row(row)[columns.clone()]);
        rows.filter(|color| is_line(color)).copied().collect()
    };
    let (legend, map) = (colors(0..75), colors(80..560));
    assert!(!legend.is_empty(), "no line in the legend");
    assert!(legend.intersection(&map).next().is_some(), "{legend:?}");
}

#[test]
fn picture_in_pieces_keeps_lines_and_labels() {
    let mut studio = HeadlessRenderer::new().expect("OpenGL 3.3");
    for kind in ["map", "triangles"] {
        let scene = scene(&format!(
            "{HILLS} view.render_type={kind} view.antialias=false analysis.contours=true \
             section.from=[-0.7,0.6] section.to=[0.8,-0.5]"
        ));
        let land = landscape(&scene);
        let size = (1300, 700);
        let whole = studio.picture(&land, size).expect("a picture");
        let shot = RenderRequest::new(size);
        let mut rows: Vec<[u8; 3]> = Vec::new();
        let job = Job::new();
        let taken: Result<(), crate::offscreen::Failed> =
            studio.expose(&land, &scene.camera, shot, &job, |band| {
                rows.extend(band.as_slice().iter().map(|p| [p[0], p[1], p[2]]));
                Ok(())
            });
        taken.expect("a picture");
        let pieces = Picture::from_vec(size.1 as usize, size.0 as usize, rows).unwrap();
        assert!(difference(&whole, &pieces) < 0.001, "{kind}");
    }
}

/// Settings of a camera that looks down on `share` of a tile's height.
fn from_above(share: f32, bearing: f32) -> String {
    let distance = share / (Camera::default().fov.to_radians() * 0.5).tan();
    format!(
        "camera.mode=top camera.target=[0,0,0] camera.distance={distance} camera.bearing={bearing}"
    )
}

/// Mean channels of 8 × 8 parts of a picture, out of 255.
fn colors_of_parts(picture: &Picture) -> Vec<f64> {
    let (height, width) = (picture.rows() / 8, picture.columns() / 8);
    let mut colors = Vec::new();
    for part in 0..8 * 8 {
        let (first, left) = (part / 8 * height, part % 8 * width);
        for channel in 0..3 {
            let rows = (first..first + height).map(|row| &picture.row(row)[left..left + width]);
            let sum: f64 = rows.flatten().map(|pixel| f64::from(pixel[channel])).sum();
            colors.push(sum / (height * width) as f64);
        }
    }
    colors
}

#[test]
fn a_map_seen_by_a_camera_keeps_labels_and_lines() {
    let mut studio = HeadlessRenderer::new().expect("OpenGL 3.3");
    let map = format!(
        "{HILLS} view.render_type=map analysis.contours=true analysis.legend=false \
         view.endless=false"
    );
    let size = (500, 500);
    let mut take = |settings: &str| take(&mut studio, &format!("{map} {settings}"), size);
    // As large as in plan view, whose margin is 4 % of the side. Lines have the same colours; they are not as
    // smooth, so pixels differ.
    let (flat, seen) = (take(""), take(&from_above(1.0 / 0.92, 0.0)));
    let plain = take(&format!(
        "{} analysis.contours=false",
        from_above(1.0 / 0.92, 0.0)
    ));
    let off = |picture: &Picture| {
        let pairs = colors_of_parts(&flat)
            .into_iter()
            .zip(colors_of_parts(picture));
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    assert!(
        off(&seen) < 3.0 && off(&plain) > 6.0,
        "{} {}",
        off(&seen),
        off(&plain)
    );
    for (share, bearing) in [(0.5, 0.0), (0.5, 70.0), (0.2, -130.0)] {
        let [on, off] = [true, false].map(|labels| {
            take(&format!(
                "{} surface.iterations=8 analysis.labels={labels}",
                from_above(share, bearing)
            ))
        });
        let pixels = on.as_slice().iter().zip(off.as_slice());
        let changed = pixels.filter(|(on, off)| on != off).count();
        assert!(
            (100..20_000).contains(&changed),
            "{share} {bearing}: {changed}"
        );
    }
    // Ground that ends leaves the rest of the picture as it is.
    let [on, off] = [true, false].map(|labels| {
        take(&format!(
            "{} analysis.labels={labels}",
            from_above(4.0, 30.0)
        ))
    });
    let edge = |picture: &Picture| picture.as_slice()[..500 * 100].to_vec();
    assert_eq!(edge(&on), edge(&off));
}

#[test]
fn strange_settings_draw() {
    let mut studio = HeadlessRenderer::new().expect("OpenGL 3.3");
    for settings in [
        // Nothing to say, or far too much.
        "view.render_type=map analysis.contours=true surface.height_scale=0",
        "view.render_type=map analysis.contours=true analysis.contour_interval=0.001",
        "view.render_type=map analysis.contours=true view.tile=16",
        "view.render_type=triangles analysis.contours=true analysis.contour_interval=0.001",
        "view.render_type=map analysis.contours=true surface.iterations=1",
        "view.render_type=map analysis.contours=true camera.mode=top camera.distance=0.0001",
        "view.render_type=map analysis.contours=true camera.mode=top camera.distance=100",
        "view.render_type=map analysis.contours=true camera.mode=top camera.target=[999,0,999]",
        "view.render_type=map section.from=[9,9] section.to=[9,8]",
        "view.render_type=triangles section.from=[-1,-1] section.to=[31,31] camera.distance=0.1",
        "surface.generator=midpoint-1d analysis.contours=true analysis.color=slope",
        "view.render_type=rendered analysis.contours=true analysis.color=slope",
    ] {
        for size in [(1, 1), (40, 30), (130, 121)] {
            let settings = format!("surface.iterations=6 {settings}");
            let picture = take(&mut studio, &settings, size);
            assert_eq!(picture.columns(), size.0 as usize, "{settings}");
        }
    }
}
