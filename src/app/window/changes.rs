//! Dirty-rectangle tracking of the interface: which parts of the window have changed since they
//! were painted, and which parts it covers at all. Both are derived from egui's triangles on a grid
//! of small squares. Changes between the common prefix and suffix of two triangle lists count as
//! dirty, so an insertion near the start of a list can mark more than necessary, but never less.

use egui::epaint::{Mesh, Primitive};
use egui::{ClippedPrimitive, Rect, TextureId, pos2};
use glium::BlitTarget;

/// Side of a grid square, in pixels.
const SQUARE: u32 = 32;

/// Pixel rectangle in a window, with the origin at the upper left; `end` is exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// First column and row.
    pub first: [u32; 2],
    /// Column and row after the last.
    pub end: [u32; 2],
}

/// Bit mask over a grid of squares in a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Squares {
    size: [u32; 2],
    /// Pixels per point.
    scale: f32,
    columns: usize,
    marked: Vec<bool>,
}

impl Squares {
    /// Unmarked grid for a window of `size` pixels.
    #[must_use]
    pub fn new((width, height): (u32, u32), scale: f32) -> Self {
        let columns = width.div_ceil(SQUARE) as usize;
        Self {
            size: [width, height],
            scale,
            columns,
            marked: vec![false; columns * height.div_ceil(SQUARE) as usize],
        }
    }

    /// Mark the whole window.
    pub fn mark_all(&mut self) {
        self.marked.fill(true);
    }

    /// Mark the squares in which `old` and `new` may be painted differently.
    pub fn mark_changes(&mut self, old: &[ClippedPrimitive], new: &[ClippedPrimitive]) {
        let same = |a: &ClippedPrimitive, b: &ClippedPrimitive| match (&a.primitive, &b.primitive) {
            (Primitive::Mesh(mine), Primitive::Mesh(theirs)) => {
                a.clip_rect == b.clip_rect && mine == theirs
            }
            _ => false,
        };
        let (old, new) = middle(old, new, same);
        for index in 0..old.len().max(new.len()) {
            match (old.get(index), new.get(index)) {
                (Some(old), Some(new)) => self.mark_change(old, new),
                (Some(one), None) | (None, Some(one)) => self.mark(one),
                (None, None) => {}
            }
        }
    }

    fn mark_change(&mut self, old: &ClippedPrimitive, new: &ClippedPrimitive) {
        if let (Primitive::Mesh(a), Primitive::Mesh(b)) = (&old.primitive, &new.primitive)
            && old.clip_rect == new.clip_rect
            && a.texture_id == b.texture_id
        {
            let same = |old: &Triangle, new: &Triangle| {
                let mut corners = old.iter().zip(new);
                corners.all(|(old, new)| a.vertices[*old as usize] == b.vertices[*new as usize])
            };
            let (gone, come) = middle(triangles(a), triangles(b), same);
            self.mark_triangles(a, gone, new.clip_rect);
            self.mark_triangles(b, come, new.clip_rect);
            return;
        }
        self.mark(old);
        self.mark(new);
    }

    /// Mark the squares that show one of these textures.
    pub fn mark_pictures(&mut self, painted: &[ClippedPrimitive], textures: &[TextureId]) {
        let shows = |one: &&ClippedPrimitive| match &one.primitive {
            Primitive::Mesh(mesh) => textures.contains(&mesh.texture_id),
            Primitive::Callback(_) => true,
        };
        painted.iter().filter(shows).for_each(|one| self.mark(one));
    }

    /// Mark the squares covered by a primitive.
    pub fn mark(&mut self, painted: &ClippedPrimitive) {
        match &painted.primitive {
            Primitive::Mesh(mesh) => {
                self.mark_triangles(mesh, triangles(mesh), painted.clip_rect);
            }
            Primitive::Callback(_) => self.mark_rect(painted.clip_rect),
        }
    }

    fn mark_triangles(&mut self, mesh: &Mesh, triangles: &[Triangle], clip_rect: Rect) {
        for triangle in triangles {
            self.mark_rect(bounds(mesh, triangle).intersect(clip_rect));
        }
    }

    fn mark_rect(&mut self, rect: Rect) {
        if rect.min.x > rect.max.x || rect.min.y > rect.max.y {
            return;
        }
        let pixel = |points: f32, side: u32| (points * self.scale).clamp(0.0, side as f32);
        let first = |points, side| (pixel(points, side) as u32 / SQUARE) as usize;
        let end = |points, side| (pixel(points, side).ceil() as u32).div_ceil(SQUARE) as usize;
        let [width, height] = self.size;
        for row in first(rect.min.y, height)..end(rect.max.y, height) {
            let squares = &mut self.marked[row * self.columns..][..self.columns];
            squares[first(rect.min.x, width)..end(rect.max.x, width)].fill(true);
        }
    }

