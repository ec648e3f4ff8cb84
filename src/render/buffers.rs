//! Render targets: offscreen buffers of a picture, multisampled if requested and then resolved.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell, RefMut};
use std::ops::Range;
use std::rc::Rc;

use glium::backend::Context;
use glium::framebuffer::{DepthRenderBuffer, RenderBuffer, SimpleFrameBuffer};
use glium::texture::{
    ClientFormat, DepthFormat, DepthTexture2d, MipmapsOption, Texture2d, Texture2dDataSink,
    Texture2dMultisample, TextureAny, UncompressedFloatFormat,
};
use glium::uniforms::{MagnifySamplerFilter, SamplerWrapFunction, UniformValue, Uniforms};
use glium::{BlitTarget, CapabilitiesSource, DrawParameters, Rect, Surface, uniform};

use crate::render::error::{Refused, RenderError, Result};
use crate::render::gl::programs::Shader;
use crate::render::gl::{sampler, texture};
use crate::render::raycast::{DepthLayers, Layer, LayerInputs};
use crate::render::tools::Tools;
use crate::render::view::rect;
use crate::scene::Filter;
use crate::terrain::grid::Grid;

/// Samples per pixel with antialiasing, if the driver supports as many.
const SAMPLES: u32 = 4;
/// Maximum size of a buffer: beyond it drivers draw nothing, without an error.
const MAX_BUFFER: u64 = 1 << 30;
/// Bytes of a pixel's depth layers, uploaded and drawn.
const LAYER: u64 = size_of::<Layer>() as u64;
const DRAWN_LAYER: u64 = 16;
const COLOR: UncompressedFloatFormat = UncompressedFloatFormat::U8U8U8U8;
const DEPTH: DepthFormat = DepthFormat::I24;

/// Render targets of a picture besides its colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Targets {
    /// True if the picture has several samples per pixel.
    pub(crate) multisampled: bool,
    /// For depth layers that are drawn: true if they are made from several samples per pixel.
    pub(crate) layers: Option<bool>,
}

/// A picture and its render targets.
pub(crate) struct PictureBuffers {
    size: (u32, u32),
    targets: Targets,
    /// Samples per pixel.
    count: u32,
    picture: Texture2d,
    /// Colour samples, created at their first use or by [`PictureBuffers::make_one`].
    samples: OnceCell<RenderBuffer>,
    depth: OnceCell<DepthRenderBuffer>,
    distances: OnceCell<DistanceBuffer>,
    /// Depth layers that are uploaded, and those that are drawn: drivers cannot draw the smaller format.
    layers: [OnceCell<LayerTexture>; 2],
    /// Inputs of the uploaded layers, once they are complete.
    layers_of: RefCell<Option<LayerInputs>>,
    survey: RefCell<DepthLayers>,
    mirror: RefCell<Option<MirrorBuffer>>,
    /// One byte per square of the picture, created at the first use.
    squares: OnceCell<Texture2d>,
    /// Plants, premultiplied, created at the first use.
    plants: OnceCell<Texture2d>,
    /// Plants close to the eye, created at the first use.
    near_plants: OnceCell<NearPlantBuffer>,
}

impl PictureBuffers {
    /// Take fitting buffers of `size` from `spare`, or create new ones.
    pub(crate) fn new(
        context: &Rc<Context>,
        spare: &mut Vec<Self>,
        size: (u32, u32),
        targets: Targets,
    ) -> Result<Self> {
        check_size(context, size)?;
        let fits = |old: &Self| old.size == size && old.targets == targets;
        if let Some(index) = spare.iter().rposition(fits) {
            return Ok(spare.remove(index));
        }
        let (width, height) = size;
        let count = samples(context, targets.multisampled);
        let largest = targets.layers.map_or(4 * u64::from(count), |_| DRAWN_LAYER);
        let bytes = u64::from(width) * u64::from(height) * largest;
        if bytes > MAX_BUFFER {
            return Err(RenderError::OutOfMemory {
                what: "a picture of this size and number of samples",
                megabytes: bytes >> 20,
            });
        }
        let picture = texture::empty(context, COLOR, size, "the picture")?;
        Ok(Self {
            size,
            targets,
            count,
            picture,
            samples: OnceCell::new(),
            depth: OnceCell::new(),
            distances: OnceCell::new(),
            layers: [OnceCell::new(), OnceCell::new()],
            layers_of: RefCell::new(None),
            survey: RefCell::default(),
            mirror: RefCell::new(None),
            squares: OnceCell::new(),
            plants: OnceCell::new(),
            near_plants: OnceCell::new(),
        })
    }

