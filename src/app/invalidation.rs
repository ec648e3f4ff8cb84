//! Dirty stages after an edit: tells edits that need a new landscape from those that need only a
//! redraw. Here the first dirty stage is either generation or drawing.
//!
//! [`shown`] is one expression that lists every table of the scene, and every field of tables with
//! both kinds of fields. A field from `made` keeps the value of the present landscape, so a
//! different value needs a new landscape. A field from `now` needs only a redraw. A new field does
//! not compile until it is listed here. The pipeline itself decides which of its stages to run
//! again: each remembers its inputs.

use crate::modify::Named;
use crate::scene::{Analysis, Material, PlantLayer, RenderType, Scene, View, Water};

/// Scene on screen while the present landscape was made from `made` and the user has edited it to
/// `now`. A render of this scene equals the image on screen exactly, so it can be saved with the
/// image at any time.
pub fn shown(made: &Scene, now: &Scene) -> Scene {
    // Lighting depends on the water level, and it crosses tile borders.
    let tile = match made.water_level() {
        Some(_) => made.view.tile,
        None => now.view.tile,
    };
    // In these render types the water colours are baked into ground textures.
    let (color, clarity) = match made.render_type() {
        RenderType::Rendered | RenderType::Teximage => (made.water.color, made.water.clarity),
        _ => (now.water.color, now.water.clarity),
    };
    let mut shown = Scene {
        version: now.version,
        surface: made.surface.clone(),
        layers: with_names(made.layers.clone(), &now.layers),
        modifiers: with_names(made.modifiers.clone(), &now.modifiers),
        plants: plants(made, now),
        teximage: made.teximage.clone(),
        clouds: made.clouds.clone(),
        rock: made.rock.clone(),
        snow: made.snow.clone(),
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
            // The scale bar needs relief data that is otherwise not kept.
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
        // Light is baked into textures when the renderer takes over a landscape.
        light: made.light.clone(),
        material: Material {
            rock_slope: now.material.rock_slope,
            detail: now.material.detail,
            // Covers are baked into textures, too.
            covers: made.material.covers,
        },
        // The water surface is lit, and rivers end at it.
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
        palette: made.palette.clone(),
        bookmarks: now.bookmarks.clone(),
        path: now.path.clone(),
        film: now.film.clone(),
        later: now.later.clone(),
    };
    // Contours and section lines need relief heights that are otherwise not kept.
    if shown.needs_relief() && !made.needs_relief() {
        shown.analysis.contours = made.analysis.contours;
        shown.section = made.section;
    }
    shown
}

/// Layers of plants that are shown: leaves turn without a new landscape, unless they are baked into a ground texture.
fn plants(made: &Scene, now: &Scene) -> Vec<PlantLayer> {
    let is_baked = matches!(
        made.render_type(),
        RenderType::Rendered | RenderType::Teximage
    );
    let layers = made.plants.iter().enumerate();
    let shown = layers.map(|(index, layer)| PlantLayer {
        autumn: match is_baked {
            true => layer.autumn,
            false => now.autumn_of(index),
        },
        ..layer.clone()
    });
    with_names(shown.collect(), &now.plants)
}

/// Items of a list with the names that they have now, which change no landscape.
fn with_names<T: Named>(mut made: Vec<T>, now: &[T]) -> Vec<T> {
    for (item, now) in made.iter_mut().zip(now) {
        now.name().clone_into(item.name_mut());
    }
    made
}

/// True if the landscape made from `made` is valid for `now`, so that none of its stages are dirty.
#[must_use]
pub fn is_made(made: &Scene, now: &Scene) -> bool {
    std::ptr::eq(made, now) || shown(made, now) == *now
}
