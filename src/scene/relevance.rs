//! Relevance of settings: which have no effect in a scene, and why. The panel greys these out instead
//! of hiding them, so that its layout stays stable and the reason can be shown.

use std::collections::HashMap;

use super::{PlantKind, PlantLayer, RenderType, Scene, Shading};
use crate::generate::image::Size;
use crate::generate::{Generator, Surface};
use crate::modify::ModifierKind;
use crate::modify::mask::Mask;
use crate::util::language::mark;
use crate::util::param::{Params, TableVisitor};

/// Settings of a scene that have no effect, by key, each with the reason.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inactive(HashMap<String, &'static str>);

impl Inactive {
    /// Collect all settings of the scene that have no effect.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        struct All<'a> {
            scene: &'a Scene,
            found: HashMap<String, &'static str>,
        }
        impl TableVisitor for All<'_> {
            fn visit<T: Params>(&mut self, place: &str, table: &mut T) {
                for param in T::PARAMS {
                    let key = param.key;
                    if let Some(reason) = unused(self.scene, place, table, key) {
                        self.found.insert(format!("{place}.{key}"), reason);
                    }
                }
            }
        }
        let mut all = All {
            scene,
            found: HashMap::new(),
        };
        scene.clone().visit_tables(&mut all);
        // The palette is not part of a table's `PARAMS`.
        let palette = palette(scene.render_type());
        all.found
            .extend(palette.map(|reason| ("view.palette".to_owned(), reason)));
        Self(all.found)
    }

    /// Reason why the setting `key` in the table at `place` has no effect; `None` if it has one.
    #[must_use]
    pub fn reason(&self, place: &str, key: &str) -> Option<&'static str> {
        self.0.get(&format!("{place}.{key}")).copied()
    }
}

/// Reason why the iterations of a map have no effect.
pub fn iterations(surface: &Surface) -> Option<&'static str> {
    let native = surface.generator == Generator::Image && surface.image.size == Size::Native;
    native.then_some(mark("an image in its native size has no iterations"))
}

/// Reason why the Hurst exponent has no effect on a map.
fn hurst(surface: &Surface) -> Option<&'static str> {
    match surface.generator {
        Generator::Image => Some(mark("H has no effect on an image")),
        Generator::Formula => Some(mark("H has no effect on a formula")),
        _ if !surface.has_hurst() => Some(mark("H has no effect on this generator")),
        _ => None,
    }
}

/// Reason why a setting that all generators share has no effect on a map, by its key.
fn surface(surface: &Surface, key: &str) -> Option<&'static str> {
    match key {
        "iterations" => iterations(surface),
        "hurst" => hurst(surface),
        "input_low" | "input_high" | "input_tile_m" => image(surface),
        "input_formula" => known_points(surface).or(surface
            .input
            .is_some()
            .then_some(mark("an input image is set; remove it first"))),
        "pin_level" => {
            known_points(surface).or(surface.pins.is_empty().then_some(mark("there are no pins")))
        }
        _ => None,
    }
}

/// Reason why the settings for the input image have no effect on a map.
fn image(surface: &Surface) -> Option<&'static str> {
    if !surface.takes_image() {
        return Some(mark("this generator uses no image"));
    }
    (surface.input.is_none()).then_some(mark("no input image is set"))
}

/// Reason why known points have no effect on a map.
fn known_points(surface: &Surface) -> Option<&'static str> {
    (!surface.takes_known_points()).then_some(mark(
        "works only with the generators `diamond-square` and `midpoint`",
    ))
}

/// Reason why the input level has no effect, by the path of its generator's options.
fn known_from(scene: &Scene, place: &str, key: &str) -> Option<&'static str> {
    let (of, _) = place.rsplit_once('.').filter(|_| key == "input_level")?;
    let of = surface_at(scene, of)?;
    let is_none = of.input.is_none() && of.input_formula.is_empty();
    is_none.then_some(mark("there is no input image and no input formula"))
}

/// Reason why the ground's generator and its options have no effect.
fn ridge(scene: &Scene) -> Option<&'static str> {
    let is_other = scene.surface.generator != Generator::Midpoint1d;
    (is_other && scene.render_type() == RenderType::Ridge).then_some(RIDGE)
}

/// Reason why a layer's iterations have no effect, by the path of its surface.
fn own_size(scene: &Scene, place: &str) -> Option<&'static str> {
    let mut layers = scene.layers.iter().enumerate();
    let layer = layers.find(|(index, _)| place == format!("layers.{index}.surface"));
    layer
        .filter(|(_, layer)| !layer.own_size)
        .map(|_| mark("works only with Custom size"))
}

