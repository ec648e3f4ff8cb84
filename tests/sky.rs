//! The physical sky: published values, and what every sky has to be.

use std::time::Instant;

use glam::Vec3;
use landform::scene::{Light, Sky};
use landform::sky::{Exposed, air::Air};

#[test]
fn scratch() {
    let t = Instant::now();
    let air = Air::new(2.2);
    println!("first air {:?}", t.elapsed());
    let t = Instant::now();
    let air2 = Air::new(3.2);
    println!("air {:?}", t.elapsed());
    for elevation in [90.0, 45.0, 20.0, 5.0, 0.0, -2.0, -5.0, -8.0, -12.0, -16.0] {
        let t = Instant::now();
        let light = Light { elevation, azimuth: 0.0, ..Light::default() };
        let e = Exposed::new(&air, &light, &Sky::default());
        let took = t.elapsed();
        let x = e.exposure;
        let d = |y: f32, s: f32| e.dome.radiance(Vec3::new(s, y, 0.0).normalize());
        println!("{elevation} {took:?} exp {x:.3e} night {:.2} sun {:.3} amb {:.3} zen {:.3} h+ {:.3} h- {:.3} below {:.3}", e.night,
            e.dome.sun_light, e.dome.ambient(Vec3::Y), d(1.0, 0.0), d(0.05, 1.0), d(0.05, -1.0), e.dome.below);
    }
    let _ = air2;
}
