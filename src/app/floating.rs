//! Where cards and windows float over the scene, so that they cover no control and not each other.
//!
//! [`FreeSpace`] knows what is on screen and finds the free place that is nearest to a wished one.
//! A [`card`] looks for its place in every frame, a [`window`] when it opens or grows and until the
//! user moves it. Cards that say what goes on and find no place have a bar below the scene
//! (`bars::messages`). Tooltips move aside, too.

use egui::emath::TSTransform;
use egui::{
    Align2, Area, Context, Id, LayerId, Order, Pos2, Rangef, Rect, Ui, Vec2, Window, pos2, vec2,
};

use crate::language::tr;

/// Space between what floats and everything else, in points: more than the border by which a window
/// is resized.
pub const GAP: f32 = 12.0;
/// How far from its control a tooltip may be, in points: farther ones belong to nothing.
const TOOLTIP_REACH: f32 = 480.0;

/// A card: it makes room for windows.
#[derive(Clone, Copy)]
pub struct Card {
    name: &'static str,
    /// The side or the corner of the scene that it likes to be at.
    align: Align2,
    /// Whether it hears the mouse; else what is below does.
    hears_mouse: bool,
}

/// The compass.
pub const COMPASS: Card = Card {
    name: "compass",
    align: Align2::RIGHT_TOP,
    hears_mouse: true,
};
/// The figures of the watershed.
pub const WATERSHED: Card = Card {
    name: "watershed read-out",
    align: Align2::RIGHT_TOP,
    hears_mouse: false,
};
/// Work under way.
pub const PROGRESS: Card = Card {
    name: "progress",
    align: Align2::CENTER_TOP,
    hears_mouse: true,
};
/// Messages.
pub const NOTICES: Card = Card {
    name: "notices",
    align: Align2::LEFT_BOTTOM,
    hears_mouse: true,
};
const CARDS: [Card; 4] = [COMPASS, WATERSHED, PROGRESS, NOTICES];
/// The size that a card is thought to have before it was drawn.
const USUAL_CARD: Vec2 = vec2(320.0, 40.0);

impl Card {
    /// Its size when it was drawn last.
    fn size(self, ctx: &Context) -> Option<Vec2> {
        let rect = ctx.memory(|memory| memory.area_rect(Id::new(self.name)));
        rect.map(|rect| rect.size())
    }
}

/// A part of the window, and what in it may not be covered.
pub struct FreeSpace {
    area: Rect,
    taken: Vec<Rect>,
}

impl FreeSpace {
    /// What is free in `area` beside the controls that lie in the layout and the windows above it.
    #[must_use]
    pub fn of(ctx: &Context, area: Rect) -> Self {
        Self::beside_others(ctx, area, None)
    }

    /// The same for the window `own`.
    fn beside_others(ctx: &Context, area: Rect, own: Option<Id>) -> Self {
        let cards = CARDS.map(|card| Id::new(card.name));
        let windows = ctx.memory(|memory| {
            let layers = memory.areas().visible_layer_ids().into_iter();
            let layers = layers.filter(|layer| layer.order == Order::Middle);
            let others = layers.filter(|layer| !cards.contains(&layer.id) && own != Some(layer.id));
            let rects = others.filter_map(|layer| memory.area_rect(layer.id));
            rects.collect::<Vec<_>>()
        });
        let controls = controls(ctx, |layer| layer.order == Order::Background);
        // The scene itself hears the mouse everywhere, and the divider from its top to its bottom.
        let is_part = |rect: &Rect| rect.height() < area.height() - 1.0;
        let taken = controls.into_iter().filter(is_part).chain(windows);
        let taken = taken.filter(|rect| rect.intersects(area)).collect();
        Self { area, taken }
    }

    /// Keeps others away from that place.
    pub fn take(&mut self, place: Rect) {
        self.taken.push(place);
    }

    /// Whether nothing lies there yet.
    #[must_use]
    pub fn is_free(&self, place: Rect) -> bool {
        self.area.expand(0.5).contains_rect(place)
            && !self.taken.iter().any(|taken| overlap(*taken, place))
    }

    /// Takes the place that a card would get; returns whether there is one.
    pub fn reserve(&mut self, ctx: &Context, card: Card) -> bool {
        let size = card.size(ctx).unwrap_or(USUAL_CARD);
        let place = self.find(size, card.align);
        place.inspect(|place| self.take(*place)).is_some()
    }

