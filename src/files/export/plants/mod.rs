//! Export of plants and stones: as points for spreadsheets, engines and GIS (`points`), and with their models for
//! programs that draw them (`glb`, `usda`), on the axes of the meshes of the ground (`stand`).

mod glb;
mod points;
mod stand;
mod usda;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use super::error::{ExportError, write_error};
use super::file::{Complete, OutputFile, commit};
use super::georeference::{check_system, place_on_earth};
use super::heights::Location;
use super::memory::{check_free, check_memory, check_snow};
use super::names::portable;
use super::options::{PlantForm, PlantRequest};
use super::plan::{Output, as_json, check_outputs};
use crate::files::formats::program::PROGRAM;
use crate::files::formats::recipe::scene_as_json;
use crate::files::formats::sidecar::Sidecar;
use crate::files::import::reads;
use crate::fractal::region::Region;
use crate::generate::MAX_ITERATIONS_IN_MEMORY;
use crate::pipeline;
use crate::pipeline::inputs::Inputs;
use crate::plants::{Plant, Rect, Scatter};
use crate::scene::Scene;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;
use crate::util::language::mark;
use crate::util::numbers::metres_per_unit;
use crate::util::parallel;
use points::Points;
use stand::Stands;

/// Largest number of plants in a file.
pub const MOST_PLANTS: u64 = 20_000_000;
/// Largest number of plants that are nodes of a glTF of their own.
pub const MOST_NODES: usize = 100_000;

/// File format of plants: writes them in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlantFormat {
    /// Lines of numbers.
    Csv,
    /// Points with properties.
    GeoJson,
    /// Models, in binary glTF.
    Glb,
    /// Models, in USD as text.
    Usda,
}

impl PlantFormat {
    /// Formats, each with its extension and a line of description.
    pub const ALL: [(&'static str, Self, &'static str); 4] = [
        (
            "csv",
            Self::Csv,
            mark("comma-separated values, a line for each plant"),
        ),
        (
            "geojson",
            Self::GeoJson,
            mark("GeoJSON, a point for each plant"),
        ),
        (
            "glb",
            Self::Glb,
            mark("glTF 2.0 in metres, y up, a model for each plant"),
        ),
        (
            "usda",
            Self::Usda,
            mark("USD in metres, y up, a model for each plant"),
        ),
    ];

    /// Format by a file's extension, with its description.
    fn of(path: &Path) -> Result<(Self, &'static str), ExportError> {
        let extension = path.extension().unwrap_or_default();
        let extension = extension.to_string_lossy().to_lowercase();
        let found = Self::ALL.iter().find(|(name, ..)| *name == extension);
        found
            .map(|(_, format, help)| (*format, *help))
            .ok_or_else(|| ExportError::UnknownFormat {
                extension,
                allowed: Self::ALL.map(|(name, ..)| name).join(", "),
                path: path.to_owned(),
            })
    }
}

/// Check that the scene has plants, and that there is a format for the file that can hold them in the form asked for.
///
/// # Errors
/// It has none, or there is none.
pub fn check_plants(path: &Path, scene: &Scene, request: &PlantRequest) -> Result<(), ExportError> {
    let (format, _) = PlantFormat::of(path)?;
    if request.form.is_some() && format != PlantFormat::Glb {
        return Err(ExportError::FormOfPlants {
            path: path.to_owned(),
        });
    }
    match scene.plants_on().next() {
        Some(_) => Ok(()),
        None => Err(ExportError::NoPlants),
    }
}

/// Write the plants of a scene into a file; returns their number.
///
/// # Errors
/// The scene has no plants, or too many; a setting is invalid; there is too little memory; the region is not on the
/// map; or the file cannot be written.
pub fn plants(
    path: &Path,
    scene: &Scene,
    inputs: &Inputs,
    request: PlantRequest,
    job: &Job,
) -> Result<usize, ExportError> {
    check_plants(path, scene, &request)?;
    check_system(scene)?;
    check_outputs(&[Output::plants(path, request)], &reads(scene), &|_| false)?;
    pipeline::surface_of(scene).validate(MAX_ITERATIONS_IN_MEMORY)?;
    check_memory(scene, inputs)?;
    let map = Arc::new(pipeline::heights(scene, inputs, &job.share(0, 2))?);
    if scene.snow.enabled {
        check_snow(&map)?;
    }
    let made = job.share(1, 2);
    let scatter = pipeline::plants(scene, inputs, &map, &made)?.ok_or(ExportError::NoPlants)?;
    let rect = match request.region {
        Some(region) => rect_of(region, request.levels, &map)?,
        None => scatter.whole(),
    };
    let size = [map.rows(), map.columns()];
    let (file, count) = file_of(path, scene, inputs, request, (&scatter, rect, size), &made)?;
    commit(vec![file], job)?;
    Ok(count)
}

