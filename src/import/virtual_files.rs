//! GDAL's virtual files (`.vrt`): XML that names the files whose samples it consists of. A file from somebody
//! else may name any file on this computer, so that its sources are looked at before GDAL reads them.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::file::read_text;
use super::source::Broken;
use crate::generate::InputSources;
use crate::language::tr;

/// A file of more bytes is not looked into.
const MOST_VRT: u64 = 16 << 20;

/// Refuses a VRT whose sources lie outside its folder, unless the user allows it; notes its sources.
pub fn check_sources(
    path: &Path,
    allowed: InputSources,
    files: &mut Vec<PathBuf>,
) -> Result<(), Broken> {
    // Whoever opens a pipe waits for ever.
    if !path.is_file() {
        let path = crate::words::named(path);
        return Err(Broken::wrong(tr!(
            "its source {source} is not there",
            source = path
        )));
    }
    let mut head = [0; 4096];
    let length = std::io::Read::read(&mut File::open(path)?, &mut head)?;
    if !String::from_utf8_lossy(&head[..length]).contains("<VRTDataset") {
        return Ok(());
    }
    let text = read_text(path, MOST_VRT)?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    // XML tells tags apart by their case, GDAL does not. Letters of ASCII keep their places.
    let small = text.to_ascii_lowercase();
    for tag in ["<sourcefilename", "<sourcedataset"] {
        for (at, _) in small.match_indices(tag) {
            let Some((attributes, rest)) = text[at..].split_once('>') else {
                continue;
            };
            let name = rest.split('<').next().unwrap_or_default().trim();
            let name = name
                .replace("&quot;", "\"")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&");
            // Without a name it may be in a CDATA section, which is not looked into.
            let is_odd = name.is_empty() || name.contains(['<', '>']) || name.contains("&#");
            if is_odd {
                return Err(Broken::wrong(tr(
                    "one of its sources is no name of a file, allowed are names alone",
                )));
            }
            let attributes = attributes.to_ascii_lowercase();
            let is_relative = attributes.contains("relativetovrt=\"1\"");
            // Of a name such as `NETCDF:"file":map` the file counts.
            let file = name.split('"').nth(1).unwrap_or(&name);
            let source = if is_relative {
                folder.join(file)
            } else {
                PathBuf::from(file)
            };
            let Ok(real) = fs::canonicalize(&source) else {
                let source = crate::words::named(&source);
                return Err(Broken::wrong(tr!(
                    "its source {source} is not there",
                    source
                )));
            };
            if !real.starts_with(folder) && allowed == InputSources::Folder {
                let source = crate::words::named(&source);
                return Err(Broken::wrong(tr!(
                    "its source {source} lies outside its folder; --input-sources anywhere allows that",
                    source
                )));
            }
            if !files.contains(&real) {
                files.push(real.clone());
                check_sources(&real, allowed, files)?;
            }
        }
    }
    Ok(())
}
