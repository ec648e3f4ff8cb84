//! Level of detail: how far off the ground is drawn, and that it has no holes.

use crate::offscreen::Desk;
use crate::pictures::scene;
use landform::grid::Grid;
use landform::render::{Distances, GroundPath};

impl Desk {
    fn distances(&mut self, settings: &str, size: (u32, u32), whole: bool) -> Distances {
        self.renderer.set_full_detail(whole);
        let distances = self
            .renderer
            .distances(self.headless.facade(), &scene(settings), size);
        self.renderer.set_full_detail(false);
        distances.expect("distances")
    }

    /// Half of the pixels are off by at most the first number of pixels, 95 % by the second.
    fn errors(&mut self, settings: &str, size: (u32, u32)) -> (f32, f32) {
        let whole = self.distances(settings, size, true);
        let drawn = self.distances(settings, size, false);
        let errors = drawn.apart(&whole);
        let at = |part: f64| errors[((errors.len() - 1) as f64 * part) as usize];
        (at(0.5), at(0.95))
    }
}

/// Three looks at a map of 3 × 3 tiles: near the ground, at a hill, from far above.
const VIEWS: [&str; 3] = [
    "camera.mode=fly camera.target=[0.0,0.35,-0.5] camera.distance=0.5 camera.pitch=6",
    "camera.distance=1.5 camera.pitch=20",
    "camera.distance=7 camera.pitch=35",
];

#[test]
fn hills_are_drawn_accurately_within_one_pixel() {
    let mut desk = Desk::of_way(GroundPath::Raster);
    let base = "view.render_type=triangles view.tile=3 surface.iterations=10 surface.hurst=1 \
        surface.height_scale=0.4";
    desk.update(&scene(base));
    for view in VIEWS {
        let (median, most) = desk.errors(&format!("{base} {view}"), (1280, 720));
        assert!(median <= 0.5 && most <= 1.0, "{median} {most} px: {view}");
    }
}

#[test]
fn more_detail_is_nearer_to_the_truth() {
    let mut desk = Desk::of_way(GroundPath::Raster);
    let base = "view.render_type=triangles view.tile=2 surface.iterations=9 \
        surface.height_scale=0.4";
    desk.update(&scene(base));
    let mut last = 0.0;
    for detail in ["0.25", "0.5", "1", "2"] {
        let settings = format!("{base} {} view.detail={detail}", VIEWS[1]);
        let (_, error) = desk.errors(&settings, (320, 180));
        assert!(error > last, "{error} px at {detail}, {last} px before");
        last = error;
    }
    let settings = format!("{base} {}", VIEWS[1]);
    let whole = desk.distances(&settings, (320, 180), true);
    assert_eq!(
        whole.errors(&whole).iter().copied().fold(0.0, f32::max),
        0.5
    );
}

#[test]
fn lines_stay_distinct_however_fine_the_map() {
    let mut desk = Desk::of_way(GroundPath::Raster);
    let mut mean_of = |iterations: u32| {
        let settings = format!(
            "view.render_type=lines view.tile=3 surface.iterations={iterations} \
             surface.height_scale=0.3 camera.distance=1 camera.pitch=60"
        );
        desk.update(&scene(&settings));
        let facade = desk.headless.facade();
        let drawn = desk.renderer.draw(facade, &scene(&settings), (320, 180));
        drawn.expect("a picture");
        let picture = desk.renderer.read_picture().expect("its pixels");
        let sum: u64 = picture.as_slice().iter().map(|p| u64::from(p[1])).sum();
        sum as f64 / (320.0 * 180.0)
    };
    let (coarse, fine) = (mean_of(8), mean_of(10));
    assert!((30.0..200.0).contains(&fine), "mean brightness {fine}");
    assert!((fine / coarse - 1.0).abs() < 0.3, "{coarse} and {fine}");
}

/// The n-th of numbers in 0…1 that are spread as evenly as possible and are the same every time.
fn spread(n: usize, by: f64) -> f64 {
    (n as f64 * by).fract()
}