    /// The free place of that size that is nearest to a side or corner of the area.
    #[must_use]
    pub fn find(&self, size: Vec2, align: Align2) -> Option<Rect> {
        let inside = self.area.shrink(GAP);
        self.nearest(align.align_size_within_rect(size, inside))
    }

    /// The free place that is nearest to a wished one. The nearest one touches something on both
    /// axes, or lies where it was wished, so that few places need a look.
    #[must_use]
    pub fn nearest(&self, wished: Rect) -> Option<Rect> {
        let (size, inside) = (wished.size(), self.area.shrink(GAP));
        if size.x > inside.width() || size.y > inside.height() {
            return None;
        }
        let columns = candidates(wished.left(), size.x, inside.x_range(), || {
            self.taken.iter().map(|rect| rect.x_range())
        });
        let rows = candidates(wished.top(), size.y, inside.y_range(), || {
            self.taken.iter().map(|rect| rect.y_range())
        });
        let corners = columns
            .iter()
            .flat_map(|x| rows.iter().map(move |y| pos2(*x, *y)));
        let mut places: Vec<Rect> = corners
            .map(|corner| Rect::from_min_size(corner, size))
            .collect();
        let distance = |place: &Rect| place.min.distance_sq(wished.min);
        places.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        places.into_iter().find(|place| self.is_free(*place))
    }
}

/// Where something of that length may begin on one axis: as wished, at the ends of the span, and
/// beside each of the others.
fn candidates<I: Iterator<Item = Rangef>>(
    wished: f32,
    length: f32,
    span: Rangef,
    others: impl Fn() -> I,
) -> Vec<f32> {
    let beside = others().flat_map(|other| [other.min - GAP - length, other.max + GAP]);
    let all = [wished, span.min, span.max - length].into_iter();
    let all = all.chain(beside).map(f32::round);
    let mut all: Vec<f32> = all
        .filter(|at| *at >= span.min - 0.5 && at + length <= span.max + 0.5)
        .collect();
    all.sort_by(f32::total_cmp);
    all.dedup();
    all
}

/// Whether two places have more than their borders in common.
fn overlap(a: Rect, b: Rect) -> bool {
    a.shrink(0.5).intersects(b.shrink(0.5))
}

/// Where the controls are that can be used, in these layers.
fn controls(ctx: &Context, in_layer: impl Fn(LayerId) -> bool) -> Vec<Rect> {
    ctx.viewport(|viewport| {
        let layers = viewport.this_pass.widgets.layers();
        let layers = layers.filter(|(layer, _)| in_layer(**layer));
        let widgets = layers.flat_map(|(_, widgets)| widgets);
        let usable = widgets.filter(|widget| widget.enabled && widget.sense.interactive());
        let seen = usable.map(|widget| widget.interact_rect);
        seen.filter(|rect| rect.is_positive()).collect()
    })
}

/// Draws a card at the free place that is nearest to the one it likes, which it takes. Without one
/// it is not drawn.
pub fn card<R>(
    ctx: &Context,
    card: Card,
    space: &mut FreeSpace,
    add: impl FnOnce(&mut Ui) -> R,
) -> Option<R> {
    let align = card.align;
    let place = match card.size(ctx) {
        Some(size) => space.find(size, align)?,
        // It is not seen until its size is known.
        None => align.align_size_within_rect(Vec2::ZERO, space.area.shrink(GAP)),
    };
    let shown = Area::new(Id::new(card.name))
        .pivot(align)
        .fixed_pos(align.pos_in_rect(&place))
        .constrain_to(space.area)
        .interactable(card.hears_mouse)
        .show(ctx, add);
    space.take(shown.response.rect);
    Some(shown.inner)
}

/// What is known of the place of a window.
#[derive(Clone, Copy, Default, PartialEq)]
struct Placed {
    /// The size and the part of the screen that the place was chosen for.
    chosen_for: Option<(Vec2, Rect)>,
    /// Whether the user has moved it.
    is_moved: bool,
}

