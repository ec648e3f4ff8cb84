//! Which of all values behind an [`Arc`] something was made from.

use std::sync::{Arc, Weak};

/// A value by its place in memory. It does not keep the value, but its address, so that no other
/// value ever has the same identity.
#[derive(Debug)]
pub(crate) struct Identity<T>(Weak<T>);

impl<T> Identity<T> {
    /// The identity of `value`.
    pub(crate) fn of(value: &Arc<T>) -> Self {
        Self(Arc::downgrade(value))
    }
}

impl<T> PartialEq for Identity<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_later_value_is_the_same() {
        let mut before: Vec<Identity<[u64; 8]>> = Vec::new();
        // Each is dropped at once, so that the next one would lie where it lay.
        for number in 0..50 {
            let value = Arc::new([number; 8]);
            let identity = Identity::of(&value);
            assert!(identity == Identity::of(&value) && !before.contains(&identity));
            before.push(identity);
        }
    }
}
