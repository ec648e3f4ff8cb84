//! What the formats of pictures share: the brightness of their pixels.

/// Each pixel's brightness as stored: the only channel, of two the first, of three or four that of
/// red, green and blue.
pub fn of_pixels<T: Copy + Into<f32> + Into<f64>>(channels: &[T], count: usize) -> Vec<f32> {
    let pixels = channels.chunks_exact(count);
    if count < 3 {
        pixels.map(|pixel| pixel[0].into()).collect()
    } else {
        let colours = pixels.map(|pixel| [pixel[0], pixel[1], pixel[2]].map(Into::into));
        colours.map(weighed).collect()
    }
}

/// The brightness of a colour, by the weights of Rec. 709. In f64 they add up to 1 closely enough
/// that grey pixels keep their exact value.
pub fn weighed([red, green, blue]: [f64; 3]) -> f32 {
    (0.2126 * red + 0.7152 * green + 0.0722 * blue) as f32
}
