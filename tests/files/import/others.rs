//! Files of other programs, and what holds no data in them.

use super::*;

#[test]
fn an_ascii_grid_of_another_program_is_read() {
    let folder = folder();
    let path = folder.path().join("x.asc");
    let text = "NCOLS 3\r\nNRows   2\nXLLCORNER 500000\nyllcorner 4600000.5\nCellSize 25\n\
                nodata_VALUE -9999\n10 20.5 -9999\n1e1\t4.0E+1 50\n";
    fs::write(&path, text).unwrap();
    let samples = import::samples(&path).unwrap();
    assert_eq!((samples.grid.rows(), samples.grid.columns()), (2, 3));
    assert_eq!((samples.filled, samples.tile_size_m), (1, Some(50.0)));
    // Metres in half tiles of 25 m.
    assert_eq!(samples.grid.at(0, 1), 0.82);
    assert_eq!(samples.grid.at(1, 2), 2.0);
    let filled = samples.grid.at(0, 2);
    assert!((0.4..=2.0).contains(&filled), "{filled}");
    for (broken, words) in [
        ("ncols 3\nnrows 2\n1 2 3 4 5", "5 of 6"),
        ("ncols 3\nnrows 2\n1 2 3 4 five 6", "`five`"),
        ("ncols 3\ncellsize 2\n1 2 3", "nrows"),
        ("ncols -3\nnrows 2\n", "ncols"),
        ("ncols 30000\nnrows 30000\n1 2 3", "30000"),
        ("ncols 3\nnrows 1\nwhat 2\n1 2 3", "`what`"),
        ("ncols 2\nnrows 1\nnodata_value 1\n1 1", "holds data"),
        ("ncols 2\nnrows 1\n1 1e99", "numbers up to"),
    ] {
        fs::write(&path, broken).unwrap();
        let message = import::image(&path).unwrap_err().to_string();
        assert!(message.contains(words), "{words}: {message}");
    }
}

#[test]
fn srtm_tiles_are_read_and_their_voids_filled() {
    let folder = folder();
    // Without a place in its name it counts as on the equator.
    let path = folder.path().join("tile.hgt");
    let side = 11;
    let metres = |row: usize, column: usize| (row * 100 + column * 10) as i16;
    let is_void = |row: usize, column: usize| (4..8).contains(&row) && (3..7).contains(&column);
    let bytes: Vec<u8> = (0..side * side)
        .map(|at| (at / side, at % side))
        .map(|(r, c)| {
            if is_void(r, c) {
                i16::MIN
            } else {
                metres(r, c)
            }
        })
        .flat_map(i16::to_be_bytes)
        .collect();
    fs::write(&path, &bytes).unwrap();
    let samples = import::samples(&path).unwrap();
    assert_eq!(samples.filled, 16);
    assert_eq!(samples.meaning, Meaning::Heights);
    let half = 111_195.0_f32 / 2.0;
    for row in 0..side {
        for column in 0..side {
            // A plane is its own harmonic continuation.
            let height = samples.grid.at(row, column) * half;
            let off = (height - f32::from(metres(row, column))).abs();
            assert!(
                off < if is_void(row, column) { 25.0 } else { 0.01 },
                "{row} {column} {off}"
            );
        }
    }
    let scene = import::open(&path).unwrap();
    assert_eq!(scene.surface.tile_size_m, 111_195.0);
    let inputs = import::inputs(&scene).unwrap();
    let words = [
        "16 of 121 samples hold no data and were filled from their neighbours",
        "the equator",
    ];
    assert_eq!(inputs.notices().len(), words.len());
    for (notice, words) in inputs.notices().iter().zip(words) {
        assert!(notice.contains(words), "{notice}");
        assert!(notice.ends_with(path.to_str().unwrap()), "{notice}");
    }
    let nothing: Vec<u8> = (0..50).flat_map(|_| i16::MIN.to_be_bytes()).collect();
    fs::write(&path, &nothing[..50]).unwrap();
    let message = import::image(&path).unwrap_err().to_string();
    assert!(message.contains("none of its 25 samples"), "{message}");
}

#[test]
fn filling_crosses_neither_rim_nor_known_sample() {
    let grid = |row: usize, column: usize| ((row * 7 + column * 3) % 11) as f32;
    let mut holes = Grid::filled(40, 57, f32::NAN);
    for row in 0..40 {
        for column in (0..57).filter(|column| (row + column) % 13 == 0 || *column > 50) {
            holes.set(row, column, grid(row, column));
        }
    }
    let before = holes.clone();
    let count = import::fill(&mut holes);
    let missing = before.as_slice().iter().filter(|value| value.is_nan());
    assert_eq!(count, missing.count());
    for (before, after) in before.as_slice().iter().zip(holes.as_slice()) {
        assert!((0.0..=10.0).contains(after), "{after}");
        assert!(before.is_nan() || before == after);
    }
    let mut again = before.clone();
    import::fill(&mut again);
    assert_eq!(again, holes);
    let mut whole = Grid::filled(3, 3, 1.0);
    assert_eq!(import::fill(&mut whole), 0);
}

