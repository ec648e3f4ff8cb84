//! What the command says.

use super::*;

#[test]
fn stats_give_json_and_a_table() {
    let folder = folder();
    let value = stats(folder.path(), "--iterations 8 --h 0.4");
    assert_eq!(
        (&value["width"], &value["height"]),
        (&257.into(), &257.into())
    );
    assert!((value["hurst"].as_f64().unwrap() - 0.4).abs() < 0.03);
    let sum = value["hurst"].as_f64().unwrap() + value["fractal_dimension"].as_f64().unwrap();
    assert!((sum - 3.0).abs() < 1e-9);
    assert_eq!(value["wrap_error"], 0.0);
    for key in ["min", "max", "mean", "std"] {
        assert!(value[key].is_f64(), "{key}");
    }
    let small = stats(folder.path(), "--iterations 1");
    assert!(small["hurst"].is_null() && small["fractal_dimension"].is_null());
    assert!(succeed(folder.path(), "stats --iterations 4").contains("estimated H"));
}

#[test]
fn stats_of_heights_have_metres() {
    let folder = folder();
    let text = succeed(folder.path(), "stats --iterations 4");
    for name in ["lowest", "highest", "mean", "standard deviation"] {
        let mut lines = text.lines();
        let line = lines.find(|line| line.starts_with(name)).expect(name);
        assert!(line.ends_with("m)"), "{line}");
    }
}

#[test]
fn stats_hold_histogram_spectrum_and_creases() {
    let folder = folder();
    let value = stats(folder.path(), "--iterations 8 --h 0.5");
    let numbers = |list: &Value| -> Vec<f64> {
        let list = list.as_array().unwrap();
        list.iter().map(|number| number.as_f64().unwrap()).collect()
    };
    let histogram = numbers(&value["histogram"]);
    assert_eq!(histogram.len(), 64);
    assert_eq!(histogram.iter().sum::<f64>(), 257.0 * 257.0);
    assert_eq!(numbers(&value["variations"]["lag"]), [1., 2., 4., 8., 16.]);
    for (plot, lists) in [
        ("variations", ["lag", "mean_square", "count"]),
        ("spectrum", ["frequency", "power", "count"]),
        ("creases", ["spacing", "ratio", "count"]),
    ] {
        let lengths = lists.map(|list| numbers(&value[plot][list]).len());
        assert!(lengths[0] > 4, "{plot}");
        assert_eq!(lengths, [lengths[0]; 3], "{plot}");
    }
    assert_eq!(value["spectrum_slope_theory"], -3.0);
    let slope = value["spectrum_slope"].as_f64().unwrap();
    assert!((slope + 3.0).abs() < 0.3, "{slope}");
    assert!((value["hurst_spectrum"].as_f64().unwrap() - 0.5).abs() < 0.15);
    assert!(value["crease"].as_f64().unwrap() > 1.1);
    let text = succeed(folder.path(), "stats --iterations 8 --h 0.5");
    for words in ["histogram", "theory -3)", "creases", "(asked for 0.5)"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn stats_of_flat_and_tiny_maps_have_nulls() {
    let folder = folder();
    for name in ["2x2", "5x3", "33x33"] {
        let (columns, rows) = name.split_once('x').unwrap();
        let (columns, rows): (u32, u32) = (columns.parse().unwrap(), rows.parse().unwrap());
        let path = folder.path().join(format!("{name}.png"));
        image::GrayImage::new(columns, rows).save(&path).unwrap();
        let value = stats(folder.path(), &format!("{name}.png"));
        assert_eq!(value["width"], columns);
        for key in ["hurst", "fractal_dimension", "spectrum_slope", "crease"] {
            assert!(value[key].is_null(), "{name} {key}: {}", value[key]);
        }
        assert_eq!(value["histogram"][0], columns * rows);
        assert_eq!(value["rms_slope"], 0.0);
        let text = succeed(folder.path(), &format!("stats {name}.png"));
        assert!(text.contains("█"), "{text}");
    }
    // For a ridge, every measure is defined.
    let ridge = stats(
        folder.path(),
        "--generator midpoint-1d --iterations 10 --h 0.5",
    );
    assert_eq!(ridge["spectrum_slope_theory"], -2.0);
    for key in ["hurst", "spectrum_slope", "hurst_spectrum", "crease"] {
        assert!(ridge[key].is_f64(), "{key}");
    }
}

#[test]
fn lists_name_everything() {
    let folder = folder();
    let list = |what: &str| succeed(folder.path(), &format!("list {what}"));
    for (what, names) in [
        ("generators", Generator::NAMES),
        ("palettes", &["martz", "alpine"]),
        ("presets", &["martz-1997", "quick-start"]),
        ("formats", &["npy", "png", "r16", "r32", "obj"]),
    ] {
        let text = list(what);
        for name in names {
            let found = text
                .lines()
                .find(|line| line.split("  ").next() == Some(*name));
            let line = found.unwrap_or_else(|| panic!("no {name} in {text}"));
            assert!(line.len() > name.len() + 12, "{line}");
        }
    }
    list("modifiers");
}

#[test]
fn help_and_version_are_no_errors() {
    let folder = folder();
    let help = succeed(folder.path(), "generate --help");
    for word in [
        "--h <X>",
        "0 to 1",
        "--threads",
        "--set",
        Surface::param("seed").help.trim_end_matches('.'),
    ] {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&help).contains(word), "no `{word}` in {help}");
    }
    assert!(succeed(folder.path(), "--help").contains("Examples:"));
    for command in ["view", "render", "stats", "list"] {
        succeed(folder.path(), &format!("{command} --help"));
    }
    assert!(succeed(folder.path(), "--version").starts_with("landform "));
}

