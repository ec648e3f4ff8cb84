//! `landform generate`: export of a scene's height map or mesh.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use serde_json::{Value, json};

use super::batch::{self, BatchArgs, Variant};
use super::console::Failure;
use super::scene_args::{SurfaceArgs, sides};
use crate::files::export::{
    self, ENGINES, Engine, EngineFolder, Format, MeshOptions, MeshUnit, Options, Output, PlantForm,
    PlantRequest, Resolution, Span, Tiles, Written, mesh_names,
};
use crate::files::import;
use crate::fractal::refinement::Refinement;
use crate::fractal::region::Region;
use crate::generate::{
    MAX_ITERATIONS, MAX_ITERATIONS_IN_MEMORY, MAX_ITERATIONS_STREAMED, MAX_ITERATIONS_TILED,
};
use crate::pipeline;
use crate::scene::Scene;
use crate::shading::maps::{HEIGHTS, MAPS, Map};
use crate::terrain::mesh::Detail;
use crate::util::job::Job;
use crate::util::language::tr;
use crate::util::numbers::metres_per_unit;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub(super) scene: SurfaceArgs,
    #[command(flatten)]
    outputs: OutputFiles,
    #[command(flatten)]
    batch: BatchArgs,
    /// Format, whatever the file's name: a name from `landform list formats`
    #[arg(long, help_heading = "Options", value_name = "NAME", value_parser = format)]
    format: Option<&'static Format>,
    /// Map to write: a name from `landform list maps`
    #[arg(long, help_heading = "Options", value_name = "NAME", default_value = "heights", value_parser = map)]
    map: &'static Map,
    /// Meaning of the numbers in the file: `own`, the map's own range (for tiles and regions, that
    /// of the whole map); LOW,HIGH, the heights that become 0 and 65535, or the same in metres, as
    /// in -50m,1500m; `metres`, whole numbers with one step per metre; `unit`, floats from 0 to 1
    #[arg(long, help_heading = "Options", value_name = "RANGE", value_parser = span, allow_hyphen_values = true,
        default_value = "own")]
    range: Span,
    /// Samples along the longer side, for engines that need certain sizes: `as-is`, `pow2`,
    /// `pow2+1`, `unreal` (the nearest size that Unreal recommends), or a number; the shorter side
    /// keeps the map's shape. With --tiles, the samples of each tile
    #[arg(long, help_heading = "Options", value_name = "SIDE", value_parser = samples, allow_hyphen_values = true,
        default_value = "as-is", conflicts_with = "region")]
    samples: Resolution,
    /// Everything for an engine in one folder, which -o names: heights in the nearest size that it
    /// takes, or in that of --samples, the water's surface, masks of the materials, colours, plants,
    /// the scene, and landform.json with the numbers to enter: `unreal`, `unity`, `godot` or `blender`
    #[arg(long = "for", help_heading = "Options", value_name = "ENGINE", value_parser = engine,
        conflicts_with_all = ["format", "map", "range", "flip", "snow", "levels", "region", "tiles", "plants",
            "triangles", "error", "mesh_unit", "print_size"])]
    engine: Option<&'static Engine>,
    /// Southern row first, for programs that read the bottom row first
    #[arg(long, help_heading = "Options")]
    flip: bool,
    /// Heights of the surface of the snow instead of those of the ground below it
    #[arg(long, help_heading = "Options")]
    snow: bool,
    /// Levels below the scene's last iteration: each halves the distance between samples.
    /// Diamond-square without modifiers and rock simply continues; any other ground keeps all its
    /// heights, and diamond-square fills in between them [0 to 60]
    #[arg(long, help_heading = "Options", value_name = "L", default_value = "0", value_parser = levels,
        allow_hyphen_values = true)]
    levels: u32,
    /// Only this rectangle, in samples from the north-west corner of the last level. For
    /// diamond-square without modifiers and rock, and for levels below any ground, nothing else is
    /// computed, so iterations and levels may add up to 60
    #[arg(long, help_heading = "Options", value_name = "X,Y,W,H", value_parser = region, allow_hyphen_values = true)]
    region: Option<Region>,
    /// Cut the map into this many tiles; `{row}` and `{column}` in the file name become the row and
    /// column of each tile, from 0 in the north-west
    #[arg(long, help_heading = "Options", value_name = "RxC", value_parser = tiles, conflicts_with = "region",
        allow_hyphen_values = true)]
    tiles: Option<(u32, u32)>,
    /// Samples shared by neighbouring tiles: 1 joins them without a gap, 0 repeats none. On a map
    /// that wraps, tiles without overlap leave out the last row and column, which repeat the first
    #[arg(long, help_heading = "Options", value_name = "0|1", default_value = "1", requires = "tiles",
        value_parser = clap::value_parser!(u8).range(0..=1), allow_hyphen_values = true)]
    overlap: u8,
    /// Also write the plants and stones of the scene: as points, a csv or geojson, or with their
    /// models, a glb or usda; with --region, only those in it. Without -o nothing else is written
    #[arg(
        long,
        help_heading = "Options",
        value_name = "FILE",
        conflicts_with = "tiles"
    )]
    plants: Option<PathBuf>,
    /// Form of plants in a glb: `instances`, with the extension EXT_mesh_gpu_instancing, or `nodes`,
    /// one for each plant, for programs without it [default: instances]
    #[arg(long, help_heading = "Options", value_name = "FORM", requires = "plants", value_parser = plant_form,
        allow_hyphen_values = true)]
    plants_as: Option<PlantForm>,
    #[command(flatten)]
    mesh: MeshArgs,
}

