//! Masks by band of the palette, one or four of them a picture.

use std::path::{Path, PathBuf};

use ::png::{BitDepth, ColorType};
use serde_json::{Value, json};

use super::Asked;
use super::ground::Ground;
use super::png::Picture;
use crate::export::ExportError;
use crate::export::target::Target;
use crate::generate::GenerateError;
use crate::maps::Kind;
use crate::maps::splat::Bands;
use crate::texture::Palette;

/// Refuses names that several pictures would have.
pub fn check_names(asked: &Asked<'_>, paths: &[&Path]) -> Result<(), ExportError> {
    let Kind::Bands(channels) = asked.map.kind else {
        return Ok(());
    };
    let bands = Bands::new(asked.palette, (0.0, 1.0)).colors.len();
    let pictures = bands.div_ceil(channels);
    let nameless = |path: &&&Path| !path.to_string_lossy().contains("{band}");
    match paths.iter().find(nameless) {
        Some(path) if pictures > 1 => Err(ExportError::BandName {
            pictures,
            path: path.to_path_buf(),
        }),
        _ => Ok(()),
    }
}

/// The files of a pattern: `{band}` becomes the number of each picture's first band.
pub fn files(palette: &Palette, channels: usize, pattern: &Path) -> Vec<PathBuf> {
    let text = pattern.to_string_lossy();
    let bands = Bands::new(palette, (0.0, 1.0)).colors.len();
    let pictures = (0..bands).step_by(channels);
    let name = |first: usize| PathBuf::from(text.replace("{band}", &first.to_string()));
    pictures.map(name).collect()
}

/// The files, not yet named, of the masks of heights from `range.0` to `range.1`; `{band}` in a path becomes the number
/// of a picture's first band, from 0, the lowest.
pub fn write(
    asked: &Asked<'_>,
    paths: &[&Path],
    ground: &Ground,
    range: (f32, f32),
    channels: usize,
) -> Result<Vec<(Target, Value)>, ExportError> {
    let bands = Bands::new(asked.palette, range);
    let pictures: Vec<usize> = (0..bands.colors.len()).step_by(channels).collect();
    let mut targets = Vec::new();
    for path in paths {
        let text = path.to_string_lossy();
        for first in &pictures {
            let path = PathBuf::from(text.replace("{band}", &first.to_string()));
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
            targets.push((target, facts(&bands, *first, channels)));
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
