//! ARCHITECTURE.md's rules: which module may import which, and what must not be where.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The files below `src` that belong to the named modules (`name.rs` or `name/…`).
fn files_of(modules: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for module in modules {
        let (file, folder) = (source().join(format!("{module}.rs")), source().join(module));
        if file.exists() {
            files.push(file);
        }
        if folder.exists() {
            files.extend(rust_files(&folder));
        }
    }
    assert!(files.len() >= modules.len(), "no files for {modules:?}");
    files
}

/// Lines of code, without comments, that hold one of `words`.
fn offences(files: &[PathBuf], words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for path in files {
        for (index, line) in fs::read_to_string(path).unwrap().lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if words.iter().any(|word| code.contains(word)) {
                found.push(format!("{}:{}: {}", path.display(), index + 1, line.trim()));
            }
        }
    }
    found
}

#[track_caller]
fn check_absent(files: &[PathBuf], words: &[&str]) {
    let found = offences(files, words);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

const CORE: &[&str] = &[
    "util/identity",
    "util/numbers",
    "util/parallel",
    "util/words",
    "shading/analysis",
    "util/lettering",
    "util/script",
    "camera",
    "terrain/grid",
    "terrain/heightmap",
    "util/rng",
    "util/job",
    "scene",
    "util/param",
    "fractal",
    "generate",
    "terrain/geo",
    "shading/light",
    "terrain/resample",
    "files/sheet",
    "terrain/measure",
    "modify",
    "terrain/mesh",
    "shading/texture",
    "shading/maps",
    "terrain/neighbours",
    "shading/sky",
    "pipeline",
];

/// Who imports whom: of the modules in a folder below `src`, by name.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// A file's text without comments and without its unit tests.
fn code_of(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines = text.lines().map(|line| line.split("//").next().unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

/// The paths of a `use` tree, its braces resolved.
fn resolved(tree: &str) -> Vec<String> {
    let Some((before, rest)) = tree.split_once('{') else {
        return vec![tree.to_owned()];
    };
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, letter) in inner.char_indices().chain([(inner.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.extend(resolved(inner[start..at].trim()));
                start = at + 1;
            }
            _ => {}
        }
    }
    let whole = found.into_iter().filter(|path| !path.is_empty());
    whole.map(|path| format!("{before}{path}")).collect()
}

/// Every path of the crate that a file names, from the crate's root: `["grid", "Grid"]`.
fn paths_in(file: &Path) -> Vec<Vec<String>> {
    let mut own: Vec<String> = (file.strip_prefix(source()).unwrap().with_extension(""))
        .iter()
        .map(|step| step.to_str().unwrap().to_owned())
        .collect();
    own.retain(|step| !["mod", "lib", "main"].contains(&step.as_str()));
    let code = code_of(file);
    let mut trees = Vec::new();
    let mut rest = code.as_str();
    while let Some(at) = rest
        .find("crate::")
        .into_iter()
        .chain(rest.find("super::"))
        .min()
    {
        let whole = &rest[at..];
        let is_use = rest[..at].trim_end().ends_with("use");
        let end = if is_use {
            whole.find(';').unwrap_or(whole.len())
        } else {
            let is_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
            whole.find(|letter| !is_path(letter)).unwrap_or(whole.len())
        };
        trees.push(whole[..end].split_whitespace().collect::<String>());
        rest = &whole[end.max(1)..];
    }
    let absolute = |path: String| {
        let mut steps: Vec<&str> = path.split("::").collect();
        let mut base: Vec<String> = Vec::new();
        if steps[0] == "crate" {
            steps.remove(0);
        } else {
            base = own.clone();
            while steps.first() == Some(&"super") {
                base.pop();
                steps.remove(0);
            }
        }
        base.extend(steps.into_iter().map(str::to_owned));
        base
    };
    trees
        .iter()
        .flat_map(|tree| resolved(tree))
        .map(absolute)
        .collect()
}

/// The names that a module's own file has from its children, with the child of each.
fn reexports(folder: &Path) -> BTreeMap<String, String> {
    let files = [folder.join("mod.rs"), folder.with_extension("rs")];
    let Some(file) = files.iter().find(|file| file.exists()) else {
        return BTreeMap::new();
    };
    let code = code_of(file);
    let statements = code.split(';').filter_map(|text| text.rsplit_once("use "));
    let trees = statements.map(|(_, tree)| tree.split_whitespace().collect::<Vec<_>>().join(" "));
    let paths = trees.flat_map(|tree| resolved(&tree));
    let named = paths.filter_map(|path| {
        let (child, rest) = path.split_once("::")?;
        let name = rest.rsplit("::").next()?;
        let name = name.rsplit(" as ").next()?;
        Some((name.trim().to_owned(), child.trim().to_owned()))
    });
    named.collect()
}

/// Who imports whom among the modules of a folder, also by names that the folder's own file has
/// from one of them.
fn arrows_in(folder: &Path) -> Arrows {
    let place = folder.strip_prefix(source()).unwrap();
    let place: Vec<_> = place.iter().map(|step| step.to_str().unwrap()).collect();
    let module_of = |path: &Path| {
        let first = path.strip_prefix(folder).unwrap().iter().next().unwrap();
        let name = Path::new(first).file_stem().unwrap();
        name.to_str().unwrap().to_owned()
    };
    let files = rust_files(folder);
    let modules: BTreeSet<String> = files.iter().map(|file| module_of(file)).collect();
    let reexports = reexports(folder);
    let mut arrows = Arrows::new();
    for file in &files {
        let from = module_of(file);
        if ["mod", "lib", "main"].contains(&from.as_str()) {
            continue;
        }
        let to = arrows.entry(from.clone()).or_default();
        for path in paths_in(file) {
            let inside = path.len() > place.len() && path.iter().zip(&place).all(|(a, b)| a == b);
            let Some(name) = path.get(place.len()).filter(|_| inside) else {
                continue;
            };
            let module = reexports.get(name).filter(|_| !modules.contains(name));
            let module = module.unwrap_or(name);
            if modules.contains(module) && *module != from {
                to.insert(module.clone());
            }
        }
    }
    arrows
}

/// Modules that import each other, round in a circle.
fn circle(arrows: &Arrows) -> Option<Vec<String>> {
    let mut left = arrows.clone();
    // Who imports none of those that are left is in no circle.
    while let Some(leaf) = (left.iter())
        .find(|(_, to)| !to.iter().any(|to| left.contains_key(to)))
        .map(|(from, _)| from.clone())
    {
        left.remove(&leaf);
    }
    (!left.is_empty()).then(|| left.into_keys().collect())
}

#[test]
fn no_folder_has_circular_module_imports() {
    let mut folders = vec![source()];
    let mut at = 0;
    while let Some(folder) = folders.get(at).cloned() {
        if let Some(circle) = circle(&arrows_in(&folder)) {
            panic!("a circle in {}: {circle:?}", folder.display());
        }
        let entries = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        folders.extend(entries.filter(|path| path.is_dir()));
        at += 1;
    }
    assert!(at > 20, "{at} folders");
}

#[test]
fn a_circle_is_found() {
    let arrows = |list: &[(&str, &[&str])]| -> Arrows {
        let owned = |(from, to): &(&str, &[&str])| {
            let to = to.iter().map(|to| (*to).to_owned()).collect();
            ((*from).to_owned(), to)
        };
        list.iter().map(owned).collect()
    };
    let way = arrows(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])]);
    assert_eq!(circle(&way), None);
    let round = arrows(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])]);
    assert!(circle(&round).unwrap().contains(&"b".to_owned()));
    assert_eq!(
        resolved("crate::a::{b::{C, D}, e}"),
        ["crate::a::b::C", "crate::a::b::D", "crate::a::e"]
    );
}

