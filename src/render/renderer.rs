//! What one OpenGL context holds, and how a picture is drawn with it.

use std::rc::Rc;
use std::sync::Weak;
use std::time::{Duration, Instant};

use glium::backend::{Context, Facade};
use glium::framebuffer::SimpleFrameBuffer;
use glium::texture::Texture1d;
use glium::{CapabilitiesSource, Rect, Surface, Version, VertexBuffer};

use crate::grid::Grid;
use crate::heightmap::Heightmap;
use crate::scene::{Light, RenderType, Scene};
use crate::texture::Palette;

use super::analysis::Analyst;
use super::backdrop::{self, Corner};
use super::bake::Teximage;
use super::course::{Rates, Stroke};
use super::development::Development;
use super::distances::Distances;
use super::frame::Frame;
use super::ground::Patch;
use super::height_texture::HeightTexture;
use super::normals::NormalMap;
use super::pass::{DrawStats, Pass};
use super::points::Points;
use super::programs::{Programs, Shader};
use super::scenery::Scenery;
use super::skirt::Skirt;
use super::sky::{Clouds, Pyramid};
use super::spans::Span;
use super::subject::effective_type;
use super::target::Target;
use super::visibility::Visibilities;
use super::{Refused, RenderError, triangles};

/// Buffers kept besides those of the last picture: a fine and a coarse one.
const MOST_SPARE: usize = 2;

/// The OpenGL objects of one context: programs, the uploaded landscape, the last picture.
pub struct Renderer {
    pub(super) programs: Programs,
    pub(super) screen: VertexBuffer<Corner>,
    pub(super) patch: Patch,
    pub(super) skirt: Skirt,
    pub(super) pyramid: Pyramid,
    pub(super) palette: Option<(Palette, Texture1d)>,
    pub(super) surface: Option<(Weak<Heightmap>, HeightTexture)>,
    pub(super) points: Option<Points>,
    pub(super) normals: Option<NormalMap>,
    pub(super) teximage: Option<(Weak<Heightmap>, Light, Palette, Teximage)>,
    pub(super) clouds: Option<(Weak<Grid<[u8; 3]>>, Clouds)>,
    pub(super) visibilities: Visibilities,
    pub(super) scenery: Scenery,
    pub(super) analysis: Analyst,
    /// The last picture.
    pub(super) shown: Option<Target>,
    /// Buffers of earlier ones, the largest last, to draw the next in.
    pub(super) spare: Vec<Target>,
    pub(super) full_detail: bool,
}

impl Renderer {
    /// A renderer with nothing uploaded. Programs are compiled when first used.
    ///
    /// # Errors
    /// The driver is older than OpenGL 3.3 or has no memory.
    pub fn new(facade: &impl Facade) -> Result<Self, RenderError> {
        let context = facade.get_context();
        check_version(context)?;
        let programs = Programs::new(context);
        // `present` cannot fail, so its program is compiled here.
        programs.get(Shader::Present)?;
        Ok(Self {
            programs,
            screen: backdrop::screen(context)?,
            patch: Patch::new(context)?,
            skirt: Skirt::new(context)?,
            pyramid: Pyramid::new(context)?,
            palette: None,
            surface: None,
            points: None,
            normals: None,
            teximage: None,
            clouds: None,
            visibilities: Visibilities::new(context)?,
            scenery: Scenery::new(context)?,
            analysis: Analyst::new(context)?,
            shown: None,
            spare: Vec::new(),
            full_detail: false,
        })
    }

    /// Whether every cell is drawn however far away, seen or not: for measuring what level of
    /// detail saves. Off at first.
    pub fn set_full_detail(&mut self, full_detail: bool) {
        self.full_detail = full_detail;
    }

