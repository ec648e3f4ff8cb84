//! Constants of `.glb`, binary glTF 2.0: a header, a JSON chunk and a binary chunk.

/// Magic number, the first four bytes.
pub const MARK: &[u8; 4] = b"glTF";
/// Type of the JSON chunk, after its length.
pub const JSON: &[u8; 4] = b"JSON";
/// Type of the binary chunk, after its length.
pub const BINARY: &[u8; 4] = b"BIN\0";
/// Bytes before the JSON: magic number, version and file length, then length and type of the chunk.
pub const BEFORE_JSON: usize = 20;
/// Bytes between the JSON and the binary data: length and type of the binary chunk.
pub const BEFORE_BINARY: usize = 8;
/// Key of the scene in the extras of the asset.
pub const SCENE: &str = "scene";
/// Key of the binary chunk's checksum in the extras of the asset.
pub const SAMPLES: &str = "samples";
