//! Broken, lying and hostile files: one line of error, no panic, no hang, and no more memory than
//! the file can hold. A test binary of its own, since it counts every byte that is allocated.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use landform::export::{self, Format, Options};
use landform::import;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::scene::Scene;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// Counts the bytes that are allocated and not yet freed, and the largest number of them.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        unsafe { System.alloc(layout) }
    }

    // Without this, zeros would be written at once, and not given by the system when they are used.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Bytes that any file may cost, whatever its length: buffers and tables.
const BASE: usize = 8 << 20;
/// Bytes of memory for each byte of a file whose numbers are not packed.
const PLAIN: usize = 64;
/// Bytes of memory for each byte of a packed file: 3000 for the packing, times what a byte becomes.
const PACKED: usize = 32 << 10;

/// A sound file: name, bytes, and how much memory a byte of it may take.
struct Sample {
    name: String,
    bytes: Vec<u8>,
    factor: usize,
}

fn samples() -> Vec<Sample> {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = Scene::default();
    scene.surface.iterations = 4;
    scene.surface.tile_size_m = 345.6;
    let mut all = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>, factor: usize| {
        assert!(
            name.ends_with(".zip")
                || import::samples_in(name.rsplit('.').next().unwrap(), &bytes).is_ok()
                || import::scene_in(name.rsplit('.').next().unwrap(), &bytes).is_some(),
            "{name}"
        );
        all.push(Sample {
            name: name.to_owned(),
            bytes,
            factor,
        });
    };
    for (name, factor) in [
        ("npy", PLAIN),
        ("png", PACKED),
        ("png8", PACKED),
        ("r16", PLAIN),
        ("r32", PLAIN),
        ("tiff", PACKED),
        ("tiff16", PACKED),
        ("exr", PACKED),
        ("asc", PLAIN),
        ("ply", PLAIN),
        ("glb", PLAIN),
        ("obj", PLAIN),
    ] {
        let format = Format::named(name).unwrap();
        let path = folder.path().join(format!("x.{}", format.extension));
        let options = Options {
            format: Some(format),
            ..Options::default()
        };
        export::heightmap(&path, &scene, &Inputs::default(), options, &Job::new()).unwrap();
        add(
            &format!("{name}.{}", format.extension),
            fs::read(&path).unwrap(),
            factor,
        );
    }
    let grey = image::GrayImage::from_fn(17, 17, |x, y| image::Luma([(x * 3 + y * y) as u8]));
    for (name, kind, factor) in [
        ("x.bmp", image::ImageFormat::Bmp, 4 * 128 * 8),
        ("x.jpg", image::ImageFormat::Jpeg, PACKED),
        ("x.pgm", image::ImageFormat::Pnm, PLAIN * 2),
        ("x.tif", image::ImageFormat::Tiff, PACKED),
    ] {
        let mut bytes = Cursor::new(Vec::new());
        grey.write_to(&mut bytes, kind).unwrap();
        add(name, bytes.into_inner(), factor);
    }
    add(
        "text.pgm",
        b"P2\n3 2\n# no\n65535\n1 2 3\n400 500 65535\n".to_vec(),
        PLAIN * 2,
    );
    add("x.hgt", (0..162).collect(), PLAIN);
    add(
        "x.hgt.zip",
        zipped("N49E008.SRTMGL1.hgt", &[7; 162]),
        PACKED,
    );
    use tiff::encoder::Compression as Tiff;
    for (name, packing) in [
        ("lzw.tif", Tiff::Lzw),
        ("deflate.tif", Tiff::Deflate(Default::default())),
        ("packbits.tif", Tiff::Packbits),
    ] {
        add(name, tiff(packing), PACKED);
    }
    use exr::prelude::Compression as Exr;
    for (name, packing) in [
        ("rle.exr", Exr::RLE),
        ("piz.exr", Exr::PIZ),
        ("pxr.exr", Exr::PXR24),
        ("zip.exr", Exr::ZIP16),
        ("plain.exr", Exr::Uncompressed),
    ] {
        add(name, exr(packing), PACKED);
    }
    all
}

/// An archive with one file in it.
fn zipped(name: &str, bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file(name, options).unwrap();
    archive.write_all(bytes).unwrap();
    archive.finish().unwrap().into_inner()
}

fn tiff(packing: tiff::encoder::Compression) -> Vec<u8> {
    use tiff::encoder::{TiffEncoder, colortype::Gray16};
    let mut bytes = Cursor::new(Vec::new());
    let values: Vec<u16> = (0..300_u32).map(|at| (at * at / 7) as u16).collect();
    let encoder = TiffEncoder::new(&mut bytes).unwrap();
    let mut encoder = encoder.with_compression(packing);
    encoder.write_image::<Gray16>(20, 15, &values).unwrap();
    bytes.into_inner()
}

fn exr(packing: exr::prelude::Compression) -> Vec<u8> {
    use exr::prelude::*;
    let mut bytes = Cursor::new(Vec::new());
    let channels = SpecificChannels::build().with_channel::<f32>("Z");
    let channels = channels.with_pixel_fn(|at: Vec2<usize>| ((at.0 * at.1) as f32 / 99.0,));
    let encoding = Encoding {
        compression: packing,
        ..Encoding::default()
    };
    let layer = Layer::new((19, 21), LayerAttributes::named("x"), encoding, channels);
    let image = Image::from_layer(layer);
    image.write().to_buffered(&mut bytes).unwrap();
    bytes.into_inner()
}

