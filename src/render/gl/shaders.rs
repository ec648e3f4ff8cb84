//! Table of all shader programs.

/// A program: its name and its source.
pub(super) struct ProgramText {
    pub(super) name: &'static str,
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
    pub(super) fn stages(&self) -> ([&'static [ShaderFile]; 2], &'static [&'static str]) {
        match self.source {
            Source::Stages(stages) => (stages, &[]),
            Source::Variant(base, defined) => (PROGRAMS[base as usize].stages().0, defined),
        }
    }
}

/// A file below `shaders/`, embedded at compile time.
pub(super) struct ShaderFile {
    pub(super) file: &'static str,
    pub(super) text: &'static str,
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
        pub(super) const PROGRAMS: &[ProgramText] = &[
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
        ["common/output.glsl", "common/light.glsl", "common/covers.glsl", "common/tile.glsl",
            "common/smooth_normal.glsl", "common/visibility.glsl", "common/analysis.glsl",
            "common/drawn_lines.glsl", "common/rivers.glsl", "common/printed.glsl",
            "common/hypsometric.glsl", "triangles.frag"];
    AnalysedTriangles = "triangles with analysis", Triangles, ["ANALYSIS"];
    MapInSpace = "map from above", Triangles, ["ANALYSIS", "MAP"];
    RiverMapInSpace = "map from above with rivers", Triangles, ["ANALYSIS", "MAP", "RIVERS"];
    LayeredTriangles = "triangles in layers", ["common/pixel_rays.glsl", "landscape.vert"],
        ["common/output.glsl", "common/light.glsl", "common/covers.glsl", "common/tile.glsl",
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
    Landscape = "landscape", ["common/pixel_rays.glsl", "landscape.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/smooth_normal.glsl",
            "common/visibility.glsl", "common/windows.glsl", "common/sky.glsl", "common/clouds.glsl", "common/fog.glsl",
            "common/covers.glsl", "common/material.glsl", "common/tonemap.glsl",
            "common/layers.glsl", "common/distances.glsl", "landscape.frag"];
    PlainLandscape = "landscape in one distance", Landscape, ["PLAIN"];
    SmoothLandscape = "landscape multisampled", Landscape, ["MULTISAMPLED"];
    EndlessLandscape = "landscape without end", Landscape, ["ENDLESS"];
    InlandWater = "rivers", ["common/pixel_rays.glsl", "rivers.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/smooth_normal.glsl",
            "common/visibility.glsl", "common/sky.glsl", "common/clouds.glsl", "common/fog.glsl",
            "common/covers.glsl", "common/material.glsl", "common/tonemap.glsl",
            "common/waves.glsl", "common/water_light.glsl", "common/plain_ground.glsl",
            "common/rivers.glsl", "common/layers.glsl", "common/distances.glsl",
            "common/river_places.glsl", "rivers.frag"];
    PlainInlandWater = "rivers in one distance", InlandWater, ["PLAIN"];
    SmoothInlandWater = "rivers multisampled", InlandWater, ["MULTISAMPLED"];
    DistantWater = "rivers far away", InlandWater, ["DISTANT"];
    PlainDistantWater = "rivers far away in one distance", InlandWater, ["DISTANT", "PLAIN"];
    SmoothDistantWater = "rivers far away multisampled", InlandWater, ["DISTANT", "MULTISAMPLED"];
    NearRivers = "rivers_near", ["screen.vert"],
        ["common/pixel_rays.glsl", "common/tile.glsl", "common/rivers.glsl",
            "common/river_places.glsl", "rivers_near.frag"];
    PlainNearRivers = "rivers_near in one distance", NearRivers, ["PLAIN"];
    SmoothNearRivers = "rivers_near multisampled", NearRivers, ["MULTISAMPLED"];
    LandscapeSkirt = "landscape_skirt", ["common/ground.glsl", "skirt.vert"],
        ["common/output.glsl", "common/sky.glsl", "common/fog.glsl", "common/covers.glsl",
            "common/material.glsl", "common/tonemap.glsl", "common/earth.glsl", "skirt.frag"];
    LandscapeSides = "landscape_sides", ["common/pixel_rays.glsl", "landscape.vert"],
        ["common/output.glsl", "common/sky.glsl", "common/fog.glsl", "common/covers.glsl",
            "common/material.glsl", "common/tonemap.glsl", "common/earth.glsl",
            "common/layers.glsl", "sides.frag"];
    Layers = "layers", ["screen.vert"], ["common/layers.glsl", "layers.frag"];
    Reflection = "reflection", ["common/ground.glsl", "common/sky.glsl", "common/fog.glsl", "reflection.vert"],
        ["common/tile.glsl", "common/smooth_normal.glsl", "common/visibility.glsl",
            "common/sky.glsl", "common/clouds.glsl", "common/covers.glsl", "common/material.glsl",
            "common/plain_ground.glsl", "reflection.frag"];
    Water = "water", ["common/sky.glsl", "common/fog.glsl", "water.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/visibility.glsl", "common/sky.glsl",
            "common/clouds.glsl", "common/fog.glsl", "common/tonemap.glsl", "common/waves.glsl",
            "common/water_ground.glsl", "common/water_light.glsl", "common/mirror.glsl",
            "water.frag"];
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
    PlainLandscapeMask = "landscape_mask in one distance", LandscapeMask, ["PLAIN"];
    SmoothLandscapeMask = "landscape_mask multisampled", LandscapeMask, ["MULTISAMPLED"];
    SeaMap = "sea_map", ["flat.vert"],
        ["common/output.glsl", "common/sea.glsl", "sea_map.frag"];
    Sea = "sea", ["common/pixel_rays.glsl", "landscape.vert"],
        ["common/output.glsl", "common/sea.glsl", "common/layers.glsl", "sea.frag"];
    LayeredSea = "sea over layers", Sea, ["LAYERED"];
    SeaRidge = "sea_ridge", ["screen.vert"],
        ["common/output.glsl", "common/sea.glsl", "sea_ridge.frag"];
    Normals = "normals", ["screen.vert"], ["common/normal.glsl", "normals.frag"];
    Bake = "bake", ["common/ground.glsl", "ground.vert"],
        ["common/output.glsl", "common/light.glsl", "common/covers.glsl", "common/normal.glsl",
            "common/rivers.glsl", "bake.frag"];
    RiverBake = "bake with rivers", Bake, ["RIVERS"];
    Texture = "texture", ["flat.vert"], ["common/output.glsl", "texture.frag"];
    Map = "map", ["flat.vert"],
        ["common/output.glsl", "common/covers.glsl", "common/rivers.glsl", "common/printed.glsl",
            "map.frag"];
    RiverMap = "map with rivers", Map, ["RIVERS"];
    AnalysedMap = "analysed_map", ["flat.vert"],
        ["common/output.glsl", "common/covers.glsl", "common/analysis.glsl", "common/rivers.glsl",
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