    /// Create one missing render target, if any: large ones take software drivers tens of milliseconds each.
    /// Returns true if one was created.
    pub(crate) fn make_one(&self, context: &Rc<Context>) -> Result<bool> {
        if self.count > 1 && self.samples.get().is_none() {
            return self.samples_buffer(context).map(|_| true);
        }
        let is_missing = self.depth.get().is_none();
        self.depth_buffer(context).map(|_| is_missing)
    }

    /// Multisampled colour buffer, if there are several samples per pixel.
    fn samples_buffer(&self, context: &Rc<Context>) -> Result<Option<&RenderBuffer>> {
        if self.count > 1 && self.samples.get().is_none() {
            let (width, height) = self.size;
            let made = RenderBuffer::new_multisample(context, COLOR, width, height, self.count);
            let made = made.refused("the multisampled picture")?;
            self.samples.get_or_init(|| made);
        }
        Ok(self.samples.get())
    }

    fn depth_buffer(&self, context: &Rc<Context>) -> Result<&DepthRenderBuffer> {
        let (width, height) = self.size;
        get_or_make(&self.depth, || {
            let made = match self.count {
                1 => DepthRenderBuffer::new(context, DEPTH, width, height),
                count => DepthRenderBuffer::new_multisample(context, DEPTH, width, height, count),
            };
            made.refused("the depth buffer")
        })
    }

    /// Distances of rasterized ground, created at the first use.
    pub(crate) fn distances(&self, context: &Rc<Context>) -> Result<&DistanceBuffer> {
        get_or_make(&self.distances, || {
            let count = samples(context, self.targets.layers == Some(true));
            DistanceBuffer::new(context, self.size, count)
        })
    }

    /// True if the depth layers of a picture of `size` fit into a buffer.
    pub(crate) fn holds_layers((width, height): (u32, u32)) -> bool {
        u64::from(width) * u64::from(height) * LAYER <= MAX_BUFFER
    }

    /// Depth layers, created at the first use: those of ray-cast ground, which are uploaded, or of rasterized
    /// ground, which are drawn.
    pub(crate) fn layers(&self, context: &Rc<Context>, is_drawn: bool) -> Result<&LayerTexture> {
        let format = match is_drawn {
            true => UncompressedFloatFormat::F32F32F32F32,
            false => UncompressedFloatFormat::F32F32F32,
        };
        get_or_make(&self.layers[usize::from(is_drawn)], || {
            let what = "the layers of a picture";
            texture::empty(context, format, self.size, what).map(LayerTexture)
        })
    }

    /// Upload rows of depth layers.
    pub(crate) fn write_layers(
        &self,
        context: &Rc<Context>,
        rows: Range<usize>,
        layers: &[Layer],
    ) -> Result {
        self.layers_of.replace(None);
        let LayerTexture(texture) = self.layers(context, false)?;
        let size = (self.size.0, rows.len() as u32);
        let part = rect([0, rows.start as u32], size);
        let image = texture::image(layers.as_flattened(), size, ClientFormat::F32F32F32);
        texture.write(part, image);
        Ok(())
    }

    /// True if all uploaded depth layers were made from `inputs`.
    pub(crate) fn has_layers_of(&self, inputs: &LayerInputs) -> bool {
        self.layers_of.borrow().as_ref() == Some(inputs)
    }

    /// Record what the uploaded depth layers, now complete, were made from.
    pub(crate) fn set_layers_of(&self, inputs: LayerInputs) {
        self.layers_of.replace(Some(inputs));
    }