    /// How far away the ground is in a picture of `size`, without its sides, at the detail of
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
        let pass = self.pass(facade.get_context(), scene, size)?;
        let map = self.surface.as_ref().ok_or("nothing is uploaded yet");
        let (_, map) = map.refused("the picture of distances")?;
        Distances::new(&pass, map, triangles::DETAIL_SMOOTH)
    }

    /// Bytes that textures and the buffers drawn in take on the graphics card; vertices and the
    /// like, less than a megabyte in all, are left out.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let map = self.surface.as_ref().map(|(_, map)| map.bytes());
        let normals = self.normals.as_ref().map(NormalMap::bytes);
        let teximage = self.teximage.as_ref().map(|(.., texture)| texture.bytes());
        let clouds = self.clouds.as_ref().map(|(_, clouds)| clouds.bytes());
        let targets = self.shown.iter().chain(&self.spare);
        let parts = [map, normals, teximage, clouds].into_iter().flatten();
        let whole = [self.visibilities.bytes(), self.scenery.bytes()];
        parts.chain(targets.map(Target::bytes)).chain(whole).sum()
    }

    /// Draws the uploaded landscape offscreen, as `scene` views it, and keeps the picture.
    ///
    /// Of `scene` the camera, the view, the fog and (in `triangles`) the light count; they may
    /// be newer than the landscape's own. What is not uploaded yet is left out: `rendered`
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
        self.prepare(facade.get_context(), scene, size)?;
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
        let target = Target::new(context, &mut self.spare, size, is_multisampled(scene))?;
        Ok(Development::new(Frame::whole(size), target, limit, rates))
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
        let mut spare = old.map(|old| old.target).into_iter().collect();
        let target = Target::new(context, &mut spare, frame.size, is_multisampled(scene))?;
        Ok(Development::new(frame, target, limit, rates))
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

    /// As [`Renderer::develop`]; what of the picture is there now `read` may read, in the same
    /// time.
    pub(super) fn develop_and(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        development: &mut Development,
        read: impl FnOnce(&Target, Rect),
    ) -> Result<(), RenderError> {
        let context = facade.get_context();
        let began = Instant::now();
        if development.makes_room(context)? {
            return Ok(());
        }
        let whole = development.frame.whole;
        self.prepare(context, scene, whole)?;
        let pass = Pass {
            frame: development.frame,
            ..self.pass(context, scene, whole)?
        };
        let below = || {
            let subject = self.subject(&pass);
            let layers = subject.below(&pass).into_iter();
            layers.map(|layer| subject.plan(&pass, layer)).collect()
        };
        let Some(stroke) = development.next(below) else {
            return Ok(());
        };
        self.stroke(context, scene, development, stroke)?;
        context.finish();
        if let Some(part) = development.shown_by(stroke) {
            read(&development.target, part);
        }
        development.done(stroke, began);
        Ok(())
    }

    /// Draws that of a picture for which everything is made.
    fn stroke(
        &self,
        context: &Rc<Context>,
        scene: &Scene,
        development: &Development,
        stroke: Stroke,
    ) -> Result<DrawStats, RenderError> {
        let Development { frame, target, .. } = development;
        let mut pass = Pass {
            frame: *frame,
            ..self.pass(context, scene, frame.whole)?
        };
        if let Stroke::Picture(rectangle) = stroke {
            pass.frame.drawn = Some(rectangle);
        }
        let subject = self.subject(&pass);
        let mut stats = DrawStats::default();
        match stroke {
            Stroke::Clear(layer) => {
                subject.clear(&pass, target, layer)?;
                return Ok(stats);
            }
            Stroke::Below(layer, span) => return subject.draw_below(&pass, target, layer, span),
            Stroke::Whole => {
                for layer in subject.below(&pass) {
                    subject.clear(&pass, target, layer)?;
                    stats += subject.draw_below(&pass, target, layer, Span::ALL)?;
                }
            }
            Stroke::Picture(_) => {}
        }
        target.draw(context, pass.frame.rectangle(), |surface| {
            stats += subject.draw(&pass, surface, target)?;
            self.analysis.draw(&pass, surface)?;
            self.mark_points(&pass, surface)
        })?;
        Ok(stats)
    }

    /// Draws points over the render types that show them.
    fn mark_points(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
    ) -> Result<(), RenderError> {
        let map = self.surface.as_ref().map(|(_, map)| map);
        let marked = matches!(
            effective_type(pass.scene, map),
            RenderType::Lines | RenderType::Triangles | RenderType::Map
        );
        match (map, &self.points) {
            (Some(map), Some(points)) if marked => points.draw(pass, surface, map),
            _ => Ok(()),
        }
    }

    /// Makes a finished picture the last one.
    pub fn show(&mut self, development: Development) {
        let before = self.shown.replace(development.target);
        self.keep(before);
    }

    /// Gives up a picture; its buffers serve another.
    pub fn give_up(&mut self, development: Development) {
        self.keep(Some(development.target));
    }

    fn keep(&mut self, target: Option<Target>) {
        self.spare.extend(target);
        // The large ones take longest to make.
        self.spare.sort_by_key(Target::bytes);
        let surplus = self.spare.len().saturating_sub(MOST_SPARE);
        self.spare.drain(..surplus);
    }

    /// Lets go of the buffers of earlier pictures: the next ones have another size.
    pub fn forget_spare(&mut self) {
        self.spare.clear();
    }

    /// Draws a few pixels of `scene` that nobody sees: the driver compiles what it needs for that
    /// now, and not when a picture waits for it. The last picture stays.
    ///
    /// # Errors
    /// As [`Renderer::draw`].
    pub fn warm_up(&mut self, facade: &impl Facade, scene: &Scene) -> Result<(), RenderError> {
        let frame = Frame::whole((8, 8));
        let mut few = self.begin_frame(facade, scene, frame, None, None)?;
        self.develop(facade, scene, &mut few)?;
        Ok(())
    }

    /// Waits until everything asked of the driver is drawn: for measuring.
    pub fn finish(&self) {
        self.screen.get_context().finish();
    }

    /// Copies the last picture onto `target` at `rect` (pixels, origin at the bottom left);
    /// nothing before the first picture.
    pub fn present(&self, target: &mut impl Surface, rect: glium::BlitTarget) {
        if let (Some(picture), Ok(program)) = (&self.shown, self.programs.get(Shader::Present)) {
            picture.present(program, &self.screen, target, &rect);
        }
    }

    /// The last picture, top row first, sRGB.
    ///
    /// # Errors
    /// Nothing has been drawn yet.
    pub fn read_picture(&self, _facade: &impl Facade) -> Result<Grid<[u8; 3]>, RenderError> {
        let target = self.shown.as_ref().ok_or_else(|| RenderError::Driver {
            what: "reading the picture",
            message: "nothing has been drawn yet".to_owned(),
        })?;
        Ok(target.read())
    }

    /// So many rows of the last picture, `first` the topmost: sRGB and alpha, top row first.
    ///
    /// # Errors
    /// Nothing has been drawn yet, or it has fewer rows.
    pub fn read_rows(
        &self,
        _facade: &impl Facade,
        first: u32,
        count: u32,
    ) -> Result<Grid<[u8; 4]>, RenderError> {
        let rows = self
            .shown
            .as_ref()
            .and_then(|target| target.read_rows(first, count));
        rows.ok_or_else(|| RenderError::Driver {
            what: "reading the picture",
            message: "there are no such rows".to_owned(),
        })
    }

    /// The baked texture, north row first, sRGB; `None` if none was baked.
    ///
    /// # Errors
    /// None at present; drivers that fail to read will be reported here.
    pub fn read_teximage(
        &self,
        _facade: &impl Facade,
    ) -> Result<Option<Grid<[u8; 3]>>, RenderError> {
        Ok(self.teximage.as_ref().map(|(.., teximage)| teximage.read()))
    }

    /// Makes what depends on the scene as it is viewed.
    fn prepare(
        &mut self,
        context: &Rc<Context>,
        scene: &Scene,
        size: (u32, u32),
    ) -> Result<(), RenderError> {
        let palette = self.palette.as_ref().map(|(palette, _)| palette);
        let map = self.surface.as_ref().map(|(_, map)| map);
        self.analysis.prepare(context, scene, size, palette, map)?;
        let (programs, screen) = (&self.programs, &self.screen);
        self.analysis
            .prepare_rises(context, programs, screen, scene, map)?;
        self.scenery.prepare(context, scene, palette)?;
        self.prepare_normals(context, scene)
    }

    pub(super) fn pass<'a>(
        &'a self,
        context: &'a Rc<Context>,
        scene: &'a Scene,
        size: (u32, u32),
    ) -> Result<Pass<'a>, RenderError> {
        let (_, palette) = self.palette.as_ref().ok_or_else(|| RenderError::Driver {
            what: "drawing",
            message: "no landscape has been uploaded yet".to_owned(),
        })?;
        Ok(Pass {
            context,
            scene,
            size,
            programs: &self.programs,
            screen: &self.screen,
            patch: &self.patch,
            skirt: &self.skirt,
            pyramid: &self.pyramid,
            palette,
            visibilities: &self.visibilities,
            analysis: &self.analysis,
            full_detail: self.full_detail,
            frame: Frame::whole(size),
        })
    }
}