/// Reason why there is no eroded ground for covers.
fn uneroded(scene: &Scene) -> Option<&'static str> {
    let mut steps = scene.modifiers_on();
    let has_eroded = steps.any(|(_, step)| step.kind == ModifierKind::Erosion);
    (!has_eroded || scene.shows_pass())
        .then_some(mark("nothing has eroded: add the modifier `erosion`"))
}

/// Reason why the height scale has no effect: the first step stretches all heights to its own range.
/// Layers and pins have heights that do not scale along, so with them the setting has an effect.
fn height_scale(scene: &Scene) -> Option<&'static str> {
    let is_alone = scene.layers_on().next().is_none() && scene.surface.pins.is_empty();
    let first = scene.modifiers_on().next();
    let stretches =
        first.is_some_and(|(_, step)| step.kind == ModifierKind::Normalize && !step.acts_in_part());
    (is_alone && stretches && !scene.shows_pass()).then_some(mark(
        "the modifier `normalize` stretches the heights to its own range",
    ))
}

/// Reason why finer levels of detail are not visible.
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
                "no detail below the last iteration while \"Endless\" is off",
            ))
        }
        _ => Some(GOES_ON),
    }
}

/// Reason why there is no rock.
fn rock(scene: &Scene) -> Option<&'static str> {
    match scene.render_type() {
        RenderType::Ridge => Some(RIDGE),
        shown if !shown.shows_ground() => Some(NO_GROUND),
        _ => scene
            .shows_pass()
            .then_some(mark("a single pass has no rock yet")),
    }
}

/// Reason why all settings of a table of generator options have no effect, by the table's path.
fn step(scene: &Scene, place: &str) -> Option<&'static str> {
    let mut steps = place.split('.');
    match (steps.next(), steps.next()) {
        (Some("surface"), Some("reading")) => image(&scene.surface),
        (Some("surface"), Some("pins")) => known_points(&scene.surface),
        (Some("surface"), Some(_)) => ridge(scene),
        _ => None,
    }
}

/// Reason why a camera has no effect on a map that is seen whole.
const WHOLE_MAP: &str = mark("the whole map is in view: turn the wheel over it to zoom in");
/// Reason why the ground's generator has no effect.
const RIDGE: &str = mark("render type `1d` draws a ridge line of its own");
/// Reason why no setting of the ground has an effect.
const NO_GROUND: &str = mark("this render type shows no ground");
/// Reason why settings have no effect outside of render type `landscape`.
const LANDSCAPE: &str = mark("works only in render type `landscape`");
/// Reason why the settings for finer levels of detail have no effect.
const GOES_ON: &str =
    mark("works only in render types `landscape`, `triangles`, `lines` and `map`");

/// Reason why settings that only the given render types use have no effect.
fn unless(render: RenderType, used: &[RenderType], reason: &'static str) -> Option<&'static str> {
    (!used.contains(&render)).then_some(reason)
}

/// Reason why a setting has no effect, by its table's path in the scene and its key.
#[must_use]
pub fn unused<T: Params>(scene: &Scene, place: &str, table: &T, key: &str) -> Option<&'static str> {
    let own = table.unused(key);
    let own = own.or_else(|| surface_at(scene, place).and_then(|of| surface(of, key)));
    let own = own.or_else(|| known_from(scene, place, key));
    own.or_else(|| setting(scene, place, key))
}

