//! Which settings have no effect now, and why. The panel greys them and does not hide them, so that
//! it stays as it is and tells what would use them.

use std::collections::HashMap;

use super::{Analysis, RenderType, Scene, Shading};
use crate::generate::image::Size;
use crate::generate::{Generator, Surface};
use crate::language::mark;
use crate::mask::Mask;
use crate::modify::ModifierKind;
use crate::param::{Params, TableVisitor};

/// For each group of settings, why it has no effect; `None` where it has.
#[derive(Clone, Copy, Debug)]
pub struct Relevance {
    render: RenderType,
    /// Whether the picture has no camera.
    flat: bool,
    /// The render type itself.
    pub render_type: Option<&'static str>,
    /// Iterations of the surface.
    pub iterations: Option<&'static str>,
    /// H of the surface.
    pub hurst: Option<&'static str>,
    /// The colours by height.
    pub palette: Option<&'static str>,
    /// The finer map.
    pub teximage: Option<&'static str>,
    /// The cloud map.
    pub clouds: Option<&'static str>,
    /// The levels below the last iteration.
    pub detail: Option<&'static str>,
    /// The sun.
    pub light: Option<&'static str>,
    /// How bright the shade is.
    pub ambient: Option<&'static str>,
    /// What the ground is made of.
    pub material: Option<&'static str>,
    /// The sea.
    pub water: Option<&'static str>,
    /// The waves and the beach.
    pub waves: Option<&'static str>,
    /// The rivers.
    pub rivers: Option<&'static str>,
    /// The colour of sea and rivers.
    pub water_color: Option<&'static str>,
    /// How deep one sees into them.
    pub clarity: Option<&'static str>,
    /// What the ground hides of sun and sky.
    pub shadows: Option<&'static str>,
    /// The physical sky.
    pub sky: Option<&'static str>,
    /// The mist.
    pub fog: Option<&'static str>,
    /// Where the mist begins and ends.
    pub fog_distance: Option<&'static str>,
    /// How the mist thins with height.
    pub fog_height: Option<&'static str>,
}

/// Why settings of a scene have no effect, by their keys in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inactive(HashMap<String, &'static str>);

impl Inactive {
    /// All settings of the scene that have none.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        struct All<'a> {
            scene: &'a Scene,
            relevance: Relevance,
            found: HashMap<String, &'static str>,
        }
        impl TableVisitor for All<'_> {
            fn visit<T: Params>(&mut self, place: &str, table: &mut T) {
                for param in T::PARAMS {
                    let key = param.key;
                    if let Some(reason) = self.relevance.unused(self.scene, place, table, key) {
                        self.found.insert(format!("{place}.{key}"), reason);
                    }
                }
            }
        }
        let mut all = All {
            scene,
            relevance: Relevance::of(scene),
            found: HashMap::new(),
        };
        scene.clone().visit_tables(&mut all);
        // It is in no table.
        let palette = all.relevance.palette;
        all.found
            .extend(palette.map(|reason| ("view.palette".to_owned(), reason)));
        Self(all.found)
    }

    /// Why the setting of that key, in the table at that place, has no effect; `None` if it has one.
    #[must_use]
    pub fn reason(&self, place: &str, key: &str) -> Option<&'static str> {
        self.0.get(&format!("{place}.{key}")).copied()
    }
}

/// Why the iterations of a map have no effect.
pub fn iterations(surface: &Surface) -> Option<&'static str> {
    let native = surface.generator == Generator::Image && surface.image.size == Size::Native;
    native.then_some(mark("an image in its native size has no iterations"))
}

/// Why H has no effect on a map.
pub fn hurst(generator: Generator) -> Option<&'static str> {
    match generator {
        Generator::Image => Some(mark("H has no effect on an image")),
        Generator::Formula => Some(mark("H has no effect on a formula")),
        generator if !generator.has_hurst() => Some(mark("H has no effect on this generator")),
        _ => None,
    }
}

