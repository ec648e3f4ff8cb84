//! Thumbnails, drawn a little at a time by a renderer of their own, so the large picture keeps what
//! it has. Both draw with the same programs.

use std::time::{Duration, Instant};

use egui::{Color32, ColorImage};
use glium::backend::Facade;

use super::{Picture, RESTING_LIMIT};
use crate::app::state::gallery::Wanted;
use crate::app::worker::MadeSmall;
use crate::grid::Grid;
use crate::render::{Development, Rates, RenderError, Renderer, Upload};

/// How long a rectangle of a small picture takes where nothing else is drawn: larger ones take less in all.
const LIMIT_ALONE: Duration = Duration::from_millis(20);

/// What draws small pictures.
#[derive(Default)]
pub struct SmallPictures {
    renderer: Option<Renderer>,
    under_way: Option<UnderWay>,
    rates: Option<Rates>,
}

/// A picture that is being drawn.
struct UnderWay {
    made: MadeSmall,
    /// How long a part of it may take.
    limit: Duration,
    stage: Stage,
    began: Instant,
}

/// What of it comes next.
enum Stage {
    Upload(Upload),
    Draw(Box<Development>),
}

/// A picture that is done.
pub struct DrawnSmall {
    /// Which it is.
    pub of: Wanted,
    /// The most iterations that it shows.
    pub fineness: u32,
    /// Its pixels.
    pub image: ColorImage,
}

impl SmallPictures {
    /// Whether a picture is under way.
    #[must_use]
    pub fn is_working(&self) -> bool {
        self.under_way.is_some()
    }

    /// Gives up the picture under way.
    pub fn stop(&mut self) {
        self.under_way = None;
    }

    /// Gives up the picture under way, and what it is drawn with: nobody looks at small pictures any
    /// more, or shaders are others.
    pub fn forget(&mut self) {
        (self.renderer, self.under_way) = (None, None);
    }

    /// Begins that picture, in place of one under way; `alone` if no other is drawn meanwhile.
    pub fn begin(&mut self, made: MadeSmall, alone: bool) {
        self.under_way = Some(UnderWay {
            made,
            limit: if alone { LIMIT_ALONE } else { RESTING_LIMIT },
            stage: Stage::Upload(Upload::default()),
            began: Instant::now(),
        });
    }

    /// Goes on until that moment at most, beside the large picture. Returns the picture if it is done.
    ///
    /// # Errors
    /// The driver refuses; the picture is given up.
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
