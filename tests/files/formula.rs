//! The generator `formula`, and subdivision that starts from a formula.

use std::f64::consts::PI;

use crate::common::{fail_with, folder, generated, landform_with, npy, succeed};
use landform::fractal::Edges;
use landform::generate::formula::{Expression, Lanes, MOST_CHARACTERS, NAMES};
use landform::generate::{Generator, Images, Surface};
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::scene::Scene;

fn surface(expression: &str, iterations: u32) -> Surface {
    let mut surface = Surface {
        generator: Generator::Formula,
        iterations,
        ..Surface::default()
    };
    surface.formula.expression = expression.to_owned();
    surface.formula.wrap = false;
    surface
}

fn value(expression: &str, x: f64, z: f64) -> f64 {
    let parsed = Expression::parse(expression).unwrap_or_else(|e| panic!("{expression}: {e}"));
    parsed.at(Lanes::splat(x), z).0[0]
}

#[test]
fn formula_gives_the_heights_calculated_by_hand() {
    let map = generated(&surface("x + 10*z", 2));
    let row = |z: f32| [-1.0, -0.5, 0.0, 0.5, 1.0].map(|x| x + 10.0 * z);
    let expected = [-1.0, -0.5, 0.0, 0.5, 1.0].map(row).concat();
    assert_eq!(map.heights(), expected);
    let mut scaled = surface("x + 10*z", 2);
    scaled.height_scale = 0.5;
    let halves: Vec<_> = expected.iter().map(|h| h * 0.5).collect();
    assert_eq!(generated(&scaled).heights(), halves);
}

#[test]
fn brackets_go_as_in_textbooks() {
    for (text, expected) in [
        ("1 + 2*3", 7.0),
        ("(1+2)*3", 9.0),
        ("8 - 4 - 2", 2.0),
        ("8/4/2", 1.0),
        ("8/4*2", 4.0),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^3^2", 512.0),
        ("2^-1", 0.5),
        ("2 - -3", 5.0),
        ("--3", 3.0),
        ("+3", 3.0),
        ("-2*3", -6.0),
        ("2*-3", -6.0),
        ("1e3 + 2.5E-1", 1000.25),
        (".5+5", 5.5),
        ("pow(2, 10)", 1024.0),
        ("min(max(1, 2), max(3, 4))", 2.0),
        ("max(1, min(5, max(2, 3)))", 3.0),
        ("max(-1, -2)", -1.0),
        ("-max(1, 2)^2", -4.0),
        ("mod(-0.25, 1)", 0.75),
        ("fract(-0.25)", 0.75),
        ("round(2.5) + floor(-0.5) + ceil(0.5)", 3.0),
        ("sign(-3) + sign(0) + sign(2)*10", 9.0),
        ("abs(-2) + cbrt(27) + sqrt(9) + log10(100) + log2(8)", 13.0),
        ("ln(e) + exp(0) + cosh(0) + sinh(0) + tanh(0)", 3.0),
        ("atan2(1, 0)/pi + asin(1)/pi + acos(1) + atan(0)", 1.0),
        ("sin(pi/2) + cos(0) + tan(0)", 2.0),
    ] {
        assert!((value(text, 0.3, 0.7) - expected).abs() < 1e-12, "{text}");
    }
    assert_eq!(value("r", 0.6, -0.8), 1.0);
    assert_eq!(value("x/z", 0.6, -0.5), -1.2);
}

/// A random formula as a text, and what it gives at a place: the crate's parser against a tree.
fn tree(random: &mut u64, depth: u32, x: f64, z: f64) -> (String, f64) {
    let mut choose = |most: u64| {
        *random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (*random >> 33) % most
    };
    if depth == 0 {
        return match choose(4) {
            0 => ("x".to_owned(), x),
            1 => ("z".to_owned(), z),
            2 => ("pi".to_owned(), PI),
            _ => {
                let number = choose(100) as f64 / 8.0;
                (number.to_string(), number)
            }
        };
    }
    let kind = choose(9);
    let (a, va) = tree(random, depth - 1, x, z);
    let (b, vb) = tree(random, depth - 1, x, z);
    match kind {
        0 => (format!("({a}) + {b}"), va + vb),
        1 => (format!("{a} - ({b})"), va - vb),
        2 => (format!("({a})*({b})"), va * vb),
        3 => (format!("({a}) / (2 + abs({b}))"), va / (2.0 + vb.abs())),
        4 => (format!("-({a})"), -va),
        5 => (format!("sin({a})"), libm::sin(va)),
        6 => (format!("max({a},{b})"), if va > vb { va } else { vb }),
        7 => (format!("min( {a} , {b} )"), if va < vb { va } else { vb }),
        _ => (
            format!("abs({a})^(1+0*({b}))"),
            libm::pow(va.abs(), 1.0 + 0.0 * vb),
        ),
    }
}

