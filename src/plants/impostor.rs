//! Impostors: orthographic views of the models of a kind, rendered once into textures (cf. Maciel and Shirley 1995).
//!
//! ```text
//!            variant 0   variant 1   variant 2
//!   90°      ┌─────────┬─────────┬─────────┐
//!   60°      ├─────────┼─────────┼─────────┤   each tile: colour and coverage, and the normal
//!   30°      ├─────────┼─────────┼─────────┤
//!    0°      └─────────┴─────────┴─────────┘
//! ```
//!
//! A tile holds the cylinder around a plant as it is seen from an elevation, with an empty margin, so that mipmaps of
//! neighbours do not mix. Colours and normals are premultiplied by the coverage, of which each mipmap is the mean.

use glam::Vec3;

use super::models::{Model, ModelDetail, VARIANTS, model};
use crate::scene::PlantKind;
use crate::util::parallel;

/// Elevations of the eye in degrees, one a row of tiles.
pub const ELEVATIONS: [f32; 4] = [0.0, 30.0, 60.0, 90.0];
/// Texels of a tile, across and up.
pub const TILE: [usize; 2] = [128, 256];
/// Mipmaps of a sheet, the finest included.
pub const MIPMAPS: usize = 6;
/// Share of a tile, across and up, that the plant fills.
pub const FILLED: f32 = 0.875;
/// Samples a texel, along each side.
const SAMPLES: usize = 2;

/// One mipmap of a sheet, row by row, the lowest row first.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpostorLevel {
    /// Texels across and up.
    pub size: [usize; 2],
    /// Square root of the linear albedo, premultiplied, and the coverage.
    pub colors: Vec<[u8; 4]>,
    /// Normals: to the right, upwards in the view, towards the eye; 0 is 128; and the share that snow hides under the
    /// most that the plant holds. Premultiplied.
    pub normals: Vec<[u8; 4]>,
}

/// All views of the models of a kind, with mipmaps.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpostorSheet {
    /// Mipmaps, the finest first.
    pub levels: Vec<ImpostorLevel>,
    /// Outlines of the views, row by row as in the textures.
    pub outlines: Vec<Outline>,
}

/// Trapezoid around a plant in its view: half its width at the bottom and at the top, as shares of half the width that the
/// plant may fill, which one of them may exceed. Few plants are as wide at the top as below, and pixels outside the outline
/// are not drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    /// At the bottom.
    pub bottom: f32,
    /// At the top.
    pub top: f32,
}

/// Slopes of the sides that are tried, from −2 to 2.
const OUTLINES: i32 = 32;

impl Outline {
    /// All that a plant may fill.
    pub const WHOLE: Self = Self {
        bottom: 1.0,
        top: 1.0,
    };

    /// The smallest outline of a tile's covered texels.
    fn of(texels: &[Texel]) -> Self {
        let half = TILE.map(|side| 0.5 * FILLED * side as f32);
        let middle = TILE.map(|side| 0.5 * side as f32);
        // Half the width of each row's texels, and the height of its lower and its upper end, 0…1.
        let rows: Vec<_> = (texels.chunks_exact(TILE[0]).enumerate())
            .filter_map(|(row, texels)| {
                let covered = |texel: &Texel| texel.cover > 0.0;
                let first = texels.iter().position(covered)? as f32;
                let end = texels.iter().rposition(covered)? as f32 + 1.0;
                let width = (middle[0] - first).max(end - middle[0]) / half[0];
                let high =
                    |row: usize| (0.5 + 0.5 * (row as f32 - middle[1]) / half[1]).clamp(0.0, 1.0);
                Some((width, [high(row), high(row + 1)]))
            })
            .collect();
        let outlines = (-OUTLINES..=OUTLINES).map(|slope| {
            let slope = 2.0 * slope as f32 / OUTLINES as f32;
            let needed = |(width, ends): &(f32, [f32; 2])| {
                let [low, high] = ends.map(|high| width - slope * high);
                low.max(high)
            };
            let bottom = rows.iter().map(needed).fold(0.0, f32::max);
            let (bottom, top) = (bottom.max(-slope), bottom.max(-slope) + slope);
            Self { bottom, top }
        });
        let area = |outline: &Self| outline.bottom + outline.top;
        let smallest = outlines.min_by(|one, other| area(one).total_cmp(&area(other)));
        smallest.unwrap_or(Self::WHOLE)
    }

