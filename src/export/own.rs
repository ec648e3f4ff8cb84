//! Whether a file that is to be replaced is one of ours: by a recipe in it that fits what it holds,
//! by a sidecar that fits it, or, of files that hold no recipe, by the exact place where its format
//! says which program wrote it. A file that merely speaks of us is not, nor one that somebody has
//! changed since.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde_json::Value;

use super::PICTURE_CHUNK;
use crate::import::{self, sidecar_of};

/// Marks lie within so many bytes of a file's beginning or end.
const PART: u64 = 1 << 18;
/// JSON of more bytes is not ours.
const MOST_JSON: u64 = 16 << 20;

/// What tells that Landform wrote a file that holds no recipe, a kind each.
const MARKS: &[fn(&mut File) -> Option<bool>] = &[texture, stl, mtl];

/// Whether a file may be replaced without asking: it is not there, or Landform wrote it, so that
/// it can be made again from the scene that it carries.
#[must_use]
pub fn is_replaceable(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(there) => there.is_file() && (there.len() == 0 || is_own(path)),
        Err(_) => true,
    }
}

/// As [`is_replaceable`], of a sidecar.
#[must_use]
pub fn is_replaceable_sidecar(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(there) => there.is_file() && (there.len() == 0 || own_sidecar(path).is_some()),
        Err(_) => true,
    }
}

fn is_own(path: &Path) -> bool {
    if import::has_sidecar(path) {
        return true;
    }
    // Beside a sidecar that no longer fits a file may have come through somebody's editing; but a
    // picture, which has none, may have taken the place of a map.
    let has_sidecar = own_sidecar(&sidecar_of(path)).is_some();
    let Ok(mut file) = File::open(path) else {
        return false;
    };
    match import::recipe_fits(path) {
        // Somebody has changed it.
        Some(false) => false,
        Some(true) => !has_sidecar || png_has(&mut file, PICTURE_CHUNK.as_bytes(), |_| true),
        None if has_sidecar => false,
        None => { MARKS }
            .iter()
            .any(|is_marked| is_marked(&mut file) == Some(true)),
    }
}

/// A sidecar that Landform wrote, whatever has become of its file.
pub fn own_sidecar(path: &Path) -> Option<Value> {
    let mut text = Vec::new();
    let file = File::open(path).ok()?;
    file.take(MOST_JSON).read_to_end(&mut text).ok()?;
    let value: Value = serde_json::from_slice(&text).ok()?;
    let is_ours = is_program(value["program"].as_str()?.as_bytes())
        && value["file"].is_string()
        && value["bytes"].is_u64()
        && value["checksum"].is_string();
    is_ours.then_some(value)
}

/// Whether a text is `landform` and a version, and nothing else.
fn is_program(text: &[u8]) -> bool {
    let Some(version) = text.strip_prefix(b"landform ") else {
        return false;
    };
    let parts: Vec<_> = version.split(|byte| *byte == b'.').collect();
    let is_number = |part: &&[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    parts.len() == 3 && parts.iter().all(is_number)
}

fn head(file: &mut File, most: u64) -> Option<Vec<u8>> {
    part(file, SeekFrom::Start(0), most)
}

fn part(file: &mut File, from: SeekFrom, most: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(from).ok()?;
    file.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// The text chunk for the program.
fn texture(file: &mut File) -> Option<bool> {
    Some(png_has(file, b"Software", is_program))
}

/// Whether a text chunk before a PNG's pixels has that keyword and a text that is `wanted`.
fn png_has(file: &mut File, keyword: &[u8], wanted: impl Fn(&[u8]) -> bool) -> bool {
    if head(file, 8).as_deref() != Some(b"\x89PNG\r\n\x1a\n") {
        return false;
    }
    let mut place = 8;
    loop {
        let Some(start) = part(file, SeekFrom::Start(place), 8 + 128) else {
            return false;
        };
        let Some((length, rest)) = start.split_first_chunk::<4>() else {
            return false;
        };
        let length = u64::from(u32::from_be_bytes(*length));
        let Some((kind, data)) = rest.split_first_chunk::<4>() else {
            return false;
        };
        match kind {
            b"tEXt" | b"zTXt" | b"iTXt" => {
                let data = &data[..data
                    .len()
                    .min(usize::try_from(length).unwrap_or(usize::MAX))];
                let mut parts = data.splitn(2, |byte| *byte == 0);
                let (found, text) = (parts.next(), parts.next());
                if found == Some(keyword) && wanted(text.unwrap_or_default()) {
                    return true;
                }
            }
            b"IDAT" | b"IEND" => return false,
            _ => {}
        }
        // Length, kind and checksum are of four bytes each.
        place += 12 + length;
    }
}

/// The words before the triangles: program, seed, scene and unit.
fn stl(file: &mut File) -> Option<bool> {
    let head = head(file, 80)?;
    let title = std::str::from_utf8(&head).ok()?.trim_end();
    let (program, rest) = title.split_once(" seed ")?;
    let (seed, rest) = rest.split_once(" scene ")?;
    let sum = rest.strip_suffix(", millimetres")?;
    let is_sum = sum.len() == 16 && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
    Some(is_program(program.as_bytes()) && seed.parse::<u64>().is_ok() && is_sum)
}

/// The first two lines.
fn mtl(file: &mut File) -> Option<bool> {
    let head = head(file, PART)?;
    let mut lines = lines(&head);
    let program = lines.next()?.strip_prefix(b"# ")?;
    Some(is_program(program) && lines.next()?.starts_with(b"newmtl "))
}
