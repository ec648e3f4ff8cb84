//! The scene struct and the list of its tables of settings.
//!
//! The order of the list is that of the sections of the panel and of the tables in a scene file.
//!
//! A table is a struct with `Params` and one line in the list below. The scene file, range checks,
//! undo labels, the panel and the tests of all settings are derived from it.

use super::{
    Analysis, Bookmark, Camera, CameraPath, Clouds, Film, Fog, KeyFrame, Later, Light, Material,
    Section, Sky, Teximage, Version, View, Water,
};
use crate::generate::{Detail, Surface};
use crate::modify::Modifier;
use crate::modify::layer::Layer;
use crate::util::param::{TableVisitor, Tables, few, tables};

tables! {
    /// One landscape and the way it is looked at.
    pub struct Scene {
        /// The version of the scene; default the one of this program.
        pub version: Version,
        /// Source of the ground's heights.
        pub surface: Surface,
        /// Further maps laid over the ground, in this order, up to three; default none. A
        /// profile has none.
        #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "few")]
        pub layers: Vec<Layer>,
        /// Modifiers of the ground and of its finer map, in order of application; default none.
        #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "few")]
        pub modifiers: Vec<Modifier>,
        tables {
            /// Finer map that is baked into the ground's texture.
            teximage: Teximage;
            /// Map from which clouds are made.
            clouds: Clouds;
            /// Levels of detail finer than the map's samples.
            detail: Detail, "Detail";
            /// Render type and drawing options.
            view: View;
            /// Position and brightness of the sun.
            light: Light, "Light";
            /// Material of the ground in render type `landscape`.
            material: Material, "Material";
            /// Sea, rivers and lakes.
            water: Water, "Water";
            /// Analysis overlays.
            analysis: Analysis, "Analysis";
            /// Cross-section; default none.
            #[serde(skip_serializing_if = "Section::is_absent")]
            section: Section;
            /// Sky of render types `landscape` and `sky`.
            sky: Sky, "Sky";
            /// Fog towards the horizon.
            fog: Fog, "Fog";
            /// Camera of the picture.
            camera: Camera;
            /// Camera path through the landscape; default none.
            #[serde(skip_serializing_if = "CameraPath::is_default")]
            path: CameraPath;
            /// Key frames of settings, and length of the film.
            #[serde(skip_serializing_if = "Film::is_default")]
            film: Film, "Film";
        }
        /// Cameras with names, up to 100; default none.
        #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "few")]
        pub bookmarks: Vec<Bookmark>,
        /// Keys of a later version that this program does not know. In a scene's own text each
        /// of them stands in its place.
        #[serde(skip_serializing_if = "Later::is_empty")]
        pub later: Later,
    }
}

impl Scene {
    /// Visit every table of settings, including those within lists and those of all generators and
    /// modifiers, chosen or not.
    pub fn visit_tables(&mut self, visitor: &mut impl TableVisitor) {
        self.surface.visit_tables("surface", visitor);
        for (index, layer) in self.layers.iter_mut().enumerate() {
            let place = format!("layers.{index}");
            visitor.visit(&place, layer);
            layer.mask.visit_tables(&format!("{place}.mask"), visitor);
            let place = format!("{place}.surface");
            layer.surface.visit_tables(&place, visitor);
        }
        for (index, modifier) in self.modifiers.iter_mut().enumerate() {
            modifier.visit_tables(&format!("modifiers.{index}"), visitor);
        }
        self.visit_listed("", visitor);
        for (index, bookmark) in self.bookmarks.iter_mut().enumerate() {
            let Bookmark { name: _, camera } = bookmark;
            visitor.visit(&format!("bookmarks.{index}.camera"), camera);
        }
        for (index, frame) in self.path.frames.iter_mut().enumerate() {
            let KeyFrame { time: _, camera } = frame;
            visitor.visit(&format!("path.frames.{index}.camera"), camera);
        }
    }
}