#[test]
fn random_formulas_mean_what_their_trees_say() {
    let (x, z) = (0.375, -0.8125);
    let mut random = 1;
    let mut checked = 0;
    for round in 0..600 {
        let (text, expected) = tree(&mut random, 1 + round % 6, x, z);
        if text.len() > MOST_CHARACTERS {
            continue;
        }
        let found = value(&text, x, z);
        // Sums without brackets of their own are added from the left, not as the tree has them.
        let near = (found - expected).abs() <= 1e-9 * expected.abs().max(1.0);
        assert!(near, "{text}: {found}, not {expected}");
        checked += 1;
    }
    assert!(checked > 400, "{checked}");
}

#[track_caller]
fn check_error(text: &str, column: usize, words: &str) {
    let error = Expression::parse(text).unwrap_err();
    assert_eq!(error.column, column, "{text:?}: {error}");
    let error = error.to_string();
    assert!(error.contains(words), "{text:?}: {error}");
    assert!(!error.contains('\n'));
}

#[test]
fn errors_point_at_the_column() {
    check_error("", 1, "a height is missing");
    check_error("   ", 4, "a height is missing");
    check_error("sin(x", 6, "`)` is missing");
    check_error("sin(x))", 7, "`)` without `(`");
    check_error(
        "sin x",
        5,
        "`x` at column 5, where the function's `(` should be",
    );
    check_error("sin", 4, "`(` is missing");
    check_error("sin()", 5, "`)` at column 5, where a number");
    check_error("2 +", 4, "is missing");
    check_error("2 + * 3", 5, "`*` at column 5, where");
    check_error("2x", 2, "where an operator");
    check_error("x y", 3, "where an operator");
    check_error(
        "x + y",
        5,
        "unknown name `y` at column 5; known: x, z, r, pi",
    );
    check_error("x + sine(z)", 5, "unknown name `sine`");
    check_error("log(x)", 1, "unknown name `log`");
    check_error("max(x)", 6, "max's second number");
    check_error(
        "max(x, z, r)",
        9,
        "`,` at column 9, but max takes two numbers",
    );
    check_error("sin(x, z)", 6, "`,` at column 6, but sin takes one number");
    check_error("2*(x, z)", 5, "`,` at column 5, where `)` should be");
    check_error("x, z", 2, "outside a function");
    check_error("{x}", 1, "`{` at column 1, where");
    check_error("x $ z", 3, "`$` at column 3, where");
    check_error("é + x", 1, "unknown name `é`");
    check_error("x + 2·z", 6, "`·` at column 6, where");
    check_error("1e999", 1, "too large");
    check_error("3.4.5", 4, "`.` at column 4, where");
    check_error("x + .", 5, "`.` at column 5, where");
}

