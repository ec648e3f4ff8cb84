//! Folder of files for an engine: heights in a size and a format that it takes, masks of the materials, colours, plants,
//! the scene, previews, and `landform.json`, which names all of them and the numbers to enter.
//!
//! `landform.json` is the sidecar of the heights with more keys, and its companions are the other files. So the heights
//! can be opened again, and files that nobody has changed since are recognized and replaced. The ground is made once for
//! all maps, and all files are renamed together.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::error::{ExportError, write_error};
use super::file::{Complete, OutputFile, Together, commit};
use super::georeference::check_system;
use super::heights::first_of;
use super::options::{Options, PlantRequest};
use super::piece::Span;
use super::pieces::Prepared;
use super::plan::{Output, Plan, check_outputs};
use super::registry::{Engine, Resolution};
use super::row_source::{Excerpt, RowSource};
use super::written::Written;
use super::{names, pictures, plants};
use crate::files::formats::program::PROGRAM;
use crate::files::formats::sidecar::{FOLDER_SIDECAR, Sidecar};
use crate::files::import::reads;
use crate::generate::{Generator, MAX_ITERATIONS_IN_MEMORY};
use crate::pipeline;
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::shading::maps::materials::{self, EXCLUSIVE, NAMES};
use crate::shading::maps::{HEIGHTS, Map, water};
use crate::shading::texture::Palette;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;
use crate::util::language::tr;
use crate::util::numbers::metres_per_unit;

/// Samples along the longer side of a preview.
const PREVIEW: usize = 512;
/// Name of the file with the scene.
const SCENE: &str = "scene.toml";

/// Rows and columns of the map of a scene, before it is made.
///
/// # Errors
/// Its image is missing.
pub fn map_size(scene: &Scene, inputs: &Inputs) -> Result<[usize; 2], ExportError> {
    let surface = pipeline::surface_of(scene);
    surface.validate(MAX_ITERATIONS_IN_MEMORY)?;
    let side = (1 << surface.iterations) + 1;
    Ok(match surface.generator {
        Generator::Image => {
            let image = &inputs.images.of(&surface)?.grid;
            let image = [image.rows(), image.columns()];
            surface.image.map_size(&surface, image)
        }
        Generator::Midpoint1d => [1, side],
        _ => [side; 2],
    })
}

/// Size of a folder for an engine, known before anything is made.
#[derive(Clone, Copy, Debug)]
pub struct EngineSize {
    /// The engine.
    pub engine: &'static Engine,
    /// Rows and columns of the heights and of the masks.
    pub size: [usize; 2],
    /// Rows and columns of the scene's map.
    pub map: [usize; 2],
    /// Levels by which the map is refined, so that it has at least as many samples.
    pub levels: u32,
}

impl EngineSize {
    /// Size for an engine of a map with so many rows and columns: `samples` along the longer side, or the nearest that
    /// the engine takes.
    ///
    /// # Errors
    /// The engine does not take that size, or the shape of the map.
    pub fn new(
        engine: &'static Engine,
        samples: Option<usize>,
        map: [usize; 2],
    ) -> Result<Self, ExportError> {
        let [rows, columns] = map;
        let is_profile = rows.min(columns) == 1;
        if is_profile || (engine.is_square && rows != columns) {
            return Err(ExportError::EngineShape {
                engine: engine.name,
                columns,
                rows,
            });
        }
        let longer = rows.max(columns);
        let samples = samples.unwrap_or_else(|| engine.nearest_size(longer));
        if !engine.sizes.contains(&samples) {
            let allowed: Vec<_> = engine.sizes.iter().map(usize::to_string).collect();
            return Err(ExportError::EngineSize {
                engine: engine.name,
                samples,
                allowed: allowed.join(", "),
            });
        }
        let cells = |levels: u32| (longer - 1) << levels;
        let levels = (0..MAX_ITERATIONS_IN_MEMORY).find(|levels| cells(*levels) + 1 >= samples);
        Ok(Self {
            engine,
            size: Resolution::Exactly(samples).of(rows, columns),
            map,
            levels: levels.unwrap_or_default(),
        })
    }

    /// Number of iterations whose map has at least as many samples.
    #[must_use]
    pub fn iterations(&self) -> u32 {
        let cells = self.size[0].max(self.size[1]) - 1;
        cells.next_power_of_two().ilog2()
    }

