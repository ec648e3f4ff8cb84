//! Memoized pipeline stage: recomputed only when dirty, that is, when its key has changed.

use std::sync::Arc;

/// One stage: its last result with its key.
#[derive(Debug)]
pub struct Stage<K, V> {
    /// Key of the last result, and the result.
    pub made: Option<(K, Arc<V>)>,
}

impl<K, V> Default for Stage<K, V> {
    fn default() -> Self {
        Self { made: None }
    }
}

impl<K: PartialEq, V> Stage<K, V> {
    /// The result for `key`: the cached one if its key is equal, else a new one. `make` receives the old
    /// result for reuse of its memory, if it is not shared.
    pub fn get<E>(
        &mut self,
        key: K,
        make: impl FnOnce(&K, Option<V>) -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        // Taken out, so that nothing outdated remains after an error.
        let old = match self.made.take() {
            Some((made_from, value)) if made_from == key => {
                self.made = Some((key, Arc::clone(&value)));
                return Ok(value);
            }
            other => other.and_then(|(_, value)| Arc::into_inner(value)),
        };
        let value = Arc::new(make(&key, old)?);
        self.made = Some((key, Arc::clone(&value)));
        Ok(value)
    }
}