#[test]
fn ridge_without_erosion_is_reported_in_one_line() {
    let folder = folder();
    let notice =
        "warning: modifiers.0: a ridge has nothing to erode, so erosion leaves it as it is\n";
    let erosion = "--iterations 5 --set modifiers.0.kind=erosion";
    for (ridge, said) in [("", ""), (" --generator midpoint-1d", notice)] {
        for command in [
            format!("generate {erosion}{ridge} -o heights.npy"),
            format!("stats {erosion}{ridge}"),
        ] {
            let output = landform(folder.path(), &command);
            assert!(output.status.success(), "{command}");
            assert_eq!(String::from_utf8_lossy(&output.stderr), said, "{command}");
        }
        fs::remove_file(folder.path().join("heights.npy")).unwrap();
        let _ = fs::remove_file(folder.path().join("heights.npy.json"));
    }
    let drawn = format!("render {erosion} --type 1d --size 64x48 -o ridge.png");
    let output = landform(folder.path(), &drawn);
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), notice);
}

#[test]
fn scene_command_prints_only_non_default_lines() {
    let folder = folder();
    let changed = "scene terrace --seed 7 --palette desert --set water.enabled=true";
    let short = succeed(folder.path(), changed);
    assert!(short.contains("surface.seed = 7\n"), "{short}");
    let scene = Scene::parse(&short).unwrap();
    assert_eq!((scene.surface.seed, &*scene.view.palette), (7, "desert"));
    assert!(scene.water.enabled && scene.modifiers.len() == 1);
    // All of it is the same scene, and so is the picture that holds it.
    let all = succeed(folder.path(), &format!("{changed} --all"));
    assert_eq!(Scene::parse(&all).unwrap(), scene);
    assert!(all.lines().count() > 3 * short.lines().count());
    fs::write(folder.path().join("a.toml"), &short).unwrap();
    succeed(folder.path(), "render a.toml --size 64x36 -o a.png");
    assert_eq!(succeed(folder.path(), "scene a.png"), short);
    fail(folder.path(), "scene nowhere", 2, &["unknown scene"]);
}

#[test]
fn two_scenes_are_told_apart_key_by_key() {
    let folder = folder();
    fs::write(folder.path().join("a.toml"), "surface.seed = 3\n").unwrap();
    fs::write(
        folder.path().join("b.toml"),
        "surface.hurst = 0.5\ndetail.hurst = 0.25\n",
    )
    .unwrap();
    succeed(folder.path(), "render b.toml --size 64x36 -o b.png");
    assert_eq!(
        succeed(folder.path(), "diff a.toml b.png"),
        "detail.hurst: none → 0.25\nsurface.hurst: 0.7 → 0.5\nsurface.seed: 3 → 0\n"
    );
    assert_eq!(
        succeed(folder.path(), "diff b.png b.toml"),
        "no setting differs\n"
    );
    fail(folder.path(), "diff a.toml c.toml", 1, &["c.toml"]);
}