    /// Results of the heightfield ray caster for this picture.
    pub(crate) fn survey(&self) -> RefMut<'_, DepthLayers> {
        self.survey.borrow_mut()
    }

    /// Texture with one byte per square of `side` pixels that the picture or a piece of it touches, created
    /// at the first use.
    pub(crate) fn squares(&self, context: &Rc<Context>, side: u32) -> Result<&Texture2d> {
        let (width, height) = self.size;
        // One more than fits: a piece may begin within a square.
        let size = (width.div_ceil(side) + 1, height.div_ceil(side) + 1);
        let format = UncompressedFloatFormat::U8;
        get_or_make(&self.squares, || {
            texture::empty(context, format, size, "the squares of a picture")
        })
    }

    /// Plants in front of the ground, created at the first use.
    pub(crate) fn plants(&self, context: &Rc<Context>) -> Result<&Texture2d> {
        get_or_make(&self.plants, || {
            texture::empty(context, COLOR, self.size, "the plants of a picture")
        })
    }

    /// Plants close to the eye, with several samples per pixel and depths, created at the first use.
    pub(crate) fn near_plants(&self, context: &Rc<Context>) -> Result<&NearPlantBuffer> {
        get_or_make(&self.near_plants, || {
            NearPlantBuffer::new(context, self.size)
        })
    }

    /// Reflection buffer of the picture's water.
    pub(crate) fn mirror(&self) -> RefMut<'_, Option<MirrorBuffer>> {
        self.mirror.borrow_mut()
    }

    /// Size in bytes on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        let pixels = u64::from(self.size.0) * u64::from(self.size.1);
        let count = u64::from(self.count);
        // The picture, depth samples, colour samples if there are several, and distances with their depths.
        let colors = if count > 1 { count * 4 } else { 0 };
        let of_distances = |distances: &DistanceBuffer| u64::from(distances.count) * 8;
        let distances = self.distances.get().map_or(0, of_distances);
        let [uploaded, drawn] = &self.layers;
        let layers = uploaded.get().map_or(0, |_| LAYER) + drawn.get().map_or(0, |_| DRAWN_LAYER);
        let survey = self.survey.borrow().bytes();
        let mirror = self.mirror.borrow().as_ref().map_or(0, MirrorBuffer::bytes);
        let squares = self.squares.get().map_or(0, |map| texture::bytes(map, 1));
        let plants = self.plants.get().map_or(0, |map| texture::bytes(map, 4));
        let near_plants = self
            .near_plants
            .get()
            .map_or(0, |near| pixels * (4 + 8 * u64::from(near.count)));
        pixels * (4 + count * 4 + colors + distances + layers)
            + survey
            + mirror
            + squares
            + plants
            + near_plants
    }

    /// The surface to draw on.
    pub(crate) fn surface<'a>(&'a self, context: &Rc<Context>) -> Result<SimpleFrameBuffer<'a>> {
        let depth = self.depth_buffer(context)?;
        let surface = match self.samples_buffer(context)? {
            Some(samples) => SimpleFrameBuffer::with_depth_buffer(context, samples, depth),
            None => SimpleFrameBuffer::with_depth_buffer(context, &self.picture, depth),
        };
        surface.refused("the picture")
    }

    /// Call `draw` with the surface and resolve the samples of `rectangle`.
    pub(crate) fn draw<T>(
        &self,
        context: &Rc<Context>,
        rectangle: Rect,
        draw: impl FnOnce(&mut SimpleFrameBuffer<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut surface = self.surface(context)?;
        let drawn = draw(&mut surface)?;
        if self.count == 1 {
            return Ok(drawn);
        }
        let picture = SimpleFrameBuffer::new(context, &self.picture).refused("the picture")?;
        let onto = BlitTarget {
            left: rectangle.left,
            bottom: rectangle.bottom,
            width: rectangle.width as i32,
            height: rectangle.height as i32,
        };
        surface.blit_color(&rectangle, &picture, &onto, MagnifySamplerFilter::Nearest);
        Ok(drawn)
    }

    /// Copy the picture to `target` at `rect`; pixel by pixel where the sizes are equal.
    ///
    /// Drawn with a program instead of a blit: a window's framebuffer may be sRGB-capable or multisampled,
    /// and only a program writes the same bytes to all of them.
    pub(crate) fn present(
        &self,
        tools: &Tools,
        target: &mut impl Surface,
        rect: &BlitTarget,
        part: f32,
    ) {
        let same = self.size == (rect.width.unsigned_abs(), rect.height.unsigned_abs());
        let filter = if same {
            Filter::Nearest
        } else {
            Filter::Linear
        };
        let picture = sampler::filtered(self.picture.sampled(), filter);
        let uniforms = uniform! { picture: picture.wrap_function(SamplerWrapFunction::Clamp) };
        let all = Rect {
            left: rect.left,
            bottom: rect.bottom,
            width: rect.width.unsigned_abs(),
            height: rect.height.unsigned_abs(),
        };
        let parameters = DrawParameters {
            viewport: Some(all),
            scissor: Some(Rect {
                width: (all.width as f32 * part).round() as u32,
                ..all
            }),
            ..DrawParameters::default()
        };
        if let Err(error) = tools.fill(target, Shader::Present, &uniforms, &parameters) {
            log::error!("the picture could not be shown: {error}");
        }
    }

    /// Read the picture back, top row first.
    pub(crate) fn read(&self) -> Grid<[u8; 3]> {
        turned(texture::read(&self.picture))
    }

    /// Read `count` rows of the picture from the row `first` down, opaque; `None` if there are fewer.
    pub(crate) fn read_rows(&self, first: u32, count: u32) -> Option<Grid<[u8; 4]>> {
        let (width, height) = self.size;
        let bottom = height.checked_sub(first.checked_add(count)?)?;
        let pixels = self.read_part(&rect([0, bottom], (width, count)));
        let opaque = pixels.into_iter().map(|[r, g, b, _]| [r, g, b, 255]);
        Grid::from_vec(count as usize, width as usize, opaque.collect()).map(turned)
    }

    /// Read a part of the picture, bottom row first, with its alpha.
    pub(crate) fn read_part(&self, part: &Rect) -> Vec<[u8; 4]> {
        let texture: &TextureAny = &self.picture;
        let image = texture.main_level().first_layer().into_image(None);
        let image = image.expect("a plain texture has one image");
        let Texels(pixels) = image.raw_read(part);
        pixels
    }
}