fn engine(name: &str) -> Result<&'static Engine, String> {
    let names = ENGINES.iter().map(|engine| engine.name.to_lowercase());
    Engine::named(name).ok_or_else(|| format!("allowed: {}", names.collect::<Vec<_>>().join(", ")))
}

fn tiles(text: &str) -> Result<(u32, u32), String> {
    sides(text, &(1..=1024)).ok_or_else(|| "allowed: ROWSxCOLUMNS, each 1 to 1024".to_owned())
}

fn region(text: &str) -> Result<Region, String> {
    let numbers: Vec<u64> = text
        .split(',')
        .map_while(|number| number.trim().parse().ok())
        .collect();
    let samples = |count: u64| usize::try_from(count).ok().filter(|count| *count > 0);
    let region = |[column, row, width, height]: [u64; 4]| {
        Some(Region {
            row,
            column,
            rows: samples(height)?,
            columns: samples(width)?,
        })
    };
    let four = (text.split(',').count() == 4).then_some(numbers);
    four.and_then(|numbers| <[u64; 4]>::try_from(numbers).ok())
        .and_then(region)
        .ok_or_else(|| {
            "allowed: X,Y,W,H: column and row of the north-west corner, width and height in \
             samples"
                .to_owned()
        })
}

fn plant_form(text: &str) -> Result<PlantForm, String> {
    match text {
        "instances" => Ok(PlantForm::Instances),
        "nodes" => Ok(PlantForm::Nodes),
        _ => Err("allowed: instances, nodes".to_owned()),
    }
}

fn levels(text: &str) -> Result<u32, String> {
    let number = text.parse().ok();
    let number = number.filter(|levels| *levels <= Refinement::MOST_LEVELS);
    number.ok_or_else(|| format!("allowed: 0 to {}", Refinement::MOST_LEVELS))
}

fn format(name: &str) -> Result<&'static Format, String> {
    Format::named(name).ok_or_else(|| allowed(export::FORMATS.iter().map(|format| format.name)))
}

fn allowed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    format!("allowed: {}", names.collect::<Vec<_>>().join(", "))
}

fn span(text: &str) -> Result<Span, String> {
    let between = |unit: &str| {
        let number = |text: &str| {
            let number = text.trim().strip_suffix(unit)?.parse().ok();
            number.filter(|number: &f32| number.is_finite())
        };
        let (low, high) = text.split_once(',')?;
        Some((number(low)?, number(high)?)).filter(|(low, high)| low < high)
    };
    match text {
        "own" => Ok(Span::Own),
        "metres" => Ok(Span::Metres),
        "unit" => Ok(Span::Unit),
        _ => None
            .or_else(|| between("").map(|(low, high)| Span::Heights(low, high)))
            .or_else(|| between("m").map(|(low, high)| Span::MetresBetween(low, high)))
            .ok_or_else(|| {
                "allowed: own, metres, unit, or LOW,HIGH, two numbers, the lower first, of metres \
                 if each ends in m"
                    .to_owned()
            }),
    }
}

