//! The bands of rock in pictures lie where its beds are.

use landform::fractal::bands::{Bands, TEXELS};
use landform::fractal::bedrock::BEDS;
use landform::pipeline;

use crate::offscreen::Desk;
use crate::pictures::scene;

/// How alike two lists of numbers are: 1 if one is the other times something and plus something, 0 if they have
/// nothing to do with each other.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
    let (a_mean, b_mean) = (mean(a), mean(b));
    let sum = |x: &[f64], x_mean: f64, y: &[f64], y_mean: f64| -> f64 {
        let pairs = x.iter().zip(y);
        pairs.map(|(x, y)| (x - x_mean) * (y - y_mean)).sum()
    };
    sum(a, a_mean, b, b_mean) / (sum(a, a_mean, a, a_mean) * sum(b, b_mean, b, b_mean)).sqrt()
}

#[test]
fn bands_follow_the_beds() {
    const SIDE: u32 = 256;
    let mut desk = Desk::new();
    for wrap in [true, false] {
        // A slope that is rock all over, and nothing on it but its bands, seen from straight above.
        let scene = scene(&format!(
            "surface.generator=formula surface.formula.expression=0.9*abs(x)+0.3*abs(z) \
             surface.formula.wrap={wrap} surface.iterations=7 view.render_type=landscape \
             view.tile=1 camera.mode=top camera.distance=1 camera.bearing=0 light.shadows=false \
             light.occlusion=false light.elevation=80 material.detail=0 material.rock_slope=5 \
             sky.coverage=0 fog.enabled=false rock.kind=sandstone rock.thickness=100 \
             rock.hardness=0.001 rock.dip=20 rock.folds=1 view.endless=false"
        ));
        desk.update(&scene);
        let picture = desk.picture(&scene, (SIDE, SIDE));
        let bands = Bands::new(&pipeline::bedding(&scene), [2.0, 2.0], wrap);
        let tone = |east: f64, south: f64, height: f64| {
            let bed = height + bands.folds.at(east, south);
            let sizes = bands.sizes.iter().take(2);
            let tones = sizes.map(|[per, first]| {
                let texel = ((bed * per + first) * TEXELS as f64).floor() as i64;
                let texel = texel.rem_euclid((BEDS * TEXELS) as i64) as usize;
                f64::from(bands.tones[texel][0])
            });
            tones.sum::<f64>()
        };
        let (mut seen, mut wanted) = (Vec::new(), Vec::new());
        let high = (f64::from(scene.camera.fov).to_radians() / 2.0).tan();
        for row in 0..SIDE as usize {
            for column in 0..SIDE as usize {
                let at = |index: usize| 2.0 * (index as f64 + 0.5) / f64::from(SIDE) - 1.0;
                let [x, z] = [at(column), at(row)].map(|at| at * high);
                // The crests and the border are no slopes.
                let is_slope = |at: f64| (0.05..0.9).contains(&at.abs());
                if is_slope(x) && is_slope(z) {
                    let height = 0.9 * x.abs() + 0.3 * z.abs();
                    seen.push(f64::from(picture.at(row, column)[1]));
                    wanted.push(tone((x + 1.0) / 2.0, (z + 1.0) / 2.0, height));
                }
            }
        }
        let alike = correlation(&seen, &wanted);
        assert!(seen.len() > 10_000 && alike > 0.6, "{wrap}: {alike}");
    }
}
