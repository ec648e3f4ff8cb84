//! Every table of settings that a scene has.

use super::{Bookmark, CameraPath, KeyFrame, Scene};
use crate::param::TableVisitor;

impl Scene {
    /// Shows every table of settings to `visitor`, in the order of the scene file: those of all
    /// generators and modifiers too, chosen or not. What is added to the scene is not compiled
    /// until it is visited here, or said to have no table.
    pub fn visit_tables(&mut self, visitor: &mut impl TableVisitor) {
        let Self {
            version: _,
            later: _,
            surface,
            layers,
            modifiers,
            teximage,
            clouds,
            view,
            analysis,
            section: _,
            light,
            material,
            water,
            sky,
            fog,
            camera,
            bookmarks,
            path,
        } = self;
        surface.visit_tables("surface", visitor);
        for (index, layer) in layers.iter_mut().enumerate() {
            let place = format!("layers.{index}");
            visitor.visit(&place, layer);
            let place = format!("{place}.surface");
            layer.surface.visit_tables(&place, visitor);
        }
        for (index, modifier) in modifiers.iter_mut().enumerate() {
            modifier.visit_tables(&format!("modifiers.{index}"), visitor);
        }
        visitor.visit("teximage", teximage);
        visitor.visit("clouds", clouds);
        visitor.visit("view", view);
        visitor.visit("analysis", analysis);
        visitor.visit("light", light);
        visitor.visit("material", material);
        visitor.visit("water", water);
        visitor.visit("sky", sky);
        visitor.visit("fog", fog);
        visitor.visit("camera", camera);
        for (index, bookmark) in bookmarks.iter_mut().enumerate() {
            let Bookmark { name: _, camera } = bookmark;
            visitor.visit(&format!("bookmarks.{index}.camera"), camera);
        }
        visitor.visit("path", path);
        let CameraPath {
            constant_speed: _,
            frames,
        } = path;
        for (index, frame) in frames.iter_mut().enumerate() {
            let KeyFrame { time: _, camera } = frame;
            visitor.visit(&format!("path.frames.{index}.camera"), camera);
        }
    }
}
