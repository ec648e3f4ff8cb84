//! Lengths are shown and typed in metres, whatever the size of the tile.

use super::*;

use landform::param::Tab;

/// A window with all settings of a tab.
fn opened(scene: Scene, tab: Tab) -> Test {
    let mut persisted = crate::desk::of_scene(scene);
    persisted.panel_view = PanelView {
        tab,
        all: true,
        one_list: false,
    };
    let mut test = crate::desk::desk(vec2(1280.0, 1200.0), persisted, |_| ());
    test.run_steps(10);
    test
}

/// A window with the settings of water of a scene on a tile of this size, and a water level in half tiles.
fn sea(tile_size_m: f32, level: f32) -> Test {
    let mut scene = Scene::default();
    scene.surface.tile_size_m = tile_size_m;
    (scene.water.enabled, scene.water.level) = (true, level);
    opened(scene, Tab::Water)
}

fn type_level(test: &mut Test, text: &str) {
    let at = rect(test, Role::SpinButton, "Water level").center();
    type_at(test, at, text);
}

/// Type a number into the box at a place of the window.
fn type_at(test: &mut Test, at: Pos2, text: &str) {
    crate::desk::click(test, at);
    key(test, Modifiers::COMMAND, Key::A);
    test.event(Event::Text(text.to_owned()));
    key(test, Modifiers::NONE, Key::Enter);
    test.run_steps(4);
}

/// The number in the box.
fn shown(test: &Test) -> f64 {
    let number = test.get_by_role_and_label(Role::SpinButton, "Water level");
    number.accesskit_node().numeric_value().unwrap()
}

#[test]
fn a_typed_height_is_in_metres() {
    for (tile_size_m, metres) in [(2000.0, 300.0), (3812.7, 300.0), (777.7, -12.25)] {
        let mut test = sea(tile_size_m, 0.0);
        type_level(&mut test, &metres.to_string());
        let level = f64::from(scene(&test).water.level);
        let half_tile = f64::from(tile_size_m) / 2.0;
        assert!((level * half_tile - metres).abs() < 1e-3, "{tile_size_m}");
        assert_eq!(shown(&test), metres, "{tile_size_m}");
    }
}

#[test]
fn the_unit_suits_the_tile() {
    // Tile size, half of it in the unit, and the unit.
    let cases = [
        (2000.0, 100.0, "m"),
        (0.5, 25.0, "mm"),
        (2.0e6, 100.0, "km"),
    ];
    for (tile_size_m, number, unit) in cases {
        let mut test = sea(tile_size_m, 0.1);
        assert_eq!(shown(&test), number, "{tile_size_m}");
        let name = test.get_by_role_and_label(Role::Label, "Water level");
        name.hover();
        test.run_steps(60);
        let words = format!("Unit: {unit}.");
        let help = test.query_by_label_contains(&words);
        assert!(help.is_some(), "{tile_size_m}");
    }
}

#[test]
fn a_limit_is_in_metres_and_is_kept_exactly() {
    let mut test = sea(3812.7, 0.0);
    type_level(&mut test, "1e9");
    assert_eq!(scene(&test).water.level, 1000.0);
    let notices = test.state().ui.transient.notices.list();
    assert!(notices[0].text.contains("above 1906350"), "{notices:?}");
}

#[test]
fn looking_into_a_box_does_not_round_the_length() {
    let level = 0.123_456_79;
    let mut test = sea(3812.7, level);
    let at = rect(&test, Role::SpinButton, "Water level").center();
    crate::desk::click(&mut test, at);
    key(&mut test, Modifiers::NONE, Key::Enter);
    test.run_steps(4);
    assert_eq!(scene(&test).water.level, level);
}

#[test]
fn a_double_click_resets_a_length_exactly() {
    let mut test = sea(3812.7, 0.123_456_79);
    type_level(&mut test, "5");
    // Other clicks soon after would be more than double ones.
    test.run_steps(60);
    let at = rect(&test, Role::Label, "Water level").left_center() + vec2(4.0, 0.0);
    for pressed in [true, false, true, false] {
        press(&mut test, at, pressed);
    }
    test.run_steps(4);
    assert_eq!(scene(&test).water.level, 0.123_456_79);
}

#[test]
fn the_camera_looks_at_a_place_in_metres() {
    let mut scene_ = Scene::default();
    scene_.surface.tile_size_m = 4000.0;
    scene_.camera.target = [0.123_456_789_012, 0.0, 0.0];
    let mut test = opened(scene_, Tab::View);
    let boxes: Vec<_> = test
        .get_all_by_role_and_label(Role::SpinButton, "Target")
        .map(|node| node.rect().center())
        .collect();
    assert_eq!(boxes.len(), 3);
    crate::desk::click(&mut test, boxes[0]);
    key(&mut test, Modifiers::NONE, Key::Enter);
    test.run_steps(4);
    assert_eq!(scene(&test).camera.target[0], 0.123_456_789_012);
    type_at(&mut test, boxes[2], "-500");
    assert_eq!(scene(&test).camera.target, [0.123_456_789_012, 0.0, -0.25]);
}

