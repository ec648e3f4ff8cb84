//! Overwrite guard: decides which existing files may be replaced.
//!
//! Landform replaces its own files, since they can be made again from their scenes, unless somebody has
//! changed them. It recognizes them by a matching sidecar, by a recipe with a matching checksum, or, in
//! files without a recipe, by its name and version at the place where the format stores them. Any other
//! file needs the user's permission, which holds for the file as it was then: it is checked again when
//! the new file is complete, which may be hours later.

use std::collections::BTreeMap;
use std::fs::{self, File, FileType};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::error::{ExportError, write_error};
use crate::files::formats::checksum::fnv;
use crate::files::formats::obj::{COMMENT, NEW_MATERIAL};
use crate::files::formats::png::{PICTURE_CHUNK, PROGRAM_CHUNK, SIGNATURE};
use crate::files::formats::program::is_program;
use crate::files::formats::sidecar::{Sidecar, in_folder_of, sidecar_of};
use crate::files::formats::stl::{TITLE, UNIT};
use crate::files::import;
use crate::util::language::mark;

/// Bytes at the beginning and the end of a file that are searched for marks.
const PART: u64 = 1 << 18;

/// Files that may be replaced, with the state for which this was granted.
static ALLOWED: Mutex<BTreeMap<PathBuf, State>> = Mutex::new(BTreeMap::new());

/// Identity, length and time of a file, which change with its content.
type State = (Identity, u64, Option<SystemTime>);

/// Identity of a file, independent of its name.
#[cfg(unix)]
pub type Identity = (u64, u64);
#[cfg(not(unix))]
pub type Identity = PathBuf;

/// Identity of an existing file.
#[cfg(unix)]
pub fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let found = path.metadata().ok()?;
    Some((found.dev(), found.ino()))
}

/// Identity of an existing file.
#[cfg(not(unix))]
pub fn identity(path: &Path) -> Option<Identity> {
    path.canonicalize().ok()
}

/// Allow the current file at a path to be replaced.
pub fn allow(path: &Path) {
    allowed().extend(state(path));
}

/// True if the file at a path may be replaced and has not changed since that was granted.
pub fn is_allowed(path: &Path) -> bool {
    state(path).is_some_and(|(path, state)| allowed().get(&path) == Some(&state))
}

fn state(path: &Path) -> Option<(PathBuf, State)> {
    let path = path.canonicalize().ok()?;
    let found = path.metadata().ok()?;
    let state = (identity(&path)?, found.len(), found.modified().ok());
    Some((path, state))
}

fn allowed() -> MutexGuard<'static, BTreeMap<PathBuf, State>> {
    ALLOWED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Check that a complete file may be renamed to this path.
///
/// # Errors
/// A file is there that may not be replaced.
pub fn check_place(place: &Path) -> Result<(), ExportError> {
    let is_free = match fs::symlink_metadata(place) {
        // Links that existed before the run are already resolved.
        Ok(found) if !found.is_file() => false,
        Ok(_) => is_allowed(place) || is_replaceable(place),
        Err(_) => true,
    };
    is_free.then_some(()).ok_or_else(|| ExportError::Foreign {
        path: place.to_owned(),
    })
}

/// True if there is no file at a path, or one that Landform wrote and nobody has changed since.
pub fn is_replaceable(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(found) => found.is_file() && is_own(path),
        Err(_) => true,
    }
}

/// As [`is_replaceable`], for a companion file of one of these files, such as a texture.
pub fn is_replaceable_companion(path: &Path, mains: impl IntoIterator<Item = PathBuf>) -> bool {
    is_listed(path, mains).unwrap_or_else(|| is_replaceable(path))
}

/// True if a sidecar of one of these files lists the companion file and it is unchanged; `None` if no
/// sidecar lists it or it does not exist.
pub fn is_listed(path: &Path, mains: impl IntoIterator<Item = PathBuf>) -> Option<bool> {
    let name = path.file_name()?.to_str()?;
    let found = fs::symlink_metadata(path).ok();
    found.filter(fs::Metadata::is_file)?;
    let sidecars: Vec<_> = mains.into_iter().flat_map(|main| sidecars(&main)).collect();
    let listed = sidecars.iter().flat_map(|sidecar| &sidecar.beside);
    let mut listed = listed.filter(|listed| listed.file == name).peekable();
    listed.peek()?;
    Some(listed.any(|listed| listed.fits(path)))
}

