//! Water: what it covers, what it mirrors, what is seen through it.

use crate::pictures::{Picture, check_golden, difference, landscape, scene};
use landform::job::Job;
use landform::render::{HeadlessRenderer, RenderRequest, picture};
use landform::scene::Scene;
use landform::texture::waves;

const SIZE: (u32, u32) = (160, 100);

/// A mountain in the sea, and nothing else that could matter.
const ISLAND: &str = "surface.seed=16 surface.iterations=6 surface.hurst=0.85 \
    modifiers.0.kind=normalize modifiers.0.normalize.low=-0.3 modifiers.0.normalize.high=0.45 \
    modifiers.1.kind=island light.bearing=220 light.elevation=45 light.shadows=false \
    light.occlusion=false sky.coverage=0 fog.enabled=false water.sand=0 water.waves=0";
/// The same, drowned: no land at all.
const SEA: &str = "surface.iterations=3 surface.height_scale=0.1 sky.coverage=0 \
    fog.enabled=false water.enabled=true water.level=1 camera.target=[0,1,0]";

fn draw(settings: &str) -> Picture {
    picture(&landscape(&scene(settings)), SIZE).expect("a picture")
}

/// The mean colour of some columns of a row.
fn row(picture: &Picture, row: usize) -> [f64; 3] {
    std::array::from_fn(|i| {
        let values = (0..picture.columns()).map(|column| f64::from(picture.at(row, column)[i]));
        values.sum::<f64>() / picture.columns() as f64
    })
}

fn brightness(color: [f64; 3]) -> f64 {
    0.3 * color[0] + 0.6 * color[1] + 0.1 * color[2]
}

/// For each pixel of a map seen from straight above, the height there.
fn heights(scene: &Scene) -> Vec<f32> {
    let map = landscape(scene).heights;
    let half = scene.camera.distance * (scene.camera.fov.to_radians() * 0.5).tan();
    let step = 2.0 * half / SIZE.1 as f32;
    let place = |at: u32, count: u32| (at as f32 + 0.5 - count as f32 * 0.5) * step;
    let rows = (0..SIZE.1).flat_map(|row| (0..SIZE.0).map(move |column| (row, column)));
    rows.map(|(row, column)| {
        let (x, z) = (place(column, SIZE.0), place(row, SIZE.1));
        // Beyond the tile there is only sea.
        match x.abs() < 0.99 && z.abs() < 0.99 {
            true => map.height_at(x, z),
            false => f32::MIN,
        }
    })
    .collect()
}

#[test]
fn there_is_none_unless_asked_for() {
    assert!(!Scene::default().water.enabled);
    let settings = "water.level=0.2 water.sand=0.3 water.waves=1 water.color=moor water.time=9";
    let plain = "surface.iterations=5";
    assert!(draw(plain) == draw(&format!("{plain} {settings}")));
}

#[test]
fn it_covers_what_is_lower_and_nothing_else() {
    let above = format!("{ISLAND} camera.mode=top camera.bearing=0 camera.distance=2");
    let dry = draw(&above);
    let wet_scene = scene(&format!("{above} water.enabled=true"));
    let wet = picture(&landscape(&wet_scene), SIZE).expect("a picture");
    let (mut land, mut sea, mut blue) = (0, 0, 0);
    for (index, height) in heights(&wet_scene).into_iter().enumerate() {
        let (dry, wet) = (dry.as_slice()[index], wet.as_slice()[index]);
        if height > 0.05 {
            land += 1;
            assert_eq!(dry, wet, "land at {index}, {height}");
        } else if height < -0.05 {
            sea += 1;
            assert!(wet != dry, "sea at {index}: {wet:?}");
            blue += usize::from(wet[2] > wet[0]);
        }
    }
    assert!(land > 200 && sea > 3000, "{land} {sea}");
    assert!(blue * 10 > sea * 9, "{blue} of {sea}");
}

#[test]
fn deep_water_is_dark_and_clear_water_transparent() {
    let above = format!("{ISLAND} camera.mode=top camera.bearing=0 camera.distance=2");
    let bright = |settings: &str, depths: std::ops::Range<f32>| {
        let scene = scene(&format!(
            "{above} water.enabled=true water.sand=0.01 {settings}"
        ));
        let picture = picture(&landscape(&scene), SIZE).expect("a picture");
        let heights = heights(&scene);
        let at = heights.iter().zip(picture.as_slice());
        let at = at.filter(|(height, _)| depths.contains(&(scene.water.level - **height)));
        let values: Vec<f64> = at
            .map(|(_, color)| brightness(color.map(f64::from)))
            .collect();
        assert!(values.len() > 30, "{settings}: {}", values.len());
        values.iter().sum::<f64>() / values.len() as f64
    };
    let (shallow, deep) = (0.005..0.03, 0.15..0.3);
    for color in ["sea", "tropic", "lake", "moor"] {
        let settings = format!("water.color={color}");
        let difference = bright(&settings, shallow.clone()) - bright(&settings, deep.clone());
        assert!(difference > 15.0, "{color}: {difference}");
    }
    let clear = bright("water.clarity=0.5", deep.clone());
    assert!(clear > bright("water.clarity=0.02", deep) + 10.0);
}