    /// Names of all files for a scene.
    #[must_use]
    pub fn names(&self, scene: &Scene) -> Vec<String> {
        let mut names = vec![
            self.heights(),
            "albedo.png".to_owned(),
            preview(HEIGHTS.name),
        ];
        for material in NAMES {
            names.extend([mask(material), preview(material)]);
        }
        names.extend(self.water_surface(scene));
        names.extend(self.plants(scene));
        names.extend([SCENE.to_owned(), FOLDER_SIDECAR.to_owned()]);
        names
    }

    fn heights(&self) -> String {
        format!("heights.{}", self.engine.formats[0].extension)
    }

    /// File with the water surface, if the scene has water. Its numbers are those of the heights, so that the same scale
    /// fits both.
    fn water_surface(&self, scene: &Scene) -> Option<String> {
        let extension = self.engine.formats[0].extension;
        water::has_water(scene).then(|| format!("{}.{extension}", water::MAP.name))
    }

    /// File with the plants, if the scene has any.
    fn plants(&self, scene: &Scene) -> Option<String> {
        let has_plants = scene.plants_on().next().is_some();
        has_plants.then(|| format!("plants.{}", self.engine.plants))
    }

    /// Line on the number and the size of the files for a scene.
    #[must_use]
    pub fn forecast(&self, scene: &Scene) -> String {
        let [rows, columns] = self.size;
        let count = self.names(scene).len();
        tr!(
            "{count} files with {columns} × {rows} samples for {}, at most {} MB",
            self.engine.name,
            self.most_bytes(scene).div_ceil(1_000_000),
            count,
            columns,
            rows
        )
    }

    /// Most bytes of all files but the plants.
    fn most_bytes(&self, scene: &Scene) -> u64 {
        let [rows, columns] = self.size.map(|side| side as u64);
        let heights = 1 + u64::from(water::has_water(scene));
        // Heights of four bytes at most, colours, masks; then the previews.
        rows * columns * (4 * heights + 3 + NAMES.len() as u64)
            + (NAMES.len() as u64 + 1) * (1 << 18)
    }

    /// Line on the refinement of a map that has too few samples; `None` if it has enough.
    #[must_use]
    pub fn refined(&self) -> Option<String> {
        let (levels, iterations) = (self.levels, self.iterations());
        let [rows, columns] = self.map;
        (levels > 0).then(|| {
            tr!("the map of {columns} × {rows} samples is refined by 1 level; {iterations} iterations have as many"
                | "the map of {columns} × {rows} samples is refined by {n} levels; {iterations} iterations have as many"
                % levels, columns, rows, iterations)
        })
    }
}

/// A folder of files for an engine.
#[derive(Debug)]
pub struct EngineFolder<'a> {
    folder: PathBuf,
    scene: &'a Scene,
    palette: Arc<Palette>,
    size: EngineSize,
    /// Folder that was made for the files, until they are complete.
    new: NewFolder,
}

/// Removes an empty folder when it is dropped.
#[derive(Debug, Default)]
struct NewFolder(Option<PathBuf>);

impl Drop for NewFolder {
    fn drop(&mut self) {
        if let Some(folder) = &self.0 {
            // A folder that others have put something into stays.
            drop(fs::remove_dir(folder));
        }
    }
}

impl<'a> EngineFolder<'a> {
    /// Plan the files of a scene in `folder`: `samples` along the longer side of the heights, or the nearest number that
    /// the engine takes. From `inputs` only the palette and the sizes of images are used.
    ///
    /// # Errors
    /// As [`EngineSize::new`] and [`map_size`], or the palette is unknown.
    pub fn new(
        folder: &Path,
        engine: &'static Engine,
        samples: Option<usize>,
        scene: &'a Scene,
        inputs: &Inputs,
    ) -> Result<Self, ExportError> {
        Ok(Self {
            folder: folder.to_owned(),
            scene,
            palette: inputs.palette(&scene.view.palette)?,
            size: EngineSize::new(engine, samples, map_size(scene, inputs)?)?,
            new: NewFolder::default(),
        })
    }

    /// Size of the maps.
    #[must_use]
    pub fn size(&self) -> &EngineSize {
        &self.size
    }