#[test]
fn nan_samples_are_filled_in_every_float_format() {
    let folder = folder();
    let path = folder.path().join("x.npy");
    write_npy(&path, 4, 4, |row, column| match (row, column) {
        (1, 2) => f32::NAN,
        _ => 0.5,
    });
    let samples = import::samples(&path).unwrap();
    assert_eq!((samples.filled, samples.grid.at(1, 2)), (1, 0.5));
    let path = folder.path().join("x.exr");
    let value = |x: usize, y: usize| (if (x, y) == (2, 1) { f32::NAN } else { 0.25 },);
    use exr::prelude::*;
    let channels = SpecificChannels::build().with_channel::<f32>("height");
    let channels = channels.with_pixel_fn(|at: Vec2<usize>| value(at.x(), at.y()));
    Image::from_channels((4, 3), channels)
        .write()
        .to_file(&path)
        .unwrap();
    let samples = import::samples(&path).unwrap();
    assert_eq!((samples.grid.rows(), samples.grid.columns()), (3, 4));
    assert_eq!((samples.filled, samples.grid.at(1, 2)), (1, 0.25));
}

#[test]
fn command_line_warns_of_filled_samples_and_continues() {
    let folder = folder();
    let text = "ncols 3\nnrows 3\nNODATA_value -1\n1 2 3\n4 -1 6\n7 8 9\n";
    fs::write(folder.path().join("x.asc"), text).unwrap();
    for words in ["generate --input x.asc -o y.npy", "stats x.asc"] {
        let output = landform(folder.path(), words);
        assert!(output.status.success());
        let said = String::from_utf8(output.stderr).unwrap();
        let wanted =
            "warning: 1 of 9 samples hold no data and were filled from their neighbours: x.asc\n";
        assert!(said.starts_with(wanted), "{said}");
    }
}

#[test]
fn window_reports_filling_and_opens_scenes_and_maps() {
    use landform::app::files::{Done, FileJob, Files};
    use landform::app::worker::Worker;
    let folder = folder();
    let map = folder.path().join("x.asc");
    fs::write(&map, "ncols 3\nnrows 2\nNODATA_value -1\n1 2 3\n4 -1 6\n").unwrap();
    let worker = Worker::start(|| {});
    worker.request(import::open_image(&map).unwrap(), true);
    let outbox = worker.wait(std::time::Duration::from_secs(120));
    let notices = outbox.notices.unwrap_or_default();
    assert!(notices[0].starts_with("1 of 6 samples"));

    let exported = export(folder.path(), "made", "png", &scene());
    let files = Files::start(|| {});
    let open = |path: &Path| {
        files.hand(FileJob::Open(path.to_owned())).unwrap();
        loop {
            if let Some(done) = files.take().pop() {
                return done;
            }
            std::thread::yield_now();
        }
    };
    let (_, Done::Opened(_, opened, _)) = open(&exported) else {
        panic!("a scene");
    };
    assert_eq!((opened.scene, opened.is_plain), (scene(), false));
    let (_, Done::Opened(_, opened, _)) = open(&map) else {
        panic!("a map");
    };
    let plain = import::open_image(&map).unwrap();
    assert_eq!((opened.scene, opened.is_plain), (plain, true));
}

/// A square of SRTM's numbers, big end first.
fn srtm() -> Vec<u8> {
    let metres = (0..21 * 21).map(|at: i32| ((at * at) % 900 - 30) as i16);
    metres.flat_map(i16::to_be_bytes).collect()
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in files {
        archive.start_file(*name, options).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn a_zipped_tile_of_elevation_is_the_tile() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("N49E008.hgt"), srtm()).unwrap();
    let plain = import::samples(&path("N49E008.hgt")).unwrap();
    for (archive, inside) in [
        ("N49E008.hgt.zip", "N49E008.hgt"),
        ("N49E008.SRTMGL1.hgt.zip", "N49E008.SRTMGL1.hgt"),
        ("tile.zip", "folder/N49E008.HGT"),
    ] {
        let bytes = zipped(&[("readme.txt", b"hello"), (inside, &srtm())]);
        fs::write(path(archive), bytes).unwrap();
        let read = import::samples(&path(archive)).unwrap();
        assert_eq!(read.grid, plain.grid, "{archive}");
        let extent = |samples: &import::Samples| format!("{:?}", samples.extent());
        assert_eq!(extent(&read), extent(&plain), "{archive}");
    }
    for (name, files) in [
        (
            "two.zip",
            &[("a.hgt", &srtm()[..]), ("b.hgt", &srtm()[..])][..],
        ),
        ("none.zip", &[("a.txt", &b"x"[..])]),
        ("empty.zip", &[]),
        (
            "deep.zip",
            &[("a.zip", &zipped(&[("a.hgt", &srtm()[..])])[..])],
        ),
    ] {
        fs::write(path(name), zipped(files)).unwrap();
        let error = import::samples(&path(name)).unwrap_err().to_string();
        assert!(error.contains("not a usable image"), "{error}");
    }
}

#[test]
fn broken_files_of_gdals_are_one_line() {
    let folder = folder();
    for (name, bytes) in [
        ("x.lrc", b"Lerc2 and so on".to_vec()),
        ("webp.tif", tiff_packed_as(50_001)),
        ("lzma.tif", tiff_packed_as(34_925)),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let error = import::samples(&path).unwrap_err().to_string();
        assert!(!error.contains('\n') && error.ends_with(name), "{error}");
    }
}

/// A TIFF that says it is packed so.
fn tiff_packed_as(packing: u16) -> Vec<u8> {
    use tiff::encoder::{TiffEncoder, colortype::Gray16};
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    encoder.write_image::<Gray16>(4, 4, &[1; 16]).unwrap();
    let mut bytes = bytes.into_inner();
    // Tag 259, a short, one of it.
    let entry = [3, 1, 3, 0, 1, 0, 0, 0];
    let at = bytes.windows(8).position(|bytes| *bytes == entry).unwrap();
    bytes[at + 8..at + 10].copy_from_slice(&packing.to_le_bytes());
    bytes
}
