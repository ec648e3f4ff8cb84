//! Thumbnail cache: requests of the current frame, and finished thumbnails as textures. The least
//! recently shown are evicted.

use std::sync::Arc;

use egui::{ColorImage, Context, TextureHandle, TextureOptions};

use crate::scene::Scene;

/// Memory limit of the cache in bytes; thumbnails on screen are never evicted.
const MOST_BYTES: usize = 64 << 20;

/// Request for a thumbnail.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Scene to draw.
    pub scene: Arc<Scene>,
    /// Width and height in pixels.
    pub size: (u32, u32),
}

impl PartialEq for Wanted {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size && is_same(&self.scene, &other.scene)
    }
}

/// Finished thumbnail.
struct Small {
    of: Wanted,
    /// Maximum number of iterations in the thumbnail.
    fineness: u32,
    texture: TextureHandle,
    /// Number of the frame that last showed it.
    seen: u64,
}

/// State of a thumbnail.
pub enum Look<'a> {
    /// A thumbnail of the scene, in the requested size or another.
    Picture(&'a TextureHandle),
    /// Not finished yet.
    Coming,
    /// Failed, for this reason.
    Failed(&'a str),
}

/// Cache of all thumbnails.
#[derive(Default)]
pub struct Thumbnails {
    wanted: Vec<Wanted>,
    pictures: Vec<Small>,
    failed: Vec<(Arc<Scene>, String)>,
    frame: u64,
}

fn is_same(one: &Arc<Scene>, other: &Arc<Scene>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

impl Thumbnails {
    /// Begin a frame; clear the requests of the last one.
    pub fn begin(&mut self) {
        self.wanted.clear();
        self.frame += 1;
    }

    /// Request a thumbnail, with less priority than earlier requests of the frame. Returns its
    /// state.
    pub fn look(&mut self, scene: &Arc<Scene>, size: (u32, u32)) -> Look<'_> {
        let wanted = Wanted {
            scene: Arc::clone(scene),
            size,
        };
        let fits = |small: &Small| is_same(&small.of.scene, scene);
        let exact = self.pictures.iter().position(|small| small.of == wanted);
        let found = exact.or_else(|| self.pictures.iter().position(fits));
        if !self.wanted.contains(&wanted) {
            self.wanted.push(wanted);
        }
        if let Some(index) = found {
            let small = &mut self.pictures[index];
            small.seen = self.frame;
            return Look::Picture(&small.texture);
        }
        let failed = self.failed.iter().find(|(of, _)| is_same(of, scene));
        failed.map_or(Look::Coming, |(_, words)| Look::Failed(words))
    }

    /// Sort the requests by width, the widest first.
    pub fn put_large_first(&mut self) {
        (self.wanted).sort_by_key(|wanted| std::cmp::Reverse(wanted.size.0));
    }

    /// Requests of the frame, the most urgent first.
    #[must_use]
    pub fn wanted(&self) -> &[Wanted] {
        &self.wanted
    }

    /// Maximum number of iterations in a thumbnail; `None` if it is not finished.
    #[must_use]
    pub fn fineness(&self, wanted: &Wanted) -> Option<u32> {
        let small = self.pictures.iter().find(|small| small.of == *wanted);
        small.map(|small| small.fineness)
    }

    /// Number of requested thumbnails that are neither finished nor failed.
    #[must_use]
    pub fn missing(&self) -> usize {
        let is_known = |wanted: &Wanted| {
            let failed = |(of, _): &(Arc<Scene>, String)| is_same(of, &wanted.scene);
            self.fineness(wanted).is_some() || self.failed.iter().any(failed)
        };
        let missing = self.wanted.iter().filter(|wanted| !is_known(wanted));
        missing.count()
    }

    /// Store a thumbnail in place of a coarser one. Evict the least recently shown ones if the
    /// cache exceeds its memory limit.
    pub fn put(&mut self, ctx: &Context, of: Wanted, fineness: u32, image: ColorImage) {
        self.failed
            .retain(|(failed, _)| !is_same(failed, &of.scene));
        let options = TextureOptions::LINEAR;
        if let Some(small) = self.pictures.iter_mut().find(|small| small.of == of) {
            small.texture.set(image, options);
            small.fineness = fineness;
            return;
        }
        self.pictures.push(Small {
            of,
            fineness,
            texture: ctx.load_texture("small picture", image, options),
            seen: self.frame,
        });
        self.forget();
    }

    /// Record the reason why a scene has no thumbnail.
    pub fn fail(&mut self, scene: Arc<Scene>, words: String) {
        /// Maximum number of remembered failures; older ones belong to scenes no longer shown.
        const MOST_FAILED: usize = 100;
        self.failed.retain(|(failed, _)| !is_same(failed, &scene));
        if self.failed.len() >= MOST_FAILED {
            self.failed.remove(0);
        }
        self.failed.push((scene, words));
    }

    /// Evict the least recently shown thumbnails until the cache fits its memory limit.
    fn forget(&mut self) {
        let bytes = |small: &Small| small.texture.byte_size();
        let mut all: usize = self.pictures.iter().map(bytes).sum();
        while all > MOST_BYTES {
            let old = self.pictures.iter().enumerate();
            let old = old.filter(|(_, small)| small.seen < self.frame);
            let Some((oldest, _)) = old.min_by_key(|(_, small)| small.seen) else {
                break;
            };
            all -= bytes(&self.pictures.remove(oldest));
        }
    }
}
