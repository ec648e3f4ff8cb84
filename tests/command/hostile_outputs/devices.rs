//! Devices and pipes.

use super::*;

#[test]
fn devices_stay_devices() {
    let folder = folder();
    let folder = folder.path();
    let ours = folder.join("ours");
    symlink("/dev/stdout", &ours).unwrap();
    for device in [
        "/dev/null",
        "/dev/full",
        "/dev/stdout",
        "/dev/fd/1",
        "/proc/self/fd/1",
        "ours",
    ] {
        for command in [
            "generate --iterations 3 --format npy",
            "render --iterations 3 --size 9x9 --format png",
        ] {
            let arguments = format!("{command} -o {device} --force");
            // Standard output as a pipe, and as a file that is gone again.
            let gone = folder.join("gone");
            let file = fs::File::create(&gone).unwrap();
            fs::remove_file(&gone).unwrap();
            for out in [Stdio::piped(), file.into()] {
                let output = Command::new(assert_cmd::cargo::cargo_bin("landform"))
                    .args(arguments.split_whitespace())
                    .current_dir(folder)
                    .stdout(out)
                    .output()
                    .unwrap();
                assert_eq!(output.status.code(), Some(1), "{arguments}");
                assert_eq!(output.stdout, b"", "{arguments}");
            }
        }
    }
    assert!(fs::symlink_metadata(&ours).unwrap().is_symlink());
    assert_eq!(names(folder), ["ours"]);
}

#[test]
fn standard_output_takes_what_a_file_would() {
    for format in crate::common::written_formats() {
        let folder = folder();
        let folder = folder.path();
        let name = format!("x.{}", format.extension);
        let flags = format!("generate --iterations 4 --format {}", format.name);
        succeed(folder, &format!("{flags} -o {name}"));
        let file = fs::read(folder.join(&name)).unwrap();
        for name in names(folder) {
            fs::remove_file(folder.join(name)).unwrap();
        }
        let output = words(folder, &format!("{flags} -o -"));
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "",
            "{}",
            format.name
        );
        assert!(output.status.success(), "{}", format.name);
        assert_eq!(names(folder), [""; 0], "{}", format.name);
        // An OBJ into a pipe has nothing beside it, so it names nothing.
        if format.name != "obj" {
            assert!(output.stdout == file, "{}", format.name);
        }
        let to = |out: fs::File| {
            let mut command = Command::new(assert_cmd::cargo::cargo_bin("landform"));
            let arguments = format!("{flags} -o -");
            let command = command.args(arguments.split_whitespace()).stdout(out);
            command.stderr(Stdio::piped()).output().unwrap()
        };
        if cfg!(target_os = "linux") {
            let full = to(fs::OpenOptions::new()
                .write(true)
                .open("/dev/full")
                .unwrap());
            let said = String::from_utf8_lossy(&full.stderr).into_owned();
            assert_eq!(full.status.code(), Some(1), "{said}");
            assert!(
                said.contains("no space left") && said.contains("standard output"),
                "{said}"
            );
        }
    }
    let folder = folder();
    let folder = folder.path();
    for arguments in [
        "generate -o -",
        "generate --format npy --json -o -",
        "render --json -o -",
    ] {
        assert_eq!(
            words(folder, arguments).status.code(),
            Some(2),
            "{arguments}"
        );
    }
    let flags = "render --iterations 3 --type map --size 20x10 --format png";
    succeed(folder, &format!("{flags} -o picture"));
    let output = words(folder, &format!("{flags} -o -"));
    assert_eq!(output.stdout, fs::read(folder.join("picture")).unwrap());
    // A file of that name is called otherwise.
    succeed(folder, "generate --iterations 2 --format npy -o ./-");
    assert!(folder.join("-").is_file());
}

#[test]
fn reader_leaving_a_map_early_is_no_error() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("landform"))
        .args([
            "generate",
            "--iterations",
            "10",
            "--format",
            "npy",
            "-o",
            "-",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(output.stderr, b"");
}
