//! Pictures larger than any buffer, of several samples a pixel, without a background.

use crate::common::{fail, folder, names, succeed};
use crate::offscreen::Failed;
use crate::pictures::{landscape, scene};
use landform::grid::Grid;
use landform::job::Job;
use landform::render::{HeadlessRenderer, RenderRequest};
use landform::scene::{RenderType, Scene};

const SIZE: (u32, u32) = (200, 122);
/// The part of the pixels that may differ by a rounding: one in a thousand.
const MOST_OFF: usize = 24;

/// The pixels of a shot, sRGB and alpha.
fn take(studio: &mut HeadlessRenderer, scene: &Scene, shot: RenderRequest) -> Grid<[u8; 4]> {
    let landscape = landscape(scene);
    let mut rows = Vec::new();
    let job = Job::new();
    studio
        .expose(&landscape, &scene.camera, shot, &job, |band| {
            assert_eq!(band.columns() as u32, shot.size.0);
            rows.extend_from_slice(band.as_slice());
            Ok::<_, Failed>(())
        })
        .expect("a picture");
    assert_eq!(job.progress(), 1.0);
    Grid::from_vec(shot.size.1 as usize, shot.size.0 as usize, rows).expect("all rows")
}

/// How many pixels differ, and by how much at most. What water mirrors is a texture, which is
/// smoothed at other places in each piece: a difference of one says nothing there.
fn differ(scene: &Scene, a: &Grid<[u8; 4]>, b: &Grid<[u8; 4]>) -> (usize, u8) {
    let off = |(a, b): (&[u8; 4], &[u8; 4])| {
        let channels = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
        channels.max().unwrap_or_default()
    };
    let all = a.as_slice().iter().zip(b.as_slice()).map(off);
    let different = all.filter(|off| *off > u8::from(scene.water.enabled));
    different.fold((0, 0), |(count, most), off| (count + 1, most.max(off)))
}

/// A scene of each render type, and some that are seen otherwise.
fn scenes() -> Vec<(String, Scene)> {
    let types = RenderType::NAMES.iter();
    let plain = types.map(|name| format!("view.render_type={name} surface.iterations=6"));
    let more = [
        "view.render_type=lines view.invert=true surface.iterations=5 view.tile=2",
        "view.render_type=lines view.antialias=false surface.iterations=9",
        "view.render_type=rendered surface.iterations=9 camera.mode=top camera.distance=1",
        "view.render_type=triangles view.shading=flat view.tile=3 camera.distance=6",
        "view.render_type=triangles view.pass=2.5 surface.iterations=4",
        "view.render_type=map view.pass=2.5 surface.iterations=4",
        "view.render_type=rendered camera.mode=walk camera.distance=0.3 camera.pitch=5",
        "water.enabled=true surface.iterations=7 camera.pitch=12 camera.distance=1.6",
        "view.render_type=landscape surface.iterations=6 plants.0.kind=spruce camera.distance=0.5 camera.pitch=3",
    ];
    let all = plain.chain(more.map(str::to_owned));
    all.map(|settings| (settings.clone(), scene(&settings)))
        .collect()
}

#[test]
fn pieces_are_the_whole_pixel_for_pixel() {
    let mut studio = HeadlessRenderer::new().expect("OpenGL 3.3");
    for (name, scene) in scenes() {
        let whole = take(&mut studio, &scene, RenderRequest::new(SIZE));
        let plain = studio.picture(&landscape(&scene), SIZE).expect("a picture");
        for (pixel, [r, g, b]) in whole.as_slice().iter().zip(plain.as_slice()) {
            assert_eq!(*pixel, [*r, *g, *b, 255], "{name}");
        }
        for piece in [64, 128] {
            let shot = RenderRequest {
                piece: Some(piece),
                ..RenderRequest::new(SIZE)
            };
            let pieces = take(&mut studio, &scene, shot);
            let (off, most) = differ(&scene, &whole, &pieces);
            assert!(
                off <= MOST_OFF && most <= 3,
                "{name}, {piece}: {off} by {most}"
            );
        }
    }
}

