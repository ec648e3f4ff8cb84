//! What is in the way of files.

use super::*;

/// A command that writes one file with all that lies beside it.
struct Writer {
    arguments: String,
    /// The file, and those beside it.
    files: Vec<String>,
    /// The files beside it.
    beside: Vec<String>,
}

/// Every format and every map of `generate`, tiles, and `render`.
fn writers() -> Vec<Writer> {
    let mut all = Vec::new();
    let mut add = |flags: String, name: &str, options: Options| {
        let scene = Scene::default();
        let outputs = export::outputs(&[Path::new(name)], &scene, &Inputs::default(), &options);
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        let (mut files, mut beside) = (Vec::new(), Vec::new());
        for output in outputs.unwrap() {
            files.push(text(output.path().to_owned()));
            beside.extend(output.others().into_iter().map(text));
        }
        files.extend(beside.iter().cloned());
        all.push(Writer {
            arguments: format!("generate --iterations 3 --set clouds.iterations=3 --set teximage.iterations=3 {flags} -o {name}"),
            files,
            beside,
        });
    };
    for format in crate::common::written_formats() {
        let options = Options {
            format: Some(format),
            ..Options::default()
        };
        let name = format!("land.{}", format.extension);
        add(format!("--format {}", format.name), &name, options);
    }
    for map in MAPS {
        let options = Options {
            map: Some(map),
            ..Options::default()
        };
        add(format!("--map {}", map.name), "land-{band}.png", options);
    }
    let picture = |arguments: &str| Writer {
        arguments: arguments.to_owned(),
        files: vec!["land.png".to_owned()],
        beside: Vec::new(),
    };
    all.push(picture(
        "render --type map --iterations 3 --size 32x32 -o land.png",
    ));
    all.push(picture(
        "render --type map --iterations 3 --size 32x32 --contact-sheet 1x1 -o land.png",
    ));
    all.push(Writer {
        arguments: "generate --iterations 3 --tiles 1x2 -o land-{column}.r16".to_owned(),
        files: [
            "land-0.r16",
            "land-0.r16.json",
            "land-1.r16",
            "land-1.r16.json",
        ]
        .map(str::to_owned)
        .to_vec(),
        beside: ["land-0.r16.json", "land-1.r16.json"]
            .map(str::to_owned)
            .to_vec(),
    });
    all
}

/// What may lie in the place of a file: how it gets there, and what the complaint is about.
type Obstacle = (&'static str, fn(&Path), &'static str);

const OBSTACLES: &[Obstacle] = &[
    (
        "a foreign file",
        |at| fs::write(at, MINE).unwrap(),
        "not from Landform",
    ),
    ("a folder", |at| fs::create_dir(at).unwrap(), "a folder"),
    ("a pipe", fifo, "a pipe"),
    (
        "a link to a device",
        |at| symlink("/dev/null", at).unwrap(),
        "is a ",
    ),
    (
        "a link to nothing",
        |at| symlink("nowhere", at).unwrap(),
        "a link",
    ),
    (
        "a link to a foreign file",
        |at| {
            fs::write(at.with_file_name("precious"), MINE).unwrap();
            symlink("precious", at).unwrap();
        },
        "is ",
    ),
];

fn fifo(at: &Path) {
    assert!(Command::new("mkfifo").arg(at).status().unwrap().success());
}

#[test]
fn existing_things_at_output_paths_are_never_lost() {
    for writer in writers() {
        for file in &writer.files {
            for (what, put, complaint) in OBSTACLES {
                for force in [false, true] {
                    let may =
                        force && (*what == "a foreign file" || *what == "a link to a foreign file");
                    let is_sidecar_by_link =
                        writer.beside.contains(file) && what.starts_with("a link");
                    if may && !is_sidecar_by_link {
                        continue;
                    }
                    let folder = folder();
                    put(&folder.path().join(file));
                    let before = contents(folder.path());
                    let mut arguments = writer.arguments.clone();
                    if force {
                        arguments += " --force";
                    }
                    let case = format!("{what} at {file}: landform {arguments}");
                    let output = words(folder.path(), &arguments);
                    let said = String::from_utf8_lossy(&output.stderr).into_owned();
                    assert_eq!(output.status.code(), Some(1), "{case}: {said}");
                    assert_eq!(said.lines().count(), 1, "{case}: {said}");
                    assert!(
                        said.starts_with("error: ") && said.contains(complaint),
                        "{case}: {said}"
                    );
                    assert!(said.trim_end().ends_with(file.as_str()), "{case}: {said}");
                    assert_eq!(contents(folder.path()), before, "{case}");
                }
            }
        }
    }
}