/// Sidecars from Landform that may describe a file: the one beside it, the complete one that a killed
/// run has not renamed yet, and that of its folder.
fn sidecars(file: &Path) -> impl Iterator<Item = Sidecar> + use<> {
    let sidecar = sidecar_of(file);
    let both = [temp_path(&sidecar), sidecar].into_iter();
    let both = both.filter_map(|path| Sidecar::read_own(&path));
    both.chain(in_folder_of(file))
}

/// Path of the temporary file of `target`. The name is a hash, since that of `target` may already have
/// the maximum length.
pub fn temp_path(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().as_encoded_bytes();
    target.with_file_name(format!(".landform-{:016x}.part", fnv(name)))
}

fn is_own(path: &Path) -> bool {
    if sidecars(path).any(|sidecar| sidecar.fits(path)) {
        return true;
    }
    let is_json = path.extension().is_some_and(|end| end == "json");
    if is_json && Sidecar::read_own(path).is_some() {
        return true;
    }
    // Next to a sidecar that does not match, the file may have been edited. A picture has no sidecar,
    // though, so it may have replaced a map.
    let has_sidecar = Sidecar::read_own(&sidecar_of(path)).is_some();
    let bytes = ends(path).unwrap_or_default();
    match import::recipe_fits(path) {
        // The content was changed.
        Some(false) => false,
        Some(true) => !has_sidecar || places(&bytes, PICTURE_CHUNK.as_bytes()).next().is_some(),
        None => !has_sidecar && is_marked(&bytes),
    }
}

/// First and last bytes of a file.
fn ends(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    (&mut file).take(PART).read_to_end(&mut bytes)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(PART).max(PART)))?;
    file.take(PART).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// True if a file, given by its ends, has program and version, and nothing else, at the place where a
/// format without a recipe stores them. Other mentions of Landform do not count.
fn is_marked(bytes: &[u8]) -> bool {
    /// Maximum length of program and version.
    const MOST: usize = 64;
    const NAME: &[u8] = b"landform ";
    places(bytes, NAME).any(|place| {
        let (before, text) = bytes.split_at(place);
        let version = text[NAME.len()..].iter();
        let version = version.take_while(|byte| byte.is_ascii_digit() || **byte == b'.');
        let (program, after) = text.split_at(NAME.len() + version.count());
        if program.len() > MOST || !is_program(program) {
            return false;
        }
        let length = program.len() as u8;
        let follows = |parts: [&[u8]; 3]| before.ends_with(&parts.concat());
        if bytes.starts_with(SIGNATURE) {
            // Text chunk of a PNG texture, before the pixels: length, kind, keyword.
            let keyword = [PROGRAM_CHUNK.as_bytes(), &[0]].concat();
            let length = length + keyword.len() as u8;
            follows([&[length], b"tEXt", &keyword]) && places(before, b"IDAT").next().is_none()
        } else if bytes.starts_with(b"GIF89a") {
            // Comment block.
            follows([&[0x21, 0xfe], &[length], b""]) && after.starts_with(&[0])
        } else if bytes.get(4..8) == Some(b"ftyp") {
            // Comment box of an MP4 with a data box: length, kind, type, locale.
            let data = b"data\0\0\0\x01\0\0\0\0";
            follows([b"\xa9cmt\0\0\0", &[length + 16], data])
        } else if bytes.starts_with(&[0x1a, 0x45, 0xdf, 0xa3]) {
            // Comment tag of a WebM.
            follows([b"COMMENT\x44\x87", &[0x80 | length], b""])
        } else if before.is_empty() {
            // Title of an STL.
            let title = bytes.get(..TITLE).unwrap_or_default().trim_ascii_end();
            after.starts_with(b" seed ") && title.ends_with(UNIT.as_bytes())
        } else {
            // First line of an MTL, before the name of the material.
            let after = after.strip_prefix(b"\r").unwrap_or(after);
            let next = after.strip_prefix(b"\n").unwrap_or_default();
            before == COMMENT.as_bytes() && next.starts_with(NEW_MATERIAL.as_bytes())
        }
    })
}

