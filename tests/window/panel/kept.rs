//! What is kept between two starts.

use super::*;

#[test]
fn settings_survive_and_broken_files_are_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(settings::load(folder.path()), (Persisted::default(), None));
    let mut persisted = Persisted {
        panel: false,
        window: [900, 500],
        ..Persisted::default()
    };
    persisted.scene.surface.seed = u64::MAX;
    persisted.scene.view.pass = Some(1.5);
    persisted.seeds.watch(u64::MAX);
    settings::save(folder.path(), &persisted).unwrap();
    assert_eq!(settings::load(folder.path()), (persisted.clone(), None));

    for broken in [
        "panel = maybe",
        "[scene.surface]\nhurst = 7.0",
        "\0\u{1}",
        "[scene]\nx = 1",
    ] {
        for name in ["settings.toml", "window.toml"] {
            settings::save(folder.path(), &persisted).unwrap();
            let file = folder.path().join(name);
            fs::write(&file, broken).unwrap();
            let (loaded, complaint) = settings::load(folder.path());
            // What is in the other file stays.
            let expected = match name {
                "window.toml" => Persisted {
                    panel: persisted.panel,
                    window: persisted.window,
                    ..Persisted::default()
                },
                _ => Persisted {
                    seeds: persisted.seeds.clone(),
                    scene: persisted.scene.clone(),
                    ..Persisted::default()
                },
            };
            assert_eq!(loaded, expected);
            let aside = format!("{name}.broken");
            assert!(complaint.unwrap().contains(&aside));
            assert!(!file.exists());
            let aside = fs::read_to_string(folder.path().join(aside)).unwrap();
            assert_eq!(aside, broken);
        }
    }
}