#[test]
fn long_and_deep_formulas_never_overflow() {
    let sum = |terms: usize| vec!["x"; terms].join("+");
    assert_eq!(value(&sum(500), 1.0, 0.0), 500.0);
    assert_eq!(value(&format!("{}0", "1+".repeat(450)), 1.0, 0.0), 450.0);
    check_error(&sum(600), 1001, "allowed: 1000 characters");
    for open in ["(", "-", "sin(", "2^", "max(1,", "-(", "2^(-"] {
        let text = open.repeat(300 / open.len());
        Expression::parse(&text).unwrap_err();
        Expression::parse(&open.repeat(1_000_000)).unwrap_err();
    }
    let deep = |depth: usize| format!("{}x{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(value(&deep(64), 0.5, 0.0), 0.5);
    check_error(&deep(65), 65, "allowed: 64");
    for odd in [
        "\0",
        "\u{202e}x",
        "x\n+z\tz",
        "𝒙",
        "١",
        "½",
        "x²",
        "1.e",
        "e1",
        ",",
    ] {
        drop(Expression::parse(odd));
    }
}

#[test]
fn every_name_is_known_and_evaluates() {
    for entry in NAMES {
        let text = match value_or_none(&format!("{}(0.5)", entry.name)) {
            Some(_) => continue,
            None => format!("{}(0.5, 0.25)", entry.name),
        };
        if value_or_none(&text).is_none() {
            assert!(value(entry.name, 0.5, 0.5).is_finite(), "{}", entry.name);
        }
        assert!(entry.help.ends_with(['.', '…']), "{}", entry.name);
    }
}

fn value_or_none(text: &str) -> Option<f64> {
    let parsed = Expression::parse(text).ok()?;
    let value = parsed.at(Lanes::splat(0.5), 0.5).0[0];
    assert!(value.is_finite(), "{text}");
    Some(value)
}

#[test]
fn more_iterations_move_no_point_and_wrapping_repeats() {
    let mut surface = surface("sin(3*x) + r*cos(5*z)", 6);
    for wrap in [false, true] {
        surface.formula.wrap = wrap;
        surface.iterations = 6;
        let fine = generated(&surface);
        surface.iterations = 5;
        let coarse = generated(&surface);
        assert_eq!(coarse.wraps(), wrap);
        for row in 0..coarse.rows() {
            for column in 0..coarse.columns() {
                assert_eq!(coarse.at(row, column), fine.at(2 * row, 2 * column));
            }
        }
        let last = fine.rows() - 1;
        let joins = (0..=last)
            .all(|i| fine.at(0, i) == fine.at(last, i) && fine.at(i, 0) == fine.at(i, last));
        assert_eq!(joins, wrap);
    }
}

#[test]
fn the_default_tiles() {
    let mut surface = Surface {
        generator: Generator::Formula,
        ..Surface::default()
    };
    let wrapped = generated(&surface);
    assert!(wrapped.wraps());
    surface.formula.wrap = false;
    let evaluated = generated(&surface);
    for (a, b) in wrapped.heights().iter().zip(evaluated.heights()) {
        assert!((a - b).abs() < 1e-6);
    }
}

#[test]
fn undefined_values_are_errors_that_say_where() {
    let error = |text: &str, wrap: bool, threads: usize| {
        let mut surface = surface(text, 7);
        surface.formula.wrap = wrap;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let made = pool
            .unwrap()
            .install(|| surface.generate(&Images::default(), &Job::new(), None));
        made.map_or_else(|error| error.to_string(), |_| "a map".to_owned())
    };
    for (text, words) in [
        ("1/x", "is inf at x = 0, z = -1 (row 0, column 64)"),
        ("0/(x + z)", "is NaN at x = 1, z = -1 (row 0, column 128)"),
        (
            "sqrt(0.5 - z)",
            "is NaN at x = -1, z = 0.515625 (row 97, column 0)",
        ),
        (
            "ln(abs(x - 0.5) + abs(z - 0.25))",
            "is -inf at x = 0.5, z = 0.25 (row 80, column 96)",
        ),
        (
            "exp(1000*r - 1000)*2",
            "is inf at x = -1, z = -1 (row 0, column 0)",
        ),
        (
            "min(1, asin(2 + z))",
            "is NaN at x = -1, z = -0.984375 (row 1, column 0)",
        ),
    ] {
        let expected =
            format!("surface.formula.expression {words}; allowed: a finite height, up to ±1e12");
        for threads in [1, 2, 7] {
            assert_eq!(error(text, false, threads), expected, "{threads} threads");
        }
    }
    // Wrapped, nothing is worked out at 1.
    assert_eq!(error("ln(1 - x)", true, 2), "a map");
    assert!(error("ln(1 - x)", false, 2).contains("row 0, column 128"));
}

fn seeded(generator: Generator, edges: Edges, iterations: u32) -> Surface {
    let mut surface = Surface {
        generator,
        iterations,
        height_scale: 0.5,
        input_formula: "0.25*sin(pi*x)*cos(pi*z) + 0.5*z".to_owned(),
        ..Surface::default()
    };
    surface.diamond_square.edges = edges;
    surface.midpoint.edges = edges;
    (
        surface.diamond_square.input_level,
        surface.midpoint.input_level,
    ) = (3, 3);
    surface
}

#[test]
fn subdivision_goes_exactly_through_its_formula() {
    for generator in [Generator::DiamondSquare, Generator::Midpoint] {
        for edges in [Edges::Wrap, Edges::Free] {
            let known = |iterations: u32| {
                let mut formula = surface("0.25*sin(pi*x)*cos(pi*z) + 0.5*z", iterations);
                formula.formula.wrap = edges == Edges::Wrap;
                formula.height_scale = 0.5;
                generated(&formula)
            };
            let at = |iterations| generated(&seeded(generator, edges, iterations));
            assert_eq!(at(2).heights(), known(2).heights(), "{generator} {edges}");
            let fine = at(5);
            check_every(&known(3), &fine, 4);
            check_every(&at(4), &fine, 2);
            assert_ne!(fine.heights(), known(5).heights(), "detail is added");
        }
    }
}

#[track_caller]
fn check_every(coarse: &Heightmap, fine: &Heightmap, stride: usize) {
    for row in 0..coarse.rows() {
        for column in 0..coarse.columns() {
            assert_eq!(
                coarse.at(row, column),
                fine.at(row * stride, column * stride)
            );
        }
    }
}

#[test]
fn a_formula_without_a_value_says_which_key() {
    let mut surface = seeded(Generator::Midpoint, Edges::Free, 4);
    surface.input_formula = "1/z".to_owned();
    let error = surface
        .generate(&Images::default(), &Job::new(), None)
        .unwrap_err();
    let expected = "surface.input_formula is inf at x = -1, z = 0 (row 4, column 0)";
    assert!(error.to_string().starts_with(expected), "{error}");
}

#[test]
fn scenes_with_wrong_formulas_are_refused_with_key() {
    let refused = |text: &str| Scene::parse(text).unwrap_err().to_string();
    assert_eq!(
        refused("[surface.formula]\nexpression = \"sin(x\"\n"),
        "surface.formula.expression is \"sin(x\"; allowed: a formula: `)` is missing at column 6"
    );
    let error = refused("[surface]\ninput_formula = \"x+\"\n");
    assert!(
        error.starts_with("surface.input_formula is \"x+\"; allowed:"),
        "{error}"
    );
    let error = refused("[surface]\ninput = \"a.png\"\ninput_formula = \"x\"\n");
    assert!(
        error.contains("surface.input_formula is \"x\"; allowed: empty"),
        "{error}"
    );
    let scene = Scene::default();
    for text in ["1", "0.5", "x", "sin(pi*x)", "\"sin(pi*x)\""] {
        let set = scene.with("surface.formula.expression", text).unwrap();
        let found = &set.surface.formula.expression;
        assert_eq!(found, text.trim_matches('"'));
        assert_eq!(Scene::parse(&set.to_toml()).unwrap(), set);
    }
}

#[test]
fn command_line_takes_formulas_and_lists_names() {
    let folder = folder();
    let folder = folder.path();
    let set = "surface.formula.expression=x - 2*z";
    let arguments = "generate --generator formula --iterations 1 --set surface.formula.wrap=false";
    let arguments: Vec<_> = arguments
        .split(' ')
        .chain(["--set", set, "-o", "a.npy"])
        .collect();
    let output = landform_with(folder, arguments);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let (_, heights) = npy(&folder.join("a.npy"));
    assert_eq!(heights, [1.0, 2.0, 3.0, -1.0, 0.0, 1.0, -3.0, -2.0, -1.0]);
    let wrong = [
        "generate",
        "--set",
        "surface.formula.expression=2*y",
        "-o",
        "b.npy",
    ];
    fail_with(
        folder,
        wrong,
        2,
        &["surface.formula.expression", "column 3", "unknown name `y`"],
    );
    let nowhere = "generate --generator formula --set surface.formula.expression=1/x -o b.npy";
    fail_with(folder, nowhere.split(' '), 1, &["is inf at x = 0, z = -1"]);
    let list = succeed(folder, "list functions");
    assert!(list.lines().any(|line| line.starts_with("atan2")), "{list}");
    assert!(succeed(folder, "list generators").contains("formula"));
}
