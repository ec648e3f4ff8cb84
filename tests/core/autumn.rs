//! Leaves in autumn.

use landform::canopy::CrownLook;
use landform::plants::autumn::{Leaves, STEPS};
use landform::scene::PlantKind;

/// Leaves of many plants.
fn many(kind: PlantKind, autumn: f32) -> Vec<Leaves> {
    (0..20_000)
        .map(|hash| Leaves::of_plant(kind, autumn, hash))
        .collect()
}

fn mean(numbers: impl Iterator<Item = f32>) -> f32 {
    let numbers: Vec<_> = numbers.map(f64::from).collect();
    (numbers.iter().sum::<f64>() / numbers.len() as f64) as f32
}

#[test]
fn summer_leaves_keep_their_colour() {
    for kind in PlantKind::ALL {
        let green = CrownLook::of(*kind).albedo;
        let leaves = many(*kind, 0.0);
        assert!(
            leaves.iter().all(|leaves| leaves.albedo(green) == green),
            "{kind}"
        );
    }
}

#[test]
fn autumn_is_the_share_of_turned_leaves() {
    for autumn in [0.05, 0.2, 0.5, 0.7, 0.93] {
        let share = mean(
            many(PlantKind::Birch, autumn)
                .iter()
                .map(|leaves| leaves.share),
        );
        assert!((share - autumn).abs() < 0.01, "{autumn}: {share}");
    }
}

#[test]
fn half_way_some_plants_are_green() {
    let leaves = many(PlantKind::Birch, 0.5);
    let share = |is_so: fn(f32) -> bool| {
        let count = leaves.iter().filter(|leaves| is_so(leaves.share)).count();
        count as f32 / leaves.len() as f32
    };
    assert!(share(|share| share == 0.0) > 0.2 && share(|share| share == 1.0) > 0.2);
}

#[test]
fn at_the_end_all_have_turned() {
    for kind in [PlantKind::Birch, PlantKind::Shrub, PlantKind::Grass] {
        assert!(many(kind, 1.0).iter().all(|leaves| leaves.share == 1.0));
    }
}

#[test]
fn evergreens_and_stones_do_not_turn() {
    for kind in [PlantKind::Spruce, PlantKind::Palm, PlantKind::Boulder] {
        assert!(many(kind, 1.0).iter().all(|leaves| leaves.share == 0.0));
    }
}

#[test]
fn a_canopy_has_the_mean_colour_of_its_plants() {
    for kind in [PlantKind::Birch, PlantKind::Shrub, PlantKind::Grass] {
        for autumn in [0.3, 0.8] {
            let look = CrownLook::of(kind);
            let plants = many(kind, autumn);
            let canopy = look.albedo_in(kind, autumn);
            for (channel, expected) in canopy.into_iter().enumerate() {
                let of_each = plants.iter().map(|leaves| leaves.albedo(look.albedo));
                let apart = (mean(of_each.map(|albedo| albedo[channel])) - expected).abs();
                assert!(apart < 0.02 * expected, "{kind} {autumn}: {apart}");
            }
        }
    }
}

#[test]
fn models_of_files_have_the_mean_colour_of_the_plants() {
    let green = [0.1, 0.4, 0.05];
    for kind in [PlantKind::Birch, PlantKind::Shrub, PlantKind::Grass] {
        for autumn in [0.0, 0.1, 0.4, 0.9, 1.0] {
            let hashes = 0..4000;
            let steps: Vec<_> = hashes
                .map(|hash| Leaves::step_of(kind, autumn, hash))
                .collect();
            assert!(steps.iter().all(|step| *step < STEPS));
            assert!(autumn > 0.0 || steps.iter().all(|step| *step == 0));
            for channel in 0..3 {
                let of_each = many(kind, autumn).into_iter();
                let wanted = mean(of_each.map(|leaves| leaves.albedo(green)[channel]));
                let of_each = steps.iter().map(|step| Leaves::of_step(kind, *step));
                let found = mean(of_each.map(|leaves| leaves.albedo(green)[channel]));
                assert!(
                    (found - wanted).abs() < 0.03 * wanted,
                    "{kind} {autumn}: {found} {wanted}"
                );
            }
        }
    }
    assert_eq!(Leaves::step_of(PlantKind::Spruce, 1.0, 3), 0);
}

#[test]
fn bark_does_not_turn() {
    let bark = [0.5, 0.48, 0.43];
    assert_eq!(Leaves::mean(PlantKind::Birch, 1.0).albedo(bark), bark);
}
