//! GDAL's programs: `gdalinfo`, `gdal_translate`, `gdalwarp` and `gdaltransform`, found on this system and
//! run within limits.
//!
//! GDAL and PROJ know some two hundred formats and every coordinate reference system. They are run as
//! programs, as films are by `ffmpeg`: nothing of them is linked, a crash of theirs is an error line of
//! ours, and Landform works without them.
//!
//! A file may name others, or a server. So no driver that talks to a network is loaded, PROJ fetches no
//! grids, `/vsicurl/` is allowed a single name that does not exist, and whatever asks for a proxy gets one
//! where nobody listens. Where a line of standard error begins with `ERROR`, the run has failed, whatever
//! its exit status: a VRT whose source is missing is all zeros to `gdal_translate`, with success.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::child_process::{self, ChildProcess, ProcessError, ProcessLimits, ProcessOutput};
use crate::job::{Cancelled, Job};
use crate::language::tr;

mod crs;
mod info;

pub use crs::{Crs, keys_file, lengths_on_ground};
pub use info::{Band, Info, info};

/// The oldest version whose programs write what is read here.
const OLDEST: (u32, u32) = (3, 4);
/// The variable that names a folder with GDAL's programs, or one of them.
pub const VARIABLE: &str = "LANDFORM_GDAL";
/// Drivers that connect to a server.
const NETWORK_DRIVERS: &str = "WMS WMTS WCS HTTP STACTA STACIT EEDAI EEDA DAAS PLMOSAIC PLSCENES OGCAPI \
                               PostGISRaster NGW Rasdaman RASDAMAN";
/// A proxy that refuses every connection: port 9 is that of the discard protocol.
const NO_PROXY: &str = "http://127.0.0.1:9";
/// Megabytes of blocks that GDAL keeps.
const CACHE_MB: &str = "128";
/// Address space that the programs need before they hold a sample: their libraries, mostly.
#[cfg(unix)]
const ADDRESSES: u64 = 3 << 30;

/// Why GDAL did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum GdalError {
    /// Its programs are not installed.
    #[error("{}", how_to_install())]
    Missing,
    /// The variable names a folder that does not have them.
    #[error("{}", tr!("{VARIABLE} is {folder}, where there is no gdalinfo", VARIABLE, folder))]
    NotThere {
        /// What the variable says.
        folder: String,
    },
    /// They are too old.
    #[error("{}", tr!("GDAL {version} is too old, needed is 3.4 or newer", version))]
    TooOld {
        /// The version that was found.
        version: String,
    },
    /// One of them failed.
    #[error("{}", tr!("GDAL: {words}", words))]
    Failed {
        /// Its first line of error.
        words: String,
    },
    /// Nobody wants the result any more.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// How GDAL's programs are installed on this system, in a few words.
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
    /// Where they lie; `None` where the system finds them.
    folder: Option<PathBuf>,
    version: String,
}

/// The installation found last, with what [`VARIABLE`] was.
static FOUND: Mutex<Option<(Option<OsString>, Gdal)>> = Mutex::new(None);

impl Gdal {
    /// GDAL's programs in the folder that [`VARIABLE`] names, else in PATH, else where OSGeo4W, QGIS and
    /// Homebrew put them. An installation that was found is remembered; one that was not is looked for again.
    ///
    /// # Errors
    /// There are none, or they are older than 3.4.
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

    /// Its version, such as `3.6.2`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Runs one of its programs to its end. `memory` is what it may need for samples, in bytes; it is stopped
    /// after so much time without a word.
    ///
    /// # Errors
    /// It cannot be started, fails, writes a line that begins with `ERROR`, takes too long, or the job is
    /// cancelled.
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
        checked(child.and_then(|child| child.with_progress(share_done).finish(job)))
    }

    /// As [`Gdal::run`], with a text on standard input.
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
            ("GDAL_VRT_ENABLE_PYTHON", "NO"),
            ("GDAL_CACHEMAX", CACHE_MB),
            ("AAIGRID_DATATYPE", "Float64"),
            // What heights are, too.
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
        // An installation outside the usual places has its own tables beside it.
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

/// The program, in an address space of so many bytes beyond its own needs: a broken file may promise
/// samples without end.
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

/// Parse the progress that GDAL's programs write, `0...10...20` and so on to 100.
fn share_done(output: &[u8]) -> f32 {
    let text = String::from_utf8_lossy(output);
    // The lines before it are about the file.
    let last = text.lines().last().unwrap_or_default();
    let percents = last
        .split('.')
        .filter_map(|word| word.trim().parse::<u8>().ok());
    f32::from(percents.last().unwrap_or(0).min(100)) / 100.0
}

fn limits(silence: Duration) -> ProcessLimits {
    ProcessLimits {
        silence,
        output: 16 << 20,
        ..ProcessLimits::default()
    }
}

/// What a program wrote, unless it wrote an error.
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
    // What PROJ does not know of a system is no error of a file that was read all the same.
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

/// `ERROR 4: some words` without its number.
fn plain_error(line: &str) -> String {
    let words = line.split_once(": ").map_or(line, |(_, words)| words);
    words.trim().trim_end_matches('.').to_owned()
}

fn has_programs(folder: &Path) -> bool {
    let name = format!("gdalinfo{}", env::consts::EXE_SUFFIX);
    folder.join(name).is_file()
}

/// Where installers put GDAL's programs without adding them to PATH.
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

/// The folders `below` those in `parent` whose names begin with `name`, the newest version first.
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
