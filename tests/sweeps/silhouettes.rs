//! Coarse ground without triangles is where its triangles are.

use landform::render::GroundPath;

use crate::offscreen::Desk;
use crate::pictures::{Picture, difference, scene};

const SIZE: (u32, u32) = (320, 200);
/// The part of the pixels that may differ by more than 8/255.
const MOST: f64 = 0.001;
/// The same where cells are about as large as pixels, far away, so that planes miss some.
const MOST_OF_SMALL_CELLS: f64 = 0.007;
/// The same beside a wall: smooth edges of triangles mix in some of the ground that it hides.
const MOST_AT_WALLS: f64 = 0.004;

/// By how much pixels may differ, of 255, that show the same.
const ALIKE: u8 = 24;

/// Views from among the hills, over them, from far above, from beside the ground, upwards and afar.
const CAMERAS: [&str; 6] = [
    "camera.mode=fly camera.target=[0.0,0.7,-0.5] camera.distance=0.5 camera.pitch=6",
    "camera.distance=1.5 camera.pitch=20 camera.bearing=77",
    "camera.distance=4 camera.pitch=35 camera.bearing=200",
    "camera.distance=3 camera.pitch=12 camera.bearing=315",
    "camera.mode=fly camera.target=[0.2,0.8,0.1] camera.distance=0.4 camera.pitch=-12",
    "camera.distance=2 camera.pitch=30 camera.bearing=90 camera.fov=30",
];
const FAR: usize = 2;
const WALLS: [usize; 2] = [1, 3];

#[test]
fn coarse_ground_looks_like_its_triangles() {
    let mut desk = Desk::new();
    let (mut off, mut strays, mut walked) = (Vec::new(), Vec::new(), 0);
    for antialias in [true, false] {
        for (iterations, tiles) in (1..=4).flat_map(|n| [1, 2, 4, 16].map(|tiles| (n, tiles))) {
            for (index, camera) in CAMERAS.iter().enumerate() {
                // Without rock, whose borders are narrower than pixels at edges: this is about places, not colours.
                let settings = format!(
                    "view.render_type=landscape view.endless=false clouds.iterations=5 material.rock_slope=90 \
                     surface.iterations={iterations} view.tile={tiles} \
                     view.antialias={antialias} {camera}"
                );
                let scene = scene(&settings);
                let [(truth, _), (found, stats)] =
                    [GroundPath::Raster, GroundPath::RayCast].map(|way| {
                        desk.renderer.set_way(way);
                        desk.renderer.set_full_detail(way == GroundPath::Raster);
                        desk.update(&scene);
                        desk.draw(&scene, SIZE)
                    });
                walked += usize::from(stats.triangles == 0);
                let most = if index == FAR && tiles == 16 && iterations > 2 {
                    MOST_OF_SMALL_CELLS
                } else if WALLS.contains(&index) && antialias {
                    MOST_AT_WALLS
                } else {
                    MOST
                };
                let part = difference(&truth, &found);
                if part > most {
                    off.push(format!("{:.2} %: {settings}", part * 100.0));
                }
                if !antialias
                    && most == MOST
                    && let Some(place) = stray(&truth, &found)
                {
                    strays.push(format!("{place:?}: {settings}"));
                }
            }
        }
    }
    assert!(walked > 150, "{walked}");
    assert!(off.is_empty(), "{}:\n{}", off.len(), off.join("\n"));
    assert!(
        strays.is_empty(),
        "{}:\n{}",
        strays.len(),
        strays.join("\n")
    );
}

/// A pixel, column and row, whose color lies beyond those of the pixels of `truth` around its place: an edge
/// that is not within a pixel of where it belongs, or sky inside ground.
fn stray(truth: &Picture, found: &Picture) -> Option<[usize; 2]> {
    let near = |at: usize, count: usize| at.saturating_sub(1)..(at + 2).min(count);
    let mut all =
        (0..found.rows()).flat_map(|row| (0..found.columns()).map(move |column| [column, row]));
    all.find(|[column, row]| {
        let around = near(*row, truth.rows())
            .flat_map(|row| near(*column, truth.columns()).map(move |column| (row, column)))
            .map(|(row, column)| truth.at(row, column));
        let (mut low, mut high) = ([255; 3], [0; 3]);
        for color in around {
            low = [0, 1, 2].map(|channel| color[channel].min(low[channel]));
            high = [0, 1, 2].map(|channel| color[channel].max(high[channel]));
        }
        let own = found.at(*row, *column);
        (0..3).any(|channel| {
            let [low, high] = [low[channel], high[channel]];
            !(low.saturating_sub(ALIKE)..=high.saturating_add(ALIKE)).contains(&own[channel])
        })
    })
}
