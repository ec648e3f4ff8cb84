//! Flags that choose and change a scene. Each is named like a scene key and set in the same way as by
//! `--set`, so that ranges are checked in one place.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::args::{Change, ReadingArgs, ViewArgs, help};
use super::batch::{Axis, MOST, Variant};
use super::console::Failure;
use crate::files::import::{self, Group, Preset};
use crate::generate::{Generator, Reading, Surface};
use crate::scene::vary::{Vary, on_sheet};
use crate::scene::{Ecosystem, Scene};
use crate::shading::texture::Palette;

/// The scene, and flags that change its ground.
#[derive(Debug, Args)]
pub struct SurfaceArgs {
    /// A scene (.toml), an image, a picture saved by Landform, or the name of a preset; `-` is a scene
    /// from standard input
    #[arg(value_name = "SCENE")]
    pub scene: Option<PathBuf>,
    #[arg(long, value_name = "NAME", help_heading = "Ground", help = help::<Surface>("generator"),
        value_parser = PossibleValuesParser::new(Generator::NAMES))]
    generator: Option<String>,
    #[arg(long, value_name = "N", help_heading = "Ground", help = help::<Surface>("seed"),
        allow_hyphen_values = true)]
    seed: Option<String>,
    #[arg(long, value_name = "N", help_heading = "Ground", help = help::<Surface>("iterations"),
        allow_hyphen_values = true)]
    iterations: Option<String>,
    #[arg(long, value_name = "X", help_heading = "Ground", help = help::<Surface>("hurst"),
        allow_hyphen_values = true)]
    h: Option<String>,
    #[arg(long, value_name = "X", help_heading = "Ground", help = help::<Surface>("height_scale"),
        allow_hyphen_values = true)]
    height_scale: Option<String>,
    /// Grey image or elevation model (GeoTIFF, netCDF, ASC, `.hgt` …) to show, or to refine with `--generator diamond-square`
    #[arg(long, value_name = "IMAGE", help_heading = "Ground")]
    input: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Plants that suit any map, in place of those of the scene
    #[arg(long, value_name = "NAME", help_heading = "Ground",
        value_parser = PossibleValuesParser::new(Ecosystem::NAMES))]
    ecosystem: Option<String>,
    /// Any key of the scene, such as surface.diamond_square.edges=free; repeatable. A list such as
    /// surface.hurst=0.5,0.7 or a range FROM..TO..STEP makes a scene of each value
    #[arg(long, help_heading = "Options", value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    vary: VaryArgs,
    /// Threads to use, 1 to 1024; all cores by default. The result is always the same
    #[arg(long, help_heading = "Options", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024),
        allow_hyphen_values = true)]
    threads: Option<u16>,
}

impl SurfaceArgs {
    /// Make the scene from the flags. Returns it with the path of its file, if it comes from a scene file.
    ///
    /// The scene may have at most `most` iterations.
    ///
    /// # Errors
    /// The scene or a flag is invalid.
    pub fn scene(
        &self,
        view: Option<&ViewArgs>,
        most: impl Fn(&Scene) -> u32,
    ) -> Result<(Scene, Option<PathBuf>), Failure> {
        let (base, path) = self.base(view)?;
        let axes = self.axes()?;
        if let Some(axis) = axes.iter().find(|axis| axis.values.len() > 1) {
            return Err(Failure::usage(format!(
                "--set {} has {} values; allowed: one here; generate and render take more",
                axis.key,
                axis.values.len()
            )));
        }
        let values = axes.iter().map(|axis| (&*axis.key, &*axis.values[0]));
        let scene = self.finish(base, values, view, &most)?;
        Ok((self.vary.applied(scene)?, path))
    }

    /// Make the scene and as many variations as fill a sheet, in the sheet's order; `None` without `--vary`.
    ///
    /// # Errors
    /// As [`SurfaceArgs::scene`], or the flags make several scenes.
    pub fn family(
        &self,
        view: Option<&ViewArgs>,
        seeds: Option<&[String]>,
        (columns, rows): (usize, usize),
        most: impl Fn(&Scene) -> u32,
    ) -> Result<Option<Vec<Variant>>, Failure> {
        if !self.vary.is_given() {
            return Ok(None);
        }
        let mut scenes = self.combinations(view, seeds, most)?;
        let only = scenes.pop().filter(|_| scenes.is_empty());
        let only = only.ok_or_else(|| {
            let count = scenes.len() + 1;
            Failure::usage(format!("--vary needs a single scene, not {count} scenes"))
        })?;
        self.vary.family(&only.scene, (columns, rows)).map(Some)
    }

