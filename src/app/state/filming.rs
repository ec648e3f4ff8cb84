//! How a film is exported: its format, size and smoothness.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::export::{FILM_FORMATS, FilmFormat, Numbered};
use crate::film::{self, MOST_PICTURES};
use crate::language::tr;
use crate::photographer::{FilmOrder, Kind};
use crate::render::{MOST_SAMPLES, Shot};
use crate::scene::Scene;

/// The name of the format that is a picture file each.
pub const PICTURES: &str = "pictures";

/// How a film is exported.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filming {
    /// Whether the dialog is open.
    pub shown: bool,
    /// Name of the format, or [`PICTURES`].
    pub format: String,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// How many samples each pixel has, 1…16.
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
    /// The names of all formats, and a line about each.
    pub fn formats() -> impl Iterator<Item = (&'static str, &'static str)> {
        let pictures = (PICTURES, tr("a PNG file for each picture"));
        let films = FILM_FORMATS
            .iter()
            .map(|format| (format.name, tr(format.help)));
        films.chain([pictures])
    }

    /// The end of the file's name.
    #[must_use]
    pub fn extension(&self) -> &'static str {
        FilmFormat::named(&self.format).map_or("png", |format| format.extensions[0])
    }

    /// What stands before that end.
    #[must_use]
    pub fn suffix(&self) -> &'static str {
        match FilmFormat::named(&self.format) {
            Some(_) => "-film",
            None => "-film-####",
        }
    }

    /// The film of a scene, to be written there.
    ///
    /// # Errors
    /// Words for the user: it has too many pictures, or the name is that of one picture.
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
            shot: Shot {
                samples: self.samples.clamp(1, MOST_SAMPLES),
                ..Shot::new(size)
            },
            numbers: (1, count),
            resume: false,
        })
    }
}
