//! Three-way merge of the settings that all windows share: each window writes only its own changes.

use std::io;

use toml::{Table, Value};

use crate::app::state::Persisted;
use crate::app::state::recent::Recent;

/// Keys of the settings that belong to a single window.
const OWN: [&str; 3] = ["seeds", "scene", "document"];
/// Key of the list of recent files, to which all windows add.
const RECENT: &str = "recent";

/// Extract the settings that all windows share.
pub fn shared(persisted: &Persisted) -> io::Result<Table> {
    let mut table = Table::try_from(persisted).map_err(io::Error::other)?;
    leave_out_own(&mut table);
    Ok(table)
}

fn leave_out_own(table: &mut Table) {
    OWN.iter().for_each(|key| drop(table.remove(*key)));
}

/// Merge this window's changes into `theirs`, the settings in the file. `base` holds the settings
/// as this window last read or wrote them, `mine` its present ones.
pub fn merged(base: &Table, mine: &Table, mut theirs: Table) -> io::Result<Table> {
    leave_out_own(&mut theirs);
    let recent = recent(mine).merged(&recent(base), &recent(&theirs));
    let mut merged = merge(base, mine, theirs);
    let recent = Value::try_from(recent).map_err(io::Error::other)?;
    merged.insert(RECENT.to_owned(), recent);
    Ok(merged)
}

fn recent(table: &Table) -> Recent {
    let list = table.get(RECENT).cloned();
    let list = list.and_then(|list| list.try_into().ok());
    list.unwrap_or_default()
}

/// Three-way merge of tables: `theirs` with every difference between `base` and `mine` applied.
fn merge(base: &Table, mine: &Table, mut theirs: Table) -> Table {
    for key in base.keys().filter(|key| !mine.contains_key(*key)) {
        theirs.remove(key);
    }
    for (key, value) in mine {
        let before = base.get(key);
        if before == Some(value) {
            continue;
        }
        let merged = match (value, before, theirs.remove(key)) {
            (Value::Table(mine), Some(Value::Table(base)), Some(Value::Table(theirs))) => {
                Value::Table(merge(base, mine, theirs))
            }
            _ => value.clone(),
        };
        theirs.insert(key.clone(), merged);
    }
    theirs
}