    /// Make all combinations of the values in `--set` lists and of `seeds`; the seeds change fastest. With
    /// `--vary`, each scene is the selected variation.
    ///
    /// # Errors
    /// A value fails as in [`SurfaceArgs::scene`], or there are too many combinations.
    pub fn variants(
        &self,
        view: Option<&ViewArgs>,
        seeds: Option<&[String]>,
        most: impl Fn(&Scene) -> u32,
    ) -> Result<Vec<Variant>, Failure> {
        let mut variants = self.combinations(view, seeds, most)?;
        for variant in &mut variants {
            variant.scene = self.vary.applied(std::mem::take(&mut variant.scene))?;
        }
        Ok(variants)
    }

    /// Make all combinations of values and seeds, without variations.
    fn combinations(
        &self,
        view: Option<&ViewArgs>,
        seeds: Option<&[String]>,
        most: impl Fn(&Scene) -> u32,
    ) -> Result<Vec<Variant>, Failure> {
        let (base, _) = self.base(view)?;
        let mut axes = self.axes()?;
        axes.extend(seeds.map(|seeds| Axis {
            key: "surface.seed".to_owned(),
            values: seeds.to_vec(),
        }));
        let count = axes.iter().try_fold(1_usize, |count, axis| {
            count
                .checked_mul(axis.values.len())
                .filter(|count| *count <= MOST)
        });
        let count = count
            .ok_or_else(|| Failure::usage(format!("too many scenes; allowed: up to {MOST}")))?;
        let variant = |index: usize| {
            let mut rest = index;
            let mut values: Vec<_> = axes
                .iter()
                .rev()
                .map(|axis| {
                    let value = &axis.values[rest % axis.values.len()];
                    rest /= axis.values.len();
                    (axis, value.as_str())
                })
                .collect();
            values.reverse();
            let all = values.iter().map(|(axis, value)| (&*axis.key, *value));
            let scene = self.finish(base.clone(), all, view, &most)?;
            let differ = values.iter().filter(|(axis, _)| axis.values.len() > 1);
            let settings = differ.map(|(axis, value)| (axis.key.clone(), (*value).to_owned()));
            Ok(Variant {
                index: index + 1,
                settings: settings.collect(),
                frame: None,
                scene,
            })
        };
        (0..count).map(variant).collect()
    }

