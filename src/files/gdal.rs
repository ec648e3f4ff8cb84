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

use serde_json::Value;

use crate::terrain::geo::{Ellipsoid, Unit};
use crate::util::child_process::{self, ChildProcess, ProcessError, ProcessLimits, ProcessOutput};
use crate::util::job::{Cancelled, Job};
use crate::util::language::tr;

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
    #[error("{}", tr!("{VARIABLE} is {folder}, which does not contain gdalinfo", VARIABLE, folder))]
    NotThere {
        /// The value of the variable.
        folder: String,
    },
    /// The installed version is too old.
    #[error("{}", tr!("GDAL {version} is too old; 3.4 or newer is needed", version))]
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

// Coordinate reference systems read through GDAL and PROJ: coordinate unit, ellipsoid, and ground lengths.

/// Coordinate reference system, parsed from its well-known text (WKT2, ISO 19162).
#[derive(Clone, Debug, PartialEq)]
pub struct Crs {
    /// The well-known text.
    pub wkt: String,
    /// The unit of the coordinates.
    pub unit: Unit,
    /// The ellipsoid, if the system has one.
    pub ellipsoid: Option<Ellipsoid>,
    /// Metres per unit of height, if the system has heights.
    pub height_unit_m: Option<f64>,
    /// True if the heights are depths, positive downwards.
    pub is_depth: bool,
    /// The name of the system.
    pub name: String,
}

impl Crs {
    /// Parse a well-known text; `None` if the system does not have two horizontal axes.
    #[must_use]
    pub fn of_wkt(wkt: &str) -> Option<Self> {
        let (horizontal, vertical) = match wkt.find("VERTCRS[") {
            Some(at) => wkt.split_at(at),
            None => (wkt, ""),
        };
        // A bound system contains its own definition first, then its target.
        let horizontal = horizontal.split("TARGETCRS[").next()?;
        let axes = horizontal
            .find("CS[Cartesian,2]")
            .or(horizontal.find("CS[ellipsoidal"))?;
        let axes = &horizontal[axes..];
        let positive = |number: &f64| *number > 0.0 && number.is_finite();
        let factor = |word| numbers_of(axes, word).first().copied().filter(positive);
        let unit = if axes.starts_with("CS[ellipsoidal") {
            Unit::Degrees(rounded(factor("ANGLEUNIT[")?.to_degrees()))
        } else {
            Unit::Metres(factor("LENGTHUNIT[")?)
        };
        // Some ellipsoids are given in feet.
        let body = horizontal
            .split_once("ELLIPSOID[")
            .map_or("", |(_, body)| body);
        let unit_of_body = numbers_of(body, "LENGTHUNIT[")
            .first()
            .copied()
            .unwrap_or(1.0);
        let ellipsoid = match numbers_of(horizontal, "ELLIPSOID[")[..] {
            [axis, inverse_flattening, ..] => Some(Ellipsoid {
                semi_major_m: axis * unit_of_body,
                inverse_flattening,
            }),
            _ => None,
        };
        let height_unit_m = numbers_of(vertical, "LENGTHUNIT[").last().copied();
        Some(Self {
            wkt: wkt.to_owned(),
            unit,
            ellipsoid: ellipsoid.filter(|body| positive(&body.semi_major_m)),
            height_unit_m: height_unit_m.filter(positive),
            is_depth: vertical.contains(",down,"),
            name: wkt.split('"').nth(1).unwrap_or_default().to_owned(),
        })
    }
}

/// Remove the rounding error of a factor in degrees: sixteen digits of radians do not give exactly 1.
fn rounded(factor: f64) -> f64 {
    let whole = (factor * 1e9).round() / 1e9;
    if (factor - whole).abs() < 1e-12 {
        whole
    } else {
        factor
    }
}

/// Parse the numbers after the name in the first element of a kind: `WORD["name",1,2,…`.
fn numbers_of(text: &str, word: &str) -> Vec<f64> {
    let Some((_, rest)) = text.split_once(word) else {
        return Vec::new();
    };
    let after_name = rest.split('"').nth(2).unwrap_or_default();
    let parts = after_name.trim_start_matches(',').split([',', ']', '[']);
    parts.map_while(|part| part.trim().parse().ok()).collect()
}

