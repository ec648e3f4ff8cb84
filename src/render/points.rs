//! Point markers: points of a single pass (new ones orange, old ones pale, known ones blue), pins (red,
//! always shown) and the outlet of a watershed (white).

use std::rc::Rc;

use glam::{Mat4, Vec3};
use glium::backend::Context;
use glium::{VertexBuffer, uniform};

use super::error::{Refused, Result};
use super::gl::blend::over;
use super::gl::programs::Shader;
use super::pass::{Pass, Target};
use super::textures::heights::HeightTexture;
use super::types::ridge::clip_from_ridge;
use super::view::flat_clip_from_world;
use crate::fractal::passes::{Point, displaced};
use crate::pipeline::{Landscape, next_range, pass_range};
use crate::scene::RenderType;
use crate::terrain::grid::Grid;

/// Radius of a dot in pixels, in a picture of 720 rows.
const RADIUS: f32 = 9.0;
const NEW: [f32; 3] = [1.0, 0.58, 0.12];
const OLD: [f32; 3] = [0.86, 0.90, 0.96];
const SEED: [f32; 3] = [0.36, 0.68, 1.0];
const OUTLET: [f32; 3] = [1.0, 1.0, 1.0];
const PIN: [f32; 3] = [0.95, 0.22, 0.34];
/// Maximum number of points with dots; more would hide the ground.
const MOST_POINTS: usize = 65 * 65;
/// Maximum number of points with bars; more would hide each other.
const MOST_POINTS_WITH_BARS: usize = 9 * 9;
/// Maximum number of points of a ridge, across one picture.
const MOST_ON_RIDGE: usize = 65;

#[derive(Clone, Copy)]
struct Dot {
    place: [f32; 3],
    color: [f32; 3],
    size: f32,
}
glium::implement_vertex!(Dot, place, color, size);

#[derive(Clone, Copy)]
struct Bar {
    place: [f32; 3],
    reach: f32,
}
glium::implement_vertex!(Bar, place, reach);

/// Dots of one tile, and the displacement ranges of new points.
pub(super) struct Points {
    dots: VertexBuffer<Dot>,
    bars: VertexBuffer<Bar>,
}

impl Points {
    /// Create the markers of a landscape; `None` without any. After a single pass every point has a dot, and
    /// each new one a bar for its displacement range, unless there are too many to tell apart. A ridge has the
    /// bars of the pass that follows, at the midpoints of its segments.
    pub(super) fn new(context: &Rc<Context>, landscape: &Landscape) -> Result<Option<Self>> {
        let mut dots = pass_dots(landscape);
        dots.extend(pin_dots(landscape));
        if dots.is_empty() {
            return Ok(None);
        }
        let bars = pass_bars(landscape);
        Ok(Some(Self {
            dots: VertexBuffer::new(context, &dots).refused("the list of dots")?,
            bars: VertexBuffer::new(context, &bars).refused("the list of ranges")?,
        }))
    }

    /// Create the marker of a watershed's outlet, on the ground or the water there.
    pub(super) fn of_outlet(context: &Rc<Context>, landscape: &Landscape) -> Result<Option<Self>> {
        let Some(shown) = &landscape.watershed else {
            return Ok(None);
        };
        let [x, z] = shown.outlet;
        let dot = Dot {
            place: [x, landscape.surface().height_at(x, z), z],
            color: OUTLET,
            size: 0.8,
        };
        Ok(Some(Self {
            dots: VertexBuffer::new(context, &[dot]).refused("the list of dots")?,
            bars: VertexBuffer::new(context, &[]).refused("the list of ranges")?,
        }))
    }

