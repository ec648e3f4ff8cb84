//! The book: generated pages match the program, links lead somewhere, documents stay short.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

use landform::generate::Generator;
use landform::layer::Layer;
use landform::mask::By;
use landform::modify::{Modifier, ModifierKind};
use landform::param::{Kind, Params, TableVisitor, Tables as _};
use landform::scene::{PlantLayer, Scene};

use crate::pages::{check_generated, lines_of, page, pages, pages_in, root};

const NOTE: &str = "<!-- Generated from the program. `UPDATE_BOOK=1 cargo test book` writes this page \
                    again. -->\n\n";

/// All tables of settings of a scene, each as a Markdown table, by their places.
struct Tables(Vec<(String, String)>);

impl TableVisitor for Tables {
    fn visit<T: Params>(&mut self, place: &str, _: &mut T) {
        let defaults = T::default();
        let mut text = String::new();
        for param in T::PARAMS {
            if text.is_empty() {
                text.push_str("| key | in the panel | values | default | meaning |\n");
                text.push_str("|---|---|---|---|---|\n");
            }
            let kind = param.kind();
            let unit = match param.unit {
                "" => String::new(),
                unit => format!(" {unit}"),
            };
            let values = match kind {
                Kind::Switch => "`true`, `false`".to_owned(),
                Kind::Choice { names, .. } => {
                    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
                    names.join(", ")
                }
                Kind::Text => "text".to_owned(),
                Kind::Seed | Kind::Int { .. } | Kind::Float { .. } => {
                    kind.range().unwrap_or_default() + &unit
                }
            };
            let default = match kind.words(&param.value(&defaults)).as_str() {
                "" => T::EMPTY.to_owned(),
                words => format!("`{words}`"),
            };
            let mut help = param.help.to_owned();
            if let Kind::Choice { names, helps } = kind {
                // Longer lists have a page of their own.
                if names.len() <= 6 {
                    for (name, line) in names.iter().zip(helps) {
                        write!(help, "<br>`{name}`: {line}").unwrap();
                    }
                }
            }
            let cells = [
                format!("`{}`", param.key),
                param.label.to_owned(),
                values,
                default,
                help,
            ];
            let cells = cells.map(|cell| cell.replace('|', "\\|"));
            writeln!(text, "| {} |", cells.join(" | ")).unwrap();
        }
        self.0.push((place.to_owned(), text));
    }
}

/// The tables of a scene that has a layer, a modifier and plants.
fn tables() -> Tables {
    let mut scene = Scene {
        layers: vec![Layer::default()],
        modifiers: vec![Modifier::default()],
        plants: vec![PlantLayer::default()],
        ..Scene::default()
    };
    let mut tables = Tables(Vec::new());
    scene.visit_tables(&mut tables);
    tables
}

impl Tables {
    /// The table at a place, or a line that says that there is none.
    fn at(&self, place: &str) -> String {
        let table = self.0.iter().find(|(at, _)| at == place);
        let table = table.map(|(_, text)| text.as_str());
        match table.unwrap_or_else(|| panic!("no table {place}")) {
            "" => "No options of its own.\n".to_owned(),
            text => text.to_owned(),
        }
    }
}

/// A chapter for each name: its picture if it has one, its line of help, its options.
fn chapters(names: &[&str], helps: &[&str], place: &str, picture: Option<&str>) -> String {
    let tables = tables();
    let mut text = String::new();
    for (name, help) in names.iter().zip(helps) {
        let key = format!("{place}.{}", name.replace('-', "_"));
        writeln!(text, "\n## {name}\n").unwrap();
        // Presets, and their pictures, are optional.
        let file = picture.map(|kind| format!("assets/gallery/{kind}-{name}.png"));
        if let Some(file) = file.filter(|file| root().join(file).exists()) {
            writeln!(text, "![The preset {name}](../{file})\n").unwrap();
        }
        writeln!(text, "{help}\n").unwrap();
        let table = tables.at(&key);
        if table.starts_with('|') {
            writeln!(text, "Keys below `{key}`:\n").unwrap();
        }
        text.push_str(&table);
    }
    text
}

#[test]
fn generators_page_matches() {
    let mut text = format!("# Generators\n\n{NOTE}");
    text.push_str(
        "A generator makes a height map. Choose it with `--generator NAME`, the key \
         `surface.generator`, or in the panel. Each picture is the preset of that name: `landform \
         render perlin -o perlin.png`, or *File ▸ Presets*. [Building the ground](ground.md) says \
         which generators tile, and which keep their samples when the iterations change.\n\n\
         ## Shared settings\n\nKeys below `surface`:\n\n",
    );
    text.push_str(&tables().at("surface"));
    text.push_str(&chapters(
        Generator::NAMES,
        Generator::HELPS,
        "surface",
        Some("generator"),
    ));
    check_generated("docs/generators.md", &text);
}

