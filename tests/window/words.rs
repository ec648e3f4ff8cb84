//! What the program says: help texts are sentences, errors name what is wrong and what is right,
//! numbers have the digits that mean something.

use std::fs;
use std::path::{Path, PathBuf};

use egui::accesskit::Role;
use egui::vec2;
use egui_kittest::kittest::Queryable;

use crate::common::{fail_with, folder};
use landform::app::panel::param_ui::help_text;
use landform::generate::formula::NAMES;
use landform::generate::{Generator, Surface};
use landform::import;
use landform::param::{Field, PairVisitor, Params, TableVisitor, Tables};
use landform::scene::{Light, View};

/// All source files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}

/// The string literals of a text up to the bracket or brace that closes what is open at its
/// start.
fn literals(text: &str) -> Vec<String> {
    let (mut found, mut depth) = (Vec::new(), 0);
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' if depth == 0 => break,
            ')' | '}' => depth -= 1,
            '"' => {
                let mut literal = String::new();
                while let Some(letter) = letters.next() {
                    match letter {
                        '"' => break,
                        // A line that goes on: its indentation is no part of the text.
                        '\\' => match letters.next() {
                            Some('\n') => {
                                let rest = letters.as_str().trim_start();
                                letters = rest.chars();
                            }
                            escaped => literal.extend(escaped),
                        },
                        letter => literal.push(letter),
                    }
                }
                found.push(literal);
            }
            _ => {}
        }
    }
    found
}

/// The place, the label if there is one, and the help of every setting and every choice.
struct Texts(Vec<(String, Option<&'static str>, &'static str)>);

impl TableVisitor for Texts {
    fn visit<T: Params>(&mut self, place: &str, _: &mut T) {
        for param in T::PARAMS {
            let place = format!("{place}.{}", param.key);
            if let Field::Choice { helps, .. } = param.field {
                let helps = helps.iter().map(|help| (place.clone(), None, *help));
                self.0.extend(helps);
            }
            self.0.push((place, Some(param.label), param.help));
        }
    }
}

#[test]
fn help_texts_are_sentences_and_labels_are_capitalised() {
    let mut texts = Texts(Vec::new());
    crate::messages::full().visit_tables(&mut texts);
    assert!(texts.0.len() > 210, "{}", texts.0.len());
    for (place, label, help) in texts.0 {
        assert!(help.ends_with('.'), "{place}: no full stop: {help}");
        let first = help.chars().next().unwrap();
        assert!(!first.is_lowercase(), "{place}: no capital: {help}");
        assert!(!help.contains("  "), "{place}: two spaces: {help}");
        assert!(help.len() > 8, "{place}: says nothing: {help}");
        if let Some(label) = label {
            let first = label.chars().next().unwrap();
            // An axis has a small letter.
            let axis = label.chars().count() == 1;
            assert!(first.is_uppercase() || axis, "{place}: {label}");
        }
    }
}

/// The words that tooltips beside the tables have, as they stand in the sources.
fn tooltips() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app");
    let mut texts = Vec::new();
    for path in sources(&root) {
        let text = fs::read_to_string(&path).unwrap();
        for part in text.split("hover_text(").skip(1) {
            // What is told apart is no literal, and what is written into one has no full stop.
            let words = literals(part).into_iter();
            let words = words.filter(|words| words.contains(' '));
            texts.extend(words.map(|words| (path.clone(), words)));
        }
    }
    texts
}

#[test]
fn every_tooltip_is_a_sentence() {
    let texts = tooltips();
    assert!(texts.len() > 25, "{}", texts.len());
    for (path, words) in texts {
        let place = path.display();
        assert!(words.ends_with('.'), "{place}: no full stop: {words}");
        let first = words.chars().next().unwrap();
        assert!(!first.is_lowercase(), "{place}: no capital: {words}");
    }
}

#[test]
fn file_errors_quote_names_and_show_paths_losslessly() {
    // A path is shown as `words::named` has it, whatever its bytes.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for folder in ["files/export", "files/import"] {
        for path in sources(&root.join(folder)) {
            let text = fs::read_to_string(&path).unwrap();
            for attribute in text.split("#[error(").skip(1) {
                let attribute = attribute.split(")]").next().unwrap();
                assert!(!attribute.contains("display()"), "{attribute}");
                for name in ["{format}", "{map}", "{key}", "{generator}"] {
                    for (at, _) in attribute.match_indices(name) {
                        let quoted = attribute[..at].ends_with('`');
                        assert!(quoted, "{}: {attribute}", path.display());
                    }
                }
            }
        }
    }
}

