//! Files that are opened and saved.

use super::*;

#[test]
fn saving_clears_mark_and_closing_asks_about_changes() {
    let (home, file) = home();
    let (_server, display) = x_server();
    let mut window = Window::open(&display, home.path(), Some(&file));
    window.wait_for_title(OPENED);
    window.key("r");
    window.wait_for_title(CHANGED);
    window.key("ctrl+s");
    window.wait_for_title(OPENED);
    let saved = seed_in(&file);
    assert_ne!(saved, 7, "the file that is open is written");
    window.key("r");
    window.wait_for_title(CHANGED);
    // By the keys, by the desktop, and each time thought better of.
    window.key("ctrl+q");
    window.key("Escape");
    window.xdotool(&["windowquit", &window.id]);
    window.key("Escape");
    assert!(window.runs(), "it asks");
    assert_eq!(window.title(), CHANGED);
    // Discard.
    window.quit();
    assert_eq!(seed_in(&file), saved);

    let window = Window::open(&display, home.path(), None);
    window.wait_for_title(OPENED);
    assert_eq!(
        seed_of(&window),
        saved,
        "what was let go does not come back"
    );
    window.key("r");
    window.wait_for_title(CHANGED);
    window.key("ctrl+q");
    // Save, which has the keyboard.
    window.xdotool(&["key", "Return"]);
    window.ended();
    assert_ne!(seed_in(&file), saved);
}

#[test]
fn picture_goes_home_without_a_pictures_folder() {
    let (home, file) = home();
    let (_server, display) = x_server();
    let (window, told) = telling(&display, home.path(), Some(&file), |command| {
        command
            .env_remove(settings::PICTURES_VARIABLE)
            .env_remove("XDG_CONFIG_HOME")
    });
    window.wait_for_title(OPENED);
    window.key("F12");
    let picture = home.path().join("landform-diamond-square-seed-7-001.png");
    told.wait_for(&format!("Saved {}", picture.display()));
    assert_eq!(seed_in(&picture), 7);
    window.quit();
}

/// Opens the recent file of that index, as the menu has it.
fn open_recent(window: &Window, persisted: &Persisted, index: usize) {
    let file = &persisted.recent.files()[index];
    let name = file.file_name().unwrap().to_str().unwrap();
    let size = vec2(SIZE.0 as f32, SIZE.1 as f32);
    let mut desk = crate::desk::desk(size, persisted.clone(), |_| ());
    // It is ready once it has drawn.
    window.save_picture();
    for label in ["File", "Open recent", name] {
        // A menu within a menu has an arrow behind its name.
        let named = desk.query_by_role_and_label(Role::Button, label);
        let node = named.unwrap_or_else(|| desk.get_by_label_contains(label));
        let at = node.rect().center();
        node.click();
        desk.run_steps(20);
        let (x, y) = (at.x.to_string(), at.y.to_string());
        window.xdotool(&["mousemove", "--window", &window.id, &x, &y]);
        window.xdotool(&["click", "1"]);
    }
}

#[test]
fn externally_changed_file_is_not_overwritten_without_asking() {
    let (home, file) = home();
    let (_server, display) = x_server();
    let mut window = Window::open(&display, home.path(), Some(&file));
    window.wait_for_title(OPENED);
    let theirs = format!("# their words\n{}", plain(99).to_toml());
    let change = |window: &Window| {
        window.key("r");
        window.wait_for_title(CHANGED);
        fs::write(&file, &theirs).unwrap();
    };
    let is_theirs = || fs::read_to_string(&file).unwrap() == theirs;
    let ask = |window: &Window| {
        window.key("ctrl+s");
    };
    change(&window);
    ask(&window);
    window.xdotool(&["key", "Escape"]);
    assert_eq!(window.title(), CHANGED);
    assert!(is_theirs(), "thought better of it");
    // Nor does closing, which saves first.
    window.key("ctrl+q");
    window.xdotool(&["key", "Return"]);
    window.xdotool(&["key", "Escape"]);
    assert!(window.runs() && is_theirs());
    // From *Save as* to *Overwrite*.
    ask(&window);
    window.xdotool(&["key", "Tab"]);
    window.xdotool(&["key", "Return"]);
    window.wait_for_title(OPENED);
    let mine = seed_in(&file);
    assert_ne!(mine, 99);
    // What was saved here is known, and a file that is gone is written again.
    window.key("r");
    window.wait_for_title(CHANGED);
    window.key("ctrl+s");
    window.wait_for_title(OPENED);
    window.key("r");
    window.wait_for_title(CHANGED);
    fs::remove_file(&file).unwrap();
    window.key("ctrl+s");
    window.wait_for_title(OPENED);
    assert!(file.exists());
    // It is known at the next start, too; *Save as* completes the name.
    change(&window);
    let seed = seed_of(&window);
    window.terminate();
    let window = Window::open(&display, home.path(), None);
    window.wait_for_title(CHANGED);
    assert_eq!(seed_of(&window), seed);
    ask(&window);
    window.xdotool(&["key", "Return"]);
    window.xdotool(&["key", "ctrl+a"]);
    window.xdotool(&["type", "mine.v2"]);
    window.xdotool(&["key", "Return"]);
    window.wait_for_title("mine.v2.toml – Landform");
    assert_eq!(seed_in(&home.path().join("mine.v2.toml")), seed);
    assert!(is_theirs());
    window.quit();
}

