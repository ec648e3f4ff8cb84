//! GDAL's command-line programs (`gdalinfo`, `gdal_translate`, `gdalwarp`, `gdaltransform`): located on the
//! system and run as child processes with limits.
//!
//! GDAL and PROJ support some two hundred formats and all common coordinate reference systems. They run as
//! separate programs, like `ffmpeg` for films. Nothing is linked, a crash in GDAL becomes an error message,
//! and Landform works without GDAL.
//!
//! A file may refer to other files or to a server. Therefore drivers with network access are not loaded, PROJ
//! downloads no grids, `/vsicurl/` may open only one name that does not exist, and the proxy settings point
//! to a port that refuses connections.
//!
//! A run has failed if a line of standard error begins with `ERROR`, even if the exit status is 0. For
//! example, `gdal_translate` turns a VRT with a missing source into zeros and exits with success.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::util::child_process::{self, ChildProcess, ProcessError, ProcessLimits, ProcessOutput};
use crate::util::job::{Cancelled, Job};
use crate::util::language::tr;

mod crs;
mod info;

pub use crs::{Crs, keys_file, lengths_on_ground};
pub use info::{Band, Info, info};

/// The oldest supported version of GDAL.
const OLDEST: (u32, u32) = (3, 4);
/// The environment variable with the path of GDAL's folder, or of one of its programs.
pub const VARIABLE: &str = "LANDFORM_GDAL";
/// Drivers that connect to a server; they are disabled.
const NETWORK_DRIVERS: &str = "WMS WMTS WCS HTTP STACTA STACIT EEDAI EEDA DAAS PLMOSAIC PLSCENES OGCAPI \
                               PostGISRaster NGW Rasdaman RASDAMAN";
/// A proxy that refuses every connection: port 9 belongs to the discard protocol.
const NO_PROXY: &str = "http://127.0.0.1:9";
/// GDAL's block cache, in megabytes.
const CACHE_MB: &str = "128";
/// Address space for the programs and their libraries alone, in bytes, without samples.
#[cfg(unix)]
const ADDRESSES: u64 = 3 << 30;

/// Reasons why a GDAL program failed.
#[derive(Debug, thiserror::Error)]
pub enum GdalError {
    /// GDAL's programs are not installed.
    #[error("{}", how_to_install())]
    Missing,
    /// The environment variable names a folder without the programs.
    #[error("{}", tr!("{VARIABLE} is {folder}, where there is no gdalinfo", VARIABLE, folder))]
    NotThere {
        /// The value of the variable.
        folder: String,
    },
    /// The installed version is too old.
    #[error("{}", tr!("GDAL {version} is too old, needed is 3.4 or newer", version))]
    TooOld {
        /// The version that was found.
        version: String,
    },
    /// A program failed.
    #[error("{}", tr!("GDAL: {words}", words))]
    Failed {
        /// The first error line of the program.
        words: String,
    },
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Short installation instructions for GDAL on this operating system.
#[must_use]
pub fn how_to_install() -> String {
    let command = if cfg!(target_os = "macos") {
        "brew install gdal"
    } else if cfg!(windows) {
        "OSGeo4W (https://trac.osgeo.org/osgeo4w)"
    } else if Path::new("/etc/debian_version").exists() {
        "apt install gdal-bin"
    } else if Path::new("/etc/fedora-release").exists() {
        "dnf install gdal"
    } else if Path::new("/etc/arch-release").exists() {
        "pacman -S gdal"
    } else {
        "https://gdal.org/download.html"
    };
    tr!(
        "GDAL's programs are not installed ({command}); {VARIABLE} names a folder that has them",
        command,
        VARIABLE
    )
}

/// An installation of GDAL's programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gdal {
    /// The folder with the programs; `None` if they are in PATH.
    folder: Option<PathBuf>,
    version: String,
}

/// The installation found last, with the value that [`VARIABLE`] had at that time.
static FOUND: Mutex<Option<(Option<OsString>, Gdal)>> = Mutex::new(None);

