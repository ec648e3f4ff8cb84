//! NumPy arrays of every type, and PNG files of every kind of pixel, as they come in.

use std::fs;
use std::path::Path;

use crate::common::*;
use image::DynamicImage;
use landform::import;
use png::{BitDepth, ColorType, Encoder};

/// A `.npy` file of 2 × 3 numbers with a head as NumPy writes it in that version.
fn array(version: [u8; 2], descr: &str, numbers: &[u8]) -> Vec<u8> {
    let words = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (2, 3), }}\n");
    let length = (words.len() as u32).to_le_bytes();
    let length = if version[0] == 1 {
        &length[..2]
    } else {
        &length[..]
    };
    [
        b"\x93NUMPY",
        &version[..],
        length,
        words.as_bytes(),
        numbers,
    ]
    .concat()
}

#[test]
fn arrays_of_any_type_order_and_version_load() {
    const NUMBERS: [f64; 6] = [1.0, 2.0, 3.0, 130.0, 5.0, 77.0];
    macro_rules! check {
        ($($descr:literal $type:ty, $to:ident);+) => {$(
            let bytes: Vec<u8> = (NUMBERS.iter()).flat_map(|v| (*v as $type).$to()).collect();
            for version in [[1, 0], [2, 0], [3, 0]] {
                let file = array(version, $descr, &bytes);
                let read = import::samples_in("npy", &file).unwrap().grid;
                assert_eq!((read.rows(), read.columns()), (2, 3));
                assert_eq!(read.as_slice(), NUMBERS.map(|v| v as f32), "{} {version:?}", $descr);
                // One byte short.
                let error = import::samples_in("npy", &file[..file.len() - 1]).unwrap_err();
                assert!(error.contains("cut short"), "{error}");
            }
        )+};
    }
    check!(
        "|u1" u8, to_le_bytes; "<u2" u16, to_le_bytes; ">u2" u16, to_be_bytes;
        "<i2" i16, to_le_bytes; ">i2" i16, to_be_bytes; "<i4" i32, to_le_bytes;
        ">i4" i32, to_be_bytes; "<f4" f32, to_le_bytes; ">f4" f32, to_be_bytes;
        "<f8" f64, to_le_bytes; ">f8" f64, to_be_bytes
    );
    for (version, descr, word) in [
        ([4, 0], "<f4", "version 4.0"),
        ([0, 0], "<f4", "version 0.0"),
        ([1, 0], "<c8", "<c8"),
        ([1, 0], "?f4", "?f4"),
        ([1, 0], "", "type"),
    ] {
        let error = import::samples_in("npy", &array(version, descr, &[0; 96])).unwrap_err();
        assert!(error.contains(word), "{error}");
    }
}

/// Brightness as another decoder has it.
fn expected(path: &Path) -> Vec<f32> {
    fn of<T: Copy + Into<f64>>(numbers: &[T], channels: usize) -> Vec<f32> {
        let pixels = numbers.chunks_exact(channels);
        let brightness = |pixel: &[T]| {
            let number = |at: usize| -> f64 { pixel[at].into() };
            match channels {
                1 | 2 => number(0) as f32,
                _ => (0.2126 * number(0) + 0.7152 * number(1) + 0.0722 * number(2)) as f32,
            }
        };
        pixels.map(brightness).collect()
    }
    match image::open(path).unwrap() {
        DynamicImage::ImageLuma8(image) => of(&image, 1),
        DynamicImage::ImageLumaA8(image) => of(&image, 2),
        DynamicImage::ImageRgb8(image) => of(&image, 3),
        DynamicImage::ImageRgba8(image) => of(&image, 4),
        DynamicImage::ImageLuma16(image) => of(&image, 1),
        DynamicImage::ImageLumaA16(image) => of(&image, 2),
        DynamicImage::ImageRgb16(image) => of(&image, 3),
        DynamicImage::ImageRgba16(image) => of(&image, 4),
        other => panic!("{other:?}"),
    }
}

#[test]
fn pixel_brightness_matches_another_decoder() {
    use BitDepth::{Eight, Four, One, Sixteen, Two};
    let folder = folder();
    let path = folder.path().join("x.png");
    let mut kinds = Vec::new();
    for (color, depths) in [
        (ColorType::Grayscale, &[One, Two, Four, Eight, Sixteen][..]),
        (ColorType::Indexed, &[One, Two, Four, Eight]),
        (ColorType::GrayscaleAlpha, &[Eight, Sixteen]),
        (ColorType::Rgb, &[Eight, Sixteen]),
        (ColorType::Rgba, &[Eight, Sixteen]),
    ] {
        for transparent in [false, true] {
            kinds.extend(depths.iter().map(|depth| (color, *depth, transparent)));
        }
    }
    for (color, depth, transparent) in kinds {
        let has_alpha = matches!(color, ColorType::GrayscaleAlpha | ColorType::Rgba);
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, 5, 3);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if color == ColorType::Indexed {
            let colours = 1 << (depth as usize);
            let palette: Vec<u8> = (0..3 * colours).map(|at| (at * 37 % 251) as u8).collect();
            encoder.set_palette(palette);
        }
        if transparent && !has_alpha {
            let key = match color {
                ColorType::Indexed => vec![0, 128],
                ColorType::Rgb => vec![0, 1, 0, 2, 0, 3],
                _ => vec![0, 1],
            };
            encoder.set_trns(key);
        }
        let bits = color.samples() * depth as usize;
        let length = (5 * bits).div_ceil(8) * 3;
        let pixels: Vec<u8> = (0..length).map(|at| (at * 89 % 256) as u8).collect();
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&pixels).unwrap();
        drop(writer);
        fs::write(&path, &file).unwrap();
        let read = import::samples(&path).unwrap();
        let what = format!("{color:?} {depth:?} transparent: {transparent}");
        // Transparent pixels are no data.
        let is_valid = |at: usize| {
            read.valid
                .as_ref()
                .is_none_or(|valid| valid.is_valid(at / 5, at % 5))
        };
        for (at, expected) in expected(&path)
            .into_iter()
            .enumerate()
            .filter(|(at, _)| is_valid(*at))
        {
            assert_eq!(read.grid.as_slice()[at], expected, "{what}");
        }
        // Cut within the pixels.
        let cut = import::samples_in("png", &file[..file.len() - 20]).unwrap_err();
        assert!(cut.contains("cut short"), "{what}: {cut}");
    }
    let interlaced = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign/adam7.png");
    let read = import::image(&interlaced).unwrap();
    assert_eq!(read.as_slice(), expected(&interlaced));
}

#[test]
fn a_png_with_a_changed_byte_is_refused() {
    let file = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign/adam7.png"));
    let mut file = file.unwrap();
    let data = file.windows(4).position(|name| name == b"IDAT").unwrap();
    file[data + 12] ^= 0x55;
    let error = import::samples_in("png", &file).unwrap_err();
    assert!(!error.contains('\n') && !error.is_empty(), "{error}");
}
