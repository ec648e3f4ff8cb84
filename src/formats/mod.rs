//! What the writers and the readers of files agree on: the names of chunks and tags, the marks
//! that files begin with, checksums, recipes and sidecars. [`import`](crate::import) and
//! [`export`](crate::export) know this module; it knows neither.

pub mod asc;
pub mod checksum;
pub mod film;
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