#[test]
fn run_knows_all_files_it_writes() {
    for writer in writers() {
        let folder = folder();
        succeed(folder.path(), &writer.arguments);
        let mut files = writer.files.clone();
        files.sort();
        assert_eq!(names(folder.path()), files, "{}", writer.arguments);
        // It also takes them for its own files.
        succeed(folder.path(), &writer.arguments);
        // Somebody's file is replaced where that is asked for.
        for file in &files {
            fs::write(folder.path().join(file), MINE).unwrap();
        }
        succeed(folder.path(), &format!("{} --force", writer.arguments));
        assert_eq!(names(folder.path()), files, "{}", writer.arguments);
        for file in &files {
            assert_ne!(fs::read(folder.path().join(file)).unwrap(), MINE, "{file}");
        }
    }
}

#[test]
fn an_output_is_no_input() {
    let folder = folder();
    let folder = folder.path();
    let here = |name: &str| folder.join(name);
    fs::copy(crate::common::jacksboro(), here("dem.png")).unwrap();
    fs::write(here("scene.toml"), "[surface]\niterations = 3\n").unwrap();
    fs::write(here("p.toml"), "[[colors]]\n").unwrap();
    fs::hard_link(here("dem.png"), here("hard.png")).unwrap();
    symlink("dem.png", here("soft.png")).unwrap();
    succeed(folder, "generate --iterations 3 -o own.png");
    let before = contents(folder);
    for arguments in [
        "generate --input dem.png -o dem.png --force",
        "generate --input dem.png -o ./dem.png --force",
        "generate --input dem.png -o x.npy -o soft.png --force",
        "generate --input dem.png -o hard.png --force",
        "generate --input soft.png -o dem.png --force",
        "generate dem.png -o dem.png --force",
        "render dem.png --size 9x9 -o dem.png --force",
        "render dem.png --size 9x9 --contact-sheet 1x1 -o dem.png --force",
        "generate scene.toml --format npy -o scene.toml --force",
        "generate own.png -o own.png",
        "generate own.png -o own.png --resume",
        "generate --iterations 3 --input dem.png --tiles 1x1 -o dem.png --force",
    ] {
        let output = words(folder, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{arguments}: {said}");
        assert!(said.contains("an input, too"), "{arguments}: {said}");
        assert_eq!(contents(folder), before, "{arguments}");
    }
}

#[test]
fn duplicate_output_names_are_found_before_work() {
    let folder = folder();
    let folder = folder.path();
    fs::create_dir(folder.join("sub")).unwrap();
    let before = names(folder);
    for arguments in [
        "generate --iterations 5 --tiles 32x32 -o {row}{column}.npy",
        "generate --iterations 20 --tiles 16x16 -o {row}{column}.npy",
        "generate --iterations 3 -o x.npy -o ./x.npy",
        "generate --iterations 3 -o x.npy -o sub/../x.npy",
        "generate --iterations 3 --format r32 -o a -o a.json",
        "generate --iterations 3 -o x.obj -o x-texture.png",
        "generate --iterations 3 --format obj -o x.obj -o x.mtl",
        "generate --iterations 3 --map splat -o {band}.png -o ./{band}.png",
        "generate --iterations 3 --format npy -o - -o -",
        "generate --iterations 3 --seeds 1..2 --format npy -o -",
        "render --iterations 3 --size 9x9 --seeds 1..20 --set surface.hurst=0.1,0.2 -o {seed}.png",
    ] {
        let output = words(folder, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert_eq!(said.lines().count(), 1, "{arguments}: {said}");
        assert_eq!(names(folder), before, "{arguments}");
    }
}

#[test]
fn obstacle_to_last_file_is_found_before_work() {
    let folder = folder();
    let folder = folder.path();
    for (arguments, last) in [
        (
            "generate --iterations 14 --tiles 32x32 -o {row}-{column}.npy",
            "31-31.npy",
        ),
        (
            "generate --iterations 14 --tiles 32x32 -o {row}-{column}.npy",
            "31-31.npy.json",
        ),
        (
            "generate --iterations 12 --seeds 1..50 -o {seed}.obj",
            "50-texture.png",
        ),
        (
            "generate --iterations 14 --map splat -o s-{band}.png",
            "s-0.png.json",
        ),
    ] {
        for put in [
            fifo as fn(&Path),
            |at| fs::create_dir(at).unwrap(),
            |at| fs::write(at, MINE).unwrap(),
        ] {
            put(&folder.join(last));
            let output = words(folder, arguments);
            assert_eq!(output.status.code(), Some(1), "{arguments}");
            assert_eq!(names(folder), [last], "{arguments}");
            let there = folder.join(last);
            fs::remove_file(&there)
                .or_else(|_| fs::remove_dir(&there))
                .unwrap();
        }
    }
}

#[test]
fn non_text_name_is_written_unchanged() {
    let folder = folder();
    let folder = folder.path();
    let name = |text: &[u8]| PathBuf::from(OsStr::from_bytes(text));
    for (flags, pattern, file) in [
        (
            "generate --iterations 3",
            &b"\xff.npy"[..],
            &b"\xff.npy"[..],
        ),
        ("generate --iterations 3", b"\xff.obj", b"\xff.obj"),
        (
            "generate --iterations 3 --seeds 4..4",
            b"\xff{seed}.npy",
            b"\xff4.npy",
        ),
        (
            "generate --iterations 3 --tiles 1x2",
            b"\xff{column}.npy",
            b"\xff1.npy",
        ),
        (
            "generate --iterations 3 --map splat-rgba",
            b"\xfe{band}.png",
            b"\xfe0.png",
        ),
        (
            "render --iterations 3 --type map --size 9x9",
            b"\xfd.png",
            b"\xfd.png",
        ),
    ] {
        let pattern = name(pattern);
        let arguments = flags.split_whitespace().map(OsStr::new);
        let arguments = arguments.chain([OsStr::new("-o"), pattern.as_os_str()]);
        let arguments: Vec<_> = arguments.collect();
        let output = run(folder, arguments.iter().copied());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{flags}: {said}");
        assert!(folder.join(name(file)).is_file(), "{flags}");
        // Its own, a second time.
        assert!(run(folder, arguments).status.success(), "{flags}");
    }
}

#[test]
fn unwritable_file_or_folder_is_found_first() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("x.npy"), "").unwrap();
    fs::set_permissions(folder.join("x.npy"), fs::Permissions::from_mode(0o444)).unwrap();
    for (arguments, word) in [
        (
            "generate --iterations 13 -o a.npy -o x.npy --force",
            "read-only",
        ),
        (
            "generate --iterations 13 --seeds 1..3 -o missing/{seed}.npy",
            "missing",
        ),
        (
            "generate --iterations 13 -o a.npy -o x.npy/b.npy",
            "x.npy/b.npy",
        ),
        (
            "render --size 9x9 --seeds 1..3 -o missing/{seed}.png",
            "missing",
        ),
        (
            "render --size 9x9 --contact-sheet 2x2 -o missing/x.png",
            "missing",
        ),
    ] {
        let output = words(folder, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{arguments}: {said}");
        assert!(said.contains(word), "{arguments}: {said}");
        assert_eq!(names(folder), ["x.npy"]);
    }
}
