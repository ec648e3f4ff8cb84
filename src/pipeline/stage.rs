//! A part of the pipeline that remembers what it was made from.

use std::sync::Arc;

/// One stage: its last result and what this was made from.
#[derive(Debug)]
pub struct Stage<K, V> {
    /// The key that the result was made from, and the result.
    pub made: Option<(K, Arc<V>)>,
}

impl<K, V> Default for Stage<K, V> {
    fn default() -> Self {
        Self { made: None }
    }
}

impl<K: PartialEq, V> Stage<K, V> {
    /// The result for `key`: the last one if it was made from the same key, else a new one. `make`
    /// is handed the last result, if nobody else holds it, so that it can reuse its memory.
    pub fn get<E>(
        &mut self,
        key: K,
        make: impl FnOnce(&K, Option<V>) -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
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
