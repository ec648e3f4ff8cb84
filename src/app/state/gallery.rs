//! Small pictures of scenes: which are wanted, and those that are there.

use std::sync::Arc;

use egui::{ColorImage, Context, TextureHandle, TextureOptions};

use crate::scene::Scene;

/// Bytes that the pictures may take, those on screen aside.
const MOST_BYTES: usize = 64 << 20;

/// A small picture that is wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// What it shows.
    pub scene: Arc<Scene>,
    /// Its width and height in pixels.
    pub size: (u32, u32),
}

impl PartialEq for Wanted {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size && is_same(&self.scene, &other.scene)
    }
}

/// A small picture that is there.
struct Small {
    of: Wanted,
    /// The most iterations of what it shows.
    fineness: u32,
    texture: TextureHandle,
    /// The frame in which it was looked at last.
    seen: u64,
}

/// What there is of a picture.
pub enum Look<'a> {
    /// A picture, of the scene in that size or another.
    Picture(&'a TextureHandle),
    /// Nothing yet.
    Coming,
    /// Why there will be none.
    Failed(&'a str),
}

/// All small pictures.
#[derive(Default)]
pub struct Gallery {
    wanted: Vec<Wanted>,
    pictures: Vec<Small>,
    failed: Vec<(Arc<Scene>, String)>,
    frame: u64,
}

fn is_same(one: &Arc<Scene>, other: &Arc<Scene>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

impl Gallery {
    /// Begins a frame, in which nothing is wanted yet.
    pub fn begin(&mut self) {
        self.wanted.clear();
        self.frame += 1;
    }

    /// Asks for a picture, after those that were asked for before. Returns what there is of it.
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

    /// Makes large pictures more urgent than small ones.
    pub fn put_large_first(&mut self) {
        (self.wanted).sort_by_key(|wanted| std::cmp::Reverse(wanted.size.0));
    }

    /// What is wanted, the most urgent first.
    #[must_use]
    pub fn wanted(&self) -> &[Wanted] {
        &self.wanted
    }

    /// The most iterations that the picture shows; `None` if it is not there.
    #[must_use]
    pub fn fineness(&self, wanted: &Wanted) -> Option<u32> {
        let small = self.pictures.iter().find(|small| small.of == *wanted);
        small.map(|small| small.fineness)
    }

    /// How many pictures that are wanted are neither there nor known to fail.
    #[must_use]
    pub fn missing(&self) -> usize {
        let is_known = |wanted: &Wanted| {
            let failed = |(of, _): &(Arc<Scene>, String)| is_same(of, &wanted.scene);
            self.fineness(wanted).is_some() || self.failed.iter().any(failed)
        };
        let missing = self.wanted.iter().filter(|wanted| !is_known(wanted));
        missing.count()
    }

    /// Takes a picture in place of a coarser one. Those that nobody has looked at for longest go, if
    /// there are too many.
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

    /// Takes note of why there is no picture of a scene.
    pub fn fail(&mut self, scene: Arc<Scene>, words: String) {
        /// More are of scenes that are long gone.
        const MOST_FAILED: usize = 100;
        self.failed.retain(|(failed, _)| !is_same(failed, &scene));
        if self.failed.len() >= MOST_FAILED {
            self.failed.remove(0);
        }
        self.failed.push((scene, words));
    }

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
