//! Which settings have no effect now, and why: they are greyed, not hidden, so that the panel
//! stays as it is and tells what would use them.

use crate::generate::Generator;
use crate::scene::{RenderType, Scene};

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
    /// What the ground hides of sun and sky.
    pub shadows: Option<&'static str>,
    /// The physical sky.
    pub sky: Option<&'static str>,
    /// The mist.
    pub fog: Option<&'static str>,
    /// The camera.
    pub camera: Option<&'static str>,
}

impl Relevance {
    /// What the scene leaves without effect.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        use RenderType::{Clouds, Lines, Map, Rendered, Sky, Teximage, Triangles};
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
                &[Triangles, Teximage, Rendered, Map],
                "lines and clouds have their own colours",
            ),
            teximage: unless(
                &[Teximage, Rendered],
                "only `rendered` and `teximage` use the texture",
            ),
            clouds: unless(
                &[Clouds, Rendered, Sky],
                "only `rendered`, `clouds` and `sky` show clouds",
            ),
            light: unless(
                &[Triangles, Teximage, Rendered, Sky],
                "only `triangles`, `teximage`, `rendered` and `sky` are lit",
            ),
            shadows: unless(&[Triangles], "only `triangles` has shadows"),
            sky: unless(&[Sky], "only `sky` shows this sky"),
            fog: unless(&[Rendered], "only `rendered` has fog"),
            camera: unless(
                &[Lines, Triangles, Rendered, Sky],
                "this render type is seen flat",
            ),
        }
    }

    /// The settings of the view that are about drawing, by key.
    #[must_use]
    pub fn drawing(self, key: &str) -> Option<&'static str> {
        use RenderType::{Clouds, Lines, Map, Rendered, Ridge, Teximage, Triangles};
        let unless = |used: &[RenderType], reason| (!used.contains(&self.render)).then_some(reason);
        match key {
            "filter" => unless(
                &[Teximage, Clouds, Rendered, Map],
                "nothing here has a texture",
            ),
            "antialias" => unless(
                &[Ridge, Lines, Triangles, Rendered],
                "this render type has no edges to smooth",
            ),
            "shading" => unless(&[Triangles], "only `triangles` has shaded faces"),
            "detail" => unless(
                &[Lines, Triangles, Rendered],
                "this render type shows no ground in space",
            ),
            _ => None,
        }
    }
}