#[test]
fn unknown_formula_name_error_gives_column_and_alternatives() {
    let folder = folder();
    let set = "surface.formula.expression=0.5 + 0.25*sin(foo)";
    let known: Vec<_> = NAMES.iter().map(|entry| entry.name).collect();
    let expected = format!(
        "unknown name `foo` at column 16; known: {}",
        known.join(", ")
    );
    let arguments = ["generate", "--set", set, "-o", "a.npy"];
    fail_with(folder.path(), arguments, 2, &[&expected]);
}

#[test]
fn detail_setting_is_labelled_maximum_error_in_pixels() {
    let row = View::param("detail");
    assert_eq!((row.label, row.unit), ("Max. error", "px"));
    assert!(row.help.contains("in pixels"));
}

/// The keys of a generator's options that are said to have no effect, and the values they are set
/// to.
#[derive(Default)]
struct Unused {
    keys: Vec<&'static str>,
    change: bool,
    all_off: bool,
}

impl PairVisitor for Unused {
    fn visit<T: Params>(&mut self, options: &mut T, _: &T) {
        for param in T::PARAMS {
            match &param.field {
                Field::Switch { set, .. } if self.all_off => set(options, false),
                Field::Float { get, set, max, .. }
                    if self.change && options.unused(param.key).is_some() =>
                {
                    assert_ne!(get(options), *max);
                    set(options, *max);
                    self.keys.push(param.key);
                }
                _ => {}
            }
        }
    }
}

#[test]
fn options_said_to_have_no_effect_have_none() {
    let mut keys = Vec::new();
    for generator in Generator::ALL {
        if *generator == Generator::Image {
            continue;
        }
        for all_off in [false, true] {
            let mut surface = Surface {
                generator: *generator,
                iterations: 5,
                ..Surface::default()
            };
            let (default, key) = (Surface::default(), generator.key());
            let mut off = Unused {
                all_off,
                ..Unused::default()
            };
            surface.visit_pair(&default, key, &mut off);
            let before = crate::common::generated(&surface);
            let mut unused = Unused {
                change: true,
                ..Unused::default()
            };
            surface.visit_pair(&default, key, &mut unused);
            assert_eq!(
                crate::common::generated(&surface).heights(),
                before.heights(),
                "{generator}: {:?}",
                unused.keys
            );
            keys.extend(unused.keys);
        }
    }
    assert!(
        keys.contains(&"width") && keys.contains(&"valley"),
        "{keys:?}"
    );
}

/// Digits of a number from the first that is not zero on.
fn digits(text: &str) -> usize {
    let digits = text.chars().filter(char::is_ascii_digit);
    digits.skip_while(|digit| *digit == '0').count()
}

#[test]
fn numbers_show_the_digits_that_mean_something() {
    let help = help_text(Light::param("elevation"));
    assert!(help.contains("Default: 19.5."), "{help}");
    let mut seen = 0;
    for preset in import::presets() {
        let start = crate::desk::of_scene(preset.scene());
        let mut test = crate::desk::desk(vec2(1280.0, 4000.0), start, |_| ());
        for section in ["Fog", "Camera", "Analysis"] {
            test.get_by_label(section).click();
            test.run_steps(20);
        }
        for number in test.get_all_by_role(Role::SpinButton) {
            let shown = number.value().unwrap_or_default();
            assert!(digits(&shown) <= 6, "{}: {shown}", preset.name);
            seen += 1;
        }
        assert_eq!(crate::desk::scene(&test), preset.scene(), "{}", preset.name);
    }
    assert!(seen > 1000, "{seen}");
    let test = crate::desk::desk(
        vec2(1280.0, 3400.0),
        crate::desk::of_scene(Default::default()),
        |_| (),
    );
    let elevation = test.get_by_role_and_label(Role::SpinButton, "Sun elevation");
    assert_eq!(elevation.value().as_deref(), Some("19.5°"));
}
