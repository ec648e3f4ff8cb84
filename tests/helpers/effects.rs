//! What settings change: the land, or the picture of 160 × 90 pixels, and what is said of those that
//! change neither.
#![allow(dead_code)]

use landform::import;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::param::{Kind, Params, TableVisitor, Value};
use landform::pipeline::{self, Pipeline};
use landform::render::HeadlessRenderer;
use landform::scene::Scene;
use landform::scene::relevance::{Inactive, acts};

/// Iterations of the land.
const ITERATIONS: u32 = 6;
const SIZE: (u32, u32) = (160, 90);

/// Settings that need not change a picture, and why.
const EXEMPT: &[(&str, &str)] = &[
    (
        "iterations",
        "how fine a map is, which costs too much to try",
    ),
    (
        "tile_size_m",
        "lengths in files and words; the land keeps its shape",
    ),
    (
        "rock",
        "beds are seen where the map resolves them, or from near",
    ),
    ("crs", "coordinates in files and words"),
    ("origin", "coordinates in files and words"),
    (
        "input_tile_m",
        "lengths in files and words, unless the tile size changes",
    ),
    ("antialias", "smooths edges where there are any"),
    ("solo", "which of several steps act"),
    ("filter", "seen only where texels are larger than pixels"),
    ("detail.levels", "seen only where the camera is near"),
    ("detail.strength", "seen only where the camera is near"),
    ("endless", "seen only where the camera is near"),
    ("scale_bar", "seen only where there is ground in the middle"),
    ("legend", "explains lines and colours where there are any"),
    (
        "own_size",
        "the same where the layer has as many iterations as the ground",
    ),
    ("speed", "how fast the camera goes"),
    ("eye_height", "how high the camera goes when it is moved"),
    (
        "detail",
        "how coarse distant land may be: at 65² samples none is coarser",
    ),
];

/// A setting of a scene, and what it may be.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Its key in the scene.
    pub path: String,
    place: String,
    key: &'static str,
    /// Why it is shown as without effect.
    pub reason: Option<&'static str>,
    values: Vec<Value>,
}

impl Tried {
    fn is_of_the_land(&self) -> bool {
        let tables = ["surface", "layers", "modifiers"];
        tables.iter().any(|table| self.place.starts_with(table))
    }
}

/// The settings that a picture can depend on, each with the least value, the default and the most.
pub fn settings(scene: &Scene) -> Vec<Tried> {
    struct All<'a> {
        scene: &'a Scene,
        inactive: Inactive,
        found: Vec<Tried>,
    }
    impl TableVisitor for All<'_> {
        fn visit<T: Params>(&mut self, place: &str, table: &mut T) {
            if !acts(self.scene, place) {
                return;
            }
            for param in T::PARAMS {
                let path = format!("{place}.{}", param.key);
                let is_exempt = |(name, _): &(&str, _)| [param.key, &path, place].contains(name);
                let is_exempt = EXEMPT.iter().any(is_exempt);
                if is_exempt || param.kind() == Kind::Text {
                    continue;
                }
                let default = param.value(&T::default());
                let mut values = match param.kind() {
                    Kind::Float { min, max, slider } => {
                        // Flat land is flat whatever stretches it.
                        let min = match param.key {
                            "height_scale" => 0.1,
                            _ => min,
                        };
                        [max, slider.1, min, slider.0].map(Value::Float).to_vec()
                    }
                    Kind::Int {
                        min,
                        max,
                        slider_max,
                    } => [max.min(slider_max), min].map(Value::Int).to_vec(),
                    Kind::Seed => [0, 1].map(Value::Seed).to_vec(),
                    Kind::Switch => [true, false].map(Value::Switch).to_vec(),
                    Kind::Choice { names, .. } => {
                        (0..names.len()).rev().map(Value::Choice).collect()
                    }
                    Kind::Text => Vec::new(),
                };
                values.push(default);
                values.retain(|value| *value != param.value(table));
                self.found.push(Tried {
                    path: format!("{place}.{}", param.key),
                    place: place.to_owned(),
                    key: param.key,
                    reason: self.inactive.reason(place, param.key),
                    values,
                });
            }
        }
    }
    let mut all = All {
        scene,
        inactive: Inactive::of(scene),
        found: Vec::new(),
    };
    scene.clone().visit_tables(&mut all);
    all.found
}

/// A scene with settings changed; what cannot be stays.
fn with(scene: &Scene, changes: &[(&Tried, &Value)]) -> Scene {
    struct Set<'a>(&'a Tried, &'a Value);
    impl TableVisitor for Set<'_> {
        fn visit<T: Params>(&mut self, place: &str, table: &mut T) {
            if place == self.0.place {
                T::param(self.0.key).set(table, self.1.clone());
            }
        }
    }
    let mut scene = scene.clone();
    for (tried, value) in changes {
        let before = scene.clone();
        scene.visit_tables(&mut Set(tried, value));
        if scene.validate().is_err() {
            scene = before;
        }
    }
    scene
}

