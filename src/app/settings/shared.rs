//! What all windows share: each writes only what was changed in it, over what the others wrote.

use std::io;

use toml::{Table, Value};

use crate::app::state::Persisted;
use crate::app::state::recent::Recent;

/// The settings that each window has for itself.
const OWN: [&str; 3] = ["seeds", "scene", "document"];
/// The list in the settings that windows add to.
const RECENT: &str = "recent";

/// The settings that all windows share.
pub fn shared(persisted: &Persisted) -> io::Result<Table> {
    let mut table = Table::try_from(persisted).map_err(io::Error::other)?;
    leave_out_own(&mut table);
    Ok(table)
}

fn leave_out_own(table: &mut Table) {
    OWN.iter().for_each(|key| drop(table.remove(*key)));
}

/// The settings that `theirs` become with what this window has changed: in `base` they are as it
/// read or wrote them last, in `mine` as it has them now.
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

/// `theirs`, with what in `mine` is not as in the `base` that both began with.
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