impl Gdal {
    /// Find GDAL's programs: in the folder of [`VARIABLE`], else in PATH, else in the usual folders of
    /// OSGeo4W, QGIS and Homebrew.
    ///
    /// A found installation is cached; a missing one is searched for again on the next call.
    ///
    /// # Errors
    /// There is no installation, or it is older than 3.4.
    pub fn find() -> Result<Self, GdalError> {
        let wanted = env::var_os(VARIABLE).filter(|value| !value.is_empty());
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, gdal)) = &*found
            && *of == wanted
        {
            return Ok(gdal.clone());
        }
        let gdal = match &wanted {
            Some(wanted) => {
                let path = Path::new(wanted);
                let folder = if path.is_file() {
                    path.parent().unwrap_or(Path::new("."))
                } else {
                    path
                };
                if !has_programs(folder) {
                    let folder = path.display().to_string();
                    return Err(GdalError::NotThere { folder });
                }
                Self::of(Some(folder.to_owned()))?
            }
            None if child_process::is_installed("gdalinfo") => Self::of(None)?,
            None => {
                let mut folders = usual_folders().into_iter();
                let folder = folders.find(|folder| has_programs(folder));
                Self::of(Some(folder.ok_or(GdalError::Missing)?))?
            }
        };
        *found = Some((wanted, gdal.clone()));
        Ok(gdal)
    }

    fn of(folder: Option<PathBuf>) -> Result<Self, GdalError> {
        let mut gdal = Self {
            folder,
            version: String::new(),
        };
        let seconds = Duration::from_secs(20);
        let output = gdal.run("gdalinfo", ["--version"], 0, seconds, &Job::new())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let version = text.split_whitespace().nth(1).unwrap_or_default();
        gdal.version = version.trim_end_matches(',').to_owned();
        let mut numbers = gdal.version.split('.').map_while(|part| part.parse().ok());
        match numbers.next().zip(numbers.next()) {
            Some(version) if version >= OLDEST => Ok(gdal),
            _ => Err(GdalError::TooOld {
                version: gdal.version,
            }),
        }
    }

    /// The version of GDAL, such as `3.6.2`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Run a program to its end.
    ///
    /// `memory` is the memory for samples, in bytes. The program is stopped after `silence` without any
    /// output.
    ///
    /// # Errors
    /// The program cannot be started, fails, writes a line that begins with `ERROR`, takes too long, or the
    /// job is cancelled.
    pub fn run<I: AsRef<OsStr>>(
        &self,
        program: &str,
        arguments: impl IntoIterator<Item = I>,
        memory: u64,
        silence: Duration,
        job: &Job,
    ) -> Result<ProcessOutput, GdalError> {
        let mut command = self.command(program, memory);
        command.args(arguments);
        let child = ChildProcess::start(&mut command, limits(silence));
        checked(child.and_then(|child| match program {
            "gdal_translate" | "gdalwarp" => child.with_progress(share_done).finish(job),
            _ => child.finish(job),
        }))
    }

    /// Run a program as [`Gdal::run`] does, with a text on standard input and without memory for samples.
    ///
    /// # Errors
    /// As [`Gdal::run`].
    pub fn run_with_input<I: AsRef<OsStr>>(
        &self,
        program: &str,
        arguments: impl IntoIterator<Item = I>,
        input: String,
        job: &Job,
    ) -> Result<ProcessOutput, GdalError> {
        let mut command = self.command(program, 0);
        command.args(arguments);
        let limits = limits(Duration::from_secs(20));
        let child = ChildProcess::start_with_input(&mut command, limits);
        let output = child.and_then(|mut child| {
            child.write(input.into_bytes(), job)?;
            child.finish(job)
        });
        checked(output)
    }

    fn command(&self, program: &str, memory: u64) -> Command {
        let name = format!("{program}{}", env::consts::EXE_SUFFIX);
        let path = match &self.folder {
            Some(folder) => folder.join(name),
            None => PathBuf::from(name),
        };
        let mut command = limited(&path, memory);
        for (name, value) in [
            ("LC_ALL", "C"),
            ("GDAL_SKIP", NETWORK_DRIVERS),
            ("CPL_VSIL_CURL_ALLOWED_FILENAME", "/none"),
            ("PROJ_NETWORK", "OFF"),
            ("GDAL_HTTP_PROXY", NO_PROXY),
            // A VRT may contain Python code.
            ("GDAL_VRT_ENABLE_PYTHON", "NO"),
            ("GDAL_CACHEMAX", CACHE_MB),
            // The default type of ASCII grids is too small for many digits.
            ("AAIGRID_DATATYPE", "Float64"),
            // Report compound systems, so that the vertical part is included.
            ("GTIFF_REPORT_COMPD_CS", "YES"),
        ] {
            command.env(name, value);
        }
        for name in ["http_proxy", "https_proxy", "all_proxy"] {
            command.env(name, NO_PROXY);
            command.env(name.to_uppercase(), NO_PROXY);
        }
        command
            .env_remove("CPL_DEBUG")
            .env_remove("GDAL_DRIVER_PATH");
        // An installation outside the usual places has its own data tables nearby.
        for folder in self
            .folder
            .iter()
            .flat_map(|folder| folder.ancestors().skip(1).take(3))
        {
            for (name, below) in [
                ("GDAL_DATA", "share/gdal"),
                ("GDAL_DATA", "Resources/gdal"),
                ("PROJ_LIB", "share/proj"),
                ("PROJ_LIB", "Resources/proj"),
            ] {
                let tables = folder.join(below);
                if tables.is_dir() && !command.get_envs().any(|(set, _)| set == name) {
                    command.env(name, tables);
                }
            }
        }
        command
    }
}

