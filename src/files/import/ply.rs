//! `.ply`: the scene stored in the header comments of a mesh.

use std::io::{BufRead, Read};

use super::comments;
use super::reader::{Holding, Reader};
use super::recipe::rest;
use super::source::{Broken, Source};
use crate::files::formats::checksum::{ByteSum, Sum};
use crate::files::formats::ply::{COMMENT, END_OF_HEAD, MARK};

/// Reader of PLY meshes.
pub const READER: Reader = Reader {
    name: "PLY",
    extensions: &["ply"],
    mark: Some(|bytes| {
        let rest = bytes.strip_prefix(MARK.as_bytes());
        rest.is_some_and(|rest| rest.starts_with(b"\n") || rest.starts_with(b"\r\n"))
    }),
    holds: Holding::Mesh,
    recipe: |source| comments::recipe(source, COMMENT, of_body),
};

/// The size limit of a header line, in bytes.
const MOST_LINE: u64 = 1 << 20;

/// The checksum of all bytes after the header.
fn of_body(source: &mut Source<'_>) -> Result<Sum, Broken> {
    loop {
        let mut line = Vec::new();
        (&mut *source.bytes)
            .take(MOST_LINE)
            .read_until(b'\n', &mut line)?;
        match line.trim_ascii_end() {
            _ if line.is_empty() => return Err(Broken::cut_short()),
            line if line == END_OF_HEAD.as_bytes() => return rest(source, ByteSum::new(0, 0)),
            _ => {}
        }
    }
}