    /// Names of all files.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.size.names(self.scene)
    }

    fn heights(&self) -> String {
        self.size.heights()
    }

    fn plants(&self) -> Option<String> {
        self.size.plants(self.scene)
    }

    /// The folder as an output of a run.
    #[must_use]
    pub fn output(&self) -> Output {
        let in_folder = |name: String| self.folder.join(name);
        Output::folder(
            &self.folder.join(FOLDER_SIDECAR),
            self.names().into_iter().map(in_folder).collect(),
        )
    }

    /// Make the folder if there is none, and check that all files can be written. `may_replace` decides about a folder
    /// that is not empty and not from Landform, and about files that have been changed since.
    ///
    /// # Errors
    /// It may not be written into, or as [`check_outputs`].
    pub fn prepare(&mut self, may_replace: &dyn Fn(&Path) -> bool) -> Result<(), ExportError> {
        let path = &self.folder;
        match fs::create_dir(path) {
            Ok(()) => self.new = NewFolder(Some(path.clone())),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => {
                let mut entries = fs::read_dir(path).map_err(write_error(path))?;
                let is_own = || Sidecar::read_own(&path.join(FOLDER_SIDECAR)).is_some();
                if entries.next().is_some() && !is_own() && !may_replace(path) {
                    let path = path.clone();
                    return Err(ExportError::ForeignFolder { path });
                }
            }
            Err(error) => return Err(write_error(path)(error)),
        }
        check_outputs(&[self.output()], &reads(self.scene), may_replace)
    }

    /// Write all files into the folder, which is prepared.
    ///
    /// # Errors
    /// A setting is invalid, there is too little memory, a file cannot be written, or the job was cancelled; then no
    /// file is changed.
    pub fn write(mut self, inputs: &Inputs, job: &Job) -> Result<Written, ExportError> {
        check_system(self.scene)?;
        let together = Together::default();
        let paths = |name: &str| [self.folder.join(name)];
        let plan = |files: &[PathBuf], map: &'static Map| {
            let options = self.options(map);
            let plan = Plan::new(files, self.scene, &self.palette, &options)?;
            Ok::<_, ExportError>(plan.with(&together))
        };
        let heights = plan(&paths(&self.heights()), &HEIGHTS)?;
        let albedo = plan(&paths("albedo.png"), named("albedo"))?;
        let masks = plan(&paths(&mask("{band}")), named("materials"))?;
        let surface = self.size.water_surface(self.scene);
        let surface = surface.map(|name| plan(&paths(&name), &water::MAP));
        let surface = surface.transpose()?;
        let making = &job.span(0..4, 10);
        let prepared = Prepared::new(&masks, inputs, making)?;
        let whole = Excerpt::new(&prepared.source, false);
        // The crop of a power of two leaves samples out.
        let whole = whole.part(first_of(prepared.size))?;
        let written = prepared.write(&heights, inputs, None, [making, &job.span(4..5, 10)])?;
        prepared.write(&albedo, inputs, None, [making, &job.span(5..6, 10)])?;
        if let Some(surface) = &surface {
            prepared.write(surface, inputs, None, [making, &job.part()])?;
        }
        let range = whole.range_of_all(making)?;
        let (span, drawing) = (Span::Heights(range.0, range.1), &job.span(6..9, 10));
        let piece = prepared.piece(&masks, span, whole.location, drawing);
        let bytes = pictures::material_masks(&piece, whole)?;
        pictures::materials(&piece, prepared.size, &bytes, masks.open(None)?)?;
        let small = |name: &str, pixels: &Grid<u8>| {
            let file = OutputFile::create(&self.folder.join(preview(name)))?;
            pictures::grey(&piece, &file, pixels, "preview")?;
            together.add(vec![file.into()]);
            Ok::<_, ExportError>(())
        };
        let ground = whole.whole(drawing)?;
        small(HEIGHTS.name, &small_heights(&ground, range))?;
        for (index, name) in NAMES.iter().enumerate() {
            let byte = |row: usize, column: usize| {
                f32::from(bytes[row * prepared.size[1] + column][index])
            };
            small(name, &reduced(prepared.size, byte))?;
        }
        if let Some(name) = self.plants() {
            let path = self.folder.join(name);
            let request = PlantRequest::default();
            let scatter = prepared.plants.as_ref().ok_or(ExportError::NoPlants)?;
            let of = (scatter, scatter.whole(), self.size.map);
            let job = &job.span(9..10, 10);
            let (file, _) = plants::file_of(&path, self.scene, inputs, request, of, job)?;
            together.add(vec![file]);
        }
        let scene = OutputFile::create(&self.folder.join(SCENE))?;
        scene.fill(
            names::in_full(self.scene, scene.path())?
                .to_toml()
                .as_bytes(),
        )?;
        together.add(vec![scene.into()]);
        let shares = materials::shares(&bytes);
        let all = self.with_list(together.take(), shares)?;
        let before = Sidecar::read_own(&self.folder.join(FOLDER_SIDECAR));
        commit(all, job)?;
        self.new.0 = None;
        self.remove_old(before);
        Ok(written)
    }

    /// Options of a map.
    fn options(&self, map: &'static Map) -> Options {
        let engine = self.size.engine;
        Options {
            format: map.holds_heights().then(|| engine.formats[0]),
            map: Some(map),
            samples: Resolution::Exactly(self.size.size[0].max(self.size.size[1])),
            levels: self.size.levels,
            flip: map.holds_heights() && engine.south_first,
            ..Options::default()
        }
    }

    /// The complete files and the list of them.
    fn with_list(
        &self,
        mut all: Vec<Complete>,
        shares: [f64; NAMES.len()],
    ) -> Result<Vec<Complete>, ExportError> {
        let sidecars: Vec<_> = all.iter_mut().map(|file| file.sidecar.take()).collect();
        let is_surface = |sidecar: &&Sidecar| sidecar.map.as_deref() == Some(water::MAP.name);
        let surface = sidecars.iter().flatten().find(is_surface).map(surface_of);
        let mut summaries = all.iter().map(|file| file.file.summary());
        let main = summaries.next().transpose()?;
        let mut sidecar = sidecars.into_iter().next().flatten().unwrap_or_default();
        sidecar.bytes = main.as_ref().map(|main| main.bytes);
        sidecar.checksum = main.map(|main| main.checksum);
        sidecar.beside = summaries.collect::<Result<_, _>>()?;
        let engine = self.size.engine;
        let enter = sidecar.engines.remove(engine.name);
        sidecar.engines.clear();
        let mut text = serde_json::to_value(&sidecar).unwrap_or_default();
        let first = [
            ("engine", json!(engine.name)),
            ("enter", json!(enter)),
            ("axes", json!(engine.axes)),
            ("size_m", self.size_m()),
        ];
        let mut head = String::new();
        for (key, value) in first {
            head += &format!("\n  \"{key}\": {value},");
        }
        let lines: Vec<_> = self.contents(shares).iter().map(Value::to_string).collect();
        head += &format!("\n  \"contents\": [\n    {}\n  ],", lines.join(",\n    "));
        if let Value::Object(keys) = &mut text {
            keys.retain(|_, value| ![json!(null), json!([]), json!({})].contains(value));
            keys.extend([
                (
                    "iterations".to_owned(),
                    json!(self.scene.surface.iterations),
                ),
                ("refined_by_levels".to_owned(), json!(self.size.levels)),
                ("water".to_owned(), self.water(surface)),
            ]);
        }
        let list = OutputFile::create(&self.folder.join(FOLDER_SIDECAR))?;
        // The most wanted comes first.
        let text = format!("{text:#}\n").replacen('{', &format!("{{{head}"), 1);
        list.fill(text.as_bytes())?;
        all.push(list.into());
        Ok(all)
    }

    /// Width and depth of the map, in metres.
    fn size_m(&self) -> Value {
        let [rows, columns] = self.size.map;
        let cells = rows.max(columns) - 1;
        let metres = f64::from(self.scene.surface.tile_size_m) / cells.max(1) as f64;
        let [depth, width] = [rows, columns].map(|side| (side - 1) as f64 * metres);
        json!({ "west_to_east": width, "north_to_south": depth })
    }

    /// The water of the scene: where a level surface of water belongs, and the file with the surface, if there is one.
    fn water(&self, surface: Option<Value>) -> Value {
        let metres = metres_per_unit(self.scene.surface.tile_size_m);
        let axes = &self.size.engine.axes;
        let level_m = self
            .scene
            .water
            .height()
            .map(|level| f64::from(level) * metres);
        json!({
            "sea_level_m": level_m,
            "sea_level_on_axis": level_m.map(|level| json!({
                "axis": axes.up, "at": level * axes.units_per_metre(), "unit": axes.unit })),
            "rivers": self.scene.water.rivers().is_some(),
            "surface": surface,
        })
    }

    /// A line on each file.
    fn contents(&self, shares: [f64; NAMES.len()]) -> Vec<Value> {
        let engine = self.size.engine;
        let order = match engine.south_first {
            true => "south",
            false => "north",
        };
        let mut contents = vec![
            json!({ "file": self.heights(), "content": "heights", "first_row": order,
                "format": engine.formats[0].name }),
            json!({ "file": "albedo.png", "content": "colours without light, sRGB", "first_row": "north" }),
            json!({ "file": preview(HEIGHTS.name), "content": "preview" }),
        ];
        for (index, name) in NAMES.iter().enumerate() {
            contents.push(
                json!({ "file": mask(name), "content": "mask", "material": name,
                "first_row": "north", "share": (shares[index] * 1e4).round() / 1e4,
                "sums_to_255_with_others": index < EXCLUSIVE }),
            );
            contents.push(json!({ "file": preview(name), "content": "preview" }));
        }
        if let Some(surface) = self.size.water_surface(self.scene) {
            contents.push(
                json!({ "file": surface, "content": "height of the water, with the numbers of the heights",
                "first_row": order, "format": engine.formats[0].name }),
            );
        }
        if let Some(plants) = self.plants() {
            let origin = match self.size.engine.plants {
                "csv" => "south-western corner of the map, or that of its coordinates on earth",
                _ => "middle of the map",
            };
            contents
                .push(json!({ "file": plants, "content": "plants and stones", "origin": origin }));
        }
        contents.push(json!({ "file": SCENE, "content": "scene, for Landform" }));
        contents
            .push(json!({ "file": FOLDER_SIDECAR, "content": "this list", "program": PROGRAM }));
        contents
    }

    /// Remove files of the list before that are not in the folder any more, unless they have been changed.
    fn remove_old(&self, before: Option<Sidecar>) {
        let Some(before) = before else {
            return;
        };
        let kept = self.names();
        let main = self.folder.join(&before.file);
        if !kept.contains(&before.file) && before.fits(&main) {
            drop(fs::remove_file(main));
        }
        for old in before.beside {
            // Names are those of this folder: a list that leads elsewhere is not ours.
            let path = self.folder.join(&old.file);
            if !kept.contains(&old.file) && path.parent() == Some(&*self.folder) && old.fits(&path)
            {
                drop(fs::remove_file(path));
            }
        }
    }
}