    /// The outline of what is seen of the plant at a mipmap, 0 the finest, or between it and the one before.
    #[must_use]
    pub fn at_level(&self, level: u32) -> Self {
        // A texel is mixed into the next ones of its mipmap, whose middles are up to one and a half of them away.
        let texels = 1.5 * (1_u32 << level.min(31)) as f32;
        let [aside, along] = TILE.map(|side| texels / (0.5 * FILLED * side as f32));
        let more = aside + 0.5 * along * (self.top - self.bottom).abs();
        let [bottom, top] = [self.bottom, self.top].map(|width| width + more);
        match bottom + top < 2.0 {
            true => Self { bottom, top },
            false => Self::WHOLE,
        }
    }
}

/// Half the sides of the view of a plant of height 1 and this radius, from an elevation in radians.
#[must_use]
pub fn half_sides(radius: f32, elevation: f32) -> [f32; 2] {
    let (sine, cosine) = libm::sincosf(elevation.max(0.0));
    [radius, 0.5 * cosine + radius * sine]
}

/// Means of colours and normals, with coverage.
#[derive(Clone, Copy, Default)]
struct Texel {
    color: Vec3,
    normal: Vec3,
    snow: f32,
    cover: f32,
}

impl ImpostorSheet {
    /// Render the views of a kind.
    #[must_use]
    pub fn new(kind: PlantKind) -> Self {
        let views = (0..ELEVATIONS.len()).flat_map(|row| (0..VARIANTS).map(move |at| (row, at)));
        let views: Vec<_> = views.collect();
        let tiles = parallel::par_items(views).map(|_, (row, variant)| {
            let model = model(kind, variant, ModelDetail::Near);
            view(&model, kind.radius(), ELEVATIONS[row].to_radians())
        });
        let outlines = tiles.iter().map(|tile| Outline::of(tile)).collect();
        let across = VARIANTS as usize;
        let mut size = [TILE[0] * across, TILE[1] * ELEVATIONS.len()];
        let mut texels = Vec::with_capacity(size[0] * size[1]);
        for tiles in tiles.chunks_exact(across) {
            for row in 0..TILE[1] {
                let rows = tiles.iter().map(|tile| &tile[row * TILE[0]..][..TILE[0]]);
                rows.for_each(|row| texels.extend_from_slice(row));
            }
        }
        let mut levels = Vec::new();
        while levels.len() < MIPMAPS {
            levels.push(level(size, &texels));
            texels = halved(&texels, size, 2);
            size = size.map(|side| side / 2);
        }
        Self { levels, outlines }
    }
}

