//! The window: panel, worker thread, input and commands.
