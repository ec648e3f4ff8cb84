//! `landform render`: headless rendering of one or several scenes, into files or onto a contact sheet.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value, json};

use super::args::ViewArgs;
use super::batch::{self, BatchArgs, BatchFiles, MOST, Variant};
use super::console::{Failure, watch};
use super::scene_args::{SurfaceArgs, sides, size};
use crate::batch_renderer::{BatchRenderer, request};
use crate::camera;
use crate::files::export::{self, Output, PictureRequest};
use crate::files::sheet::{self, Cell};
use crate::generate::MAX_ITERATIONS_IN_MEMORY;
use crate::render::{MOST_SAMPLES, RenderRequest};
use crate::terrain::grid::Grid;
use crate::util::job::Job;
use crate::util::lettering;
use crate::util::system_fonts::SystemFonts;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub(super) scene: SurfaceArgs,
    #[command(flatten)]
    view: ViewArgs,
    #[command(flatten)]
    batch: BatchArgs,
    /// Size of a picture in pixels [default: 1280x720; on a contact sheet 320x180]
    #[arg(long, value_name = "WxH", help_heading = "Picture", allow_hyphen_values = true, value_parser = size)]
    size: Option<(u32, u32)>,
    /// Contact sheet of all pictures, with this many columns and rows: variations with --vary;
    /// without --vary, --seeds or a list in --set, the scene's seed and the seeds after it
    #[arg(long, value_name = "CxR", help_heading = "Many files", value_parser = sheet_size,
        conflicts_with = "resume", allow_hyphen_values = true)]
    contact_sheet: Option<(usize, usize)>,
    /// Render this many pictures along the scene's camera path, from its first key frame to its
    /// last; `{frame}` in the file name is the number of each, such as 0001
    #[arg(long, value_name = "N", help_heading = "Many files", allow_hyphen_values = true,
        value_parser = clap::value_parser!(u32).range(1..=MOST as i64),
        conflicts_with_all = ["contact_sheet", "seeds", "camera", "bookmark"])]
    frames: Option<u32>,
    /// Samples averaged per pixel, each at another place in it: smoother edges and textures
    /// [1 to 16; default 1]
    #[arg(long, value_name = "N", help_heading = "Picture", allow_hyphen_values = true,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_SAMPLES)),
        conflicts_with = "contact_sheet")]
    samples_per_pixel: Option<u32>,
    /// No sky and no background: transparent where there is no landscape
    #[arg(long, help_heading = "Picture", conflicts_with = "contact_sheet")]
    transparent: bool,
    /// Format, whatever the file's name
    #[arg(long, value_name = "NAME", value_parser = ["png"])]
    format: Option<String>,
    /// PNG file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE.png")]
    output: PathBuf,
}

fn sheet_size(text: &str) -> Result<(usize, usize), String> {
    sides(text, &(1..=32)).ok_or_else(|| "allowed: COLUMNSxROWS, each 1 to 32".to_owned())
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let output = &arguments.output;
    let extension = output.extension().unwrap_or_default().to_string_lossy();
    let is_png = extension.eq_ignore_ascii_case("png") || arguments.format.is_some();
    if !is_png && !export::is_standard_output(output) {
        return Err(Failure::usage(format!(
            "unknown picture type `{extension}`; allowed: png: {}",
            crate::util::words::named(output)
        )));
    }
    let most = |_: &_| MAX_ITERATIONS_IN_MEMORY;
    let (view, batch) = (&arguments.view, &arguments.batch);
    let (scene, seeds) = (&arguments.scene, batch.seeds());
    if let Some(sides) = arguments.contact_sheet {
        let variants = match scene.family(Some(view), seeds, sides, most)? {
            Some(family) => family,
            None => scene.variants(Some(view), seeds, most)?,
        };
        return write_sheet(arguments, variants, sides);
    }
    let variants = scene.variants(Some(view), seeds, most)?;
    let mut camera = BatchRenderer::new(super::warn);
    let shot = RenderRequest {
        samples: arguments.samples_per_pixel.unwrap_or(1),
        transparent: arguments.transparent,
        ..RenderRequest::new(arguments.size.unwrap_or((1280, 720)))
    };
    let path = arguments.frames.map(|_| path_of(&variants)).transpose()?;
    let variants = match arguments.frames {
        Some(count) => frames(&variants[0], count),
        None => variants,
    };
    let files = batch::files(&variants, std::slice::from_ref(output))?;
    let request = request(shot);
    let all = files.iter().flatten();
    let all = all.map(|file| vec![Output::picture(file, request)]);
    let all: Vec<_> = all.collect();
    batch.many.check(
        all.iter().flatten(),
        &arguments
            .scene
            .reads(variants.iter().map(|variant| &variant.scene)),
    )?;
    let variants = match path {
        Some(path) => along(&mut camera, &path, variants)?,
        None => variants,
    };
    let outputs = BatchFiles {
        names: &files,
        files: &all,
    };
    batch
        .many
        .run("rendering", &variants, &outputs, |variant, files, job| {
            for file in files {
                camera.write(&variant.scene, shot, file, job)?;
            }
            let facts = [
                ("width", json!(shot.size.0)),
                ("height", json!(shot.size.1)),
            ];
            let facts = facts.map(|(name, value)| (name.to_owned(), value));
            Ok(Map::from_iter(facts))
        })
}