/// The file with the water surface, the metres that its numbers stand for, and its lowest and highest height.
fn surface_of(sidecar: &Sidecar) -> Value {
    let mut surface = json!({ "file": sidecar.file });
    for (key, metres) in [
        ("metres_at_0", sidecar.metres_at_0),
        ("metres_from_0_to_highest", sidecar.metres_from_0_to_highest),
        ("metres_from_0_to_1", sidecar.metres_from_0_to_1),
        ("min_m", sidecar.min_m),
        ("max_m", sidecar.max_m),
    ] {
        if metres.is_some() {
            surface[key] = json!(metres);
        }
    }
    surface
}

/// A map by its name.
fn named(name: &str) -> &'static Map {
    Map::named(name).unwrap_or(&HEIGHTS)
}

fn mask(material: &str) -> String {
    format!("mask-{material}.png")
}

fn preview(name: &str) -> String {
    format!("preview-{name}.png")
}

/// Heights of a range as a small grey picture.
fn small_heights(map: &Heightmap, (low, high): (f32, f32)) -> Grid<u8> {
    let scale = if high > low {
        255.0 / (high - low)
    } else {
        0.0
    };
    let byte = |row: usize, column: usize| (map.at(row, column) - low) * scale;
    reduced([map.rows(), map.columns()], byte)
}

/// Mean numbers, 0…255, of a map with so many rows and columns as a picture with at most [`PREVIEW`] pixels a side.
fn reduced([rows, columns]: [usize; 2], number: impl Fn(usize, usize) -> f32) -> Grid<u8> {
    let longer = rows.max(columns);
    let side = |side: usize| (side * PREVIEW.min(longer) / longer).max(1);
    let (height, width) = (side(rows), side(columns));
    let mut pixels = Grid::filled(height, width, 0);
    for row in 0..height {
        let down = row * rows / height..((row + 1) * rows / height).max(row * rows / height + 1);
        for column in 0..width {
            let first = column * columns / width;
            let across = first..((column + 1) * columns / width).max(first + 1);
            let mut sum = 0.0;
            for row in down.clone() {
                sum += across
                    .clone()
                    .map(|column| number(row, column))
                    .sum::<f32>();
            }
            let mean = sum / (down.len() * across.len()) as f32;
            pixels.set(row, column, (mean.clamp(0.0, 255.0) + 0.5) as u8);
        }
    }
    pixels
}
