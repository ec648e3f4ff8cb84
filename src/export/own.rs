//! Whether a file that is to be replaced is one of ours: by the exact place where its format says
//! which program wrote it, or by a sidecar that fits. A file that merely speaks of us is not.

use std::fs::{self, File};
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde_json::Value;
use tiff::decoder::Decoder;
use tiff::tags::Tag;

use super::PICTURE_CHUNK;
use crate::import::{self, SCENE_CHUNK, sidecar_of};

/// Marks lie within so many bytes of a file's beginning or end.
const PART: u64 = 1 << 18;
/// JSON of more bytes is not ours.
const MOST_JSON: u64 = 16 << 20;

/// What tells that Landform wrote a file, a format each.
const MARKS: &[fn(&mut File) -> Option<bool>] = &[png, tiff, exr, glb, stl, ply, obj, mtl, asc];

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
    let Ok(mut file) = File::open(path) else {
        return false;
    };
    // Beside a sidecar that no longer fits a mark may have come through somebody's editing; but a
    // picture, which has none, may have taken the place of a map.
    if own_sidecar(&sidecar_of(path)).is_some() {
        return png_chunks(&mut file, &|keyword, _| keyword == PICTURE_CHUNK.as_bytes());
    }
    MARKS
        .iter()
        .any(|is_marked| is_marked(&mut file) == Some(true))
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

/// Text chunks: the scene's, or of a texture the program's.
fn png(file: &mut File) -> Option<bool> {
    Some(png_chunks(file, &|keyword, text| {
        keyword == SCENE_CHUNK.as_bytes() || (keyword == b"Software" && is_program(text))
    }))
}

/// Whether one of the text chunks before a PNG's pixels is `wanted`, by keyword and text.
fn png_chunks(file: &mut File, wanted: &dyn Fn(&[u8], &[u8]) -> bool) -> bool {
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
                let (keyword, text) = (parts.next(), parts.next());
                if wanted(keyword.unwrap_or_default(), text.unwrap_or_default()) {
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

/// The tag for the program.
fn tiff(file: &mut File) -> Option<bool> {
    let head = head(file, 2)?;
    if head != b"II" && head != b"MM" {
        return None;
    }
    file.rewind().ok()?;
    let mut decoder = Decoder::new(BufReader::new(file)).ok()?;
    let program = decoder.get_tag_ascii_string(Tag::Software).ok()?;
    Some(is_program(program.as_bytes()))
}

/// The attribute for the program: its name, its type, a length, the text.
fn exr(file: &mut File) -> Option<bool> {
    const NAME: &[u8] = b"software\0string\0";
    let head = head(file, PART)?;
    if !head.starts_with(&[0x76, 0x2f, 0x31, 0x01]) {
        return None;
    }
    let at = head.windows(NAME.len()).position(|bytes| bytes == NAME)?;
    let (length, text) = head[at + NAME.len()..].split_first_chunk::<4>()?;
    let text = text.get(..u32::from_le_bytes(*length) as usize)?;
    Some(is_program(text))
}

/// The generator of the asset, which has our scene in its extras.
fn glb(file: &mut File) -> Option<bool> {
    let head = head(file, 20)?;
    let length = u32::from_le_bytes(*head.get(12..)?.first_chunk::<4>()?);
    if !head.starts_with(b"glTF") || &head[16..] != b"JSON" || u64::from(length) > MOST_JSON {
        return None;
    }
    let text = part(file, SeekFrom::Start(20), length.into())?;
    let value: Value = serde_json::from_slice(&text).ok()?;
    let asset = &value["asset"];
    Some(
        is_program(asset["generator"].as_str()?.as_bytes()) && asset["extras"]["scene"].is_object(),
    )
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

/// A comment of the header.
fn ply(file: &mut File) -> Option<bool> {
    let head = head(file, PART)?;
    let mut lines = lines(&head).take_while(|line| *line != b"end_header");
    if lines.next()? != b"ply" {
        return None;
    }
    let comments = lines.filter_map(|line| line.strip_prefix(b"comment "));
    Some({ comments }.any(is_program))
}

/// The first line: the program, then the map.
fn obj(file: &mut File) -> Option<bool> {
    let head = head(file, PART)?;
    let mut lines = lines(&head);
    let line = lines.next()?.strip_prefix(b"# ")?;
    let end = line.iter().position(|byte| *byte == b':')?;
    Some(is_program(&line[..end]) && lines.next() == Some(b"# landform scene begin"))
}

/// The first two lines.
fn mtl(file: &mut File) -> Option<bool> {
    let head = head(file, PART)?;
    let mut lines = lines(&head);
    let program = lines.next()?.strip_prefix(b"# ")?;
    Some(is_program(program) && lines.next()?.starts_with(b"newmtl "))
}

/// The scene in comments after the last row.
fn asc(file: &mut File) -> Option<bool> {
    if !head(file, 6)?.eq_ignore_ascii_case(b"ncols ") {
        return None;
    }
    let length = file.seek(SeekFrom::End(0)).ok()?;
    let tail = part(file, SeekFrom::Start(length.saturating_sub(PART)), PART)?;
    let has = |wanted: &[u8]| lines(&tail).any(|line| line == wanted);
    Some(has(b"# landform scene begin") && has(b"# landform scene end"))
}
