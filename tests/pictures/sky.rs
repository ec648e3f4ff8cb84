//! The physical sky: published values, and what holds of every sky.

use crate::pictures::{check_golden, difference, landscape, scene};
use glam::Vec3;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::render::picture;
use landform::scene::{Light, Sky, SkyLight};
use landform::sky::air::{Air, haze_phase, rayleigh_phase};
use landform::sky::{Dome, Exposed, tone};
use landform::texture::clouds;
use landform::{maps, pipeline};

fn light(elevation: f32) -> Light {
    Light {
        elevation,
        bearing: 120.0,
        ..Light::default()
    }
}

fn dome(turbidity: f32, elevation: f32) -> Dome {
    Dome::new(
        &Air::new(turbidity),
        light(elevation).direction(),
        Vec3::ONE,
    )
}

/// Upright optical depths of clean air without ozone.
fn upright(air: &Air) -> Vec3 {
    let ozone = landform::sky::air::OZONE * 15.0;
    -air.transmittance(0.0, 1.0).map(f32::ln) - ozone
}

#[test]
fn clean_air_has_the_published_optical_depth() {
    // Hansen and Travis (1974), at 1013 hPa and 680, 550 and 440 nm.
    let published = Vec3::new(0.0411, 0.0973, 0.2428);
    let ratio = upright(&Air::new(1.0)) / published;
    assert!(
        ratio.max_element() < 1.15 && ratio.min_element() > 0.95,
        "{ratio}"
    );
}

#[test]
fn air_masses_are_those_of_kasten_and_young() {
    let air = Air::new(1.0);
    let depth = |elevation: f32| -air.transmittance(0.0, elevation.to_radians().sin()).z.ln();
    // Kasten and Young (1989).
    for (elevation, mass, tolerance) in [
        (60.0, 1.154, 0.02),
        (20.0, 2.904, 0.02),
        (5.0, 10.31, 0.05),
        (0.0, 38.0, 0.12),
    ] {
        let ratio = depth(elevation) / depth(90.0);
        assert!(
            (ratio / mass - 1.0).abs() < tolerance,
            "{elevation}: {ratio}, not {mass}"
        );
    }
}

#[test]
fn turbidity_is_optical_depth_relative_to_clean_air() {
    let clean = upright(&Air::new(1.0)).y;
    for turbidity in [1.5, 3.0, 8.0] {
        let ratio = upright(&Air::new(turbidity)).y / clean;
        assert!(
            (ratio / turbidity - 1.0).abs() < 0.02,
            "{turbidity}: {ratio}"
        );
    }
}

#[test]
fn phases_lose_no_light() {
    for phase in [rayleigh_phase, haze_phase] {
        let sum: f32 = (0..20_000)
            .map(|i| phase((i as f32 + 0.5) / 10_000.0 - 1.0))
            .sum();
        assert!(
            (sum * 1e-4 * std::f32::consts::TAU - 1.0).abs() < 1e-3,
            "{sum}"
        );
    }
}

/// Colour temperature of a linear sRGB light in kelvin (McCamy 1992).
fn kelvin(light: Vec3) -> f32 {
    let x = light.dot(Vec3::new(0.4124, 0.3576, 0.1805));
    let y = light.dot(Vec3::new(0.2126, 0.7152, 0.0722));
    let z = light.dot(Vec3::new(0.0193, 0.1192, 0.9505));
    let (x, y) = (x / (x + y + z), y / (x + y + z));
    let n = (x - 0.3320) / (0.1858 - y);
    449.0 * n * n * n + 3525.0 * n * n + 6823.3 * n + 5520.33
}

#[test]
fn the_sun_reddens_as_it_sets() {
    let air = Air::new(2.0);
    let temperature = |elevation: f32| kelvin(air.sunlight(0.0, elevation.to_radians().sin()));
    let [noon, afternoon, evening, sunset] = [80.0, 30.0, 10.0, 3.0].map(temperature);
    assert!((5200.0..6200.0).contains(&noon), "{noon}");
    assert!((4300.0..5600.0).contains(&afternoon), "{afternoon}");
    assert!(
        evening < afternoon && (2500.0..4000.0).contains(&evening),
        "{evening}"
    );
    assert!(sunset < evening, "{sunset}");
}

