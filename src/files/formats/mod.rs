//! File format definitions shared by readers and writers: names of chunks and tags, magic numbers,
//! checksums, recipes and sidecars. [`import`](crate::files::import) and [`export`](crate::files::export) depend on
//! this module; it depends on neither.

pub mod asc;
pub mod checksum;
pub mod glb;
pub mod metres;
pub mod npy;
pub mod obj;
pub mod ply;
pub mod png;
pub mod program;
pub mod recipe;
pub mod sidecar;
pub mod stl;
pub mod tiff;
