//! The scale bar.

use landform::analysis::RoundLength;

use crate::offscreen::Desk;
use crate::pictures::{Picture, landscape, scene};

const SIZE: (u32, u32) = (400, 300);

/// The length of the bar in a picture, which differs from that without it.
fn bar(with: &Picture, without: &Picture) -> usize {
    let is_ink = |row: usize, column: usize| {
        let changed = with.at(row, column) != without.at(row, column);
        changed && with.at(row, column).iter().all(|value| *value > 150)
    };
    let run = |row: usize| {
        let (mut longest, mut now) = (0, 0);
        for column in 0..with.columns() {
            now = if is_ink(row, column) { now + 1 } else { 0 };
            longest = longest.max(now);
        }
        longest
    };
    (0..with.rows()).map(run).max().unwrap_or(0)
}

#[test]
fn bar_length_matches_ground_at_the_picture_centre() {
    let mut desk = Desk::new();
    let flat = "surface.iterations=5 surface.height_scale=0.001 surface.hurst=1 \
                camera.pitch=90 view.palette=grey";
    // 1154.7 m of a tile of 2 km are 300 pixels high from a half tile away.
    let rows = [
        ("view.render_type=map", 1.0, 500.0 / (2000.0 / 276.0)),
        ("view.render_type=triangles", 1.0, 200.0 / 3.849),
        ("view.render_type=landscape", 1.0, 200.0 / 3.849),
        ("view.render_type=rendered", 1.0, 200.0 / 3.849),
        ("view.render_type=lines", 1.0, 200.0 / 3.849),
        (
            "view.render_type=landscape camera.mode=top",
            1.0,
            200.0 / 3.849,
        ),
        ("view.render_type=landscape", 0.3, 100.0 / (0.3 * 3.849)),
        (
            "view.render_type=landscape view.tile=3",
            1e-5,
            2e-3 / 3.849e-5,
        ),
    ];
    for (shown, distance, pixels) in rows {
        let ground = landscape(&scene(&format!("{flat} {shown}")));
        let below = landform::camera::Ground::of(&ground).unwrap();
        let y = below.height_near(0.1, 0.2, 1e-9);
        let settings =
            format!("{flat} {shown} camera.target=[0.1,{y},0.2] camera.distance={distance}");
        let without = desk.take(&settings, SIZE);
        let with = desk.take(&format!("{settings} view.scale_bar=true"), SIZE);
        let length = bar(&with, &without);
        assert!(
            (length as f64 - pixels).abs() < 2.0,
            "{shown} {distance}: {length} {pixels}"
        );
        // It lies in its corner, and the rest of the picture is as it was.
        for (index, (a, b)) in with.as_slice().iter().zip(without.as_slice()).enumerate() {
            let (row, column) = (index / with.columns(), index % with.columns());
            assert!(
                a == b || row > 240 && column > 250,
                "{shown}: {row} {column}"
            );
        }
    }
}

#[test]
fn pictures_without_ground_in_the_middle_have_none() {
    let mut desk = Desk::new();
    for shown in [
        "landscape camera.mode=fly camera.target=[0,5,0] camera.pitch=-70",
        "sky",
        "clouds",
        "1d",
    ] {
        let settings = format!("surface.iterations=4 view.render_type={shown}");
        let without = desk.take(&settings, SIZE);
        let with = desk.take(&format!("{settings} view.scale_bar=true"), SIZE);
        assert!(with == without, "{shown}");
    }
}

#[test]
fn its_lengths_are_round() {
    for (metres, words) in [
        (1.0, "1 m"),
        (1.9999, "1 m"),
        (2.0, "2 m"),
        (49.0, "20 m"),
        (999.0, "500 m"),
        (1000.0, "1 km"),
        (6.1e6, "5000 km"),
        (0.7, "50 cm"),
        (0.01, "1 cm"),
        (0.0099, "5 mm"),
        (0.001, "1 mm"),
        (3e-4, "200 µm"),
        (1e-6, "1 µm"),
        (3.1e-8, "0.02 µm"),
    ] {
        let length = RoundLength::within(metres).unwrap();
        assert_eq!(length.to_string(), words, "{metres}");
    }
    let mut metres = 1e-12;
    while metres < 1e9 {
        let length = RoundLength::within(metres).unwrap().metres();
        assert!(
            length <= metres && metres < length * 2.500_001,
            "{metres} {length}"
        );
        metres *= 1.013;
    }
    for none in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(RoundLength::within(none), None);
    }
}

/// The window draws fewer pixels while something moves.
#[test]
fn letters_of_an_enlarged_picture_are_sharp() {
    let mut desk = Desk::new();
    for settings in [
        "view.render_type=landscape view.scale_bar=true",
        "view.render_type=map analysis.contours=true analysis.legend=true",
    ] {
        let scene = scene(&format!("surface.iterations=5 {settings}"));
        desk.update(&scene);
        let sharp = desk.picture(&scene, SIZE);
        let facade = desk.headless.facade();
        let few = (SIZE.0 / 4, SIZE.1 / 4);
        let rates = landform::render::Rates::unknown();
        let begun = desk.renderer.begin(facade, &scene, few, None, rates);
        let mut small = begun.unwrap().enlarged_to(SIZE);
        while !small.is_done() {
            desk.renderer.develop(facade, &scene, &mut small).unwrap();
        }
        desk.renderer.show_enlarged(facade, &scene, small).unwrap();
        let enlarged = desk.renderer.read_picture().unwrap();
        assert_eq!(
            (enlarged.rows(), enlarged.columns()),
            (sharp.rows(), sharp.columns())
        );
        // Letters are what only the picture with them has; their whole pixels hide what is below.
        let mut bare = scene.clone();
        (bare.view.scale_bar, bare.analysis.legend) = (false, false);
        desk.update(&bare);
        let bare = desk.picture(&bare, SIZE);
        let is_ink = |value: &[u8; 3], bare: &[u8; 3]| {
            value != bare && value.iter().all(|value| *value > 180)
        };
        let (mut all, mut same) = (0, 0);
        let pairs = sharp.as_slice().iter().zip(enlarged.as_slice());
        for ((sharp, enlarged), bare) in pairs.zip(bare.as_slice()) {
            if is_ink(sharp, bare) {
                (all, same) = (all + 1, same + usize::from(sharp == enlarged));
            }
        }
        assert!(
            all > 20 && same * 10 > all * 9,
            "{settings}: {same} of {all}"
        );
    }
}
