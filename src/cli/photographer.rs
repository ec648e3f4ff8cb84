//! Takes the pictures of commands, one after the other.

use std::path::Path;

use super::error::Failure;
use super::pour_point::beyond;
use crate::camera::{self, Ground};
use crate::export::{self, ExportError, PictureRequest, check_picture};
use crate::film;
use crate::grid::Grid;
use crate::import::FilesNamed;
use crate::inputs::Inputs;
use crate::job::{Cancelled, Job};
use crate::measure::IN_THE_SEA;
use crate::pipeline::{Landscape, Pipeline, pour_point};
use crate::render::{RenderError, Shot, Studio};
use crate::scene::{Camera, CameraMode, Scene};

/// The picture that a shot asks for.
pub fn request(shot: Shot) -> PictureRequest {
    let Shot {
        size,
        samples,
        transparent,
        // The picture is the same in more or fewer pieces.
        piece: _,
    } = shot;
    PictureRequest {
        size,
        samples,
        transparent,
    }
}

/// Takes pictures; what a scene shares with the one before is made only once.
#[derive(Default)]
pub struct Photographer {
    pipeline: Pipeline,
    studio: Option<Studio>,
    /// What the last scene names, read.
    read: Option<(FilesNamed, Inputs)>,
    /// What was said of the last scene.
    said: Vec<String>,
}

impl Photographer {
    /// A plain picture of a scene.
    pub fn picture(
        &mut self,
        scene: &Scene,
        size: (u32, u32),
        job: &Job,
    ) -> Result<Grid<[u8; 3]>, Failure> {
        let mut landscape = self.landscape(scene, job)?;
        landscape.scene.camera = seen_by(&landscape);
        let picture = self.studio()?.picture(&landscape, size);
        picture.map_err(|error| Failure::from(Unseen::from(error)))
    }

    /// Takes a picture into a file, band by band.
    pub fn write(
        &mut self,
        scene: &Scene,
        shot: Shot,
        file: &Path,
        job: &Job,
    ) -> Result<(), Failure> {
        let (landscape, drawing) = self.developed(scene, shot, job)?;
        let camera = seen_by(&landscape);
        let studio = self.studio()?;
        let taken = export::picture_in_bands(file, request(shot), scene, job, |put| {
            let mut put = |band: &Grid<[u8; 4]>| put(band).map_err(Unseen::Export);
            studio.expose(&landscape, &camera, shot, &drawing, &mut put)
        });
        taken.map_err(|error: Unseen| error.into())
    }

    /// The pixels of the picture that [`Photographer::write`] would write: red, green and blue of each,
    /// top row first.
    pub fn pixels(&mut self, scene: &Scene, shot: Shot, job: &Job) -> Result<Vec<u8>, Failure> {
        let (landscape, drawing) = self.developed(scene, shot, job)?;
        let camera = seen_by(&landscape);
        let mut pixels = Vec::with_capacity(shot.size.0 as usize * shot.size.1 as usize * 3);
        let studio = self.studio()?;
        let taken = studio.expose(&landscape, &camera, shot, &drawing, |band| {
            let band = band.as_slice().iter();
            pixels.extend(band.flat_map(|[r, g, b, _]| [*r, *g, *b]));
            Ok(())
        });
        taken.map_err(|error: Unseen| Failure::from(error))?;
        Ok(pixels)
    }

    /// The landscape of a scene, and the job to draw it with: the progress shown is that of the part
    /// that takes longer.
    fn developed(
        &mut self,
        scene: &Scene,
        shot: Shot,
        job: &Job,
    ) -> Result<(Landscape, Job), Failure> {
        let slow = shot.samples > 1 || shot.size.0.max(shot.size.1) > 2048;
        let (making, drawing) = if slow {
            (job.part(), job.clone())
        } else {
            (job.clone(), job.part())
        };
        Ok((self.landscape(scene, &making)?, drawing))
    }

    /// A film's scene at a time, its camera above the ground that it has then.
    pub fn scene_at(&mut self, scene: &Scene, time: f32, job: &Job) -> Result<Scene, Failure> {
        let ground = if film::needs_ground(scene) {
            self.ground(&film::settings_at(scene, time), job)?
        } else {
            None
        };
        Ok(film::scene_at(scene, time, ground.as_ref()))
    }

    /// The ground of a scene as cameras know it; none of a profile.
    pub fn ground(&mut self, scene: &Scene, job: &Job) -> Result<Option<Ground>, Failure> {
        let mut dark = scene.clone();
        // Light takes long, and the ground does not depend on it.
        (dark.light.shadows, dark.light.occlusion) = (false, false);
        Ok(Ground::of(&self.landscape(&dark, &job.part())?))
    }

    fn landscape(&mut self, scene: &Scene, job: &Job) -> Result<Landscape, Failure> {
        let files = FilesNamed::of(scene);
        let read = self.read.take().filter(|(of, _)| *of == files);
        let inputs = match read {
            Some((_, inputs)) => inputs,
            None => crate::import::inputs(scene)?,
        };
        let said = [inputs.notices(), &scene.notices()].concat();
        if said != self.said {
            said.iter().for_each(|notice| super::warn(notice));
            self.said = said;
        }
        check_picture(scene, &inputs)?;
        let (_, inputs) = self.read.insert((files, inputs));
        let landscape = self.pipeline.run(scene, inputs, job)?;
        match (pour_point(scene), &landscape.watershed) {
            (Some(point), None) => return Err(beyond(&landscape.heights, point.place)),
            (_, Some(shown)) if shown.watershed.is_empty() => {
                super::warn(&format!("the point of the watershed is {IN_THE_SEA}"));
            }
            _ => {}
        }
        Ok(landscape)
    }

    fn studio(&mut self) -> Result<&mut Studio, Failure> {
        match &mut self.studio {
            Some(studio) => Ok(studio),
            none => Ok(none.insert(Studio::new()?)),
        }
    }
}

/// The landscape's camera, lifted out of the ground.
fn seen_by(landscape: &Landscape) -> Camera {
    let camera = &landscape.scene.camera;
    let ground = (camera.mode == CameraMode::Orbit).then(|| Ground::of(landscape));
    match ground.flatten() {
        Some(ground) => camera::above_ground(camera, &ground),
        None => camera.clone(),
    }
}

/// Why a picture was not taken.
enum Unseen {
    Render(RenderError),
    Export(ExportError),
    Cancelled(Cancelled),
}

impl From<RenderError> for Unseen {
    fn from(error: RenderError) -> Self {
        Self::Render(error)
    }
}

impl From<ExportError> for Unseen {
    fn from(error: ExportError) -> Self {
        Self::Export(error)
    }
}

impl From<Cancelled> for Unseen {
    fn from(error: Cancelled) -> Self {
        Self::Cancelled(error)
    }
}

impl From<Unseen> for Failure {
    fn from(error: Unseen) -> Self {
        match error {
            Unseen::Render(error @ RenderError::Size { .. }) => Self::usage(error),
            Unseen::Render(error) => Self::failed(error),
            Unseen::Export(error) => Self::of_export(error),
            Unseen::Cancelled(error) => Self::failed(error),
        }
    }
}
