//! `landform render`: the picture that the window would show, without a display; or one of each
//! of several scenes, in files or on a contact sheet.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, json};

use super::batch::BatchArgs;
use super::error::Failure;
use super::progress::watch;
use super::scene_args::{SurfaceArgs, ViewArgs, size};
use super::sweep::{self, Variant};
use crate::export::{self, check_memory};
use crate::generate::MAX_ITERATIONS_IN_MEMORY;
use crate::grid::Grid;
use crate::job::Job;
use crate::pipeline::Pipeline;
use crate::render::{RenderError, Studio};
use crate::sheet::{self, Cell};

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SurfaceArgs,
    #[command(flatten)]
    view: ViewArgs,
    #[command(flatten)]
    batch: BatchArgs,
    /// Size of a picture in pixels [default: 1280x720; on a contact sheet 320x180]
    #[arg(long, value_name = "WxH", help_heading = "Picture", allow_hyphen_values = true, value_parser = size)]
    size: Option<(u32, u32)>,
    /// All pictures on one sheet, so many across and down; without --seeds or a list in --set of
    /// the scene's seed and those after it
    #[arg(long, value_name = "CxR", help_heading = "Many files", value_parser = sheet_size,
        conflicts_with = "resume", allow_hyphen_values = true)]
    contact_sheet: Option<(usize, usize)>,
    /// PNG file to write
    #[arg(short, long, value_name = "FILE.png")]
    output: PathBuf,
}

fn sheet_size(text: &str) -> Result<(usize, usize), String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=32).contains(side));
    text.split_once('x')
        .and_then(|(columns, rows)| Some((side(columns)?, side(rows)?)))
        .ok_or_else(|| "allowed is COLUMNSxROWS, each 1 to 32".to_owned())
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let output = &arguments.output;
    let extension = output.extension().unwrap_or_default().to_string_lossy();
    if !extension.eq_ignore_ascii_case("png") && !export::is_device(output) {
        return Err(Failure::usage(format!(
            "unknown picture type `{extension}`, allowed is png: {}",
            output.display()
        )));
    }
    let most = |_: &_| MAX_ITERATIONS_IN_MEMORY;
    let (view, batch) = (&arguments.view, &arguments.batch);
    let variants = arguments.scene.variants(Some(view), batch.seeds(), most)?;
    let mut camera = Photographer::default();
    if let Some((columns, rows)) = arguments.contact_sheet {
        let size = arguments.size.unwrap_or((320, 180));
        let variants = on_a_sheet(variants, (columns, rows), size)?;
        batch.check_replaced(output)?;
        let cells = watch("rendering", |job| {
            let take = |(index, variant): (usize, &Variant)| {
                let picture = camera.picture(variant, size, &job.share(index, variants.len()))?;
                job.check().map_err(Failure::failed)?;
                let words = variant.label();
                Ok(Cell { picture, words })
            };
            variants
                .iter()
                .enumerate()
                .map(take)
                .collect::<Result<Vec<_>, Failure>>()
        })?;
        let sheet = sheet::sheet(&cells, columns, rows);
        export::picture(output, &sheet, &variants[0].scene)?;
        return Ok(());
    }
    let size = arguments.size.unwrap_or((1280, 720));
    let files = sweep::files(&variants, std::slice::from_ref(output))?;
    let all = |file: &Path| vec![file.to_owned()];
    batch.run(
        "rendering",
        &variants,
        &files,
        all,
        |variant, files, job| {
            let picture = camera.picture(variant, size, job)?;
            for file in files {
                export::picture(file, &picture, &variant.scene)?;
            }
            let facts = [("width", json!(size.0)), ("height", json!(size.1))];
            let facts = facts.map(|(name, value)| (name.to_owned(), value));
            Ok(Map::from_iter(facts))
        },
    )
}

/// The scenes of a sheet: those asked for, or the scene with one seed after the other.
fn on_a_sheet(
    mut variants: Vec<Variant>,
    (columns, rows): (usize, usize),
    size: (u32, u32),
) -> Result<Vec<Variant>, Failure> {
    /// What every driver in use can draw, so what programs can show.
    const MOST: u64 = 16_384;
    let room = columns * rows;
    if variants.len() > room {
        return Err(Failure::usage(format!(
            "{} scenes, allowed on a sheet of {columns}x{rows} are {room}",
            variants.len()
        )));
    }
    let (width, height) = sheet::size(columns, rows, size);
    if width.max(height) > MOST {
        return Err(Failure::usage(format!(
            "the sheet is {width} × {height} pixels, allowed is up to {MOST} a side"
        )));
    }
    if let [only] = &variants[..]
        && only.settings.is_empty()
    {
        let seeds = (0..room as u64).map(|step| only.scene.surface.seed.wrapping_add(step));
        let of_seed = |(index, seed): (usize, u64)| {
            let mut variant = only.clone();
            variant.index = index + 1;
            variant.scene.surface.seed = seed;
            variant.settings = vec![("surface.seed".to_owned(), seed.to_string())];
            variant
        };
        variants = seeds.enumerate().map(of_seed).collect();
    }
    Ok(variants)
}

/// Takes pictures; what a scene shares with the one before is made once.
#[derive(Default)]
struct Photographer {
    pipeline: Pipeline,
    studio: Option<Studio>,
}

impl Photographer {
    fn picture(
        &mut self,
        variant: &Variant,
        size: (u32, u32),
        job: &Job,
    ) -> Result<Grid<[u8; 3]>, Failure> {
        check_memory(&variant.scene)?;
        let inputs = super::inputs(&variant.scene)?;
        let landscape = self.pipeline.run(&variant.scene, &inputs, job)?;
        let failed = |error| match error {
            RenderError::Size { .. } => Failure::usage(error),
            error => Failure::failed(error),
        };
        let studio = match &mut self.studio {
            Some(studio) => studio,
            none => none.insert(Studio::new().map_err(failed)?),
        };
        studio.picture(&landscape, size).map_err(failed)
    }
}
