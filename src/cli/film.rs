//! `landform film`: an animation of a scene, as a video or as numbered pictures.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};

use super::args::ViewArgs;
use super::batch::{ManyArgs, seconds_since};
use super::console::{Failure, watch};
use super::scene_args::{SurfaceArgs, size};
use crate::batch_renderer::{BatchRenderer, FilmKind, FilmOrder, Filmed};
use crate::camera::film::{self, MOST_PICTURES, Ready};
use crate::files::export::{self, FILM_FORMATS, FilmFormat, Numbered, Output};
use crate::generate::MAX_ITERATIONS_IN_MEMORY;
use crate::render::{MOST_SAMPLES, RenderRequest};
use crate::scene::{MOST_SECONDS, Scene};
use crate::util::job::Job;
use crate::util::words;

/// The default length of a ready-made film, in seconds.
const USUAL_SECONDS: f32 = 10.0;
/// The file extension for which the scene is written instead of a film.
const SCENE: &str = "toml";

#[derive(Debug, Args)]
pub struct Arguments {
    /// A ready-made film of the scene: an orbit around it, a round flight over it, or one day
    #[arg(long, value_name = "NAME", help_heading = "Film",
        value_parser = PossibleValuesParser::new(Ready::NAMES))]
    like: Option<String>,
    /// Length of the whole film in seconds, which makes it faster or slower [default: that of the
    /// scene; 10 for a ready-made film]
    #[arg(long, value_name = "S", help_heading = "Film", value_parser = seconds, allow_hyphen_values = true)]
    seconds: Option<f32>,
    /// Pictures per second [1 to 120; default: that of the scene, which is 30 by default]
    #[arg(long, value_name = "N", help_heading = "Film", allow_hyphen_values = true,
        value_parser = clap::value_parser!(u32).range(1..=120))]
    fps: Option<u32>,
    /// Only these pictures of the film, FROM..TO, both included, counted from 1; they are identical
    /// to those of the whole film
    #[arg(long, value_name = "FROM..TO", help_heading = "Film", value_parser = frames, allow_hyphen_values = true)]
    frames: Option<(u32, u32)>,
    /// The film begins again at its end, in GIF and animated PNG [default: as the scene says]
    #[arg(long = "loop", help_heading = "Film", conflicts_with = "once")]
    repeats: bool,
    /// The film is shown once, in GIF and animated PNG
    #[arg(long, help_heading = "Film")]
    once: bool,
    /// Size of the film in pixels [default: 1280x720; GIF 640x360]
    #[arg(long, value_name = "WxH", help_heading = "Picture", allow_hyphen_values = true, value_parser = size)]
    size: Option<(u32, u32)>,
    /// Samples averaged per pixel, each at another place in it: smoother edges and textures
    /// [1 to 16; default 1]
    #[arg(long, value_name = "N", help_heading = "Picture", allow_hyphen_values = true,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_SAMPLES)))]
    samples_per_pixel: Option<u32>,
    /// Format, whatever the file's name
    #[arg(long, value_name = "NAME",
        value_parser = PossibleValuesParser::new(FILM_FORMATS.iter().map(|format| format.name)))]
    format: Option<String>,
    /// Film to write, its format given by its extension: .mp4, .webm (both need the program
    /// ffmpeg), .gif or .png (animated). A folder/, or a name with #### or {frame} for the number,
    /// gives single pictures; .toml gives the scene with its film
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    // The flags specific to films come first in the help.
    #[command(flatten)]
    pub(super) scene: SurfaceArgs,
    #[command(flatten)]
    view: ViewArgs,
    #[command(flatten)]
    many: ManyArgs,
}

fn seconds(text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| *number > 0.0 && *number <= MOST_SECONDS);
    number.ok_or_else(|| format!("allowed: more than 0 to {MOST_SECONDS}"))
}

fn frames(text: &str) -> Result<(u32, u32), String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let range = from.parse().ok().zip(to.parse().ok());
    let range = range.filter(|(from, to)| (1..=*to).contains(from) && *to <= MOST_PICTURES);
    range.ok_or_else(|| format!("allowed: FROM..TO, each 1 to {MOST_PICTURES}"))
}

impl Arguments {
    /// Make the scene of the film from the flags.
    fn film(&self, camera: &mut BatchRenderer) -> Result<Scene, Failure> {
        let most = |_: &_| MAX_ITERATIONS_IN_MEMORY;
        let (mut scene, _) = self.scene.scene(Some(&self.view), most)?;
        if let Some(name) = &self.like {
            let ready: Ready = name.parse().map_err(Failure::usage)?;
            let own = Some(scene.film.seconds).filter(|seconds| *seconds > 0.0);
            let seconds = self.seconds.or(own).unwrap_or(USUAL_SECONDS);
            let ground = match ready {
                Ready::Flight => camera.ground(&scene, &Job::new())?,
                Ready::Turntable | Ready::Day => None,
            };
            scene = ready.applied(&scene, ground.as_ref(), seconds);
        } else if !film::is_film(&scene) {
            return Err(Failure::usage(format!(
                "nothing in the scene changes with time; use a scene with a camera path or key \
                 frames, or --like {}",
                Ready::NAMES.join(", ")
            )));
        } else if let Some(seconds) = self.seconds {
            scene = film::stretched(&scene, seconds);
        }
        scene.film.fps = self.fps.unwrap_or(scene.film.fps);
        scene.film.repeats = (scene.film.repeats || self.repeats) && !self.once;
        scene.validate().map_err(Failure::usage)?;
        Ok(scene)
    }

