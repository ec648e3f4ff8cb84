//! Whatever names, keys and values of files hold, a terminal is sent text only.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::*;
use assert_cmd::Command;
use landform::words;

/// Sets the title of a terminal, and what else one obeys.
const EVIL: &str = "\u{1b}]0;gone\u{7}\u{9b}31m\u{202e}x";

fn landform_os<'a>(folder: &Path, arguments: impl IntoIterator<Item = &'a OsStr>) -> Output {
    Command::cargo_bin("landform")
        .unwrap()
        .current_dir(folder)
        .args(arguments)
        .env("RUST_LOG", "trace")
        .output()
        .unwrap()
}

/// Runs `landform`, which must say something about it, and nothing that a terminal obeys.
#[track_caller]
fn check(folder: &Path, arguments: &[&str]) -> String {
    let output = landform_os(folder, arguments.iter().map(OsStr::new));
    let said = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(said).unwrap();
    let obeyed = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!text.contains(obeyed), "{arguments:?}: {text:?}");
    text
}

#[test]
fn terminals_obey_nothing_out_of_a_file() {
    let folder = folder();
    let here = folder.path();
    let escaped = "\\u001b]0;gone\\u0007\\u009b31m\\u202ex";
    let write = |name: &str, text: &str| fs::write(here.join(name), text).unwrap();
    // Keys, values and names in scenes and palettes.
    write("key.toml", &format!("\"{escaped}\" = 1\n"));
    write(
        "value.toml",
        &format!("[surface]\ngenerator = \"{escaped}\"\n"),
    );
    write(
        "later.toml",
        &format!("version = 99\n\"{escaped}\" = 1\n[surface]\niterations = 3\n"),
    );
    write(
        "named.toml",
        &format!("[surface]\ngenerator = \"image\"\ninput = \"{escaped}.png\"\n"),
    );
    write(
        "palette.toml",
        &format!("[view]\npalette = \"{escaped}\"\n"),
    );
    write(
        "file.toml",
        &format!("[view]\npalette = \"{escaped}.toml\"\n"),
    );
    write(
        "formula.toml",
        &format!("[surface]\ngenerator = \"formula\"\nformula.expression = \"{escaped}\"\n"),
    );
    write("bad.toml", &format!("colors = [\"{escaped}\"]\n"));
    write("raw.toml", &format!("{EVIL} = 1\n"));
    // Words of other formats.
    write("x.asc", &format!("ncols 2\nnrows 1\n{EVIL} 3\n1 2\n"));
    write("y.asc", &format!("ncols 2\nnrows 1\n1 {EVIL}\n"));
    write(
        "z.asc",
        &format!(
            "# landform scene begin\n# {EVIL} = 1\n# landform scene end\nncols 2\nnrows 1\n1 2\n"
        ),
    );
    write("x.pgm", &format!("P2\n{EVIL} 1\n255\n1 2\n"));
    write("x.npy", &format!("\u{93}NUMPY{EVIL}"));
    fs::write(
        here.join("y.npy"),
        [
            b"\x93NUMPY\x01\x00\x76\x00",
            format!(
                "{{'descr': '{EVIL}', 'fortran_order': False, 'shape': (2, 2), }}{:90}\n",
                ""
            )
            .as_bytes(),
        ]
        .concat(),
    )
    .unwrap();
    write("x.exr", &format!("v/1\u{1}{EVIL}"));
    write("x.tif", &format!("II*\0{EVIL}"));
    tiff(&here.join("tags.tif"));
    archive(&here.join("one.zip"), &[&format!("{EVIL}.asc")]);
    archive(&here.join("two.zip"), &["a.asc", &format!("{EVIL}.asc")]);
    archive(&here.join("none.zip"), &[EVIL]);
    write("z.prj", &format!("PROJCS[\"{EVIL}\",UNIT[\"{EVIL}\",1]]"));
    let made = landform(here, "generate --iterations 3 -o a.r32 -o a.png -o a.exr");
    assert!(made.status.success());
    let json = fs::read_to_string(here.join("a.r32.json")).unwrap();
    write(
        "a.r32.json",
        &json.replace("\"iterations\"", &format!("\"{escaped}\"")),
    );
    let png = fs::read(here.join("a.png")).unwrap();
    let at = png
        .windows(10)
        .position(|part| part == b"iterations")
        .unwrap();
    let mut evil = png.clone();
    evil[at..at + 4].copy_from_slice(b"\x1b]0;");
    fs::write(here.join("a.png"), evil).unwrap();
    let names: Vec<String> = names(here);
    let mut quoted = 0;
    for name in &names {
        for command in ["generate", "stats"] {
            let out: &[&str] = if command == "generate" {
                &["-o", "out.npy"]
            } else {
                &[]
            };
            let text = check(here, &[&[command, name], out].concat());
            quoted += usize::from(text.contains("\\u{1b}"));
        }
        check(here, &["generate", "--input", name, "-o", "out.npy"]);
        check(
            here,
            &[
                "generate",
                "--set",
                &format!("view.palette={name}"),
                "-o",
                "out.npy",
            ],
        );
    }
    assert!(quoted >= 12, "{quoted}");
    // Names of files and words of the command line.
    let there = format!("{EVIL}.toml");
    write(&there, "what = 1");
    for arguments in [
        vec!["generate", &*there, "-o", "x.npy"],
        vec!["generate", EVIL, "-o", "x.npy"],
        vec!["generate", "-o", EVIL],
        vec!["generate", "-o", &format!("no/{EVIL}.npy")],
        vec!["generate", "--generator", EVIL, "-o", "x.npy"],
        vec!["generate", "--set", EVIL, "-o", "x.npy"],
        vec!["generate", "--set", &format!("{EVIL}=1"), "-o", "x.npy"],
        vec![
            "generate",
            "--set",
            &format!("view.palette={EVIL}"),
            "-o",
            "x.npy",
        ],
        vec!["generate", "--format", EVIL, "-o", "x.npy"],
        vec!["render", "--palette", EVIL, "-o", "x.png"],
        vec!["render", "-o", EVIL],
        vec!["render", "--bookmark", EVIL, "-o", "x.png"],
        vec![EVIL],
        vec!["list", EVIL],
        vec!["stats", &there],
    ] {
        let text = check(here, &arguments);
        assert!(
            text.contains("\\u{9b}31m\\u{202e}x"),
            "{arguments:?}: {text}"
        );
    }
}

