//! Mask overlay on the terrain. It depends on the pointer and on open sections of the panel, not on
//! the scene.

use crate::pipeline::MaskOf;

/// Mask shown as an overlay, with the masks that the panel showed in the last frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MaskOverlay {
    seen: Option<MaskOf>,
    pointed: Option<MaskOf>,
    open: Vec<MaskOf>,
}

impl MaskOverlay {
    /// Mask shown as an overlay.
    #[must_use]
    pub fn seen(&self) -> Option<MaskOf> {
        self.seen
    }

    /// Record a mask in the panel. `pointed` is true if the pointer is over its controls or it was
    /// just opened, `open` if its section is open.
    pub fn note(&mut self, mask: MaskOf, pointed: bool, open: bool) {
        if pointed {
            self.pointed = Some(mask);
        }
        if open {
            self.open.push(mask);
        }
    }

    /// Choose the overlay at the end of a frame: the mask under the pointer; else the last one,
    /// while its section is open; else the first one with an open section.
    pub fn settle(&mut self) {
        let open = std::mem::take(&mut self.open);
        let still = self.seen.filter(|seen| open.contains(seen));
        self.seen = self.pointed.take().or(still).or(open.first().copied());
    }
}
