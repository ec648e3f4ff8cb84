//! Plants and stones: layers of species, each with rules that say where it grows.

use crate::modify::mask::Mask;
use crate::modify::{Named, check_name};
use crate::util::language::mark;
use crate::util::param::{
    OutOfRange, Param, Params, TableVisitor, check_all, choice, choice_param, float_param, options,
    switch_param, to_table,
};

/// Largest number of plant layers.
pub const MOST_PLANT_LAYERS: usize = 4;

choice! {
    /// Kind of plant, or stones.
    pub enum PlantKind: "kind of plant" {
        #[default]
        Spruce = "spruce", "Conifer, usually 18 m high and 4 m from the next.";
        Birch = "birch", "Broadleaf tree, usually 14 m high and 5 m from the next.";
        Palm = "palm", "Palm, usually 10 m high and 6 m from the next.";
        Shrub = "shrub", "Shrub, usually 1.5 m high and 2 m from the next.";
        Grass = "grass", "Tuft of grass, usually 0.4 m high and 0.8 m from the next.";
        Boulder = "boulder", "Boulder, usually 1.2 m high and 8 m from the next; it needs no light.";
    }
}

impl PlantKind {
    /// Usual height of a full-grown plant in metres.
    #[must_use]
    pub fn height_m(self) -> f32 {
        match self {
            Self::Spruce => 18.0,
            Self::Birch => 14.0,
            Self::Palm => 10.0,
            Self::Shrub => 1.5,
            Self::Grass => 0.4,
            Self::Boulder => 1.2,
        }
    }

    /// Usual least distance between two plants in metres.
    #[must_use]
    pub fn spacing_m(self) -> f32 {
        match self {
            Self::Spruce => 4.0,
            Self::Birch => 5.0,
            Self::Palm => 6.0,
            Self::Shrub => 2.0,
            Self::Grass => 0.8,
            Self::Boulder => 8.0,
        }
    }

    /// Radius of the crown, or of the stone, as a share of the height.
    #[must_use]
    pub fn radius(self) -> f32 {
        match self {
            Self::Spruce => 0.17,
            Self::Birch | Self::Palm => 0.25,
            Self::Shrub => 0.6,
            Self::Grass => 0.5,
            Self::Boulder => 0.7,
        }
    }

    /// True if the kind is a tree, so that many of them are a forest.
    #[must_use]
    pub fn is_tree(self) -> bool {
        matches!(self, Self::Spruce | Self::Birch | Self::Palm)
    }
}

options! {
    /// Layer of plants of one kind, with the rules by which they grow.
    pub struct PlantLayer {
        /// Name of at most 60 characters, for people only; default empty, which stands for that of the kind.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub name: String,
        /// Layer on or off; default on.
        pub on: bool = true,
        /// Kind of plant; default spruce.
        pub kind: PlantKind,
        /// Share of the places that the spacing leaves where a plant grows, 0…1; default 1.
        pub density: f32 = 1.0,
        /// Least distance between two plants of the layer, 0.01…100; default 1. It is a multiple of what is usual
        /// for the kind.
        pub spacing: f32 = 1.0,
        /// Mean height of the plants, 0.01…100; default 1. It is a multiple of what is usual for the kind.
        pub size: f32 = 1.0,
        /// Variation of the height, 0 (all alike) … 0.9; default 0.3: heights lie between 1 − spread and 1 + spread
        /// times the mean.
        pub spread: f32 = 0.3,
        /// Height of plants where the layer thins out, 0 (as elsewhere) … 1 (down to nothing); default 0.5. Plants
        /// at the tree line and at the edge of a mask are smaller.
        pub edge: f32 = 0.5,
        /// Slope in degrees from which no plant grows, 0…90; default 38. Over the last 8° the layer thins out. The slope
        /// is taken over ten metres.
        pub slope: f32 = 38.0,
        /// Depth in metres of the snow in which no plant grows, 0…1000; default 0.5. From half of it on the layer
        /// thins out.
        pub snow: f32 = 0.5,
        /// Share of the light that a plant needs under taller layers, 0…1; default 0.3.
        pub light: f32 = 0.3,
        /// Age of the stand, 0 (young: low, close together) … 1 (old: high, wide apart, with gaps); default 0.5,
        /// which has the usual height and spacing.
        pub age: f32 = 0.5,
        /// Lowest place where the layer grows in full, as a share of the way from the sea, or else the lowland (one and
        /// a half standard deviations below the mean), to the highest, 0…1; default 0.
        pub lowest: f32 = 0.0,
        /// Height from which nothing grows, as such a share, 0…1; default 1, which has no tree line. Over the last
        /// tenth below it the layer thins out.
        pub highest: f32 = 1.0,
        /// Preference for valleys and hollows, −1 (only ridges) … 0 (all the same) … 1 (only valleys); default 0.
        pub valleys: f32 = 0.0,
        /// Preference for slopes that face the sun, −1 (only shady) … 0 (all the same) … 1 (only sunny); default 0.
        pub sun: f32 = 0.0,
        /// Preference for scree, thick sediment on steep ground, −1 (none on it) … 0 (all the same) … 1 (only on
        /// it); default −1.
        pub scree: f32 = -1.0,
        /// Share of the leaves that have turned, 0 (summer) … 1 (all of them); default 0. Plants turn one after the
        /// other. Evergreens do not.
        pub autumn: f32 = 0.0,
        /// Mask of the layer; default everywhere.
        #[serde(skip_serializing_if = "Mask::is_default")]
        pub mask: Mask,
    }
}