/// The value of a cell, created at the first use.
fn get_or_make<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(made) = cell.get() {
        return Ok(made);
    }
    let made = make()?;
    Ok(cell.get_or_init(|| made))
}

/// Pixels as read by glium, independent of the size.
struct Texels(Vec<[u8; 4]>);

impl Texture2dDataSink<(u8, u8, u8, u8)> for Texels {
    fn from_raw(data: Cow<'_, [(u8, u8, u8, u8)]>, _: u32, _: u32) -> Self {
        Self(data.iter().map(|(r, g, b, a)| [*r, *g, *b, *a]).collect())
    }
}

/// Flip a picture vertically.
fn turned<T: Copy>(mut picture: Grid<T>) -> Grid<T> {
    let (rows, columns) = (picture.rows(), picture.columns());
    let cells = picture.as_mut_slice();
    for row in 0..rows / 2 {
        let (top, bottom) = cells.split_at_mut((rows - 1 - row) * columns);
        top[row * columns..][..columns].swap_with_slice(&mut bottom[..columns]);
    }
    picture
}

/// Refuse empty pictures and sizes that the driver cannot draw.
pub(crate) fn check_size(context: &Rc<Context>, asked: (u32, u32)) -> Result {
    let capabilities = context.get_capabilities();
    let texture = capabilities.max_texture_size.max(1) as u32;
    let viewport = capabilities.max_viewport_dims;
    let allowed = (
        texture.min(viewport.0.max(1) as u32),
        texture.min(viewport.1.max(1) as u32),
    );
    let fits = |asked: u32, allowed: u32| (1..=allowed).contains(&asked);
    if fits(asked.0, allowed.0) && fits(asked.1, allowed.1) {
        Ok(())
    } else {
        Err(RenderError::Size { asked, allowed })
    }
}

/// Samples per pixel, as many as the driver supports: with more nothing is drawn, without an error.
fn samples(context: &Context, multisampled: bool) -> u32 {
    let most = context.get_capabilities().max_framebuffer_samples;
    match multisampled {
        true => SAMPLES.min(most.unwrap_or(0).max(0) as u32).max(1),
        false => 1,
    }
}

/// Depth layers of the ground, see `raycast::Layer`.
pub(crate) struct LayerTexture(pub(crate) Texture2d);

