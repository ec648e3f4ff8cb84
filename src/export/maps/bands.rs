//! Masks by band of the palette, one or four of them a picture.

use std::path::Path;

use ::png::{BitDepth, ColorType};
use serde_json::{Value, json};

use super::Asked;
use super::ground::Ground;
use super::png::Picture;
use crate::export::names::{filled, names};
use crate::export::request::Request;
use crate::export::target::Target;
use crate::export::{ExportError, grey};
use crate::generate::GenerateError;
use crate::inputs::Inputs;
use crate::maps::splat::Bands;
use crate::maps::{Kind, Map};
use crate::scene::Scene;

/// The first bands of the pictures that a map has: one that is none, unless it is of masks.
/// Refuses a name that several pictures would have.
pub fn bands_of(
    pattern: &Path,
    map: &Map,
    scene: &Scene,
    inputs: &Inputs,
) -> Result<Vec<Option<usize>>, ExportError> {
    let Kind::Bands(channels) = map.kind else {
        return Ok(vec![None]);
    };
    let palette = inputs.palette(&scene.view.palette)?;
    let bands = Bands::new(&palette, (0.0, 1.0)).colors.len();
    let pictures = bands.div_ceil(channels);
    if pictures > 1 && !names(pattern, "band") {
        return Err(ExportError::BandName {
            pictures,
            path: pattern.to_owned(),
        });
    }
    Ok((0..bands).step_by(channels).map(Some).collect())
}

/// The files, not yet named, of the masks of heights from `range.0` to `range.1`; `{band}` in a path becomes the number
/// of a picture's first band, from 0, the lowest.
pub fn write(
    asked: &Asked<'_>,
    paths: &[&Path],
    ground: &Ground,
    range: (f32, f32),
    channels: usize,
) -> Result<Vec<(Target, Request, Value)>, ExportError> {
    let bands = Bands::new(asked.palette, range);
    let pictures: Vec<usize> = (0..bands.colors.len()).step_by(channels).collect();
    let mut targets = Vec::new();
    for path in paths {
        for first in &pictures {
            let path = filled(path, &[("band", &first.to_string())]);
            let target = Target::create(&path)?;
            let color = match channels {
                1 => ColorType::Grayscale,
                _ => ColorType::Rgba,
            };
            let picture = Picture {
                rows: ground.rows(),
                columns: ground.columns(),
                color,
                depth: BitDepth::Eight,
                description: &description(&bands, *first, channels),
            };
            picture.write(asked, &target, |rows| {
                ground.each_band(asked.job, &mut |relief| {
                    let weights = bands.weights(relief, asked.job);
                    let weights = weights.map_err(GenerateError::from)?;
                    Ok(rows(&Bands::picture(&weights, *first, channels))?)
                })
            })?;
            let request = asked.request.in_format(&grey::PNG8);
            let facts = facts(&bands, *first, channels);
            targets.push((target, request.of_band(Some(*first)), facts));
        }
    }
    Ok(targets)
}

/// Which bands a picture holds, and their colours.
fn description(bands: &Bands, first: usize, channels: usize) -> String {
    let named = held(bands, first, channels)
        .map(|(band, color)| format!("band {band} of {}, {color}", bands.colors.len()));
    named.collect::<Vec<_>>().join("; ")
}

/// The bands of a picture: number, and colour as `#rrggbb`.
fn held(bands: &Bands, first: usize, channels: usize) -> impl Iterator<Item = (usize, String)> {
    let colors = bands.colors.iter().enumerate().skip(first).take(channels);
    colors.map(|(band, color)| {
        let [r, g, b] = color.map(|v| (v * 255.0).round() as u8);
        (band, format!("#{r:02x}{g:02x}{b:02x}"))
    })
}

/// What the sidecar of a picture says of its bands.
fn facts(bands: &Bands, first: usize, channels: usize) -> Value {
    let channel = |band: usize| match channels {
        1 => "grey",
        _ => ["red", "green", "blue", "alpha"][(band - first).min(3)],
    };
    held(bands, first, channels)
        .map(|(band, color)| json!({ "band": band, "channel": channel(band), "color": color }))
        .collect()
}
