//! Chapters of the book, and the window that shows them.

use egui::accesskit::Role;
use egui::{Id, Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable;

use landform::app::book::{Block, Style, blocks, chapter, spans};
use landform::app::commands::Action;
use landform::generate::Generator;
use landform::lettering;
use landform::modify::{Modifier, ModifierKind};
use landform::scene::Scene;

use crate::desk::{Test, click, desk, of_scene};

/// Names of all generators and modifiers.
fn subjects() -> impl Iterator<Item = &'static str> {
    let generators = Generator::ALL.iter().map(|generator| generator.name());
    generators.chain(ModifierKind::ALL.iter().map(|kind| kind.name()))
}

#[test]
fn every_generator_and_modifier_has_a_chapter() {
    for name in subjects() {
        let blocks = blocks(chapter(name).unwrap_or_else(|| panic!("{name}: no chapter")));
        let has = |is: fn(&Block) -> bool| blocks.iter().any(is);
        assert!(has(|block| matches!(block, Block::Paragraph(_))), "{name}");
        if name != "diamond-square" {
            let formula = has(|block| matches!(block, Block::Code(code) if !code.is_empty()));
            assert!(formula, "{name}: no formula");
            let source = |block: &Block| matches!(block, Block::Paragraph(words) if words.starts_with("Source: "));
            assert!(blocks.iter().any(source), "{name}: no source");
        }
    }
}

#[test]
fn every_chapter_is_about_a_generator_or_modifier() {
    let page = include_str!("../../docs/how-it-works.md");
    let headings = page.lines().filter_map(|line| line.strip_prefix("## "));
    for heading in headings {
        assert!(subjects().any(|name| name == heading), "{heading}");
    }
    assert_eq!(chapter("landscape"), None);
    assert_eq!(chapter(""), None);
}

#[test]
fn chapters_have_no_pictures_and_no_marks() {
    for name in subjects() {
        for block in blocks(chapter(name).unwrap()) {
            let words: String = match block {
                Block::Code(_) => continue,
                Block::Heading(words) => words.to_owned(),
                Block::Paragraph(words) | Block::Item(words) => {
                    spans(words).into_iter().map(|(_, piece)| piece).collect()
                }
            };
            for mark in ["![", "](", "**", "`", "##"] {
                assert!(!words.contains(mark), "{name}: {words}");
            }
        }
    }
}

#[test]
fn window_font_has_all_letters_of_the_chapters() {
    for name in subjects() {
        for block in blocks(chapter(name).unwrap()) {
            if let Block::Heading(words) | Block::Paragraph(words) | Block::Item(words) = block {
                let mut missing = lettering::missing(words);
                // That of the button; it is in the window's font of symbols.
                missing.remove(&'▶');
                assert!(missing.is_empty(), "{name}: {missing:?}");
            }
        }
    }
}

#[test]
fn lines_become_blocks() {
    let text = "\nOne *word*.\n\n## Head\n\n![A](a.png)\n\n- item\n\n```text\na\n  b\n```\n\nEnd";
    let wanted = [
        Block::Paragraph("One *word*."),
        Block::Heading("Head"),
        Block::Item("item"),
        Block::Code("a\n  b"),
        Block::Paragraph("End"),
    ];
    assert_eq!(blocks(text), wanted);
}

#[test]
fn marks_become_styles() {
    let wanted = [
        (Style::Plain, "a "),
        (Style::Strong, "b"),
        (Style::Plain, " "),
        (Style::Emphasis, "c"),
        (Style::Plain, ", "),
        (Style::Code, "d*"),
        (Style::Plain, " and "),
        (Style::Plain, "e"),
        (Style::Plain, " * f"),
    ];
    assert_eq!(spans("a **b** *c*, `d*` and [e](e.md) * f"), wanted);
    assert_eq!(spans(""), []);
}

/// A window with a modifier, tall enough for the whole panel.
fn desk_with_erosion() -> Test {
    let scene = Scene {
        modifiers: vec![Modifier::new(ModifierKind::Erosion)],
        ..Scene::default()
    };
    desk(vec2(1280.0, 2400.0), of_scene(scene), |_| ())
}

/// Presses the button of that number, from above.
fn press_button(test: &mut Test, number: usize) {
    let buttons = test.query_all_by_role_and_label(Role::Button, "How it works");
    let at = buttons.map(|button| button.rect().center()).nth(number);
    click(test, at.expect("a button"));
    test.run_steps(4);
}

#[test]
fn button_opens_the_chapter_of_its_generator_or_modifier() {
    let mut test = desk_with_erosion();
    let subject = |test: &Test| test.state().ui.transient.dialogs.chapter;
    assert_eq!(subject(&test), None);
    press_button(&mut test, 0);
    assert_eq!(subject(&test), Some("diamond-square"));
    assert!(test.query_by_label("Known artefacts").is_some());
    press_button(&mut test, 1);
    assert_eq!(subject(&test), Some("erosion"));
    assert!(test.query_by_label("dz/dt = U − K·√A·S").is_some());
    assert!(test.query_by_label("Known artefacts").is_none());
    test.key_press_modifiers(Modifiers::NONE, Key::Escape);
    test.run_steps(3);
    assert_eq!(subject(&test), None);
}

#[test]
fn chapter_stays_within_the_picture() {
    for size in [vec2(1280.0, 720.0), vec2(900.0, 420.0), vec2(500.0, 400.0)] {
        let mut test = desk(size, of_scene(Scene::default()), |_| ());
        for name in subjects() {
            test.state_mut().ui.apply(Action::Read(name));
            test.run_steps(4);
            let id = Id::new(landform::app::dialogs::reader::TITLE);
            let rect = test.ctx.memory(|memory| memory.area_rect(id));
            let rect = rect.expect("a window");
            let derived = &test.state().ui.derived;
            let area = derived.between_bars;
            assert!(
                area.expand(1.0).contains_rect(rect),
                "{name} {size}: {rect} {area}"
            );
        }
    }
}
