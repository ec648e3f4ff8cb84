//! The languages: every text has its words, they fit where they stand, letters are there for them,
//! and the window speaks what was chosen.

use std::collections::{BTreeMap, BTreeSet};

use egui::epaint::ClippedShape;
use egui::{Event, Shape, vec2};
use egui_kittest::kittest::Queryable;
use polib::catalog::Catalog;

use crate::desk::{Test, desk, of_scene};
use crate::messages::{Messages, messages};
use crate::screens::{SCREENS, speaking};
use landform::language::{Language, catalog, tr};
use landform::scene::Scene;

/// All languages but that of the code.
fn others() -> impl Iterator<Item = Language> {
    let all = Language::ALL.iter().copied();
    all.filter(|language| *language != Language::English)
}

/// The file of a language, by another reader than the program's.
fn read(language: Language) -> Catalog {
    polib::po_file::parse_from_reader(catalog::file(language).as_bytes()).unwrap()
}

/// The places for values in a text.
fn values(text: &str) -> Vec<String> {
    let text = text.replace("{{", "").replace("}}", "");
    let parts = text.split('{').skip(1);
    let mut values: Vec<_> = parts
        .map(|part| part.split('}').next().unwrap().to_owned())
        .collect();
    values.sort();
    values
}

#[test]
fn every_language_translates_exactly_the_existing_texts() {
    let wanted: Messages = messages();
    assert!(wanted.len() > 1500, "{}", wanted.len());
    for language in others() {
        let file = read(language);
        let there: BTreeSet<_> = file.messages().map(|message| message.msgid()).collect();
        let missing: Vec<_> = wanted
            .keys()
            .filter(|text| !there.contains(&***text))
            .collect();
        assert!(missing.is_empty(), "{language:?} lacks {missing:#?}");
        let unused: Vec<_> = there
            .iter()
            .filter(|text| !wanted.contains_key(**text))
            .collect();
        assert!(
            unused.is_empty(),
            "nobody says these of {language:?}: {unused:#?}"
        );
    }
}

#[test]
fn translations_keep_values_and_have_required_plurals() {
    for language in others() {
        let file = read(language);
        let plurals = file.metadata.plural_rules.nplurals;
        for message in file.messages() {
            let text = message.msgid();
            if message.is_plural() {
                let forms = message.msgstr_plural().unwrap();
                assert_eq!(forms.len(), plurals, "{language:?}: {text}");
                let mut wanted = values(message.msgid_plural().unwrap());
                wanted.retain(|value| value != "n");
                for form in forms {
                    let mut there = values(form);
                    there.retain(|value| value != "n");
                    assert_eq!(there, wanted, "{language:?}: {text}");
                }
            } else {
                let words = message.msgstr().unwrap();
                assert!(!words.is_empty(), "{language:?}: {text}");
                assert_eq!(values(words), values(text), "{language:?}: {text}");
            }
        }
    }
}

/// The texts on screen, and whether a part of it is not seen.
fn texts(test: &Test) -> BTreeMap<String, bool> {
    fn note(shape: &Shape, clip: egui::Rect, texts: &mut BTreeMap<String, bool>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| note(shape, clip, texts)),
            Shape::Text(text) => {
                let rect = text.visual_bounding_rect();
                let seen = rect.intersects(clip);
                let cut = text.galley.elided || (seen && rect.right() > clip.right() + 1.0);
                let words = text.galley.text().to_owned();
                *texts.entry(words).or_default() |= cut;
            }
            _ => {}
        }
    }
    let mut texts = BTreeMap::new();
    for ClippedShape { clip_rect, shape } in &test.output().shapes {
        note(shape, *clip_rect, &mut texts);
    }
    texts
}