/// Reason why a setting has no effect apart from its own table's rules, by the table's path and the key.
fn setting(scene: &Scene, place: &str, key: &str) -> Option<&'static str> {
    use RenderType::{Landscape, Rendered, Ridge, Sky, Teximage};
    let render = scene.render_type();
    match (place, key) {
        ("surface", "height_scale") => height_scale(scene),
        ("surface", "generator") => (scene.view.render_type == Ridge).then_some(RIDGE),
        ("surface", "seed") => seed(scene),
        (place, "iterations") if place.starts_with("layers.") => own_size(scene, place),
        ("teximage", _) => unless(
            render,
            &[Teximage, Rendered],
            mark("works only in render types `rendered` and `teximage`"),
        ),
        ("clouds", _) => clouds(render),
        ("detail", _) => detail(scene),
        ("rock", _) => rock(scene),
        ("snow", _) => unless(render, &[Landscape], LANDSCAPE),
        ("view", "render_type") => (scene.surface.generator == Generator::Midpoint1d).then_some(
            mark("the generator `midpoint-1d` is always drawn as a ridge line"),
        ),
        ("view", "tile") => (render == Sky).then_some(NO_GROUND),
        ("view", key) => drawing(scene, key),
        ("light", key) => light(render, key),
        ("material", "covers") => palette(render).or_else(|| uneroded(scene)),
        ("material", _) => unless(render, &[Landscape], LANDSCAPE),
        ("water", key) => water(scene, key),
        ("analysis", key) => analysis(scene, key),
        ("sky", _) => unless(
            render,
            &[Landscape, Sky],
            mark("works only in render types `landscape` and `sky`"),
        ),
        ("fog", "enabled") => unless(
            render,
            &[Landscape, Rendered],
            mark("works only in render types `landscape` and `rendered`"),
        ),
        ("fog", "start" | "end") => unless(
            render,
            &[Rendered],
            mark("works only in render type `rendered`"),
        ),
        ("fog", _) => unless(render, &[Landscape], LANDSCAPE),
        ("camera", key) => camera(scene, key),
        (place, "by") if place.ends_with(".mask.second") => no_mask(scene, place),
        (place, "snow") if place.starts_with("plants.") => {
            (!scene.snow.enabled).then_some(mark("the snow is off"))
        }
        (place, "light") if place.starts_with("plants.") => light_of_plants(scene, place),
        _ => step(scene, place),
    }
}

/// Reason why a second mask has no effect, by its path: there is no first one.
fn no_mask(scene: &Scene, place: &str) -> Option<&'static str> {
    let mut steps = place.split('.');
    let (list, index) = (steps.next()?, steps.next()?.parse::<usize>().ok()?);
    let mask = match list {
        "layers" => &scene.layers.get(index)?.mask,
        "modifiers" => &scene.modifiers.get(index)?.mask,
        _ => &scene.plants.get(index)?.mask,
    };
    mask.is_none().then_some(mark("there is no mask"))
}

/// Reason why the light that a layer of plants needs has no effect: only taller ones take some.
fn light_of_plants(scene: &Scene, place: &str) -> Option<&'static str> {
    let own: usize = place.strip_prefix("plants.")?.parse().ok()?;
    let height = scene.plants.get(own)?.height_m();
    let is_taller = |(at, layer): (usize, &PlantLayer)| {
        let is_first = layer.height_m() == height && at < own;
        layer.kind != PlantKind::Boulder && (layer.height_m() > height || is_first)
    };
    let is_shaded = scene.plants_on().any(is_taller);
    (!is_shaded).then_some(mark("no taller plants are on"))
}

/// Reason why the seed has no effect: an image is not random, and nothing else in the scene is.
fn seed(scene: &Scene) -> Option<&'static str> {
    let is_image = scene.surface.generator == Generator::Image;
    (is_image && !scene.is_modified() && clouds(scene.render_type()).is_some())
        .then_some(mark("nothing here is random"))
}

/// Reason why colours by height have no effect.
fn palette(render: RenderType) -> Option<&'static str> {
    use RenderType::{Landscape, Map, Rendered, Teximage, Triangles};
    unless(
        render,
        &[Landscape, Triangles, Teximage, Rendered, Map],
        mark("render types `1d`, `lines`, `clouds` and `sky` have their own colours"),
    )
}

/// Reason why the cloud map has no effect.
fn clouds(render: RenderType) -> Option<&'static str> {
    use RenderType::{Clouds, Landscape, Rendered, Sky};
    unless(
        render,
        &[Clouds, Landscape, Rendered, Sky],
        mark("works only in render types `landscape`, `rendered`, `clouds` and `sky`"),
    )
}

/// Reason for the settings of the light, by key.
fn light(render: RenderType, key: &str) -> Option<&'static str> {
    use RenderType::{Landscape, Rendered, Teximage, Triangles};
    if matches!(key, "shadows" | "occlusion") {
        return unless(
            render,
            &[Landscape, Triangles],
            mark("works only in render types `landscape` and `triangles`"),
        );
    }
    if !render.is_lit() {
        return Some(mark(
            "works only in render types `landscape`, `triangles`, `teximage`, `rendered` and `sky`",
        ));
    }
    unless(
        render,
        &[Triangles, Teximage, Rendered],
        mark("the sky sets the ambient light"),
    )
    .filter(|_| key == "ambient")
}

