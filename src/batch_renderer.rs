//! Batch renderer: pictures and films of scenes into files, without a window.
//!
//! Results shared by consecutive pictures are reused. Used by the command line and by the window's export
//! thread.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use crate::camera::film::{self, ImpossibleScene};
use crate::camera::{self, Ground};
use crate::files::export::{
    self, ExportError, FilmFile, FilmFormat, FilmRequest, Numbered, Output, PictureRequest,
    check_picture, check_space_of_film,
};
use crate::files::import::{self, FilesNamed, ImportError};
use crate::generate::GenerateError;
use crate::pipeline::inputs::Inputs;
use crate::pipeline::{Landscape, Pipeline, pour_point};
use crate::render::{HeadlessRenderer, RenderError, RenderRequest};
use crate::scene::{Camera, CameraMode, Scene};
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::measure::IN_THE_SEA;
use crate::util::job::{Cancelled, Job};
use crate::util::language::tr;

/// Error of a batch rendering. The variants separate invalid requests from failures that the user did not
/// cause.
#[derive(Debug)]
pub enum BatchError {
    /// Invalid request, with a message for the user.
    Asked(String),
    /// The file cannot be written.
    Export(ExportError),
    /// Any other failure, with a message for the user.
    Failed(String),
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked(words) | Self::Failed(words) => f.write_str(words),
            Self::Export(error) => error.fmt(f),
        }
    }
}

impl From<ExportError> for BatchError {
    fn from(error: ExportError) -> Self {
        Self::Export(error)
    }
}

impl From<RenderError> for BatchError {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Size { .. } => Self::Asked(error.to_string()),
            error => Self::Failed(error.to_string()),
        }
    }
}