    /// The input files of the given scenes, and the files named on the command line.
    pub fn reads<'a>(&self, scenes: impl IntoIterator<Item = &'a Scene>) -> Vec<PathBuf> {
        let scenes = scenes.into_iter().flat_map(import::reads);
        let named = [&self.scene, &self.input].into_iter().flatten().cloned();
        let all: BTreeSet<_> = named.chain(scenes).collect();
        all.into_iter().collect()
    }

    fn axes(&self) -> Result<Vec<Axis>, Failure> {
        self.set.iter().map(|text| Axis::parse(text)).collect()
    }

    /// Make the scene before `--set` is applied.
    fn base(&self, view: Option<&ViewArgs>) -> Result<(Scene, Option<PathBuf>), Failure> {
        let readings = self.reading.changes();
        let places = self.reading.places();
        let changed = |scene: &Scene, changes: &[Change]| {
            changes.iter().try_fold(scene.clone(), |scene, change| {
                let changed = scene.with(&change.key, &change.value);
                changed.map_err(|_| change.refused())
            })
        };
        // Wrong flags are reported before any file is read.
        changed(&Scene::default(), &places)?;
        let (mut scene, path) = match &self.scene {
            Some(path) => open(
                path,
                &changed(&Scene::default(), &readings)?.surface.reading,
            )?,
            None => (Scene::default(), None),
        };
        let before = scene.surface.reading.clone();
        scene = changed(&scene, &readings)?;
        let mut changes = self.changes()?;
        changes.extend(places);
        let shows_input = matches!(self.generator.as_deref(), None | Some("image"));
        match &self.input {
            Some(input) if shows_input && self.scene.is_none() => {
                scene = import::open_image_as(input, &scene.surface.reading)?;
            }
            Some(input) if shows_input => import::show_image(input, &mut scene.surface)?,
            Some(input) => import::hand_image(input, &mut scene.surface)?,
            None if scene.surface.reading != before => import::fit_input(&mut scene.surface)?,
            None => {}
        }
        if let (Some(change), None) = (readings.first(), &scene.surface.input) {
            let flag = change.flag;
            return Err(Failure::usage(format!("{flag} needs an input image")));
        }
        changes.extend(view.map(ViewArgs::changes).transpose()?.unwrap_or_default());
        scene = changed(&scene, &changes)?;
        if let Some(name) = &self.ecosystem {
            let ecosystem: Ecosystem = name.parse().map_err(Failure::usage)?;
            scene.plants = ecosystem.layers();
        }
        if let Some(view) = view {
            let camera = view.camera(&scene.bookmarks)?;
            scene.camera = camera.unwrap_or(scene.camera);
        }
        Ok((scene, path))
    }

    /// Set keys to values, then validate the scene.
    fn finish<'a>(
        &self,
        mut scene: Scene,
        values: impl IntoIterator<Item = (&'a str, &'a str)>,
        view: Option<&ViewArgs>,
        most: &impl Fn(&Scene) -> u32,
    ) -> Result<Scene, Failure> {
        for (key, value) in values {
            let mut set = scene
                .with(key, value)
                .map_err(|error| Failure::usage(format!("--set: {error}")))?;
            for (before, surface) in scene.surfaces().zip(set.surfaces_mut()) {
                if before.reading != surface.reading {
                    import::fit_input(surface)?;
                }
            }
            scene = set;
        }
        if !scene.view.palette.ends_with(".toml") {
            Palette::named(&scene.view.palette).map_err(Failure::usage)?;
        }
        if view.is_some_and(|view| view.pass.is_some()) && !scene.has_passes() {
            return Err(Failure::usage(format!(
                "--pass needs the generator `diamond-square` or `midpoint-1d`, the scene's is `{}`",
                scene.surface.generator
            )));
        }
        let surface = &scene.surface;
        (surface.validate(most(&scene)))
            .and_then(|()| surface.check_input())
            .map_err(|error| match self.changed() {
                true => Failure::usage(error),
                false => Failure::failed(error),
            })?;
        Ok(scene)
    }

    /// Notices about the scene's file.
    pub fn notices(&self) -> Vec<String> {
        let file = self.scene.as_deref().filter(|path| path.is_file());
        let found = file.and_then(|path| import::find(path).ok());
        found.map_or(Vec::new(), |found| found.notices)
    }

    /// The number of threads given by `--threads`.
    pub fn threads(&self) -> Option<usize> {
        self.threads.map(Into::into)
    }

    /// True if any flag changes the ground.
    pub fn changed(&self) -> bool {
        !(self.changes()).is_ok_and(|changes| changes.is_empty())
            || self.reading.is_given()
            || self.ecosystem.is_some()
            || !self.set.is_empty()
            || self.vary.is_given()
    }

    fn changes(&self) -> Result<Vec<Change>, Failure> {
        let numbers = [
            ("--seed", "seed", &self.seed),
            ("--iterations", "iterations", &self.iterations),
            ("--h", "hurst", &self.h),
            ("--height-scale", "height_scale", &self.height_scale),
        ];
        let generator = ("--generator", "generator", &self.generator);
        let mut changes = Change::given(Change::number::<Surface>, "surface", &numbers);
        changes.extend(Change::given(Change::text, "surface", &[generator]));
        if let Some(input) = &self.input {
            let path = input.to_str().ok_or_else(|| {
                Failure::usage(format!(
                    "--input must be UTF-8: {}",
                    crate::util::words::named(input)
                ))
            })?;
            changes.push(Change::text("--input", "surface", "input", path));
        }
        Ok(changes)
    }
}

/// Open the scene that a command-line argument names: standard input, a preset, or a file.
pub(super) fn open(path: &Path, reading: &Reading) -> Result<(Scene, Option<PathBuf>), Failure> {
    if path == Path::new("-") {
        return Ok((import::read_scene(std::io::stdin())?, None));
    }
    let named = path.to_str().filter(|_| !path.is_file());
    if let Some(preset) = named.and_then(Preset::named) {
        return Ok((preset.scene(), None));
    }
    let is_word = path.extension().is_none() && path.components().count() == 1;
    if is_word && !path.exists() {
        let presets = import::presets().iter();
        let names: Vec<_> = presets
            .filter(|preset| preset.group == Group::Landscapes)
            .map(|preset| preset.name)
            .collect();
        return Err(Failure::usage(format!(
            "unknown scene `{}`; allowed: a .toml file, an image, a generator's or a modifier's \
             name, or {}",
            crate::util::words::named(path),
            names.join(", ")
        )));
    }
    let opened = import::open_as(path, reading)?;
    opened.notices.iter().for_each(|notice| super::warn(notice));
    if let Some(notice) = import::notice_of_reads(path, &opened.scene) {
        super::warn(&notice);
    }
    let is_scene = path
        .extension()
        .is_some_and(|extension| extension == "toml");
    Ok((opened.scene, is_scene.then(|| path.to_owned())))
}

