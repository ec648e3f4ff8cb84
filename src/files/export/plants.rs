//! Export of plants and stones as points: CSV for engines and spreadsheets, GeoJSON (RFC 7946) for GIS.
//!
//! Coordinates are those of the scene's place, or metres east and north of the south-western corner of the map.

use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use super::error::{ExportError, write_error};
use super::file::{Complete, OutputFile, commit};
use super::georeference::{check_system, place_on_earth};
use super::heights::Location;
use super::memory::{check_free, check_memory, check_snow};
use super::names::portable;
use super::options::PlantRequest;
use super::plan::{Output, as_json, check_outputs};
use crate::files::formats::program::PROGRAM;
use crate::files::formats::recipe::scene_as_json;
use crate::files::formats::sidecar::Sidecar;
use crate::files::import::reads;
use crate::fractal::region::Region;
use crate::generate::MAX_ITERATIONS_IN_MEMORY;
use crate::pipeline;
use crate::pipeline::inputs::Inputs;
use crate::plants::{Plant, Rect};
use crate::scene::Scene;
use crate::terrain::geo::{Georeference, Unit};
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;
use crate::util::numbers::metres_per_unit;
use crate::util::parallel;

/// Largest number of plants in a file.
pub const MOST_PLANTS: u64 = 20_000_000;

/// File format of plants: writes them in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlantFormat {
    Csv,
    GeoJson,
}

impl PlantFormat {
    const ALL: [(&'static str, Self, &'static str); 2] = [
        (
            "csv",
            Self::Csv,
            "comma-separated values, a line for each plant",
        ),
        ("geojson", Self::GeoJson, "GeoJSON, a point for each plant"),
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

/// Check that the scene has plants, and that there is a format for the file.
///
/// # Errors
/// It has none, or there is none.
pub fn check_plants(path: &Path, scene: &Scene) -> Result<(), ExportError> {
    PlantFormat::of(path)?;
    match scene.plants_on().next() {
        Some(_) => Ok(()),
        None => Err(ExportError::NoPlants),
    }
}

/// Write the plants of a scene into a CSV or GeoJSON file; returns their number.
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
    check_plants(path, scene)?;
    let (format, help) = PlantFormat::of(path)?;
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
    let count = scatter.most_in(rect).ceil() as u64;
    if count > MOST_PLANTS {
        return Err(ExportError::TooManyPlants {
            count,
            most: MOST_PLANTS,
        });
    }
    // The parts of the blocks, and all of them together.
    check_free(count * 2 * size_of::<Plant>() as u64)?;
    let plants = scatter.plants_in(rect, &made)?;
    let location = Location::whole(map.rows(), map.columns());
    let points = Points {
        earth: place_on_earth(scene, inputs, location),
        metres: metres_per_unit(scene.surface.tile_size_m),
        south: scatter.whole().last[1],
    };
    let file = OutputFile::create(path)?;
    let mut sink = file.sink()?;
    let written = match format {
        PlantFormat::Csv => points.csv(&mut sink, &plants),
        PlantFormat::GeoJson => points.geojson(&mut sink, &plants),
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
    commit(vec![complete], job)?;
    Ok(plants.len())
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

/// Conversion of plants to numbers in a file.
struct Points {
    earth: Option<Georeference>,
    /// Metres of a half tile.
    metres: f64,
    /// Southern border in half tiles from the northern one.
    south: f64,
}

impl Points {
    /// Write plants in parts, formatted on all threads; each part gets the index of its first plant.
    fn write(
        &self,
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

    /// Write the coordinates east, north and up, with commas.
    fn place(&self, text: &mut String, plant: &Plant) -> fmt::Result {
        let [x, y] = match &self.earth {
            Some(earth) => earth.point(plant.place),
            None => [plant.place[0], self.south - plant.place[1]].map(|at| at * self.metres),
        };
        let decimals = match &self.earth {
            Some(earth) if matches!(earth.unit, Unit::Degrees(_)) => 8,
            _ => 3,
        };
        let z = f64::from(plant.ground) * self.metres;
        write!(text, "{x:.decimals$},{y:.decimals$},{z:.3}")
    }

    fn csv(&self, sink: &mut impl Write, plants: &[Plant]) -> io::Result<()> {
        writeln!(sink, "species,x,y,z,height,radius,rotation,slope")?;
        self.write(sink, plants, |text, _, plant| {
            let Plant {
                kind,
                height_m,
                radius_m,
                rotation,
                slope,
                ..
            } = plant;
            write!(text, "{kind},")?;
            self.place(text, plant)?;
            writeln!(
                text,
                ",{height_m:.3},{radius_m:.3},{rotation:.1},{slope:.1}"
            )
        })
    }

    fn geojson(&self, sink: &mut impl Write, plants: &[Plant]) -> io::Result<()> {
        write!(sink, "{{\"type\":\"FeatureCollection\",")?;
        // RFC 7946 means WGS 84; other systems are named as GeoJSON 2008 did, which GIS still read.
        let code = self.earth.as_ref().and_then(|earth| earth.keys.epsg());
        if let Some(code) = code.filter(|code| *code != 4326) {
            write!(
                sink,
                "\"crs\":{{\"type\":\"name\",\"properties\":{{\"name\":\
                 \"urn:ogc:def:crs:EPSG::{code}\"}}}},"
            )?;
        }
        write!(sink, "\"features\":[")?;
        self.write(sink, plants, |text, index, plant| {
            let comma = if index > 0 { "," } else { "" };
            let Plant {
                kind,
                height_m,
                radius_m,
                rotation,
                slope,
                ..
            } = plant;
            write!(
                text,
                "{comma}\n{{\"type\":\"Feature\",\"geometry\":{{\"type\":\"Point\",\"coordinates\":["
            )?;
            self.place(text, plant)?;
            write!(
                text,
                "]}},\"properties\":{{\"species\":\"{kind}\",\"height\":{height_m:.3},\
                 \"radius\":{radius_m:.3},\"rotation\":{rotation:.1},\"slope\":{slope:.1}}}}}"
            )
        })?;
        writeln!(sink, "\n]}}")
    }
}
