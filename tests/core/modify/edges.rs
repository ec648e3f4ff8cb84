//! What happens at the border, and what follows the place.

use super::*;

#[test]
fn stitch_brings_the_edges_together() {
    let narrow = step(Kind::Stitch, |m| m.stitch.width = 0.0);
    check(&narrow, 3, COUNT, [4.0; 9]);
    let wide = step(Kind::Stitch, |m| m.stitch.width = 0.5);
    let ramp: [f32; 25] = std::array::from_fn(|index| (index % 5) as f32);
    check(&wide, 5, ramp, [2.0; 25]);
    for (rows, columns) in [(1, 1), (1, 9), (9, 1), (2, 2), (33, 33), (40, 17), (3, 600)] {
        for width in [0.0, 0.01, 0.2, 0.5] {
            let modifier = step(Kind::Stitch, |m| m.stitch.width = width);
            let stitched = apply(&modifier, &land(rows, columns));
            assert!(
                stitched.wraps() && meets(&stitched),
                "{rows} × {columns}, {width}"
            );
        }
    }
}

#[test]
fn stitch_keeps_what_is_far_from_the_edges() {
    let map = land(65, 65);
    let stitched = apply(&step(Kind::Stitch, |m| m.stitch.width = 0.1), &map);
    for row in 7..58 {
        assert_eq!(stitched.row(row)[7..58], map.row(row)[7..58]);
    }
    // Between edge and middle nothing moves by more than the edge does.
    let most = |map: &Heightmap, of: &Heightmap| {
        let pairs = map.heights().iter().zip(of.heights());
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    };
    assert!(most(&stitched, &map) <= 1.0);
}

#[test]
fn edge_fade_lowers_the_border() {
    let modifier = step(Kind::EdgeFade, |m| m.edge_fade.width = 0.5);
    let mut before = [8.0; 25];
    before[0] = 0.0;
    #[rustfmt::skip]
    check(&modifier, 5, before, [
        0.0, 0.0, 0.0, 0.0, 0.0,
        0.0, 2.0, 4.0, 2.0, 0.0,
        0.0, 4.0, 8.0, 4.0, 0.0,
        0.0, 2.0, 4.0, 2.0, 0.0,
        0.0, 0.0, 0.0, 0.0, 0.0,
    ]);
    let map = land(33, 20);
    let faded = apply(&Modifier::new(Kind::EdgeFade), &map);
    assert!(faded.wraps() && meets(&faded));
    let half = step(Kind::EdgeFade, |m| m.edge_fade.amount = 0.5);
    assert!(!apply(&half, &map).wraps());
}

#[test]
fn island_lowers_all_around() {
    let modifier = step(Kind::Island, |m| m.island.shore = 1.0);
    let mut before = [5.0; 25];
    before[0] = 1.0;
    let shown = apply(&modifier, &Heightmap::new(5, 5, false, before.to_vec()));
    assert_eq!(shown.row(2), [1.0, 3.0, 5.0, 3.0, 1.0]);
    assert_eq!(shown.row(0), [1.0; 5]);
    let cliff = step(Kind::Island, |m| {
        (m.island.radius, m.island.shore) = (0.6, 0.0)
    });
    let shown = apply(&cliff, &Heightmap::new(5, 5, false, before.to_vec()));
    assert_eq!(shown.row(2), [1.0, 5.0, 5.0, 5.0, 1.0]);
    assert_eq!(shown.row(1), [1.0, 1.0, 5.0, 1.0, 1.0]);
}

#[test]
fn fading_only_sinks() {
    let map = land(33, 33);
    for kind in [Kind::EdgeFade, Kind::Island] {
        let faded = apply(&Modifier::new(kind), &map);
        let pairs = faded.heights().iter().zip(map.heights());
        assert!(
            pairs.clone().all(|(after, before)| after <= before),
            "{kind}"
        );
        assert_eq!(faded.range().0, map.range().0, "{kind}");
    }
}

#[test]
fn perlin_noise_is_nothing_at_lattice_points() {
    let modifier = step(Kind::PerlinBlend, |m| m.perlin_blend.cells = 2);
    check(&modifier, 3, COUNT, COUNT.map(|h| 0.8 * h + 0.8));
}

#[test]
fn perlin_blend_is_in_range_and_size_independent() {
    let noise = |rows: usize, columns: usize| {
        // Two heights that fix the range; the rest is noise around the middle.
        let mut heights = vec![0.0; rows * columns];
        (heights[0], heights[1]) = (-1.0, 1.0);
        let modifier = step(Kind::PerlinBlend, |m| m.perlin_blend.weight = 1.0);
        apply(&modifier, &Heightmap::new(rows, columns, false, heights))
    };
    let (coarse, fine) = (noise(65, 65), noise(129, 129));
    let (low, high) = fine.range();
    assert!((-1.0..-0.3).contains(&low), "{low}");
    assert!((0.3..=1.0).contains(&high), "{high}");
    for row in 0..65 {
        for column in 0..65 {
            let apart = coarse.at(row, column) - fine.at(2 * row, 2 * column);
            assert!(apart.abs() < 1.0e-6, "{row} {column}: {apart}");
        }
    }
    // Neighbours differ little: no seam between cells.
    for row in 0..129 {
        for pair in fine.row(row).windows(2) {
            assert!((pair[0] - pair[1]).abs() < 0.35, "{row}: {pair:?}");
        }
    }
}

#[test]
fn wrapped_stays_wrapped() {
    for kind in Kind::ALL {
        for (rows, columns) in [(65, 65), (300, 200), (1, 33), (2, 2), (1, 1)] {
            let after = apply(&Modifier::new(*kind), &torus(rows, columns));
            assert!(after.wraps() && meets(&after), "{kind}, {rows} × {columns}");
        }
    }
    for start in Start::ALL {
        let modifier = step(Kind::SmoothDetail, |m| {
            (m.smooth_detail.start, m.smooth_detail.passes) = (*start, 3);
        });
        let after = apply(&modifier, &torus(300, 200));
        assert!(after.wraps() && meets(&after), "{start}");
    }
}