    /// The numbers of the first and the last picture to render.
    fn numbers(&self, scene: &Scene) -> Result<(u32, u32), Failure> {
        let count = film::pictures(scene);
        if count > MOST_PICTURES {
            return Err(Failure::usage(format!(
                "the film has {count} pictures; allowed: up to {MOST_PICTURES}"
            )));
        }
        let (from, to) = self.frames.unwrap_or((1, count));
        if to > count {
            return Err(Failure::usage(format!(
                "--frames is {from}..{to}; allowed: within 1..{count}: the film takes {} s at {} \
                 frames a second",
                film::seconds(scene),
                scene.film.fps
            )));
        }
        Ok((from, to))
    }

    fn shot(&self, usual: (u32, u32)) -> RenderRequest {
        RenderRequest {
            samples: self.samples_per_pixel.unwrap_or(1),
            ..RenderRequest::new(self.size.unwrap_or(usual))
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let output = &arguments.output;
    let mut camera = BatchRenderer::new(super::warn);
    let is_scene = output.extension().is_some_and(|end| end == SCENE);
    if is_scene && arguments.format.is_none() {
        let scene = arguments.film(&mut camera)?;
        let reads = arguments.scene.reads([&scene]);
        arguments.many.check(&[Output::plain(output)], &reads)?;
        return Ok(export::scene(output, &scene)?);
    }
    // A wrong file name is reported before the landscape is generated.
    kind_of(arguments, 1)?;
    let scene = arguments.film(&mut camera)?;
    let order = order(arguments, scene)?;
    order.prepare()?;
    let outputs = order.outputs();
    let reads = arguments.scene.reads([&order.scene]);
    arguments.many.check(&outputs, &reads)?;
    let (started, mut last) = (Instant::now(), Instant::now());
    watch("filming", outputs[0].is_standard_output(), |job| {
        camera.film(&order, job, |filmed| {
            let began = std::mem::replace(&mut last, Instant::now());
            match &order.kind {
                FilmKind::Film(_) => Ok(()),
                FilmKind::Pictures(names) => {
                    (arguments.many).tell(|| of_picture(&names.file(filmed.number), filmed, began))
                }
            }
        })
    })?;
    match &order.kind {
        FilmKind::Film(_) => arguments.many.tell(|| of_film(&order, started)),
        FilmKind::Pictures(_) => Ok(()),
    }
}

fn order(arguments: &Arguments, scene: Scene) -> Result<FilmOrder, Failure> {
    let numbers = arguments.numbers(&scene)?;
    let kind = kind_of(arguments, film::pictures(&scene))?;
    let usual = match kind {
        FilmKind::Film(format) => format.usual_size,
        FilmKind::Pictures(_) => (1280, 720),
    };
    let order = FilmOrder {
        shot: arguments.shot(usual),
        resume: arguments.many.resume,
        output: arguments.output.clone(),
        scene,
        kind,
        numbers,
    };
    match order.kind {
        FilmKind::Film(_) if order.resume => Err(Failure::usage(
            "--resume works only with separate picture files, such as -o film-####.png",
        )),
        _ => Ok(order),
    }
}

/// The kind of output by the name of the file, for a film with `pictures` pictures.
fn kind_of(arguments: &Arguments, pictures: u32) -> Result<FilmKind, Failure> {
    let output = &arguments.output;
    let named = arguments.format.as_deref().and_then(FilmFormat::named);
    if let Some(format) = named {
        return Ok(FilmKind::Film(format));
    }
    if let Some(names) = Numbered::of(output, pictures) {
        let end = names.pattern().extension().unwrap_or_default();
        return if end.eq_ignore_ascii_case("png") {
            Ok(FilmKind::Pictures(names))
        } else {
            Err(Failure::usage(format!(
                "pictures are PNG files; the name must end with .png: {}",
                words::named(output)
            )))
        };
    }
    FilmFormat::of(output).map(FilmKind::Film).ok_or_else(|| {
        if export::is_standard_output(output) {
            return Failure::usage("`-` is standard output; allowed: `-` with --format gif, apng");
        }
        let ends = FILM_FORMATS.iter().flat_map(|format| format.extensions);
        let ends = ends.copied().collect::<Vec<_>>().join(", ");
        let end = output.extension().unwrap_or_default().to_string_lossy();
        Failure::usage(format!(
            "unknown film type `{end}`; allowed: {ends}, a folder/, or #### for the numbers of \
             pictures: {}",
            words::named(output)
        ))
    })
}

/// Facts about a film for a line of JSON.
fn of_film(order: &FilmOrder, started: Instant) -> Value {
    let request = order.request();
    json!({
        "files": [order.output.to_string_lossy()],
        "pictures": request.count(),
        "fps": request.fps,
        "width": request.size.0,
        "height": request.size.1,
        "seconds": seconds_since(started),
    })
}

fn of_picture(file: &Path, filmed: Filmed, began: Instant) -> Value {
    // The shortest decimal form, as in a scene file: 0.6, not 0.6000000238.
    let time: f64 = filmed.time.to_string().parse().unwrap_or_default();
    json!({
        "files": [file.to_string_lossy()],
        "frame": filmed.number,
        "time": time,
        "skipped": filmed.skipped,
        "seconds": seconds_since(began),
    })
}
