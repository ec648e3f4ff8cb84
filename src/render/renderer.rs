//! Renderer: the OpenGL resources of one context, and the drawing of pictures.

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use glium::backend::{Context, Facade};
use glium::{BlitTarget, CapabilitiesSource, Rect, Surface};

use super::buffers::{BufferStore, PictureBuffers, Targets, check_size};
use super::distances::Distances;
use super::error::{Refused, RenderError, Result};
use super::frame_budget::PatchRange;
use super::gl::check_version;
use super::gl::programs::Shader;
use super::pass::DrawStats;
use super::progressive_frame::ProgressiveFrame;
use super::progressive_frame::{DrawStep, Rates};
use super::tools::{GroundPath, Tools};
use super::types::rendered::BakedTexture;
use super::types::{self, triangles};
use super::uploads::{Upload, Uploads};
use super::view::Frame;
use crate::pipeline::{Landscape, TileBytes};
use crate::scene::{CameraMode, RenderType, Scene};
use crate::terrain::grid::Grid;

/// Size in pixels of warm-up pictures, and side of the picture they are a part of. Neither these sides nor
/// their halves are powers of two: drivers use other programs for textures of such sizes.
const WARM_UP_SIZE: (u32, u32) = (22, 18);
const WARM_UP_WHOLE: u32 = 4096;
/// Maximum number of halvings of the camera's distance when searching for refined ground.
const MOST_HALVINGS: i32 = 30;

/// OpenGL objects of one context: programs, the uploaded landscape, the last picture.
pub struct Renderer {
    tools: Rc<Tools>,
    uploads: Uploads,
    store: BufferStore,
}

impl Renderer {
    /// Create a renderer with nothing uploaded. Programs are compiled at their first use.
    ///
    /// # Errors
    /// The driver is older than OpenGL 3.3 or out of memory.
    pub fn new(facade: &impl Facade) -> Result<Self, RenderError> {
        let context = facade.get_context();
        check_version(context)?;
        let tools = Tools::new(facade)?;
        // Compiled here because `present` cannot return an error.
        tools.program(Shader::Present)?;
        Ok(Self {
            tools: Rc::new(tools),
            uploads: Uploads::new(context)?,
            store: BufferStore::default(),
        })
    }

    /// Create another renderer with nothing uploaded that shares this one's compiled programs.
    ///
    /// # Errors
    /// The driver is out of memory.
    pub fn beside(&self, facade: &impl Facade) -> Result<Self, RenderError> {
        Ok(Self {
            tools: Rc::clone(&self.tools),
            uploads: Uploads::new(facade.get_context())?,
            store: BufferStore::default(),
        })
    }

    /// Replace shader sources, given as pairs of a path below `shaders/` and the new text. Later draws use
    /// them; baked textures are kept. Returns compilation errors; a program that fails keeps its last good
    /// version. Has no effect while another renderer shares the programs.
    pub fn reload(&mut self, changed: &[(String, String)]) -> Vec<RenderError> {
        let tools = Rc::get_mut(&mut self.tools);
        tools.map_or_else(Vec::new, |tools| tools.programs.reload(changed))
    }

    /// Upload everything that changed since the last call, and bake the teximage again if its map, the light
    /// or the palette changed. Afterwards the landscape may be dropped.
    ///
    /// # Errors
    /// The driver is out of memory, or does not accept a shader.
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

    /// Simulate a driver out of memory, for tests.
    #[doc(hidden)]
    pub fn lose_palette(&mut self) {
        self.uploads.palette.clear();
    }

    /// Do one part of [`Renderer::update`] and return the next one, `None` after the last. Nothing can be
    /// drawn in between.
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

    /// Upload the weights of a mask, or remove the last ones. Only pictures that request it show the mask;
    /// see [`ProgressiveFrame::masked`].
    ///
    /// # Errors
    /// The driver is out of memory.
    pub fn update_mask(
        &mut self,
        facade: &impl Facade,
        weights: Option<&Arc<TileBytes>>,
    ) -> Result<(), RenderError> {
        self.uploads.mask.update(facade.get_context(), weights)
    }

    /// Switch level of detail and culling off, so that every cell is drawn: for measurements. Initially
    /// false.
    pub fn set_full_detail(&mut self, full_detail: bool) {
        self.tools.full_detail.set(full_detail);
    }

    /// Choose how the ground of later uploads is drawn, instead of the faster way on this driver: for
    /// measurements. The pictures differ by errors of a pixel at most.
    pub fn set_way(&mut self, way: GroundPath) {
        self.tools.way.set(Some(way));
        self.uploads.forget_heights();
    }