#[test]
fn sea_reflects_sky_at_grazing_angles_only() {
    let sea = format!("{SEA} water.waves=0 camera.distance=1 light.bearing=210 camera.bearing=0");
    let along = draw(&format!("{sea} camera.pitch=1"));
    let (above, below) = (row(&along, 30), row(&along, 62));
    let down = row(&draw(&format!("{sea} camera.pitch=85")), 50);
    assert!(
        brightness(below) > 0.6 * brightness(above),
        "{above:?} {below:?}"
    );
    assert!(
        brightness(down) < 0.6 * brightness(above),
        "{down:?} {above:?}"
    );
    // Waves show darker faces.
    let rough = row(&draw(&format!("{sea} water.waves=1 camera.pitch=1")), 62);
    assert!(
        brightness(rough) < brightness(below) - 5.0,
        "{rough:?} {below:?}"
    );
}

#[test]
fn calm_water_mirrors_the_land() {
    let low = format!(
        "{ISLAND} water.enabled=true water.waves=0 camera.pitch=0.5 camera.distance=1.3 \
         camera.bearing=0 camera.target=[0,0.01,0] water.color=lake light.bearing=110"
    );
    let lake = draw(&low);
    let sea = draw(&format!("{low} modifiers.0.normalize.high=-0.2"));
    // Where there is land, or its image, the picture is not that of the open sea.
    let is_land = |picture: &Picture, row: usize, column: usize| {
        let color = |picture: &Picture| picture.at(row, column).map(i32::from);
        let (land, sea) = (color(picture), color(&sea));
        land.iter()
            .zip(sea)
            .any(|(land, sea)| (land - sea).abs() > 12)
    };
    let (mut land, mut mirrored) = (0, 0);
    for up in 4..12 {
        for column in 0..SIZE.0 as usize {
            if is_land(&lake, 49 - up, column) {
                land += 1;
                mirrored += usize::from(is_land(&lake, 50 + up, column));
            }
        }
    }
    assert!(land > 60, "{land}");
    assert!(mirrored * 10 > land * 8, "{mirrored} of {land}");
}

#[test]
fn an_eye_below_it_sees_none() {
    let deep = format!("{ISLAND} camera.distance=2");
    let dry = draw(&deep);
    let below = draw(&format!("{deep} water.enabled=true water.level=20"));
    assert!(difference(&dry, &below) < 0.001);
}

#[test]
fn a_sea_below_the_land_lies_around_it() {
    let low = format!("{ISLAND} water.level=-3 camera.distance=4 camera.pitch=20");
    let dry = draw(&low);
    let wet = draw(&format!("{low} water.enabled=true"));
    let part = difference(&dry, &wet);
    assert!((0.2..0.9).contains(&part), "{part}");
}

#[test]
fn shadows_on_the_sea_go_on_beyond_the_tile_as_far_as_the_land_is_high() {
    let seen = format!(
        "{ISLAND} water.enabled=true water.color=glacier camera.mode=top camera.bearing=0 camera.distance=8 \
         light.bearing=0 light.elevation=6"
    );
    let scene = scene(&seen);
    let (lit, shaded) = (draw(&seen), draw(&format!("{seen} light.shadows=true")));
    let map = landscape(&scene).heights;
    // Above the sea, the height up to which a place south of the tile is in shadow.
    let slope = 6.0_f32.to_radians().tan();
    let top = |x: f32, z: f32| {
        let norths = (0..400).map(|step| 1.0 - step as f32 * 0.005);
        let heights = norths.map(|north| map.height_at(x, north) - (z - north) * slope);
        heights.fold(f32::NEG_INFINITY, f32::max)
    };
    let half = scene.camera.distance * (scene.camera.fov.to_radians() * 0.5).tan();
    let step = 2.0 * half / SIZE.1 as f32;
    let (mut dark, mut bright) = (0, 0);
    for row in 0..SIZE.1 {
        for column in 0..SIZE.0 {
            let place = |at: u32, count: u32| (at as f32 + 0.5 - count as f32 * 0.5) * step;
            let (x, z) = (place(column, SIZE.0), place(row, SIZE.1));
            if z < 1.02 || x.abs() > 0.95 {
                continue;
            }
            let [lit, shaded] = [&lit, &shaded].map(|picture| {
                brightness(picture.at(row as usize, column as usize).map(f64::from))
            });
            let top = top(x, z);
            if top > 0.03 {
                dark += 1;
                assert!(lit - shaded > 2.0, "{x} {z}: {lit} {shaded}");
            } else if top < -0.01 {
                bright += 1;
                assert!(lit - shaded < 1.0, "{x} {z}: {lit} {shaded}");
            }
        }
    }
    assert!(dark >= 10 && bright > 200, "{dark} {bright}");
}