/// Refuses contexts older than OpenGL 3.3.
pub(super) fn check_version(context: &Context) -> Result<(), RenderError> {
    let version = context.get_opengl_version();
    if *version >= Version(glium::Api::Gl, 3, 3) {
        return Ok(());
    }
    Err(RenderError::TooOld {
        found: context.get_opengl_version_string().to_owned(),
    })
}

/// Whether a picture has more samples a pixel.
fn is_multisampled(scene: &Scene) -> bool {
    scene.view.antialias && shows_edges(scene.render_type())
}

/// Whether more samples a pixel show: ridges are smooth by themselves.
fn shows_edges(render_type: RenderType) -> bool {
    matches!(
        render_type,
        RenderType::Lines | RenderType::Triangles | RenderType::Rendered | RenderType::Landscape
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::Inputs;
    use crate::job::Job;
    use crate::pipeline::Pipeline;
    use crate::render::Headless;

    #[test]
    fn an_error_before_drawing_leaves_the_last_picture() {
        let headless = Headless::new().unwrap();
        let facade = headless.facade();
        let mut scene = Scene::default();
        scene.surface.iterations = 3;
        let landscape = Pipeline::default().run(&scene, &Inputs::default(), &Job::new());
        for render_type in RenderType::ALL {
            let mut renderer = Renderer::new(facade).unwrap();
            renderer
                .update(facade, landscape.as_ref().unwrap())
                .unwrap();
            scene.view.render_type = *render_type;
            renderer.draw(facade, &scene, (40, 30)).unwrap();
            let last = renderer.read_picture(facade).unwrap();
            // What a driver without memory leaves behind.
            renderer.palette = None;
            for size in [(40, 30), (20, 10), (0, 10)] {
                renderer.draw(facade, &scene, size).unwrap_err();
                let now = renderer.read_picture(facade).unwrap();
                assert_eq!(now.as_slice(), last.as_slice(), "{render_type} at {size:?}");
            }
        }
    }
}