/// Command for a program whose address space is limited to its own needs and twice `memory`.
///
/// Without the limit, a broken file that claims a huge size could use up all memory.
#[cfg(unix)]
fn limited(program: &Path, memory: u64) -> Command {
    let kilobytes = (ADDRESSES + memory.saturating_mul(2)) >> 10;
    let mut command = Command::new("sh");
    let script = format!("ulimit -v {kilobytes} 2>/dev/null; exec \"$0\" \"$@\"");
    command.arg("-c").arg(script).arg(program);
    command
}

#[cfg(not(unix))]
fn limited(program: &Path, _: u64) -> Command {
    Command::new(program)
}

/// Parse the progress output of GDAL's programs, `0...10...20` and so on to 100, to a share from 0 to 1.
fn share_done(output: &[u8]) -> f32 {
    // The lines before the last one are about the file.
    let last = output.rsplit(|byte| *byte == b'\n').next();
    let last = String::from_utf8_lossy(last.unwrap_or_default());
    let percents = last
        .split('.')
        .filter_map(|word| word.trim().parse::<u8>().ok());
    f32::from(percents.max().unwrap_or(0).min(100)) / 100.0
}

fn limits(silence: Duration) -> ProcessLimits {
    ProcessLimits {
        silence,
        output: 16 << 20,
        ..ProcessLimits::default()
    }
}

/// Turn an `ERROR` line on standard error into an error; otherwise return the output.
fn checked(output: Result<ProcessOutput, ProcessError>) -> Result<ProcessOutput, GdalError> {
    let (output, failed) = match output {
        Ok(output) => (output, None),
        Err(ProcessError::Cancelled(cancelled)) => return Err(cancelled.into()),
        Err(ProcessError::Failed { words, stderr, .. }) => {
            let output = ProcessOutput {
                stderr,
                ..ProcessOutput::default()
            };
            (output, Some(words))
        }
        Err(error) => {
            let words = error.to_string();
            return Err(GdalError::Failed { words });
        }
    };
    let text = String::from_utf8_lossy(&output.stderr);
    // PROJ's errors about a system do not matter if the program has succeeded.
    let is_error = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("ERROR") && (failed.is_some() || !line.contains(": PROJ: "))
    };
    let words = text.lines().find(is_error).map(plain_error);
    match words.or(failed) {
        Some(words) => Err(GdalError::Failed { words }),
        None => Ok(output),
    }
}

/// Strip the number from a line such as `ERROR 4: some words`.
fn plain_error(line: &str) -> String {
    let words = line.split_once(": ").map_or(line, |(_, words)| words);
    words.trim().trim_end_matches('.').to_owned()
}

fn has_programs(folder: &Path) -> bool {
    let name = format!("gdalinfo{}", env::consts::EXE_SUFFIX);
    folder.join(name).is_file()
}

/// Folders where installers put GDAL's programs without adding them to PATH.
fn usual_folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = [
        "/usr/bin",
        "/usr/local/bin",
        "/opt/homebrew/bin",
        "/opt/local/bin",
    ]
    .map(PathBuf::from)
    .into();
    if cfg!(windows) {
        folders = ["C:\\OSGeo4W\\bin", "C:\\OSGeo4W64\\bin"]
            .map(PathBuf::from)
            .into();
        folders.extend(installed_below("C:\\Program Files", "QGIS", "bin"));
    }
    if cfg!(target_os = "macos") {
        folders.extend(installed_below(
            "/Applications",
            "QGIS",
            "Contents/MacOS/bin",
        ));
        folders.extend(installed_below("/Applications", "QGIS", "Contents/MacOS"));
    }
    folders
}

/// Paths `below` in the folders of `parent` whose names begin with `name`, the last in sorted order first.
fn installed_below(parent: &str, name: &str, below: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    let is_one = |path: &PathBuf| {
        path.file_name()
            .is_some_and(|n| n.to_string_lossy().starts_with(name))
    };
    let mut found: Vec<_> = entries.map(|entry| entry.path()).filter(is_one).collect();
    found.sort();
    found.iter().rev().map(|path| path.join(below)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_the_last_percentage() {
        for (output, share) in [
            ("", 0.0),
            ("Input file size is 40, 30\n", 0.0),
            ("Input file size is 40, 30\n0...10...20..", 0.2),
            (
                "0...10...20...30...40...50...60...70...80...90...100 - done",
                0.9,
            ),
        ] {
            assert_eq!(share_done(output.as_bytes()), share, "{output}");
        }
    }
}
