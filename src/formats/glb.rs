//! The marks of `.glb`, binary glTF 2.0: a head, a chunk of JSON and a chunk of numbers.

/// The first four bytes.
pub const MARK: &[u8; 4] = b"glTF";
/// The type of the first chunk, after its length.
pub const JSON: &[u8; 4] = b"JSON";
/// The type of the second chunk, after its length.
pub const BINARY: &[u8; 4] = b"BIN\0";
/// Bytes before the JSON: mark, version and length of the file, then length and type of the chunk.
pub const BEFORE_JSON: usize = 20;
/// Bytes between the JSON and the numbers: length and type of the second chunk.
pub const BEFORE_BINARY: usize = 8;
/// The key of the scene among the extras of the asset.
pub const SCENE: &str = "scene";
/// The key of the checksum of the second chunk among the extras of the asset.
pub const SAMPLES: &str = "samples";
