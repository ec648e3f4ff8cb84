//! Placement of floating cards, windows and tooltips over the scene without overlap.
//!
//! [`FreeSpace`] holds the occupied rectangles of the screen and finds the free position nearest to
//! a preferred one. A [`card`] is placed anew in every frame; a [`window`] when it opens or grows,
//! until the user moves it. Message and progress cards that find no free position move to a bar
//! below the scene (`bars::messages`). Tooltips are moved off controls, too.
//!
//! The nearest free position touches an obstacle or an edge on each axis, or keeps the preferred
//! coordinate. So it is enough to test a grid of candidates: cost O(n³) for n obstacles.

use egui::emath::TSTransform;
use egui::{
    Align2, Area, Context, Id, LayerId, Order, Pos2, Rangef, Rect, Ui, Vec2, Window, pos2, vec2,
};

use crate::util::language::tr;

/// Gap around floating elements, in points; wider than the border by which a window is resized.
pub const GAP: f32 = 12.0;
/// Maximum distance of a tooltip from its original position, in points. Farther away, it would no
/// longer be seen to belong to its control.
const TOOLTIP_REACH: f32 = 480.0;

/// Floating card; unlike windows, it gives way to other elements.
#[derive(Clone, Copy)]
pub struct Card {
    name: &'static str,
    /// Preferred side or corner of the scene.
    align: Align2,
    /// True if the card takes mouse input; else the mouse acts on the scene below.
    hears_mouse: bool,
}

/// Compass card.
pub const COMPASS: Card = Card::new("compass", Align2::RIGHT_TOP, true);
/// Card with the measurements of the watershed.
pub const WATERSHED: Card = Card::new("watershed read-out", Align2::RIGHT_TOP, false);
/// Card with the heights after a pass.
pub const HEIGHTS: Card = Card::new("heights after the pass", Align2::LEFT_TOP, false);
/// Card with the progress of running jobs.
pub const PROGRESS: Card = Card::new("progress", Align2::CENTER_TOP, true);
/// Card with messages.
pub const NOTICES: Card = Card::new("notices", Align2::LEFT_BOTTOM, true);
const CARDS: [Card; 5] = [COMPASS, WATERSHED, HEIGHTS, PROGRESS, NOTICES];
/// Assumed size of a card that has not been drawn yet, in points.
const USUAL_CARD: Vec2 = vec2(320.0, 40.0);

impl Card {
    const fn new(name: &'static str, align: Align2, hears_mouse: bool) -> Self {
        Self {
            name,
            align,
            hears_mouse,
        }
    }

    /// Name of the card's area.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Size of the card in the last frame.
    fn size(self, ctx: &Context) -> Option<Vec2> {
        let rect = ctx.memory(|memory| memory.area_rect(Id::new(self.name)));
        rect.map(|rect| rect.size())
    }
}

/// Area of the window and the rectangles in it that must not be covered.
pub struct FreeSpace {
    area: Rect,
    taken: Vec<Rect>,
}

impl FreeSpace {
    /// Free space in `area`, given the controls in the layout and the windows above it.
    #[must_use]
    pub fn of(ctx: &Context, area: Rect) -> Self {
        Self::beside_others(ctx, area, None)
    }

    /// Free space for the window `own`, which is not an obstacle to itself.
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
        // The scene itself takes mouse input everywhere, and the divider over its full height.
        let is_part = |rect: &Rect| rect.height() < area.height() - 1.0;
        let taken = controls.into_iter().filter(is_part).chain(windows);
        let taken = taken.filter(|rect| rect.intersects(area)).collect();
        Self { area, taken }
    }

    /// Mark a rectangle as occupied.
    pub fn take(&mut self, place: Rect) {
        self.taken.push(place);
    }

    /// True if the rectangle lies in the area and overlaps nothing.
    #[must_use]
    pub fn is_free(&self, place: Rect) -> bool {
        self.area.expand(0.5).contains_rect(place)
            && !self.taken.iter().any(|taken| overlap(*taken, place))
    }

    /// Reserve the position that a card would get; returns true if there is one.
    pub fn reserve(&mut self, ctx: &Context, card: Card) -> bool {
        let size = card.size(ctx).unwrap_or(USUAL_CARD);
        let place = self.find(size, card.align);
        place.inspect(|place| self.take(*place)).is_some()
    }

    /// Free rectangle of this size nearest to a side or corner of the area.
    #[must_use]
    pub fn find(&self, size: Vec2, align: Align2) -> Option<Rect> {
        let inside = self.area.shrink(GAP);
        self.nearest(align.align_size_within_rect(size, inside))
    }

    /// Free rectangle nearest to the preferred one. It touches an obstacle or an edge on each axis
    /// or keeps the preferred coordinate, so only those candidates are tested.
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
        let columns = columns.iter();
        let corners = columns.flat_map(|x| rows.iter().map(move |y| pos2(*x, *y)));
        let places = corners.map(|corner| Rect::from_min_size(corner, size));
        let mut places: Vec<Rect> = places.collect();
        let distance = |place: &Rect| place.min.distance_sq(wished.min);
        places.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        places.into_iter().find(|place| self.is_free(*place))
    }
}

