//! What pictures show of what water has done, and of snow.

use crate::pictures::{Picture, check_golden, difference, landscape, scene};
use landform::covers;
use landform::job::Job;
use landform::pipeline::Landscape;
use landform::render::picture;
use landform::texture::Palette;

/// Land on which there is something of each cover.
pub const ERODED: &str = "modifiers=[{kind=\"erosion\",erosion={age=1.5,deposition=1.0}}] \
    surface.generator=fourier surface.hurst=0.9 surface.height_scale=0.3 surface.iterations=7 \
    teximage.iterations=7 view.palette=alpine";

fn take(settings: &str, size: (u32, u32)) -> Picture {
    picture(&landscape(&scene(settings)), size).expect("a picture")
}

#[test]
fn eroded_land_matches_the_golden_one() {
    let settings = format!("{ERODED} camera.pitch=25 camera.distance=1.2 fog.enabled=false");
    check_golden("landscape_covers", &take(&settings, (192, 120))).expect("the golden picture");
}

#[test]
fn covers_appear_only_where_land_has_eroded() {
    let size = (96, 64);
    for render_type in ["landscape", "map", "triangles", "teximage", "rendered"] {
        let eroded = format!("{ERODED} view.render_type={render_type}");
        let with = take(&eroded, size);
        let without = take(&format!("{eroded} material.covers=0"), size);
        let seen = difference(&with, &without);
        assert!(seen > 0.003, "{render_type}: {seen}");
        let raw = "surface.iterations=6 teximage.iterations=6 view.palette=alpine";
        let raw = format!("{raw} view.render_type={render_type}");
        assert!(take(&raw, size) == take(&format!("{raw} material.covers=0"), size));
    }
}

#[test]
fn the_map_shows_the_colours_of_the_land() {
    let landscape = landscape(&scene(&format!("{ERODED} view.render_type=map")));
    let palette = Palette::named("alpine").unwrap();
    let lying = covers::on(&landscape.heights, &palette.covers, &Job::new()).unwrap();
    let lying = lying.expect("covers");
    assert!(landscape.covers.as_deref() == Some(&lying));
    let over = |color: [f32; 3], [east, south]: [f32; 2]| lying.over(color, east, south);
    let (apart, bare) = apart_on_the_map(&landscape, over);
    assert!(apart < 1.5 && bare > 3.0 * apart, "{apart} {bare}");
}

/// Mean differences of a map of one tile, in steps of 255, from the colours of palette `alpine` under something, and from
/// these colours alone. `over` puts it over a colour at a place of the tile, 0…1.
pub fn apart_on_the_map(
    landscape: &Landscape,
    over: impl Fn([f32; 3], [f32; 2]) -> [f32; 3],
) -> (f64, f64) {
    let map = &landscape.heights;
    let palette = Palette::named("alpine").unwrap();
    let shown = picture(landscape, (280, 280)).expect("a picture");
    let (low, high) = map.range();
    // The tile fills all but 11 pixels on each side.
    let tile = 280.0 - 22.0;
    let (mut apart, mut bare) = (0.0, 0.0);
    for row in 11..269 {
        for column in 11..269 {
            let [east, south] = [column, row].map(|pixel| (pixel as f32 - 10.5) / tile);
            let height = map.height_at(2.0 * east - 1.0, 2.0 * south - 1.0);
            let color = palette
                .color((height - low) / (high - low))
                .map(|v| v * 255.0);
            let wanted = over(color, [east, south]);
            for (i, value) in shown.at(row, column).into_iter().enumerate() {
                apart += f64::from((f32::from(value) - wanted[i]).abs());
                bare += f64::from((f32::from(value) - color[i]).abs());
            }
        }
    }
    let count = 3.0 * 258.0 * 258.0;
    (apart / count, bare / count)
}

#[test]
fn snow_lies_lower_to_the_north() {
    // A roof from east to west, seen from above in light from above.
    let roof = "surface.generator=formula surface.formula.expression=0.6*(1-abs(z)) \
        surface.iterations=6 camera.mode=top light.elevation=90 light.shadows=false \
        light.occlusion=false fog.enabled=false sky.coverage=0 material.rock_slope=90 \
        material.detail=0";
    let mean = |palette: &str, rows: std::ops::Range<usize>| {
        let shown = take(&format!("{roof} view.palette={palette}"), (96, 96));
        let places = rows.flat_map(|row| (30..66).map(move |column| (row, column)));
        let values: Vec<f64> = places
            .flat_map(|(row, column)| shown.at(row, column).map(f64::from))
            .collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    for (palette, has_snow) in [("summits", true), ("alpine", true), ("grey", false)] {
        let (north, south) = (mean(palette, 20..48), mean(palette, 48..76));
        let lower = north - south > 5.0;
        assert_eq!(lower, has_snow, "{palette}: {north} {south}");
    }
}

/// Share of a picture from straight above that is snow, and number of pixels that differ in that from the next ones.
fn snow_and_borders(detail: f32) -> (f64, usize) {
    let (width, height) = (192, 192);
    let picture = take(
        &format!(
            "surface.generator=fourier surface.iterations=7 surface.hurst=0.9 surface.height_scale=0.3 \
             view.render_type=landscape snow.enabled=true snow.line=0 camera.mode=top camera.distance=0.7 \
             light.elevation=70 sky.coverage=0 fog.enabled=false material.detail={detail}"
        ),
        (width, height),
    );
    let is_snow =
        |row: usize, column: usize| picture.row(row)[column].iter().all(|part| *part > 170);
    let (width, height) = (width as usize, height as usize);
    let (mut snow, mut borders) = (0, 0);
    for (row, column) in (1..height).flat_map(|row| (1..width).map(move |column| (row, column))) {
        let here = is_snow(row, column);
        snow += usize::from(here);
        borders += usize::from(here != is_snow(row - 1, column));
        borders += usize::from(here != is_snow(row, column - 1));
    }
    (snow as f64 / (width * height) as f64, borders)
}

#[test]
fn rough_ground_has_ragged_borders_of_snow() {
    let [smooth, rough] = [0.0, 1.0].map(snow_and_borders);
    assert!((smooth.0 - rough.0).abs() < 0.02, "{smooth:?} {rough:?}");
    assert!(4 * rough.1 > 5 * smooth.1, "{smooth:?} {rough:?}");
}
