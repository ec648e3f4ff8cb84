//! What the formats of pictures share: the brightness of their pixels.

/// Each pixel's brightness as stored: the only channel, of two the first, of three or four that of
/// red, green and blue. `number` is the stored number at an index, all channels of a pixel beside
/// each other.
pub fn of_pixels<T: Into<f32> + Into<f64>>(
    pixels: usize,
    channels: usize,
    number: impl Fn(usize) -> T,
) -> Vec<f32> {
    let firsts = (0..pixels).map(|pixel| pixel * channels);
    if channels < 3 {
        firsts.map(|first| number(first).into()).collect()
    } else {
        let colour = |first| [0, 1, 2].map(|channel| number(first + channel).into());
        firsts.map(|first| weighed(colour(first))).collect()
    }
}

/// The brightness of a colour, by the weights of Rec. 709. In f64 they add up to 1 closely enough
/// that grey pixels keep their exact value.
pub fn weighed([red, green, blue]: [f64; 3]) -> f32 {
    (0.2126 * red + 0.7152 * green + 0.0722 * blue) as f32
}