/// Draws small pictures of scenes.
pub struct WorkerLoop {
    pipeline: Pipeline,
    studio: HeadlessRenderer,
    inputs: Inputs,
}

impl WorkerLoop {
    /// With what a preset names, read.
    pub fn new(scene: &Scene) -> Self {
        Self {
            pipeline: Pipeline::default(),
            studio: HeadlessRenderer::new().unwrap(),
            inputs: import::inputs(scene).unwrap(),
        }
    }

    /// The land; `None` if there can be none, such as of an image that is not there.
    fn heights(&self, scene: &Scene) -> Option<Vec<f32>> {
        let map = pipeline::heights(scene, &self.inputs, &Job::new()).ok()?;
        Some(map.heights().to_vec())
    }

    fn picture(&mut self, scene: &Scene) -> Option<Vec<[u8; 3]>> {
        let landscape = self.pipeline.run(scene, &self.inputs, &Job::new()).ok()?;
        let picture = self.studio.picture(&landscape, SIZE).unwrap();
        Some(picture.as_slice().to_vec())
    }

    /// What is said wrongly of the settings of a scene: which act although they are shown as idle,
    /// and which do nothing although they are not, of those of the land alone or of all.
    pub fn wrongs(&mut self, scene: &Scene, of_land_alone: bool) -> Vec<String> {
        let mut scene = scene.clone();
        for surface in scene.surfaces_mut() {
            surface.iterations = surface.iterations.min(ITERATIONS);
        }
        scene.teximage.iterations = scene.teximage.iterations.min(ITERATIONS + 1);
        let scene = &scene;
        let (tried, mut wrongs) = (settings(scene), Vec::new());
        let land = self.heights(scene).expect("a preset");
        let picture = self.picture(scene).expect("a preset");
        let (idle, acting): (Vec<_>, Vec<_>) =
            tried.iter().partition(|tried| tried.reason.is_some());
        for tried in acting {
            if of_land_alone && !tried.is_of_the_land() {
                continue;
            }
            let scenes = tried
                .values
                .iter()
                .map(|value| with(scene, &[(tried, value)]));
            let mut scenes: Vec<_> = scenes.filter(|changed| changed != scene).collect();
            scenes.dedup();
            let changes_land = |changed: &Scene| {
                let made = tried.is_of_the_land().then(|| self.heights(changed));
                made.is_some_and(|made| made.is_none_or(|made| !same_land(&made, &land)))
            };
            if scenes.is_empty() || scenes.iter().any(changes_land) {
                continue;
            }
            if scenes
                .iter()
                .any(|changed| self.picture(changed).as_ref() != Some(&picture))
            {
                continue;
            }
            wrongs.push(format!("{} has no effect", tried.path));
        }
        // All of them at once, then one by one if that is another picture.
        let most = |tried: &&Tried, index: usize| tried.values.get(index).cloned();
        for index in 0..2 {
            let values: Vec<_> = idle
                .iter()
                .filter_map(|t| Some((*t, most(t, index)?)))
                .collect();
            let changes: Vec<_> = values
                .iter()
                .map(|(tried, value)| (*tried, value))
                .collect();
            if self.is_same(&with(scene, &changes), &land, &picture) {
                continue;
            }
            for (tried, value) in changes {
                if !self.is_same(&with(scene, &[(tried, value)]), &land, &picture) {
                    let reason = tried.reason.unwrap_or_default();
                    wrongs.push(format!(
                        "{} has an effect although \"{reason}\"",
                        tried.path
                    ));
                }
            }
        }
        wrongs.sort();
        wrongs.dedup();
        wrongs
    }

    fn is_same(&mut self, scene: &Scene, land: &[f32], picture: &[[u8; 3]]) -> bool {
        let is_same_land = self
            .heights(scene)
            .is_some_and(|made| same_land(&made, land));
        is_same_land
            && self
                .picture(scene)
                .is_some_and(|made| same_picture(&made, picture))
    }
}

/// Whether heights are the same but for rounding.
fn same_land(a: &[f32], b: &[f32]) -> bool {
    let (low, high) = b.iter().fold((f32::MAX, f32::MIN), |(low, high), height| {
        (low.min(*height), high.max(*height))
    });
    let most = (high - low) * 1e-4;
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= most)
}

/// Whether pictures are the same but for rounding.
fn same_picture(a: &[[u8; 3]], b: &[[u8; 3]]) -> bool {
    let near = |(a, b): (&[u8; 3], &[u8; 3])| a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= 8);
    let others = a.iter().zip(b).filter(|pair| !near(*pair)).count();
    others * 1000 <= b.len()
}
