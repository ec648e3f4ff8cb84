//! Identity of values behind an [`Arc`], to detect the source that a result was made from.

use std::sync::{Arc, Weak};

/// Identity of a value by its address. A weak reference keeps the allocation but not the value, so no
/// later value can get the same address.
#[derive(Debug)]
pub(crate) struct Identity<T>(Weak<T>);

impl<T> Identity<T> {
    /// Identity of `value`.
    pub(crate) fn of(value: &Arc<T>) -> Self {
        Self(Arc::downgrade(value))
    }
}

// Derived, this would ask for `T: Clone`.
impl<T> Clone for Identity<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
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
        // Each value is dropped at once, so that the next one would reuse its address.
        for number in 0..50 {
            let value = Arc::new([number; 8]);
            let identity = Identity::of(&value);
            assert!(identity == Identity::of(&value) && !before.contains(&identity));
            before.push(identity);
        }
    }
}