#[test]
fn imports_are_those_of_the_list() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/core/imports.txt");
    let listed = fs::read_to_string(file).unwrap();
    let listed: Vec<&str> = listed.lines().collect();
    let arrows = arrows_in(&source());
    let found: Vec<String> = arrows
        .iter()
        .map(|(from, to)| {
            let to: Vec<_> = to.iter().map(String::as_str).collect();
            format!("{from}: {}", to.join(" ")).trim_end().to_owned()
        })
        .collect();
    assert_eq!(
        found,
        listed,
        "tests/core/imports.txt should say:\n{}",
        found.join("\n")
    );
}

#[test]
fn every_module_has_a_place_in_the_architecture() {
    let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md");
    let text = fs::read_to_string(text).unwrap();
    let (_, table) = text.split_once("## Folders").unwrap();
    let (table, _) = table.split_once("\n## ").unwrap();
    for entry in fs::read_dir(source()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_named = table.contains(&format!("`{name}`"));
        assert!(is_named || name == "lib.rs", "{name}");
    }
}

#[test]
fn lazy_values_are_made_on_one_thread() {
    // Else a thread that makes it may take up work that waits for it.
    for file in rust_files(&source()) {
        let text = fs::read_to_string(&file).unwrap();
        for made in text.split("LazyLock::new(").skip(1) {
            let made = made.split("\n});").next().unwrap_or(made);
            let on_all = ["parallel::", "rayon::"];
            let is_alone = !on_all.iter().any(|word| made.contains(word));
            assert!(is_alone, "{}", file.display());
        }
    }
}