/// A way to break a file. Places are parts of a 65536th of the file, or of its first 400 bytes.
#[derive(Clone, Debug)]
enum Damage {
    Cut(u16),
    Flip(Vec<(bool, u16, u8)>),
    Number(bool, u16, u32, u8),
    Drop(u16, u8),
    Double(u16, u8),
}

fn damage() -> impl Strategy<Value = Damage> {
    let extreme = prop_oneof![
        Just(u32::MAX),
        Just(i32::MAX as u32),
        Just(1 << 31),
        Just(0),
        Just(1),
        Just(32_768),
        Just(30_000),
        Just(u32::from_be_bytes([0, 0, 0x75, 0x30])),
        any::<u32>(),
    ];
    prop_oneof![
        any::<u16>().prop_map(Damage::Cut),
        vec((any::<bool>(), any::<u16>(), any::<u8>()), 1..8).prop_map(Damage::Flip),
        (any::<bool>(), any::<u16>(), extreme, 1_u8..=8)
            .prop_map(|(head, at, number, bytes)| Damage::Number(head, at, number, bytes)),
        (any::<u16>(), any::<u8>()).prop_map(|(at, count)| Damage::Drop(at, count)),
        (any::<u16>(), any::<u8>()).prop_map(|(at, count)| Damage::Double(at, count)),
    ]
}

impl Damage {
    fn to(&self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        let all = bytes.len();
        let place = |head: bool, at: u16| {
            let length = if head { all.min(400) } else { all };
            usize::from(at) * length / 65_536
        };
        match self {
            Self::Cut(at) => bytes.truncate(place(false, *at)),
            Self::Flip(flips) => flips.iter().for_each(|(head, at, bit)| {
                bytes[place(*head, *at)] ^= 1 << (bit % 8);
            }),
            Self::Number(head, at, number, count) => {
                let start = place(*head, *at);
                let number = match count % 2 {
                    0 => u64::from(*number).to_le_bytes(),
                    _ => u64::from(*number).rotate_left(32).to_be_bytes(),
                };
                let end = (start + usize::from(*count)).min(all);
                bytes[start..end].copy_from_slice(&number[..end - start]);
            }
            Self::Drop(at, count) => {
                let start = place(false, *at);
                bytes.drain(start..(start + usize::from(*count)).min(all));
            }
            Self::Double(at, count) => {
                let start = place(false, *at);
                let part = bytes[start..(start + usize::from(*count)).min(all)].to_vec();
                bytes.splice(start..start, part);
            }
        }
        bytes
    }
}

/// Opens bytes as a file in every way; returns the most memory that was taken.
fn open(path: &Path, bytes: &[u8]) -> usize {
    fs::write(path, bytes).unwrap();
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let started = Instant::now();
    for outcome in [
        import::scene(path).map(|_| ()),
        import::samples(path).map(|_| ()),
    ] {
        if let Err(error) = outcome {
            let message = error.to_string();
            assert!(!message.contains('\n'), "{message}");
            assert!(message.ends_with(path.to_str().unwrap()), "{message}");
        }
    }
    if let Ok(map) = import::heights(path) {
        assert!(map.heights().iter().all(|height| height.is_finite()));
    }
    assert!(started.elapsed() < Duration::from_secs(120), "it hangs");
    PEAK.load(Relaxed) - before
}

#[test]
fn damaged_files_cause_no_panic_hang_or_overallocation() {
    let _alone = crate::alone();
    let folder = tempfile::tempdir().unwrap();
    for sample in samples() {
        let path = folder.path().join(&sample.name);
        let config = ProptestConfig {
            cases: cases(),
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let damages = vec(damage(), 1..3);
        let outcome = TestRunner::new_with_rng(config, rng).run(&damages, |damages| {
            let mut bytes = sample.bytes.clone();
            for damage in damages {
                bytes = match bytes.is_empty() {
                    true => bytes,
                    false => damage.to(&bytes),
                };
            }
            let peak = open(&path, &bytes);
            let most = BASE + bytes.len() * sample.factor;
            prop_assert!(peak <= most, "{peak} bytes for a file of {}", bytes.len());
            Ok(())
        });
        if let Err(error) = outcome {
            panic!("{}: {error}", sample.name);
        }
    }
    a_scene_takes_no_memory_that_its_text_does_not_fill();
}

/// How many ways each file is broken in; more with `LANDFORM_CASES=3000`.
fn cases() -> u32 {
    let asked = std::env::var("LANDFORM_CASES").ok();
    asked.and_then(|cases| cases.parse().ok()).unwrap_or(100)
}

fn a_scene_takes_no_memory_that_its_text_does_not_fill() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.toml");
    for item in ["layers = [", "modifiers = [", "surface.pins = ["] {
        let text = format!("{item}{}]", "{},".repeat(300_000));
        fs::write(&path, &text).unwrap();
        let before = NOW.load(Relaxed);
        PEAK.store(before, Relaxed);
        assert!(import::open(&path).is_err());
        let peak = PEAK.load(Relaxed) - before;
        assert!(
            peak < text.len() * 256,
            "{item} {peak} bytes for {}",
            text.len()
        );
    }
}