/// Encode a mipmap.
fn level(size: [usize; 2], texels: &[Texel]) -> ImpostorLevel {
    let byte = |part: f32| (part.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
    let signed = |part: f32| (part.clamp(-1.0, 1.0) * 127.0 + 128.5) as u8;
    let color = |texel: &Texel| {
        let [r, g, b] = texel.color.to_array().map(byte);
        [r, g, b, byte(texel.cover)]
    };
    let normal = |texel: &Texel| {
        let [x, y, z] = texel.normal.to_array().map(signed);
        [x, y, z, byte(texel.snow)]
    };
    ImpostorLevel {
        size,
        colors: texels.iter().map(color).collect(),
        normals: texels.iter().map(normal).collect(),
    }
}

/// Means of `by` × `by` texels.
fn halved(texels: &[Texel], size: [usize; 2], by: usize) -> Vec<Texel> {
    let small = size.map(|side| side / by);
    let mean = |at: usize| {
        let [column, row] = [at % small[0] * by, at / small[0] * by];
        let mut sum = Texel::default();
        for row in row..row + by {
            for texel in &texels[row * size[0] + column..][..by] {
                sum.color += texel.color;
                sum.normal += texel.normal;
                sum.snow += texel.snow;
                sum.cover += texel.cover;
            }
        }
        let part = ((by * by) as f32).recip();
        Texel {
            color: sum.color * part,
            normal: sum.normal * part,
            snow: sum.snow * part,
            cover: sum.cover * part,
        }
    };
    (0..small[0] * small[1]).map(mean).collect()
}

/// Rasterize the view of a model from an elevation in radians into a tile, in parallel projection.
fn view(model: &Model, radius: f32, elevation: f32) -> Vec<Texel> {
    let size = TILE.map(|side| side * SAMPLES);
    let (sine, cosine) = libm::sincosf(elevation);
    let [right, up, toward] = [
        Vec3::X,
        Vec3::new(0.0, cosine, -sine),
        Vec3::new(0.0, sine, cosine),
    ];
    let half = half_sides(radius, elevation);
    let place = |at: f32, axis: usize| (0.5 + 0.5 * FILLED * at / half[axis]) * size[axis] as f32;
    let corners: Vec<_> = (model.vertices.iter())
        .map(|vertex| {
            let at = Vec3::from(vertex.position) - Vec3::Y * 0.5;
            let at = Vec3::new(at.dot(right), at.dot(up), at.dot(toward));
            Vec3::new(place(at.x, 0), place(at.y, 1), at.z)
        })
        .collect();
    let mut depths = vec![f32::NEG_INFINITY; size[0] * size[1]];
    let mut texels = vec![Texel::default(); size[0] * size[1]];
    for triangle in &model.triangles {
        let index = triangle.map(|at| at as usize);
        let [a, b, c] = index.map(|at| corners[at]);
        let edge =
            |a: Vec3, b: Vec3, at: Vec3| (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
        let area = edge(a, b, c);
        if area == 0.0 {
            continue;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        // What reaches into the margin, as trunks do below the foot, is left out.
        let span = |axis: usize| {
            let margin = (0.5 * (1.0 - FILLED) * size[axis] as f32) as usize;
            let end = (high[axis] as usize + 1).min(size[axis] - margin);
            (low[axis] as usize).max(margin)..end
        };
        for row in span(1) {
            for column in span(0) {
                let at = Vec3::new(column as f32 + 0.5, row as f32 + 0.5, 0.0);
                let parts =
                    [edge(b, c, at), edge(c, a, at), edge(a, b, at)].map(|part| part / area);
                if parts.iter().any(|part| *part < 0.0) {
                    continue;
                }
                let depth = parts[0] * a.z + parts[1] * b.z + parts[2] * c.z;
                let texel = row * size[0] + column;
                if depth <= depths[texel] {
                    continue;
                }
                depths[texel] = depth;
                let mixed = |value: fn(&super::models::ModelVertex) -> [f32; 3]| {
                    let values = index.map(|at| Vec3::from(value(&model.vertices[at])));
                    values[0] * parts[0] + values[1] * parts[1] + values[2] * parts[2]
                };
                let normal = mixed(|vertex| vertex.normal).normalize_or(Vec3::Y);
                texels[texel] = Texel {
                    color: mixed(|vertex| vertex.color)
                        .max(Vec3::ZERO)
                        .map(libm::sqrtf),
                    normal: Vec3::new(normal.dot(right), normal.dot(up), normal.dot(toward)),
                    snow: mixed(|vertex| [vertex.snow; 3]).x,
                    cover: 1.0,
                };
            }
        }
    }
    halved(&texels, size, SAMPLES)
}