/// Ground lengths, in metres, of a step east and a step south at a point, both given in units of the system.
///
/// A geographic system needs only the ellipsoid. For a projected system, PROJ computes longitudes and
/// latitudes of four points around the given one, on the system's own ellipsoid.
///
/// # Errors
/// PROJ cannot map the point to the ground.
pub fn lengths_on_ground(
    gdal: &Gdal,
    crs: &Crs,
    [x, y]: [f64; 2],
    [east, south]: [f64; 2],
    job: &Job,
) -> Result<[f64; 2], GdalError> {
    let no_place = || GdalError::Failed {
        words: format!("{} has no place on the ground at {x}, {y}", crs.name),
    };
    let ellipsoid = match (crs.ellipsoid, crs.unit) {
        (Some(ellipsoid), Unit::Metres(_)) => ellipsoid,
        // An engineering system is a plane without an ellipsoid.
        (None, Unit::Metres(unit)) => return Ok([east, south].map(|step| step.abs() * unit)),
        (ellipsoid, Unit::Degrees(unit)) => {
            let degree = ellipsoid.ok_or_else(no_place)?.metres_of_degree(y * unit);
            return Ok([
                east.abs() * unit * degree[0],
                south.abs() * unit * degree[1],
            ]);
        }
    };
    let points = [
        [x - east / 2.0, y],
        [x + east / 2.0, y],
        [x, y - south / 2.0],
        [x, y + south / 2.0],
    ];
    let input: String = points
        .iter()
        .map(|[x, y]| format!("{x:.17e} {y:.17e}\n"))
        .collect();
    let body = match ellipsoid.inverse_flattening {
        0.0 => format!("+R={}", ellipsoid.semi_major_m),
        inverse => format!("+a={} +rf={inverse}", ellipsoid.semi_major_m),
    };
    let target = format!("+proj=longlat {body} +no_defs");
    let arguments = ["-s_srs", &crs.wkt, "-t_srs", &target];
    let output = gdal.run_with_input("gdaltransform", arguments, input, job)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let place = |line: &str| {
        let mut numbers = line.split_whitespace().map(str::parse::<f64>);
        let place = [numbers.next()?.ok()?, numbers.next()?.ok()?];
        place.iter().all(|n| n.is_finite()).then_some(place)
    };
    let places: Vec<[f64; 2]> = text.lines().filter_map(place).collect();
    let [west, east, north, south] = places[..] else {
        return Err(no_place());
    };
    let length = |from: [f64; 2], to: [f64; 2]| {
        let degree = ellipsoid.metres_of_degree((from[1] + to[1]) / 2.0);
        // A step may cross the 180th meridian.
        let across = (to[0] - from[0] + 540.0).rem_euclid(360.0) - 180.0;
        (across * degree[0]).hypot((to[1] - from[1]) * degree[1])
    };
    let lengths = [length(west, east), length(north, south)];
    if lengths
        .iter()
        .all(|length| *length > 0.0 && length.is_finite())
    {
        Ok(lengths)
    } else {
        Err(no_place())
    }
}

/// Write a small GeoTIFF with a given coordinate reference system, so that its tags hold the system as
/// GeoTIFF keys.
///
/// The system can be any code or text that GDAL accepts.
///
/// # Errors
/// GDAL does not support the system, or the file cannot be written.
pub fn keys_file(
    gdal: &Gdal,
    system: &str,
    folder: &Path,
    job: &Job,
) -> Result<PathBuf, GdalError> {
    let (from, to) = (folder.join("system.asc"), folder.join("system.tif"));
    let grid = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n0 0\n0 0\n";
    std::fs::write(&from, grid).map_err(|error| GdalError::Failed {
        words: error.to_string(),
    })?;
    let options = ["-q", "-of", "GTiff", "-a_srs", system].map(OsStr::new);
    let arguments = options
        .into_iter()
        .chain([from.as_os_str(), to.as_os_str()]);
    gdal.run("gdal_translate", arguments, 0, Duration::from_secs(20), job)?;
    Ok(to)
}

// Parser for the output of `gdalinfo -json`: grid size, geotransform, coordinate reference system and bands
// of a file.

/// Description of a raster file by GDAL.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// The name of GDAL's driver for the format.
    pub driver: String,
    /// The number of columns.
    pub columns: u64,
    /// The number of rows.
    pub rows: u64,
    /// The geotransform, from columns and rows to coordinates: x, its change per column and per row, then y,
    /// its change per column and per row.
    pub transform: Option<[f64; 6]>,
    /// The coordinate reference system.
    pub crs: Option<Crs>,
    /// True if the file states a system, even one that could not be parsed.
    pub states_system: bool,
    /// True if the file has ground control points or geolocation arrays.
    pub has_points: bool,
    /// The bands of the file.
    pub bands: Vec<Band>,
    /// The names of all files of the data set.
    pub files: Vec<String>,
    /// Names and descriptions of the subdatasets or pages.
    pub parts: Vec<(String, String)>,
    /// The file's own metadata items, as name and value.
    pub items: Vec<(String, String)>,
    /// True if the lowest grey value is white.
    pub is_min_white: bool,
}

/// Raster band: one grid of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Band {
    /// The sample type, such as `Int16`.
    pub kind: String,
    /// The colour interpretation, such as `Red` or `Palette`.
    pub color: String,
    /// The unit of the samples as GDAL gives it; empty if there is none.
    pub unit: String,
    /// Scale and offset: stored values are multiplied by the first, then the second is added.
    pub scale: Option<(f64, f64)>,
    /// True if some samples may hold no data.
    pub may_miss_data: bool,
    /// The band's metadata items, as name and value.
    pub items: Vec<(String, String)>,
}

