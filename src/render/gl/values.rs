//! Sets of uniforms joined into one list.
//!
//! glium nests a type per set instead; large nested types took minutes to compile.

use glium::uniforms::{UniformValue, Uniforms};

/// Uniforms by name.
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
        let mut values = $crate::render::gl::values::Values::default();
        $({
            use $crate::render::gl::values::Listed as _;
            $set.list_in(&mut values);
        })+
        values
    }};
}

pub(crate) use joined;