#[test]
fn clear_noon_sky_is_blue_and_brightens_downward() {
    let dome = dome(2.0, 60.0);
    let zenith = dome.radiance(Vec3::Y);
    assert!(zenith.z > 1.5 * zenith.x, "{zenith}");
    for turn in 0..12 {
        let (z, x) = (turn as f32 * std::f32::consts::FRAC_PI_6).sin_cos();
        let horizon = dome.radiance(Vec3::new(x, 0.03, z).normalize());
        assert!(
            tone::luminance(horizon) > tone::luminance(zenith),
            "{turn}: {horizon} {zenith}"
        );
    }
    // From a tenth to a quarter of the light on open ground comes from the sky.
    let diffuse = tone::luminance(dome.ambient(Vec3::Y));
    let direct = tone::luminance(dome.sun_light) * dome.sun_direction.y;
    let part = diffuse / (diffuse + direct);
    assert!((0.08..0.25).contains(&part), "{part}");
}

#[test]
fn skies_are_finite_and_change_slowly_with_sun() {
    let directions: Vec<Vec3> = (0..60)
        .map(|i| {
            let (turn, up) = (i as f32 * 2.4, (i as f32 / 30.0 - 1.0).clamp(-1.0, 1.0));
            let level = (1.0 - up * up).sqrt();
            Vec3::new(level * turn.cos(), up, level * turn.sin())
        })
        .collect();
    for turbidity in [1.0, 2.0, 10.0] {
        let air = Air::new(turbidity);
        let sky = Sky {
            turbidity,
            ..Sky::default()
        };
        let mut before: Option<Vec<Vec3>> = None;
        for step in -60..=180 {
            let exposed = Exposed::new(&air, &light(step as f32 * 0.5), &sky);
            let lights = [
                exposed.dome.sun_light,
                exposed.dome.cloud_light,
                exposed.dome.below,
            ];
            assert!(
                lights
                    .iter()
                    .all(|v| v.is_finite() && v.min_element() >= 0.0)
            );
            let shown: Vec<Vec3> = directions
                .iter()
                .map(|direction| {
                    let radiance = exposed.dome.radiance(*direction);
                    assert!(
                        radiance.is_finite() && radiance.min_element() >= 0.0,
                        "{step} {direction}"
                    );
                    assert!(exposed.dome.ambient(*direction).is_finite());
                    exposed.color(*direction)
                })
                .collect();
            if let Some(before) = before.filter(|_| step > -20) {
                for (now, before) in shown.iter().zip(&before) {
                    let change = (*now - *before).abs().max_element();
                    // Most where the edge of the Earth's shadow passes.
                    assert!(change < 0.25, "{turbidity}, {step}: {before} to {now}");
                }
            }
            before = Some(shown);
        }
    }
}

#[test]
fn twilight_is_red_near_sun_and_blue_above() {
    let [day, dusk, night] = [40.0, -4.0, -14.0].map(|elevation| dome(2.0, elevation));
    let at = |dome: &Dome, direction: Vec3| dome.radiance(direction.normalize());
    let heading = Vec3::new(dusk.sun_heading()[0], 0.03, dusk.sun_heading()[1]);
    let (glow, zenith) = (at(&dusk, heading), at(&dusk, Vec3::Y));
    assert!(
        glow.x > 1.5 * glow.z && zenith.z > 1.5 * zenith.x && zenith.y > zenith.x,
        "{glow} {zenith}"
    );
    let bright = |dome: &Dome| tone::luminance(at(dome, Vec3::Y));
    assert!(bright(&day) > 100.0 * bright(&dusk) && bright(&dusk) > 100.0 * bright(&night));
}

