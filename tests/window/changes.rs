//! What changed in an interface is painted again, and not one pixel more.

use egui::epaint::{Mesh, Primitive, Vertex, WHITE_UV};
use egui::{ClippedPrimitive, Color32, Pos2, Rect, TextureId, pos2};
use landform::app::window::changes::{Area, Squares, within};
use proptest::prelude::*;

/// Not a multiple of the side of a square.
const SIZE: (u32, u32) = (211, 150);

fn point() -> impl Strategy<Value = Pos2> {
    // Outside of the window, too.
    (-20.0..230.0_f32, -20.0..170.0_f32).prop_map(|(x, y)| pos2(x, y))
}

fn mesh() -> impl Strategy<Value = ClippedPrimitive> {
    let triangle = (point(), (-40.0..40.0_f32, -40.0..40.0_f32), 0..4_u8);
    let triangles = proptest::collection::vec(triangle, 0..6);
    (point(), point(), triangles, 0..2_u64).prop_map(|(a, b, triangles, texture)| {
        let mut mesh = Mesh::with_texture(TextureId::Managed(texture));
        for (at, (x, y), color) in triangles {
            let first = mesh.vertices.len() as u32;
            let corners = [at, pos2(at.x + x, at.y), pos2(at.x, at.y + y)];
            mesh.vertices.extend(corners.map(|pos| Vertex {
                pos,
                uv: WHITE_UV,
                color: Color32::from_gray(color),
            }));
            mesh.indices.extend([first, first + 1, first + 2]);
        }
        ClippedPrimitive {
            clip_rect: Rect::from_two_pos(a, b),
            primitive: Primitive::Mesh(mesh),
        }
    })
}

/// Two interfaces that have much in common.
fn pair() -> impl Strategy<Value = (Vec<ClippedPrimitive>, Vec<ClippedPrimitive>)> {
    let all = || proptest::collection::vec(mesh(), 0..4);
    (all(), all(), all(), all(), mesh(), 0..8_usize).prop_map(
        |(begin, old, new, end, mut both, what)| {
            let with = |middle: Vec<_>| [begin.clone(), middle, end.clone()].concat();
            if what > 3 {
                return (with(old), with(new));
            }
            // One mesh that changes somewhere in its middle.
            let before = both.clone();
            if let Primitive::Mesh(mesh) = &mut both.primitive {
                let count = mesh.vertices.len();
                match (mesh.vertices.get_mut(count / 2), what) {
                    (Some(vertex), 0) => vertex.pos.x += 30.0,
                    (Some(vertex), 1) => vertex.color = Color32::RED,
                    (Some(_), 2) => mesh.indices.truncate(mesh.indices.len() / 6 * 3),
                    _ => both.clip_rect.max.x += 9.0,
                }
            }
            (with(vec![before]), with(vec![both]))
        },
    )
}

/// What is painted over that point, lowest first: corners and colours.
fn painted(primitives: &[ClippedPrimitive], at: Pos2) -> Vec<(TextureId, [(Pos2, Color32); 3])> {
    let mut found = Vec::new();
    for ClippedPrimitive {
        clip_rect,
        primitive,
    } in primitives
    {
        let Primitive::Mesh(mesh) = primitive else {
            panic!("nothing else is painted");
        };
        for corners in mesh.indices.chunks_exact(3) {
            let corners = [0, 1, 2].map(|i| mesh.vertices[corners[i] as usize]);
            let side = |i: usize| {
                let (a, b) = (corners[i].pos, corners[(i + 1) % 3].pos);
                (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x)
            };
            let sides = [side(0), side(1), side(2)];
            let inside = sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0);
            if inside && clip_rect.contains(at) {
                found.push((mesh.texture_id, corners.map(|c| (c.pos, c.color))));
            }
        }
    }
    found
}

fn holds(area: &Area, x: u32, y: u32) -> bool {
    (area.first[0]..area.end[0]).contains(&x) && (area.first[1]..area.end[1]).contains(&y)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_pixel_shows_what_is_painted_now(
        (old, new) in pair(),
        scale in prop_oneof![Just(1.0_f32), Just(1.5), Just(0.8)],
    ) {
        let mut changed = Squares::new(SIZE, scale);
        changed.mark_changes(&old, &new);
        let changed = changed.areas();
        let parts: Vec<_> = changed
            .iter()
            .map(|area| within(&new, area.points(scale)))
            .collect();
        let mut places = Squares::new(SIZE, scale);
        new.iter().for_each(|painted| places.mark(painted));
        let places = places.areas();
        for (x, y) in (0..SIZE.1).step_by(3).flat_map(|y| (0..SIZE.0).step_by(3).map(move |x| (x, y))) {
            let at = pos2(x as f32 + 0.5, y as f32 + 0.5) / scale;
            let now = painted(&new, at);
            let mut again = changed.iter().zip(&parts).filter(|(area, _)| holds(area, x, y));
            let shown = match again.next() {
                Some((_, part)) => painted(part, at),
                None => painted(&old, at),
            };
            prop_assert_eq!(&shown, &now, "{} {}", x, y);
            // A pixel is painted, and laid over what is below, once.
            prop_assert!(again.next().is_none());
            let count = places.iter().filter(|area| holds(area, x, y)).count();
            prop_assert!(count <= 1 && (count == 1 || now.is_empty()), "{} {}", x, y);
        }
    }

    #[test]
    fn a_part_and_the_rest_are_the_whole(a in 0..9_u32, b in 0..9_u32, c in 0..9_u32, d in 0..9_u32) {
        let whole = Area::whole((8, 8));
        let part = Area { first: [a.min(b), c.min(d)], end: [a.max(b).min(8), c.max(d).min(8)] };
        for (x, y) in (0..8).flat_map(|y| (0..8).map(move |x| (x, y))) {
            let count = part.rest(whole).filter(|rest| holds(rest, x, y)).count();
            prop_assert_eq!(count, usize::from(!holds(&part, x, y)));
        }
    }
}

#[test]
fn little_is_painted_for_little() {
    let square = |left: f32, color: Color32| {
        let mut mesh = Mesh::default();
        for place in 0..5 {
            let corner = pos2(left, 30.0 * place as f32);
            let color = if place == 2 { color } else { Color32::GRAY };
            mesh.add_colored_rect(Rect::from_min_size(corner, egui::vec2(9.0, 9.0)), color);
        }
        ClippedPrimitive {
            clip_rect: Rect::EVERYTHING,
            primitive: Primitive::Mesh(mesh),
        }
    };
    let (old, new) = (
        [square(0.0, Color32::RED), square(100.0, Color32::RED)],
        [square(0.0, Color32::RED), square(100.0, Color32::BLUE)],
    );
    let mut changed = Squares::new(SIZE, 1.0);
    changed.mark_changes(&old, &old);
    assert_eq!(changed.areas(), []);
    changed.mark_changes(&old, &new);
    let [area] = changed.areas()[..] else {
        panic!("{:?}", changed.areas());
    };
    assert!(holds(&area, 104, 64));
    let [width, height] = [0, 1].map(|i| area.end[i] - area.first[i]);
    assert!(width <= 64 && height <= 64, "{area:?}");
}
