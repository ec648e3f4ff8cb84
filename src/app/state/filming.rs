//! Options of the dialog "Film": format, size and samples.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::batch_renderer::{FilmOrder, Kind};
use crate::camera::film::{self, MOST_PICTURES};
use crate::files::export::{FILM_FORMATS, FilmFormat, Numbered};
use crate::render::{MOST_SAMPLES, RenderRequest};
use crate::scene::Scene;
use crate::util::language::tr;

/// Name of the format that writes one image file per frame.
pub const PICTURES: &str = "pictures";

/// Options of a film export.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filming {
    /// True if the dialog is open.
    pub shown: bool,
    /// Name of the format, or [`PICTURES`].
    pub format: String,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Samples per pixel, 1…16.
    pub samples: u32,
}

impl Default for Filming {
    fn default() -> Self {
        Self {
            shown: false,
            format: "mp4".to_owned(),
            size: [1280, 720],
            samples: 1,
        }
    }
}

impl Filming {
    /// Names of all formats, with a line of description each.
    pub fn formats() -> impl Iterator<Item = (&'static str, &'static str)> {
        let pictures = (PICTURES, tr("a PNG file for each picture"));
        let films = FILM_FORMATS
            .iter()
            .map(|format| (format.name, tr(format.help)));
        films.chain([pictures])
    }

    /// Extension of the file name.
    #[must_use]
    pub fn extension(&self) -> &'static str {
        FilmFormat::named(&self.format).map_or("png", |format| format.extensions[0])
    }

    /// Suffix of the file name, before its extension.
    #[must_use]
    pub fn suffix(&self) -> &'static str {
        match FilmFormat::named(&self.format) {
            Some(_) => "-film",
            None => "-film-####",
        }
    }

    /// Create the request to write the film of a scene to `output`.
    ///
    /// # Errors
    /// Message for the user: the film has too many frames, or the file name has no place for their
    /// numbers.
    pub fn order(&self, scene: &Scene, output: &Path) -> Result<FilmOrder, String> {
        let count = film::pictures(scene);
        if count > MOST_PICTURES {
            return Err(tr!(
                "the film has {count} pictures, allowed is up to {MOST_PICTURES}",
                count,
                MOST_PICTURES
            ));
        }
        let kind = match FilmFormat::named(&self.format) {
            Some(format) => Kind::Film(format),
            None => Kind::Pictures(Numbered::of(output, count).ok_or(tr(
                "pictures need #### for their numbers in their name, such as film-####.png",
            ))?),
        };
        let size = (self.size[0].max(1), self.size[1].max(1));
        Ok(FilmOrder {
            scene: scene.clone(),
            output: output.to_owned(),
            kind,
            shot: RenderRequest {
                samples: self.samples.clamp(1, MOST_SAMPLES),
                ..RenderRequest::new(size)
            },
            numbers: (1, count),
            resume: false,
        })
    }
}
