//! How quickly landscapes are drawn.

use landform::import::Preset;
use landform::render::GroundPath;
use landform::scene::RockKind;

use super::{CRAGS, Desk, LIGHT, ROUNDS, VIEWS, ground, missed, quickest, scene, time};

/// A line about a view that took so many seconds, against what took `of`.
fn line(view: &str, [time, of]: [f64; 2], what: &str, most: Option<f64>) {
    let is_met = most.is_none_or(|most| time <= most * of);
    println!(
        "  {view:<9} {:>6.1} ms {:>6.1} ms {what} {:>5.2} ×{}",
        time * 1e3,
        of * 1e3,
        time / of,
        missed(is_met)
    );
}

/// The settings of a landscape of rough ground.
fn rough(antialias: bool) -> String {
    let ground = ground(CRAGS, 10);
    format!("{ground} {LIGHT} view.render_type=landscape view.antialias={antialias}")
}

/// The type of picture that is shown at first, with its ground found without triangles, against the
/// same drawn as triangles; and how much longer a large one takes.
pub fn ways(desk: &mut Desk) {
    const MOST: f64 = 0.35;
    const MOST_4K: f64 = 6.0;
    println!(
        "\nlandscape: with smooth edges at most {MOST} × the time with triangles; 3840 × 2160 at \
         most {MOST_4K} ×"
    );
    for antialias in [false, true] {
        for (view, camera) in VIEWS {
            let scene = scene(&format!("{} {camera}", rough(antialias)));
            let [of, time] = [GroundPath::Raster, GroundPath::RayCast].map(|way| {
                desk.renderer.set_way(way);
                desk.upload(&scene);
                desk.quickest(&scene, ROUNDS)
            });
            let what = format!("with triangles, antialias {antialias}");
            line(view, [time, of], &what, antialias.then_some(MOST));
            if antialias {
                let large = desk.quickest_sized(&scene, (3840, 2160), 3);
                line(view, [large, time], "for 1280 × 720", Some(MOST_4K));
            }
        }
    }
}

/// Where the time of a landscape goes: finding the ground, with reading back how far away it is; the rest, which is
/// lighting it and the sky beside it; what the sea adds; and a picture of the sky alone.
pub fn parts(desk: &mut Desk) {
    println!("\nparts: finding the ground, lighting it, the sea, the sky over the whole picture");
    for (view, camera) in VIEWS {
        let base = format!("{} {camera}", rough(true));
        let scene_with = |part: &str| scene(&format!("{base} {part}"));
        let land = scene_with("");
        desk.upload(&land);
        let all = desk.quickest(&land, ROUNDS);
        let times: Vec<_> = (0..ROUNDS).map(|_| time(|| drop(desk.distances(&land)))).collect();
        let finding = quickest(&times);
        let [sea, sky] = ["water.enabled=true water.level=0", "view.render_type=sky"].map(|part| {
            let scene = scene_with(part);
            desk.upload(&scene);
            desk.quickest(&scene, ROUNDS)
        });
        let [finding, lighting, sea, sky] =
            [finding, all - finding, sea - all, sky].map(|time| time * 1e3);
        println!(
            "  {view:<9} finding {finding:>5.1} ms, lighting {lighting:>5.1} ms, sea {sea:>+5.1} \
             ms, sky {sky:>5.1} ms"
        );
    }
}

/// A landscape with rivers and lakes, against the same without.
pub fn rivers(desk: &mut Desk) {
    const MOST: f64 = 1.25;
    println!("\nrivers: at most {MOST} × the time of a landscape without");
    for antialias in [false, true] {
        let base = format!("{} modifiers.0.kind=erosion", rough(antialias));
        for (view, camera) in VIEWS {
            let [of, time] = [false, true].map(|rivers| {
                let scene = scene(&format!("{base} {camera} water.rivers={rivers}"));
                desk.upload(&scene);
                desk.quickest(&scene, ROUNDS)
            });
            let what = format!("without, antialias {antialias}");
            line(view, [time, of], &what, Some(MOST));
        }
    }
}

/// Landscapes with plants, against the same without: from afar, and among the trees.
pub fn plants(desk: &mut Desk) {
    const MOST: f64 = 1.3;
    println!("\nplants: at most {MOST} × the time of a landscape without");
    for name in ["river-valley", "old-hills", "alpine"] {
        let preset = Preset::named(name).expect("a preset").scene();
        let mut near = preset.clone();
        (near.camera.distance, near.camera.pitch) = (0.3, 15.0);
        for (view, planted) in [("afar", preset), ("among", near)] {
            let mut bare = planted.clone();
            bare.plants.clear();
            let [of, time] = [bare, planted].map(|mut scene| {
                desk.upload(&scene);
                desk.draw(&scene);
                // Another view each time, so that its plants are chosen anew.
                let times = (0..ROUNDS).map(|_| {
                    scene.camera.bearing += 0.02;
                    desk.draw(&scene)
                });
                quickest(&times.collect::<Vec<_>>())
            });
            line(view, [time, of], &format!("without, {name}"), Some(MOST));
        }
    }
}

/// Landscapes of rock under snow, without plants, against the same without rock and snow.
pub fn snow(desk: &mut Desk) {
    const MOST: f64 = 1.15;
    println!("\nsnow: at most {MOST} × the time of a landscape without rock and snow");
    for name in ["alpine", "karakoram-snow", "dolomites"] {
        let mut snowy = Preset::named(name).expect("a preset").scene();
        snowy.plants.clear();
        let mut bare = snowy.clone();
        bare.snow.enabled = false;
        bare.rock.kind = RockKind::None;
        let [of, time] = [bare, snowy].map(|scene| {
            desk.upload(&scene);
            desk.quickest(&scene, ROUNDS)
        });
        line(name, [time, of], "without", Some(MOST));
    }
}

/// A map of sixteen times the samples.
pub fn large(desk: &mut Desk) {
    for (render_type, most) in [("triangles", 1.3), ("landscape", 1.15)] {
        println!("\nlarge: {render_type} of 4097² at most {most} × the time of 1025², 3×3 tiles");
        let times = [10, 12].map(|iterations| {
            let ground = ground(CRAGS, iterations);
            let base = format!("{ground} view.render_type={render_type}");
            desk.upload(&scene(&base));
            VIEWS.map(|(_, camera)| desk.quickest(&scene(&format!("{base} {camera}")), ROUNDS))
        });
        let [small, large] = times;
        for (index, (view, _)) in VIEWS.into_iter().enumerate() {
            line(view, [large[index], small[index]], "for 1025²", Some(most));
        }
    }
}