#[test]
fn core_knows_no_files_clock_opengl_or_panel() {
    check_absent(
        &files_of(CORE),
        &[
            "std::fs",
            "File::",
            "std::time",
            "Instant",
            "glium",
            "glutin",
            "egui",
            "winit",
            "crate::render",
            "crate::app",
            "crate::cli",
            "crate::files::import",
            "crate::files::export",
            "println!",
            "eprintln!",
            "thread::",
            "ThreadPoolBuilder",
        ],
    );
}

#[test]
fn renderer_knows_no_window_or_command_line() {
    check_absent(
        &files_of(&["render"]),
        &[
            "crate::app",
            "crate::cli",
            "crate::files::import",
            "crate::files::export",
            "egui",
            "winit::",
            "std::fs",
            "File::",
        ],
    );
}

#[test]
fn files_know_no_drawing_window_or_command_line() {
    check_absent(
        &files_of(&["files/import", "files/export"]),
        &["crate::render", "crate::app", "crate::cli", "glium", "egui"],
    );
}

#[test]
fn window_and_command_line_meet_only_in_view() {
    check_absent(&files_of(&["app"]), &["crate::cli", "clap"]);
    let mut cli = files_of(&["cli"]);
    cli.retain(|path| !path.ends_with("view/open.rs"));
    check_absent(&cli, &["crate::app", "egui", "winit"]);
}

#[test]
fn panels_change_scenes_and_nothing_else() {
    check_absent(
        &rust_files(&source().join("app/panel")),
        &[
            "std::fs",
            "glium",
            "crate::render",
            "crate::files::export",
            ".generate(",
        ],
    );
}

#[test]
fn randomness_comes_from_rng_alone() {
    let mut files = rust_files(&source());
    files.retain(|path| {
        !path.ends_with("rng.rs") && !path.components().any(|c| c.as_os_str() == "rng")
    });
    check_absent(&files, &["rand::", "rand_pcg"]);
}

#[test]
fn only_headless_backend_and_x_handler_use_unsafe() {
    let mut files = rust_files(&source());
    files.retain(|path| {
        !path.ends_with("render/headless.rs") && !path.ends_with("window/display.rs")
    });
    check_absent(&files, &["unsafe ", "allow(unsafe_code)"]);
}

#[test]
fn main_is_short_and_files_have_one_idea() {
    let lines = |path: &Path| fs::read_to_string(path).unwrap().lines().count();
    assert!(lines(&source().join("main.rs")) < 60);
    for path in rust_files(&source()) {
        assert!(
            lines(&path) <= 800,
            "{} has {} lines",
            path.display(),
            lines(&path)
        );
    }
}

#[test]
fn inline_tests_make_no_landscape_and_draw_nothing() {
    // With either, `cargo test --lib` would build the whole library a second time.
    for path in rust_files(&source()) {
        let text = fs::read_to_string(&path).unwrap();
        let tests = text
            .split_once("#[cfg(test)]")
            .map_or("", |(_, tests)| tests);
        for maker in ["Pipeline::", "Renderer::", "Headless::", "import::"] {
            assert!(!tests.contains(maker), "{}: {maker}", path.display());
        }
    }
}