/// Why a setting that all generators share has no effect on a map, by its key.
pub fn surface(surface: &Surface, key: &str) -> Option<&'static str> {
    match key {
        "iterations" => iterations(surface),
        "hurst" => hurst(surface.generator),
        "input_low" | "input_high" | "input_tile_m" => image(surface),
        "input_formula" => known_points(surface.generator).or(surface
            .input
            .is_some()
            .then_some(mark("an input image is set; remove it first"))),
        "pin_level" => known_points(surface.generator)
            .or(surface.pins.is_empty().then_some(mark("there are no pins"))),
        _ => None,
    }
}

/// Why what is said of its input image has no effect on a map.
fn image(surface: &Surface) -> Option<&'static str> {
    if !surface.generator.takes_image() {
        return Some(mark("this generator uses no image"));
    }
    (surface.input.is_none()).then_some(mark("no input image is set"))
}

/// Why points that are known have no effect on a map.
fn known_points(generator: Generator) -> Option<&'static str> {
    (!generator.takes_known_points()).then_some(mark(
        "works only with the generators `diamond-square` and `midpoint`",
    ))
}

/// Why the level of an input has no effect, by the place of its generator's options.
fn known_from(scene: &Scene, place: &str, key: &str) -> Option<&'static str> {
    let (of, _) = place.rsplit_once('.').filter(|_| key == "input_level")?;
    let of = surface_at(scene, of)?;
    let is_none = of.input.is_none() && of.input_formula.is_empty();
    is_none.then_some(mark("there is no input image and no input formula"))
}

/// Why the generator of the ground and its options have no effect.
fn ridge(scene: &Scene) -> Option<&'static str> {
    let is_other = scene.surface.generator != Generator::Midpoint1d;
    (is_other && scene.render_type() == RenderType::Ridge).then_some(RIDGE)
}

/// Why a layer's iterations have no effect, by the place of its surface.
fn own_size(scene: &Scene, place: &str) -> Option<&'static str> {
    let mut layers = scene.layers.iter().enumerate();
    let layer = layers.find(|(index, _)| place == format!("layers.{index}.surface"));
    layer
        .filter(|(_, layer)| !layer.own_size)
        .map(|_| mark("works only with Own size"))
}

/// Why there is nothing for covers to lie on.
fn uneroded(scene: &Scene) -> Option<&'static str> {
    let mut steps = scene.modifiers_on();
    let has_eroded = steps.any(|(_, step)| step.kind == ModifierKind::Erosion);
    (!has_eroded || scene.shows_pass())
        .then_some(mark("nothing has eroded: add the modifier `erosion`"))
}

/// Why repetitions of the tile are not seen.
fn tile(render: RenderType) -> Option<&'static str> {
    (render == RenderType::Sky).then_some(NO_GROUND)
}

/// Why the height scale of the ground has no effect: the first step stretches all heights to a range
/// of its own. Layers and pins have heights that do not scale along.
fn height_scale(scene: &Scene) -> Option<&'static str> {
    let is_alone = scene.layers_on().next().is_none() && scene.surface.pins.is_empty();
    let first = scene.modifiers_on().next();
    let stretches =
        first.is_some_and(|(_, step)| step.kind == ModifierKind::Normalize && !step.acts_in_part());
    (is_alone && stretches && !scene.shows_pass()).then_some(mark(
        "the modifier `normalize` stretches the heights to its own range",
    ))
}

/// Why the levels below the last iteration are not seen.
fn detail(scene: &Scene) -> Option<&'static str> {
    let is_flat = scene.view.shading == Shading::Flat;
    match scene.render_type() {
        RenderType::Triangles if is_flat => {
            Some(mark("flat triangles show the samples as they are"))
        }
        RenderType::Map if scene.is_flat() => Some(WHOLE_MAP),
        shown if shown.goes_on_below() => {
            if scene.shows_below() {
                return None;
            }
            Some(mark(
                "the ground ends with its last iteration while \"Endless\" is off",
            ))
        }
        _ => Some(GOES_ON),
    }
}

