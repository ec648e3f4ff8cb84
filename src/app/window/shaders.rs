//! Shaders are taken over as soon as they are saved: in debug builds, for those who write them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{fs, io, thread};

/// Time between two looks at the files.
const STEP: Duration = Duration::from_millis(250);

/// Texts of shaders: pairs of a file's path below `shaders/` and what is in it.
pub type Texts = Vec<(String, String)>;

/// Hands the texts that are newer than this program to `reload`, from a thread of its own, as long
/// as that returns true. In release builds it does nothing.
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

/// A folder, and how new its files were when they were last read.
struct Watch {
    folder: PathBuf,
    since: SystemTime,
    seen: BTreeMap<PathBuf, SystemTime>,
}

impl Watch {
    /// A watch that reads what is newer than `since`.
    fn new(folder: PathBuf, since: SystemTime) -> Self {
        let seen = BTreeMap::new();
        Self {
            folder,
            since,
            seen,
        }
    }

    /// The texts that are new since the last look. What cannot be read is looked at again later.
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
    fn each_text_is_read_once_after_it_is_saved() {
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
