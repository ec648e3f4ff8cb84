//! Images and maps that do not fit.

use super::*;

#[test]
fn a_picture_that_does_not_fit_is_refused_with_the_number_before_it_is_read() {
    let folder = folder();
    // 32,768² grey pixels, all alike, in about 130 kB.
    let file = fs::File::create(folder.path().join("bomb.png")).unwrap();
    let mut encoder = png::Encoder::new(file, 32_768, 32_768);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().unwrap();
    let mut stream = writer.stream_writer().unwrap();
    let row = vec![0; 32_768 / 8];
    for _ in 0..32_768 {
        std::io::Write::write_all(&mut stream, &row).unwrap();
    }
    stream.finish().unwrap();
    drop(writer);
    let length = fs::metadata(folder.path().join("bomb.png")).unwrap().len();
    assert!(length < 300_000, "{length}");
    for arguments in ["stats bomb.png", "generate bomb.png -o x.npy"] {
        let Ended { status, complaint } =
            run(folder.path(), arguments, Some(("--as", 2_000 << 20)));
        assert_eq!(status.code(), Some(1), "{complaint}");
        assert!(
            complaint.contains("MB of memory") && complaint.contains("free"),
            "{complaint}"
        );
    }
    assert_eq!(names(folder.path()), ["bomb.png"]);
}

/// What is made of an image that fitted may fit no more: it is counted, too.
#[test]
fn maps_of_a_large_image_are_done_or_refused_with_the_number() {
    let folder = folder();
    let image = fs::File::create(folder.path().join("flat.r16")).unwrap();
    image.set_len(4000 * 4000 * 2).unwrap();
    let ground = "--input flat.r16 --set surface.generator=image --set modifiers.0.kind=blur";
    let layer = "--set layers.0.surface.generator=image --set layers.0.surface.input=flat.r16";
    // How many maps of 61 MB there are at a time, and beside one of the image.
    for (command, maps) in [
        (format!("generate {ground} {layer} -o x.npy"), 2),
        (format!("render {ground} {layer} --size 64x36 -o x.png"), 5),
        (format!("stats {ground}"), 1),
    ] {
        let mut counted = 0;
        for megabytes in (175..700).step_by(35) {
            let limit = Some(("--as", megabytes << 20));
            let Ended { status, complaint } = run(folder.path(), &command, limit);
            let said = complaint
                .lines()
                .filter(|line| !line.starts_with("warning: "));
            let said: Vec<_> = said.collect();
            match (status.code(), &said[..]) {
                (Some(0), []) => break,
                (Some(1), [line]) => {
                    assert!(line.contains("MB"), "{command}: {line}");
                    let bytes: u64 = maps * 4000 * 4000 * 4;
                    let needed = format!("needs {} MB", bytes >> 20);
                    counted += usize::from(line.contains(&needed));
                }
                _ => panic!("{command} under {megabytes} MB: {status}: {complaint}"),
            }
        }
        // Less than three are no more than reading the image takes.
        assert!(counted > 0 || maps < 3, "{command}");
        assert!(
            names(folder.path())
                .iter()
                .all(|name| !name.ends_with(".part"))
        );
    }
}

/// Every format of maps is asked for its memory before it takes it.
#[test]
fn every_format_of_maps_is_refused_with_the_number() {
    let folder = folder();
    for format in crate::common::written_formats().filter(|format| !format.is_mesh()) {
        let file = format!("{}.{}", format.name, format.extension);
        let make = format!(
            "generate --iterations 11 --format {} -o {file}",
            format.name
        );
        let made = run(folder.path(), &make, None);
        assert!(made.status.success(), "{}", made.complaint);
        // Only the heights count.
        let _ = fs::remove_file(folder.path().join(format!("{file}.json")));
        let again = format!("generate --input {file} --set surface.generator=image -o again.npy");
        let program_alone = run(folder.path(), "list formats", Some(("--as", 60 << 20)));
        assert!(
            program_alone.status.success(),
            "{}",
            program_alone.complaint
        );
        let short = run(folder.path(), &again, Some(("--as", 60 << 20)));
        assert_eq!(short.status.code(), Some(1), "{file}: {}", short.complaint);
        assert!(
            short.complaint.contains("MB"),
            "{file}: {}",
            short.complaint
        );
    }
}
