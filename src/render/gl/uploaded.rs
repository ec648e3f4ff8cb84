//! Cached GPU resource with the key it was made from.

/// A value that is kept until its key changes.
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
    use std::sync::Arc;

    use super::*;
    use crate::util::identity::Identity;

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
