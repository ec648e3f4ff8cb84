//! Shader programs, compiled at their first use and cached.
//!
//! Constants shared by Rust and GLSL are declared at the start of every shader.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use glium::Program;
use glium::backend::{Context, Facade};
use glium::program::ProgramCreationInput;

use crate::render::error::{RenderError, Result};
use crate::render::meshes::RingMesh;
use crate::shading::light::SUN_RADIUS;
use crate::shading::material::{LEAST_UP, OWN_SLOPE, SAND, SNOW};
use crate::shading::sky::air::HAZE_FORWARD;
use crate::shading::sky::{AZIMUTHS, CloudPlane, ELEVATIONS};
use crate::shading::texture::waves::FINER;
use crate::shading::texture::{detail, waves};
use crate::shading::wind_waves::OPEN_TILES;
use crate::terrain::rivers::NEAREST;
use crate::util::words::one_line;

/// Reloaded shader sources that replace the embedded ones, by path below `shaders/`.
type NewerTexts = BTreeMap<String, String>;

/// The programs of one context.
pub(crate) struct Programs {
    context: Rc<Context>,
    texts: NewerTexts,
    compiled: Vec<OnceCell<Program>>,
}

impl Programs {
    pub(crate) fn new(context: &Rc<Context>) -> Self {
        Self {
            context: Rc::clone(context),
            texts: NewerTexts::new(),
            compiled: PROGRAMS.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// The program, compiled at its first use.
    pub(crate) fn get(&self, shader: Shader) -> Result<&Program> {
        let cell = &self.compiled[shader as usize];
        if let Some(program) = cell.get() {
            return Ok(program);
        }
        let program = compile(&self.context, &PROGRAMS[shader as usize], &self.texts)?;
        Ok(cell.get_or_init(|| program))
    }

    /// Replace sources and recompile the affected programs. Returns the errors; a program that fails to
    /// compile keeps its last good version.
    pub(crate) fn reload(&mut self, changed: &[(String, String)]) -> Vec<RenderError> {
        self.texts.extend(changed.iter().cloned());
        let mut errors = Vec::new();
        for (program, cell) in PROGRAMS.iter().zip(&mut self.compiled) {
            if !changed.iter().any(|(file, _)| program.has(file)) {
                continue;
            }
            let mut compiled = compile(&self.context, program, &self.texts);
            if let Err(error) = compiled {
                errors.push(error);
                if cell.get().is_some() {
                    continue;
                }
                compiled = compile(&self.context, program, &NewerTexts::new());
            }
            *cell = compiled.map_or_else(|_| OnceCell::new(), OnceCell::from);
        }
        errors
    }
}

/// Complete source of a shader stage.
fn stage(files: &[ShaderFile], defined: &[&str], texts: &NewerTexts) -> String {
    let mut whole = "#version 330 core\n".to_owned();
    for name in defined {
        whole += &format!("#define {name}\n");
    }
    whole += &declarations();
    for ShaderFile { file, text } in files {
        whole += texts.get(*file).map_or(text, String::as_str);
    }
    whole
}

fn compile(context: &Rc<Context>, program: &ProgramText, texts: &NewerTexts) -> Result<Program> {
    let (stages, defined) = program.stages();
    let [vertex, fragment] = stages.map(|files| stage(files, defined, texts));
    let input = ProgramCreationInput::SourceCode {
        vertex_shader: &vertex,
        tessellation_control_shader: None,
        tessellation_evaluation_shader: None,
        geometry_shader: None,
        fragment_shader: &fragment,
        transform_feedback_varyings: None,
        // Colours are sRGB throughout: no conversion on any framebuffer.
        outputs_srgb: true,
        uses_point_size: false,
    };
    Program::new(context, input).map_err(|error| RenderError::Shader {
        program: program.name,
        message: one_line(&error.to_string()),
    })
}

/// Compile every program and return their number.
///
/// # Errors
/// The first program that the driver does not accept.
pub fn compile_all(facade: &impl Facade) -> Result<usize, RenderError> {
    for program in PROGRAMS {
        compile(facade.get_context(), program, &NewerTexts::new())?;
    }
    Ok(PROGRAMS.len())
}

/// A program: its name and its source.
struct ProgramText {
    name: &'static str,
    source: Source,
}

/// Source of a program.
enum Source {
    /// Files of its two stages, each concatenated in order.
    Stages([&'static [ShaderFile]; 2]),
    /// A variant of another program, with names defined for the preprocessor.
    Variant(Shader, &'static [&'static str]),
}

impl ProgramText {
    /// The files of its two stages, and the names to be defined before them.
    fn stages(&self) -> ([&'static [ShaderFile]; 2], &'static [&'static str]) {
        match self.source {
            Source::Stages(stages) => (stages, &[]),
            Source::Variant(base, defined) => (PROGRAMS[base as usize].stages().0, defined),
        }
    }

    /// True if a file below `shaders/` is part of the program.
    fn has(&self, file: &str) -> bool {
        let (stages, _) = self.stages();
        stages.into_iter().flatten().any(|part| part.file == file)
    }
}

/// A file below `shaders/`, embedded at compile time.
struct ShaderFile {
    file: &'static str,
    text: &'static str,
}

/// Table of programs: name in Rust, name in messages, the files of each stage; or the base program and the
/// names to define. Files are concatenated, so that shared code is written once.
macro_rules! programs {
    ($($variant:ident = $name:literal, $first:tt, $second:tt;)+) => {
        /// A program by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Shader {
            $($variant,)+
        }

        /// Source texts of each [`Shader`].
        const PROGRAMS: &[ProgramText] = &[
            $(ProgramText {
                name: $name,
                source: source!($first, $second),
            },)+
        ];
    };
}

macro_rules! source {
    ([$($vertex:literal),+], [$($fragment:literal),+]) => {
        Source::Stages([
            &[$(shader_file!($vertex)),+],
            &[$(shader_file!($fragment)),+],
        ])
    };
    ($base:ident, [$($defined:literal),+]) => {
        Source::Variant(Shader::$base, &[$($defined),+])
    };
}

macro_rules! shader_file {
    ($file:literal) => {
        ShaderFile {
            file: $file,
            text: include_str!(concat!("../../../shaders/", $file)),
        }
    };
}

programs! {
    Backdrop = "backdrop", ["screen.vert"], ["common/output.glsl", "backdrop.frag"];
    Lines = "lines", ["common/ground.glsl", "ground.vert"],
        ["common/output.glsl", "common/depth_fade.glsl", "lines.frag"];
    EndlessLines = "lines without end", Lines, ["ENDLESS"];
    DeepLines = "lines below the map", Lines, ["ENDLESS", "DEEP"];
    Wire = "wire", ["common/ground.glsl", "ground.vert"],
        ["common/output.glsl", "common/depth_fade.glsl", "wire.frag"];
    EndlessWire = "wire without end", Wire, ["ENDLESS"];
    DeepWire = "wire below the map", Wire, ["ENDLESS", "DEEP"];
    Triangles = "triangles", ["common/ground.glsl", "ground.vert"],
        ["common/output.glsl", "common/light.glsl", "common/covers.glsl", "common/printed_crowns.glsl", "common/tile.glsl",
            "common/smooth_normal.glsl", "common/visibility.glsl", "common/analysis.glsl",
            "common/drawn_lines.glsl", "common/rivers.glsl", "common/printed.glsl",
            "common/hypsometric.glsl", "triangles.frag"];
    AnalysedTriangles = "triangles with analysis", Triangles, ["ANALYSIS"];
    MapInSpace = "map from above", Triangles, ["ANALYSIS", "MAP"];
    RiverMapInSpace = "map from above with rivers", Triangles, ["ANALYSIS", "MAP", "RIVERS"];
    LayeredTriangles = "triangles in layers", ["common/pixel_rays.glsl", "landscape.vert"],
        ["common/output.glsl", "common/light.glsl", "common/covers.glsl", "common/printed_crowns.glsl", "common/tile.glsl",
            "common/smooth_normal.glsl", "common/visibility.glsl", "common/windows.glsl",
            "common/analysis.glsl",
            "common/drawn_lines.glsl", "common/rivers.glsl", "common/printed.glsl",
            "common/hypsometric.glsl", "common/facets.glsl",
            "common/layers.glsl", "common/distances.glsl", "common/beside.glsl",
            "layered_triangles.frag"];
    AnalysedLayers = "triangles in layers with analysis", LayeredTriangles, ["ANALYSIS"];
    EndlessTriangles = "triangles without end", LayeredTriangles, ["ENDLESS"];
    AnalysedEndlessTriangles = "triangles without end with analysis", LayeredTriangles,
        ["ANALYSIS", "ENDLESS"];
    EndlessMap = "map without end", LayeredTriangles, ["ANALYSIS", "ENDLESS", "MAP"];
    EndlessRiverMap = "map without end with rivers", LayeredTriangles,
        ["ANALYSIS", "ENDLESS", "MAP", "RIVERS"];
    Distance = "distance", ["common/ground.glsl", "distance.vert"], ["distance.frag"];
    EndlessDistance = "distance without end", Distance, ["ENDLESS"];
    DeepDistance = "distance below the map", Distance, ["ENDLESS", "DEEP"];
    SideDistance = "distance of sides", ["common/ground.glsl", "skirt.vert"], ["distance.frag"];
    EndlessSideDistance = "distance of sides without end", SideDistance, ["ENDLESS"];
    SamplesToLayers = "samples_to_layers", ["screen.vert"], ["samples_to_layers.frag"];
    ManySamplesToLayers = "samples_to_layers multisampled", SamplesToLayers, ["MULTISAMPLED"];
    Landscape = "landscape", ["common/pixel_rays.glsl", "landscape.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/smooth_normal.glsl",
            "common/visibility.glsl", "common/windows.glsl", "common/sky.glsl", "common/clouds.glsl", "common/fog.glsl",
            "common/covers.glsl", "common/biplanar.glsl", "common/close.glsl", "common/material.glsl", "common/canopy.glsl", "common/tonemap.glsl",
            "common/fetch.glsl",
            "common/plants_single.glsl", "common/plant_shadow.glsl", "common/layers.glsl", "common/distances.glsl",
            "landscape.frag"];
    EndlessLandscape = "landscape without end", Landscape, ["ENDLESS"];
    CloseLandscape = "landscape close to the camera", Landscape, ["ENDLESS", "CLOSE"];
    WoodedLandscape = "landscape with plants", Landscape, ["CANOPY"];
    EndlessWoodedLandscape = "landscape with plants without end", Landscape, ["CANOPY", "ENDLESS"];
    CloseWoodedLandscape = "landscape with plants close to the camera", Landscape,
        ["CANOPY", "ENDLESS", "CLOSE"];
    InlandWater = "rivers", ["common/pixel_rays.glsl", "rivers.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/smooth_normal.glsl",
            "common/visibility.glsl", "common/sky.glsl", "common/clouds.glsl", "common/fog.glsl",
            "common/covers.glsl", "common/biplanar.glsl", "common/close.glsl", "common/material.glsl", "common/canopy.glsl", "common/tonemap.glsl",
            "common/waves.glsl", "common/water_light.glsl", "common/plain_ground.glsl",
            "common/rivers.glsl", "common/layers.glsl", "common/distances.glsl",
            "common/river_places.glsl", "common/plant_shadow.glsl", "rivers.frag"];
    DistantWater = "rivers far away", InlandWater, ["DISTANT"];
    WoodedInlandWater = "rivers between plants", InlandWater, ["CANOPY"];
    NearRivers = "rivers_near", ["screen.vert"],
        ["common/pixel_rays.glsl", "common/tile.glsl", "common/rivers.glsl",
            "common/river_places.glsl", "rivers_near.frag"];
    LandscapeSides = "landscape_sides", ["common/pixel_rays.glsl", "landscape.vert"],
        ["common/output.glsl", "common/sky.glsl", "common/fog.glsl", "common/covers.glsl",
            "common/biplanar.glsl", "common/close.glsl", "common/material.glsl", "common/tonemap.glsl", "common/earth.glsl",
            "common/layers.glsl", "sides.frag"];
    Layers = "layers", ["screen.vert"], ["common/layers.glsl", "layers.frag"];
    WoodedLayers = "layers behind plants", Layers, ["CANOPY"];
    Plants = "plants", ["common/tile.glsl", "common/smooth_normal.glsl", "common/covers.glsl", "common/visibility.glsl", "common/sky.glsl",
            "common/clouds.glsl", "common/fog.glsl", "common/plant_light.glsl", "common/plant_wind.glsl",
            "plants.vert"],
        ["common/output.glsl", "common/tonemap.glsl", "common/layers.glsl", "common/plant_color.glsl",
            "common/plant_leaves.glsl", "plants.frag"];
    MirroredPlants = "plants in water", Plants, ["MIRRORED"];
    PlantModels = "models of plants", ["common/tile.glsl", "common/smooth_normal.glsl", "common/covers.glsl", "common/visibility.glsl",
            "common/sky.glsl", "common/clouds.glsl", "common/fog.glsl", "common/plant_light.glsl",
            "common/plant_leaves.glsl", "common/plant_wind.glsl", "plant_models.vert"],
        ["common/output.glsl", "common/tonemap.glsl", "common/layers.glsl", "common/plant_color.glsl",
            "plant_models.frag"];
    PlantShadow = "shadows of plants", ["plant_shadow.vert"], ["plant_shadow.frag"];
    PlantsOver = "plants over the picture", ["screen.vert"], ["plants_over.frag"];
    Reflection = "reflection", ["common/ground.glsl", "common/sky.glsl", "common/fog.glsl", "reflection.vert"],
        ["common/tile.glsl", "common/smooth_normal.glsl", "common/visibility.glsl",
            "common/sky.glsl", "common/clouds.glsl", "common/covers.glsl", "common/biplanar.glsl", "common/close.glsl", "common/material.glsl", "common/canopy.glsl",
            "common/plants_single.glsl", "common/plain_ground.glsl", "reflection.frag"];
    WoodedReflection = "reflection with plants", Reflection, ["CANOPY"];
    Water = "water", ["common/sky.glsl", "common/fog.glsl", "water.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/visibility.glsl", "common/sky.glsl",
            "common/clouds.glsl", "common/fog.glsl", "common/tonemap.glsl", "common/waves.glsl",
            "common/fetch.glsl", "common/water_ground.glsl", "common/water_light.glsl",
            "common/mirror.glsl", "common/plant_shadow.glsl", "water.frag"];
    WoodedWater = "water between plants", Water, ["CANOPY"];
    Rendered = "rendered", ["common/ground.glsl", "ground.vert"],
        ["common/output.glsl", "common/textured.glsl", "rendered.frag"];
    LayeredRendered = "rendered in layers", ["common/pixel_rays.glsl", "landscape.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/smooth_normal.glsl",
            "common/textured.glsl", "common/layers.glsl", "common/distances.glsl",
            "common/beside.glsl", "layered_rendered.frag"];
    Skirt = "skirt", ["common/ground.glsl", "skirt.vert"],
        ["common/output.glsl", "common/light.glsl", "common/plain_earth.glsl", "skirt.frag"];
    Sides = "sides", ["common/pixel_rays.glsl", "landscape.vert"],
        ["common/output.glsl", "common/light.glsl", "common/plain_earth.glsl",
            "common/layers.glsl", "sides.frag"];
    PaintedClouds = "painted_clouds", ["painted_clouds.vert"],
        ["common/output.glsl", "painted_clouds.frag"];
    LandscapeSky = "landscape_sky", ["common/sky.glsl", "common/fog.glsl", "landscape_sky.vert"],
        ["common/output.glsl", "common/sky.glsl", "common/tonemap.glsl", "common/clouds.glsl",
            "landscape_sky.frag"];
    CloudySky = "landscape_sky with clouds", LandscapeSky, ["CLOUDS"];
    StarrySky = "landscape_sky with clouds and stars", LandscapeSky, ["CLOUDS", "STARS"];
    Mask = "mask", ["common/ground.glsl", "ground.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/mask.glsl", "mask.frag"];
    DeepMask = "mask below the map", Mask, ["DEEP"];
    FlatMask = "mask seen flat", ["flat.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/mask.glsl", "mask.frag"];
    LandscapeMask = "landscape_mask", ["common/pixel_rays.glsl", "landscape.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/mask.glsl", "common/layers.glsl",
            "common/distances.glsl", "landscape_mask.frag"];
    SeaMap = "sea_map", ["flat.vert"],
        ["common/output.glsl", "common/sea.glsl", "sea_map.frag"];
    Sea = "sea", ["common/pixel_rays.glsl", "landscape.vert"],
        ["common/output.glsl", "common/sea.glsl", "common/layers.glsl", "sea.frag"];
    LayeredSea = "sea over layers", Sea, ["LAYERED"];
    SeaRidge = "sea_ridge", ["screen.vert"],
        ["common/output.glsl", "common/sea.glsl", "sea_ridge.frag"];
    Normals = "normals", ["screen.vert"], ["common/normal.glsl", "normals.frag"];
    Bake = "bake", ["common/ground.glsl", "ground.vert"],
        ["common/output.glsl", "common/light.glsl", "common/covers.glsl", "common/printed_crowns.glsl", "common/normal.glsl",
            "common/rivers.glsl", "bake.frag"];
    RiverBake = "bake with rivers", Bake, ["RIVERS"];
    Texture = "texture", ["flat.vert"], ["common/output.glsl", "texture.frag"];
    Map = "map", ["flat.vert"],
        ["common/output.glsl", "common/covers.glsl", "common/printed_crowns.glsl", "common/rivers.glsl", "common/printed.glsl",
            "map.frag"];
    RiverMap = "map with rivers", Map, ["RIVERS"];
    AnalysedMap = "analysed_map", ["flat.vert"],
        ["common/output.glsl", "common/covers.glsl", "common/printed_crowns.glsl", "common/analysis.glsl", "common/rivers.glsl",
            "common/printed.glsl", "analysed_map.frag"];
    AnalysedRiverMap = "analysed_map with rivers", AnalysedMap, ["RIVERS"];
    Rises = "rises", ["screen.vert"], ["common/relief.glsl", "rises.frag"];
    Strips = "strips", ["strips.vert"], ["strips.frag"];
    Sprites = "sprites", ["sprites.vert"], ["sprites.frag"];
    RidgeFill = "ridge_fill", ["common/ridge.glsl", "ridge_fill.vert"],
        ["common/output.glsl", "ridge_fill.frag"];
    RidgeLine = "ridge_line", ["common/ridge.glsl", "ridge_line.vert"],
        ["common/output.glsl", "ridge_line.frag"];
    Points = "points", ["points.vert"], ["common/output.glsl", "points.frag"];
    DistanceBytes = "distance_bytes", ["common/ground.glsl", "ground.vert"],
        ["distance_bytes.frag"];
    Ranges = "ranges", ["ranges.vert"], ["common/output.glsl", "ranges.frag"];
    Present = "present", ["screen.vert"], ["present.frag"];
}

impl Shader {
    /// The program for a landscape with plants in place of this one.
    pub(crate) fn wooded(self) -> Self {
        match self {
            Self::Layers => Self::WoodedLayers,
            Self::Landscape => Self::WoodedLandscape,
            Self::EndlessLandscape => Self::EndlessWoodedLandscape,
            Self::CloseLandscape => Self::CloseWoodedLandscape,
            Self::InlandWater => Self::WoodedInlandWater,
            Self::Reflection => Self::WoodedReflection,
            Self::Water => Self::WoodedWater,
            other => other,
        }
    }
}

/// Side in pixels of the squares that are marked for rivers.
pub(crate) const RIVER_SQUARE: u32 = 8;
/// Footprint of a pixel in cells beyond which its water mirrors no land.
const DISTANT_RIVER: f32 = 2.0;
/// Distance where there is no ground: farther than anything.
pub(crate) const NOTHING: f32 = 1e20;
/// What is written as distance of a side of the ground.
const SIDE: f32 = 2.0 * NOTHING;

/// Relative difference of distances from which a pixel shows two surfaces.
pub(crate) const EDGE: f32 = 0.01;
/// Start of the range in which a clipmap level gives way to the next coarser one, as a fraction of its reach.
pub(crate) const SLIDES_FROM: f64 = 0.7;
/// Depth values of pixels fully or partly covered by ray-cast ground. Surfaces drawn behind it lie in
/// between.
const COVERED: f32 = 0.25;
const PARTLY: f32 = 0.75;
/// Depth values of water and of the sky behind such ground: in front of empty pixels, behind partly covered
/// ones.
pub(crate) const WATER_BELOW: f32 = 0.5;
pub(crate) const SKY_BELOW: f32 = 0.7;

/// Mipmap bias, in levels, of stones, grains and waves. With it, moving the eye by a tenth of a pixel changes
/// 99 of 100 values by at most 3/255, and the mean by less than 0.5/255. Without bias the change is 4/255;
/// with twice as much, close ground looks soft.
pub(crate) const STEADY: f32 = 0.25;

/// The declarations in GLSL.
fn declarations() -> String {
    let all: [(&str, &[f32]); 25] = [
        ("SAND", &SAND),
        ("SNOW", &SNOW),
        ("OWN_SLOPE", &[OWN_SLOPE]),
        ("LEAST_UP", &[LEAST_UP]),
        ("NOTHING", &[NOTHING]),
        ("SIDE", &[SIDE]),
        ("EDGE", &[EDGE]),
        ("STEADY", &[STEADY]),
        ("COVERED", &[COVERED]),
        ("PARTLY", &[PARTLY]),
        ("HAZE_FORWARD", &[HAZE_FORWARD]),
        ("SKY_SIZE", &[AZIMUTHS as f32, ELEVATIONS as f32]),
        ("DETAIL_SIDE", &[detail::SIDE as f32]),
        ("DETAIL_REPEATS", &detail::REPEATS),
        ("WAVES_SIDE", &[waves::SIDE as f32]),
        ("FINER", &[FINER]),
        ("OPEN_FETCH", &[2.0 * OPEN_TILES]),
        ("SLOPES_SQUARE", &[waves::SLOPES_SQUARE]),
        ("RIVER_SQUARE", &[RIVER_SQUARE as f32]),
        ("DISTANT_RIVER", &[DISTANT_RIVER]),
        ("RIVERS_NEAREST", &[NEAREST]),
        ("SLIDES_FROM", &[libm::log2(SLIDES_FROM) as f32]),
        ("SUN_WIDTH", &[(2.0 * SUN_RADIUS).to_radians()]),
        ("CLOUD_DEPTH", &[CloudPlane::DEPTH]),
        ("LAST_RING", &[RingMesh::beyond_all_but_the_last()]),
    ];
    all.map(|(name, value)| declared(name, value)).concat()
}

/// Declare a constant of one to four numbers.
fn declared(name: &str, value: &[f32]) -> String {
    let kind = ["float", "vec2", "vec3", "vec4"][value.len() - 1];
    let value: Vec<_> = value.iter().map(|number| format!("{number:?}")).collect();
    format!("const {kind} {name} = {kind}({});\n", value.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_glsl_reads_them() {
        assert_eq!(declared("A", &[2.0]), "const float A = float(2.0);\n");
        assert_eq!(
            declared("B", &[0.5, 1e20]),
            "const vec2 B = vec2(0.5, 1e20);\n"
        );
    }
}