/// Candidate start coordinates on one axis for an element of this length: the preferred one, both
/// ends of the span, and both sides of each obstacle.
fn candidates<I: Iterator<Item = Rangef>>(
    wished: f32,
    length: f32,
    span: Rangef,
    others: impl Fn() -> I,
) -> Vec<f32> {
    let beside = others().flat_map(|other| [other.min - GAP - length, other.max + GAP]);
    let all = [wished, span.min, span.max - length].into_iter();
    let all = all.chain(beside).map(f32::round);
    let fits = |at: &f32| *at >= span.min - 0.5 && at + length <= span.max + 0.5;
    let mut all: Vec<f32> = all.filter(fits).collect();
    all.sort_by(f32::total_cmp);
    all.dedup();
    all
}

/// True if two rectangles overlap by more than their borders.
fn overlap(a: Rect, b: Rect) -> bool {
    a.shrink(0.5).intersects(b.shrink(0.5))
}

/// Rectangles of the enabled controls in the layers chosen by `in_layer`.
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

/// Draw a card at the free position nearest to its preferred one and reserve that position. Without
/// a free position the card is not drawn.
pub fn card<R>(
    ctx: &Context,
    card: Card,
    space: &mut FreeSpace,
    add: impl FnOnce(&mut Ui) -> R,
) -> Option<R> {
    let align = card.align;
    let place = match card.size(ctx) {
        Some(size) => space.find(size, align)?,
        // A card is invisible until its size is known.
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

/// Placement state of a window, kept between frames.
#[derive(Clone, Copy, Default, PartialEq)]
struct Placed {
    /// Window size and screen area for which the position was chosen.
    chosen_for: Option<(Vec2, Rect)>,
    /// True if the user has moved the window.
    is_moved: bool,
}

/// Window in `area`, near a side or corner of it, that covers no other element if possible. Until
/// the user moves it, it also leaves `keep_free` uncovered.
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
    let rect = ctx.memory(|memory| memory.area_rect(id));
    let was_open = ctx.memory(|memory| memory.areas().visible_last_frame(&layer));
    let kept = id.with("place");
    let mut placed: Placed = match was_open {
        true => ctx.data(|data| data.get_temp(kept)).unwrap_or_default(),
        false => Placed::default(),
    };
    placed.is_moved |= ctx.is_being_dragged(id.with("move"));
    let chosen_for = rect.map(|rect| (rect.size(), area));
    let covers = |rect: &Rect| keep_free.iter().any(|free| overlap(*free, *rect));
    let is_due = placed.chosen_for != chosen_for || rect.as_ref().is_some_and(covers);
    // Windows do not move while a mouse button is down.
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

/// Better position for a window at `rect`, if it needs one: in `space` without `keep_free`, else
/// over other windows but outside `keep_free`.
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

/// Move tooltips off controls, if there is free space near their own position. A sheet of
/// thumbnails in `scene` leaves no free space, so tooltips over it may cover thumbnails but stay
/// within the sheet.
pub fn place_tooltips(ctx: &Context, scene: Rect) {
    let mut tooltips = ctx.memory(|memory| memory.areas().visible_layer_ids());
    tooltips.retain(|layer| layer.order == Order::Tooltip);
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
        let mut place = rect;
        if !space.is_free(rect) {
            let is_near = |place: &Rect| (place.min - rect.min).length() <= TOOLTIP_REACH;
            let near = space.nearest(rect).filter(is_near);
            let or_on_sheet = || on_sheet.nearest(rect).filter(|_| is_on_sheet);
            place = near.or_else(or_on_sheet).unwrap_or(rect);
        }
        let way = TSTransform::from_translation(place.min - rect.min);
        ctx.transform_layer_shapes(layer, way);
        space.take(place);
    }
}

/// Squares of side `width` along a line, as obstacles for placement.
#[must_use]
pub fn along_line(from: Pos2, to: Pos2, width: f32) -> Vec<Rect> {
    let steps = ((to - from).length() / width).ceil().clamp(1.0, 200.0);
    let at = |step: f32| from + (to - from) * (step / steps);
    let steps = (0..=steps as usize).map(|step| step as f32);
    let squares = steps.map(|step| Rect::from_center_size(at(step), Vec2::splat(width)));
    squares.collect()
}