#[test]
fn shadows_on_the_sea_are_those_of_the_scene_shown_last() {
    let island = format!(
        "{ISLAND} camera.mode=top camera.bearing=0 camera.distance=12 light.shadows=true \
         light.elevation=6"
    );
    let mut kept = HeadlessRenderer::new().expect("OpenGL 3.3");
    let mut before: Option<Picture> = None;
    // Each changes one of those that the shadow depends on.
    for settings in [
        "water.enabled=true light.bearing=0",
        "water.enabled=true light.bearing=0 view.tile=2",
        "water.enabled=true light.bearing=90 view.tile=2",
        "water.enabled=false light.bearing=90 view.tile=2",
        "water.enabled=true light.bearing=90 view.tile=1",
        "water.enabled=true light.bearing=90 view.tile=1 light.shadows=false",
        "water.enabled=true light.bearing=90 view.tile=1 surface.seed=17",
    ] {
        let scene = scene(&format!("{island} {settings}"));
        let shown = kept.picture(&landscape(&scene), SIZE).expect("a picture");
        assert!(shown == draw(&format!("{island} {settings}")), "{settings}");
        assert!(
            before
                .replace(shown.clone())
                .is_none_or(|before| before != shown),
            "{settings}"
        );
    }
}

#[test]
fn transparent_pictures_have_solid_sea_up_to_horizon() {
    let scene = scene(&format!("{SEA} camera.pitch=0.5 camera.distance=1"));
    let mut studio = HeadlessRenderer::new().expect("OpenGL 3.3");
    let shot = RenderRequest {
        transparent: true,
        ..RenderRequest::new(SIZE)
    };
    let mut pixels = Vec::new();
    studio
        .expose(
            &landscape(&scene),
            &scene.camera,
            shot,
            &Job::new(),
            |band| {
                pixels.extend_from_slice(band.as_slice());
                Ok::<_, Box<dyn std::error::Error>>(())
            },
        )
        .expect("a picture");
    let columns = SIZE.0 as usize;
    let alphas = |rows: std::ops::Range<usize>| {
        pixels[rows.start * columns..rows.end * columns]
            .iter()
            .map(|pixel| pixel[3])
    };
    assert!(alphas(0..47).all(|alpha| alpha == 0));
    assert!(alphas(52..100).all(|alpha| alpha == 255));
}

#[test]
fn waves_move_with_time_always_the_same_way() {
    let sea = format!("{SEA} camera.pitch=20 camera.distance=0.3 water.waves=0.5");
    let (first, again) = (draw(&sea), draw(&sea));
    assert!(first == again);
    let later = draw(&format!("{sea} water.time=0.7"));
    let pairs = first.as_slice().iter().zip(later.as_slice());
    assert!(pairs.filter(|(a, b)| a != b).count() > 4000);
}

#[test]
fn wave_textures_repeat_and_keep_mean_square_slope() {
    let waves = waves::Waves::new(60.0);
    let still = waves.texture(0.0, &Job::new()).expect("waves");
    let later = waves.texture(100_000.0, &Job::new()).expect("waves");
    assert!(still != later);
    let side = waves::SIDE;
    for texture in [&still, &later] {
        let mean = |channel: usize| {
            let values = texture.as_slice().iter().map(|t| f64::from(t[channel]));
            values.sum::<f64>() / (side * side) as f64
        };
        for channel in 0..3 {
            assert!((mean(channel) - 128.0).abs() < 3.0, "{}", mean(channel));
        }
        // Two standard deviations squared, halved, in units of SLOPES squared.
        let expected = 255.0 / f64::from(waves::SLOPES * waves::SLOPES);
        assert!((mean(3) / expected - 1.0).abs() < 0.1, "{}", mean(3));
        let step = |a: usize, b: usize| {
            let pairs = (0..side).map(|row| texture.at(row, a)[0].abs_diff(texture.at(row, b)[0]));
            pairs.map(f64::from).sum::<f64>()
        };
        assert!(step(side - 1, 0) < 1.5 * step(17, 18), "no seam");
    }
}

