//! The first dirty stage after an edit: the landscape, or only its picture.
//!
//! [`shown`] is one expression with every table of the scene in it, and every field of a table of
//! which some fields are made with and others drawn with. Each says once what it is: `made`, then
//! the picture has it as the landscape at hand has it, and another value asks for another
//! landscape; or `now`, then drawing again is enough. What is added to the scene is not compiled
//! until it says so too. Which of its stages a new landscape needs the pipeline knows by itself:
//! each remembers what it was made from.

use crate::scene::{Analysis, Material, RenderType, Scene, View, Water};

/// The scene on screen while the landscape at hand is that of `made` and the user wants `now`. A
/// picture drawn of it is exactly what a render of it is, so it may be saved with it at any time.
pub fn shown(made: &Scene, now: &Scene) -> Scene {
    // Light falls on the water, and over the borders of tiles too.
    let tile = match made.water_level() {
        Some(_) => made.view.tile,
        None => now.view.tile,
    };
    // Its colours are baked into textures of the ground.
    let (color, clarity) = match made.render_type() {
        RenderType::Rendered | RenderType::Teximage => (made.water.color, made.water.clarity),
        _ => (now.water.color, now.water.clarity),
    };
    let mut shown = Scene {
        version: now.version,
        surface: made.surface.clone(),
        layers: made.layers.clone(),
        modifiers: made.modifiers.clone(),
        teximage: made.teximage.clone(),
        clouds: made.clouds.clone(),
        detail: made.detail.clone(),
        view: View {
            render_type: made.view.render_type,
            tile,
            palette: made.view.palette.clone(),
            invert: now.view.invert,
            antialias: now.view.antialias,
            filter: now.view.filter,
            shading: now.view.shading,
            detail: now.view.detail,
            endless: now.view.endless,
            // The ground that it lies on is kept for nothing else.
            scale_bar: made.view.scale_bar,
            pass: made.view.pass,
        },
        analysis: Analysis {
            color: now.analysis.color,
            hillshade: now.analysis.hillshade,
            contours: now.analysis.contours,
            contour_interval: now.analysis.contour_interval,
            labels: now.analysis.labels,
            legend: now.analysis.legend,
            watershed: made.analysis.watershed,
            watershed_snap: made.analysis.watershed_snap,
        },
        section: now.section,
        // Baked into textures when the renderer takes a landscape over.
        light: made.light.clone(),
        material: Material {
            rock_slope: now.material.rock_slope,
            detail: now.material.detail,
            // Baked into textures too.
            covers: made.material.covers,
        },
        // Light falls on it, and rivers may end there.
        water: Water {
            enabled: made.water.enabled,
            level: made.water.level,
            rivers: made.water.rivers,
            springs: made.water.springs,
            river_width: made.water.river_width,
            color,
            clarity,
            waves: now.water.waves,
            wave_length: now.water.wave_length,
            time: now.water.time,
            sand: now.water.sand,
        },
        sky: now.sky.clone(),
        fog: now.fog.clone(),
        camera: now.camera.clone(),
        bookmarks: now.bookmarks.clone(),
        path: now.path.clone(),
        film: now.film.clone(),
        later: now.later.clone(),
    };
    // Lines are drawn over heights that are kept for nothing else.
    if shown.needs_relief() && !made.needs_relief() {
        shown.analysis.contours = made.analysis.contours;
        shown.section = made.section;
    }
    shown
}

/// Whether the landscape of `made` is also that of `now`, so that nothing needs making.
#[must_use]
pub fn is_made(made: &Scene, now: &Scene) -> bool {
    shown(made, now) == *now
}
