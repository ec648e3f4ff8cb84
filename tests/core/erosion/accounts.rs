//! Sediment, wear and uplift account for every metre.

use super::{cone, eroded, made, rough};
use landform::generate::Generator;
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::mask::By;
use landform::modify::{Context, Modifier, ModifierKind};

/// What erosion knows of a map: uplift, sediment and wear of each sample.
fn accounts(before: &Heightmap, after: &Heightmap) -> Vec<[f64; 3]> {
    let worn = after.worn().expect("it has eroded");
    let samples = before.heights().iter().zip(after.heights()).enumerate();
    let account = |(at, (before, after)): (usize, (&f32, &f32))| {
        let (wear, sediment) = (f64::from(worn.wear[at]), f64::from(worn.sediment[at]));
        assert!(wear >= 0.0 && sediment >= 0.0);
        [
            f64::from(*after) - f64::from(*before) + wear - sediment,
            sediment,
            wear,
        ]
    };
    samples.map(account).collect()
}

#[test]
fn sediment_wear_and_uplift_account_for_every_metre() {
    for map in [
        made(Generator::Fourier, 3, 9, 0.8),
        rough(300, 417, 0.4),
        cone(129, 1),
    ] {
        let (low, high) = map.range();
        let near = 1e-5 * f64::from(high - low);
        let accounts = |uplift: f32, lakes| {
            let after = eroded(&map, |options| {
                (options.uplift, options.lakes) = (uplift, lakes);
            });
            accounts(&map, &after)
        };
        for lakes in [false, true] {
            let still = accounts(0.0, lakes);
            assert!(still.iter().all(|[uplift, ..]| uplift.abs() <= near));
            let deep = |part: usize| still.iter().filter(|all| all[part] > near).count();
            assert!(deep(1) > still.len() / 50 && deep(2) > still.len() / 10);
        }
        // Uplift is what a map rises by, however it wears: as much again in twice the time.
        let (slow, fast) = (accounts(0.1, false), accounts(0.2, false));
        let pairs = slow.iter().zip(&fast);
        for ([slow, ..], [fast, ..]) in pairs {
            assert!(
                *slow >= -near && (fast - 2.0 * slow).abs() <= 3.0 * near,
                "{slow} {fast}"
            );
        }
        assert!(slow.iter().any(|[uplift, ..]| *uplift > 1e3 * near));
    }
}

#[test]
fn masked_account_covers_only_the_kept_change() {
    let map = made(Generator::Fourier, 3, 7, 0.8);
    let near = 2e-5 * f64::from(map.range().1 - map.range().0);
    let mut modifier = Modifier::new(ModifierKind::Erosion);
    modifier.erosion.uplift = 0.0;
    modifier.mask.by = By::Noise;
    // Smoothed, it leaves hardly a sample quite alone.
    modifier.mask_radius = 0.0;
    let (mut land, job) = (map.clone(), Job::new());
    for _ in 0..2 {
        modifier.apply(&mut land, &Context::new(5, &job)).unwrap();
        let accounts = accounts(&map, &land);
        assert!(accounts.iter().all(|[uplift, ..]| uplift.abs() <= near));
        let untouched = |[_, sediment, wear]: &&[f64; 3]| *sediment == 0.0 && *wear == 0.0;
        let untouched = accounts.iter().filter(untouched).count();
        assert!((1..accounts.len()).contains(&untouched), "{untouched}");
    }
}

#[test]
fn a_second_erosion_adds_to_the_first() {
    let map = made(Generator::Fourier, 3, 7, 0.8);
    let once = eroded(&map, |options| options.uplift = 0.0);
    let twice = eroded(&once, |options| options.uplift = 0.0);
    let range = map.range().1 - map.range().0;
    for [uplift, ..] in accounts(&map, &twice) {
        assert!(uplift.abs() <= 2e-5 * f64::from(range));
    }
}
