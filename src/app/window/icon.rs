//! Window icon: a tile of landscape rendered by `landform render`. The PNG contains its scene and
//! can be opened.

use winit::window::Icon;

const PICTURE: &[u8] = include_bytes!("../../../assets/icon.png");

/// Window icon; `None` with a log entry if it cannot be decoded.
pub fn icon() -> Option<Icon> {
    let picture = image::load_from_memory_with_format(PICTURE, image::ImageFormat::Png);
    let icon = picture
        .map_err(|error| error.to_string())
        .and_then(|picture| {
            let pixels = picture.into_rgba8();
            let (width, height) = pixels.dimensions();
            Icon::from_rgba(pixels.into_raw(), width, height).map_err(|error| error.to_string())
        });
    icon.inspect_err(|error| log::warn!("no icon: {error}"))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icon_is_one() {
        assert!(icon().is_some());
    }
}
