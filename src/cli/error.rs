//! Exit codes, and errors as one line.

use std::io::ErrorKind;
use std::process::ExitCode;

use crate::export::ExportError;
use crate::generate::GenerateError;
use crate::photographer::PhotoError;

/// Why a command failed.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// A command line that asks for something that does not exist: exit code 2.
    pub fn usage(message: impl ToString) -> Self {
        Self {
            code: 2,
            message: message.to_string(),
        }
    }

    /// Any other failure: exit code 1.
    pub fn failed(message: impl ToString) -> Self {
        Self {
            code: 1,
            message: message.to_string(),
        }
    }

    /// A failed export. The reader of standard output may have gone away because it had enough,
    /// which is no failure.
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

    /// clap's message of many lines as one line: what is wrong, what is allowed, and the tip,
    /// without the usage and the pointer to `--help`.
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

    /// Prints the one line, unless this is no failure, and returns the exit code.
    pub fn report(&self) -> ExitCode {
        ExitCode::from(self.print())
    }

    /// Prints as [`Failure::report`] does, and returns the exit code as a number.
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

impl From<PhotoError> for Failure {
    fn from(error: PhotoError) -> Self {
        match error {
            PhotoError::Asked(words) => Self::usage(words),
            PhotoError::Export(error) => Self::of_export(error),
            PhotoError::Failed(words) => Self::failed(words),
        }
    }
}

/// The failure for a map that cannot be made as asked: wrong usage if the flags asked for it.
pub fn not_as_asked(error: &GenerateError, by_flags: bool) -> Failure {
    if by_flags {
        Failure::usage(error)
    } else {
        Failure::failed(error)
    }
}
