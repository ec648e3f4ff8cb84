//! Rock: the beds and joints that stand out from steep ground.

use crate::util::language::mark;
use crate::util::param::{Param, Params, choice, choice_param, float_param, options};

choice! {
    /// Kind of rock.
    pub enum RockKind: "kind of rock" {
        #[default]
        None = "none", "Steep ground without beds, coloured by the palette.";
        Limestone = "limestone", "Pale grey, in thick beds with ledges between high walls.";
        Granite = "granite", "Grey to pink, in large blocks between joints, with few ledges.";
        Sandstone = "sandstone", "Ochre to red, in even beds of bands that can be seen from afar.";
        Slate = "slate", "Dark blue-grey, in thin uneven sheets.";
        Basalt = "basalt", "Nearly black, in flows that are cut into columns, with stepped tops of polygons.";
        Clay = "clay", "Brown and soft, with low steps.";
    }
}

options! {
    /// Beds of rock on steep ground, at all levels of detail. Beds thicker than four samples of the map move the map
    /// and are in every exported file; thinner ones are detail between its samples.
    pub struct Rock {
        /// Kind of rock; default none.
        pub kind: RockKind,
        /// Mean thickness of the thickest beds in metres, 0.01…10⁶; default 24. Each finer size of beds is about a
        /// third as thick.
        pub thickness: f32 = 24.0,
        /// Hardness of the hardest beds, 0…1; default 0.6. At 0 slopes stay as they are, at 1 all of a bed's
        /// height is in one wall.
        pub hardness: f32 = 0.6,
        /// Variation of beds in thickness and hardness, 0 (all alike) … 1; default 0.7.
        pub variety: f32 = 0.7,
        /// Unevenness of walls and ledges, 0…2; default 1: strength of the finer beds in the thickest, as a multiple of
        /// what is usual. None gets stronger than the thickest.
        pub roughness: f32 = 1.0,
        /// Strength of the joints, which cut walls into blocks, 0…1; default 0.6.
        pub joints: f32 = 0.6,
        /// Distance between the joints, 0.25…10; default 1. It is a multiple of what is usual for the kind of rock.
        pub joint_spacing: f32 = 1.0,
        /// Strength of the second set of joints, 0…2; default 1. It is a multiple of that of the first set, and 1 at
        /// most.
        pub second_joints: f32 = 1.0,
        /// Distance between the joints of the second set, 0.25…10; default 1. It is a multiple of that of the first.
        pub second_spacing: f32 = 1.0,
        /// Angle in degrees from the first set of joints to the second, 10…170; default 90. It differs by up to 22°
        /// more from one size of beds to the next.
        pub joint_angle: f32 = 90.0,
        /// Dip of the beds in degrees, 0…60; default 6.
        pub dip: f32 = 6.0,
        /// Dip direction as a compass bearing in degrees, 0…360; default 60.
        pub dip_bearing: f32 = 60.0,
        /// Strength of the folds of the beds, 0…1; default 0.4.
        pub folds: f32 = 0.4,
        /// Slope in degrees above which the beds stand out, 0…90; default 34. Like that of other materials it is
        /// taken over a hundredth of the tile.
        pub slope: f32 = 34.0,
    }
}

impl Rock {
    /// True if steep ground has beds.
    #[must_use]
    pub fn has_beds(&self) -> bool {
        self.kind != RockKind::None && self.hardness > 0.0
    }
}

impl Params for Rock {
    const ADVANCED: &'static [&'static str] = &[
        "variety",
        "roughness",
        "joint_spacing",
        "second_joints",
        "second_spacing",
        "joint_angle",
        "dip_bearing",
        "folds",
        "slope",
    ];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("kind", "cliff, geology, stone, strata"),
        ("thickness", "layers, strata, bands"),
        ("hardness", "cliffs, ledges, terraces"),
        ("joints", "cracks, fractures, blocks, columns"),
        ("dip", "tilt, inclination of strata"),
        ("folds", "bent strata, waves"),
    ];

    const PARAMS: &'static [Param<Self>] = &[
        choice_param!(kind: RockKind, "Kind", "Kind of rock: its colour, and the shape of its beds and blocks."),
        float_param!(thickness, "Bed thickness", "m", 0.01, 1.0e6, slider: (1.0, 200.0),
            "Mean thickness of the thickest beds. Finer ones lie within them."),
        float_param!(hardness, "Hardness", "", 0.0, 1.0, slider: (0.0, 1.0),
            "How steep the walls of the beds are: 0 changes nothing, 1 makes cliffs and flat ledges."),
        float_param!(variety, "Bed variety", "", 0.0, 1.0, slider: (0.0, 1.0),
            "How much beds differ in thickness and hardness: at 0 all are alike."),
        float_param!(roughness, "Rock roughness", "", 0.0, 2.0, slider: (0.0, 2.0),
            "How uneven walls and ledges are: at 0 they are smooth, without finer beds."),
        float_param!(joints, "Joints", "", 0.0, 1.0, slider: (0.0, 1.0),
            "How much walls are cut into blocks."),
        float_param!(joint_spacing, "Joint spacing", "", 0.25, 10.0, slider: (0.25, 4.0),
            "Distance between joints, as a multiple of what is usual for the kind of rock."),
        float_param!(second_joints, "Second joints", "", 0.0, 2.0, slider: (0.0, 2.0),
            "Strength of the second set of joints, which crosses the first, as a multiple of that: at 0 there is one set."),
        float_param!(second_spacing, "Second spacing", "", 0.25, 10.0, slider: (0.25, 4.0),
            "Distance between the joints of the second set, as a multiple of that of the first."),
        float_param!(joint_angle, "Joint angle", "°", 10.0, 170.0, slider: (10.0, 170.0),
            "Angle from the first set of joints to the second."),
        float_param!(dip, "Bed dip", "°", 0.0, 60.0, slider: (0.0, 45.0),
            "Tilt of the beds. On a map that wraps, they have this tilt in the middle and rise \
             again towards the border."),
        float_param!(dip_bearing, "Bed dip bearing", "°", 0.0, 360.0, slider: (0.0, 360.0),
            "Direction in which the beds slope down: 0 is north, 90 east."),
        float_param!(folds, "Folds", "", 0.0, 1.0, slider: (0.0, 1.0),
            "How much the beds are bent: at 0 they are planes."),
        float_param!(slope, "Beds from", "°", 0.0, 90.0, slider: (0.0, 60.0),
            "Beds stand out from slopes steeper than this."),
    ];

    fn unused(&self, key: &str) -> Option<&'static str> {
        match key {
            "kind" => None,
            _ if self.kind == RockKind::None => Some(mark("there are no beds of rock")),
            "hardness" => None,
            _ if self.hardness == 0.0 => Some(mark("the beds have no hardness")),
            "joint_spacing" | "second_joints" | "second_spacing" | "joint_angle"
                if self.joints == 0.0 =>
            {
                Some(mark("there are no joints"))
            }
            "second_joints" | "second_spacing" | "joint_angle" if self.kind == RockKind::Basalt => {
                Some(mark("there is no second set of joints"))
            }
            "second_spacing" | "joint_angle" if self.second_joints == 0.0 => {
                Some(mark("there is no second set of joints"))
            }
            "dip_bearing" if self.dip == 0.0 => Some(mark("the beds lie level")),
            _ => None,
        }
    }
}
