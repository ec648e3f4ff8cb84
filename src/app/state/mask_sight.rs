//! Whose mask is seen on the land: nothing of the scene, only of where the pointer is.

use crate::pipeline::MaskOf;

/// What the panel showed of masks in the last frame, and which of them is seen on the land.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MaskSight {
    seen: Option<MaskOf>,
    pointed: Option<MaskOf>,
    open: Vec<MaskOf>,
}

impl MaskSight {
    /// Whose mask is seen on the land.
    #[must_use]
    pub fn seen(&self) -> Option<MaskOf> {
        self.seen
    }

    /// Takes note of a mask in the panel: whether the pointer is on its part or it was just opened,
    /// and whether that is open.
    pub fn note(&mut self, mask: MaskOf, pointed: bool, open: bool) {
        if pointed {
            self.pointed = Some(mask);
        }
        if open {
            self.open.push(mask);
        }
    }

    /// Ends a frame, after all masks are noted: the one pointed at is seen; else that which was,
    /// while it is open; else the first that is open.
    pub fn settle(&mut self) {
        let open = std::mem::take(&mut self.open);
        let still = self.seen.filter(|seen| open.contains(seen));
        self.seen = self.pointed.take().or(still).or(open.first().copied());
    }
}
