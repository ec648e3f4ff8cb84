//! While a text is typed, no key that may be a letter does anything else: in every box of every
//! screen.

use egui::accesskit::Role;
use egui::{Event, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::covered::screens;
use crate::desk::Test;
use crate::screens::speaking;
use landform::app::commands::Action;
use landform::app::shortcuts;
use landform::language::Language;
use landform::scene::Scene;

/// What keys could change, and where the focus is.
fn state(test: &Test) -> (Scene, [bool; 6]) {
    let ui = &test.state().ui;
    let transient = &ui.transient;
    let open = [
        transient.variations.shown,
        transient.browser.shown,
        transient.compared.is_some(),
        transient.timeline.is_playing(),
        transient.playing.is_some(),
        ui.persisted.history,
    ];
    (ui.persisted.scene.clone(), open)
}

/// All shortcuts that are letters, with Shift or without.
fn letters() -> Vec<Event> {
    let is_letter = |action: &Action| !matches!(action, Action::Window(_));
    let all = shortcuts::all().filter(|(with, key, action)| {
        !with.command && key.name().chars().count() == 1 && is_letter(action)
    });
    let events = all.map(|(with, key, _)| Event::Key {
        key: *key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: *with,
    });
    events.collect()
}

#[test]
fn letters_act_on_nothing_while_typing_text() {
    assert!(letters().len() >= 12);
    let mut boxes = 0;
    for (name, open) in screens() {
        let mut test = speaking(Language::English, vec2(1280.0, 720.0), open);
        let scene_ends = test.state().ui.derived.scene_rect.right();
        let is_panel = *name == "the panel";
        let texts = test.query_all_by_role(Role::TextInput);
        let numbers = test.query_all_by_role(Role::SpinButton);
        let ids: Vec<_> = texts
            .chain(numbers.filter(|number| is_panel || number.rect().right() < scene_ends))
            .filter(|node| !node.accesskit_node().is_disabled())
            .map(|node| node.accesskit_node().id())
            .collect();
        for id in ids {
            let node = test.root().children_recursive();
            let Some(node) = node
                .into_iter()
                .find(|node| node.accesskit_node().id() == id)
            else {
                continue;
            };
            node.focus();
            test.run_steps(2);
            let before = state(&test);
            test.input_mut().events.extend(letters());
            test.run_steps(2);
            assert!(state(&test) == before, "{name}: {id:?}");
            test.ctx.memory_mut(|memory| memory.stop_text_input());
            test.run_steps(1);
            boxes += 1;
        }
    }
    assert!(boxes > 40, "only {boxes}");
}