#[test]
fn modifiers_page_matches() {
    let mut text = format!("# Modifiers\n\n{NOTE}");
    text.push_str(
        "Modifiers change the heights after they are generated, in the order of their list. `N` in \
         a key is the place in that list, from 0: `--set modifiers.0.kind=terrace`. Each picture \
         is the preset of that name.\n\n## Shared settings\n\nKeys below `modifiers.N`:\n\n",
    );
    text.push_str(&tables().at("modifiers.0"));
    let all = chapters(
        ModifierKind::NAMES,
        ModifierKind::HELPS,
        "modifiers.0",
        Some("modifier"),
    );
    text.push_str(&all.replace("`modifiers.0.", "`modifiers.N."));
    check_generated("docs/modifiers.md", &text);
}

#[test]
fn masks_page_matches() {
    let mut text = format!("# Masks\n\n{NOTE}");
    text.push_str(
        "A mask limits a layer, a modifier or plants to part of the land. Its keys are below \
         `layers.N.mask`, `modifiers.N.mask` or `plants.N.mask`, such as `--set modifiers.0.mask.by=slope`.\n\n\
         ## Shared settings\n\n",
    );
    text.push_str(&tables().at("modifiers.0.mask"));
    text.push_str(
        "\n`combine` takes the smaller of two weights for `and`, the larger for `or`, and for `minus` the \
         first where the second is not. Then the mask grows or shrinks by a disc of the radius `grow`, is \
         blurred, and gets its levels; `invert` comes last.\n\n\
         ## Second mask\n\nKeys below `….mask.second`. It has the tables of every source, too, such as \
         `….mask.second.slope.low`.\n\n",
    );
    text.push_str(&tables().at("modifiers.0.mask.second"));
    let is_named = |(name, _): &(&&str, &&str)| **name != "none";
    let pairs = By::NAMES.iter().zip(By::HELPS).filter(is_named);
    let (names, helps): (Vec<_>, Vec<_>) = pairs.map(|(&name, &help)| (name, help)).unzip();
    let all = chapters(&names, &helps, "modifiers.0.mask", None);
    text.push_str(&all.replace("`modifiers.0.mask.", "`….mask."));
    check_generated("docs/masks.md", &text);
}

#[test]
fn settings_page_matches() {
    let mut text = format!("# Settings\n\n{NOTE}");
    text.push_str(
        "Every setting of a scene has a key, which is its name in a scene file, in a key frame of a \
         film, and in `--set KEY=VALUE`. `landform scene --all SCENE` prints all of them. \
         Generators, modifiers and masks have pages of their own: [Generators](generators.md), \
         [Modifiers](modifiers.md), [Masks](masks.md). `N` is a place in a list, from 0.\n",
    );
    let elsewhere = |place: &str| {
        place == "surface"
            || (place.starts_with("surface.") && place != "surface.reading")
            || place.starts_with("modifiers.")
            || (place.starts_with("layers.0.") && place != "layers.0")
            || place.starts_with("plants.0.")
    };
    for (place, table) in &tables().0 {
        if elsewhere(place) || table.is_empty() {
            continue;
        }
        let title = Scene::SECTIONS.iter().find(|(key, ..)| key == place);
        let title = title.map_or(String::new(), |(_, title, _)| {
            format!("In the panel: *{title}*.\n\n")
        });
        let place = place.replace(".0", ".N");
        write!(text, "\n## {place}\n\n{title}{table}").unwrap();
        if place == "layers.N" {
            text.push_str(
                "\n`layers.N.surface` has the keys of [Generators](generators.md), `layers.N.mask` \
                 those of [Masks](masks.md).\n",
            );
        }
        if place == "plants.N" {
            text.push_str(
                "\n`plants.N.mask` has the keys of [Masks](masks.md). [Plants](plants.md) shows them at work.\n",
            );
        }
    }
    check_generated("docs/settings.md", &text);
}