/// Why no setting of a table of generators, layers, modifiers or masks has an effect, by its place.
fn step(scene: &Scene, place: &str) -> Option<&'static str> {
    let mut steps = place.split('.');
    match (steps.next(), steps.next()) {
        (Some("surface"), Some("reading")) => image(&scene.surface),
        (Some("surface"), Some("pins")) => known_points(scene.surface.generator),
        (Some("surface"), Some(_)) => ridge(scene),
        _ => None,
    }
}

/// Why a camera has no effect on a map that is seen whole.
const WHOLE_MAP: &str = mark("the map is seen whole: turn the wheel over it to come nearer");
/// Why the generator of the ground has no effect.
const RIDGE: &str = mark("render type `1d` draws a ridge line of its own");
/// Why nothing of the ground has an effect.
const NO_GROUND: &str = mark("this render type shows no ground");
/// Where levels below the last iteration are seen.
const GOES_ON: &str =
    mark("works only in render types `landscape`, `triangles`, `lines` and `map`");

impl Relevance {
    /// What the scene leaves without effect.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        use RenderType::{Clouds, Landscape, Map, Rendered, Sky, Teximage, Triangles};
        let render = scene.render_type();
        let unless = |used: &[RenderType], reason| (!used.contains(&render)).then_some(reason);
        let profile = scene.surface.generator == Generator::Midpoint1d;
        let flat = scene.is_flat();
        let water = matches!(render, Clouds | Sky)
            .then_some(mark("render types `clouds` and `sky` show no water"));
        let rivers = unless(
            &[Landscape, Rendered, Teximage, Map],
            mark("works only in render types `landscape`, `rendered`, `teximage` and `map`"),
        );
        let no_sea = (!scene.water.enabled).then_some(mark("the water is off"));
        Self {
            render,
            flat,
            render_type: profile
                .then_some(mark("the generator `midpoint-1d` is always drawn as a ridge line")),
            iterations: iterations(&scene.surface),
            hurst: hurst(scene.surface.generator),
            palette: unless(
                &[Landscape, Triangles, Teximage, Rendered, Map],
                mark("render types `1d`, `lines`, `clouds` and `sky` have their own colours"),
            ),
            teximage: unless(
                &[Teximage, Rendered],
                mark("works only in render types `rendered` and `teximage`"),
            ),
            clouds: unless(
                &[Clouds, Landscape, Rendered, Sky],
                mark("works only in render types `landscape`, `rendered`, `clouds` and `sky`"),
            ),
            detail: detail(scene),
            light: (!render.is_lit()).then_some(
                mark("works only in render types `landscape`, `triangles`, `teximage`, `rendered` and `sky`"),
            ),
            shadows: unless(
                &[Landscape, Triangles],
                mark("works only in render types `landscape` and `triangles`"),
            ),
            ambient: unless(
                &[Triangles, Teximage, Rendered],
                mark("the sky sets the ambient light"),
            ),
            material: unless(&[Landscape], mark("works only in render type `landscape`")),
            water,
            waves: unless(&[Landscape], mark("works only in render type `landscape`")),
            rivers,
            water_color: water.or(no_sea.filter(|_| rivers.is_some())),
            clarity: water.or(no_sea.filter(|_| render != Landscape)),
            sky: unless(
                &[Landscape, Sky],
                mark("works only in render types `landscape` and `sky`"),
            ),
            fog: unless(
                &[Landscape, Rendered],
                mark("works only in render types `landscape` and `rendered`"),
            ),
            fog_distance: unless(&[Rendered], mark("works only in render type `rendered`")),
            fog_height: unless(&[Landscape], mark("works only in render type `landscape`")),
        }
    }

    /// Why a setting has no effect, by its table's place in the scene and its key.
    #[must_use]
    pub fn unused<T: Params>(
        self,
        scene: &Scene,
        place: &str,
        table: &T,
        key: &str,
    ) -> Option<&'static str> {
        let own = table.unused(key);
        let own = own.or_else(|| surface_at(scene, place).and_then(|of| surface(of, key)));
        let own = own.or_else(|| known_from(scene, place, key));
        own.or_else(|| self.setting(scene, place, key))
    }

    /// Why a setting of the ground or of a table of the scene's list has no effect, by the table's place
    /// and the key.
    #[must_use]
    fn setting(self, scene: &Scene, place: &str, key: &str) -> Option<&'static str> {
        match (place, key) {
            ("surface", "height_scale") => height_scale(scene),
            ("surface", "generator") => {
                (scene.view.render_type == RenderType::Ridge).then_some(RIDGE)
            }
            ("surface", "seed") => self.seed(scene),
            ("material", "covers") => self.palette.or_else(|| uneroded(scene)),
            ("view", "tile") => tile(self.render),
            (place, "iterations") if place.starts_with("layers.") => own_size(scene, place),
            ("teximage", _) => self.teximage,
            ("clouds", _) => self.clouds,
            ("view", "render_type") => self.render_type,
            ("view", key) => self.drawing(key),
            ("camera", key) => self.camera(key),
            ("analysis", key) => self.analysis(key, &scene.analysis),
            (place, key) => self.row(place, key).or_else(|| step(scene, place)),
        }
    }

    /// Why the seed has no effect: an image is as it is, unless something else is random.
    fn seed(self, scene: &Scene) -> Option<&'static str> {
        let is_image = scene.surface.generator == Generator::Image && self.clouds.is_some();
        let is_alone = scene.layers_on().next().is_none() && scene.modifiers_on().next().is_none();
        (is_image && is_alone).then_some(mark("nothing here is random"))
    }

    /// The settings of a table of the scene's list, by its place and key.
    #[must_use]
    pub fn row(self, place: &str, key: &str) -> Option<&'static str> {
        match (place, key) {
            ("detail", _) => self.detail,
            ("light", "shadows" | "occlusion") => self.shadows,
            ("light", "ambient") => self.light.or(self.ambient),
            ("light", _) => self.light,
            ("material", "covers") => self.palette,
            ("material", _) => self.material,
            ("water", "waves" | "wave_length" | "time" | "sand") => self.waves,
            ("water", "rivers" | "springs" | "river_width") => self.rivers,
            ("water", "color") => self.water_color,
            ("water", "clarity") => self.clarity,
            ("water", _) => self.water,
            ("sky", _) => self.sky,
            ("fog", "enabled") => self.fog,
            ("fog", "start" | "end") => self.fog_distance,
            ("fog", _) => self.fog_height,
            _ => None,
        }
    }

    /// The settings of the camera, by key.
    #[must_use]
    pub fn camera(self, key: &str) -> Option<&'static str> {
        use RenderType::{Clouds, Map, Ridge, Teximage};
        match self.render {
            // It has one in one mode.
            Map if self.flat && key != "mode" => Some(WHOLE_MAP),
            Clouds | Ridge | Teximage => {
                Some(mark("this render type is drawn flat, without a camera"))
            }
            _ => None,
        }
    }

    /// The settings of the analysis, by key, `section` and `watershed`.
    #[must_use]
    pub fn analysis(self, key: &str, analysis: &Analysis) -> Option<&'static str> {
        use RenderType::{Map, Triangles};
        if key.starts_with("watershed") {
            let is_of_none = key == "watershed_snap" && analysis.watershed.is_none();
            let reason = is_of_none.then_some(mark("no watershed is shown"));
            return (!self.render.shows_ground())
                .then_some(NO_GROUND)
                .or(reason);
        }
        if !matches!(self.render, Map | Triangles) {
            return Some(mark("works only in render types `map` and `triangles`"));
        }
        match key {
            "hillshade" if self.render != Map => Some(mark("works only in render type `map`")),
            "contour_interval" | "labels" if !analysis.contours => {
                Some(mark("the contours are off"))
            }
            "labels" if !self.flat => Some(mark("works only on a map that is seen whole")),
            _ => None,
        }
    }

    /// The settings of the view that are about drawing, by key.
    #[must_use]
    pub fn drawing(self, key: &str) -> Option<&'static str> {
        use RenderType::{Clouds, Landscape, Lines, Map, Rendered, Ridge, Teximage, Triangles};
        let unless = |used: &[RenderType], reason| (!used.contains(&self.render)).then_some(reason);
        let from_above = self.render == Map && !self.flat;
        match key {
            "antialias" | "detail" if from_above => None,
            "filter" if from_above => Some(mark("works only on a map that is seen whole")),
            "filter" => unless(
                &[Teximage, Clouds, Rendered, Map],
                mark("this render type has no texture"),
            ),
            "antialias" => unless(
                &[Ridge, Lines, Triangles, Rendered, Landscape],
                mark("this render type has no edges to smooth"),
            ),
            "endless" if self.render == Map && self.flat => Some(WHOLE_MAP),
            "endless" => (!self.render.goes_on_below()).then_some(GOES_ON),
            "shading" => unless(&[Triangles], mark("works only in render type `triangles`")),
            "detail" => unless(
                &[Lines, Triangles, Rendered, Landscape],
                mark("this render type does not draw the ground in perspective"),
            ),
            "scale_bar" => (!self.render.has_scale())
                .then_some(mark("works only in render types `landscape`, `rendered`, `triangles`, `lines` and `map`")),
            _ => None,
        }
    }
}