/// Render all scenes and write them as one contact sheet with `columns` and `rows`.
fn write_sheet(
    arguments: &Arguments,
    variants: Vec<Variant>,
    (columns, rows): (usize, usize),
) -> Result<(), Failure> {
    let size = arguments.size.unwrap_or((320, 180));
    let variants = on_a_sheet(variants, (columns, rows), size)?;
    let (width, height) = sheet::size(columns, rows, size);
    let request = PictureRequest {
        size: (width as u32, height as u32),
        samples: 1,
        transparent: false,
    };
    let output = Output::picture(&arguments.output, request);
    let batch = &arguments.batch;
    batch.many.check(
        [&output],
        &arguments
            .scene
            .reads(variants.iter().map(|variant| &variant.scene)),
    )?;
    let mut camera = BatchRenderer::new(super::warn);
    watch("rendering", output.is_standard_output(), |job| {
        let take = |(index, variant): (usize, &Variant)| {
            let picture =
                camera.picture(&variant.scene, size, &job.share(index, variants.len()))?;
            job.check().map_err(Failure::failed)?;
            let words = crate::util::words::window(&variant.label());
            Ok(Cell { picture, words })
        };
        let cells = variants.iter().enumerate().map(take);
        let cells = cells.collect::<Result<Vec<_>, Failure>>()?;
        let sheet = sheet::sheet(&cells, columns, rows, &fonts_for(&cells));
        let scene = &variants[0].scene;
        let written = export::picture_unless_cancelled(output.path(), &sheet, scene, job);
        written.map_err(Failure::of_export)?;
        batch
            .many
            .tell(|| of_sheet(output.path(), &sheet, &variants))
    })
}

/// Facts about a sheet and its cells, in row order, for a line of JSON.
fn of_sheet(file: &Path, sheet: &Grid<[u8; 3]>, variants: &[Variant]) -> Value {
    let cell = |variant: &Variant| {
        json!({
            "index": variant.index,
            "seed": variant.scene.surface.seed,
            "settings": batch::settings(variant),
        })
    };
    json!({
        "files": [file.to_string_lossy()],
        "width": sheet.columns(),
        "height": sheet.rows(),
        "cells": variants.iter().map(cell).collect::<Vec<_>>(),
    })
}

/// The scenes of a sheet: the given variants, or a single scene with consecutive seeds.
fn on_a_sheet(
    mut variants: Vec<Variant>,
    (columns, rows): (usize, usize),
    size: (u32, u32),
) -> Result<Vec<Variant>, Failure> {
    /// The largest side in pixels; every driver in use can draw it, so programs can show it.
    const MOST_SIDE: u64 = 16_384;
    let room = columns * rows;
    if variants.len() > room {
        return Err(Failure::usage(format!(
            "{} scenes, allowed on a sheet of {columns}x{rows} are {room}",
            variants.len()
        )));
    }
    let (width, height) = sheet::size(columns, rows, size);
    if width.max(height) > MOST_SIDE {
        return Err(Failure::usage(format!(
            "the sheet is {width} × {height} pixels; allowed: up to {MOST_SIDE} a side"
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

/// The camera path of the only scene; fails for several scenes or too few key frames.
fn path_of(variants: &[Variant]) -> Result<camera::Path, Failure> {
    let [only] = variants else {
        return Err(Failure::usage(format!(
            "--frames needs a single scene, not {} scenes",
            variants.len()
        )));
    };
    let path = &only.scene.path;
    camera::Path::new(path).ok_or_else(|| {
        Failure::usage(format!(
            "the camera path has {} key frames, allowed with --frames are 2 or more",
            path.frames.len()
        ))
    })
}

/// Place the camera of each frame along a camera path, at equal time steps.
fn along(
    camera: &mut BatchRenderer,
    path: &camera::Path,
    mut frames: Vec<Variant>,
) -> Result<Vec<Variant>, Failure> {
    let ground = camera.ground(&frames[0].scene, &Job::new())?;
    let last = (frames.len() - 1).max(1) as f64;
    for (index, frame) in frames.iter_mut().enumerate() {
        let part = index as f64 / last;
        let (start, end) = (f64::from(path.start()), f64::from(path.end()));
        let time = (start + (end - start) * part) as f32;
        let tile_size_m = frame.scene.surface.tile_size_m;
        frame.scene.camera = path.at(time, ground.as_ref(), tile_size_m);
    }
    Ok(frames)
}

/// Copies of a scene, one per frame, with frame numbers.
fn frames(only: &Variant, count: u32) -> Vec<Variant> {
    let digits = count.to_string().len().max(4);
    let frame = |index| Variant {
        index,
        frame: Some((index, digits)),
        ..only.clone()
    };
    (1..=count as usize).map(frame).collect()
}

/// System fonts for the picture labels, if the built-in font lacks characters.
fn fonts_for(cells: &[Cell]) -> Vec<(Vec<u8>, u32)> {
    let missing = cells
        .iter()
        .flat_map(|cell| lettering::missing(&cell.words));
    let missing: BTreeSet<char> = missing.collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let found = SystemFonts::load().with(missing).into_iter();
    found.map(|font| (font.data, font.index)).collect()
}
