//! Languages.

use crate::messages::messages;

#[test]
fn dump_messages() {
    let escape = |text: &str| format!("{text:?}");
    let all = messages();
    let lines: String = all
        .iter()
        .map(|(text, plural)| match plural {
            None => format!("msgid {}\nmsgstr \"\"\n\n", escape(text)),
            Some(plural) => format!("msgid {}\nmsgid_plural {}\nmsgstr[0] \"\"\n\n", escape(text), escape(plural)),
        })
        .collect();
    std::fs::write("/tmp/messages.pot", lines).unwrap();
}
