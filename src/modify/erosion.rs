//! `erosion`: fluvial erosion by the stream power law, with deposition, scree and uplift; see
//! [`crate::terrain::erosion`] for the method.
//!
//! A profile, and a map of fewer than three rows or columns, is left unchanged, because it has no
//! drainage. A wrapped map stays wrapped. Cost: some 400 ns a sample on one thread, and
//! [`crate::terrain::erosion::BYTES_A_SAMPLE`] bytes a sample while it runs.

use std::sync::Arc;

use crate::terrain::erosion::{BYTES_A_SAMPLE, Base, MOST_SAMPLES, Rule, erode};
use crate::util::language::mark;
use crate::util::param::{
    OutOfRange, Param, Params, choice, choice_param, float_param, options, switch_param,
};

use super::ModifyError;
use super::canvas::{Canvas, Modify};

choice! {
    /// Definition of the base level, the height at which rivers end.
    pub enum BaseLevel: "base level" {
        #[default]
        Share = "share", "Rivers end in the lowest part of the land, given as a share of it.";
        Height = "height", "Rivers end at a height.";
        Water = "water", "Rivers end at the scene's water; without water, in the lowest part of \
                 the land, given as a share of it.";
    }
}

options! {
    /// Options of `erosion`.
    pub struct ErosionOptions {
        /// Duration of fluvial incision, 0…20; 0.3 is young land, 6 is old; default 1.
        pub age: f32 = 1.0,
        /// Rate of uplift during erosion, 0…10; default 0.1.
        pub uplift: f32 = 0.1,
        /// Spatial variation of rock hardness, 0…1; default 0.5.
        pub rock_variation: f32 = 0.5,
        /// Rate at which rivers deposit their sediment, 0…10; default 1.
        pub deposition: f32 = 1.0,
        /// Angle of repose of scree, in degrees, 1…89; default 40.
        pub repose: f32 = 40.0,
        /// Soil creep towards level ground in each step (hillslope diffusion), 0…1; default 0.1.
        pub smoothing: f32 = 0.1,
        /// Definition of the base level; default as a share.
        pub base: BaseLevel = BaseLevel::Share,
        /// Share of the land below the base level, 0…0.9; default 0.05.
        pub base_share: f32 = 0.05,
        /// Base level in half tiles, −1000…1000; default 0.
        pub base_height: f32 = 0.0,
        /// Keep hollows as the beds of lakes instead of filling them; default off.
        pub lakes: bool,
    }
}

impl Params for ErosionOptions {
    const ADVANCED: &'static [&'static str] = &[
        "deposition",
        "smoothing",
        "base",
        "base_share",
        "base_height",
        "lakes",
    ];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[(
        "age",
        "hydraulic erosion, rain, rivers, valleys, weathering, time",
    )];

    const PARAMS: &'static [Param<Self>] = &[
        float_param!(age, "Age", "", 0.0, 20.0, slider: (0.0, 6.0),
            "How long rivers cut into the land: 0.3 is young, with gorges in raw ground; 6 is old, with wide valleys."),
        float_param!(uplift, "Uplift", "", 0.0, 10.0, slider: (0.0, 1.0),
            "How fast the land rises while rivers cut: high ground stays high and ridges stay \
             sharp. 0: the land only wears away."),
        float_param!(rock_variation, "Rock variation", "", 0.0, 1.0, slider: (0.0, 1.0),
            "How much the hardness of rock varies from place to place: rivers cut soft rock first."),
        float_param!(deposition, "Deposition", "", 0.0, 10.0, slider: (0.0, 4.0),
            "How readily rivers drop what they carry, which fills valley floors and builds fans at the foot of slopes."),
        float_param!(repose, "Angle of repose", "°", 1.0, 89.0, slider: (20.0, 70.0),
            "The steepest slope that holds; steeper ground slides down."),
        float_param!(smoothing, "Smoothing", "", 0.0, 1.0, slider: (0.0, 0.5),
            "How far soil creeps towards level ground in each step: rounds crests and the smallest gullies."),
        choice_param!(base: BaseLevel, "Base level", "How the height at which rivers end is set."),
        float_param!(base_share, "Base share", "", 0.0, 0.9, slider: (0.0, 0.5),
            "Share of the land that lies below the end of rivers, if the base level is a share or \
             there is no water."),
        float_param!(base_height, "Base height", "half tiles", -1000.0, 1000.0, slider: (-1.0, 1.0),
            "Height at which rivers end, if the base level is a height; 0 is the water level."),
        switch_param!(
            lakes,
            "Lake beds",
            "Leaves hollows as lake beds. Off: they are filled to their rims, so that water \
             drains from everywhere."
        ),
    ];

    fn unused(&self, key: &str) -> Option<&'static str> {
        match (key, self.base) {
            ("base_share", BaseLevel::Height) => Some(mark("the base level is a height")),
            ("base_height", base) if base != BaseLevel::Height => {
                Some(mark("works only where the base level is `height`"))
            }
            _ => None,
        }
    }
}

impl Modify for ErosionOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        if canvas.rows < 3 || canvas.columns < 3 {
            return Ok(());
        }
        if canvas.heights.len() > MOST_SAMPLES {
            return Err(ModifyError::OutOfRange(OutOfRange {
                key: "the number of samples that erode".to_owned(),
                value: canvas.heights.len().to_string(),
                allowed: format!("at most {MOST_SAMPLES}"),
            }));
        }
        canvas.check_memory(BYTES_A_SAMPLE)?;
        let share = Base::Share(self.base_share);
        let rule = Rule {
            age: self.age,
            uplift: self.uplift,
            variation: self.rock_variation,
            deposition: self.deposition,
            repose: libm::tanf(self.repose.to_radians()),
            creep: self.smoothing,
            base: match self.base {
                BaseLevel::Share => share,
                BaseLevel::Height => Base::Height(self.base_height),
                BaseLevel::Water => canvas.context.water.map_or(share, Base::Height),
            },
            lakes: self.lakes,
        };
        let (seed, job) = (canvas.context.seed, canvas.context.job);
        let (mut worn, base) = erode(&mut canvas.land(), &rule, seed, job)?;
        if let Some(before) = &canvas.worn {
            add(&mut worn.wear, &before.wear);
            add(&mut worn.sediment, &before.sediment);
        }
        (canvas.worn, canvas.base) = (Some(Arc::new(worn)), Some(base));
        Ok(())
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn smooths_mask(&self) -> bool {
        true
    }

    fn uses_water(&self) -> bool {
        self.base == BaseLevel::Water
    }
}

fn add(to: &mut [f32], more: &[f32]) {
    for (to, more) in to.iter_mut().zip(more) {
        *to += more;
    }
}
