//! The `landform` command: a window, pictures, height maps and measures.

fn main() {}