/// A window in `area`, near a side or corner of it, that covers nothing else if that can be. As long
/// as the user does not move it, it also leaves free what is in `keep_free`.
pub fn window<'open>(
    ctx: &Context,
    title: &'static str,
    align: Align2,
    area: Rect,
    keep_free: &[Rect],
) -> Window<'open> {
    let id = Id::new(title);
    let window = Window::new(tr(title))
        .id(id)
        .pivot(align)
        .default_pos(align.pos_in_rect(&area.shrink(GAP)))
        .constrain_to(area);
    let layer = LayerId::new(Order::Middle, id);
    let (rect, was_open) = ctx.memory(|memory| {
        let was_open = memory.areas().visible_last_frame(&layer);
        (memory.area_rect(id), was_open)
    });
    let kept = id.with("place");
    let mut placed: Placed = match was_open {
        true => ctx.data(|data| data.get_temp(kept)).unwrap_or_default(),
        false => Placed::default(),
    };
    placed.is_moved |= ctx.is_being_dragged(id.with("move"));
    let chosen_for = rect.map(|rect| (rect.size(), area));
    let covers = |rect: &Rect| keep_free.iter().any(|free| overlap(*free, *rect));
    let is_due = placed.chosen_for != chosen_for || rect.as_ref().is_some_and(covers);
    // Nothing jumps away while the mouse holds something.
    let is_held = ctx.input(|input| input.pointer.any_down());
    let is_due = is_due && !is_held && !placed.is_moved;
    if is_due {
        placed.chosen_for = chosen_for;
    }
    let place = rect.filter(|_| is_due).and_then(|rect| {
        let space = FreeSpace::beside_others(ctx, area, Some(id));
        another_place(rect, space, keep_free, align)
    });
    ctx.data_mut(|data| data.insert_temp(kept, placed));
    match place {
        Some(place) => window.current_pos(align.pos_in_rect(&place)),
        None => window,
    }
}

/// Another place for a window that is at `rect`, if it needs one and there is one: in `space` without
/// `keep_free`, else over other windows.
fn another_place(
    rect: Rect,
    mut space: FreeSpace,
    keep_free: &[Rect],
    align: Align2,
) -> Option<Rect> {
    let alone = FreeSpace {
        area: space.area,
        taken: keep_free.to_vec(),
    };
    space.taken.extend(keep_free);
    if space.is_free(rect) {
        return None;
    }
    let wished = align.align_size_within_rect(rect.size(), space.area.shrink(GAP));
    let place = space.nearest(wished).or_else(|| alone.nearest(wished));
    place.filter(|place| place.min != rect.min)
}

/// Moves tooltips away from controls, where there is room for them not far from their own. On a sheet
/// in `scene`, whose pictures leave no room, they stay on the sheet.
pub fn place_tooltips(ctx: &Context, scene: Rect) {
    let tooltips: Vec<LayerId> = ctx.memory(|memory| {
        let layers = memory.areas().visible_layer_ids().into_iter();
        layers
            .filter(|layer| layer.order == Order::Tooltip)
            .collect()
    });
    if tooltips.is_empty() {
        return;
    }
    let area = ctx.content_rect();
    let taken = controls(ctx, |layer| layer.order != Order::Tooltip);
    let is_part = |rect: &Rect| rect.area() < area.area() * 0.25;
    let mut space = FreeSpace {
        area,
        taken: taken.into_iter().filter(is_part).collect(),
    };
    let mouse = ctx.pointer_hover_pos();
    let mouse = mouse.map(|at| Rect::from_center_size(at, Vec2::splat(2.0 * GAP)));
    space.taken.extend(mouse);
    let on_sheet = FreeSpace {
        area: scene,
        taken: mouse.into_iter().collect(),
    };
    let is_on_sheet = mouse.is_some_and(|mouse| scene.contains_rect(mouse));
    for layer in tooltips {
        let Some(rect) = ctx.memory(|memory| memory.area_rect(layer.id)) else {
            continue;
        };
        let place = match space.is_free(rect) {
            true => rect,
            false => {
                let place = space.nearest(rect);
                let place = place.filter(|place| is_near(*place, rect));
                let or_on_sheet = || on_sheet.nearest(rect).filter(|_| is_on_sheet);
                place.or_else(or_on_sheet).unwrap_or(rect)
            }
        };
        let way = TSTransform::from_translation(place.min - rect.min);
        ctx.transform_layer_shapes(layer, way);
        space.take(place);
    }
}

/// Whether a tooltip that belongs to `rect` may be at `place`.
fn is_near(place: Rect, rect: Rect) -> bool {
    (place.min - rect.min).length() <= TOOLTIP_REACH
}

/// What a line from one place of the window to another takes up, as small squares along it.
#[must_use]
pub fn along_line(from: Pos2, to: Pos2, width: f32) -> Vec<Rect> {
    let steps = ((to - from).length() / width).ceil().clamp(1.0, 200.0);
    let at = |step: f32| from + (to - from) * (step / steps);
    let steps = (0..=steps as usize).map(|step| step as f32);
    let squares = steps.map(|step| Rect::from_center_size(at(step), Vec2::splat(width)));
    squares.collect()
}