#[test]
fn ambient_light_is_the_cosine_weighted_sky() {
    let dome = dome(2.0, 30.0);
    let heading = dome.sun_heading();
    let toward = Vec3::new(heading[0], 0.0, heading[1]);
    for normal in [Vec3::Y, toward, -toward, (Vec3::Y - toward).normalize()] {
        let mut exact = Vec3::ZERO;
        for ray in 0..40_000 {
            let up = 1.0 - (2 * (ray / 200) + 1) as f32 / 200.0;
            let (level, turn) = ((1.0 - up * up).sqrt(), (ray % 200) as f32 * 0.031_415_9);
            let direction = Vec3::new(level * turn.cos(), up, level * turn.sin());
            let light = if up > 0.0 {
                dome.radiance(direction)
            } else {
                dome.land
            };
            exact += light * direction.dot(normal).max(0.0) * (4.0 / 40_000.0);
        }
        let error = (dome.ambient(normal) / exact - 1.0).abs().max_element();
        assert!(
            error < 0.12,
            "{normal}: {} is not {exact}",
            dome.ambient(normal)
        );
    }
    let blueness = |normal: Vec3| dome.ambient(normal).z / dome.ambient(normal).x;
    assert!(blueness(-toward) > 1.1 * blueness(toward));
}

#[test]
fn moonlight_is_seen_at_night() {
    let air = Air::new(1.5);
    let sky = Sky {
        light: SkyLight::Moon,
        ..Sky::default()
    };
    let exposed = Exposed::new(&air, &light(40.0), &sky);
    assert!(exposed.night > 0.9 && exposed.stars > 0.5);
    let zenith = exposed.color(Vec3::Y);
    assert!(
        zenith.z > zenith.x && (0.05..0.5).contains(&zenith.z),
        "{zenith}"
    );
}

#[test]
fn the_curve_keeps_order_and_ends_at_white() {
    let mut before = -1.0;
    for step in 0..4000 {
        let shown = tone::film(Vec3::splat(1.005_f32.powi(step - 2000))).x;
        assert!(shown >= before - 1e-6 && (0.0..=1.0).contains(&shown));
        before = shown;
    }
    assert!(before > 0.95);
    // A grey card is middle grey on the screen.
    assert!((0.4..0.55).contains(&tone::screen(Vec3::splat(0.15), 0.0).x));
}

#[test]
fn a_coverage_is_the_part_of_the_map() {
    let scene = scene("clouds.iterations=7 clouds.hurst=0.5");
    let (map, _) = pipeline::clouds(&scene, &Inputs::default(), &Job::new()).unwrap();
    let ranks = clouds::ranks(&map, &Job::new()).unwrap();
    for quarter in 1..4 {
        let below = ranks
            .as_slice()
            .iter()
            .filter(|rank| **rank < 64 * quarter)
            .count();
        let part = below as f32 / ranks.as_slice().len() as f32;
        assert!(
            (part - f32::from(quarter) * 0.25).abs() < 0.02,
            "{quarter}: {part}"
        );
    }
}

#[test]
fn the_shader_draws_the_sky_of_the_library() {
    for (elevation, yaw, pitch) in [
        (40.0, 10, -30),
        (3.0, 200, -5),
        (-6.0, 100, -60),
        (20.0, 300, 20),
    ] {
        let scene = scene(&format!(
            "camera.mode=fly view.render_type=sky sky.coverage=0 light.bearing=120 light.elevation={elevation} camera.bearing={yaw} camera.pitch={pitch}"
        ));
        let size = (65, 65);
        let shown = picture(&landscape(&scene), size).expect("a picture");
        let exposed = Exposed::new(&Air::new(scene.sky.turbidity), &scene.light, &scene.sky);
        let expected = exposed.color(scene.camera.forward()) * 255.0;
        let shown = Vec3::from(shown.at(32, 32).map(f32::from));
        let error = (shown - expected).abs().max_element();
        assert!(
            error <= 2.5,
            "{elevation} {yaw} {pitch}: {shown}, not {expected}"
        );
    }
}