#[test]
fn glossary_terms_appear_in_their_files_first_lines() {
    let glossary = page("docs/glossary.md").text;
    let (_, algorithms) = glossary.split_once("## Algorithms").unwrap();
    let (algorithms, _) = algorithms.split_once("\n## ").unwrap();
    let rows = algorithms.lines().filter(|line| line.starts_with("| "));
    let rows: Vec<Vec<&str>> = rows
        .skip(1)
        .map(|row| row.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let mut missing = Vec::new();
    for row in &rows {
        let [term, .., file] = row[..] else {
            panic!("{row:?}");
        };
        let file = file.trim_matches('`');
        let text = fs::read_to_string(root().join(file)).unwrap_or_default();
        let first = text.lines().next().unwrap_or_default().to_lowercase();
        if !first.contains(&term.to_lowercase()) {
            missing.push(format!("{file}: {term}"));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(rows.len() >= 22, "{}", rows.len());
}

/// Where a chapter's link leads to: its title in small letters, with hyphens and without signs.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let mut anchors = BTreeSet::new();
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        if is_code || !line.starts_with('#') {
            continue;
        }
        let title = line.trim_start_matches(['#', ' ']).to_lowercase();
        let is_kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
        let kept: String = title.chars().filter(is_kept).collect();
        anchors.insert(kept.replace(' ', "-"));
    }
    anchors
}

/// The targets of all links and pictures that are no addresses of the web.
fn links(text: &str) -> Vec<String> {
    let targets = text.split("](").skip(1);
    let targets = targets.filter_map(|rest| rest.split(')').next());
    let targets = targets.filter(|link| !link.starts_with("http"));
    targets.map(str::to_owned).collect()
}

#[test]
fn links_and_pictures_exist() {
    for page in pages() {
        let file = root().join(&page.path);
        for link in links(&page.text) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match path {
                "" => file.clone(),
                path => file.parent().unwrap().join(path),
            };
            assert!(target.exists(), "{}: {link}", page.path.display());
            if !anchor.is_empty() {
                let anchors = anchors(&fs::read_to_string(target).unwrap());
                assert!(anchors.contains(anchor), "{}: {link}", page.path.display());
            }
        }
    }
}

#[test]
fn gallery_pictures_are_shown() {
    let shown: String = pages().into_iter().map(|page| page.text).collect();
    for entry in fs::read_dir(root().join("assets/gallery")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(shown.contains(&format!("assets/gallery/{name}")), "{name}");
    }
}

#[test]
fn summary_lists_every_page() {
    let summary: BTreeSet<String> = links(&page("docs/SUMMARY.md").text).into_iter().collect();
    let pages = pages_in("docs")
        .into_iter()
        .chain(pages_in("docs/decisions"));
    let paths = pages.map(|page| page.path.strip_prefix("docs").unwrap().to_owned());
    let paths = paths.map(|path| path.to_str().unwrap().replace('\\', "/"));
    let paths: BTreeSet<String> = paths.filter(|path| path != "SUMMARY.md").collect();
    assert_eq!(summary, paths);
}

#[test]
fn source_paths_exist() {
    for page in pages() {
        for code in page.text.split('`').skip(1).step_by(2) {
            let folders = ["src/", "tests/", "assets/", "examples/", "scripts/"];
            let is_path = folders.iter().any(|folder| code.starts_with(folder));
            let is_example = code.contains("NAME") || code.contains("sharpen");
            if is_path && !is_example {
                let exists = root().join(code).exists();
                assert!(exists, "{}: {code}", page.path.display());
            }
        }
    }
}

#[test]
fn make_targets_exist() {
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    let readme = page("README.md").text;
    for target in ["run", "test", "bench", "gallery", "book"] {
        assert!(readme.contains(&format!("make {target}")), "{target}");
        assert!(makefile.contains(&format!("\n{target}:")), "{target}");
    }
}

#[test]
fn documents_stay_short() {
    for (path, most) in [("README.md", 9 * 1024), ("ARCHITECTURE.md", 12 * 1024)] {
        let length = page(path).text.len();
        assert!(length <= most, "{path}: {length} bytes");
    }
    let animation = root().join("assets/gallery/flight.webp");
    assert!(fs::metadata(animation).unwrap().len() <= 2 << 20);
}

#[test]
fn commands_are_found_in_the_pages() {
    assert_eq!(lines_of(&page("README.md").text, "sh").len(), 5);
    let pages = pages_in("docs");
    let lines: Vec<String> = pages
        .iter()
        .flat_map(|page| lines_of(&page.text, "sh"))
        .collect();
    assert!(lines.len() >= 40, "{}", lines.len());
    for line in lines {
        assert!(line.starts_with("landform "), "{line}");
    }
}
