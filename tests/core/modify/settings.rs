//! The modifiers' options in scene files, and any options on any map.

use super::*;

#[test]
fn modifiers_survive_the_scene_file() {
    let text = "[[modifiers]]\nkind = \"blur\"\n[modifiers.blur]\nradius = 0.03\n\n\
                [[modifiers]]\nkind = \"edge-fade\"\non = false\n";
    let scene = Scene::parse(text).unwrap();
    assert_eq!(scene.modifiers.len(), 2);
    assert_eq!(scene.modifiers[0].kind, Kind::Blur);
    assert_eq!(scene.modifiers[0].blur.radius, 0.03);
    assert!(!scene.modifiers[1].on);
    assert_eq!(Scene::parse(&scene.to_toml()).unwrap(), scene);
    assert!(
        !scene.to_toml().contains("edge_fade"),
        "defaults are left out"
    );
    let all: Vec<Modifier> = Kind::ALL.iter().copied().map(Modifier::new).collect();
    let mut scene = Scene {
        modifiers: all,
        ..scene
    };
    scene.modifiers[3].smooth_detail.start = Start::InTurn;
    assert_eq!(Scene::parse(&scene.to_toml()).unwrap(), scene);
    assert!(!Scene::default().to_toml().contains("modifiers"));
}

#[track_caller]
fn check_refused(text: &str, expected: &str) {
    let error = Scene::parse(text).unwrap_err().to_string();
    assert!(error.contains(expected), "`{error}` lacks `{expected}`");
    assert!(!error.contains('\n'), "more than one line: {error}");
}

#[test]
fn bad_modifiers_are_refused_in_one_line() {
    check_refused("[[modifiers]]\nkind = \"erode\"\n", "smooth-detail");
    check_refused("[[modifiers]]\nkind = \"blur\"\nradius = 1\n", "line 3");
    check_refused("[[modifiers]]\n[modifiers.blur]\nradios = 1\n", "radios");
    check_refused(
        "[[modifiers]]\n[[modifiers]]\n[modifiers.blur]\nradius = 0.7\n",
        "modifiers.1.blur.radius is 0.7; allowed: 0 to 0.5",
    );
    check_refused(
        "[[modifiers]]\n[modifiers.clamp]\nlow = 2\n",
        "modifiers.0.clamp.low is 2; allowed: at most high, which is 1",
    );
    check_refused(
        "[[modifiers]]\n[modifiers.level]\nshift = nan\n",
        "modifiers.0.level.shift",
    );
    let mut map = land(3, 3);
    let bad = step(Kind::Blur, |m| m.blur.radius = -1.0);
    let job = Job::new();
    let error = bad.apply(&mut map, &Context::new(0, &job)).unwrap_err();
    assert!(error.to_string().contains("blur.radius is -1"), "{error}");
    assert_eq!(map, land(3, 3));
}

#[test]
fn one_key_of_a_modifier_can_be_set() {
    let scene = Scene::default();
    let scene = scene.with("modifiers.0.kind", "edge-fade").unwrap();
    let scene = scene.with("modifiers.1.blur.radius", "0.25").unwrap();
    let scene = scene.with("modifiers.1.kind", "blur").unwrap();
    let scene = scene.with("modifiers.0.edge-fade.width", "0").unwrap();
    assert_eq!(scene.modifiers.len(), 2);
    assert_eq!(scene.modifiers[0].kind, Kind::EdgeFade);
    assert_eq!(scene.modifiers[0].edge_fade.width, 0.0);
    assert_eq!(scene.modifiers[1].blur.radius, 0.25);
    let off = scene.with("modifiers.1.on", "false").unwrap();
    assert!(!off.modifiers[1].on && scene.modifiers[1].on);
    assert_eq!(scene.with("modifiers", "[]").unwrap().modifiers, []);
    for (key, value) in [
        ("modifiers.3.kind", "blur"),
        ("modifiers.x.kind", "blur"),
        ("modifiers.-1.kind", "blur"),
        ("modifiers.0.kind", "erode"),
        ("modifiers.0.blurr.radius", "0.1"),
        ("modifiers.0.blur.radios", "0.1"),
        ("modifiers.0.blur.radius", "3"),
        ("modifiers.0", "1"),
    ] {
        let error = scene.with(key, value).expect_err(key).to_string();
        assert!(!error.contains('\n'), "more than one line: {error}");
    }
}

/// Gives each option of a modifier a value of its range, as the next of the fractions says.
struct Choose<'a>(std::iter::Cycle<std::slice::Iter<'a, f32>>);

impl PairVisitor for Choose<'_> {
    fn visit<T: Params>(&mut self, options: &mut T, _: &T) {
        for param in T::PARAMS {
            let t = *self.0.next().unwrap();
            match &param.field {
                Field::Float { set, min, max, .. } => {
                    set(options, (min + (max - min) * t).clamp(*min, *max));
                }
                Field::Int { set, min, max, .. } => {
                    set(options, min + ((max - min) as f32 * t * t) as u32);
                }
                Field::Seed { set, .. } => set(options, (t * 1.0e9) as u64),
                Field::Switch { set, .. } => set(options, t < 0.5),
                Field::Text { .. } => {}
                Field::Choice { set, names, .. } => {
                    set(options, (t * (names.len() - 1) as f32).round() as usize);
                }
            }
        }
    }
}

/// Every option has a sentence, and its default is in range.
struct Explained;

impl TableVisitor for Explained {
    fn visit<T: Params>(&mut self, place: &str, options: &mut T) {
        options.check("").unwrap();
        for param in T::PARAMS {
            assert!(!param.label.is_empty(), "{place} {}", param.key);
            assert!(param.help.ends_with('.'), "{place} {}", param.key);
        }
    }
}

#[test]
fn options_are_explained() {
    assert!(Kind::HELPS.iter().all(|help| help.ends_with('.')));
    Modifier::default().visit_listed("", &mut Explained);
}

fn any_map() -> impl Strategy<Value = Heightmap> {
    (1usize..12, 1usize..12, any::<bool>(), any::<bool>()).prop_flat_map(
        |(rows, columns, wraps, flat)| {
            let distinct = if flat { 1 } else { rows * columns };
            prop::collection::vec(height(), distinct).prop_map(move |some| {
                let all = some.iter().copied().cycle().take(rows * columns);
                let mut heights: Vec<f32> = all.collect();
                if wraps {
                    for row in heights.chunks_exact_mut(columns) {
                        row[columns - 1] = row[0];
                    }
                    heights.copy_within(..columns, (rows - 1) * columns);
                }
                Heightmap::new(rows, columns, wraps, heights)
            })
        },
    )
}

fn fraction() -> impl Strategy<Value = f32> {
    prop_oneof![3 => 0.0f32..=1.0, 1 => Just(0.0), 1 => Just(1.0)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn modifiers_never_produce_nan_or_open_seams(
        map in any_map(),
        kind in prop::sample::select(Kind::ALL),
        fractions in prop::collection::vec(fraction(), 4),
    ) {
        let mut modifier = Modifier::new(kind);
        let default = modifier.clone();
        modifier.visit_pair(&default, kind.key(), &mut Choose(fractions.iter().cycle()));
        prop_assume!(modifier.validate("modifier").is_ok());
        let after = apply(&modifier, &map);
        prop_assert!(after.heights().iter().all(|height| height.is_finite()), "{after:?}");
        prop_assert_eq!((after.rows(), after.columns()), (map.rows(), map.columns()));
        prop_assert!(after.wraps() || !map.wraps());
        prop_assert!(!after.wraps() || meets(&after), "{after:?}");
    }
}
