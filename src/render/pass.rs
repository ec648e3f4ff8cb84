//! What every draw of one picture is told.

use std::ops::AddAssign;
use std::rc::Rc;

use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::texture::Texture1d;
use glium::uniforms::Uniforms;
use glium::{Depth, DepthTest, DrawParameters, Surface, uniform};

use super::clipmap::Clipmap;
use super::textures::covers::CoverTexture;
use super::textures::mask::PlacedMask;
use super::textures::rivers::RiverTextures;
use super::textures::visibility::VisibilityTexture;
use super::tools::Tools;
use super::view::camera::Eye;
use super::view::frame::Frame;
use crate::scene::{CameraMode, Scene};

/// Counts what was drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawStats {
    /// Triangles of the ground, or of a flat picture.
    pub triangles: usize,
    /// Edges of the ground's cells.
    pub lines: usize,
    /// Patches of ground that are in view.
    pub patches: usize,
}

impl AddAssign for DrawStats {
    fn add_assign(&mut self, other: Self) {
        self.triangles += other.triangles;
        self.lines += other.lines;
        self.patches += other.patches;
    }
}

/// What a render type draws with.
#[derive(Clone, Copy)]
pub(super) struct Pass<'a> {
    pub(super) context: &'a Rc<Context>,
    pub(super) scene: &'a Scene,
    /// Size of the picture in pixels.
    pub(super) size: (u32, u32),
    pub(super) tools: &'a Tools,
    pub(super) palette: &'a Texture1d,
    pub(super) visibility: &'a VisibilityTexture,
    /// What lies on the ground.
    pub(super) covers: &'a CoverTexture,
    /// The rivers and lakes, if any are shown.
    pub(super) rivers: Option<&'a RiverTextures>,
    /// The watershed that lies over the ground.
    pub(super) watershed: Option<&'a PlacedMask>,
    /// The holes of the map, which the type `map` shows as such.
    pub(super) no_data: Option<&'a PlacedMask>,
    /// The mask that lies over the ground.
    pub(super) mask: Option<&'a PlacedMask>,
    /// The ground below its last iteration, around the eye.
    pub(super) clipmap: &'a Clipmap,
    /// Which part of the picture is drawn, and how.
    pub(super) frame: Frame,
}

impl Pass<'_> {
    /// The scene's eye on the whole picture, shifted as the frame says.
    pub(super) fn eye(&self) -> Eye {
        let mut camera = self.scene.camera.clone();
        if let (CameraMode::Top, Some(depth)) = (camera.mode, self.frame.depth) {
            // Seen in parallel the ground is the same from any height; from that one numbers tell small
            // things apart, and no water is above it.
            camera.target[1] = depth.eye.y - f64::from(camera.distance);
        }
        Eye::new(&camera, self.size).shifted(self.frame.shift())
    }

    /// What `common/pixel_rays.glsl` needs besides where the eye is.
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

    /// Fills what is drawn now with a colour, if any, and a depth.
    pub(super) fn clear(
        &self,
        surface: &mut SimpleFrameBuffer<'_>,
        color: Option<(f32, f32, f32, f32)>,
        depth: Option<f32>,
    ) {
        surface.clear(self.frame.drawn.as_ref(), color, false, depth, None);
    }

    /// What every draw begins with, so that a piece is the same as that part of the whole.
    pub(super) fn parameters<'a>(&self) -> DrawParameters<'a> {
        DrawParameters {
            viewport: self.frame.viewport(),
            scissor: self.frame.drawn,
            ..DrawParameters::default()
        }
    }

    /// The same parameters with depth test and depth writing: the ground may be seen from below as
    /// well.
    pub(super) fn with_depth<'a>(&self) -> DrawParameters<'a> {
        DrawParameters {
            depth: Depth {
                test: DepthTest::IfLess,
                write: true,
                ..Depth::default()
            },
            ..self.parameters()
        }
    }

    /// Parameters for what is drawn wherever there is anything in the depth buffer.
    pub(super) fn where_drawn<'a>(&self) -> DrawParameters<'a> {
        DrawParameters {
            depth: Depth {
                test: DepthTest::IfMore,
                ..Depth::default()
            },
            ..self.parameters()
        }
    }

    /// The same parameters for what lies behind all that is drawn.
    pub(super) fn behind<'a>(&self) -> DrawParameters<'a> {
        DrawParameters {
            depth: Depth {
                test: DepthTest::IfLessOrEqual,
                range: (1.0, 1.0),
                ..Depth::default()
            },
            ..self.parameters()
        }
    }
}
