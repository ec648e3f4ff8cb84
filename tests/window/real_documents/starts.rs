//! What a start finds again.

use super::*;
use landform::app::state::PanelView;

#[test]
fn a_crash_and_a_shutdown_lose_nothing() {
    let (home, file) = home();
    let (_server, display) = x_server();
    let window = Window::open(&display, home.path(), Some(&file));
    window.wait_for_title(OPENED);
    window.key("r");
    window.wait_for_title(CHANGED);
    let seed = seed_of(&window);
    let kept = home.path().join("config/window.toml");
    wait_for("the scene on the disk", || {
        let text = fs::read_to_string(&kept).ok()?;
        text.contains(&format!("seed = {seed}\n")).then_some(())
    });
    window.kill();

    let window = Window::open(&display, home.path(), None);
    window.wait_for_title(CHANGED);
    assert_eq!(seed_of(&window), seed);
    window.key("r");
    let seed = seed_of(&window);
    window.terminate();

    // Another file leaves what is not saved alone.
    let other = home.path().join("other.toml");
    fs::write(&other, plain(9).to_toml()).unwrap();
    let window = Window::open(&display, home.path(), Some(&other));
    window.wait_for_title("other.toml – Landform");
    window.quit();

    let window = Window::open(&display, home.path(), None);
    window.wait_for_title(CHANGED);
    assert_eq!(seed_of(&window), seed);
    assert_eq!(seed_in(&file), 7, "only the user writes the file");
    window.terminate();
}

#[test]
fn losing_the_display_is_a_one_line_error() {
    let (home, file) = home();
    let (server, display) = x_server();
    let said = home.path().join("said.txt");
    let window = Window::open_with(&display, home.path(), Some(&file), |command| {
        command.stderr(fs::File::create(&said).unwrap())
    });
    window.wait_for_title(OPENED);
    drop(server);
    window.failed();
    let said = fs::read_to_string(&said).unwrap();
    let mut lines = said.lines();
    assert!(lines.all(|line| line.starts_with("error: ")), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn two_windows_keep_a_scene_each() {
    let (home, file) = home();
    let ((_one, display), (_two, other)) = (x_server(), x_server());
    let first = Window::open(&display, home.path(), Some(&file));
    first.wait_for_title(OPENED);
    let second = Window::open(&other, home.path(), None);
    second.wait_for_title("Unnamed – Landform");
    first.key("r");
    second.key("r");
    second.key("F4");
    second.key("F3");
    second.wait_for_title("• Unnamed – Landform");
    let seeds = [seed_of(&first), seed_of(&second)];
    second.terminate();
    first.terminate();
    let text = fs::read_to_string(home.path().join("config/settings.toml")).unwrap();
    assert!(text.contains("statistics = true"), "{text}");
    assert!(text.contains("panel = false"), "{text}");
    let first = Window::open(&display, home.path(), None);
    let second = Window::open(&other, home.path(), None);
    assert_eq!([seed_of(&first), seed_of(&second)], seeds);
    first.terminate();
    second.terminate();
}

/// Place and size of the window, in pixels.
fn geometry(window: &Window) -> String {
    let text = window.xdotool(&["getwindowgeometry", "--shell", &window.id]);
    let lines = text.lines().filter(|line| {
        let name = line.split('=').next().unwrap_or_default();
        ["X", "Y", "WIDTH", "HEIGHT"].contains(&name)
    });
    lines.collect::<Vec<_>>().join(" ")
}

/// The numbers of [`geometry`].
fn sides(window: &Window) -> [i32; 4] {
    let text = geometry(window);
    let number = |part: &str| part.split('=').nth(1)?.parse().ok();
    let numbers: Vec<i32> = text.split(' ').filter_map(number).collect();
    numbers.try_into().expect("x, y, width, height")
}

#[test]
fn window_reopens_with_its_last_place_and_size() {
    let (home, _) = home();
    let (_server, display) = x_server();
    for scale in ["1", "2"] {
        let start = || {
            Window::start(&display, home.path(), |command| {
                command.env("WINIT_X11_SCALE_FACTOR", scale)
            })
        };
        let first = start();
        // Nothing of it is off the screen, which at scale 2 has no room for the size kept.
        wait_for("a window on the screen", || {
            let [x, y, width, height] = sides(&first);
            let fits = x >= 0 && y >= 0 && x + width <= 1280 && y + height <= 720;
            fits.then_some(())
        });
        let (size, place) = ("600 x 400", "X=90 Y=70 WIDTH=600 HEIGHT=400");
        let sides: Vec<_> = size.split(" x ").collect();
        first.xdotool(&["windowsize", &first.id, sides[0], sides[1]]);
        first.xdotool(&["windowmove", &first.id, "90", "70"]);
        wait_for("the place", || (geometry(&first) == place).then_some(()));
        first.terminate();
        let second = start();
        wait_for("the same place", || {
            (geometry(&second) == place).then_some(())
        });
        second.terminate();
    }
}

#[test]
fn the_first_window_has_its_size_in_points() {
    let (home, file) = home();
    let (_server, display) = x_server_of((3000, 2000));
    let window = Window::start(&display, home.path(), |command| {
        let command = command.env("WINIT_X11_SCALE_FACTOR", "2");
        command.arg("view").arg(&file)
    });
    wait_for("1280 x 720 points", || {
        let place = geometry(&window);
        place.ends_with("WIDTH=2560 HEIGHT=1440").then_some(())
    });
    window.terminate();
}

#[test]
fn scene_that_crashes_startup_is_kept_and_named() {
    let (home, _) = home();
    let (_server, display) = x_server();
    let config = home.path().join("config");
    // Many minutes of work.
    let mut slow = Scene::default();
    slow.surface.iterations = 12;
    slow.surface.generator = Generator::Formula;
    slow.surface.formula.expression = "sin(x*z)^2 + ".repeat(20) + "1";
    slow.modifiers = vec![
        Modifier {
            kind: ModifierKind::Blur,
            ..Modifier::default()
        };
        40
    ];
    slow.validate().unwrap();
    let persisted = Persisted {
        document: Document::unnamed(slow.clone()),
        scene: slow.clone(),
        panel_view: PanelView::EVERYTHING,
        ..Persisted::default()
    };
    settings::save(&config, &persisted).unwrap();
    let window = Window::open(&display, home.path(), None);
    let mark = config.join("window.starting");
    assert!(
        mark.exists(),
        "a start leaves a mark until its scene is drawn"
    );
    window.kill();
    assert!(mark.exists());

    let (window, told) = telling(&display, home.path(), None, |command| command);
    let kept = config.join("window.failed.toml");
    told.wait_for("the last session ended before its scene was drawn");
    told.wait_for(&kept.display().to_string());
    assert_eq!(import::open(&kept).unwrap(), slow);
    assert_eq!(
        import::open(&window.save_picture()).unwrap(),
        *import::start()
    );
    wait_for("a scene that was drawn", || (!mark.exists()).then_some(()));
    window.quit();
}