impl Band {
    /// Bytes per sample of the float type that the band is decoded to: 4 or 8.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        if matches!(
            self.kind.as_str(),
            "Byte" | "Int8" | "Int16" | "UInt16" | "Float16" | "Float32"
        ) {
            4
        } else {
            8
        }
    }

    /// The value of a metadata item; the case of the name is ignored.
    #[must_use]
    pub fn item(&self, name: &str) -> Option<&str> {
        let found = |(key, _): &&(String, String)| key.eq_ignore_ascii_case(name);
        (self.items.iter().find(found)).map(|(_, value)| value.as_str())
    }
}

/// Run `gdalinfo` on a file or on a subdataset. Returns the parsed description and the JSON text.
///
/// # Errors
/// GDAL does not support the format, or the file is broken.
pub fn info(gdal: &Gdal, name: &OsStr, job: &Job) -> Result<(Info, String), GdalError> {
    // GDAL reads some text formats to the end to find their size.
    let length = std::fs::metadata(Path::new(name)).map_or(0, |found| found.len());
    let silence = Duration::from_secs(8 + (length >> 23));
    let arguments = ["-json".as_ref(), "-norat".as_ref(), "-noct".as_ref(), name];
    let output = gdal.run("gdalinfo", arguments, length.min(1 << 30), silence, job)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let info = Info::of_text(&text).ok_or_else(|| GdalError::Failed {
        words: "gdalinfo does not say what the file holds".to_owned(),
    })?;
    Ok((info, text))
}

impl Info {
    /// The same bands and items on the grid of another file.
    #[must_use]
    pub fn lying_as(self, other: Self) -> Self {
        Self {
            bands: self.bands,
            items: self.items,
            ..other
        }
    }

    /// Parse the output of `gdalinfo -json`.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        parse(&serde_json::from_str(&without_bare_numbers(text)).ok()?)
    }
}

/// Replace NaN and infinity by null: GDAL writes both, although JSON has neither.
fn without_bare_numbers(text: &str) -> String {
    let mut plain = text.to_owned();
    for bare in ["-nan", "nan", "NaN", "-inf", "inf", "-Infinity", "Infinity"] {
        for end in [",", "\n"] {
            plain = plain.replace(&format!(":{bare}{end}"), &format!(":null{end}"));
        }
    }
    plain
}

fn parse(value: &Value) -> Option<Info> {
    let size = |at: usize| value["size"][at].as_u64();
    let transform = value["geoTransform"].as_array().and_then(|numbers| {
        let numbers: Vec<f64> = numbers.iter().filter_map(Value::as_f64).collect();
        <[f64; 6]>::try_from(numbers).ok()
    });
    let wkt = value["coordinateSystem"]["wkt"]
        .as_str()
        .unwrap_or_default();
    let metadata = &value["metadata"];
    let parts = metadata["SUBDATASETS"].as_object().map(|parts| {
        let part = |index: usize| {
            let text = |end: &str| {
                Some(
                    parts
                        .get(&format!("SUBDATASET_{index}_{end}"))?
                        .as_str()?
                        .to_owned(),
                )
            };
            Some((text("NAME")?, text("DESC").unwrap_or_default()))
        };
        (1..).map_while(part).collect()
    });
    let files = value["files"].as_array().into_iter().flatten();
    let files = files.filter_map(|file| Some(file.as_str()?.to_owned()));
    Some(Info {
        files: files.collect(),
        driver: value["driverShortName"].as_str()?.to_owned(),
        columns: size(0)?,
        rows: size(1)?,
        transform,
        crs: Crs::of_wkt(wkt),
        states_system: !wkt.is_empty(),
        has_points: !value["gcps"].is_null() || !metadata["GEOLOCATION"].is_null(),
        bands: value["bands"].as_array()?.iter().map(band).collect(),
        parts: parts.unwrap_or_default(),
        items: items(&metadata[""]),
        is_min_white: metadata["IMAGE_STRUCTURE"]["MINISWHITE"] == "YES",
    })
}

fn band(value: &Value) -> Band {
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let (scale, offset) = (value["scale"].as_f64(), value["offset"].as_f64());
    let scale = (scale.unwrap_or(1.0), offset.unwrap_or(0.0));
    Band {
        kind: text("type"),
        color: text("colorInterpretation"),
        unit: text("unit"),
        scale: (scale != (1.0, 0.0)).then_some(scale),
        may_miss_data: value.get("noDataValue").is_some() || value.get("mask").is_some(),
        items: items(&value["metadata"][""]),
    }
}

fn items(value: &Value) -> Vec<(String, String)> {
    let items = value.as_object().into_iter().flatten();
    let item = |(name, value): (&String, &Value)| {
        (name.clone(), value.as_str().unwrap_or_default().to_owned())
    };
    items.map(item).collect()
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
