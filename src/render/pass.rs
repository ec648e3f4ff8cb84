//! Render pass: the context shared by all draws of one picture.

use std::ops::AddAssign;
use std::rc::Rc;

use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::texture::Texture1d;
use glium::uniforms::Uniforms;
use glium::{Blend, DepthTest, DrawParameters, Surface, uniform};

use super::clipmap::Clipmap;
use super::gl::programs::Shader;
use super::plants::PlantStore;
use super::textures::canopy::CanopyTexture;
use super::textures::covers::CoverTexture;
use super::textures::mask::PlacedMask;
use super::textures::rivers::RiverTextures;
use super::textures::visibility::VisibilityTexture;
use super::tools::Tools;
use super::view::{Eye, Frame};
use crate::scene::{Camera, CameraMode, Scene};

/// Draw statistics of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawStats {
    /// Triangles of the ground, or of a flat picture.
    pub triangles: usize,
    /// Edges of the ground's cells.
    pub lines: usize,
    /// Visible patches of the ground.
    pub patches: usize,
}

impl AddAssign for DrawStats {
    fn add_assign(&mut self, other: Self) {
        self.triangles += other.triangles;
        self.lines += other.lines;
        self.patches += other.patches;
    }
}

/// Framebuffer that a pass draws into.
pub(super) type Target<'a> = SimpleFrameBuffer<'a>;

/// Context of a render type's draws.
#[derive(Clone, Copy)]
pub(super) struct Pass<'a> {
    pub(super) context: &'a Rc<Context>,
    pub(super) scene: &'a Scene,
    /// Size of the picture in pixels.
    pub(super) size: (u32, u32),
    pub(super) tools: &'a Tools,
    pub(super) palette: &'a Texture1d,
    pub(super) visibility: &'a VisibilityTexture,
    /// Ground covers.
    pub(super) covers: &'a CoverTexture,
    /// Canopy of the plants.
    pub(super) canopy: &'a CanopyTexture,
    /// Rivers and lakes, if any are shown.
    pub(super) rivers: Option<&'a RiverTextures>,
    /// Watershed overlay.
    pub(super) watershed: Option<&'a PlacedMask>,
    /// No-data mask, shown by render type `map`.
    pub(super) no_data: Option<&'a PlacedMask>,
    /// Mask overlay.
    pub(super) mask: Option<&'a PlacedMask>,
    /// Geometry clipmap below the map, around the eye.
    pub(super) clipmap: &'a Clipmap,
    /// Plants around the eye.
    pub(super) plants: &'a PlantStore,
    /// Part of the picture to draw, and its options.
    pub(super) frame: Frame,
}

impl Pass<'_> {
    /// The scene's camera, for drawing.
    pub(super) fn camera(&self) -> Camera {
        let mut camera = self.scene.camera.clone();
        if let (CameraMode::Top, Some(depth)) = (camera.mode, self.frame.depth) {
            // In parallel projection the ground looks the same from any height. This one keeps `f32` precise
            // and is above all water.
            camera.target[1] = depth.eye.y - f64::from(camera.distance);
        }
        camera
    }

    /// The program for a landscape, or for one with plants if some grow in this one.
    pub(super) fn wooded(&self, shader: Shader) -> Shader {
        match self.canopy.has_plants() {
            true => shader.wooded(),
            false => shader,
        }
    }

    /// The scene's eye for the whole picture, with the frame's subpixel offset.
    pub(super) fn eye(&self) -> Eye {
        Eye::new(&self.camera(), self.size).shifted(self.frame.shift())
    }

    /// Uniforms of `common/pixel_rays.glsl`, except the eye's position.
    pub(super) fn rays(&self) -> impl Uniforms + use<> {
        let eye = self.eye();
        let (right, up) = eye.half_sides();
        uniform! {
            forward: eye.forward.to_array(),
            right: right.to_array(),
            up: up.to_array(),
            jitter: eye.jitter().to_array(),
            parallel: eye.is_parallel(),
            counted_away: eye.counted_away(),
        }
    }

    /// Clear the current rectangle to a colour, if any, and a depth.
    pub(super) fn clear(
        &self,
        surface: &mut Target<'_>,
        color: Option<(f32, f32, f32, f32)>,
        depth: Option<f32>,
    ) {
        surface.clear(self.frame.drawn.as_ref(), color, false, depth, None);
    }

    /// Initial parameters of every draw; they make a piece identical to that part of the whole picture.
    pub(super) fn parameters<'a>(&self) -> DrawParameters<'a> {
        DrawParameters {
            viewport: self.frame.viewport(),
            scissor: self.frame.drawn,
            ..DrawParameters::default()
        }
    }

    /// Parameters for blending over or under everything drawn so far.
    pub(super) fn blended<'a>(&self, blend: Blend) -> DrawParameters<'a> {
        DrawParameters {
            blend,
            ..self.parameters()
        }
    }

    /// Parameters with a depth test, without depth writing.
    pub(super) fn tested<'a>(&self, test: DepthTest) -> DrawParameters<'a> {
        let mut parameters = self.parameters();
        parameters.depth.test = test;
        parameters
    }

    /// Parameters with depth test and depth writing. No culling, since the ground may be seen from below.
    pub(super) fn with_depth<'a>(&self) -> DrawParameters<'a> {
        let mut parameters = self.tested(DepthTest::IfLess);
        parameters.depth.write = true;
        parameters
    }

    /// Parameters for drawing only over pixels that are already covered in the depth buffer.
    pub(super) fn where_drawn<'a>(&self) -> DrawParameters<'a> {
        self.tested(DepthTest::IfMore)
    }

    /// Parameters for drawing behind everything drawn so far.
    pub(super) fn behind<'a>(&self) -> DrawParameters<'a> {
        let mut parameters = self.tested(DepthTest::IfLessOrEqual);
        parameters.depth.range = (1.0, 1.0);
        parameters
    }
}
