//! OpenGL layer over glium: programs and textures, lists of uniforms, and cached resources.

use glium::Version;
use glium::backend::Context;
use glium::uniforms::{UniformValue, Uniforms};

use super::error::{RenderError, Result};

pub(super) mod blend;
pub(super) mod programs;
pub(super) mod sampler;
pub(super) mod texture;

/// Refuse contexts older than OpenGL 3.3.
pub(super) fn check_version(context: &Context) -> Result {
    let version = context.get_opengl_version();
    if *version >= Version(glium::Api::Gl, 3, 3) {
        return Ok(());
    }
    Err(RenderError::TooOld {
        found: context.get_opengl_version_string().to_owned(),
    })
}

/// Sets of uniforms joined into one list, by name. glium nests a type per set instead; large nested types took
/// minutes to compile.
#[derive(Default)]
pub(crate) struct Values<'a>(Vec<(String, UniformValue<'a>)>);

impl Uniforms for Values<'_> {
    fn visit_values<'a, F: FnMut(&str, UniformValue<'a>)>(&'a self, mut visit: F) {
        for (name, value) in &self.0 {
            visit(name, *value);
        }
    }
}

/// A set that can be joined with others.
pub(crate) trait Listed {
    /// Append the set to `values`.
    fn list_in<'a>(&'a self, values: &mut Values<'a>);
}

impl<U: Uniforms> Listed for U {
    fn list_in<'a>(&'a self, values: &mut Values<'a>) {
        // A `dyn` reference, since the closure's own type would differ per set.
        let push: &mut dyn FnMut(&str, UniformValue<'a>) =
            &mut |name, value| values.0.push((name.to_owned(), value));
        self.visit_values(push);
    }
}

/// `joined!(a, b)`: the uniforms of all these sets, which must outlive it.
macro_rules! joined {
    ($($set:expr),+ $(,)?) => {{
        let mut values = $crate::render::gl::Values::default();
        $({
            use $crate::render::gl::Listed as _;
            $set.list_in(&mut values);
        })+
        values
    }};
}

pub(crate) use joined;

/// Cached GPU resource that is kept until the key it was made from changes.
#[derive(Debug)]
pub(crate) struct Uploaded<K, T>(Option<(K, T)>);

impl<K: PartialEq, T> Uploaded<K, T> {
    /// An empty cache.
    pub(crate) const fn nothing() -> Self {
        Self(None)
    }

    /// The value, if there is one.
    pub(crate) fn get(&self) -> Option<&T> {
        self.0.as_ref().map(|(_, value)| value)
    }

    /// The key of the value, if there is one.
    pub(crate) fn source(&self) -> Option<&K> {
        self.0.as_ref().map(|(source, _)| source)
    }

    /// True if there is a value made from `source`.
    pub(crate) fn is_from(&self, source: &K) -> bool {
        self.source() == Some(source)
    }

    /// Drop the value.
    pub(crate) fn clear(&mut self) {
        self.0 = None;
    }

    /// Make the value again unless it was made from `source`. `make` receives the old value, which is lost on
    /// an error.
    pub(crate) fn update<E>(
        &mut self,
        source: K,
        make: impl FnOnce(&K, Option<(K, T)>) -> Result<T, E>,
    ) -> Result<(), E> {
        if !self.is_from(&source) {
            let value = make(&source, self.0.take())?;
            self.0 = Some((source, value));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::identity::Identity;
    use std::sync::Arc;

    #[test]
    fn it_is_made_once_from_each_source() {
        let (first, second) = (Arc::new(5), Arc::new(5));
        let mut uploaded = Uploaded::nothing();
        let mut made = 0;
        for source in [&first, &first, &second, &second, &first] {
            let make = |_: &_, _| {
                made += 1;
                Ok::<_, ()>(**source)
            };
            uploaded.update(Identity::of(source), make).unwrap();
            assert!(uploaded.is_from(&Identity::of(source)));
            assert_eq!(uploaded.get(), Some(&5));
        }
        assert_eq!(made, 3);
    }

    #[test]
    fn failed_update_leaves_nothing_uploaded() {
        let mut uploaded = Uploaded::nothing();
        uploaded.update(1, |_, _| Ok::<_, ()>("one")).unwrap();
        uploaded
            .update(2, |_, old| {
                assert_eq!(old, Some((1, "one")));
                Err(())
            })
            .unwrap_err();
        assert_eq!(uploaded.get(), None);
    }
}
