//! Which settings have no effect now, and why. The panel greys them and does not hide them, so that
//! it stays as it is and tells what would use them.

use super::{Analysis, RenderType, Scene, Shading};
use crate::generate::image::Size;
use crate::generate::{Generator, Surface};
use crate::language::mark;

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
        "input_low" | "input_high" | "input_tile_m" => surface
            .input
            .is_none()
            .then_some(mark("there is no input image")),
        "pin_level" => surface.pins.is_empty().then_some(mark("there are no pins")),
        _ => None,
    }
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
            Some("the ground ends with its last iteration while \"Endless\" is off")
        }
        _ => Some(GOES_ON),
    }
}

/// Why a camera has no effect on a map that is seen whole.
const WHOLE_MAP: &str = "the map is seen whole: turn the wheel over it to come nearer";
/// Where levels below the last iteration are seen.
const GOES_ON: &str = "works only in render types `landscape`, `triangles`, `lines` and `map`";

impl Relevance {
    /// What the scene leaves without effect.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        use RenderType::{Clouds, Landscape, Map, Rendered, Sky, Teximage, Triangles};
        let render = scene.render_type();
        let unless = |used: &[RenderType], reason| (!used.contains(&render)).then_some(reason);
        let profile = scene.surface.generator == Generator::Midpoint1d;
        let flat = scene.is_flat();
        Self {
            render,
            flat,
            render_type: profile
                .then_some(mark("the generator `midpoint-1d` is always drawn as a ridge line")),
            iterations: iterations(&scene.surface),
            hurst: hurst(scene.surface.generator),
            palette: unless(
                &[Landscape, Triangles, Teximage, Rendered, Map],
                "render types `1d`, `lines`, `clouds` and `sky` have their own colours",
            ),
            teximage: unless(
                &[Teximage, Rendered],
                "works only in render types `rendered` and `teximage`",
            ),
            clouds: unless(
                &[Clouds, Landscape, Rendered, Sky],
                "works only in render types `landscape`, `rendered`, `clouds` and `sky`",
            ),
            detail: detail(scene),
            light: (!render.is_lit()).then_some(
                "works only in render types `landscape`, `triangles`, `teximage`, `rendered` and `sky`",
            ),
            shadows: unless(
                &[Landscape, Triangles],
                "works only in render types `landscape` and `triangles`",
            ),
            ambient: unless(
                &[Triangles, Teximage, Rendered],
                "the sky sets the ambient light",
            ),
            material: unless(&[Landscape], "works only in render type `landscape`"),
            water: unless(&[Landscape], "works only in render type `landscape`"),
            sky: unless(
                &[Landscape, Sky],
                "works only in render types `landscape` and `sky`",
            ),
            fog: unless(
                &[Landscape, Rendered],
                "works only in render types `landscape` and `rendered`",
            ),
            fog_distance: unless(&[Rendered], "works only in render type `rendered`"),
            fog_height: unless(&[Landscape], "works only in render type `landscape`"),
        }
    }

    /// Why a setting of the ground or of a table of the scene's list has no effect, by the table's place
    /// and the key.
    #[must_use]
    pub fn setting(self, scene: &Scene, place: &str, key: &str) -> Option<&'static str> {
        match (place, key) {
            ("surface", key) => surface(&scene.surface, key),
            ("teximage", _) => self.teximage,
            ("clouds", _) => self.clouds,
            ("view", "render_type") => self.render_type,
            ("view", key) => self.drawing(key),
            ("camera", key) => self.camera(key),
            ("analysis", key) => self.analysis(key, &scene.analysis),
            (place, key) => self.row(place, key),
        }
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
            let reason = "this render type shows no ground";
            return (!self.render.shows_ground()).then_some(reason);
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
                "this render type has no texture",
            ),
            "antialias" => unless(
                &[Ridge, Lines, Triangles, Rendered, Landscape],
                "this render type has no edges to smooth",
            ),
            "endless" if self.render == Map && self.flat => Some(WHOLE_MAP),
            "endless" => (!self.render.goes_on_below()).then_some(GOES_ON),
            "shading" => unless(&[Triangles], "works only in render type `triangles`"),
            "detail" => unless(
                &[Lines, Triangles, Rendered, Landscape],
                "this render type does not draw the ground in perspective",
            ),
            "scale_bar" => (!self.render.has_scale())
                .then_some(mark("works only in render types `landscape`, `rendered`, `triangles`, `lines` and `map`")),
            _ => None,
        }
    }
}