/// Open sea towards a low sun or moon.
fn glitter(settings: &str) -> Picture {
    draw(&format!(
        "{SEA} camera.bearing=0 camera.pitch=8 camera.distance=1 light.bearing=0 \
         light.elevation=15 light.shadows=false water.waves=0.3 water.wave_length=0.03 {settings}"
    ))
}

#[test]
fn glitter_is_not_clipped_to_white() {
    for light in ["sun", "moon"] {
        let shown = glitter(&format!("sky.light={light}"));
        let sea = &shown.as_slice()[40 * shown.columns()..];
        let is_white = |color: &&[u8; 3]| color.iter().all(|channel| *channel >= 250);
        let white = sea.iter().filter(is_white).count();
        assert!(white < 5, "{light}: {white}");
        let brightest = sea.iter().map(|color| brightness(color.map(f64::from)));
        assert!(brightest.fold(0.0, f64::max) > 220.0, "{light}");
    }
}

#[test]
fn glitter_widens_with_waves() {
    let widths = [0.03, 0.1, 0.3].map(|waves| {
        let shown = glitter(&format!("water.waves={waves}"));
        let has_glint = |column: &usize| {
            let mut rows = 70..95;
            rows.any(|row| brightness(shown.at(row, *column).map(f64::from)) > 160.0)
        };
        (0..shown.columns()).filter(has_glint).count()
    });
    assert!(
        widths[0] * 3 < widths[1] * 2 && widths[1] * 3 < widths[2] * 2,
        "{widths:?}"
    );
}

#[test]
fn glitter_breaks_up_into_glints() {
    let shown = glitter("");
    // Near the viewer and away from its middle, dark water lies between bright pixels.
    let rows = shown.as_slice().chunks(shown.columns()).skip(74).take(20);
    let values = rows.flat_map(|row| {
        let value = |color: &[u8; 3]| brightness(color.map(f64::from));
        [&row[68..76], &row[86..94]].map(|part| part.iter().map(value).collect::<Vec<_>>())
    });
    let all: Vec<f64> = values.flatten().collect();
    let count = |is: fn(f64) -> bool| all.iter().filter(|value| is(**value)).count();
    let (bright, dark) = (count(|value| value > 180.0), count(|value| value < 110.0));
    assert!(
        bright * 50 > all.len() && dark * 2 > all.len(),
        "{bright} {dark}"
    );
}

#[test]
fn clouds_are_no_bars_on_the_sea() {
    for settings in ["camera.bearing=0", "camera.bearing=100", "water.waves=0.5"] {
        let shown = draw(&format!(
            "{SEA} sky.coverage=0.4 clouds.iterations=8 water.waves=0.1 camera.pitch=4 \
             camera.distance=3 camera.fov=30 camera.bearing=200 light.elevation=40 \
             light.bearing=300 light.shadows=false {settings}"
        ));
        let rows: Vec<f64> = (40..90).map(|at| brightness(row(&shown, at))).collect();
        // Bars make the sea brighter and darker again.
        let turns = rows
            .windows(3)
            .map(|rows| (rows[1] - rows[0]).min(rows[1] - rows[2]).max(0.0));
        let most = turns.fold(0.0, f64::max);
        assert!(most < 0.7, "{settings}: {most} {rows:?}");
    }
}

#[test]
fn calm_sea_mirrors_shapes_of_clouds() {
    let shown = draw(&format!(
        "{SEA} sky.coverage=0.5 clouds.iterations=8 water.waves=0.03 camera.pitch=2 camera.distance=1 \
         camera.fov=60 camera.bearing=100 light.elevation=40 light.bearing=300 light.shadows=false"
    ));
    let columns = shown.columns();
    let apart = |at: usize| {
        let mean = brightness(row(&shown, at));
        (0..columns).map(move |column| (column, mean))
    };
    let values = |at: usize| {
        let value = |(column, mean)| brightness(shown.at(at, column).map(f64::from)) - mean;
        apart(at).map(value).collect::<Vec<_>>()
    };
    // The horizon is two degrees above the middle.
    let horizon = 46;
    let (mut both, mut above, mut below) = (0.0, 0.0, 0.0);
    for up in 12..36 {
        for (sky, sea) in values(horizon - up).iter().zip(values(horizon + up)) {
            both += sky * sea;
            above += sky * sky;
            below += sea * sea;
        }
    }
    let correlation = both / f64::sqrt(above * below);
    assert!(correlation > 0.7, "{correlation}");
}

