//! Impostors of plants.

use landform::canopy::CrownLook;
use landform::plants::impostor::{ELEVATIONS, FILLED, ImpostorSheet, TILE};
use landform::plants::models::VARIANTS;
use landform::scene::PlantKind;

#[test]
fn mipmaps_of_impostors_keep_their_coverage() {
    for kind in [PlantKind::Spruce, PlantKind::Boulder] {
        let sheet = ImpostorSheet::new(kind);
        let covers = sheet.levels.iter().map(|level| {
            let sum: u64 = level.colors.iter().map(|texel| u64::from(texel[3])).sum();
            sum as f64 / level.colors.len() as f64
        });
        let covers: Vec<_> = covers.collect();
        assert!(covers[0] > 10.0, "{kind:?}: {covers:?}");
        assert!(
            covers.iter().all(|cover| (cover - covers[0]).abs() < 0.5),
            "{kind:?}: {covers:?}"
        );
    }
}

#[test]
fn views_of_impostors_have_empty_margins() {
    let level = &ImpostorSheet::new(PlantKind::Palm).levels[0];
    assert_eq!(
        level.size,
        [TILE[0] * VARIANTS as usize, TILE[1] * ELEVATIONS.len()]
    );
    for row in 0..level.size[1] {
        for column in 0..level.size[0] {
            let margin = [(column, TILE[0]), (row, TILE[1])]
                .iter()
                .any(|(at, side)| at % side < side / 20 || at % side >= side - side / 20);
            let cover = level.colors[row * level.size[0] + column][3];
            assert!(!margin || cover == 0, "{column}, {row}");
        }
    }
}

#[test]
fn outlines_hold_all_that_a_lookup_shows() {
    for kind in PlantKind::ALL {
        let sheet = ImpostorSheet::new(*kind);
        for (view, outline) in sheet.outlines.iter().enumerate() {
            let (row, column) = (view / VARIANTS as usize, view % VARIANTS as usize);
            for (at, level) in (0..).zip(&sheet.levels) {
                let [width, height] = TILE.map(|side| side >> at);
                let outline = outline.at_level(at);
                let across =
                    |y: f32| outline.bottom + (outline.top - outline.bottom) * 0.5 * (1.0 + y);
                // A texel is mixed into all that is seen up to the middles of the next ones; -1…1 is what a plant may fill.
                let around = |at: usize, side: usize| {
                    [-0.5, 1.5].map(|end| ((at as f32 + end) / side as f32 * 2.0 - 1.0) / FILLED)
                };
                for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
                    let texel = (row * height + y) * level.size[0] + column * width + x;
                    if level.colors[texel][3] == 0 {
                        continue;
                    }
                    let wide = around(x, width)
                        .map(f32::abs)
                        .into_iter()
                        .fold(0.0, f32::max);
                    for end in around(y, height).map(|end| end.clamp(-1.0, 1.0)) {
                        let holds = wide.min(1.0) <= across(end) + 1e-4;
                        assert!(holds, "{kind}, view {view}, mipmap {at}: {x}, {y}");
                    }
                }
            }
        }
    }
}

#[test]
fn outlines_of_spruces_leave_out_a_fifth() {
    let outline = ImpostorSheet::new(PlantKind::Spruce).outlines[0];
    assert!(outline.bottom + outline.top < 1.6, "{outline:?}");
}

#[test]
fn canopies_hold_the_snow_of_their_impostors() {
    for kind in PlantKind::ALL {
        let sheet = ImpostorSheet::new(*kind);
        // Seen from 30° and 60°; the lowest row of views is the first.
        let level = &sheet.levels[3];
        let rows = level.size[1] / ELEVATIONS.len();
        let middle = rows * level.size[0]..3 * rows * level.size[0];
        let sum = |texels: &[[u8; 4]]| texels.iter().map(|texel| f32::from(texel[3])).sum::<f32>();
        let share = sum(&level.normals[middle.clone()]) / sum(&level.colors[middle]);
        let holds = CrownLook::of(*kind).holds;
        assert!((share - holds).abs() < 0.05, "{kind}: {share} {holds}");
    }
}
