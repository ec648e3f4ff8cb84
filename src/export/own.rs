//! Whether a file that is to be replaced is one of ours: by a recipe in it that fits what it holds,
//! by a sidecar that fits it, or, of files that hold no recipe, by the exact place where its format
//! says which program wrote it. A file that merely speaks of us is not, nor one that somebody has
//! changed since.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::formats::film::{gif_says, video_says};
use crate::formats::obj::is_material;
use crate::formats::png::{PICTURE_CHUNK, PROGRAM_CHUNK, SIGNATURE, TEXT_CHUNKS};
use crate::formats::program::is_program;
use crate::formats::sidecar::{self, Sidecar, sidecar_of};
use crate::formats::stl::{TITLE, is_title};
use crate::import;

/// Marks lie within so many bytes of a file's beginning or end.
const PART: u64 = 1 << 18;

/// What tells that Landform wrote a file that holds no recipe, a kind each.
const MARKS: &[fn(&mut File) -> Option<bool>] = &[texture, stl, mtl, gif, video];

/// Whether a file may be replaced without asking: it is not there, or Landform wrote it, so that
/// it can be made again from the scene that it carries.
#[must_use]
pub fn is_replaceable(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(there) => there.is_file() && is_own(path),
        Err(_) => true,
    }
}

/// As [`is_replaceable`], of a sidecar.
#[must_use]
pub fn is_replaceable_sidecar(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(there) => there.is_file() && Sidecar::read_own(path).is_some(),
        Err(_) => true,
    }
}

fn is_own(path: &Path) -> bool {
    if sidecar::fitting(path).is_some() {
        return true;
    }
    // Beside a sidecar that no longer fits a file may have come through somebody's editing; but a
    // picture, which has none, may have taken the place of a map.
    let has_sidecar = Sidecar::read_own(&sidecar_of(path)).is_some();
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

fn head(file: &mut File, most: u64) -> Option<Vec<u8>> {
    part(file, SeekFrom::Start(0), most)
}

fn part(file: &mut File, from: SeekFrom, most: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(from).ok()?;
    file.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// The text chunk for the program.
fn texture(file: &mut File) -> Option<bool> {
    Some(png_has(file, PROGRAM_CHUNK.as_bytes(), is_program))
}

/// Whether a text chunk before a PNG's pixels has that keyword and a text that is `wanted`.
fn png_has(file: &mut File, keyword: &[u8], wanted: impl Fn(&[u8]) -> bool) -> bool {
    if head(file, 8).as_deref() != Some(SIGNATURE) {
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
            kind if TEXT_CHUNKS.contains(&kind) => {
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

/// The words before the triangles.
fn stl(file: &mut File) -> Option<bool> {
    Some(is_title(&head(file, TITLE as u64)?))
}

/// The first two lines.
fn mtl(file: &mut File) -> Option<bool> {
    Some(is_material(&head(file, PART)?))
}

/// The first comment.
fn gif(file: &mut File) -> Option<bool> {
    Some(gif_says(&head(file, PART)?))
}

/// The comment at the beginning or at the end.
fn video(file: &mut File) -> Option<bool> {
    let start = head(file, PART)?;
    let length = file.seek(SeekFrom::End(0)).ok()?;
    let end = part(file, SeekFrom::Start(length.saturating_sub(PART)), PART)?;
    Some(video_says(&start, &end))
}
