//! Every shader program, compiled when it is first used and kept.

use std::cell::OnceCell;
use std::rc::Rc;

use glium::Program;
use glium::backend::{Context, Facade};
use glium::program::ProgramCreationInput;

use super::{RenderError, one_line};

/// The list: name in Rust, name of the files, the parts of each stage. Parts are joined in
/// order, so that what shaders share is written once.
macro_rules! programs {
    ($($variant:ident = $name:literal, [$($vertex:literal),+], [$($fragment:literal),+];)+) => {
        /// A program by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Shader {
            $($variant,)+
        }

        const SOURCES: &[Source] = &[
            $(Source {
                name: $name,
                vertex: concat!("#version 330 core\n",
                    $(include_str!(concat!("../../shaders/", $vertex)),)+),
                fragment: concat!("#version 330 core\n",
                    $(include_str!(concat!("../../shaders/", $fragment)),)+),
            },)+
        ];
    };
}

programs! {
    Backdrop = "backdrop", ["screen.vert"], ["common/output.glsl", "backdrop.frag"];
    Lines = "lines", ["common/ground.glsl", "ground.vert"], ["common/output.glsl", "lines.frag"];
    Wire = "wire", ["common/ground.glsl", "ground.vert"], ["common/output.glsl", "wire.frag"];
    Triangles = "triangles", ["common/ground.glsl", "ground.vert"],
        ["common/output.glsl", "common/light.glsl", "common/tile.glsl", "common/smooth_normal.glsl",
            "common/visibility.glsl", "triangles.frag"];
    AnalysedTriangles = "triangles with analysis", ["common/ground.glsl", "ground.vert"],
        ["define/analysis.glsl", "common/output.glsl", "common/light.glsl", "common/tile.glsl",
            "common/smooth_normal.glsl", "common/visibility.glsl", "common/analysis.glsl",
            "common/drawn_lines.glsl", "triangles.frag"];
    Distance = "distance", ["common/ground.glsl", "distance.vert"], ["distance.frag"];
    Landscape = "landscape", ["landscape.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/smooth_normal.glsl",
            "common/visibility.glsl", "common/sky.glsl", "common/clouds.glsl", "common/fog.glsl",
            "common/material.glsl", "common/tonemap.glsl", "landscape.frag"];
    SmoothLandscape = "landscape multisampled", ["landscape.vert"],
        ["define/multisampled.glsl", "common/output.glsl", "common/tile.glsl", "common/smooth_normal.glsl",
            "common/visibility.glsl", "common/sky.glsl", "common/clouds.glsl", "common/fog.glsl",
            "common/material.glsl", "common/tonemap.glsl", "landscape.frag"];
    LandscapeSkirt = "landscape_skirt", ["common/ground.glsl", "skirt.vert"],
        ["common/output.glsl", "common/sky.glsl", "common/fog.glsl", "common/material.glsl",
            "common/tonemap.glsl", "landscape_skirt.frag"];
    Reflection = "reflection", ["common/ground.glsl", "common/sky.glsl", "common/fog.glsl", "reflection.vert"],
        ["common/tile.glsl", "common/smooth_normal.glsl", "common/visibility.glsl",
            "common/sky.glsl", "common/clouds.glsl", "common/material.glsl", "reflection.frag"];
    Water = "water", ["common/sky.glsl", "common/fog.glsl", "water.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/visibility.glsl", "common/sky.glsl",
            "common/clouds.glsl", "common/fog.glsl", "common/material.glsl",
            "common/tonemap.glsl", "water.frag"];
    Rendered = "rendered", ["common/ground.glsl", "ground.vert"],
        ["common/output.glsl", "rendered.frag"];
    Skirt = "skirt", ["common/ground.glsl", "skirt.vert"],
        ["common/output.glsl", "common/light.glsl", "skirt.frag"];
    Sky = "sky", ["sky.vert"], ["common/output.glsl", "sky.frag"];
    LandscapeSky = "landscape_sky", ["common/sky.glsl", "common/fog.glsl", "landscape_sky.vert"],
        ["common/output.glsl", "common/sky.glsl", "common/tonemap.glsl", "landscape_sky.frag"];
    CloudySky = "landscape_sky with clouds", ["common/sky.glsl", "common/fog.glsl", "landscape_sky.vert"],
        ["define/clouds.glsl", "common/output.glsl", "common/sky.glsl", "common/clouds.glsl",
            "common/tonemap.glsl", "landscape_sky.frag"];
    StarrySky = "landscape_sky with clouds and stars",
        ["common/sky.glsl", "common/fog.glsl", "landscape_sky.vert"],
        ["define/clouds.glsl", "define/stars.glsl", "common/output.glsl", "common/sky.glsl",
            "common/clouds.glsl", "common/tonemap.glsl", "landscape_sky.frag"];
    Normals = "normals", ["screen.vert"], ["common/normal.glsl", "normals.frag"];
    Bake = "bake", ["common/ground.glsl", "ground.vert"],
        ["common/output.glsl", "common/light.glsl", "common/normal.glsl", "bake.frag"];
    Texture = "texture", ["flat.vert"], ["common/output.glsl", "texture.frag"];
    Map = "map", ["flat.vert"], ["common/output.glsl", "map.frag"];
    AnalysedMap = "analysed_map", ["flat.vert"],
        ["common/output.glsl", "common/analysis.glsl", "analysed_map.frag"];
    Rises = "rises", ["screen.vert"], ["common/relief.glsl", "rises.frag"];
    Strips = "strips", ["strips.vert"], ["strips.frag"];
    Sprites = "sprites", ["sprites.vert"], ["sprites.frag"];
    RidgeFill = "ridge_fill", ["common/ridge.glsl", "ridge_fill.vert"],
        ["common/output.glsl", "ridge_fill.frag"];
    RidgeLine = "ridge_line", ["common/ridge.glsl", "ridge_line.vert"],
        ["common/output.glsl", "ridge_line.frag"];
    Points = "points", ["points.vert"], ["common/output.glsl", "points.frag"];
    Distances = "distances", ["common/ground.glsl", "ground.vert"], ["distances.frag"];
    Ranges = "ranges", ["ranges.vert"], ["common/output.glsl", "ranges.frag"];
    Glass = "glass", ["screen.vert"], ["glass.frag"];
    Present = "present", ["screen.vert"], ["present.frag"];
}

