//! Films: pictures one after the other in a file. Each goes through as it comes, so a film may be as
//! long as the disk is large. A format is one file and one line in [`FILM_FORMATS`].

use std::io;
use std::path::Path;

use serde::Serialize;

use super::ExportError;
use super::commit::commit;
use super::outputs::{Output, check_outputs};
use super::target::{Target, write_error};
use crate::generate::GenerateError;
use crate::import::reads;
use crate::job::Job;
use crate::scene::Scene;

mod apng;
mod ffmpeg;
#[cfg(feature = "formats")]
mod gif;
mod names;

pub use names::Numbered;

/// What is asked of a film.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FilmRequest {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Samples a pixel.
    pub samples: u32,
    /// Pictures a second.
    pub fps: u32,
    /// The number of the first picture and of the last, from 1.
    pub pictures: (u32, u32),
    /// Whether it begins again at its end.
    pub repeats: bool,
}

impl FilmRequest {
    /// How many pictures it has.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.pictures.1 - self.pictures.0 + 1
    }
}

/// A kind of file that holds a film.
#[derive(Clone, Copy, Debug)]
pub struct FilmFormat {
    /// Its name, for `--format`.
    pub name: &'static str,
    /// The ends of the names of such files, the usual one first.
    pub extensions: &'static [&'static str],
    /// One line about it.
    pub help: &'static str,
    /// Width and height in pixels unless others are asked for.
    pub usual_size: (u32, u32),
    /// Whether it can be written into a pipe.
    pub streams: bool,
    check: fn(&FilmRequest) -> Result<(), ExportError>,
    begin: Begin,
}

type Begin = fn(&Target, &FilmRequest, &Scene) -> Result<Box<dyn FilmWriter>, ExportError>;

/// Every format, in the order shown.
pub const FILM_FORMATS: &[FilmFormat] = &[
    ffmpeg::MP4,
    ffmpeg::WEBM,
    #[cfg(feature = "formats")]
    gif::GIF,
    apng::APNG,
];

/// What takes the pictures of a film.
trait FilmWriter: Send {
    /// Takes the next picture: red, green and blue of each pixel, top row first.
    fn picture(&mut self, pixels: &[u8], job: &Job) -> io::Result<()>;

    /// Takes note that there are no more.
    fn finish(self: Box<Self>, job: &Job) -> io::Result<()>;
}

impl PartialEq for FilmFormat {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl FilmFormat {
    /// The format of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        FILM_FORMATS.iter().find(|format| format.name == name)
    }

    /// The format of a file by the end of its name.
    #[must_use]
    pub fn of(path: &Path) -> Option<&'static Self> {
        let end = path.extension()?.to_str()?.to_lowercase();
        let mut all = FILM_FORMATS.iter();
        all.find(|format| format.extensions.contains(&end.as_str()))
    }

    /// Whether it takes a film such as that.
    ///
    /// # Errors
    /// The size or the pace is none of its own, or a program that it needs is not there.
    pub fn check(&self, request: &FilmRequest) -> Result<(), ExportError> {
        (self.check)(request)
    }
}

/// A film that is being written. Nothing is there under its name before all of it is; dropped by
/// then, it leaves nothing.
pub struct FilmFile {
    // Dropped before the file is removed, which another program may be writing.
    writer: Box<dyn FilmWriter>,
    target: Target,
}

impl FilmFile {
    /// Begins the film of a scene.
    ///
    /// # Errors
    /// The file cannot be written, or not in that format.
    pub fn begin(
        path: &Path,
        format: &FilmFormat,
        request: &FilmRequest,
        scene: &Scene,
    ) -> Result<Self, ExportError> {
        format.check(request)?;
        check_outputs(&[Output::plain(path)], &reads(scene), &|_| false)?;
        let target = Target::create(path)?;
        if target.is_standard_output() && !format.streams {
            return Err(ExportError::FilmInPipe {
                format: format.name,
            });
        }
        let writer = (format.begin)(&target, request, scene)?;
        Ok(Self { writer, target })
    }

    /// Adds the next picture: red, green and blue of each pixel, top row first.
    ///
    /// # Errors
    /// It cannot be written, or the job was cancelled.
    pub fn picture(&mut self, pixels: &[u8], job: &Job) -> Result<(), ExportError> {
        let written = self.writer.picture(pixels, job);
        job.check().map_err(GenerateError::from)?;
        written.map_err(write_error(self.target.path()))
    }

    /// Ends the film and gives it its name, unless the job was cancelled.
    ///
    /// # Errors
    /// It cannot be written, or was cancelled.
    pub fn finish(self, job: &Job) -> Result<(), ExportError> {
        job.check().map_err(GenerateError::from)?;
        let written = self.writer.finish(job);
        job.check().map_err(GenerateError::from)?;
        let written = written.and_then(|()| self.target.check_filled());
        written.map_err(write_error(self.target.path()))?;
        commit(vec![self.target.into()], job)
    }
}