impl Uniforms for LayerTexture {
    fn visit_values<'a, F: FnMut(&str, UniformValue<'a>)>(&'a self, mut visit: F) {
        visit("layers", UniformValue::Texture2d(&self.0, None));
    }
}

/// Distances of rasterized ground along the view, one or several per pixel, with their depth buffer.
pub(crate) struct DistanceBuffer {
    texture: DistanceTexture,
    depth: DepthRenderBuffer,
    count: u32,
}

enum DistanceTexture {
    Plain(Texture2d),
    Multisampled(Texture2dMultisample),
}

impl DistanceBuffer {
    fn new(context: &Rc<Context>, (width, height): (u32, u32), count: u32) -> Result<Self> {
        let (what, none) = ("the distances", MipmapsOption::NoMipmap);
        let format = UncompressedFloatFormat::F32;
        let (texture, depth) = if count > 1 {
            let made = Texture2dMultisample::empty_with_format(
                context, format, none, width, height, count,
            );
            let depth = DepthRenderBuffer::new_multisample(context, DEPTH, width, height, count);
            (DistanceTexture::Multisampled(made.refused(what)?), depth)
        } else {
            let made = texture::empty(context, format, (width, height), what)?;
            let depth = DepthRenderBuffer::new(context, DEPTH, width, height);
            (DistanceTexture::Plain(made), depth)
        };
        Ok(Self {
            texture,
            depth: depth.refused(what)?,
            count,
        })
    }

    /// The surface to draw on.
    pub(crate) fn surface(&self, context: &Rc<Context>) -> Result<SimpleFrameBuffer<'_>> {
        let depth = &self.depth;
        let surface = match &self.texture {
            DistanceTexture::Plain(texture) => {
                SimpleFrameBuffer::with_depth_buffer(context, texture, depth)
            }
            DistanceTexture::Multisampled(texture) => {
                SimpleFrameBuffer::with_depth_buffer(context, texture, depth)
            }
        };
        surface.refused("the distances")
    }

    /// Make depth layers of the distances.
    pub(crate) fn resolve(
        &self,
        context: &Rc<Context>,
        tools: &Tools,
        LayerTexture(layers): &LayerTexture,
    ) -> Result {
        let shader = match self.texture {
            DistanceTexture::Plain(_) => Shader::SamplesToLayers,
            DistanceTexture::Multisampled(_) => Shader::ManySamplesToLayers,
        };
        let mut surface = SimpleFrameBuffer::new(context, layers).refused("the layers")?;
        tools.fill(&mut surface, shader, self, &DrawParameters::default())
    }
}

impl Uniforms for DistanceBuffer {
    fn visit_values<'a, F: FnMut(&str, UniformValue<'a>)>(&'a self, mut visit: F) {
        visit("samples", UniformValue::SignedInt(self.count as i32));
        let texture = match &self.texture {
            DistanceTexture::Plain(texture) => UniformValue::Texture2d(texture, None),
            DistanceTexture::Multisampled(texture) => {
                UniformValue::Texture2dMultisample(texture, None)
            }
        };
        visit("distances", texture);
    }
}

/// Colour and depth buffers of plants close to the eye.
pub(crate) struct NearPlantBuffer {
    count: u32,
    color: RenderBuffer,
    depth: DepthRenderBuffer,
    /// Mean of the samples.
    pub(crate) resolved: Texture2d,
}

impl NearPlantBuffer {
    fn new(context: &Rc<Context>, size: (u32, u32)) -> Result<Self> {
        let what = "the plants close to the eye";
        let count = samples(context, true);
        let (width, height) = size;
        let color = match count {
            1 => RenderBuffer::new(context, COLOR, width, height),
            count => RenderBuffer::new_multisample(context, COLOR, width, height, count),
        };
        let depth = match count {
            1 => DepthRenderBuffer::new(context, DEPTH, width, height),
            count => DepthRenderBuffer::new_multisample(context, DEPTH, width, height, count),
        };
        Ok(Self {
            count,
            color: color.refused(what)?,
            depth: depth.refused(what)?,
            resolved: texture::empty(context, COLOR, size, what)?,
        })
    }