    /// Disjoint rectangles that cover the marked squares: horizontal runs, merged with the row
    /// above if they span the same columns.
    #[must_use]
    pub fn areas(&self) -> Vec<Area> {
        let mut areas: Vec<Area> = Vec::new();
        for (row, squares) in self.marked.chunks_exact(self.columns.max(1)).enumerate() {
            let mut at = 0;
            for run in squares.chunk_by(|a, b| a == b) {
                let (from, to) = (at, at + run.len());
                at = to;
                if !run[0] {
                    continue;
                }
                let side = |square: usize, side: u32| (square as u32 * SQUARE).min(side);
                let [width, height] = self.size;
                let area = Area {
                    first: [side(from, width), side(row, height)],
                    end: [side(to, width), side(row + 1, height)],
                };
                let above = areas.iter_mut().find(|above| {
                    let columns = |area: &Area| (area.first[0], area.end[0]);
                    above.end[1] == area.first[1] && columns(above) == columns(&area)
                });
                match above {
                    Some(above) => above.end[1] = area.end[1],
                    None => areas.push(area),
                }
            }
        }
        areas
    }
}

impl Area {
    /// Rectangle of a whole window.
    #[must_use]
    pub fn whole((width, height): (u32, u32)) -> Self {
        Self {
            first: [0, 0],
            end: [width, height],
        }
    }

    /// Rectangle converted from OpenGL's coordinates, with the origin at the lower left, and
    /// clipped to a window of this size.
    #[must_use]
    pub fn of(rect: &BlitTarget, (width, height): (u32, u32)) -> Self {
        let right = rect.left.saturating_add_signed(rect.width);
        let top = rect.bottom.saturating_add_signed(rect.height);
        Self {
            first: [rect.left.min(width), height.saturating_sub(top)],
            end: [right.min(width), height.saturating_sub(rect.bottom)],
        }
    }

    /// Bounding rectangle of both.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let [a, b] = [self.first, other.first];
        let [c, d] = [self.end, other.end];
        Self {
            first: [a[0].min(b[0]), a[1].min(b[1])],
            end: [c[0].max(d[0]), c[1].max(d[1])],
        }
    }

    /// Intersection of both, or `None`.
    #[must_use]
    pub fn common(self, other: Self) -> Option<Self> {
        let [a, b] = [self.first, other.first];
        let [c, d] = [self.end, other.end];
        let both = Self {
            first: [a[0].max(b[0]), a[1].max(b[1])],
            end: [c[0].min(d[0]), c[1].min(d[1])],
        };
        (both.first[0] < both.end[0] && both.first[1] < both.end[1]).then_some(both)
    }

    /// Parts of `whole` around this rectangle, which lies in it: above, left, right and below.
    pub fn rest(self, whole: Self) -> impl Iterator<Item = Self> + Clone {
        let ([left, top], [right, bottom]) = (self.first, self.end);
        let all = [
            (whole.first, [whole.end[0], top]),
            ([whole.first[0], top], [left, bottom]),
            ([right, top], [whole.end[0], bottom]),
            ([whole.first[0], bottom], whole.end),
        ];
        let all = all.map(|(first, end)| Self { first, end });
        all.into_iter().filter_map(move |part| part.common(whole))
    }

    /// Rectangle in OpenGL's coordinates, with the origin at the lower left of a window with this
    /// number of rows.
    #[must_use]
    pub fn rectangle(self, rows: u32) -> glium::Rect {
        let ([left, top], [right, bottom]) = (self.first, self.end);
        glium::Rect {
            left,
            bottom: rows - bottom,
            width: right - left,
            height: bottom - top,
        }
    }

    /// Rectangle in points.
    #[must_use]
    pub fn points(self, scale: f32) -> Rect {
        let corner = |[x, y]: [u32; 2]| pos2(x as f32, y as f32) / scale;
        Rect::from_min_max(corner(self.first), corner(self.end))
    }
}

/// Primitives of `painted` that touch this rectangle, clipped to it.
#[must_use]
pub fn within(painted: &[ClippedPrimitive], area: Rect) -> Vec<ClippedPrimitive> {
    let part = |painted: &ClippedPrimitive| {
        let clip_rect = painted.clip_rect.intersect(area);
        let Primitive::Mesh(mesh) = &painted.primitive else {
            return None;
        };
        let touches = |triangle: &&Triangle| bounds(mesh, triangle).intersects(clip_rect);
        let triangles = triangles(mesh).iter().filter(touches);
        let indices: Vec<u32> = triangles.flatten().copied().collect();
        let is_seen = clip_rect.is_positive() && !indices.is_empty();
        is_seen.then(|| ClippedPrimitive {
            clip_rect,
            primitive: Primitive::Mesh(Mesh {
                indices,
                ..mesh.clone()
            }),
        })
    };
    painted.iter().filter_map(part).collect()
}

/// Both slices without their common prefix and suffix.
fn middle<'a, T>(old: &'a [T], new: &'a [T], same: impl Fn(&T, &T) -> bool) -> (&'a [T], &'a [T]) {
    let pairs = old.iter().zip(new);
    let first = pairs.take_while(|(old, new)| same(old, new)).count();
    let (old, new) = (&old[first..], &new[first..]);
    let pairs = old.iter().rev().zip(new.iter().rev());
    let last = pairs.take_while(|(old, new)| same(old, new)).count();
    (&old[..old.len() - last], &new[..new.len() - last])
}

/// Vertex indices of a triangle in its mesh.
type Triangle = [u32; 3];

fn triangles(mesh: &Mesh) -> &[Triangle] {
    mesh.indices.as_chunks().0
}

fn bounds(mesh: &Mesh, triangle: &Triangle) -> Rect {
    let mut bounds = Rect::NOTHING;
    for corner in triangle {
        bounds.extend_with(mesh.vertices[*corner as usize].pos);
    }
    bounds
}
