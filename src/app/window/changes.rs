//! Which parts of a window the interface has changed in since it was painted, and which it is in
//! at all: told from its triangles, in squares of a few pixels.

use egui::epaint::{Mesh, Primitive};
use egui::{ClippedPrimitive, Rect, TextureId, pos2};
use glium::BlitTarget;

/// Side of a square, in pixels.
const SQUARE: u32 = 32;

/// Some pixels of a window, counted from the upper left; the last are the first that are outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// The first column and row.
    pub first: [u32; 2],
    /// The columns and rows after the last.
    pub end: [u32; 2],
}

/// Squares of a window, of which some are marked.
#[derive(Clone, Debug, PartialEq)]
pub struct Squares {
    size: [u32; 2],
    /// Pixels a point.
    scale: f32,
    columns: usize,
    marked: Vec<bool>,
}

impl Squares {
    /// The squares of a window of `size` pixels, none marked.
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

    /// Marks all of them.
    pub fn mark_all(&mut self) {
        self.marked.fill(true);
    }

    /// Marks where `old` and `new` are not painted alike.
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

    /// Marks where one of these textures is shown.
    pub fn mark_pictures(&mut self, painted: &[ClippedPrimitive], textures: &[TextureId]) {
        let shows = |one: &&ClippedPrimitive| match &one.primitive {
            Primitive::Mesh(mesh) => textures.contains(&mesh.texture_id),
            Primitive::Callback(_) => true,
        };
        painted.iter().filter(shows).for_each(|one| self.mark(one));
    }

    /// Marks where something is painted.
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

    /// The marked ones as rectangles without a pixel in common: rows of squares that follow each
    /// other, and where these are the same below each other, one.
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
    /// The area of a whole window.
    #[must_use]
    pub fn whole((width, height): (u32, u32)) -> Self {
        Self {
            first: [0, 0],
            end: [width, height],
        }
    }

    /// The area of a rectangle that OpenGL counts from the lower left of a window of that size, as
    /// far as it is in the window.
    #[must_use]
    pub fn of(rect: &BlitTarget, (width, height): (u32, u32)) -> Self {
        let right = rect.left.saturating_add_signed(rect.width);
        let top = rect.bottom.saturating_add_signed(rect.height);
        Self {
            first: [rect.left.min(width), height.saturating_sub(top)],
            end: [right.min(width), height.saturating_sub(rect.bottom)],
        }
    }

    /// The smallest area that holds both.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let [a, b] = [self.first, other.first];
        let [c, d] = [self.end, other.end];
        Self {
            first: [a[0].min(b[0]), a[1].min(b[1])],
            end: [c[0].max(d[0]), c[1].max(d[1])],
        }
    }

    /// The pixels in both, if any.
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

    /// What is around it within `whole`, of which it is a part: above, left, right and below.
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

    /// The same as OpenGL counts, from the lower left of a window of so many rows.
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

    /// The same in points.
    #[must_use]
    pub fn points(self, scale: f32) -> Rect {
        let corner = |[x, y]: [u32; 2]| pos2(x as f32, y as f32) / scale;
        Rect::from_min_max(corner(self.first), corner(self.end))
    }
}

/// The part of `painted` that lies in that rectangle.
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

/// What remains of both without what is the same at their beginnings and at their ends.
fn middle<'a, T>(old: &'a [T], new: &'a [T], same: impl Fn(&T, &T) -> bool) -> (&'a [T], &'a [T]) {
    let pairs = old.iter().zip(new);
    let first = pairs.take_while(|(old, new)| same(old, new)).count();
    let (old, new) = (&old[first..], &new[first..]);
    let pairs = old.iter().rev().zip(new.iter().rev());
    let last = pairs.take_while(|(old, new)| same(old, new)).count();
    (&old[..old.len() - last], &new[..new.len() - last])
}

/// The numbers of the corners of a triangle among the vertices of its mesh.
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
