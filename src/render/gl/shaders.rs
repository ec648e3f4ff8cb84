//! The list of all shader programs.

/// A program: its name, and the texts that its two stages are made of, one after the other.
pub(super) struct ProgramText {
    pub(super) name: &'static str,
    pub(super) vertex: &'static [ShaderFile],
    pub(super) fragment: &'static [ShaderFile],
}

/// A file below `shaders/`, as it was when this was compiled.
pub(super) struct ShaderFile {
    pub(super) file: &'static str,
    pub(super) text: &'static str,
}

/// The list: name in Rust, name of the files, the parts of each stage. Parts are joined in
/// order, so that what shaders share is written once.
macro_rules! programs {
    ($($variant:ident = $name:literal, [$($vertex:literal),+], [$($fragment:literal),+];)+) => {
        /// A program by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Shader {
            $($variant,)+
        }

        /// What each [`Shader`] is made of.
        pub(super) const PROGRAMS: &[ProgramText] = &[
            $(ProgramText {
                name: $name,
                vertex: &[$(shader_file!($vertex)),+],
                fragment: &[$(shader_file!($fragment)),+],
            },)+
        ];
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
    Lines = "lines", ["common/ground.glsl", "ground.vert"], ["common/output.glsl", "lines.frag"];
    Wire = "wire", ["common/ground.glsl", "ground.vert"], ["common/output.glsl", "wire.frag"];
    Triangles = "triangles", ["common/ground.glsl", "ground.vert"],
        ["common/output.glsl", "common/light.glsl", "common/covers.glsl", "common/tile.glsl", "common/smooth_normal.glsl",
            "common/visibility.glsl", "triangles.frag"];
    AnalysedTriangles = "triangles with analysis", ["common/ground.glsl", "ground.vert"],
        ["define/analysis.glsl", "common/output.glsl", "common/light.glsl", "common/covers.glsl", "common/tile.glsl",
            "common/smooth_normal.glsl", "common/visibility.glsl", "common/analysis.glsl",
            "common/drawn_lines.glsl", "triangles.frag"];
    Distance = "distance", ["common/ground.glsl", "distance.vert"], ["distance.frag"];
    Landscape = "landscape", ["common/pixel_rays.glsl", "landscape.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/smooth_normal.glsl",
            "common/visibility.glsl", "common/sky.glsl", "common/clouds.glsl", "common/fog.glsl",
            "common/covers.glsl", "common/material.glsl", "common/tonemap.glsl", "common/distances.glsl", "landscape.frag"];
    SmoothLandscape = "landscape multisampled", ["common/pixel_rays.glsl", "landscape.vert"],
        ["define/multisampled.glsl", "common/output.glsl", "common/tile.glsl", "common/smooth_normal.glsl",
            "common/visibility.glsl", "common/sky.glsl", "common/clouds.glsl", "common/fog.glsl",
            "common/covers.glsl", "common/material.glsl", "common/tonemap.glsl", "common/distances.glsl", "landscape.frag"];
    InlandWater = "rivers", ["common/pixel_rays.glsl", "rivers.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/smooth_normal.glsl",
            "common/visibility.glsl", "common/sky.glsl", "common/clouds.glsl", "common/fog.glsl",
            "common/covers.glsl", "common/material.glsl", "common/tonemap.glsl", "common/waves.glsl",
            "common/water_light.glsl", "common/plain_ground.glsl", "common/rivers.glsl",
            "common/distances.glsl", "common/river_places.glsl", "rivers.frag"];
    SmoothInlandWater = "rivers multisampled", ["common/pixel_rays.glsl", "rivers.vert"],
        ["define/multisampled.glsl", "common/output.glsl", "common/tile.glsl", "common/smooth_normal.glsl",
            "common/visibility.glsl", "common/sky.glsl", "common/clouds.glsl", "common/fog.glsl",
            "common/covers.glsl", "common/material.glsl", "common/tonemap.glsl", "common/waves.glsl",
            "common/water_light.glsl", "common/plain_ground.glsl", "common/rivers.glsl",
            "common/distances.glsl", "common/river_places.glsl", "rivers.frag"];
    DistantWater = "rivers far away", ["define/distant.glsl", "common/pixel_rays.glsl", "rivers.vert"],
        ["define/distant.glsl", "common/output.glsl", "common/tile.glsl", "common/smooth_normal.glsl",
            "common/visibility.glsl", "common/sky.glsl", "common/clouds.glsl", "common/fog.glsl",
            "common/covers.glsl", "common/material.glsl", "common/tonemap.glsl", "common/waves.glsl",
            "common/water_light.glsl", "common/plain_ground.glsl", "common/rivers.glsl",
            "common/distances.glsl", "common/river_places.glsl", "rivers.frag"];
    SmoothDistantWater = "rivers far away multisampled", ["define/distant.glsl", "common/pixel_rays.glsl", "rivers.vert"],
        ["define/distant.glsl", "define/multisampled.glsl", "common/output.glsl", "common/tile.glsl", "common/smooth_normal.glsl",
            "common/visibility.glsl", "common/sky.glsl", "common/clouds.glsl", "common/fog.glsl",
            "common/covers.glsl", "common/material.glsl", "common/tonemap.glsl", "common/waves.glsl",
            "common/water_light.glsl", "common/plain_ground.glsl", "common/rivers.glsl",
            "common/distances.glsl", "common/river_places.glsl", "rivers.frag"];
    NearRivers = "rivers_near", ["screen.vert"],
        ["common/pixel_rays.glsl", "common/tile.glsl", "common/rivers.glsl",
            "common/river_places.glsl", "rivers_near.frag"];
    SmoothNearRivers = "rivers_near multisampled", ["screen.vert"],
        ["define/multisampled.glsl", "common/pixel_rays.glsl", "common/tile.glsl",
            "common/rivers.glsl", "common/river_places.glsl", "rivers_near.frag"];
    LandscapeSkirt = "landscape_skirt", ["common/ground.glsl", "skirt.vert"],
        ["common/output.glsl", "common/sky.glsl", "common/fog.glsl", "common/covers.glsl", "common/material.glsl",
            "common/tonemap.glsl", "landscape_skirt.frag"];
    Reflection = "reflection", ["common/ground.glsl", "common/sky.glsl", "common/fog.glsl", "reflection.vert"],
        ["common/tile.glsl", "common/smooth_normal.glsl", "common/visibility.glsl",
            "common/sky.glsl", "common/clouds.glsl", "common/covers.glsl", "common/material.glsl",
            "common/plain_ground.glsl", "reflection.frag"];
    Water = "water", ["common/sky.glsl", "common/fog.glsl", "water.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/visibility.glsl", "common/sky.glsl",
            "common/clouds.glsl", "common/fog.glsl", "common/tonemap.glsl", "common/waves.glsl",
            "common/water_ground.glsl", "common/water_light.glsl", "common/mirror.glsl", "water.frag"];
    Rendered = "rendered", ["common/ground.glsl", "ground.vert"],
        ["common/output.glsl", "rendered.frag"];
    Skirt = "skirt", ["common/ground.glsl", "skirt.vert"],
        ["common/output.glsl", "common/light.glsl", "skirt.frag"];
    PaintedClouds = "painted_clouds", ["painted_clouds.vert"],
        ["common/output.glsl", "painted_clouds.frag"];
    LandscapeSky = "landscape_sky", ["common/sky.glsl", "common/fog.glsl", "landscape_sky.vert"],
        ["common/output.glsl", "common/sky.glsl", "common/tonemap.glsl", "landscape_sky.frag"];
    CloudySky = "landscape_sky with clouds", ["common/sky.glsl", "common/fog.glsl", "landscape_sky.vert"],
        ["define/clouds.glsl", "common/output.glsl", "common/sky.glsl", "common/clouds.glsl",
            "common/tonemap.glsl", "landscape_sky.frag"];
    StarrySky = "landscape_sky with clouds and stars",
        ["common/sky.glsl", "common/fog.glsl", "landscape_sky.vert"],
        ["define/clouds.glsl", "define/stars.glsl", "common/output.glsl", "common/sky.glsl",
            "common/clouds.glsl", "common/tonemap.glsl", "landscape_sky.frag"];
    Mask = "mask", ["common/ground.glsl", "ground.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/mask.glsl", "mask.frag"];
    FlatMask = "mask seen flat", ["flat.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/mask.glsl", "mask.frag"];
    LandscapeMask = "landscape_mask", ["common/pixel_rays.glsl", "landscape.vert"],
        ["common/output.glsl", "common/tile.glsl", "common/mask.glsl", "landscape_mask.frag"];
    SmoothLandscapeMask = "landscape_mask multisampled", ["common/pixel_rays.glsl", "landscape.vert"],
        ["define/multisampled.glsl", "common/output.glsl", "common/tile.glsl", "common/mask.glsl",
            "landscape_mask.frag"];
    Normals = "normals", ["screen.vert"], ["common/normal.glsl", "normals.frag"];
    Bake = "bake", ["common/ground.glsl", "ground.vert"],
        ["common/output.glsl", "common/light.glsl", "common/covers.glsl", "common/normal.glsl", "bake.frag"];
    RiverBake = "bake with rivers", ["common/ground.glsl", "ground.vert"],
        ["define/rivers.glsl", "common/output.glsl", "common/light.glsl", "common/covers.glsl", "common/normal.glsl",
            "common/rivers.glsl", "bake.frag"];
    Texture = "texture", ["flat.vert"], ["common/output.glsl", "texture.frag"];
    Map = "map", ["flat.vert"], ["common/output.glsl", "common/covers.glsl", "map.frag"];
    RiverMap = "map with rivers", ["flat.vert"],
        ["define/rivers.glsl", "common/output.glsl", "common/covers.glsl", "common/rivers.glsl", "map.frag"];
    AnalysedMap = "analysed_map", ["flat.vert"],
        ["common/output.glsl", "common/covers.glsl", "common/analysis.glsl", "analysed_map.frag"];
    AnalysedRiverMap = "analysed_map with rivers", ["flat.vert"],
        ["define/rivers.glsl", "common/output.glsl", "common/covers.glsl", "common/analysis.glsl",
            "common/rivers.glsl", "analysed_map.frag"];
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
    Glass = "glass", ["screen.vert"], ["glass.frag"];
    Present = "present", ["screen.vert"], ["present.frag"];
}
