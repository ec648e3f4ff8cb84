//! Hot reload of shaders while they are being edited, in debug builds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{fs, io, thread};

/// Polling interval.
const STEP: Duration = Duration::from_millis(250);

/// Shader sources: pairs of a file's path below `shaders/` and its content.
pub type Texts = Vec<(String, String)>;

/// Poll the shader files in a thread and pass sources newer than this program to `reload` until it
/// returns false. Does nothing in release builds.
pub fn watch(reload: impl Fn(Texts) -> bool + Send + 'static) {
    if !cfg!(debug_assertions) {
        return;
    }
    let built = std::env::current_exe().and_then(|program| modified(&program));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    if !folder.is_dir() {
        return;
    }
    let mut watch = Watch::new(folder, built.unwrap_or_else(|_| SystemTime::now()));
    let look = move || {
        loop {
            let changed = watch.changed();
            if !changed.is_empty() && !reload(changed) {
                return;
            }
            thread::sleep(STEP);
        }
    };
    if let Err(error) = thread::Builder::new()
        .name("shaders".to_owned())
        .spawn(look)
    {
        log::warn!("shaders are not reloaded: {error}");
    }
}

/// Watched folder, with the modification times of the files read from it.
struct Watch {
    folder: PathBuf,
    since: SystemTime,
    seen: BTreeMap<PathBuf, SystemTime>,
}

impl Watch {
    /// Watch that reports files newer than `since`.
    fn new(folder: PathBuf, since: SystemTime) -> Self {
        let seen = BTreeMap::new();
        Self {
            folder,
            since,
            seen,
        }
    }

    /// Sources changed since the last poll. Unreadable files are tried again at the next poll.
    fn changed(&mut self) -> Texts {
        let mut texts = Vec::new();
        for path in files(&self.folder).unwrap_or_default() {
            let before = *self.seen.get(&path).unwrap_or(&self.since);
            let (Ok(now), Ok(name)) = (modified(&path), path.strip_prefix(&self.folder)) else {
                continue;
            };
            let name = name.to_string_lossy().replace('\\', "/");
            if now != before
                && now > self.since
                && let Ok(text) = fs::read_to_string(&path)
            {
                texts.push((name, text));
                self.seen.insert(path, now);
            }
        }
        texts
    }
}

fn modified(path: &Path) -> io::Result<SystemTime> {
    fs::metadata(path)?.modified()
}

/// All files below a folder.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            all.extend(files(&path)?);
        } else {
            all.push(path);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_saved_text_is_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let built = SystemTime::now();
        let save = |name: &str, text: &str, seconds: u64| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            let file = fs::File::options().write(true).open(path).unwrap();
            let at = built + Duration::from_secs(seconds);
            file.set_modified(at).unwrap();
        };
        save("old.frag", "old", 0);
        save("common/new.glsl", "new", 5);
        let mut watch = Watch::new(folder.path().to_owned(), built);
        let text = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(watch.changed(), [text("common/new.glsl", "new")]);
        assert_eq!(watch.changed(), []);
        save("common/new.glsl", "newer", 6);
        save("old.frag", "saved", 3);
        let mut changed = watch.changed();
        changed.sort();
        let expected = [text("common/new.glsl", "newer"), text("old.frag", "saved")];
        assert_eq!(changed, expected);
        assert_eq!(watch.changed(), []);
    }
}
