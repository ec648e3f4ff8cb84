//! Static meshes: squares, the patch of which all ground is drawn as instances, and what surrounds the eye.

use std::f32::consts::TAU;
use std::rc::Rc;

use glium::backend::Context;
use glium::index::{IndexBufferSlice, PrimitiveType};
use glium::vertex::PerInstance;
use glium::{IndexBuffer, Vertex, VertexBuffer};

use super::error::{Refused, Result};
use crate::shading::maps::sky;

/// Meshes available to every render type.
pub(super) struct Meshes {
    /// Two triangles over the whole viewport.
    pub(super) screen: VertexBuffer<Corner>,
    /// A strip of two triangles, from -1 to 1.
    pub(super) square: VertexBuffer<Corner>,
    pub(super) patch: Patch,
    pub(super) skirt: Skirt,
}

impl Meshes {
    pub(super) fn new(context: &Rc<Context>) -> Result<Self> {
        let square = |corners: &[[i8; 2]]| {
            let corner = |corner: &[i8; 2]| Corner {
                corner: corner.map(f32::from),
            };
            let corners: Vec<_> = corners.iter().map(corner).collect();
            VertexBuffer::new(context, &corners).refused("a vertex buffer")
        };
        Ok(Self {
            screen: square(&[[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]])?,
            square: square(&[[-1, -1], [1, -1], [-1, 1], [1, 1]])?,
            patch: Patch::new(context)?,
            skirt: Skirt::new(context)?,
        })
    }
}

/// Use a buffer as instance data.
pub(super) fn instances<'a, T: Copy>(
    buffer: &'a VertexBuffer<T>,
    what: &'static str,
) -> Result<PerInstance<'a>> {
    let instances = buffer.per_instance();
    instances.map_err(|_| "no instances").refused(what)
}

/// Triangles between indexed vertices.
pub(super) struct Mesh<V: Copy> {
    pub(super) corners: VertexBuffer<V>,
    pub(super) triangles: IndexBuffer<u16>,
}

impl<V: Vertex> Mesh<V> {
    /// A grid of rows × columns cells, with two triangles per cell.
    fn grid(
        context: &Rc<Context>,
        rows: u16,
        columns: u16,
        corner: impl Fn(u16, u16) -> V,
    ) -> Result<Self> {
        let corners = places(rows + 1, columns + 1).map(|(row, column)| corner(row, column));
        let at = |row: u16, column: u16| row * (columns + 1) + column;
        let triangles = places(rows, columns).flat_map(|(row, column)| {
            let (a, b) = (at(row, column), at(row, column + 1));
            let (c, d) = (at(row + 1, column), at(row + 1, column + 1));
            [a, b, c, c, b, d]
        });
        let (corners, triangles): (Vec<_>, Vec<_>) = (corners.collect(), triangles.collect());
        let list = PrimitiveType::TrianglesList;
        Ok(Self {
            corners: VertexBuffer::new(context, &corners).refused("a vertex buffer")?,
            triangles: IndexBuffer::new(context, list, &triangles).refused("an index buffer")?,
        })
    }
}

/// All positions of a grid, row by row.
fn places(rows: u16, columns: u16) -> impl Iterator<Item = (u16, u16)> {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
}

/// A corner in clip space, or in the space of its instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) corner: [f32; 2],
}
glium::implement_vertex!(Corner, corner);

/// Cells along one side of the patch.
pub(super) const BLOCK: usize = 32;
/// Cells along the sides of the patch variants, finest first.
pub(super) const BLOCKS: [i32; 4] = [BLOCK as i32, 16, 8, 4];

/// Vertex of a patch or of a side: its sample index along both axes.
#[derive(Clone, Copy)]
pub(super) struct PatchCorner {
    corner: [u16; 2],
}
glium::implement_vertex!(PatchCorner, corner);

/// Primitives of a patch's cells to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellPart {
    Faces,
    Edges,
}

/// Patch mesh of 33 × 33 vertices: all ground is drawn as instances of it.
pub(super) struct Patch {
    pub(super) corners: VertexBuffer<PatchCorner>,
    /// Indices for each of `BLOCKS`: the first cells of the patch along both axes.
    faces: Vec<IndexBuffer<u16>>,
    edges: Vec<IndexBuffer<u16>>,
}

impl Patch {
    fn new(context: &Rc<Context>) -> Result<Self> {
        let side = BLOCK as u16 + 1;
        let at = |x: u16, z: u16| z * side + x;
        let corners: Vec<_> = places(side, side)
            .map(|(z, x)| PatchCorner { corner: [x, z] })
            .collect();
        let faces = |cells: u16| -> Vec<u16> {
            places(cells, cells)
                .flat_map(|(z, x)| {
                    // Counter-clockwise seen from above. All diagonals have the same direction, so that a
                    // coarser patch is an exact sub-mesh of a finer one.
                    let (a, b, c, d) = (at(x, z), at(x + 1, z), at(x, z + 1), at(x + 1, z + 1));
                    [a, c, d, a, d, b]
                })
                .collect()
        };
        let edges = |cells: u16| -> Vec<u16> {
            places(cells + 1, cells)
                .flat_map(|(j, i)| [at(i, j), at(i + 1, j), at(j, i), at(j, i + 1)])
                .collect()
        };
        let indices = |kind, list: &dyn Fn(u16) -> Vec<u16>| {
            let buffers = BLOCKS.map(|cells| IndexBuffer::new(context, kind, &list(cells as u16)));
            let buffers: Result<Vec<_>, _> = buffers.into_iter().collect();
            buffers.refused("an index buffer")
        };
        Ok(Self {
            corners: VertexBuffer::new(context, &corners).refused("a vertex buffer")?,
            faces: indices(PrimitiveType::TrianglesList, &faces)?,
            edges: indices(PrimitiveType::LinesList, &edges)?,
        })
    }

