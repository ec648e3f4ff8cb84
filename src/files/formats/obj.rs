//! Keywords of `.obj`, the Wavefront mesh, and of its material file.

/// Prefix of comment lines, in the material file too.
pub const COMMENT: &str = "# ";
/// Prefix of the line that names a material.
pub const NEW_MATERIAL: &str = "newmtl ";
