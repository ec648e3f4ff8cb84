//! What one OpenGL context holds, and how a picture is drawn with it.

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use glium::backend::{Context, Facade};
use glium::{BlitTarget, CapabilitiesSource, Rect, Surface};

use super::buffers::{BufferStore, PictureBuffers, check_size};
use super::development::Development;
use super::distances::Distances;
use super::error::{Refused, RenderError};
use super::gl::check_version;
use super::gl::programs::Shader;
use super::pass::DrawStats;
use super::schedule::{PatchRange, Rates, Stroke};
use super::tools::{Tools, Way};
use super::types::rendered::BakedTexture;
use super::types::{self, triangles};
use super::uploads::{Upload, Uploads};
use super::view::frame::Frame;
use crate::grid::Grid;
use crate::pipeline::{Landscape, TileBytes};
use crate::scene::{CameraMode, RenderType, Scene};

/// Pixels of pictures that nobody sees, and the side of one that they are taken from. Neither these sides nor
/// their halves are powers of two: textures of such sides have other programs.
const FEW: (u32, u32) = (22, 18);
const LARGE: u32 = 4096;
/// How near a camera goes to find levels below the ground, in halves of a half tile.
const MOST_HALVINGS: i32 = 30;

/// The OpenGL objects of one context: programs, the uploaded landscape, the last picture.
pub struct Renderer {
    tools: Rc<Tools>,
    uploads: Uploads,
    store: BufferStore,
}

impl Renderer {
    /// A renderer with nothing uploaded. Programs are compiled when first used.
    ///
    /// # Errors
    /// The driver is older than OpenGL 3.3 or has no memory.
    pub fn new(facade: &impl Facade) -> Result<Self, RenderError> {
        let context = facade.get_context();
        check_version(context)?;
        let tools = Tools::new(facade)?;
        // `present` cannot fail, so its program is compiled here.
        tools.program(Shader::Present)?;
        Ok(Self {
            tools: Rc::new(tools),
            uploads: Uploads::new(context)?,
            store: BufferStore::default(),
        })
    }

    /// Another renderer with nothing uploaded, which draws with the same programs: what one of both has
    /// compiled the other has at once.
    ///
    /// # Errors
    /// The driver has no memory.
    pub fn beside(&self, facade: &impl Facade) -> Result<Self, RenderError> {
        Ok(Self {
            tools: Rc::clone(&self.tools),
            uploads: Uploads::new(facade.get_context())?,
            store: BufferStore::default(),
        })
    }

    /// Takes other texts of shaders: pairs of a file's path below `shaders/` and what is in it now.
    /// What is drawn from then on is drawn with them; what was baked with shaders stays. Returns
    /// why a program was not compiled: of that the last good one is drawn with. While there is another
    /// renderer with the same programs nothing changes.
    pub fn reload(&mut self, changed: &[(String, String)]) -> Vec<RenderError> {
        let tools = Rc::get_mut(&mut self.tools);
        tools.map_or_else(Vec::new, |tools| tools.programs.reload(changed))
    }

    /// Uploads what changed since the last call, and bakes the teximage again if its map, the
    /// light or the palette did. Afterwards the caller may drop the landscape.
    ///
    /// # Errors
    /// The driver has no memory, or does not accept a shader.
    pub fn update(
        &mut self,
        facade: &impl Facade,
        landscape: &Landscape,
    ) -> Result<(), RenderError> {
        let mut upload = Some(Upload::default());
        while let Some(part) = upload {
            upload = self.upload(facade, landscape, part)?;
        }
        Ok(())
    }

    /// Leaves what a driver without memory leaves behind, so that tests find nothing to draw with.
    #[doc(hidden)]
    pub fn lose_palette(&mut self) {
        self.uploads.palette.clear();
    }

    /// Does one part of [`Renderer::update`] and says which is next, `None` after the last. Until
    /// then nothing can be drawn.
    ///
    /// # Errors
    /// As [`Renderer::update`].
    pub fn upload(
        &mut self,
        facade: &impl Facade,
        landscape: &Landscape,
        part: Upload,
    ) -> Result<Option<Upload>, RenderError> {
        let context = facade.get_context();
        let next = self.uploads.upload(context, &self.tools, landscape, part)?;
        context.finish();
        Ok(next)
    }

    /// Uploads the weights of a mask, or takes the last ones away. They are seen only in pictures
    /// that ask for them; see [`Development::masked`].
    ///
    /// # Errors
    /// The driver has no memory.
    pub fn update_mask(
        &mut self,
        facade: &impl Facade,
        weights: Option<&Arc<TileBytes>>,
    ) -> Result<(), RenderError> {
        self.uploads.mask.update(facade.get_context(), weights)
    }

