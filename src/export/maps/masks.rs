//! Descriptions of mask pictures: the palette bands in their channels.

use crate::formats::sidecar::BandInPicture;
use crate::maps::splat::Bands;

/// Text that lists the bands of a picture and their colours.
pub fn description(bands: &Bands, first: usize, channels: usize) -> String {
    let named = held(bands, first, channels)
        .map(|(band, color)| format!("band {band} of {}, {color}", bands.colors.len()));
    named.collect::<Vec<_>>().join("; ")
}

/// Bands of a picture: number, and colour as `#rrggbb`.
fn held(bands: &Bands, first: usize, channels: usize) -> impl Iterator<Item = (usize, String)> {
    let colors = bands.colors.iter().enumerate().skip(first).take(channels);
    colors.map(|(band, color)| {
        let [r, g, b] = color.map(|v| (v * 255.0).round() as u8);
        (band, format!("#{r:02x}{g:02x}{b:02x}"))
    })
}

/// Sidecar entries for the bands of a picture.
pub fn facts(bands: &Bands, first: usize, channels: usize) -> Vec<BandInPicture> {
    let channel = |band: usize| match channels {
        1 => "grey",
        _ => ["red", "green", "blue", "alpha"][(band - first).min(3)],
    };
    held(bands, first, channels)
        .map(|(band, color)| BandInPicture {
            band,
            channel: channel(band).to_owned(),
            color,
        })
        .collect()
}
