//! The clipboard of the real window.

use super::*;

#[test]
fn a_scene_goes_over_the_clipboard_and_back() {
    let (home, file) = home();
    let (_server, display) = x_server();
    let window = Window::open(&display, home.path(), Some(&file));
    window.wait_for_title(OPENED);
    window.key("ctrl+c");
    window.key("r");
    window.wait_for_title(CHANGED);
    window.key("ctrl+s");
    window.wait_for_title(OPENED);
    assert_ne!(seed_of(&window), 7);
    window.key("ctrl+v");
    // It is no longer that file.
    wait_for("another document", || {
        (window.title() != OPENED).then_some(())
    });
    assert_eq!(import::open(&window.save_picture()).unwrap(), plain(7));
    assert_ne!(seed_in(&file), 7);
    window.quit();
}