fn map(name: &str) -> Result<&'static Map, String> {
    Map::named(name).ok_or_else(|| allowed(MAPS.iter().map(|map| map.name)))
}

fn samples(text: &str) -> Result<Resolution, String> {
    let number = || text.parse().ok().filter(|side| SIDES.contains(side));
    match text {
        "as-is" => Ok(Resolution::AsIs),
        "pow2" => Ok(Resolution::PowerOfTwo),
        "pow2+1" => Ok(Resolution::PowerOfTwoPlusOne),
        "unreal" => Ok(Resolution::Unreal),
        _ => number().map(Resolution::Exactly).ok_or_else(|| {
            let (least, most) = (SIDES.start(), SIDES.end());
            format!("allowed: as-is, pow2, pow2+1, unreal, or {least} to {most}")
        }),
    }
}

/// The allowed numbers of samples a side.
const SIDES: RangeInclusive<usize> = 2..=import::MAX_SIDE;

/// Output files of all `-o` flags.
#[derive(Debug)]
struct OutputFiles {
    files: Vec<PathBuf>,
    /// The last file, if it follows another one after the same `-o`. The user may have meant it as the scene.
    doubtful: Option<PathBuf>,
}

impl Args for OutputFiles {
    fn augment_args(command: Command) -> Command {
        let formats = export::extensions();
        command.arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .help_heading("Options")
                .value_name("FILE")
                .required_unless_present("plants")
                .num_args(1..)
                .action(ArgAction::Append)
                .value_parser(value_parser!(PathBuf))
                .help(format!(
                    "File to write, its format given by its extension: {formats}; repeatable; `-` \
                     is standard output and needs --format"
                )),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OutputFiles {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut outputs = Self {
            files: Vec::new(),
            doubtful: None,
        };
        for files in matches
            .get_occurrences::<PathBuf>("output")
            .into_iter()
            .flatten()
        {
            let files: Vec<_> = files.cloned().collect();
            outputs.doubtful = files.get(1..).and_then(<[_]>::last).cloned();
            outputs.files.extend(files);
        }
        Ok(outputs)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Arguments {
    /// The export options from the flags, without those that depend on the scene.
    fn options(&self) -> Options {
        Options {
            format: self.format,
            map: Some(self.map),
            span: self.range,
            samples: self.samples,
            flip: self.flip,
            snow: self.snow,
            levels: self.levels,
            region: self.region,
            tiles: self.tiles.map(|(rows, columns)| Tiles {
                rows,
                columns,
                overlap: self.overlap == 1,
            }),
            ..Options::default()
        }
    }

    /// The plants to write, and their form.
    fn plants(&self) -> PlantRequest {
        PlantRequest {
            levels: self.levels,
            region: self.region,
            form: self.plants_as,
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments {
        scene,
        outputs,
        batch,
        ..
    } = arguments;
    if scene.scene.is_none() {
        check_doubtful(outputs)?;
    }
    if let Some(engine) = arguments.engine {
        return run_for(arguments, engine);
    }
    let options = arguments.options();
    let formats = outputs.files.iter().map(|path| options.format_of(path));
    let formats = formats
        .collect::<Result<Vec<_>, _>>()
        .map_err(Failure::usage)?;
    options.check_map().map_err(Failure::usage)?;
    let most = |scene: &Scene| most_iterations(scene, &options, &formats);
    let variants = scene.variants(None, batch.seeds(), most)?;
    for variant in &variants {
        check_levels(&variant.scene, &options, &formats)?;
    }
    let mut patterns = outputs.files.clone();
    patterns.extend(arguments.plants.clone());
    let files = batch::files(&variants, &patterns)?;
    let maps = outputs.files.len();
    let options_of = |scene: &Scene| Options {
        mesh: arguments.mesh.options(scene),
        ..options
    };
    let outputs_of = |(variant, names): (&Variant, &Vec<PathBuf>)| {
        let scene = &variant.scene;
        let palette = import::palette_inputs(scene)?;
        let (names, plants) = names.split_at(maps);
        let outputs = export::outputs(names, scene, &palette, &options_of(scene));
        let mut outputs = outputs.map_err(Failure::of_export)?;
        for file in plants {
            let request = arguments.plants();
            export::check_plants(file, scene, &request).map_err(Failure::usage)?;
            outputs.push(Output::plants(file, request));
        }
        Ok(outputs)
    };
    let outputs = variants.iter().zip(&files).map(outputs_of);
    let outputs = outputs.collect::<Result<Vec<_>, Failure>>()?;
    if let Some(notice) = outputs
        .first()
        .and_then(|made| notice_of_masks(&patterns, made))
    {
        super::say("note", &notice);
    }
    batch.many.check(
        outputs.iter().flatten(),
        &scene.reads(variants.iter().map(|variant| &variant.scene)),
    )?;
    let outputs = batch::BatchFiles {
        names: &files,
        files: &outputs,
    };
    batch
        .many
        .run("generating", &variants, &outputs, |variant, files, job| {
            let (scene, (files, plants)) = (&variant.scene, files.split_at(maps));
            let options = options_of(scene);
            let count = (files.len() + plants.len()) as u64;
            let mut facts = serde_json::Map::new();
            if !files.is_empty() {
                facts = write(
                    scene,
                    &options,
                    &formats,
                    files,
                    &job.span(0..maps as u64, count),
                )?;
            }
            for file in plants {
                let job = job.span(maps as u64..count, count);
                let planted = write_plants(scene, arguments.plants(), file, &job)?;
                facts.insert("plants".to_owned(), json!(planted));
            }
            Ok(facts)
        })
}

/// Write a folder for an engine for each scene.
fn run_for(arguments: &Arguments, engine: &'static Engine) -> Result<(), Failure> {
    let (batch, folders) = (&arguments.batch, &arguments.outputs.files);
    let [folder] = &folders[..] else {
        return Err(Failure::usage("--for writes one folder: give one -o"));
    };
    if export::is_standard_output(folder) {
        return Err(Failure::usage(
            "--for writes a folder, not to standard output",
        ));
    }
    let samples = match arguments.samples {
        Resolution::Exactly(side) => Some(side),
        Resolution::AsIs => None,
        samples if samples == engine.samples => None,
        _ => {
            let sizes: Vec<_> = engine.sizes.iter().map(usize::to_string).collect();
            let sizes = sizes.join(", ");
            let words = format!("--samples with --for {}: allowed: {sizes}", engine.name);
            return Err(Failure::usage(words));
        }
    };
    let variants = arguments
        .scene
        .variants(None, batch.seeds(), |_| MAX_ITERATIONS_IN_MEMORY)?;
    let names = batch::files(&variants, folders)?;
    let mut folders = Vec::new();
    for (variant, names) in variants.iter().zip(&names) {
        let scene = &variant.scene;
        let inputs = import::inputs(scene)?;
        let folder = EngineFolder::new(&names[0], engine, samples, scene, &inputs);
        let mut folder = folder.map_err(Failure::of_export)?;
        batch.many.prepare(&mut folder)?;
        let size = folder.size();
        let notes = [Some(size.forecast(scene)), size.refined()];
        notes
            .iter()
            .flatten()
            .for_each(|note| super::say("note", note));
        folders.push(Some(folder));
    }
    let outputs = folders.iter().flatten();
    let outputs: Vec<_> = outputs.map(|folder| vec![folder.output()]).collect();
    let outputs = batch::BatchFiles {
        names: &names,
        files: &outputs,
    };
    batch
        .many
        .run("generating", &variants, &outputs, |variant, _, job| {
            let folder = folders.get_mut(variant.index - 1).and_then(Option::take);
            let folder = folder.ok_or_else(|| Failure::failed("no folder"))?;
            let inputs = super::inputs(&variant.scene)?;
            let count = folder.names().len();
            let written = folder.write(&inputs, job).map_err(Failure::of_export)?;
            written.notices().for_each(|notice| super::warn(&notice));
            let mut facts = facts(&written, &HEIGHTS, &variant.scene);
            facts.insert("engine".to_owned(), json!(engine.name));
            facts.insert("count".to_owned(), json!(count));
            Ok(facts)
        })
}

/// Notice that a map goes into several files, if their names have been completed.
fn notice_of_masks(asked: &[PathBuf], made: &[Output]) -> Option<String> {
    let is_asked = |output: &&Output| asked.iter().any(|path| path == output.path());
    let has_word = asked
        .iter()
        .any(|path| path.to_string_lossy().contains('{'));
    let (first, last) = (made.first()?, made.last()?);
    let count = made.len() / asked.len().max(1);
    (count > 1 && !has_word && !made.iter().any(|output| is_asked(&output))).then(|| {
        tr!(
            "{count} masks, a file each: {} to {}",
            crate::util::words::named(first.path()),
            crate::util::words::named(last.path()),
            count
        )
    })
}

/// Write the plants of a scene; returns their number.
fn write_plants(
    scene: &Scene,
    request: PlantRequest,
    file: &Path,
    job: &Job,
) -> Result<usize, Failure> {
    let inputs = &super::inputs(scene)?;
    let planted = export::plants(file, scene, inputs, request, job);
    let planted = planted.map_err(Failure::of_export)?;
    if planted == 0 {
        super::warn(tr(
            "no plant grows here: the rules of all layers exclude this ground",
        ));
    }
    Ok(planted)
}

/// The most iterations with which a scene can be exported under these options.
fn most_iterations(scene: &Scene, options: &Options, formats: &[&Format]) -> u32 {
    if !pipeline::goes_on_as_itself(scene) {
        return MAX_ITERATIONS_IN_MEMORY;
    }
    let is_mesh = formats.iter().any(|format| format.is_mesh());
    if options.is_part() && (is_mesh || options.samples != Resolution::AsIs) {
        return MAX_ITERATIONS_IN_MEMORY;
    }
    match (options.region, options.tiles) {
        (Some(_), _) => return MAX_ITERATIONS,
        (_, Some(_)) => return MAX_ITERATIONS_TILED,
        (None, None) => {}
    }
    let whole = formats.iter().any(|format| format.needs_the_whole_map());
    if whole || !options.samples.streams() {
        MAX_ITERATIONS_IN_MEMORY
    } else {
        MAX_ITERATIONS_STREAMED
    }
}

/// Refuse more levels than the scene has room for.
fn check_levels(scene: &Scene, options: &Options, formats: &[&Format]) -> Result<(), Failure> {
    let levels = options.levels;
    let goes_on = pipeline::goes_on_as_itself(scene);
    let is_mesh = formats.iter().any(|format| format.is_mesh());
    let most = match options.region {
        Some(_) if !goes_on && !is_mesh => MAX_ITERATIONS,
        _ => most_iterations(scene, options, formats),
    };
    let iterations = scene.surface.iterations;
    let room = most.saturating_sub(iterations);
    if levels <= room {
        return Ok(());
    }
    let alone = match options.region {
        Some(_) => "",
        None => ", or more with --region",
    };
    Err(Failure::usage(format!(
        "--levels is {levels}, allowed below {iterations} iterations is 0 to {room}{alone}"
    )))
}

/// Write the files of a scene and print notices about them. Returns the facts for a line of JSON.
fn write(
    scene: &Scene,
    options: &Options,
    formats: &[&Format],
    files: &[PathBuf],
    job: &Job,
) -> Result<serde_json::Map<String, Value>, Failure> {
    let inputs = &super::inputs(scene)?;
    if let Some(notice) = export::notice_of_place(scene, inputs) {
        super::warn(&notice);
    }
    if options.is_part()
        && let Some(notice) = export::notice_of_search(scene, formats, options)
    {
        super::warn(&notice);
    }
    let written = export::heightmaps(files, scene, inputs, *options, job);
    let written = written.map_err(Failure::of_export)?;
    if let Some(notice) = export::notice_of_size(options.samples, written.file) {
        super::warn(&notice);
    }
    written.notices().for_each(|notice| super::warn(&notice));
    Ok(facts(&written, options.map(), scene))
}

/// Facts about a map for a line of JSON.
fn facts(written: &Written, map: &Map, scene: &Scene) -> serde_json::Map<String, Value> {
    let metres = |height: f32| f64::from(height) * metres_per_unit(scene.surface.tile_size_m);
    let mut facts = json!({
        "map": map.name,
        "width": written.columns,
        "height": written.rows,
        "clipped": written.clipped,
    });
    if let Some((low, high)) = written.range {
        (facts["min"], facts["max"]) = (json!(low), json!(high));
        if map.holds_heights() {
            (facts["min_m"], facts["max_m"]) = (json!(metres(low)), json!(metres(high)));
        }
    }
    facts.as_object().cloned().unwrap_or_default()
}

/// Refuse an ambiguous last file that exists or is the name of a preset. In `-o out.png photo.png`, the photo
/// may be meant as the scene and must not be overwritten.
fn check_doubtful(outputs: &OutputFiles) -> Result<(), Failure> {
    let is_preset = |path: &Path| {
        path.to_str()
            .is_some_and(|n| import::Preset::named(n).is_some())
    };
    match &outputs.doubtful {
        Some(path) if path.exists() || is_preset(path) => Err(Failure::usage(format!(
            "give the scene before -o, and give each file to replace its own -o: {}",
            crate::util::words::named(path)
        ))),
        _ => Ok(()),
    }
}

// Flags of mesh export: triangle count or error bound, unit, and print size.

/// The heading of these flags in the help.
static HEADING: LazyLock<String> =
    LazyLock::new(|| format!("Meshes ({})", mesh_names().join(", ")));

/// Flags of meshes.
#[derive(Debug, Args)]
#[command(next_help_heading = HEADING.as_str())]
pub struct MeshArgs {
    /// At most this many triangles, placed where they are needed most; all by default
    #[arg(long, value_name = "N", conflicts_with = "error",
        value_parser = clap::value_parser!(u64).range(2..), allow_hyphen_values = true)]
    triangles: Option<u64>,
    /// Fewest triangles that keep every sample within this distance of the surface, in metres
    #[arg(long, value_name = "METRES", value_parser = error, allow_hyphen_values = true)]
    error: Option<f64>,
    /// Unit of an obj: `own`, half tiles, or `m`, metres as in ply and glb
    #[arg(long, value_name = "UNIT", default_value = "own", value_parser = unit,
        allow_hyphen_values = true)]
    mesh_unit: MeshUnit,
    /// Longer side of an stl, 1 to 10000 mm; its base is 3 mm thick
    #[arg(long, value_name = "MM", default_value = "100", value_parser = print_size,
        allow_hyphen_values = true)]
    print_size: f32,
}