struct Source {
    name: &'static str,
    vertex: &'static str,
    fragment: &'static str,
}

/// The programs of one context.
pub(super) struct Programs {
    context: Rc<Context>,
    compiled: Vec<OnceCell<Program>>,
}

impl Programs {
    pub(super) fn new(context: &Rc<Context>) -> Self {
        Self {
            context: Rc::clone(context),
            compiled: SOURCES.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// The program, compiled now if this is its first use.
    pub(super) fn get(&self, shader: Shader) -> Result<&Program, RenderError> {
        let cell = &self.compiled[shader as usize];
        if let Some(program) = cell.get() {
            return Ok(program);
        }
        let program = compile(&self.context, &SOURCES[shader as usize])?;
        Ok(cell.get_or_init(|| program))
    }
}

fn compile(context: &Rc<Context>, source: &Source) -> Result<Program, RenderError> {
    let input = ProgramCreationInput::SourceCode {
        vertex_shader: source.vertex,
        tessellation_control_shader: None,
        tessellation_evaluation_shader: None,
        geometry_shader: None,
        fragment_shader: source.fragment,
        transform_feedback_varyings: None,
        // Colours are sRGB all the way: no conversion on any framebuffer.
        outputs_srgb: true,
        uses_point_size: false,
    };
    Program::new(context, input).map_err(|error| RenderError::Shader {
        program: source.name,
        message: one_line(&error.to_string()),
    })
}

/// Compiles every program and returns how many there are.
///
/// # Errors
/// The first that the driver does not accept.
pub fn compile_all(facade: &impl Facade) -> Result<usize, RenderError> {
    for source in SOURCES {
        compile(facade.get_context(), source)?;
    }
    Ok(SOURCES.len())
}
