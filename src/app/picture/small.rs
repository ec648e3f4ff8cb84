//! Progressive rendering of thumbnails, with a renderer of their own so that the large image keeps
//! its buffers. Both renderers share the compiled shader programs.

use std::time::{Duration, Instant};

use egui::{Color32, ColorImage};
use glium::backend::Facade;

use super::{Picture, RESTING_LIMIT};
use crate::app::state::thumbnails::Wanted;
use crate::app::worker::ThumbnailLandscape;
use crate::render::{ProgressiveFrame, Rates, RenderError, Renderer, Upload};
use crate::terrain::grid::Grid;

/// Time budget for one rectangle of a thumbnail where nothing else is drawn: larger rectangles take
/// less time in total.
const LIMIT_ALONE: Duration = Duration::from_millis(20);

/// Renderer for thumbnails.
#[derive(Default)]
pub struct SmallPictures {
    renderer: Option<Renderer>,
    under_way: Option<UnderWay>,
    rates: Option<Rates>,
}

/// Thumbnail being drawn.
struct UnderWay {
    made: ThumbnailLandscape,
    /// Time budget for one rectangle.
    limit: Duration,
    stage: Stage,
    began: Instant,
}

/// Next part of the work.
enum Stage {
    Upload(Upload),
    Draw(Box<ProgressiveFrame>),
}

/// Finished thumbnail.
pub struct DrawnSmall {
    /// Request that it answers.
    pub of: Wanted,
    /// Maximum number of iterations in the landscape.
    pub fineness: u32,
    /// Pixels of the thumbnail.
    pub image: ColorImage,
}

impl SmallPictures {
    /// True if a thumbnail is being drawn.
    #[must_use]
    pub fn is_working(&self) -> bool {
        self.under_way.is_some()
    }

    /// Cancel the thumbnail being drawn.
    pub fn stop(&mut self) {
        self.under_way = None;
    }

    /// Cancel the thumbnail being drawn and free the renderer: no thumbnails are shown any more, or
    /// the shaders have changed.
    pub fn forget(&mut self) {
        (self.renderer, self.under_way) = (None, None);
    }

    /// Begin a thumbnail in place of the one being drawn. `alone` is true if nothing else is drawn
    /// meanwhile.
    pub fn begin(&mut self, made: ThumbnailLandscape, alone: bool) {
        self.under_way = Some(UnderWay {
            made,
            limit: if alone { LIMIT_ALONE } else { RESTING_LIMIT },
            stage: Stage::Upload(Upload::default()),
            began: Instant::now(),
        });
    }

    /// Continue until a deadline, in addition to the large image. Returns the thumbnail once it is
    /// finished.
    ///
    /// # Errors
    /// The driver fails; the thumbnail is cancelled.
    pub fn work(
        &mut self,
        facade: &impl Facade,
        picture: &Picture,
        until: Instant,
    ) -> Result<Option<DrawnSmall>, RenderError> {
        let mut renderer = match self.renderer.take() {
            Some(renderer) => renderer,
            None => picture.renderer.beside(facade)?,
        };
        let drawn = loop {
            let drawn = self.step(facade, &mut renderer, &picture.rates[0])?;
            if drawn.is_some() || !self.is_working() || Instant::now() >= until {
                break drawn;
            }
        };
        self.renderer = Some(renderer);
        Ok(drawn)
    }

    /// Do the next upload or drawing step. Returns the thumbnail once it is finished.
    fn step(
        &mut self,
        facade: &impl Facade,
        renderer: &mut Renderer,
        large: &Rates,
    ) -> Result<Option<DrawnSmall>, RenderError> {
        let Some(UnderWay {
            made,
            limit,
            stage,
            began,
        }) = self.under_way.take()
        else {
            return Ok(None);
        };
        let (landscape, size) = (&made.landscape, made.of.size);
        let stage = match stage {
            Stage::Upload(part) => match renderer.upload(facade, landscape, part)? {
                Some(next) => Stage::Upload(next),
                None => {
                    let (scene, rates) = (&landscape.scene, self.rates.unwrap_or(*large));
                    let begun = renderer.begin(facade, scene, size, Some(limit), rates)?;
                    Stage::Draw(Box::new(begun))
                }
            },
            Stage::Draw(mut development) => {
                renderer.develop(facade, &landscape.scene, &mut development)?;
                if development.is_done() {
                    self.rates = Some(development.rates());
                    renderer.show(*development);
                    let image = image(&renderer.read_picture()?);
                    let took: Duration = began.elapsed();
                    log::debug!(
                        "small picture {} ms, {} iterations",
                        took.as_millis(),
                        made.fineness
                    );
                    return Ok(Some(DrawnSmall {
                        of: made.of,
                        fineness: made.fineness,
                        image,
                    }));
                }
                Stage::Draw(development)
            }
        };
        self.under_way = Some(UnderWay {
            made,
            limit,
            stage,
            began,
        });
        Ok(None)
    }
}

fn image(picture: &Grid<[u8; 3]>) -> ColorImage {
    let pixels = picture.as_slice().iter();
    let pixels = pixels.map(|[r, g, b]| Color32::from_rgb(*r, *g, *b));
    ColorImage::new([picture.columns(), picture.rows()], pixels.collect())
}
