//! Export of a film, frame by frame, into one video file or numbered image files.

use std::io;
use std::path::{Path, PathBuf};

use super::{BatchError, BatchRenderer, request};
use crate::camera::film;
use crate::files::export::{
    ExportError, FilmFile, FilmFormat, FilmRequest, Numbered, Output, check_space_of_film,
};
use crate::render::RenderRequest;
use crate::scene::Scene;
use crate::util::job::Job;

/// Request to export a film.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmOrder {
    /// The scene with its key frames.
    pub scene: Scene,
    /// Path of the film file, or of the folder or name pattern of numbered pictures.
    pub output: PathBuf,
    /// Type of the output: one film file or numbered pictures.
    pub kind: Kind,
    /// Size, samples and other options of each picture.
    pub shot: RenderRequest,
    /// Numbers of the first and the last picture, from 1.
    pub numbers: (u32, u32),
    /// True to skip pictures whose files already exist and match the scene.
    pub resume: bool,
}

/// Output type of a film.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// One film file.
    Film(&'static FilmFormat),
    /// One file per picture.
    Pictures(Numbered),
}

/// Progress report: a picture of a film that is finished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filmed {
    /// Number of the picture, from 1.
    pub number: u32,
    /// Time in seconds.
    pub time: f32,
    /// True if its file already existed and was kept.
    pub skipped: bool,
}

impl FilmOrder {
    /// The request for the film's file.
    #[must_use]
    pub fn request(&self) -> FilmRequest {
        FilmRequest {
            size: self.shot.size,
            samples: self.shot.samples,
            fps: self.scene.film.fps,
            pictures: self.numbers,
            repeats: self.scene.film.repeats,
        }
    }

    /// The files to be written.
    #[must_use]
    pub fn outputs(&self) -> Vec<Output> {
        match &self.kind {
            Kind::Film(_) => vec![Output::plain(&self.output)],
            Kind::Pictures(names) => {
                let (from, to) = self.numbers;
                let output = |number| Output::picture(&names.file(number), request(self.shot));
                (from..=to).map(output).collect()
            }
        }
    }

    /// Validate the scenes of all pictures and the format before rendering, and create the folder of
    /// pictures.
    ///
    /// # Errors
    /// The format does not support such a film, a scene cannot be rendered, or the folder cannot be created.
    pub fn prepare(&self) -> Result<(), BatchError> {
        film::check(&self.scene, self.numbers.0..=self.numbers.1)?;
        match &self.kind {
            Kind::Film(format) => format.check(&self.request())?,
            Kind::Pictures(names) => match names.pattern().parent() {
                Some(folder) if folder != Path::new("") && !folder.exists() => {
                    make_folder(folder, &self.output)?;
                }
                _ => {}
            },
        }
        Ok(())
    }
}

/// Create the folder of a film, if the path ends with `/`.
fn make_folder(folder: &Path, output: &Path) -> Result<(), ExportError> {
    if !output.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Ok(());
    }
    let failed = |source: io::Error| ExportError::Write {
        source,
        path: folder.to_owned(),
    };
    std::fs::create_dir(folder).map_err(failed)
}

/// Number of pictures for which finishing the film file takes about as long as rendering one.
const PICTURES_OF_AN_END: u64 = 20;

impl BatchRenderer {
    /// Render a film, and call `done` after each picture. On cancellation, numbered pictures are kept and an
    /// incomplete film file is removed.
    ///
    /// # Errors
    /// A picture cannot be rendered or written, `done` returns an error, or the job is cancelled.
    pub fn film<E: From<BatchError>>(
        &mut self,
        order: &FilmOrder,
        job: &Job,
        mut done: impl FnMut(Filmed) -> Result<(), E>,
    ) -> Result<(), E> {
        let photo = |error: ExportError| E::from(BatchError::from(error));
        let (scene, request) = (&order.scene, order.request());
        let outputs = order.outputs();
        let mut file = match &order.kind {
            Kind::Film(format) => {
                let begun = FilmFile::begin(&order.output, format, &request, scene);
                Some(begun.map_err(photo)?)
            }
            Kind::Pictures(_) => None,
        };
        let mut is_measured = false;
        let count = u64::from(request.count());
        // Encoders still have work to do after the last picture.
        let end = file
            .as_ref()
            .map_or(0, |_| count.div_ceil(PICTURES_OF_AN_END));
        for (index, number) in (0..).zip(order.numbers.0..=order.numbers.1) {
            let share = job.span(index..index + 1, count + end);
            share.check().map_err(BatchError::from)?;
            let time = film::time_of(scene, number);
            let then = self.scene_at(scene, time, &share)?;
            let skipped = match &mut file {
                Some(file) => {
                    let pixels = self.pixels(&then, order.shot, &share)?;
                    file.picture(&pixels, &share).map_err(photo)?;
                    false
                }
                None => {
                    let output = &outputs[index as usize];
                    let skipped = order.resume && output.is_finished(&then);
                    if !skipped {
                        self.write(&then, order.shot, output.path(), &share)?;
                        // The first picture gives the size of all for the check of free space.
                        if !std::mem::replace(&mut is_measured, true) {
                            let more = order.numbers.1 - number;
                            check_space_of_film(output.path(), more).map_err(photo)?;
                        }
                    }
                    skipped
                }
            };
            share.advance(1, 1);
            done(Filmed {
                number,
                time,
                skipped,
            })?;
        }
        match file {
            Some(file) => {
                file.finish(job).map_err(photo)?;
                job.advance(1, 1);
                Ok(())
            }
            None => Ok(()),
        }
    }
}
