//! Pictures, drawn on whatever OpenGL 3.3 there is without a display. They fail where there is
//! none: a driver in software (Mesa's llvmpipe) will do.

use crate::covers::ERODED;
use crate::offscreen::Desk;
use crate::pictures::{Picture, check_golden, difference, landscape, scene};
use glium::Surface;
use landform::import::{Group, presets};
use landform::inputs::Inputs;
use landform::job::Job;
use landform::maps::colors::{self, Sea};
use landform::render::{GroundPath, Headless, RenderError, Renderer, compile_all, picture};
use landform::scene::{RenderType, Scene};
use landform::{covers, pipeline};

mod drawn;
mod golden;

const JACKSBORO: &str = "surface.generator=image surface.input=assets/heightmaps/jacksboro.png surface.height_scale=0.7";
