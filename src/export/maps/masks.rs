//! What is said of a picture of masks: the bands that it holds and their colours.

use crate::formats::sidecar::BandInPicture;
use crate::maps::splat::Bands;

/// Which bands a picture holds, and their colours.
pub fn description(bands: &Bands, first: usize, channels: usize) -> String {
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