/// A gentle beach that faces the wind.
const BEACH: &str = "surface.generator=formula surface.iterations=8 surface.formula.wrap=false \
    surface.formula.expression=0.05*(x+0.25*sin(3*z)) view.palette=island water.enabled=true \
    water.wave_length=0.01 water.waves=0.4 sky.coverage=0 light.elevation=40 light.bearing=200 \
    camera.target=[0,0,0] camera.bearing=0";

/// The beach from above with these settings, and the height of the ground at each of its pixels.
fn beach_from_above(settings: &str) -> (Picture, Vec<f32>) {
    let scene = scene(&format!(
        "{BEACH} camera.mode=top camera.distance=0.06 {settings}"
    ));
    let shown = picture(&landscape(&scene), SIZE).expect("a picture");
    (shown, heights(&scene))
}

/// Share of pixels on ground between two heights that are as white as foam.
fn white_share((shown, heights): &(Picture, Vec<f32>), between: std::ops::Range<f32>) -> f64 {
    let pixels = heights.iter().zip(shown.as_slice());
    let pixels: Vec<_> = pixels
        .filter(|(height, _)| between.contains(height))
        .collect();
    assert!(pixels.len() > 50, "{} pixels", pixels.len());
    let is_white = |color: &[u8; 3]| color[2] > 190 && color[0].abs_diff(color[2]) < 30;
    pixels.iter().filter(|(_, color)| is_white(color)).count() as f64 / pixels.len() as f64
}

#[test]
fn waves_break_in_two_lines_of_foam() {
    let windy = beach_from_above("");
    // Waves of 0.37 m, of which the highest break in 0.8 m of water; a half tile is 1000 m.
    let [dry, edge, between, breakers, deep] = [
        0.0008..0.002,
        -0.0001..0.0,
        -0.0005..-0.00045,
        -0.0009..-0.0007,
        -0.003..-0.0015,
    ]
    .map(|heights| white_share(&windy, heights));
    assert!(dry == 0.0 && deep == 0.0, "{dry} {deep}");
    assert!(edge > 0.3, "{edge}");
    assert!(breakers > 0.1 && breakers < edge, "{breakers} {edge}");
    assert!(between < breakers, "{between} {breakers}");
    let later = beach_from_above("water.time=2");
    assert!(difference(&windy.0, &later.0) > 0.1);
}

#[test]
fn ponds_and_still_water_have_no_foam() {
    for settings in ["water.waves=0", "surface.tile_size_m=20"] {
        let calm = beach_from_above(settings);
        assert!(white_share(&calm, -0.001..0.0) == 0.0, "{settings}");
    }
}

#[test]
fn ground_that_waves_reach_is_darker() {
    let [(still, _), (windy, heights)] = ["water.waves=0", ""].map(beach_from_above);
    let brightness_of = |picture: &Picture, between: std::ops::Range<f32>| {
        let pixels = heights.iter().zip(picture.as_slice());
        let values = pixels.filter(|(height, _)| between.contains(height));
        let values = values.map(|(_, color)| brightness(color.map(f64::from)));
        let values: Vec<f64> = values.collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    let reached = 0.0001..0.0003;
    assert!(brightness_of(&windy, reached.clone()) < 0.9 * brightness_of(&still, reached));
    let dry = 0.0012..0.002;
    assert_eq!(
        brightness_of(&windy, dry.clone()),
        brightness_of(&still, dry)
    );
}

#[test]
fn shore_looks_as_it_did() {
    let shown = draw(&format!(
        "{BEACH} camera.distance=0.05 camera.bearing=20 camera.pitch=15"
    ));
    check_golden("water_shore", &shown).unwrap();
}

#[test]
fn water_looks_as_it_did() {
    let island = "surface.seed=16 surface.iterations=7 surface.hurst=0.85 clouds.iterations=4 \
        modifiers.0.kind=normalize modifiers.0.normalize.low=-0.1 modifiers.0.normalize.high=0.45 \
        modifiers.1.kind=island water.enabled=true light.bearing=220 light.elevation=50 \
        camera.pitch=14 camera.distance=2";
    let rows = [
        ("water_island", "water.color=tropic water.clarity=0.08"),
        (
            "water_lake",
            "surface.hurst=0.9 view.tile=3 water.color=lake water.waves=0.1 water.level=0.1 \
             light.bearing=45 light.elevation=6 camera.pitch=6 camera.distance=1.2",
        ),
        (
            "water_night",
            "sky.light=moon light.bearing=20 light.elevation=30 camera.pitch=8 water.wave_length=0.03",
        ),
    ];
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(name, settings)| {
            let shown = draw(&format!("{island} {settings}"));
            check_golden(name, &shown).err()
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