    /// Whether every cell is drawn however far away, seen or not: for measuring what level of
    /// detail saves. Off at first.
    pub fn set_full_detail(&mut self, full_detail: bool) {
        self.tools.full_detail.set(full_detail);
    }

    /// Says how the ground of what is uploaded from now on is found, in place of the way that is quicker
    /// on this driver: for measuring. Pictures are the same but for errors of a pixel.
    pub fn set_way(&mut self, way: Way) {
        self.tools.way.set(Some(way));
        self.uploads.forget_heights();
    }

    /// Measures how far away the ground is in a picture of `size`, without its sides, at the detail of
    /// `triangles`.
    ///
    /// # Errors
    /// Nothing is uploaded yet, a size that the driver cannot hold, or no memory.
    pub fn distances(
        &self,
        facade: &impl Facade,
        scene: &Scene,
        size: (u32, u32),
    ) -> Result<Distances, RenderError> {
        let (context, frame) = (facade.get_context(), Frame::whole(size));
        let pass = self.uploads.pass(context, &self.tools, scene, frame)?;
        let map = self.uploads.contents().map.ok_or("nothing is uploaded yet");
        let map = map.refused("the picture of distances")?;
        Distances::new(&pass, map, triangles::DETAIL_SMOOTH)
    }

    /// Bytes that textures and the buffers drawn in take on the graphics card; vertices and the
    /// like, less than a megabyte in all, are left out.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.uploads.bytes() + self.store.bytes()
    }

    /// Draws the uploaded landscape offscreen, as `scene` views it, and keeps the picture.
    ///
    /// The camera, the view, the fog and (in `triangles`) the light of `scene` count; they may be
    /// newer than the landscape's own. What is not uploaded yet is left out: `rendered`
    /// without its texture is drawn as `triangles`.
    ///
    /// # Errors
    /// A size that the driver cannot hold, or no memory. The last picture stays then.
    pub fn draw(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        size: (u32, u32),
    ) -> Result<DrawStats, RenderError> {
        let mut whole = self.begin(facade, scene, size, None, Rates::unknown())?;
        while self
            .uploads
            .make_window(facade.get_context(), scene, whole.frame)?
        {}
        self.uploads
            .prepare(facade.get_context(), &self.tools, scene, size)?;
        let stats = self.stroke(facade.get_context(), scene, &whole, Stroke::Whole)?;
        whole.done(Stroke::Whole, Instant::now());
        self.show(whole);
        Ok(stats)
    }

    /// Begins the same picture, to be drawn by [`Renderer::develop`] in rectangles that take
    /// about `limit` each, at once if that is `None`; `rates` are those of another.
    ///
    /// # Errors
    /// A size that the driver cannot hold, or no memory. The last picture stays.
    pub fn begin(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        size: (u32, u32),
        limit: Option<Duration>,
        rates: Rates,
    ) -> Result<Development, RenderError> {
        let context = facade.get_context();
        check_size(context, size)?;
        let frame = self.found(context, scene, Frame::whole(size));
        let buffers = self
            .store
            .take(context, size, is_multisampled(scene, frame))?;
        Ok(Development::new(frame, buffers, limit, rates))
    }

    /// The same part of a picture, with how its ground is found.
    fn found(&self, context: &Rc<Context>, scene: &Scene, frame: Frame) -> Frame {
        let deep = Frame {
            depth: self.uploads.depth(scene, frame),
            ..frame
        };
        let is_walked = |frame: Frame| {
            PictureBuffers::holds_layers(frame.size)
                && self.uploads.is_walked(context, &self.tools, scene, frame)
        };
        let has_patches = self.uploads.draws_patches_below(scene) && !self.tools.full_detail.get();
        // Other windows are for ground that is found without triangles.
        if deep.depth.is_some() && has_patches {
            deep
        } else if deep.depth.is_some() && is_walked(deep) {
            Frame {
                walked: true,
                ..deep
            }
        } else {
            Frame {
                walked: is_walked(frame),
                ..frame
            }
        }
    }

    /// As [`Renderer::begin`], of a part of a picture, in the buffers of `old` if they fit.
    pub(super) fn begin_frame(
        &self,
        facade: &impl Facade,
        scene: &Scene,
        frame: Frame,
        limit: Option<Duration>,
        old: Option<Development>,
    ) -> Result<Development, RenderError> {
        let context = facade.get_context();
        let asked = frame.whole;
        let most = context.get_capabilities().max_viewport_dims;
        let allowed = (most.0.max(1) as u32, most.1.max(1) as u32);
        if asked.0 > allowed.0 || asked.1 > allowed.1 {
            return Err(RenderError::Size { asked, allowed });
        }
        let rates = old.as_ref().map_or_else(Rates::unknown, Development::rates);
        let mut spare = old.map(|old| old.buffers).into_iter().collect();
        let frame = self.found(context, scene, frame);
        let multisampled = is_multisampled(scene, frame);
        let buffers = PictureBuffers::new(context, &mut spare, frame.size, multisampled)?;
        Ok(Development::new(frame, buffers, limit, rates))
    }

    /// Draws the next rectangle of a picture and waits for the driver. `scene` and what is
    /// uploaded must be the same from its beginning to its end. Returns what of it is there now.
    ///
    /// # Errors
    /// As [`Renderer::draw`].
    pub fn develop(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        development: &mut Development,
    ) -> Result<Option<Rect>, RenderError> {
        let mut there = None;
        self.develop_and(facade, scene, development, |_, part| there = Some(part))?;
        Ok(there)
    }

    /// As [`Renderer::develop`]; `read` may read what of the picture is there now, which counts as
    /// time of drawing.
    pub(super) fn develop_and(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        development: &mut Development,
        read: impl FnOnce(&PictureBuffers, Rect),
    ) -> Result<(), RenderError> {
        let context = facade.get_context();
        let began = Instant::now();
        if development.makes_room(context)? {
            return Ok(());
        }
        let frame = development.frame;
        if self.uploads.make_window(context, scene, frame)? {
            development.note_window(began.elapsed());
            return Ok(());
        }
        let lettered = frame.enlarged.unwrap_or(frame.whole);
        self.uploads
            .prepare(context, &self.tools, scene, lettered)?;
        let pass = self.uploads.pass(context, &self.tools, scene, frame)?;
        let plans = || {
            let subject = types::subject(&self.uploads.contents(), &pass);
            let phases = subject.phases(&pass).into_iter();
            phases
                .map(|phase| (phase, subject.plan(&pass, phase)))
                .collect()
        };
        let Some(stroke) = development.next(plans) else {
            return Ok(());
        };
        self.stroke(context, scene, development, stroke)?;
        context.finish();
        if let Some(part) = development.shown_by(stroke) {
            read(&development.buffers, part);
        }
        development.done(stroke, began);
        Ok(())
    }

    /// Draws one stroke of a picture for which everything is made.
    fn stroke(
        &self,
        context: &Rc<Context>,
        scene: &Scene,
        development: &Development,
        stroke: Stroke,
    ) -> Result<DrawStats, RenderError> {
        let Development { frame, buffers, .. } = development;
        let mut pass = self.uploads.pass(context, &self.tools, scene, *frame)?;
        if let Stroke::Picture(rectangle) = stroke {
            pass.frame.drawn = Some(rectangle);
        }
        let subject = types::subject(&self.uploads.contents(), &pass);
        let mut stats = DrawStats::default();
        match stroke {
            Stroke::Clear(phase) => {
                subject.clear(&pass, buffers, phase)?;
                return Ok(stats);
            }
            Stroke::Patches(phase, range) => {
                return subject.draw_patches(&pass, buffers, phase, range);
            }
            Stroke::Whole => {
                for phase in subject.phases(&pass) {
                    subject.clear(&pass, buffers, phase)?;
                    stats += subject.draw_patches(&pass, buffers, phase, PatchRange::ALL)?;
                }
            }
            Stroke::Picture(_) => {}
        }
        buffers.draw(context, pass.frame.rectangle(), |surface| {
            stats += subject.draw(&pass, surface, buffers)?;
            self.uploads.draw_marks(&pass, surface)
        })?;
        Ok(stats)
    }

    /// Makes a finished picture the last one.
    pub fn show(&mut self, development: Development) {
        self.store.show(development.buffers);
    }

    /// Makes a finished picture the last one, at the size that it was to be enlarged to, and draws scale bar,
    /// legend and labels over it at that size: letters of few pixels could not be read. Without any of
    /// these it stays as small as it is, since whoever presents it enlarges it.
    ///
    /// # Errors
    /// As [`Renderer::draw`].
    pub fn show_enlarged(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        development: Development,
    ) -> Result<(), RenderError> {
        let context = facade.get_context();
        let enlarged = (development.frame.enlarged).filter(|_| self.uploads.has_letters());
        let Some(size) = enlarged else {
            self.show(development);
            return Ok(());
        };
        let frame = Frame::whole(size);
        let large = self.store.take(context, size, false)?;
        let pass = self.uploads.pass(context, &self.tools, scene, frame)?;
        let all = BlitTarget {
            left: 0,
            bottom: 0,
            width: size.0 as i32,
            height: size.1 as i32,
        };
        large.draw(context, frame.rectangle(), |surface| {
            (development.buffers).present(&self.tools, surface, &all, 1.0);
            self.uploads.draw_letters(&pass, surface)
        })?;
        self.store.keep(development.buffers);
        self.store.show(large);
        Ok(())
    }

    /// Gives up a picture; its buffers serve another.
    pub fn give_up(&mut self, development: Development) {
        self.store.keep(development.buffers);
    }

    /// Lets go of the buffers of earlier pictures: the next ones have another size.
    pub fn forget_spare(&mut self) {
        self.store.forget_spare();
    }

    /// Draws a few pixels of `scene` that nobody sees: the driver compiles what it needs for that
    /// now, and not when a picture waits for it. The last picture stays.
    ///
    /// # Errors
    /// As [`Renderer::draw`].
    pub fn warm_up(&mut self, facade: &impl Facade, scene: &Scene) -> Result<(), RenderError> {
        self.draw_unseen(facade, scene, Frame::whole(FEW))
    }

    /// The same for the ground below the last iteration, whose programs are others: as a picture of `size`
    /// shows it, or as a camera sees it that has come near. What that needs of this ground is forgotten.
    ///
    /// # Errors
    /// As [`Renderer::draw`].
    pub fn warm_up_below(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        size: (u32, u32),
    ) -> Result<(), RenderError> {
        let context = facade.get_context();
        let part = |whole| Frame {
            whole,
            ..Frame::whole(FEW)
        };
        let frame = part(size);
        if self.found(context, scene, frame).depth.is_some() {
            return self.draw_unseen(facade, scene, frame);
        }
        let mut scene = scene.clone();
        scene.camera.mode = CameraMode::Top;
        // Far from the ground a few pixels would show none of it.
        let frame = part((LARGE, LARGE));
        for halvings in 1..MOST_HALVINGS {
            scene.camera.distance = 0.5_f32.powi(halvings);
            if self.found(context, &scene, frame).depth.is_some() {
                self.draw_unseen(facade, &scene, frame)?;
                self.uploads.forget_windows();
                break;
            }
        }
        Ok(())
    }

    fn draw_unseen(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        frame: Frame,
    ) -> Result<(), RenderError> {
        let mut few = self.begin_frame(facade, scene, frame, None, None)?;
        while !few.is_done() {
            self.develop(facade, scene, &mut few)?;
        }
        Ok(())
    }

    /// Waits until everything asked of the driver is drawn: for measuring.
    pub fn finish(&self) {
        self.tools.meshes.screen.get_context().finish();
    }

    /// Copies the last picture onto `target` at `rect` (pixels, origin at the bottom left);
    /// nothing before the first picture.
    pub fn present(&self, target: &mut impl Surface, rect: BlitTarget) {
        self.present_left(target, rect, 1.0);
    }

    /// The same for a part of the picture's width from the left, 0…1, which lies where it would in all of it.
    pub fn present_left(&self, target: &mut impl Surface, rect: BlitTarget, part: f32) {
        if let Some(picture) = self.store.shown() {
            picture.present(&self.tools, target, &rect, part);
        }
    }

    /// The last picture, top row first, sRGB.
    ///
    /// # Errors
    /// Nothing has been drawn yet.
    pub fn read_picture(&self) -> Result<Grid<[u8; 3]>, RenderError> {
        let picture = self.store.shown().ok_or("nothing has been drawn yet");
        Ok(picture.refused("reading the picture")?.read())
    }

    /// `count` rows of the last picture, `first` the topmost: sRGB and alpha, top row first.
    ///
    /// # Errors
    /// Nothing has been drawn yet, or it has fewer rows.
    pub fn read_rows(&self, first: u32, count: u32) -> Result<Grid<[u8; 4]>, RenderError> {
        let picture = self.store.shown();
        let rows = picture.and_then(|picture| picture.read_rows(first, count));
        rows.ok_or("there are no such rows")
            .refused("reading the picture")
    }

    /// The baked texture, north row first, sRGB; `None` if none was baked.
    #[must_use]
    pub fn read_teximage(&self) -> Option<Grid<[u8; 3]>> {
        self.uploads.contents().teximage.map(BakedTexture::read)
    }
}

/// Whether a picture has more samples a pixel; without triangles its edges are smooth by themselves.
fn is_multisampled(scene: &Scene, frame: Frame) -> bool {
    scene.view.antialias && !frame.walked && shows_edges(scene.render_type())
}

/// Whether more samples a pixel show: ridges are smooth by themselves.
fn shows_edges(render_type: RenderType) -> bool {
    matches!(
        render_type,
        RenderType::Lines | RenderType::Triangles | RenderType::Rendered | RenderType::Landscape
    )
}
