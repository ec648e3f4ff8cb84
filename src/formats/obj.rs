//! Keywords of `.obj`, the Wavefront mesh, and of its material file.

use super::program::is_program;

/// Prefix of comment lines, in the material file too.
pub const COMMENT: &str = "# ";
/// Prefix of the line that names a material.
pub const NEW_MATERIAL: &str = "newmtl ";

/// True if this is the beginning of a material file from Landform: a comment with the program, then the
/// material's name.
#[must_use]
pub fn is_material(head: &[u8]) -> bool {
    let mut lines = head.split(|byte| *byte == b'\n');
    let mut next = || {
        let line = lines.next()?;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    };
    let program = next().and_then(|line| line.strip_prefix(COMMENT.as_bytes()));
    let names = next().is_some_and(|line| line.starts_with(NEW_MATERIAL.as_bytes()));
    program.is_some_and(is_program) && names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_materials_are_known_and_others_are_not() {
        assert!(is_material(b"# landform 0.1.0\nnewmtl ground\nKa 1 1 1\n"));
        assert!(is_material(b"# landform 0.1.0\r\nnewmtl ground\r\n"));
        assert!(!is_material(b"# made with landform 0.1.0\nnewmtl ground\n"));
        assert!(!is_material(b"# landform 0.1.0\n"));
    }
}
