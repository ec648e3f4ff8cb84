//! Every number of the dialog "Export" is the file's: in all formats, sizes and engines.

use landform::app::state::output::{Exporting, Triangles};
use landform::export::{ENGINES, Resolution, Span};
use landform::generate::Generator;
use landform::import;
use landform::scene::Scene;

use crate::forecasts::check;

/// Lands of different shapes: one that tiles, one of a modifier, an image that is not square with
/// its own steps and a place on earth, and a ridge.
fn scenes() -> Vec<Scene> {
    let mut plain = Scene::default();
    (plain.surface.seed, plain.surface.iterations) = (3, 6);
    let mut modified = plain.clone();
    let normalize = landform::modify::ModifierKind::Normalize;
    modified
        .modifiers
        .push(landform::modify::Modifier::new(normalize));
    let mut ridge = plain.clone();
    ridge.surface.generator = Generator::Midpoint1d;
    let presets = import::presets();
    let image = presets.iter().find(|preset| preset.name == "jacksboro");
    let mut image = image.unwrap().scene();
    (image.layers, image.modifiers) = (Vec::new(), Vec::new());
    image.surface.origin = "-98.2,33.4".to_owned();
    image.surface.crs = "EPSG:4326".to_owned();
    vec![plain, modified, ridge, image]
}

#[test]
fn every_number_of_the_dialog_is_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let sizes = [
        Resolution::AsIs,
        Resolution::PowerOfTwo,
        Resolution::PowerOfTwoPlusOne,
        Resolution::Unreal,
        Resolution::Exactly(50),
        Resolution::Exactly(133),
    ];
    let mut checked = 0;
    for scene in scenes() {
        for format in crate::common::written_formats() {
            for samples in sizes {
                let is_profile = scene.surface.generator == Generator::Midpoint1d;
                // A ridge is no solid block, and a mesh keeps its last row.
                let is_refused = is_profile || samples == Resolution::PowerOfTwo;
                if format.is_mesh() && is_refused {
                    continue;
                }
                let spans: &[Span] = match format.is_mesh() {
                    true => &[Span::Own],
                    false => &[
                        Span::Own,
                        Span::Metres,
                        Span::Heights(-0.2, 0.3),
                        Span::MetresBetween(-100.0, 900.0),
                        Span::Unit,
                    ],
                };
                let triangles: &[Triangles] = match format.is_mesh() {
                    true => &[
                        Triangles::All,
                        Triangles::AtMost(6000),
                        Triangles::Within(20.0),
                    ],
                    false => &[Triangles::All],
                };
                for (span, triangles) in spans
                    .iter()
                    .flat_map(|span| triangles.iter().map(move |triangles| (span, triangles)))
                {
                    let has_levels = format.levels.is_some();
                    // What the dialog does not offer, and a step a metre of more metres than levels.
                    let is_offered = match span {
                        Span::Unit => !has_levels,
                        Span::Heights(..) | Span::MetresBetween(..) => has_levels,
                        Span::Metres => format.levels != Some(255),
                        Span::Own => true,
                    };
                    if !is_offered {
                        continue;
                    }
                    let exporting = Exporting {
                        format: format.name.to_owned(),
                        samples,
                        span: *span,
                        triangles: *triangles,
                        flip: samples == Resolution::Unreal,
                        levels: u32::from(samples == Resolution::AsIs && !is_profile),
                        ..Exporting::default()
                    };
                    let (_, sidecar) = check(&scene, &exporting, folder.path());
                    let typed = sidecar["engines"].as_object();
                    checked += typed.map_or(0, |typed| typed.len());
                }
            }
        }
    }
    assert!(checked > 100 * ENGINES.len() / 4, "{checked}");
}