/// Maps of every kind: rough, smooth, tiny, without and with borders that join, not square.
const MAPS: [&str; 5] = [
    "surface.iterations=8 surface.hurst=0.2",
    "surface.iterations=9",
    "surface.iterations=2",
    "surface.iterations=8 surface.diamond_square.edges=free",
    "surface.generator=image surface.input=assets/heightmaps/jacksboro.png",
];
const DETAILS: [&str; 5] = ["0.25", "1", "2.2", "4", "8"];

#[test]
fn the_ground_has_no_holes_from_above() {
    let mut desk = Desk::of_way(GroundPath::Raster);
    for (index, map) in MAPS.iter().enumerate() {
        let base = format!(
            "{map} surface.height_scale=0.3 view.tile={}",
            16 - 2 * index
        );
        desk.update(&scene(&base));
        for n in index * 24..(index + 1) * 24 {
            // Steep enough to see nothing but ground.
            let settings = format!(
                "{base} view.detail={} camera.bearing={} camera.pitch={} camera.distance={} \
                 camera.target=[{},0.0,{}]",
                DETAILS[n % 5],
                spread(n, 0.618) * 360.0,
                60.0 + spread(n, 0.37) * 30.0,
                0.3 + spread(n, 0.73) * 2.5,
                spread(n, 0.41) * 2.0 - 1.0,
                spread(n, 0.29) * 2.0 - 1.0,
            );
            let seen = desk.distances(&settings, (160, 90), false);
            let holes = seen.pixels.as_slice().iter().filter(|d| d.is_infinite());
            assert_eq!(holes.count(), 0, "{settings}");
        }
    }
}

#[test]
fn the_sky_is_never_seen_through_the_ground() {
    let mut desk = Desk::of_way(GroundPath::Raster);
    for (index, map) in MAPS.iter().enumerate() {
        let base = format!("{map} surface.height_scale=0.4 view.tile={}", 1 + index);
        desk.update(&scene(&base));
        for n in index * 16..(index + 1) * 16 {
            let settings = format!(
                "{base} view.detail={} camera.bearing={} camera.pitch={} camera.distance={}",
                DETAILS[n % 5],
                spread(n, 0.618) * 360.0,
                5.0 + spread(n, 0.37) * 40.0,
                1.0 + spread(n, 0.73) * 4.0,
            );
            let drawn = desk.distances(&settings, (192, 108), false).pixels;
            let enclosed = enclosed(&drawn);
            if !enclosed.is_empty() {
                // A notch between two peaks may be narrower above than a pixel.
                let whole = desk.distances(&settings, (192, 108), true).pixels;
                let hole = enclosed
                    .iter()
                    .find(|(r, c)| around(&whole, *r, *c).all(|(r, c)| whole.at(r, c).is_finite()));
                assert_eq!(hole, None, "a hole: {settings}");
            }
        }
    }
}

/// A pixel and those beside it.
fn around(
    pixels: &Grid<f32>,
    row: usize,
    column: usize,
) -> impl Iterator<Item = (usize, usize)> + use<> {
    let rows = row.saturating_sub(1)..(row + 2).min(pixels.rows());
    let columns = column.saturating_sub(1)..(column + 2).min(pixels.columns());
    rows.flat_map(move |r| columns.clone().map(move |c| (r, c)))
}

/// Pixels without ground that have ground all around them: above a height field the sky reaches
/// up to the border of the picture.
fn enclosed(pixels: &Grid<f32>) -> Vec<(usize, usize)> {
    let (rows, columns) = (pixels.rows(), pixels.columns());
    let mut empty: Vec<bool> = pixels.as_slice().iter().map(|d| d.is_infinite()).collect();
    let all = (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c)));
    let on_border = |r: usize, c: usize| r == 0 || c == 0 || r == rows - 1 || c == columns - 1;
    let mut open: Vec<_> = all.clone().filter(|(r, c)| on_border(*r, *c)).collect();
    while let Some((row, column)) = open.pop() {
        if std::mem::take(&mut empty[row * columns + column]) {
            open.extend(around(pixels, row, column));
        }
    }
    all.filter(|(r, c)| empty[r * columns + c]).collect()
}