/// Make the file with the plants of a rectangle of a scene, on a map of so many rows and columns; returns it complete,
/// with their number.
///
/// # Errors
/// There are too many plants, there is too little memory, or the file cannot be written.
pub fn file_of(
    path: &Path,
    scene: &Scene,
    inputs: &Inputs,
    request: PlantRequest,
    (scatter, rect, [rows, columns]): (&Scatter, Rect, [usize; 2]),
    job: &Job,
) -> Result<(Complete, usize), ExportError> {
    let (format, help) = PlantFormat::of(path)?;
    let count = scatter.most_in(rect).ceil() as u64;
    if count > MOST_PLANTS {
        return Err(ExportError::TooManyPlants {
            count,
            most: MOST_PLANTS,
        });
    }
    // The parts of the blocks, and all of them together.
    check_free(count * 2 * size_of::<Plant>() as u64)?;
    let mut plants = scatter.plants_in(rect, job)?;
    if request.form == Some(PlantForm::Nodes) && plants.len() > MOST_NODES {
        return Err(ExportError::TooManyNodes {
            count: plants.len(),
            most: MOST_NODES,
        });
    }
    let metres = metres_per_unit(scene.surface.tile_size_m);
    let size = scatter.whole().last;
    let file = OutputFile::create(path)?;
    let mut sink = file.sink()?;
    let location = Location::whole(rows, columns);
    let points = Points {
        earth: place_on_earth(scene, inputs, location),
        metres,
        south: size[1],
    };
    let stands = Stands {
        size,
        metres,
        layers: &scene.plants,
    };
    let written = match format {
        PlantFormat::Csv => points.csv(&mut sink, &plants),
        PlantFormat::GeoJson => points.geojson(&mut sink, &plants),
        PlantFormat::Glb => match request.form.unwrap_or_default() {
            PlantForm::Instances => glb::instances(&mut sink, &mut plants, stands, job),
            PlantForm::Nodes => glb::nodes(&mut sink, &mut plants, stands),
        },
        PlantFormat::Usda => usda::write(&mut sink, &plants, stands),
    };
    let written = written.and_then(|()| sink.flush());
    written.map_err(write_error(path))?;
    let sidecar = Sidecar {
        program: PROGRAM.to_owned(),
        file: path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        format: Some(help.to_owned()),
        tile_size_m: Some(scene.surface.tile_size_m.into()),
        seed: Some(scene.surface.seed),
        scene: Some(scene_as_json(&portable(scene, path)?)),
        request: Some(as_json(&request, scene)),
        ..Sidecar::default()
    };
    let complete = Complete {
        file,
        beside: Vec::new(),
        sidecar: Some(sidecar),
    };
    Ok((complete, plants.len()))
}

/// Write plants in parts, formatted on all threads; `line` gets the index of each.
fn each_plant(
    sink: &mut impl Write,
    plants: &[Plant],
    line: impl Fn(&mut String, usize, &Plant) -> fmt::Result + Sync,
) -> io::Result<()> {
    /// Plants of a part, and of all parts that are held in memory.
    const PART: usize = 4096;
    const HELD: usize = 64 * PART;
    for (index, plants) in plants.chunks(HELD).enumerate() {
        let parts = parallel::par_items(plants.chunks(PART)).try_map(|part, plants| {
            let mut text = String::new();
            let first = index * HELD + part * PART;
            for (index, plant) in plants.iter().enumerate() {
                line(&mut text, first + index, plant)?;
            }
            Ok::<_, fmt::Error>(text)
        });
        for part in parts.map_err(io::Error::other)? {
            sink.write_all(part.as_bytes())?;
        }
    }
    Ok(())
}

/// Rectangle of a region of a map: from its first sample to its last.
fn rect_of(region: Region, levels: u32, map: &Heightmap) -> Result<Rect, ExportError> {
    let finer = |samples: usize| ((samples - 1) as u128) << levels.min(64);
    let cells = [finer(map.columns()), finer(map.rows())];
    let first = [region.column, region.row].map(u128::from);
    let last = [0, 1].map(|axis| first[axis] + [region.columns, region.rows][axis] as u128 - 1);
    if (0..2).any(|axis| last[axis] > cells[axis]) {
        return Err(ExportError::Region {
            region: format!(
                "{},{},{},{}",
                region.column, region.row, region.columns, region.rows
            ),
            columns: (cells[0] + 1).try_into().unwrap_or(u64::MAX),
            rows: (cells[1] + 1).try_into().unwrap_or(u64::MAX),
        });
    }
    let longer = cells[0].max(cells[1]) as f64;
    let half_tiles = |at: [u128; 2]| at.map(|at| at as f64 / longer * 2.0);
    Ok(Rect {
        first: half_tiles(first),
        last: half_tiles(last),
    })
}