impl From<ImportError> for BatchError {
    fn from(error: ImportError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<GenerateError> for BatchError {
    fn from(error: GenerateError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<ImpossibleScene> for BatchError {
    fn from(error: ImpossibleScene) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<Cancelled> for BatchError {
    fn from(error: Cancelled) -> Self {
        Self::Failed(error.to_string())
    }
}

/// The error for a watershed point outside a map.
#[must_use]
pub fn beyond(map: &Heightmap, [x, z]: [f32; 2]) -> BatchError {
    let [east, south] = [map.x(map.columns() - 1), map.z(map.rows() - 1)];
    BatchError::Asked(tr!(
        "--watershed is {x},{z}; allowed: X from {} to {east} and Z from {} to {south}",
        -east,
        -south,
        x,
        z,
        east,
        south
    ))
}

/// The picture request of a shot.
pub fn request(shot: RenderRequest) -> PictureRequest {
    let RenderRequest {
        size,
        samples,
        transparent,
        // The picture does not depend on the number of pieces.
        piece: _,
    } = shot;
    PictureRequest {
        size,
        samples,
        transparent,
    }
}

/// Renders pictures to files; keeps the results that the next scene may share.
pub struct BatchRenderer {
    /// Receives notices for the user, a line each.
    tell: fn(&str),
    pipeline: Pipeline,
    studio: Option<HeadlessRenderer>,
    /// Files read for the last scene, with their names.
    read: Option<(FilesNamed, Inputs)>,
    /// Notices reported for the last scene, to avoid repeating them.
    said: Vec<String>,
}

impl BatchRenderer {
    /// Create a renderer without any cached results. `tell` receives notices about the scenes for the user, a
    /// line each.
    #[must_use]
    pub fn new(tell: fn(&str)) -> Self {
        Self {
            tell,
            pipeline: Pipeline::default(),
            studio: None,
            read: None,
            said: Vec::new(),
        }
    }

    /// Render a plain picture of a scene.
    pub fn picture(
        &mut self,
        scene: &Scene,
        size: (u32, u32),
        job: &Job,
    ) -> Result<Grid<[u8; 3]>, BatchError> {
        let mut landscape = self.landscape(scene, job)?;
        landscape.scene.camera = seen_by(&landscape);
        Ok(self.studio()?.picture(&landscape, size)?)
    }

    /// Render a picture into a file, band by band.
    pub fn write(
        &mut self,
        scene: &Scene,
        shot: RenderRequest,
        file: &Path,
        job: &Job,
    ) -> Result<(), BatchError> {
        let (landscape, drawing) = self.developed(scene, shot, job)?;
        let camera = seen_by(&landscape);
        let studio = self.studio()?;
        export::picture_in_bands(file, request(shot), scene, job, |put| {
            let mut put = |band: &Grid<[u8; 4]>| put(band).map_err(BatchError::Export);
            studio.expose(&landscape, &camera, shot, &drawing, &mut put)
        })
    }

    /// Render the picture that [`BatchRenderer::write`] would write: red, green and blue of each pixel, top
    /// row first.
    pub fn pixels(
        &mut self,
        scene: &Scene,
        shot: RenderRequest,
        job: &Job,
    ) -> Result<Vec<u8>, BatchError> {
        let (landscape, drawing) = self.developed(scene, shot, job)?;
        let camera = seen_by(&landscape);
        let mut pixels = Vec::with_capacity(shot.size.0 as usize * shot.size.1 as usize * 3);
        let studio = self.studio()?;
        studio.expose::<BatchError>(&landscape, &camera, shot, &drawing, |band| {
            let band = band.as_slice().iter();
            pixels.extend(band.flat_map(|[r, g, b, _]| [*r, *g, *b]));
            Ok(())
        })?;
        Ok(pixels)
    }

    /// Generate the landscape of a scene, and return it with the share of the job left for drawing: three
    /// quarters of the job go to the slower of both.
    fn developed(
        &mut self,
        scene: &Scene,
        shot: RenderRequest,
        job: &Job,
    ) -> Result<(Landscape, Job), BatchError> {
        let slow = shot.samples > 1 || shot.size.0.max(shot.size.1) > 2048;
        let made = if slow { 1 } else { 3 };
        let landscape = self.landscape(scene, &job.span(0..made, 4))?;
        Ok((landscape, job.span(made..4, 4)))
    }

    /// The film's scene at a time, with its camera above the ground of that time.
    ///
    /// # Errors
    /// The scene cannot be rendered, or its ground cannot be generated.
    pub fn scene_at(&mut self, scene: &Scene, time: f32, job: &Job) -> Result<Scene, BatchError> {
        let then = film::settings_at(scene, time);
        film::check_at(&then, time)?;
        let ground = if film::needs_ground(scene) {
            self.ground(&then, job)?
        } else {
            None
        };
        Ok(film::scene_at(scene, time, ground.as_ref()))
    }

    /// The scene's ground for camera collision; `None` for a profile.
    pub fn ground(&mut self, scene: &Scene, job: &Job) -> Result<Option<Ground>, BatchError> {
        let mut dark = scene.clone();
        // The ground does not depend on the light, which is slow to compute.
        (dark.light.shadows, dark.light.occlusion) = (false, false);
        Ok(Ground::of(&self.landscape(&dark, &job.part())?))
    }

    fn landscape(&mut self, scene: &Scene, job: &Job) -> Result<Landscape, BatchError> {
        let files = FilesNamed::of(scene);
        let read = self.read.take().filter(|(of, _)| *of == files);
        let inputs = match read {
            Some((_, inputs)) => inputs,
            None => import::inputs_by(scene, job)?,
        };
        let said = [inputs.notices(), &scene.notices()].concat();
        if said != self.said {
            said.iter().for_each(|notice| (self.tell)(notice));
            self.said = said;
        }
        check_picture(scene, &inputs)?;
        let (_, inputs) = self.read.insert((files, inputs));
        let landscape = self.pipeline.run(scene, inputs, job)?;
        match (pour_point(scene), &landscape.watershed) {
            (Some(point), None) => return Err(beyond(&landscape.heights, point.place)),
            (_, Some(shown)) if shown.watershed.is_empty() => {
                (self.tell)(&tr!("the point of the watershed is {}", tr(IN_THE_SEA)));
            }
            _ => {}
        }
        Ok(landscape)
    }

    fn studio(&mut self) -> Result<&mut HeadlessRenderer, BatchError> {
        match &mut self.studio {
            Some(studio) => Ok(studio),
            none => Ok(none.insert(HeadlessRenderer::new()?)),
        }
    }
}

/// The landscape's camera, raised out of the ground.
fn seen_by(landscape: &Landscape) -> Camera {
    let camera = &landscape.scene.camera;
    let ground = (camera.mode == CameraMode::Orbit).then(|| Ground::of(landscape));
    match ground.flatten() {
        Some(ground) => camera::above_ground(camera, &ground),
        None => camera.clone(),
    }
}

// Export of a film, frame by frame, into one video file or numbered image files.

/// Request to export a film.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmOrder {
    /// The scene with its key frames.
    pub scene: Scene,
    /// Path of the film file, or of the folder or name pattern of numbered pictures.
    pub output: PathBuf,
    /// Type of the output: one film file or numbered pictures.
    pub kind: FilmKind,
    /// Size, samples and other options of each picture.
    pub shot: RenderRequest,
    /// Numbers of the first and the last picture, from 1.
    pub numbers: (u32, u32),
    /// True to skip pictures whose files already exist and match the scene.
    pub resume: bool,
}

/// Output type of a film.
#[derive(Clone, Debug, PartialEq)]
pub enum FilmKind {
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
            FilmKind::Film(_) => vec![Output::plain(&self.output)],
            FilmKind::Pictures(names) => {
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
            FilmKind::Film(format) => format.check(&self.request())?,
            FilmKind::Pictures(names) => match names.pattern().parent() {
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
            FilmKind::Film(format) => {
                let begun = FilmFile::begin(&order.output, format, &request, scene);
                Some(begun.map_err(photo)?)
            }
            FilmKind::Pictures(_) => None,
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
