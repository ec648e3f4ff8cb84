//! Images, scenes and palettes from files.
