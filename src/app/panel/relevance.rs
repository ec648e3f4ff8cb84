//! Which settings have no effect now, and why: they are greyed, not hidden, so that the panel
//! stays as it is and tells what would use them.

use crate::generate::Generator;
use crate::scene::{Analysis, RenderType, Scene};

/// For each group of settings, why it has no effect; `None` where it has.
#[derive(Clone, Copy, Debug)]
pub struct Relevance {
    render: RenderType,
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
    /// The sun.
    pub light: Option<&'static str>,
    /// How bright the shade is.
    pub ambient: Option<&'static str>,
    /// What the ground is made of.
    pub ground: Option<&'static str>,
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
    /// The camera.
    pub camera: Option<&'static str>,
}

impl Relevance {
    /// What the scene leaves without effect.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        use RenderType::{Clouds, Landscape, Lines, Map, Rendered, Sky, Teximage, Triangles};
        let render = scene.render_type();
        let unless = |used: &[RenderType], reason| (!used.contains(&render)).then_some(reason);
        let profile = scene.surface.generator == Generator::Midpoint1d;
        let native = scene.surface.generator == Generator::Image
            && scene.surface.image.size == crate::generate::image::Size::Native;
        Self {
            render,
            render_type: profile.then_some("`midpoint-1d` is always drawn as a ridge"),
            iterations: native.then_some("an image in its native size has no iterations"),
            hurst: match scene.surface.generator {
                Generator::Image => Some("an image has the roughness that it has"),
                Generator::Formula => Some("a formula has the roughness that it has"),
                generator if !generator.has_hurst() => Some("this generator has no H"),
                _ => None,
            },
            palette: unless(
                &[Landscape, Triangles, Teximage, Rendered, Map],
                "lines and clouds have their own colours",
            ),
            teximage: unless(
                &[Teximage, Rendered],
                "only `rendered` and `teximage` use the texture",
            ),
            clouds: unless(
                &[Clouds, Landscape, Rendered, Sky],
                "only `landscape`, `rendered`, `clouds` and `sky` show clouds",
            ),
            light: unless(
                &[Landscape, Triangles, Teximage, Rendered, Sky],
                "only `landscape`, `triangles`, `teximage`, `rendered` and `sky` are lit",
            ),
            shadows: unless(
                &[Landscape, Triangles],
                "only `landscape` and `triangles` have shadows",
            ),
            ambient: unless(
                &[Triangles, Teximage, Rendered],
                "the sky says how bright the shade is",
            ),
            ground: unless(
                &[Landscape],
                "only `landscape` shows what the ground is made of",
            ),
            water: unless(&[Landscape], "only `landscape` shows water"),
            sky: unless(
                &[Landscape, Sky],
                "only `landscape` and `sky` show this sky",
            ),
            fog: unless(
                &[Landscape, Rendered],
                "only `landscape` and `rendered` have fog",
            ),
            fog_distance: unless(&[Rendered], "only `rendered` has fog that begins and ends"),
            fog_height: unless(
                &[Landscape],
                "only `landscape` has fog that thins with height",
            ),
            camera: unless(
                &[Landscape, Lines, Triangles, Rendered, Sky],
                "this render type is seen flat",
            ),
        }
    }

    /// The settings of the analysis, by key, and `section`.
    #[must_use]
    pub fn analysis(self, key: &str, analysis: &Analysis) -> Option<&'static str> {
        use RenderType::{Map, Triangles};
        if !matches!(self.render, Map | Triangles) {
            return Some("only `map` and `triangles` show it");
        }
        let flat = self.render == Map;
        match key {
            "hillshade" if !flat => Some("only `map` is shaded so"),
            "contour_interval" | "labels" if !analysis.contours => Some("there are no contours"),
            "labels" if !flat => Some("only contours of `map` have labels"),
            _ => None,
        }
    }

    /// The settings of the view that are about drawing, by key.
    #[must_use]
    pub fn drawing(self, key: &str) -> Option<&'static str> {
        use RenderType::{Clouds, Landscape, Lines, Map, Rendered, Ridge, Teximage, Triangles};
        let unless = |used: &[RenderType], reason| (!used.contains(&self.render)).then_some(reason);
        match key {
            "filter" => unless(
                &[Teximage, Clouds, Rendered, Map],
                "nothing here has a texture",
            ),
            "antialias" => unless(
                &[Ridge, Lines, Triangles, Rendered, Landscape],
                "this render type has no edges to smooth",
            ),
            "shading" => unless(&[Triangles], "only `triangles` has shaded faces"),
            "detail" => unless(
                &[Lines, Triangles, Rendered, Landscape],
                "this render type shows no ground in space",
            ),
            _ => None,
        }
    }
}
