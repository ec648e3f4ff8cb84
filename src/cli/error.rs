//! Command failures: exit code and message on one line.

use std::io::ErrorKind;

use crate::batch_renderer::BatchError;
use crate::files::export::ExportError;

/// Failure of a command.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// Make a failure for wrong usage, with exit code 2.
    pub fn usage(message: impl ToString) -> Self {
        Self {
            code: 2,
            message: message.to_string(),
        }
    }

    /// Make any other failure, with exit code 1.
    pub fn failed(message: impl ToString) -> Self {
        Self {
            code: 1,
            message: message.to_string(),
        }
    }

    /// Convert an export error. A closed pipe on standard output is not a failure: its reader has stopped
    /// early.
    pub fn of_export(error: ExportError) -> Self {
        let code = match &error {
            ExportError::Write { source, .. } if source.kind() == ErrorKind::BrokenPipe => 0,
            ExportError::RangeOfAll { .. }
            | ExportError::Levels { .. }
            | ExportError::LevelsOfProfile
            | ExportError::Precision { .. }
            | ExportError::FilmSize { .. }
            | ExportError::FilmPace { .. }
            | ExportError::FilmInPipe { .. }
            | ExportError::TooDeep { .. } => 2,
            _ => 1,
        };
        Self {
            code,
            message: error.to_string(),
        }
    }

    /// Convert clap's message to one line with the problem, the allowed values and the tip, without the usage
    /// and the pointer to `--help`.
    pub fn from_clap(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let lines = text
            .lines()
            .map(str::trim)
            .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
            .filter(|line| !line.is_empty());
        let mut message = String::new();
        for line in lines {
            message += match line {
                _ if message.is_empty() => "",
                line if line.starts_with("tip:") => "; ",
                _ => " ",
            };
            message += line;
        }
        Self::usage(message.strip_prefix("error: ").unwrap_or(&message))
    }

    /// Print the message, unless the exit code is 0, and return the exit code.
    pub fn print(&self) -> u8 {
        if self.code == 0 {
            return 0;
        }
        super::say("error", &self.message);
        self.code
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::failed(error)
    }
}

impl From<BatchError> for Failure {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Asked(words) => Self::usage(words),
            BatchError::Export(error) => Self::of_export(error),
            BatchError::Failed(words) => Self::failed(words),
        }
    }
}