    /// Indices of the patch with `block` cells per side.
    pub(super) fn indices(&self, part: CellPart, block: i32) -> &IndexBuffer<u16> {
        let index = BLOCKS.iter().position(|cells| *cells == block).unwrap_or(0);
        match part {
            CellPart::Faces => &self.faces[index],
            CellPart::Edges => &self.edges[index],
        }
    }
}

/// Mesh of one side of a patch: its samples along the top, and as many at the bottom.
pub(super) struct Skirt {
    pub(super) corners: VertexBuffer<PatchCorner>,
    triangles: IndexBuffer<u16>,
}

impl Skirt {
    fn new(context: &Rc<Context>) -> Result<Self> {
        let cells = BLOCK as u16;
        let corner = |along, down| PatchCorner {
            corner: [along, down],
        };
        let Mesh { corners, triangles } = Mesh::grid(context, cells, 1, corner)?;
        Ok(Self { corners, triangles })
    }

    /// The triangles along a side of `cells` cells.
    pub(super) fn triangles(&self, cells: i32) -> Result<IndexBufferSlice<'_, u16>> {
        let indices = self.triangles.slice(..6 * cells as usize);
        indices.ok_or("too many cells").refused("the sides")
    }
}

/// Number of sides of the dome and of the rings.
const SIDES: u16 = 64;

/// Angle of a corner of the dome or of the rings.
fn angle(side: u16) -> f32 {
    TAU * f32::from(side) / f32::from(SIDES)
}

/// Rows of the dome above and below the horizon.
const ROWS_UP: u16 = 40;
const ROWS_DOWN: u16 = 24;

#[derive(Clone, Copy)]
pub(super) struct Direction {
    direction: [f32; 3],
}
glium::implement_vertex!(Direction, direction);

/// Sky dome: a mesh of all directions around the eye, densest at the horizon, where the sky changes most.
pub(super) type DomeMesh = Mesh<Direction>;

impl DomeMesh {
    /// Number of indices of triangles below the horizon, which come first.
    pub(super) const BELOW_HORIZON: usize = ROWS_DOWN as usize * SIDES as usize * 6;

    pub(super) fn new(context: &Rc<Context>) -> Result<Self> {
        Self::grid(context, ROWS_DOWN + ROWS_UP, SIDES, |row, side| {
            let root = match row.checked_sub(ROWS_DOWN) {
                Some(up) => f32::from(up) / f32::from(ROWS_UP),
                None => -f32::from(ROWS_DOWN - row) / f32::from(ROWS_DOWN),
            };
            // Squared, so that the rows are densest at the horizon.
            let (up, angle) = (root * root.abs(), angle(side));
            let level = (1.0 - up * up).max(0.0).sqrt();
            let direction = [level * angle.cos(), up, level * angle.sin()];
            Direction { direction }
        })
    }
}

/// Number of rings, and ratio of successive radii.
const RINGS: u16 = 30;
const WIDER: f32 = 1.55;
/// Radius of the first ring, in eye heights.
const INNERMOST: f32 = 0.2;

#[derive(Clone, Copy)]
pub(super) struct RingCorner {
    heading: [f32; 2],
    reach: f32,
}
glium::implement_vertex!(RingCorner, heading, reach);

/// Concentric rings around the point below the eye, growing geometrically to the horizon: the mesh of the
/// water.
pub(super) type RingMesh = Mesh<RingCorner>;

impl RingMesh {
    /// A radius between those of the last two rings.
    pub(super) fn beyond_all_but_the_last() -> f32 {
        0.5 * (reach(RINGS - 1) + reach(RINGS))
    }

    pub(super) fn new(context: &Rc<Context>) -> Result<Self> {
        Self::grid(context, RINGS, SIDES, |ring, side| RingCorner {
            heading: [angle(side).cos(), angle(side).sin()],
            reach: reach(ring),
        })
    }
}

/// Radius of a ring, in eye heights.
fn reach(ring: u16) -> f32 {
    match ring {
        0 => 0.0,
        ring => INNERMOST * WIDER.powi(i32::from(ring) - 1),
    }
}

#[derive(Clone, Copy)]
pub(super) struct PyramidCorner {
    corner: [f32; 3],
}
glium::implement_vertex!(PyramidCorner, corner);

/// Pyramid around the eye, with clouds painted on its inside: three vertices per triangle.
pub(super) fn pyramid(context: &Rc<Context>) -> Result<VertexBuffer<PyramidCorner>> {
    let base = |side: u32| {
        let angle = TAU * side as f32 / sky::SIDES as f32;
        [
            sky::RADIUS * angle.cos(),
            sky::BASE,
            sky::RADIUS * angle.sin(),
        ]
    };
    let corners: Vec<_> = (0..sky::SIDES)
        .flat_map(|side| [[0.0, sky::APEX, 0.0], base(side), base(side + 1)])
        .map(|corner| PyramidCorner { corner })
        .collect();
    VertexBuffer::new(context, &corners).refused("a vertex buffer")
}