/// The ground's settings, or a layer's, if that is their place.
fn surface_at<'a>(scene: &'a Scene, place: &str) -> Option<&'a Surface> {
    let steps: Vec<&str> = place.split('.').collect();
    match steps[..] {
        ["surface"] => Some(&scene.surface),
        ["layers", index, "surface"] => {
            let layer = scene.layers.get(index.parse::<usize>().ok()?);
            layer.map(|layer| &layer.surface)
        }
        _ => None,
    }
}

/// Whether a picture can depend on the table at that place: not on those of generators, modifiers and
/// masks that are not chosen, of what is off or rests, of films and of other cameras.
#[must_use]
pub fn acts(scene: &Scene, place: &str) -> bool {
    let steps: Vec<&str> = place.split('.').collect();
    let item = |index: &str| index.parse::<usize>().ok();
    match steps[..] {
        ["surface", ref rest @ ..] => surface_acts(&scene.surface, rest),
        ["layers", index, ref rest @ ..] => {
            let layer = scene.layers_on().find(|(at, _)| Some(*at) == item(index));
            layer.is_some_and(|(_, layer)| match rest {
                ["mask", rest @ ..] => mask_acts(&layer.mask, rest),
                ["surface", rest @ ..] => surface_acts(&layer.surface, rest),
                _ => true,
            })
        }
        ["modifiers", index, ref rest @ ..] => {
            let step = scene
                .modifiers_on()
                .find(|(at, _)| Some(*at) == item(index));
            step.is_some_and(|(_, step)| match rest {
                ["mask", rest @ ..] => mask_acts(&step.mask, rest),
                [kind] => is_module(kind, step.kind.name()),
                _ => true,
            })
        }
        ["section" | "path" | "film" | "bookmarks", ..] => false,
        _ => true,
    }
}

fn surface_acts(surface: &Surface, rest: &[&str]) -> bool {
    match rest {
        ["reading"] => surface.input.is_some(),
        ["pins", _] => true,
        [generator] => is_module(generator, surface.generator.name()),
        _ => true,
    }
}

fn mask_acts(mask: &Mask, rest: &[&str]) -> bool {
    match rest {
        [by] => is_module(by, mask.by.name()),
        _ => !mask.is_none(),
    }
}

/// Whether the table of that key is the one of the choice of that name.
fn is_module(key: &str, name: &str) -> bool {
    key == name.replace('-', "_")
}