#[test]
fn missing_recent_file_is_reported_and_forgotten() {
    let (home, file) = home();
    let (_server, display) = x_server();
    let mut persisted = Persisted::default();
    persisted.recent.note(&file);
    persisted.recent.note(&home.path().join("gone.toml"));
    let config = home.path().join("config");
    settings::save(&config, &persisted).unwrap();
    let (window, told) = telling(&display, home.path(), None, |command| command);
    window.wait_for_title("Unnamed – Landform");
    open_recent(&window, &persisted, 0);
    told.wait_for("gone.toml");
    told.wait_for("the file no longer exists and was removed from the recent files");
    persisted.recent.forget(&home.path().join("gone.toml"));
    open_recent(&window, &persisted, 0);
    window.wait_for_title(OPENED);
    window.quit();
    let kept = settings::load(&config).0;
    assert_eq!(kept.recent.files(), [file]);
}

/// Files whose recipes say too much or too little, with a part of what is said of each.
fn files_to_be_spoken_of(folder: &Path) -> Vec<(PathBuf, String)> {
    let options = export::Options::default;
    let write = |name: &str, scene: &Scene| {
        let path = folder.join(name);
        let inputs = import::inputs(scene).unwrap();
        export::heightmap(&path, scene, &inputs, options(), &Job::new()).unwrap();
        path
    };
    let edit = |path: &Path, from: &str, to: &str| {
        let text = fs::read_to_string(path).unwrap();
        assert!(text.contains(from));
        fs::write(path, text.replacen(from, to, 1)).unwrap();
    };
    let edited = write("edited.asc", &plain(7));
    let text = fs::read_to_string(&edited).unwrap();
    let is_row = |line: &&str| line.starts_with(|c: char| c.is_numeric() || c == '-');
    let heights = text.lines().find(is_row).unwrap();
    let (others, _) = heights.rsplit_once(' ').unwrap();
    edit(&edited, heights, &format!("{others} 0.25"));
    let unread = write("unread.asc", &plain(7));
    edit(&unread, "iterations", "jterations");
    let later = folder.join("later.toml");
    let next = VERSION + 1;
    let text = format!("version = {next}\n\"mo\\u001b]0;od\" = 1\n");
    fs::write(&later, text).unwrap();
    let image = folder.join("image.png");
    image::GrayImage::from_fn(9, 9, |x, y| image::Luma([(x * 9 + y) as u8]))
        .save(&image)
        .unwrap();
    let mut of_image = plain(7);
    of_image.surface.generator = Generator::Image;
    of_image.surface.input = Some(image.clone());
    let lost = write("lost.asc", &of_image);
    fs::remove_file(&image).unwrap();
    vec![
        (edited, "was changed".to_owned()),
        (unread, "recipe cannot be read".to_owned()),
        (later, format!("the scene has version {next}")),
        (folder.join("later.toml"), "mo\\u{1b}]0;od".to_owned()),
        (lost, "image.png".to_owned()),
    ]
}

#[test]
fn notes_about_a_file_appear_in_its_window() {
    let (home, _) = home();
    let (_server, display) = x_server();
    let files = files_to_be_spoken_of(home.path());
    let name = |file: &Path| file.file_name().unwrap().to_str().unwrap().to_owned();
    let mut persisted = Persisted::default();
    for (file, words) in &files {
        let (window, told) = telling(&display, home.path(), Some(file), |command| command);
        window.wait_for_title(&format!("{} – Landform", name(file)));
        told.wait_for(words);
        assert!(!told.text().contains('\u{1b}'), "{}", told.text());
        window.terminate();
        persisted.recent.note(file);
    }
    // And by the menu.
    fs::remove_dir_all(home.path().join("config")).unwrap();
    settings::save(&home.path().join("config"), &persisted).unwrap();
    let (window, told) = telling(&display, home.path(), None, |command| command);
    window.wait_for_title("Unnamed – Landform");
    for (file, words) in &files {
        let recent = persisted.recent.files();
        let index = recent.iter().position(|other| other == file).unwrap();
        let before = told.text().len();
        open_recent(&window, &persisted, index);
        window.wait_for_title(&format!("{} – Landform", name(file)));
        // Nothing was opened twice in a row but the last file of two lines of the table.
        wait_for(words, || {
            told.text()[before..].contains(words).then_some(())
        });
        persisted.recent.note(file);
    }
    window.terminate();
}