/// Ends of the slider of the water level.
fn ends(test: &Test) -> [f64; 2] {
    let slider = test.get_by_role_and_label(Role::Slider, "Water level");
    let node = slider.accesskit_node();
    [node.min_numeric_value(), node.max_numeric_value()].map(|end| end.expect("a slider"))
}

#[test]
fn slider_of_a_height_spans_the_land_between_round_numbers() {
    let mut test = sea(2000.0, 0.0);
    assert_eq!(ends(&test), [-1000.0, 1000.0]);
    let cases = [
        ((-0.083, 0.1), [-100.0, 100.0]),
        ((1.204, 3.61), [1000.0, 4000.0]),
        ((0.0004, 0.0031), [0.0, 3.5]),
    ];
    for (land, metres) in cases {
        test.state_mut().ui.derived.height_range = Some(land);
        test.run_steps(2);
        for (end, wanted) in ends(&test).into_iter().zip(metres) {
            assert!((end - wanted).abs() < 1e-3, "{land:?}: {:?}", ends(&test));
        }
        assert_eq!(scene(&test).water.level, 0.0, "nothing has been moved");
    }
    // Flat land has no heights to span.
    test.state_mut().ui.derived.height_range = Some((0.25, 0.25));
    test.run_steps(2);
    assert_eq!(ends(&test), [-1000.0, 1000.0]);
}

#[test]
fn a_number_beyond_the_land_stays_as_it_is() {
    let mut test = sea(2000.0, 0.75);
    test.state_mut().ui.derived.height_range = Some((-0.1, 0.1));
    test.run_steps(4);
    assert_eq!(shown(&test), 750.0);
    type_level(&mut test, "900");
    assert_eq!(scene(&test).water.level, 0.9);
}

#[test]
fn ends_of_a_slider_stay_while_it_is_dragged() {
    let mut test = sea(2000.0, 0.0);
    test.state_mut().ui.derived.height_range = Some((-0.1, 0.1));
    test.run_steps(2);
    let at = rect(&test, Role::Slider, "Water level").center();
    test.event(Event::PointerMoved(at));
    let button = |pressed| Event::PointerButton {
        pos: at,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    test.event(button(true));
    test.run_steps(2);
    test.state_mut().ui.derived.height_range = Some((-0.4, 0.4));
    test.run_steps(2);
    assert_eq!(ends(&test), [-100.0, 100.0]);
    test.event(button(false));
    test.run_steps(2);
    assert_eq!(ends(&test), [-400.0, 400.0]);
}

#[test]
fn pins_stand_at_places_in_metres() {
    let pin = |x: f32| landform::generate::pins::Pin {
        x,
        z: -0.25,
        height: 0.1,
    };
    let mut scene_ = Scene::default();
    (scene_.surface.tile_size_m, scene_.surface.pin_level) = (3000.0, 4);
    scene_.surface.pins = vec![pin(0.5), pin(0.75)];
    let mut test = opened(scene_, Tab::Shape);
    // The boxes of pins have a prefix in place of a name: x, z and height of each.
    let boxes = |test: &Test| -> Vec<(f64, Pos2)> {
        let boxes = test.get_all_by_role(Role::SpinButton);
        let of_pins = boxes.filter(|node| node.accesskit_node().label().is_none());
        let number = |node: egui_kittest::Node<'_>| {
            let number = node.accesskit_node().numeric_value();
            (number.expect("a number"), node.rect().center())
        };
        of_pins.map(number).collect()
    };
    let numbers = |test: &Test| {
        boxes(test)
            .iter()
            .map(|(number, _)| *number)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        numbers(&test),
        [750.0, -375.0, 150.0, 1125.0, -375.0, 150.0]
    );
    let cases = [
        // Places of the lattice are 187.5 m apart.
        (
            "-1000",
            -937.5,
            "-1000 is between places of the lattice: -937.5 is used",
        ),
        (
            "1100",
            -937.5,
            "1100 is the place of another pin: the old value stays",
        ),
        ("562.5", 562.5, ""),
    ];
    for (text, place, words) in cases {
        test.state_mut().ui.transient.notices.clear();
        let at = boxes(&test)[0].1;
        type_at(&mut test, at, text);
        assert_eq!(numbers(&test)[0], place, "{text}");
        assert_eq!(
            f64::from(scene(&test).surface.pins[0].x),
            place / 1500.0,
            "{text}"
        );
        let notices = test.state().ui.transient.notices.list();
        let said: Vec<_> = notices.iter().map(|notice| notice.text.as_str()).collect();
        assert_eq!(said.join("; "), words, "{text}");
    }
}