    /// Draw the dots of every tile over the ground.
    pub(super) fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        map: &HeightTexture,
    ) -> Result {
        let [width, depth] = map.layout.side;
        let tiles = pass.scene.view.tile;
        let flat = pass.scene.is_flat();
        let is_ridge = pass.scene.render_type() == RenderType::Ridge;
        let view = if is_ridge {
            clip_from_ridge(pass, map)
        } else if flat {
            flat_clip_from_world(map.layout.side, tiles, pass.size, pass.frame.shift())
        } else {
            pass.eye().clip_from_world(0.01, 100.0)
        };
        let parameters = pass.blended(over());
        let radius = RADIUS * pass.size.1 as f32 / 720.0;
        let radius = [pass.size.0, pass.size.1].map(|side| 2.0 * radius / side as f32);
        let pixel = radius.map(|side| side / RADIUS);
        let (rows, middle) = match is_ridge {
            true => (1, 0.0),
            false => (tiles, (tiles as f32 - 1.0) / 2.0),
        };
        for tile in 0..tiles * rows {
            let [x, z] = [tile % tiles, tile / tiles].map(|at| at as f32 - middle);
            let tile = Mat4::from_translation(Vec3::new(x * width, 0.0, z * depth));
            let uniforms = uniform! {
                clip_from_world: (view * tile).to_cols_array_2d(),
                radius: radius,
                pixel: pixel,
                color: NEW,
                invert: pass.scene.view.invert,
            };
            let tools = pass.tools;
            if !flat {
                tools.draw_squares(surface, Shader::Ranges, &self.bars, &uniforms, &parameters)?;
            }
            tools.draw_squares(surface, Shader::Points, &self.dots, &uniforms, &parameters)?;
        }
        Ok(())
    }
}

/// Dots for every point of a single pass: old ones first, then new ones, then those from an image or a
/// formula, in the order of their importance.
fn pass_dots(landscape: &Landscape) -> Vec<Dot> {
    let Some(points) = &landscape.points else {
        return Vec::new();
    };
    let points: &Grid<Point> = points;
    let map = &landscape.heights;
    let most = if map.is_profile() {
        MOST_ON_RIDGE
    } else {
        MOST_POINTS
    };
    if points.as_slice().len() > most {
        return Vec::new();
    }
    let level = (points.columns() - 1).ilog2();
    let seeded = (landscape.scene.surface.seeded_level()).filter(|_| !map.is_profile());
    let stride = seeded.map(|seeded| 1usize << level.saturating_sub(seeded));
    let mut dots = [Vec::new(), Vec::new(), Vec::new()];
    for (index, point) in points.as_slice().iter().enumerate() {
        let (row, column) = (index / points.columns(), index % points.columns());
        let is_seed = stride.is_some_and(|stride| row % stride == 0 && column % stride == 0);
        let (order, color, size) = match point {
            Point::Absent => continue,
            Point::Old | Point::New if is_seed => (2, SEED, 0.9),
            Point::Old => (0, OLD, 0.75),
            Point::New => (1, NEW, 1.0),
        };
        let place = [map.x(column), map.at(row, column), map.z(row)];
        dots[order].push(Dot { place, color, size });
    }
    dots.concat()
}

/// Bars for the displacement range around the mean from which each new point was moved. Known points are
/// never displaced.
fn pass_bars(landscape: &Landscape) -> Vec<Bar> {
    if landscape.heights.is_profile() {
        return ridge_bars(landscape);
    }
    let (Some(points), Some(reach)) = (&landscape.points, pass_range(&landscape.scene)) else {
        return Vec::new();
    };
    if points.as_slice().len() > MOST_POINTS_WITH_BARS {
        return Vec::new();
    }
    let map = &landscape.heights;
    let level = (points.rows() - 1).ilog2();
    let seeded = landscape.scene.surface.seeded_level();
    displaced(map, points)
        .into_iter()
        .filter(|_| seeded.is_none_or(|seeded| seeded < level))
        .map(|point| Bar {
            place: [map.x(point.column), point.mean, map.z(point.row)],
            reach,
        })
        .collect()
}

/// Bars for the displacement range of the next pass of a ridge, around the midpoint of each segment.
fn ridge_bars(landscape: &Landscape) -> Vec<Bar> {
    let (map, range) = (&landscape.heights, next_range(&landscape.scene));
    let Some(reach) = range.filter(|_| map.columns() <= MOST_ON_RIDGE / 2 + 1) else {
        return Vec::new();
    };
    let segments = map.row(0).windows(2).enumerate();
    let bar = |(column, ends): (usize, &[f32])| Bar {
        place: [
            0.5 * (map.x(column) + map.x(column + 1)),
            0.5 * (ends[0] + ends[1]),
            0.0,
        ],
        reach,
    };
    segments.map(bar).collect()
}

/// Dots for all pins, on the ground as shown: modifiers may have moved it.
fn pin_dots(landscape: &Landscape) -> impl Iterator<Item = Dot> {
    let Landscape { scene, heights, .. } = landscape;
    let on_the_ground = scene.render_type() != RenderType::Ridge;
    let places = on_the_ground.then(|| scene.surface.pinned_places());
    places.into_iter().flatten().map(|[x, z]| Dot {
        place: [x, heights.height_at(x, z), z],
        color: PIN,
        size: 1.0,
    })
}
