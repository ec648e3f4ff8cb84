//! Overwrite guard: recognizes files that Landform wrote and nobody has changed since. The evidence is a
//! recipe in the file whose checksum matches, a matching sidecar, or, in files without a recipe, the
//! program name at the place where the format stores it. Other mentions of Landform in a file do not
//! count.

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

/// Bytes at the beginning and the end of a file that are searched for marks.
const PART: u64 = 1 << 18;

/// Checks for files without a recipe, one per kind of file.
const MARKS: &[fn(&mut File) -> Option<bool>] = &[texture, stl, mtl, gif, video];

/// True if a file may be replaced without asking: it does not exist, or Landform wrote it, so that it can
/// be made again from its scene.
#[must_use]
pub fn is_replaceable(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(there) => there.is_file() && is_own(path),
        Err(_) => true,
    }
}

/// As [`is_replaceable`], for a sidecar.
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
    // Next to a sidecar that no longer matches, the file may have been edited. A picture has no sidecar,
    // though, so it may have replaced a map.
    let has_sidecar = Sidecar::read_own(&sidecar_of(path)).is_some();
    let Ok(mut file) = File::open(path) else {
        return false;
    };
    match import::recipe_fits(path) {
        // The content was changed.
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

/// Check the PNG text chunk that names the program.
fn texture(file: &mut File) -> Option<bool> {
    Some(png_has(file, PROGRAM_CHUNK.as_bytes(), is_program))
}

/// True if a PNG has a text chunk before its pixels with this keyword and a `wanted` text.
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
        // Length, kind and checksum take four bytes each.
        place += 12 + length;
    }
}

/// Check the title of an STL file.
fn stl(file: &mut File) -> Option<bool> {
    Some(is_title(&head(file, TITLE as u64)?))
}

/// Check the first two lines of an MTL file.
fn mtl(file: &mut File) -> Option<bool> {
    Some(is_material(&head(file, PART)?))
}

/// Check the first comment of a GIF file.
fn gif(file: &mut File) -> Option<bool> {
    Some(gif_says(&head(file, PART)?))
}

/// Check the comment at the beginning or the end of a video.
fn video(file: &mut File) -> Option<bool> {
    let start = head(file, PART)?;
    let length = file.seek(SeekFrom::End(0)).ok()?;
    let end = part(file, SeekFrom::Start(length.saturating_sub(PART)), PART)?;
    Some(video_says(&start, &end))
}
