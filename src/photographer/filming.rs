//! A film, picture after picture, into one file or a file each.

use std::io;
use std::path::{Path, PathBuf};

use super::{PhotoError, Photographer, request};
use crate::export::{
    ExportError, FilmFile, FilmFormat, FilmRequest, Numbered, Output, check_space_of_film,
};
use crate::film;
use crate::job::Job;
use crate::render::Shot;
use crate::scene::Scene;

/// A film that is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmOrder {
    /// Its scene.
    pub scene: Scene,
    /// Where it goes.
    pub output: PathBuf,
    /// What it becomes.
    pub kind: Kind,
    /// How each picture is taken.
    pub shot: Shot,
    /// The numbers of the first and the last picture, from 1.
    pub numbers: (u32, u32),
    /// Whether pictures that are there already, just as they would be, stay as they are.
    pub resume: bool,
}

/// What a film becomes.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// One file.
    Film(&'static FilmFormat),
    /// Files of their own for all pictures.
    Pictures(Numbered),
}

/// A picture of a film that is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filmed {
    /// Its number, from 1.
    pub number: u32,
    /// Its time in seconds.
    pub time: f32,
    /// Whether it had been there before.
    pub skipped: bool,
}

impl FilmOrder {
    /// What is asked of the film's file.
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

    /// The files that it becomes.
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

    /// Checks what can be known before anything is made, the scenes of all pictures among it, and
    /// makes the folder of pictures.
    ///
    /// # Errors
    /// The format does not take such a film, there can be no picture of a scene of it, or no such
    /// folder.
    pub fn prepare(&self) -> Result<(), PhotoError> {
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

/// Makes the folder that a film is to be in, where its name says that it is one.
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

/// The end of a film takes about as long as one in so many of its pictures.
const PICTURES_OF_AN_END: u64 = 20;

impl Photographer {
    /// Takes a film, and calls `done` after each picture. Pictures with files of their own stay if it is
    /// cancelled; of a film that is one file nothing does.
    ///
    /// # Errors
    /// A picture cannot be made or written; what `done` says; cancelled.
    pub fn film<E: From<PhotoError>>(
        &mut self,
        order: &FilmOrder,
        job: &Job,
        mut done: impl FnMut(Filmed) -> Result<(), E>,
    ) -> Result<(), E> {
        let photo = |error: ExportError| E::from(PhotoError::from(error));
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
        // Whoever packs pictures into a film is still at it when it has the last one.
        let end = file
            .as_ref()
            .map_or(0, |_| count.div_ceil(PICTURES_OF_AN_END));
        for (index, number) in (0..).zip(order.numbers.0..=order.numbers.1) {
            let share = job.span(index..index + 1, count + end);
            share.check().map_err(PhotoError::from)?;
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
                        // The first one tells how large all of them are.
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
