//! `landform generate`: the height map or mesh of a scene into files.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};

use super::error::Failure;
use super::mesh_args::MeshArgs;
use super::progress::watch;
use super::scene_args::SurfaceArgs;
use crate::export::{self, Format, Options, Tiles};
use crate::fractal::region::Region;
use crate::generate::{
    Generator, MAX_ITERATIONS, MAX_ITERATIONS_IN_MEMORY, MAX_ITERATIONS_STREAMED,
};
use crate::{import, pipeline};

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SurfaceArgs,
    #[command(flatten)]
    outputs: Outputs,
    /// Format, whatever the file's name: a name from `landform list formats`
    #[arg(long, value_name = "NAME", value_parser = format)]
    format: Option<&'static Format>,
    /// Heights that become 0 and 65535 in 16-bit files; those of the map by default
    #[arg(long, value_name = "LOW,HIGH", value_parser = range, allow_hyphen_values = true)]
    range: Option<(f32, f32)>,
    /// Just this rectangle, in samples from the north-west corner; of untouched diamond-square
    /// without the rest of the map, which may have up to 31 iterations
    #[arg(long, value_name = "X,Y,W,H", value_parser = region, allow_hyphen_values = true)]
    region: Option<Region>,
    /// Cut the map into so many tiles; `{row}` and `{column}` in the file name become their
    /// places, from 0 in the north-west
    #[arg(long, value_name = "RxC", value_parser = tiles, conflicts_with = "region",
        allow_hyphen_values = true)]
    tiles: Option<(u32, u32)>,
    /// Samples that neighbouring tiles share: 1 joins without a gap, 0 repeats none
    #[arg(long, value_name = "0|1", default_value = "1", requires = "tiles",
        value_parser = clap::value_parser!(u8).range(0..=1), allow_hyphen_values = true)]
    overlap: u8,
    #[command(flatten)]
    mesh: MeshArgs,
}

fn tiles(text: &str) -> Result<(u32, u32), String> {
    let count = |text: &str| text.parse().ok().filter(|count| (1..=1024).contains(count));
    text.split_once('x')
        .and_then(|(rows, columns)| Some((count(rows)?, count(columns)?)))
        .ok_or_else(|| "allowed is ROWSxCOLUMNS, each 1 to 1024".to_owned())
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
            "allowed is X,Y,W,H: column and row of the north-west corner, width and height in \
             samples"
                .to_owned()
        })
}

fn format(name: &str) -> Result<&'static Format, String> {
    Format::named(name).ok_or_else(|| {
        let names: Vec<_> = export::FORMATS.iter().map(|format| format.name).collect();
        format!("allowed is {}", names.join(", "))
    })
}

fn range(text: &str) -> Result<(f32, f32), String> {
    let number = |text: &str| text.trim().parse().ok().filter(|n: &f32| n.is_finite());
    text.split_once(',')
        .and_then(|(low, high)| Some((number(low)?, number(high)?)))
        .filter(|(low, high)| low < high)
        .ok_or_else(|| "allowed is LOW,HIGH, two numbers, the lower first".to_owned())
}

/// The files of all `-o`.
#[derive(Debug)]
struct Outputs {
    files: Vec<PathBuf>,
    /// The last file, if it followed another one after the same `-o`: it may be a scene that the
    /// user put behind the files.
    doubtful: Option<PathBuf>,
}

impl Args for Outputs {
    fn augment_args(command: Command) -> Command {
        let formats = export::extensions();
        command.arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .required(true)
                .num_args(1..)
                .action(ArgAction::Append)
                .value_parser(value_parser!(PathBuf))
                .help(format!(
                    "File to write, its format by its name: {formats}; repeatable"
                )),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Outputs {
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

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments {
        scene,
        outputs,
        format,
        range,
        region,
        tiles,
        overlap,
        mesh,
    } = arguments;
    if scene.scene.is_none() {
        check_doubtful(outputs)?;
    }
    let format_of = |path: &PathBuf| format.map_or_else(|| export::format_of(path), Ok);
    let formats = outputs
        .files
        .iter()
        .map(format_of)
        .collect::<Result<Vec<_>, _>>()
        .map_err(Failure::usage)?;
    let whole = formats.iter().any(|format| format.needs_the_whole_map());
    let (scene, _) = scene.scene(None, |scene| {
        if region.is_some() || tiles.is_some() {
            let alone = pipeline::ground(scene).generator == Generator::DiamondSquare
                && pipeline::is_untouched(scene);
            return match alone {
                true => MAX_ITERATIONS,
                false => MAX_ITERATIONS_IN_MEMORY,
            };
        }
        let streams = pipeline::ground(scene).generator == Generator::DiamondSquare;
        if !whole && streams && pipeline::is_untouched(scene) {
            MAX_ITERATIONS_STREAMED
        } else {
            MAX_ITERATIONS_IN_MEMORY
        }
    })?;
    let inputs = import::inputs(&scene)?;
    let options = Options {
        format: *format,
        range: *range,
        region: *region,
        mesh: mesh.options(&scene),
    };
    if let Some((rows, columns)) = *tiles {
        let cut = Tiles {
            rows,
            columns,
            overlap: *overlap == 1,
        };
        return watch("generating", |job| {
            for pattern in &outputs.files {
                export::tiles(pattern, &scene, &inputs, options, cut, job)?;
            }
            Ok::<_, Failure>(())
        });
    }
    watch("generating", |job| {
        export::heightmaps(&outputs.files, &scene, &inputs, options, job)
    })?;
    Ok(())
}

/// `-o out.png photo.png` may mean that the photo is the scene. It must not be lost over that.
fn check_doubtful(outputs: &Outputs) -> Result<(), Failure> {
    let is_preset = |path: &Path| {
        path.to_str()
            .is_some_and(|n| import::Preset::named(n).is_some())
    };
    match &outputs.doubtful {
        Some(path) if path.exists() || is_preset(path) => Err(Failure::usage(format!(
            "a scene goes before -o, and each of several files that are to be replaced after its own -o: {}",
            path.display()
        ))),
        _ => Ok(()),
    }
}
