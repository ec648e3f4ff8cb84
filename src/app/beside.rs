//! Another window, as a separate process that receives a scene through its standard input.

use std::io::{self, Write};
use std::process::{Child, Command, Stdio};

use crate::scene::Scene;

/// Open a window with a new document of this scene. It stays open when this one is closed.
///
/// # Errors
/// Fails if the program cannot be started again.
pub fn open(scene: &Scene) -> io::Result<()> {
    let program = std::env::current_exe()?;
    let child = Command::new(program)
        .args(["view", "-"])
        .stdin(Stdio::piped())
        .spawn()?;
    let text = scene.to_toml();
    // Waiting for the child avoids a zombie process.
    std::thread::spawn(move || hand_over(child, &text));
    Ok(())
}

fn hand_over(mut child: Child, text: &str) {
    if let Some(mut input) = child.stdin.take()
        && let Err(error) = input.write_all(text.as_bytes())
    {
        log::error!("the scene did not reach the other window: {error}");
    }
    if let Err(error) = child.wait() {
        log::error!("the other window: {error}");
    }
}