impl MeshArgs {
    /// The mesh options from the flags; metres are converted with the scene's tile size.
    pub fn options(&self, scene: &Scene) -> MeshOptions {
        let detail = match (self.triangles, self.error) {
            (Some(triangles), _) => Detail::Triangles(triangles),
            (None, Some(error)) => Detail::within(error, scene.surface.tile_size_m),
            (None, None) => Detail::All,
        };
        MeshOptions {
            detail,
            print_size_mm: self.print_size,
            unit: self.mesh_unit,
        }
    }
}

fn error(text: &str) -> Result<f64, String> {
    let metres = text.trim().parse().ok();
    metres
        .filter(|metres: &f64| metres.is_finite() && *metres >= 0.0)
        .ok_or_else(|| "allowed: a number of metres, 0 or more".to_owned())
}

fn unit(text: &str) -> Result<MeshUnit, String> {
    match text {
        "own" => Ok(MeshUnit::Own),
        "m" => Ok(MeshUnit::Metres),
        _ => Err("allowed: own or m".to_owned()),
    }
}

fn print_size(text: &str) -> Result<f32, String> {
    let size = text.trim().parse().ok();
    size.filter(|size| (1.0..=10_000.0).contains(size))
        .ok_or_else(|| "allowed: 1 to 10000 millimetres".to_owned())
}
