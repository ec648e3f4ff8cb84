//! Safety check of GDAL's virtual files (`.vrt`): XML that refers to the files with the samples. A file from
//! an untrusted source could refer to any file on this computer, so the sources are checked before GDAL reads
//! them.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::file::read_text;
use super::source::Broken;
use crate::generate::InputSources;
use crate::util::language::tr;

/// The size limit of a VRT, in bytes.
const MOST_VRT: u64 = 16 << 20;

/// Refuse a VRT with sources outside its folder, unless the user allows them. Collects the sources.
pub fn check_sources(
    path: &Path,
    allowed: InputSources,
    files: &mut Vec<PathBuf>,
) -> Result<(), Broken> {
    // Opening a pipe would block.
    if !path.is_file() {
        let path = crate::util::words::named(path);
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
    // GDAL ignores the case of tags, unlike XML. ASCII lower case keeps byte positions.
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
            // An empty name may mean a CDATA section, which is not parsed.
            let is_odd = name.is_empty() || name.contains(['<', '>']) || name.contains("&#");
            if is_odd {
                return Err(Broken::wrong(tr(
                    "one of its sources is no name of a file, allowed are names alone",
                )));
            }
            let attributes = attributes.to_ascii_lowercase();
            let is_relative = attributes.contains("relativetovrt=\"1\"");
            // For a name such as `NETCDF:"file":map`, only the file matters.
            let file = name.split('"').nth(1).unwrap_or(&name);
            let source = if is_relative {
                folder.join(file)
            } else {
                PathBuf::from(file)
            };
            let Ok(real) = fs::canonicalize(&source) else {
                let source = crate::util::words::named(&source);
                return Err(Broken::wrong(tr!(
                    "its source {source} is not there",
                    source
                )));
            };
            if !real.starts_with(folder) && allowed == InputSources::Folder {
                let source = crate::util::words::named(&source);
                return Err(Broken::wrong(tr!(
                    "its source {source} lies outside its folder; --input-sources anywhere allows that",
                    source
                )));
            }
            // A VRT may refer to itself through others, so each source is checked only once.
            if !files.contains(&real) {
                files.push(real.clone());
                check_sources(&real, allowed, files)?;
            }
        }
    }
    Ok(())
}