/// Reason for the settings of sea and rivers, by key.
fn water(scene: &Scene, key: &str) -> Option<&'static str> {
    use RenderType::{Clouds, Landscape, Map, Rendered, Sky, Teximage};
    let render = scene.render_type();
    let none = matches!(render, Clouds | Sky)
        .then_some(mark("render types `clouds` and `sky` show no water"));
    let rivers = unless(
        render,
        &[Landscape, Rendered, Teximage, Map],
        mark("works only in render types `landscape`, `rendered`, `teximage` and `map`"),
    );
    let no_sea = (!scene.water.enabled).then_some(mark("the water is off"));
    match key {
        "waves" | "wave_length" | "time" | "sand" => unless(render, &[Landscape], LANDSCAPE),
        "rivers" | "springs" | "river_width" => rivers,
        "color" => none.or(no_sea.filter(|_| rivers.is_some())),
        "clarity" => none.or(no_sea.filter(|_| render != Landscape)),
        _ => none,
    }
}

/// Reason for the settings of the camera, by key.
fn camera(scene: &Scene, key: &str) -> Option<&'static str> {
    use RenderType::{Clouds, Map, Ridge, Teximage};
    match scene.render_type() {
        // A map has a camera in mode `top` only, so the mode itself has an effect.
        Map if scene.is_flat() && key != "mode" => Some(WHOLE_MAP),
        Clouds | Ridge | Teximage => Some(mark("this render type is drawn flat, without a camera")),
        _ => None,
    }
}

/// Reason for the settings of the analysis, by key.
fn analysis(scene: &Scene, key: &str) -> Option<&'static str> {
    use RenderType::{Map, Triangles};
    let (render, analysis) = (scene.render_type(), &scene.analysis);
    if key.starts_with("watershed") {
        let is_of_none = key == "watershed_snap" && analysis.watershed.is_none();
        let reason = is_of_none.then_some(mark("no watershed is shown"));
        return (!render.shows_ground()).then_some(NO_GROUND).or(reason);
    }
    if !matches!(render, Map | Triangles) {
        return Some(mark("works only in render types `map` and `triangles`"));
    }
    match key {
        "hillshade" if render != Map => Some(mark("works only in render type `map`")),
        "contour_interval" | "labels" if !analysis.contours => Some(mark("the contours are off")),
        "labels" if render != Map => Some(mark("works only in render type `map`")),
        _ => None,
    }
}

/// Reason for the settings of the view that are about drawing, by key.
fn drawing(scene: &Scene, key: &str) -> Option<&'static str> {
    use RenderType::{Clouds, Landscape, Lines, Map, Rendered, Ridge, Teximage, Triangles};
    let (render, is_flat) = (scene.render_type(), scene.is_flat());
    let from_above = render == Map && !is_flat;
    match key {
        "antialias" | "detail" if from_above => None,
        "filter" if from_above => Some(mark("works only while the whole map is in view")),
        "filter" => unless(
            render,
            &[Teximage, Clouds, Rendered, Map],
            mark("this render type has no texture"),
        ),
        "antialias" => unless(
            render,
            &[Ridge, Lines, Triangles, Rendered, Landscape],
            mark("this render type has no edges to smooth"),
        ),
        "endless" if render == Map && is_flat => Some(WHOLE_MAP),
        "endless" => (!render.goes_on_below()).then_some(GOES_ON),
        "shading" => unless(
            render,
            &[Triangles],
            mark("works only in render type `triangles`"),
        ),
        "detail" => unless(
            render,
            &[Lines, Triangles, Rendered, Landscape],
            mark("this render type does not draw the ground in perspective"),
        ),
        "scale_bar" => (!render.has_scale()).then_some(mark(
            "works only in render types `landscape`, `rendered`, `triangles`, `lines` and `map`",
        )),
        _ => None,
    }
}

/// Settings of the ground or of a layer, if that is their path.
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

/// True if the picture can depend on the table at that path. It cannot depend on generators,
/// modifiers and masks that are not chosen, on steps that are off or silenced by a solo, on films and on other
/// cameras.
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
        ["plants", index, ref rest @ ..] => {
            let layer = scene.plants_on().find(|(at, _)| Some(*at) == item(index));
            layer.is_some_and(|(_, layer)| match rest {
                ["mask", rest @ ..] => mask_acts(&layer.mask, rest),
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
        ["second", by] => !mask.is_none() && is_module(by, mask.second.by.name()),
        [by] if *by != "second" => is_module(by, mask.by.name()),
        _ => !mask.is_none(),
    }
}

/// True if the table `key` holds the options of the choice `name`.
fn is_module(key: &str, name: &str) -> bool {
    key == name.replace('-', "_")
}
