//! What controls say and where they stand.

use super::*;

struct Helps(Vec<String>);

impl TableVisitor for Helps {
    fn visit<T: Params>(&mut self, _: &str, _: &mut T) {
        self.0.extend(T::PARAMS.iter().map(checked_help));
    }
}

/// The tooltip of a parameter, checked to say what it must.
fn checked_help<T: Params>(param: &Param<T>) -> String {
    let help = help_text(param);
    assert!(
        help.contains(param.help) && param.help.len() > 10,
        "{}",
        param.key
    );
    assert!(
        help.contains(param.unit),
        "{} has the unit {}",
        param.key,
        param.unit
    );
    let (_, default) = help.split_once("Default: ").expect(param.key);
    if let Field::Float { .. } = param.field {
        // What was typed once, not what came out of a sum.
        let number = default.split(". ").next().unwrap_or_default();
        let digits = number.trim_start_matches(['-', '0', '.']);
        let digits = digits.trim_end_matches('0').replace('.', "");
        assert!(digits.len() <= 4, "{}: {number}", param.key);
    }
    help
}

fn helps_of<T: Params>() -> Vec<String> {
    T::PARAMS.iter().map(checked_help).collect()
}

#[test]
fn every_parameter_states_purpose_unit_and_default() {
    let mut helps = Helps(Vec::new());
    Surface::default().visit_listed("surface", &mut helps);
    helps.0.extend(helps_of::<Surface>());
    helps.0.extend(helps_of::<View>());
    helps.0.extend(helps_of::<Teximage>());
    helps.0.extend(helps_of::<Clouds>());
    helps.0.extend(helps_of::<Light>());
    helps.0.extend(helps_of::<Fog>());
    helps.0.extend(helps_of::<Camera>());
    assert!(helps.0.len() > 30);
}

#[test]
fn every_control_shows_its_tooltip() {
    let mut test = tall();
    let shown = [
        Role::Slider,
        Role::SpinButton,
        Role::ComboBox,
        Role::CheckBox,
        Role::TextInput,
    ];
    let mut controls = Vec::new();
    for role in shown {
        // The box for searching is no setting.
        let is_setting = |label: Option<String>| label.as_deref() != Some("Find");
        let nodes = test.get_all_by_role(role);
        let nodes = nodes.filter(|node| is_setting(node.accesskit_node().label()));
        controls.extend(nodes.map(|node| node.rect()));
    }
    assert!(controls.len() > 50, "{}", controls.len());
    for control in controls {
        test.event(Event::PointerMoved(control.center()));
        test.run_steps(40);
        let tips = test
            .query_all_by_label_contains("Double-click to reset")
            .count()
            + test
                .query_all_by_label_contains("Off: the finished landscape.")
                .count();
        assert!(tips > 0, "no tooltip at {control:?}");
        test.event(Event::PointerGone);
        test.run_steps(20);
    }
}

#[test]
fn controls_align_and_main_ones_need_no_scrolling() {
    let mut test = desk(vec2(1280.0, 720.0), Scene::default());
    test.run_steps(10);
    let bottom = test.state().ui.derived.scene_rect.bottom();
    let main = [
        (Role::ComboBox, "Render type"),
        (Role::ComboBox, "Generator"),
        (Role::SpinButton, "H"),
        (Role::SpinButton, "Iterations"),
        (Role::SpinButton, "Height scale"),
        (Role::SpinButton, "Tile"),
        (Role::ComboBox, "Palette"),
        (Role::SpinButton, "Texture iterations"),
        (Role::SpinButton, "Texture H"),
        (Role::SpinButton, "Cloud iterations"),
        (Role::SpinButton, "Cloud H"),
        (Role::ComboBox, "Texture filter"),
        (Role::ComboBox, "Shading"),
    ];
    let right = rect(&test, Role::SpinButton, "H").right();
    assert!(right < 1280.0 - 8.0, "{right}");
    for (role, label) in main {
        let control = rect(&test, role, label);
        assert!(
            (control.right() - right).abs() < 1.0,
            "{label} ends at {}",
            control.right()
        );
        assert!(
            control.bottom() < bottom,
            "{label} is below the window's end"
        );
    }
    let left = rect(&test, Role::Slider, "H").left();
    for label in ["Iterations", "Tile", "Texture H", "Cloud H"] {
        assert!(
            (rect(&test, Role::Slider, label).left() - left).abs() < 1.0,
            "{label}"
        );
    }
}

#[test]
fn windows_of_any_size_leave_the_scene_room() {
    for size in [
        vec2(240.0, 160.0),
        vec2(320.0, 200.0),
        vec2(800.0, 600.0),
        vec2(3840.0, 2160.0),
    ] {
        let mut test = desk(size, Scene::default());
        test.run_steps(5);
        let scene = test.state().ui.derived.scene_rect;
        assert!(
            scene.width() > 200.0 && scene.height() > 100.0,
            "{size} leaves {scene:?}"
        );
        key(&mut test, Modifiers::NONE, Key::F4);
        test.run_steps(5);
    }
}

#[test]
fn ineffective_settings_are_greyed_and_say_why() {
    let mut scene = Scene::default();
    scene.view.render_type = RenderType::Lines;
    let mut test = desk(TALL, scene);
    let rail = rect(&test, Role::Slider, "Cloud H");
    let before = self::scene(&test);
    drag(&mut test, &along(rail, 0.4, 0.9));
    assert_eq!(self::scene(&test), before);
    test.event(Event::PointerMoved(rail.center()));
    test.run_steps(40);
    assert!(
        test.query_by_label_contains(
            "No effect now: works only in render types `landscape`, `rendered`, `clouds` and `sky`."
        )
        .is_some()
    );
}