/// A GeoTIFF whose words are what a terminal obeys, as far as ASCII has it.
fn tiff(path: &Path) {
    use tiff::encoder::{TiffEncoder, colortype::Gray16};
    use tiff::tags::Tag;
    const WORDS: &str = "\u{1b}]0;gone\u{7}x|";
    let mut encoder = TiffEncoder::new(fs::File::create(path).unwrap()).unwrap();
    let mut image = encoder.new_image::<Gray16>(2, 2).unwrap();
    let tags = image.encoder();
    for tag in [
        Tag::ImageDescription,
        Tag::Software,
        Tag::Unknown(34_737),
        Tag::Unknown(42_112),
        Tag::Unknown(42_113),
    ] {
        tags.write_tag(tag, WORDS).unwrap();
    }
    // A place that is named by those words.
    let keys: &[u16] = &[1, 1, 0, 2, 1024, 0, 1, 1, 1026, 34_737, 12, 0];
    tags.write_tag(Tag::Unknown(34_735), keys).unwrap();
    image.write_data(&[1, 2, 3, 4]).unwrap();
}

/// An archive of such files, none of which is one.
fn archive(path: &Path, files: &[&str]) {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(fs::File::create(path).unwrap());
    for name in files {
        let options = zip::write::SimpleFileOptions::default();
        archive.start_file(*name, options).unwrap();
        archive
            .write_all(format!("ncols {EVIL}").as_bytes())
            .unwrap();
    }
    archive.finish().unwrap();
}

/// JSON is text: what is none in a name is replaced there, and nowhere else.
#[cfg(unix)]
#[test]
fn json_with_a_non_utf8_name_stays_valid() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let name = OsStr::from_bytes(b"Z\xfcrich.png");
    for command in [
        "generate --iterations 3",
        "render --iterations 3 --size 9x9 --type map",
        "render --iterations 3 --size 9x9 --type map --contact-sheet 1x1",
    ] {
        let arguments = command.split(' ').map(OsStr::new);
        let arguments =
            arguments.chain(["--json".as_ref(), "--force".as_ref(), "-o".as_ref(), name]);
        let output = landform_os(folder.path(), arguments);
        assert!(output.status.success(), "{command}");
        let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(line["files"][0], "Z\u{fffd}rich.png", "{command}");
        assert!(folder.path().join(name).is_file(), "{command}");
    }
}

#[cfg(unix)]
#[test]
fn non_utf8_name_is_written_unchanged() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let name = OsStr::from_bytes(b"Z\xfcrich\xff.toml");
    fs::write(folder.path().join(name), "what = 1").unwrap();
    let arguments = ["generate".as_ref(), name, "-o".as_ref(), "x.npy".as_ref()];
    let output = landform_os(folder.path(), arguments);
    let wanted = [b": ", name.as_bytes(), b"\n"].concat();
    assert!(
        output.stderr.ends_with(&wanted),
        "{:?}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[cfg(unix)]
#[test]
fn refusals_name_a_non_utf8_output_exactly() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let name = |end: &str| [&b"Z\xfcrich\xff."[..], end.as_bytes()].concat();
    let (foreign, dir) = (name("npy"), name("png"));
    let [foreign, dir] = [&foreign, &dir].map(|bytes| OsStr::from_bytes(bytes));
    fs::write(folder.path().join(foreign), "theirs").unwrap();
    fs::create_dir(folder.path().join(dir)).unwrap();
    let twice = OsStr::from_bytes(b"Z\xfcrich\xff.r32");
    for outputs in [vec![foreign], vec![dir], vec![twice, twice]] {
        let mut arguments: Vec<&OsStr> = vec!["generate".as_ref(), "--iterations=3".as_ref()];
        arguments.extend(outputs.iter().flat_map(|output| ["-o".as_ref(), *output]));
        let output = landform_os(folder.path(), arguments);
        let named = outputs[0].as_bytes();
        let shown = output.stderr.windows(named.len()).any(|part| part == named);
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(shown && !output.status.success(), "{words}");
    }
}

#[test]
fn words_keep_their_letters() {
    for text in [
        "Größe",
        "日本語",
        "a b",
        "\u{10ffff}",
        "\u{10ff80}x",
        "e\u{301}",
    ] {
        let named = words::named(Path::new(text));
        assert_eq!(words::terminal(&named), text.as_bytes(), "{text}");
    }
    assert_eq!(words::window("a\u{1b}[1m\nb"), "a\\u{1b}[1m\\nb");
}
