//! Everything that is read from files or written to them.

pub mod export;
pub(crate) mod formats;
#[cfg(feature = "formats")]
pub mod gdal;
pub mod import;
#[cfg(feature = "render")]
pub mod sheet;