/// Names that are the same in all languages, and what the language itself says in English words, such
/// as keys.
fn is_a_name(text: &str, file: &Catalog) -> bool {
    let message = file.find_message(None, text, None);
    if message.is_some_and(|message| message.msgstr().is_ok_and(|words| words == text)) {
        return true;
    }
    let engines = landform::export::ENGINES.iter().map(|engine| engine.name);
    let names: Vec<_> = engines
        .chain(["Landform", "Martz", "EPSG", "(.png)", ".glb"])
        .collect();
    names.iter().any(|name| text.contains(name))
}

#[test]
fn no_english_is_left_in_a_chinese_window() {
    let file = read(Language::Chinese);
    let mut left = BTreeSet::new();
    let size = vec2(1600.0, 4000.0);
    let screens = SCREENS.iter().map(|(screen, open)| {
        let shown = |language| texts(&speaking(language, size, open));
        (*screen, shown(Language::English), shown(Language::Chinese))
    });
    let menus = ["File", "Edit", "View", "Help"].map(|menu| {
        let shown = |language| {
            let mut test = speaking(language, size, |_| ());
            test.get_by_label(tr(menu)).click();
            test.run_steps(10);
            texts(&test)
        };
        (menu, shown(Language::English), shown(Language::Chinese))
    });
    for (screen, english, chinese) in screens.chain(menus) {
        for text in chinese.keys().filter(|text| english.contains_key(*text)) {
            let words = text.split_whitespace();
            let words =
                words.filter(|word| word.chars().filter(char::is_ascii_alphabetic).count() > 2);
            if words.count() > 0 && !is_a_name(text, &file) {
                left.insert(format!("{screen}: {text}"));
            }
        }
    }
    assert!(left.is_empty(), "{left:#?}");
}

#[test]
fn words_fit_where_they_stand() {
    let mut cut = BTreeSet::new();
    for (screen, open) in SCREENS {
        for size in [vec2(1280.0, 720.0), vec2(1280.0, 4000.0)] {
            let right = |test: &Test| test.state().ui.derived.scene_rect.right();
            let mut in_english = None;
            let english = [Language::English].into_iter();
            for language in english.chain(others()) {
                let test = speaking(language, size, open);
                let wide = *in_english.get_or_insert(right(&test)) - right(&test);
                if wide.abs() > 1.0 {
                    cut.insert(format!("{language:?}, {screen}: the panel is {wide} wider"));
                }
                let there = texts(&test);
                let words = there.iter().filter(|(_, cut)| **cut);
                cut.extend(words.map(|(text, _)| format!("{language:?}, {screen}: {text}")));
            }
        }
    }
    assert!(cut.is_empty(), "{cut:#?}");
}

#[test]
fn the_window_has_letters_for_all_its_words() {
    let test = desk(vec2(400.0, 300.0), of_scene(Scene::default()), |_| ());
    let font = egui::FontId::proportional(13.0);
    for language in others() {
        let letters: BTreeSet<char> = catalog::file(language).chars().collect();
        let lacking: String = letters
            .into_iter()
            .filter(|letter| !letter.is_control())
            .filter(|letter| !test.ctx.fonts_mut(|fonts| fonts.has_glyph(&font, *letter)))
            .collect();
        assert!(lacking.is_empty(), "{language:?} lacks {lacking}");
    }
}

#[test]
fn language_change_takes_effect_next_frame_and_reverts() {
    let mut test = desk(vec2(1280.0, 720.0), of_scene(Scene::default()), |_| ());
    let says = |test: &Test, words: &str| texts(test).contains_key(words);
    assert!(says(&test, "File"));
    test.state_mut().ui.persisted.language = Some(Language::German);
    test.run_steps(3);
    assert!(says(&test, "Datei") && !says(&test, "File"));
    // As the system.
    test.state_mut().ui.persisted.language = None;
    test.state_mut().ui.transient.system_language = Language::Russian;
    test.run_steps(3);
    assert!(says(&test, "Файл") && !says(&test, "Datei"));
    test.event(Event::PointerGone);
}