    /// Measure the distances of the ground in a picture of `size`, without its sides, at the detail of
    /// `triangles`.
    ///
    /// # Errors
    /// Nothing is uploaded yet, the driver does not support the size, or is out of memory.
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

    /// Size in bytes of textures and render targets on the graphics card. Vertex buffers and the like, less
    /// than a megabyte in all, are not counted.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.uploads.bytes() + self.store.bytes()
    }

    /// Draw the uploaded landscape offscreen, as `scene` views it, and keep the picture.
    ///
    /// Camera, view, fog and (in `triangles`) light are those of `scene`, which may be newer than the
    /// landscape's own. Whatever is not uploaded yet is left out: `rendered` without its texture is drawn as
    /// `triangles`.
    ///
    /// # Errors
    /// The driver does not support the size, or is out of memory. The last picture is kept.
    pub fn draw(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        size: (u32, u32),
    ) -> Result<DrawStats, RenderError> {
        let mut whole = self.begin(facade, scene, size, None, Rates::unknown())?;
        while self
            .uploads
            .make_around(facade.get_context(), &self.tools, scene, whole.frame)?
            .is_some()
        {}
        self.uploads
            .prepare(facade.get_context(), &self.tools, scene, size)?;
        let stats = self.draw_step(facade.get_context(), scene, &whole, DrawStep::Whole)?;
        whole.done(DrawStep::Whole, Instant::now());
        self.show(whole);
        Ok(stats)
    }

    /// Begin the same picture for progressive rendering with [`Renderer::develop`], in tiles of about `limit`
    /// each, or at once if that is `None`. `rates` are those of an earlier picture.
    ///
    /// # Errors
    /// The driver does not support the size, or is out of memory. The last picture is kept.
    pub fn begin(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        size: (u32, u32),
        limit: Option<Duration>,
        rates: Rates,
    ) -> Result<ProgressiveFrame, RenderError> {
        let context = facade.get_context();
        check_size(context, size)?;
        let frame = self.found(context, scene, Frame::whole(size));
        let buffers = self.store.take(context, size, targets(scene, frame))?;
        Ok(ProgressiveFrame::new(frame, buffers, limit, rates))
    }

    /// Decide how the ground of a frame is drawn: clipmap patches, ray casting or triangles.
    fn found(&self, context: &Rc<Context>, scene: &Scene, frame: Frame) -> Frame {
        let walked = |frame: Frame| Frame {
            walked: PictureBuffers::holds_layers(frame.size)
                && self.uploads.is_walked(context, &self.tools, scene, frame),
            ..frame
        };
        let depth = self.uploads.depth(scene, frame);
        if depth.is_some() {
            let deep = Frame { depth, ..frame };
            if self
                .uploads
                .draws_patches_below(context, &self.tools, scene)
            {
                return deep;
            }
            let deep = walked(deep);
            if deep.walked {
                return deep;
            }
        }
        walked(frame)
    }

    /// A frame of a preview without the clipmap levels that are not complete. It stays as it is if it cannot be drawn
    /// without them, where the eye is below the coarser ground.
    fn without_missing(&self, context: &Rc<Context>, scene: &Scene, frame: Frame) -> Frame {
        let (uploads, tools) = (&self.uploads, &self.tools);
        let Some(depth) = uploads.complete_depth(context, tools, scene, frame) else {
            return frame;
        };
        let cut = Frame { depth, ..frame };
        let is_like = frame.walked == uploads.is_walked(context, tools, scene, cut);
        if is_like { cut } else { frame }
    }

    /// Begin a part of a picture as [`Renderer::begin`] does, reusing the buffers of `old` if they fit.
    pub(super) fn begin_frame(
        &self,
        facade: &impl Facade,
        scene: &Scene,
        frame: Frame,
        limit: Option<Duration>,
        old: Option<ProgressiveFrame>,
    ) -> Result<ProgressiveFrame> {
        let context = facade.get_context();
        let asked = frame.whole;
        let most = context.get_capabilities().max_viewport_dims;
        let allowed = (most.0.max(1) as u32, most.1.max(1) as u32);
        if asked.0 > allowed.0 || asked.1 > allowed.1 {
            return Err(RenderError::Size { asked, allowed });
        }
        let rates = old
            .as_ref()
            .map_or_else(Rates::unknown, ProgressiveFrame::rates);
        let mut spare = old.map(|old| old.buffers).into_iter().collect();
        let frame = self.found(context, scene, frame);
        let targets = targets(scene, frame);
        let buffers = PictureBuffers::new(context, &mut spare, frame.size, targets)?;
        Ok(ProgressiveFrame::new(frame, buffers, limit, rates))
    }

    /// Draw the next tile of a picture and wait for the driver. `scene` and the uploads must not change from
    /// beginning to end. Returns the part of the picture that became complete.
    ///
    /// # Errors
    /// As [`Renderer::draw`].
    pub fn develop(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        picture: &mut ProgressiveFrame,
    ) -> Result<Option<Rect>, RenderError> {
        let mut there = None;
        self.develop_and(facade, scene, picture, |_, part| there = Some(part))?;
        Ok(there)
    }

    /// Draw as [`Renderer::develop`] does, then let `read` access the completed part. Its time counts
    /// as drawing time.
    pub(super) fn develop_and(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        picture: &mut ProgressiveFrame,
        read: impl FnOnce(&PictureBuffers, Rect),
    ) -> Result {
        let context = facade.get_context();
        let began = Instant::now();
        if picture.makes_room(context)? {
            return Ok(());
        }
        if picture.stops_waiting() {
            picture.frame = self.without_missing(context, scene, picture.frame);
        }
        let (frame, tools) = (picture.frame, &self.tools);
        if let Some(made) = self.uploads.make_around(context, tools, scene, frame)? {
            picture.note_around(made, began.elapsed());
            return Ok(());
        }
        let lettered = frame.enlarged.unwrap_or(frame.whole);
        self.uploads
            .prepare(context, &self.tools, scene, lettered)?;
        let pass = self.uploads.pass(context, &self.tools, scene, frame)?;
        let buffers = &picture.buffers;
        let plans = || {
            let subject = types::subject(&self.uploads.contents(), &pass);
            let phases = subject.phases(&pass).into_iter();
            phases
                .map(|phase| (phase, subject.plan(&pass, buffers, phase)))
                .collect()
        };
        let Some(step) = picture.schedule.next(plans) else {
            return Ok(());
        };
        self.draw_step(context, scene, picture, step)?;
        context.finish();
        if let Some(part) = picture.shown_by(step) {
            read(&picture.buffers, part);
        }
        picture.done(step, began);
        Ok(())
    }

    /// Draw one step of a picture whose resources are ready.
    fn draw_step(
        &self,
        context: &Rc<Context>,
        scene: &Scene,
        picture: &ProgressiveFrame,
        step: DrawStep,
    ) -> Result<DrawStats> {
        let ProgressiveFrame { frame, buffers, .. } = picture;
        let mut pass = self.uploads.pass(context, &self.tools, scene, *frame)?;
        if let DrawStep::Picture(rectangle) = step {
            pass.frame.drawn = Some(rectangle);
        }
        let subject = types::subject(&self.uploads.contents(), &pass);
        let mut stats = DrawStats::default();
        match step {
            DrawStep::Clear(phase) => {
                subject.clear(&pass, buffers, phase)?;
                return Ok(stats);
            }
            DrawStep::Patches(phase, range) => {
                return subject.draw_patches(&pass, buffers, phase, range);
            }
            DrawStep::Whole => {
                for phase in subject.phases(&pass) {
                    subject.clear(&pass, buffers, phase)?;
                    stats += subject.draw_patches(&pass, buffers, phase, PatchRange::ALL)?;
                }
            }
            DrawStep::Picture(_) => {}
        }
        buffers.draw(context, pass.frame.rectangle(), |surface| {
            stats += subject.draw(&pass, surface, buffers)?;
            self.uploads.draw_marks(&pass, surface)
        })?;
        Ok(stats)
    }

    /// Set a finished picture as the last one.
    pub fn show(&mut self, picture: ProgressiveFrame) {
        self.store.show(picture.buffers);
    }

    /// Set a finished picture as the last one, enlarged to its target size, with scale bar, legend and labels
    /// drawn at that size for legibility. Without any of these it stays small, since presenting enlarges it.
    ///
    /// # Errors
    /// As [`Renderer::draw`].
    pub fn show_enlarged(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        picture: ProgressiveFrame,
    ) -> Result<(), RenderError> {
        let context = facade.get_context();
        let enlarged = (picture.frame.enlarged).filter(|_| self.uploads.analysis.has_any());
        let Some(size) = enlarged else {
            self.show(picture);
            return Ok(());
        };
        let frame = Frame::whole(size);
        let large = self.store.take(context, size, Targets::default())?;
        let pass = self.uploads.pass(context, &self.tools, scene, frame)?;
        let all = BlitTarget {
            left: 0,
            bottom: 0,
            width: size.0 as i32,
            height: size.1 as i32,
        };
        large.draw(context, frame.rectangle(), |surface| {
            (picture.buffers).present(&self.tools, surface, &all, 1.0);
            self.uploads.analysis.draw(&pass, surface)
        })?;
        self.store.keep(picture.buffers);
        self.store.show(large);
        Ok(())
    }

    /// Abandon a picture; its buffers are reused.
    pub fn give_up(&mut self, picture: ProgressiveFrame) {
        self.store.keep(picture.buffers);
    }

    /// Free the buffers of earlier pictures, because the next ones have another size.
    pub fn forget_spare(&mut self) {
        self.store.forget_spare();
    }

    /// Draw a few pixels of `scene` offscreen, so that the driver compiles its programs now instead of during
    /// a visible picture. The last picture is kept.
    ///
    /// # Errors
    /// As [`Renderer::draw`].
    pub fn warm_up(&mut self, facade: &impl Facade, scene: &Scene) -> Result<(), RenderError> {
        self.draw_unseen(facade, scene, Frame::whole(WARM_UP_SIZE))
    }

    /// Warm up the programs of refined ground: as in a picture of `size`, or else from a camera moved close
    /// enough. Clipmap levels made for such a camera are dropped.
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
            ..Frame::whole(WARM_UP_SIZE)
        };
        let frame = part(size);
        if self.found(context, scene, frame).depth.is_some() {
            return self.draw_unseen(facade, scene, frame);
        }
        let mut scene = scene.clone();
        scene.camera.mode = CameraMode::Top;
        // Pixels of so large a tile are too wide for the program of close ground, which would delay the start.
        scene.surface.tile_size_m = 1e9;
        // From afar, a few pixels would not show refined ground.
        let frame = part((WARM_UP_WHOLE, WARM_UP_WHOLE));
        for halvings in 1..MOST_HALVINGS {
            scene.camera.distance = 0.5_f32.powi(halvings);
            if self.found(context, &scene, frame).depth.is_some() {
                self.draw_unseen(facade, &scene, frame)?;
                self.uploads.clipmap.forget();
                break;
            }
        }
        Ok(())
    }

    fn draw_unseen(&mut self, facade: &impl Facade, scene: &Scene, frame: Frame) -> Result {
        let mut few = self.begin_frame(facade, scene, frame, None, None)?;
        while !few.is_done() {
            self.develop(facade, scene, &mut few)?;
        }
        Ok(())
    }

    /// Wait until the driver has finished all work: for measurements.
    pub fn finish(&self) {
        self.tools.meshes.screen.get_context().finish();
    }

    /// Copy the last picture to `target` at `rect` (pixels, origin at the bottom left); does nothing before
    /// the first picture.
    pub fn present(&self, target: &mut impl Surface, rect: BlitTarget) {
        self.present_left(target, rect, 1.0);
    }

    /// Copy the left part of the last picture, a fraction 0…1 of its width, to its place within `rect`.
    pub fn present_left(&self, target: &mut impl Surface, rect: BlitTarget, part: f32) {
        if let Some(picture) = self.store.shown() {
            picture.present(&self.tools, target, &rect, part);
        }
    }

    /// Read the last picture, top row first, sRGB.
    ///
    /// # Errors
    /// Nothing has been drawn yet.
    pub fn read_picture(&self) -> Result<Grid<[u8; 3]>, RenderError> {
        let picture = self.store.shown().ok_or("nothing has been drawn yet");
        Ok(picture.refused("reading the picture")?.read())
    }

    /// Read `count` rows of the last picture from the row `first` down: sRGB and alpha, top row first.
    ///
    /// # Errors
    /// Nothing has been drawn yet, or the picture has fewer rows.
    pub fn read_rows(&self, first: u32, count: u32) -> Result<Grid<[u8; 4]>, RenderError> {
        let picture = self.store.shown();
        let rows = picture.and_then(|picture| picture.read_rows(first, count));
        rows.ok_or("there are no such rows")
            .refused("reading the picture")
    }

    /// Read the baked texture, north row first, sRGB; `None` if none was baked.
    #[must_use]
    pub fn read_teximage(&self) -> Option<Grid<[u8; 3]>> {
        self.uploads.contents().teximage.map(BakedTexture::read)
    }
}

/// Render targets of a picture; ray-cast ground antialiases its edges itself.
fn targets(scene: &Scene, frame: Frame) -> Targets {
    let is_smooth = scene.view.antialias;
    match scene.render_type() {
        _ if frame.walked => Targets::default(),
        RenderType::Landscape => Targets {
            multisampled: false,
            layers: Some(is_smooth),
        },
        // Where multisampling is visible: ridges antialias themselves too.
        RenderType::Lines | RenderType::Triangles | RenderType::Rendered => Targets {
            multisampled: is_smooth,
            layers: None,
        },
        _ => Targets::default(),
    }
}