/// Places of a word in some bytes.
fn places(bytes: &[u8], word: &[u8]) -> impl Iterator<Item = usize> {
    let windows = bytes.windows(word.len()).enumerate();
    windows.filter_map(move |(place, window)| (window == word).then_some(place))
}

/// Resolve the file to write: a link is kept, and the file that it points to is replaced.
///
/// # Errors
/// Something other than a file is there, or a file that is read-only.
pub fn place_of(path: &Path) -> Result<PathBuf, ExportError> {
    if !path.is_symlink() {
        return check_kind(path).map(|()| path.to_owned());
    }
    if leads_to_a_device(path) {
        return Err(refused(path, mark("a device")));
    }
    let real = fs::canonicalize(path);
    let real = real.map_err(|_| refused(path, "a link that leads nowhere"))?;
    check_kind(path).map(|()| real)
}

/// Check the path of a companion file. Links are refused, since they lead elsewhere.
///
/// # Errors
/// As [`place_of`], or a link is there.
pub fn companion_place(path: &Path) -> Result<PathBuf, ExportError> {
    if path.is_symlink() {
        return Err(refused(path, "a link"));
    }
    check_kind(path).map(|()| path.to_owned())
}

/// Refuse an existing object that is not a replaceable file.
fn check_kind(path: &Path) -> Result<(), ExportError> {
    let failed = |words| Err(write_error(path)(io::Error::other(words)));
    if path.file_name().is_none() {
        return failed("no file name");
    }
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(refused(path, kind(found.file_type()))),
        Ok(found) if found.permissions().readonly() => failed("the file is read-only"),
        _ => Ok(()),
    }
}

fn kind(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() || kind.is_socket() {
            return mark("a pipe");
        }
    }
    if kind.is_dir() {
        mark("a folder")
    } else {
        mark("a device")
    }
}

/// True if a link leads through the system's names for open files, such as `/dev/stdout`. They may look
/// like a regular file, but replacing it would not reach the process that has it open.
fn leads_to_a_device(link: &Path) -> bool {
    /// Maximum length of a chain of links, above that of any system.
    const MOST: usize = 64;
    let mut link = link.to_owned();
    for _ in 0..MOST {
        let folder = link.parent().unwrap_or(Path::new("")).join(".");
        let folder = fs::canonicalize(folder).unwrap_or_default();
        if folder == Path::new("/dev") || folder.starts_with("/proc") {
            return true;
        }
        match fs::read_link(&link) {
            Ok(next) => link = folder.join(next),
            Err(_) => return false,
        }
    }
    false
}

fn refused(path: &Path, what: &'static str) -> ExportError {
    ExportError::Output {
        what,
        path: path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::formats::program::PROGRAM;
    use crate::files::formats::stl::title;
    use crate::scene::Scene;

    #[test]
    fn our_materials_are_known_and_others_are_not() {
        assert!(is_marked(b"# landform 0.1.0\nnewmtl ground\nKa 1 1 1\n"));
        assert!(is_marked(b"# landform 0.1.0\r\nnewmtl ground\r\n"));
        assert!(!is_marked(b"# made with landform 0.1.0\nnewmtl ground\n"));
        assert!(!is_marked(b"# landform 0.1.0\n"));
    }

    #[test]
    fn our_titles_are_known_and_others_are_not() {
        let title = title(&Scene::default());
        assert!(is_marked(&title));
        let mut other = title;
        other[..8].copy_from_slice(b"Landform");
        assert!(!is_marked(&other));
        assert!(!is_marked(&[b' '; TITLE]));
        assert!(!is_marked(&title[..40]));
    }

    #[test]
    fn program_counts_only_in_place_within_a_film() {
        let length = PROGRAM.len() as u8;
        let comment = [&[0x21, 0xfe, length], PROGRAM.as_bytes(), &[0]].concat();
        let gif = |rest: &[u8]| [b"GIF89a\x01\0\x01\0\0\0\0", rest].concat();
        assert!(is_marked(&gif(&comment)));
        assert!(!is_marked(&gif(&comment[2..])));
        assert!(!is_marked(&comment));
        assert!(!is_marked(&[b"archive ", &*gif(&comment)].concat()));
    }
}
