//! Films: sequences of frames in one file. Frames are written as they come, so the length is limited only
//! by the disk. A format is one file and one line in [`FILM_FORMATS`].

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::error::{ExportError, write_error};
use super::file::{OutputFile, commit};
use super::names::{filled, has_word};
use super::plan::{Output, check_outputs};
use crate::files::import::reads;
use crate::scene::Scene;
use crate::util::job::Job;

mod apng;
mod ffmpeg;
#[cfg(feature = "formats")]
mod gif;

/// Parameters of a film.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FilmRequest {
    /// Frame width and height, in pixels.
    pub size: (u32, u32),
    /// Samples a pixel.
    pub samples: u32,
    /// Frames per second.
    pub fps: u32,
    /// First and last frame, counted from 1.
    pub pictures: (u32, u32),
    /// True if the film loops.
    pub repeats: bool,
}

impl FilmRequest {
    /// Number of frames.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.pictures.1 - self.pictures.0 + 1
    }
}

/// A film file format.
#[derive(Clone, Copy, Debug)]
pub struct FilmFormat {
    /// Name for `--format`.
    pub name: &'static str,
    /// File name extensions, the usual one first.
    pub extensions: &'static [&'static str],
    /// Description in one line.
    pub help: &'static str,
    /// Default frame width and height, in pixels.
    pub usual_size: (u32, u32),
    /// True if the program ffmpeg writes it, which must be installed.
    pub needs_ffmpeg: bool,
    /// True if it can be written to a pipe.
    pub streams: bool,
    check: fn(&FilmRequest) -> Result<(), ExportError>,
    begin: Begin,
}

type Begin = fn(&OutputFile, &FilmRequest, &Scene) -> Result<Box<dyn FilmWriter>, ExportError>;

/// All formats, in display order.
pub const FILM_FORMATS: &[FilmFormat] = &[
    ffmpeg::MP4,
    ffmpeg::WEBM,
    #[cfg(feature = "formats")]
    gif::GIF,
    apng::APNG,
];

/// Encoder of a film.
trait FilmWriter: Send {
    /// Write the next frame: RGB bytes, top row first.
    fn picture(&mut self, pixels: &[u8], job: &Job) -> io::Result<()>;

    /// Finish the film after the last frame.
    fn finish(self: Box<Self>, job: &Job) -> io::Result<()>;
}

impl PartialEq for FilmFormat {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl FilmFormat {
    /// Find a format by its name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        FILM_FORMATS.iter().find(|format| format.name == name)
    }

    /// Find a format by the extension of a file name.
    #[must_use]
    pub fn of(path: &Path) -> Option<&'static Self> {
        let end = path.extension()?.to_str()?.to_lowercase();
        let mut all = FILM_FORMATS.iter();
        all.find(|format| format.extensions.contains(&end.as_str()))
    }

    /// Check that the format supports a film with these parameters.
    ///
    /// # Errors
    /// The size or the frame rate is not supported, or a required program is missing.
    pub fn check(&self, request: &FilmRequest) -> Result<(), ExportError> {
        (self.check)(request)
    }
}

/// A film that is being written. The file gets its name only when it is complete; if dropped before, it
/// is removed.
pub struct FilmFile {
    // First, since fields are dropped in order: another program may still write the target.
    writer: Box<dyn FilmWriter>,
    target: OutputFile,
}

impl FilmFile {
    /// Begin the film of a scene.
    ///
    /// # Errors
    /// The file cannot be written, or not in this format.
    pub fn begin(
        path: &Path,
        format: &FilmFormat,
        request: &FilmRequest,
        scene: &Scene,
    ) -> Result<Self, ExportError> {
        format.check(request)?;
        check_outputs(&[Output::plain(path)], &reads(scene), &|_| false)?;
        let target = OutputFile::create(path)?;
        if target.is_standard_output() && !format.streams {
            let format = format.name;
            return Err(ExportError::FilmInPipe { format });
        }
        let writer = (format.begin)(&target, request, scene)?;
        Ok(Self { writer, target })
    }

    /// Append a frame: RGB bytes, top row first.
    ///
    /// # Errors
    /// It cannot be written, or the job was cancelled.
    pub fn picture(&mut self, pixels: &[u8], job: &Job) -> Result<(), ExportError> {
        let written = self.writer.picture(pixels, job);
        job.check()?;
        written.map_err(write_error(self.target.path()))
    }

    /// Finish the film and rename it into place, unless the job was cancelled.
    ///
    /// # Errors
    /// The file cannot be written, or the job was cancelled.
    pub fn finish(self, job: &Job) -> Result<(), ExportError> {
        job.check()?;
        let written = self.writer.finish(job);
        job.check()?;
        let written = written.and_then(|()| self.target.check_filled());
        written.map_err(write_error(self.target.path()))?;
        commit(vec![self.target.into()], job)
    }
}

/// File name pattern of numbered frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    pattern: PathBuf,
    /// Minimum number of digits.
    digits: usize,
}

impl Numbered {
    /// Parse a path as a pattern; `None` if it names a single file. Patterns are `name-####.png`, where
    /// `#` stands for digits, `name-{frame}.png`, or a folder for `frame-####.png`: a path that ends with
    /// a slash, or an existing folder without the extension of a film. Without `#`, numbers have at least
    /// four digits, and enough for `most`.
    #[must_use]
    pub fn of(path: &Path, most: u32) -> Option<Self> {
        let usual = most.to_string().len().max(4);
        let last = path.as_os_str().as_encoded_bytes().last();
        let slashes = [b'/', std::path::MAIN_SEPARATOR as u8];
        let ends_with_slash = last.is_some_and(|byte| slashes.contains(byte));
        let (pattern, digits) =
            if ends_with_slash || (path.is_dir() && FilmFormat::of(path).is_none()) {
                (path.join("frame-{frame}.png"), usual)
            } else {
                let name = path.file_name()?.to_string_lossy();
                match name.rfind('#') {
                    Some(last) => {
                        let before = name[..=last].trim_end_matches('#');
                        let name = format!("{before}{{frame}}{}", &name[last + 1..]);
                        (path.with_file_name(name), last + 1 - before.len())
                    }
                    None if has_word(path, "frame") => (path.to_owned(), usual),
                    None => return None,
                }
            };
        Some(Self { pattern, digits })
    }

    /// Path of a frame.
    #[must_use]
    pub fn file(&self, number: u32) -> PathBuf {
        let digits = self.digits;
        filled(&self.pattern, &[("frame", &format!("{number:0digits$}"))])
    }

    /// The pattern, with `{frame}` in place of the number.
    #[must_use]
    pub fn pattern(&self) -> &Path {
        &self.pattern
    }
}