#[test]
fn the_panorama_is_the_sky_that_is_drawn() {
    let base = "camera.mode=fly view.render_type=sky sky.coverage=0.6 light.bearing=120 light.elevation=25";
    let sky = scene(base);
    let (inputs, job) = (Inputs::default(), Job::new());
    let ranks = pipeline::cloud_ranks(&sky, &inputs, &job).expect("clouds");
    let panorama = maps::sky::physical(&sky, &ranks, &job).expect("a panorama");
    let mut errors = Vec::new();
    for (yaw, pitch) in (0..12).flat_map(|i| [(i * 30, -12), (i * 30, -40), (i * 30, 30)]) {
        let view = scene(&format!(
            "{base} camera.target=[0.0,0.0,0.0] camera.distance=0.01 camera.bearing={yaw} camera.pitch={pitch}"
        ));
        let shown = picture(&landscape(&view), (65, 65)).expect("a picture");
        let way = view.camera.forward();
        let down = 0.5 - way.y.asin() / std::f32::consts::PI;
        let right = 0.5 + way.x.atan2(-way.z) / std::f32::consts::TAU;
        let at = |part: f32, count: usize| ((part * count as f32) as usize).min(count - 1);
        let drawn = Vec3::from(shown.at(32, 32).map(f32::from));
        let cell = panorama.at(at(down, panorama.rows()), at(right, panorama.columns()));
        errors.push(
            (drawn - Vec3::from(cell.map(f32::from)))
                .abs()
                .max_element(),
        );
    }
    // Mipmaps soften clouds a little; all else is the same.
    let mean = errors.iter().sum::<f32>() / errors.len() as f32;
    assert!(mean < 3.0, "{mean}: {errors:?}");
}

#[test]
fn the_lower_the_sun_the_darker_the_land() {
    let air = Air::new(1.5);
    let mut darkest = f32::INFINITY;
    for half_degrees in (-40..60).rev() {
        let light = light(half_degrees as f32 * 0.5);
        let exposed = Exposed::new(&air, &light, &Sky::default());
        let dome = &exposed.dome;
        let sun = dome.sun_light * dome.sun_direction.y.max(0.0);
        let shown = tone::luminance(tone::screen(dome.ambient(Vec3::Y) + sun, exposed.night));
        assert!(
            shown < darkest + 0.12,
            "{half_degrees}: {shown} after {darkest}"
        );
        assert!(shown > 0.08, "{half_degrees}: {shown}");
        darkest = darkest.min(shown);
    }
    assert!(darkest < 0.2, "{darkest}");
}

#[test]
fn sky_view_of_a_downward_orbit_looks_up() {
    let view = |settings: &str| {
        let scene = scene(&format!(
            "view.render_type=sky clouds.iterations=3 {settings}"
        ));
        picture(&landscape(&scene), (64, 40)).expect("a picture")
    };
    let up = view("camera.pitch=25");
    assert!(up == view("camera.pitch=-25 camera.mode=fly"));
    assert!(up != view("camera.pitch=25 camera.mode=fly"));
}

#[test]
fn skies_match_the_golden_ones() {
    let draw = |settings: &str| {
        let settings = format!(
            "camera.mode=fly view.render_type=sky light.bearing=90 camera.bearing=90 camera.pitch=-20 clouds.iterations=3 {settings}"
        );
        picture(&landscape(&scene(&settings)), (160, 96)).expect("a picture")
    };
    let rows = [
        ("sky_afternoon", "light.elevation=35 camera.bearing=250"),
        ("sky_sunset", "light.elevation=0"),
        ("sky_dusk", "light.elevation=-8"),
        (
            "sky_moon",
            "light.elevation=30 sky.light=moon camera.bearing=200",
        ),
    ];
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(name, settings)| check_golden(name, &draw(settings)).err())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let [still, drifted] = ["sky.drift=0", "sky.drift=1"].map(draw);
    assert!(difference(&still, &drifted) > 0.1);
}