    /// The surface to draw on.
    pub(crate) fn surface(&self, context: &Rc<Context>) -> Result<SimpleFrameBuffer<'_>> {
        SimpleFrameBuffer::with_depth_buffer(context, &self.color, &self.depth)
            .refused("the plants close to the eye")
    }

    /// Average the samples.
    pub(crate) fn resolve(&self, context: &Rc<Context>) -> Result {
        let what = "the plants close to the eye";
        let (width, height) = (self.resolved.width(), self.resolved.height());
        let resolved = SimpleFrameBuffer::new(context, &self.resolved).refused(what)?;
        let all = rect([0, 0], (width, height));
        let onto = BlitTarget {
            left: 0,
            bottom: 0,
            width: width as i32,
            height: height as i32,
        };
        let surface = self.surface(context)?;
        surface.blit_color(&all, &resolved, &onto, MagnifySamplerFilter::Nearest);
        Ok(())
    }
}

/// Colour and depth buffers of the reflection: the ground drawn upside down, for water to mirror.
pub(crate) struct MirrorBuffer {
    size: (u32, u32),
    pub(crate) color: Texture2d,
    pub(crate) depth: DepthTexture2d,
    /// Distances of the near and far planes.
    pub(crate) depths: Cell<(f32, f32)>,
}

impl MirrorBuffer {
    /// Size in bytes on the graphics card: four half floats and a depth per pixel.
    pub(crate) fn bytes(&self) -> u64 {
        u64::from(self.size.0) * u64::from(self.size.1) * 12
    }

    /// The kept buffer if it has this size, else a new one in its place.
    pub(crate) fn of_size<'a>(
        context: &Rc<Context>,
        kept: &'a mut Option<Self>,
        size: (u32, u32),
    ) -> Result<&'a Self> {
        if kept.as_ref().is_none_or(|old| old.size != size) {
            let (what, none) = ("what water mirrors", MipmapsOption::NoMipmap);
            let (color, depth) = (UncompressedFloatFormat::F16F16F16F16, DepthFormat::I24);
            let depth = DepthTexture2d::empty_with_format(context, depth, none, size.0, size.1);
            *kept = Some(Self {
                size,
                color: texture::empty(context, color, size, what)?,
                depth: depth.refused(what)?,
                depths: Cell::new((0.0, 0.0)),
            });
        }
        kept.as_ref()
            .ok_or("no buffer")
            .refused("what water mirrors")
    }

    /// The surface to draw on.
    pub(crate) fn surface(&self, context: &Rc<Context>) -> Result<SimpleFrameBuffer<'_>> {
        SimpleFrameBuffer::with_depth_buffer(context, &self.color, &self.depth)
            .refused("what water mirrors")
    }
}

/// Maximum number of spare buffers: a fine one, a coarse one, and one for enlarging that.
const MOST_SPARE: usize = 3;

/// Pool of picture buffers: the last picture, and spares to draw the next one into, the largest last.
#[derive(Default)]
pub(crate) struct BufferStore {
    shown: Option<PictureBuffers>,
    spare: Vec<PictureBuffers>,
}

impl BufferStore {
    /// Take fitting spare buffers of `size`, or create new ones.
    pub(crate) fn take(
        &mut self,
        context: &Rc<Context>,
        size: (u32, u32),
        targets: Targets,
    ) -> Result<PictureBuffers> {
        PictureBuffers::new(context, &mut self.spare, size, targets)
    }

    /// The last picture.
    pub(crate) fn shown(&self) -> Option<&PictureBuffers> {
        self.shown.as_ref()
    }

    /// Set the last picture; the previous one becomes a spare.
    pub(crate) fn show(&mut self, picture: PictureBuffers) {
        let before = self.shown.replace(picture);
        before.into_iter().for_each(|before| self.keep(before));
    }

    /// Keep buffers as spares, unless there are enough.
    pub(crate) fn keep(&mut self, buffers: PictureBuffers) {
        self.spare.push(buffers);
        // The large ones take longest to create.
        self.spare.sort_by_key(PictureBuffers::bytes);
        let surplus = self.spare.len().saturating_sub(MOST_SPARE);
        self.spare.drain(..surplus);
    }

    /// Free all spares.
    pub(crate) fn forget_spare(&mut self) {
        self.spare.clear();
    }

    /// Size in bytes on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        let all = self.shown.iter().chain(&self.spare);
        all.map(PictureBuffers::bytes).sum()
    }
}
