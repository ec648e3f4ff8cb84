//! Flags for random variations of a scene.

use clap::Args;

use super::error::Failure;
use super::sweep::Variant;
use crate::scene::Scene;
use crate::scene::vary::{Vary, on_sheet};

/// What varies, how far, and which variation is meant.
#[derive(Debug, Args)]
#[command(next_help_heading = "Variations")]
pub struct VaryArgs {
    /// Vary the scene: keys or tables such as surface.hurst,light; `land` is what shapes the ground,
    /// `seeds` all seeds
    #[arg(long, value_name = "LIST", value_delimiter = ',', num_args = 1)]
    vary: Vec<String>,
    /// What stays of that, in the same words
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        num_args = 1,
        requires = "vary"
    )]
    lock: Vec<String>,
    /// How far settings go towards random places of their ranges [0 to 1; default 0.3]
    #[arg(long, value_name = "X", requires = "vary", allow_hyphen_values = true)]
    strength: Option<f32>,
    /// Which of all sets of variations [default 0]
    #[arg(long, value_name = "N", requires = "vary", allow_hyphen_values = true)]
    variation_set: Option<u64>,
    /// The variation of that number; 0 is the scene itself [default 1; on a contact sheet all]
    #[arg(long, value_name = "N", requires = "vary", allow_hyphen_values = true)]
    variation: Option<u32>,
}

impl VaryArgs {
    /// True if `--vary` is given.
    pub fn is_given(&self) -> bool {
        !self.vary.is_empty()
    }

    /// Make the selected variation of a scene; without `--vary`, the scene itself.
    ///
    /// # Errors
    /// The scene cannot be varied in this way.
    pub fn applied(&self, scene: Scene) -> Result<Scene, Failure> {
        if !self.is_given() {
            return Ok(scene);
        }
        let vary = self.checked(&scene)?;
        Ok(vary.variation(&scene, self.variation.unwrap_or(1)))
    }

    /// Make a scene and its variations, in the order of a contact sheet.
    ///
    /// # Errors
    /// The scene cannot be varied in this way, or a single variation is selected.
    pub fn family(&self, scene: &Scene, sides: (usize, usize)) -> Result<Vec<Variant>, Failure> {
        if self.variation.is_some() {
            let words = "--variation is one, but a contact sheet shows many: leave one of them out";
            return Err(Failure::usage(words));
        }
        let vary = self.checked(scene)?;
        let numbers = on_sheet(sides.0, sides.1).into_iter().enumerate();
        let variants = numbers.map(|(index, number)| {
            let (scene, told) = vary.told(scene, number);
            let mut settings = vec![("variation".to_owned(), number.to_string())];
            settings.extend(told);
            Variant {
                index: index + 1,
                settings,
                frame: None,
                scene,
            }
        });
        Ok(variants.collect())
    }

    fn checked(&self, scene: &Scene) -> Result<Vary, Failure> {
        let words = |list: &[String]| {
            let words = list.iter().map(|word| word.trim().replace('-', "_"));
            words.collect()
        };
        let vary = Vary {
            names: words(&self.vary),
            locks: words(&self.lock),
            strength: self.strength.unwrap_or(Vary::default().strength),
            set: self.variation_set.unwrap_or(0),
        };
        let checked = vary.check(scene);
        checked.map_err(|error| Failure::usage(format!("--vary: {error}")))?;
        Ok(vary)
    }
}
