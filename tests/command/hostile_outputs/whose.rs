//! Whose a file is.

use super::*;

#[test]
fn file_mentioning_us_is_not_ours() {
    let texts: &[&[u8]] = &[
        b"ncols 3\nnrows 3\n# this landform is a drumlin\n1 2 3\n",
        b"# landform 0.1.0\n",
        b"# landform scene begin\n",
        b"# landform of the valley: 0.1.0\n",
        b"ply\nformat ascii 1.0\ncomment landform classes\nend_header\n",
        b"landform 0.1.0 seed 7 and more",
        b"glTFlandform 0.1.0",
        b"\x89PNG\r\n\x1a\nlandform-scene",
        b"II*\0landform 0.1.0",
        b"v/1\x01landform 0.1.0",
        MINE,
    ];
    for text in texts {
        for format in crate::common::written_formats() {
            let folder = folder();
            let name = format!("x.{}", format.extension);
            let path = folder.path().join(&name);
            fs::write(&path, text).unwrap();
            let arguments = format!("generate --iterations 2 --format {} -o {name}", format.name);
            let output = words(folder.path(), &arguments);
            let held = String::from_utf8_lossy(text);
            assert_eq!(output.status.code(), Some(1), "{arguments}: {held}");
            assert_eq!(&fs::read(&path).unwrap(), text, "{arguments}: {held}");
            assert_eq!(names(folder.path()), [name], "{arguments}");
        }
    }
    // A picture of another program that names a chunk as we do, but not for us.
    let folder = folder();
    let path = folder.path().join("x.png");
    let mut encoder = png::Encoder::new(fs::File::create(&path).unwrap(), 1, 1);
    let software = "landform classifier 2".to_owned();
    encoder
        .add_text_chunk("Software".to_owned(), software)
        .unwrap();
    encoder
        .add_text_chunk("Comment".to_owned(), "landform-scene".to_owned())
        .unwrap();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[7]).unwrap();
    writer.finish().unwrap();
    let before = fs::read(&path).unwrap();
    for arguments in [
        "generate --iterations 2 -o x.png",
        "render --iterations 2 -o x.png",
    ] {
        assert_eq!(words(folder.path(), arguments).status.code(), Some(1));
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[test]
fn only_self_identifying_files_need_no_sidecar() {
    for format in crate::common::written_formats() {
        let folder = folder();
        let name = format!("x.{}", format.extension);
        let arguments = format!("generate --iterations 3 --format {} -o {name}", format.name);
        succeed(folder.path(), &arguments);
        fs::remove_file(folder.path().join(format!("{name}.json"))).unwrap();
        let bytes = fs::read(folder.path().join(&name)).unwrap();
        let says = bytes.windows(8).any(|word| word == b"landform");
        let code = words(folder.path(), &arguments).status.code();
        assert_eq!(code, Some(i32::from(!says)), "{arguments}");
    }
}

#[test]
fn map_changed_by_others_is_not_replaced() {
    let folder = folder();
    let folder = folder.path();
    succeed(folder, "generate --iterations 3 -o x.png");
    let mut image = image::open(folder.join("x.png")).unwrap().to_luma16();
    image.put_pixel(0, 0, image::Luma([7]));
    // A program that keeps data which it does not know does this.
    let mut bytes = fs::read(folder.join("x.png")).unwrap();
    bytes.extend_from_slice(b"edited");
    fs::write(folder.join("x.png"), &bytes).unwrap();
    let again = words(folder, "generate --iterations 3 -o x.png");
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(fs::read(folder.join("x.png")).unwrap(), bytes);
    // A picture of ours in its place is not somebody else's.
    succeed(
        folder,
        "render --iterations 3 --type map --size 9x9 --force -o x.png",
    );
    assert!(!folder.join("x.png.json").exists(), "it tells of the map");
    succeed(
        folder,
        "render --iterations 3 --type map --size 9x9 -o x.png",
    );
    succeed(folder, "generate --iterations 3 -o x.png");
}

#[test]
fn one_changed_sample_of_a_large_map_counts() {
    let folder = folder();
    let folder = folder.path();
    let file = folder.join("x.npy");
    succeed(
        folder,
        "generate --generator formula --iterations 11 -o x.npy",
    );
    let written = fs::read(&file).unwrap();
    // Far from each other, so that one is missed by a sum that leaves out parts.
    for place in [0.3_f64, 0.50005, 0.77777] {
        let mut bytes = written.clone();
        bytes[(written.len() as f64 * place) as usize] ^= 1;
        fs::write(&file, &bytes).unwrap();
        let again = words(folder, "generate --iterations 3 -o x.npy");
        assert_eq!(again.status.code(), Some(1), "{place}");
        assert!(fs::read(&file).unwrap() == bytes);
    }
    succeed(
        folder,
        "generate --generator formula --iterations 11 --resume --force -o x.npy",
    );
    assert!(fs::read(&file).unwrap() == written, "it is made again");
}