/// Parse `WIDTHxHEIGHT` in pixels.
pub fn size(text: &str) -> Result<(u32, u32), String> {
    /// The allowed sides in pixels; every OpenGL 3.3 driver in use can draw them, and they exceed any screen.
    const SIDES: RangeInclusive<u32> = 1..=16_384;
    let allowed = format!("WIDTHxHEIGHT, each {} to {}", SIDES.start(), SIDES.end());
    sides(text, &SIDES).ok_or(format!("allowed: {allowed}"))
}

/// Parse `AxB`, each within `range`.
pub fn sides<T: FromStr + PartialOrd>(text: &str, range: &RangeInclusive<T>) -> Option<(T, T)> {
    let side = |side: &str| side.parse().ok().filter(|side| range.contains(side));
    let (first, second) = text.split_once('x')?;
    Some((side(first)?, side(second)?))
}

// Flags for random variations of a scene.

/// Settings that vary, the strength of the variation, and its number.
#[derive(Debug, Args)]
#[command(next_help_heading = "Variations")]
pub struct VaryArgs {
    /// Vary these settings of the scene: keys or tables such as surface.hurst,light; `land` is
    /// everything that shapes the ground, `seeds` all seeds
    #[arg(long, value_name = "LIST", value_delimiter = ',', num_args = 1)]
    vary: Vec<String>,
    /// Settings of these that stay the same, in the same form
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        num_args = 1,
        requires = "vary"
    )]
    lock: Vec<String>,
    /// Part of the way from each setting to a random place in its range [0 to 1; default 0.3]
    #[arg(long, value_name = "X", requires = "vary", allow_hyphen_values = true)]
    strength: Option<f32>,
    /// Which of all sets of variations [default 0]
    #[arg(long, value_name = "N", requires = "vary", allow_hyphen_values = true)]
    variation_set: Option<u64>,
    /// Number of the variation; 0 is the scene itself [default 1; on a contact sheet all]
    #[arg(long, value_name = "N", requires = "vary", allow_hyphen_values = true)]
    variation: Option<u32>,
}

impl VaryArgs {
    /// True if `--vary` is given.
    pub fn is_given(&self) -> bool {
        !self.vary.is_empty()
    }

    /// Make the selected variation of a scene; without `--vary`, the scene itself.
    ///
    /// # Errors
    /// The scene cannot be varied in this way.
    pub fn applied(&self, scene: Scene) -> Result<Scene, Failure> {
        if !self.is_given() {
            return Ok(scene);
        }
        let vary = self.checked(&scene)?;
        Ok(vary.variation(&scene, self.variation.unwrap_or(1)))
    }

    /// Make a scene and its variations, in the order of a contact sheet.
    ///
    /// # Errors
    /// The scene cannot be varied in this way, or a single variation is selected.
    pub fn family(&self, scene: &Scene, sides: (usize, usize)) -> Result<Vec<Variant>, Failure> {
        if self.variation.is_some() {
            let words = "--variation selects one variation, but a contact sheet shows many: leave \
                         one of them out";
            return Err(Failure::usage(words));
        }
        let vary = self.checked(scene)?;
        let numbers = on_sheet(sides.0, sides.1).into_iter().enumerate();
        let variants = numbers.map(|(index, number)| {
            let (scene, told) = vary.told(scene, number);
            let mut settings = vec![("variation".to_owned(), number.to_string())];
            settings.extend(told);
            Variant {
                index: index + 1,
                settings,
                frame: None,
                scene,
            }
        });
        Ok(variants.collect())
    }

    fn checked(&self, scene: &Scene) -> Result<Vary, Failure> {
        let words = |list: &[String]| {
            let words = list.iter().map(|word| word.trim().replace('-', "_"));
            words.collect()
        };
        let vary = Vary {
            names: words(&self.vary),
            locks: words(&self.lock),
            strength: self.strength.unwrap_or(Vary::default().strength),
            set: self.variation_set.unwrap_or(0),
        };
        let checked = vary.check(scene);
        checked.map_err(|error| Failure::usage(format!("--vary: {error}")))?;
        Ok(vary)
    }
}
