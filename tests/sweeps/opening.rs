//! Every file that can be opened, in every way.

use crate::common::folder;
use crate::readable::{WAYS, by_command, ends, exported, file, opened, saved};

#[test]
fn every_file_opens_alike_in_every_way() {
    let folder = folder();
    let ends = ends();
    let foreign = ends.iter().map(|end| file(folder.path(), end));
    let files: Vec<_> = foreign.chain(exported(folder.path())).collect();
    for path in files {
        let expected = by_command(folder.path(), &path);
        for (index, way) in WAYS.into_iter().enumerate() {
            let found = saved(folder.path(), &opened(&path, way));
            assert_eq!(found, expected, "{index}: {}", path.display());
        }
    }
}