#[test]
fn more_samples_are_smoother_and_always_the_same() {
    let mut studio = HeadlessRenderer::new().expect("OpenGL 3.3");
    for (name, scene) in scenes() {
        let shot = RenderRequest {
            samples: 5,
            ..RenderRequest::new(SIZE)
        };
        let one = take(&mut studio, &scene, RenderRequest::new(SIZE));
        let more = take(&mut studio, &scene, shot);
        let again = take(&mut studio, &scene, shot);
        assert!(more == again, "{name}");
        let piece = Some(64);
        let pieces = take(&mut studio, &scene, RenderRequest { piece, ..shot });
        let (off, most) = differ(&scene, &more, &pieces);
        assert!(off <= MOST_OFF && most <= 3, "{name}: {off} by {most}");
        let mean = |grid: &Grid<[u8; 4]>| {
            let values = grid.as_slice().iter().flat_map(|p| p[..3].iter());
            values.map(|v| f64::from(*v)).sum::<f64>() / (grid.as_slice().len() * 3) as f64
        };
        assert!(
            (mean(&one) - mean(&more)).abs() < 1.0,
            "{name} is as bright"
        );
    }
    // The truth is what very many samples say: five are nearer to it than one.
    let edges = scene("view.render_type=triangles view.shading=flat surface.iterations=7");
    let error = |studio: &mut HeadlessRenderer, samples| {
        let large = take(studio, &edges, RenderRequest::new((SIZE.0 * 4, SIZE.1 * 4)));
        let taken = take(
            studio,
            &edges,
            RenderRequest {
                samples,
                ..RenderRequest::new(SIZE)
            },
        );
        let mut sum = 0.0;
        for row in 0..SIZE.1 as usize {
            for column in 0..SIZE.0 as usize {
                for channel in 0..3 {
                    let cells = (0..16).map(|i| (row * 4 + i / 4, column * 4 + i % 4));
                    let truth: f64 = cells
                        .map(|(row, column)| f64::from(large.at(row, column)[channel]))
                        .sum::<f64>()
                        / 16.0;
                    sum += (truth - f64::from(taken.at(row, column)[channel])).powi(2);
                }
            }
        }
        sum
    };
    let (one, five) = (error(&mut studio, 1), error(&mut studio, 5));
    assert!(five < one, "{five} < {one}");
}

#[test]
fn transparent_picture_over_background_equals_opaque_picture() {
    let mut studio = HeadlessRenderer::new().expect("OpenGL 3.3");
    for (name, scene) in scenes() {
        let opaque = take(&mut studio, &scene, RenderRequest::new(SIZE));
        let shot = RenderRequest {
            transparent: true,
            ..RenderRequest::new(SIZE)
        };
        let clear = take(&mut studio, &scene, shot);
        let (mut through, mut solid) = (0, 0);
        for (opaque, clear) in opaque.as_slice().iter().zip(clear.as_slice()) {
            match clear[3] {
                0 => {
                    through += 1;
                    assert_eq!(*clear, [0; 4], "{name}");
                }
                255 => {
                    solid += 1;
                    let same = (0..3).all(|i| opaque[i].abs_diff(clear[i]) <= 1);
                    assert!(same, "{name}: {opaque:?} {clear:?}");
                }
                _ => {}
            }
        }
        let nothing_in_front = scene.camera.mode.name() != "orbit";
        assert!(
            through > 500 || nothing_in_front,
            "{name}: {through} see-through"
        );
        // The sky alone is background and nothing else.
        let is_sky = scene.render_type() == RenderType::Sky;
        assert_eq!(solid > 50, !is_sky, "{name}: {solid} solid");
    }
}

#[test]
fn transparent_edges_keep_the_colour_of_their_object() {
    let mut studio = HeadlessRenderer::new().expect("OpenGL 3.3");
    let white = "view.render_type=lines surface.iterations=3";
    for settings in [white.to_owned(), format!("{white} view.invert=true")] {
        let scene = scene(&settings);
        let shot = RenderRequest {
            transparent: true,
            samples: 4,
            ..RenderRequest::new(SIZE)
        };
        let picture = take(&mut studio, &scene, shot);
        let inverted = scene.view.invert;
        let partly = picture
            .as_slice()
            .iter()
            .filter(|p| (20..235).contains(&p[3]));
        let mut count = 0;
        for [r, ..] in partly {
            // Lines are light, or dark where colours are inverted, however thin.
            assert!(if inverted { *r < 190 } else { *r > 65 }, "{settings}: {r}");
            count += 1;
        }
        assert!(count > 500, "{count}");
    }
}

#[test]
fn command_line_takes_large_smooth_and_transparent_pictures() {
    let folder = folder();
    let folder = folder.path();
    let base = "render --set surface.iterations=5 --type triangles";
    // More than 8 megapixels, so in pieces.
    succeed(folder, &format!("{base} --size 5000x1700 -o large.png"));
    let large = image::open(folder.join("large.png")).unwrap();
    assert_eq!((large.width(), large.height()), (5000, 1700));
    assert_eq!(large.color(), image::ColorType::Rgb8);
    let clear = format!("{base} --size 64x48 --samples-per-pixel 3 --transparent -o clear.png");
    succeed(folder, &clear);
    let bytes = std::fs::read(folder.join("clear.png")).unwrap();
    succeed(folder, &clear);
    assert_eq!(bytes, std::fs::read(folder.join("clear.png")).unwrap());
    let clear = image::open(folder.join("clear.png")).unwrap();
    assert_eq!(clear.color(), image::ColorType::Rgba8);
    let opened = landform::import::open(&folder.join("clear.png")).unwrap();
    assert_eq!(opened.surface.iterations, 5, "the scene is in it");
    assert_eq!(names(folder), ["clear.png", "large.png"]);
    fail(
        folder,
        "render -o x.png --samples-per-pixel 17",
        2,
        &["17", "1..=16"],
    );
    fail(
        folder,
        "render -o x.png --size 20000x9",
        2,
        &["20000", "16384"],
    );
    fail(
        folder,
        "render -o x.png --contact-sheet 2x2 --transparent",
        2,
        &["--transparent"],
    );
}