impl Params for PlantLayer {
    const KEPT: &'static [&'static str] = &["on", "kind"];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("kind", "trees, species, vegetation, foliage, forest"),
        ("density", "number of trees, forest, how many"),
        ("size", "tree height, scale"),
        ("age", "forest, growth"),
        ("highest", "timberline, altitude"),
        ("autumn", "fall, season, leaf colour"),
    ];

    const PARAMS: &'static [Param<Self>] = &[
        switch_param!(on, "On", "Layer on/off."),
        choice_param!(kind: PlantKind, "Plants", "Kind of plant, or stones."),
        float_param!(density, "Density", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Share of the places that the spacing leaves where a plant grows."),
        float_param!(spacing, "Spacing", "", 0.01, 100.0, slider: (0.25, 10.0),
            "Least distance between two plants, as a multiple of what is usual for the kind."),
        float_param!(size, "Plant size", "", 0.01, 100.0, slider: (0.25, 4.0),
            "Mean height of the plants, as a multiple of what is usual for the kind."),
        float_param!(spread, "Size spread", "", 0.0, 0.9, slider: (0.0, 0.9),
            "How much plants differ in height: at 0 all are alike."),
        float_param!(edge, "Small at edges", "", 0.0, 1.0, slider: (0.0, 1.0),
            "How much smaller plants are where the layer thins out, as at the tree line."),
        float_param!(slope, "Steepest slope", "°", 0.0, 90.0, slider: (0.0, 90.0),
            "No plant grows on slopes from here on."),
        float_param!(snow, "Deepest snow", "m", 0.0, 1000.0, slider: (0.0, 5.0),
            "No plant grows in snow from this depth on."),
        float_param!(light, "Light", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Share of the light that a plant needs: at 0 it grows under any tree, at 1 under none."),
        float_param!(age, "Age", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Young stands are low and close together, old ones high and wide apart, with gaps."),
        float_param!(lowest, "Lowest place", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Height from which the layer grows in full, as a share from the sea or the lowland to the highest."),
        float_param!(highest, "Tree line", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Height from which nothing of the layer grows, as a share from the sea or the lowland to the \
             highest; 1: no limit."),
        float_param!(valleys, "Valleys or ridges", "", -1.0, 1.0, slider: (-1.0, 1.0),
            "At 1 the layer grows only in valleys and hollows, at −1 only on ridges."),
        float_param!(sun, "Sun or shade", "", -1.0, 1.0, slider: (-1.0, 1.0),
            "At 1 the layer grows only on slopes that face the sun, at −1 only on shady ones."),
        float_param!(scree, "Scree", "", -1.0, 1.0, slider: (-1.0, 1.0),
            "At −1 nothing grows on scree, at 1 only there. Scree is sediment of erosion on steep ground."),
        float_param!(autumn, "Autumn", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Share of the leaves that have turned. Plants turn one after the other."),
    ];

    fn unused(&self, key: &str) -> Option<&'static str> {
        match (key, self.kind) {
            ("light", PlantKind::Boulder) => Some(mark("stones need no light")),
            ("age", PlantKind::Boulder) => Some(mark("stones have no age")),
            ("autumn", PlantKind::Spruce | PlantKind::Palm) => Some(mark("evergreens do not turn")),
            ("autumn", PlantKind::Boulder) => Some(mark("stones have no leaves")),
            _ => None,
        }
    }

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)?;
        check_name(&self.name, table)?;
        self.mask.check(&format!("{table}.mask"))
    }
}

/// Factors of height and spacing at age 0; at 0.5 they are 1.
const HEIGHTS: f32 = 0.4;
const WIDTHS: f32 = 0.7;

/// Straight line from `first` at age 0 through 1 at age 0.5.
fn between(first: f32, age: f32) -> f32 {
    first + (1.0 - first) * 2.0 * age
}

impl Named for PlantLayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn name_mut(&mut self) -> &mut String {
        &mut self.name
    }

    fn kind_name(&self) -> &'static str {
        self.kind.name()
    }
}

impl PlantLayer {
    /// True if anything can grow.
    #[must_use]
    pub fn acts(&self) -> bool {
        self.on && self.density > 0.0
    }

    /// Least distance between two plants in metres.
    #[must_use]
    pub fn spacing_m(&self) -> f64 {
        let apart = between(WIDTHS, self.stage());
        f64::from(self.kind.spacing_m()) * f64::from(self.spacing) * f64::from(apart)
    }

    /// Mean height of the plants in metres.
    #[must_use]
    pub fn height_m(&self) -> f32 {
        self.kind.height_m() * self.size * between(HEIGHTS, self.stage())
    }

    /// Share of the gaps of the oldest stand, 0…1.
    #[must_use]
    pub fn gaps(&self) -> f32 {
        (2.0 * self.stage() - 1.0).max(0.0)
    }

    /// Age; stones are as usual.
    fn stage(&self) -> f32 {
        match self.kind {
            PlantKind::Boulder => 0.5,
            _ => self.age,
        }
    }

    /// Visit the layer's own table and those of its mask; `place` is its path in the scene.
    pub(super) fn visit_tables(&mut self, place: &str, visitor: &mut impl TableVisitor) {
        visitor.visit(place, self);
        self.mask.visit_tables(&format!("{place}.mask"), visitor);
    }

    /// Serialize the layer as a TOML table with every key written out.
    pub(super) fn to_table(&self) -> toml::Table {
        let mut table = to_table(self);
        table.entry("name").or_insert("".into());
        table.insert("mask".to_owned(), self.mask.to_table().into());
        table
    }
}
