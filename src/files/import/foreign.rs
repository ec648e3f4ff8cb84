//! Import through GDAL: decoding of files that the built-in readers do not support.
//!
//! `gdalinfo` describes the file; `gdal_translate` writes one band as floats, and its mask, **on the file's
//! own grid**. Only rotated grids, and maps placed by control points, are resampled by `gdalwarp`.
//!
//! ```text
//! file ─► gdalinfo ─► size, system, unit, bands, pages ─┐
//!      ─► gdal_translate ─► numbers.tif, mask.tif ──────┴─► Raster ─► rule ─► heights
//! ```
//! Decoded files are cached in the user's cache folder. The key is a checksum of the file, its companions,
//! the import options and GDAL's version. Thus GDAL runs once per file, not at every change of a setting.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::brightness::{self, Pixels};
use super::decoded_cache::{self, check_sources};
use super::file::read_text;
use super::place::{Placed, System, metres_of, place};
use super::reader::{
    Broken, FileContext, Metadata, Numbers, Raster, Source, check_memory, check_size,
};
use super::tiff;
use crate::files::formats::checksum::checksum_at;
use crate::files::gdal::{Band, Crs, Gdal, GdalError, Info, info, keys_file, lengths_on_ground};
use crate::generate::{InputCoding, Reading};
use crate::terrain::geo::{Ellipsoid, Georeference, Keys, Unit};
use crate::util::job::Job;
use crate::util::language::tr;

/// Names of height variables in a file with several, in order of preference: GEBCO's, GMT's, others'.
const NAMES: &[&str] = &[
    "elevation",
    "z",
    "band1",
    "topo",
    "height",
    "altitude",
    "dem",
    "depth",
];
/// Parts of standard names that mean depths, positive downwards.
const DEPTHS: &[&str] = &["sea_floor_depth", "depth_below", "bathymetric_depth"];
/// The largest scale error of a projected system whose grid metres are taken as ground metres, as is usual
/// for national grids.
const GRID_ERROR: f64 = 0.005;
/// The EPSG code assumed for longitude and latitude axes of netCDF.
const WGS_84: u16 = 4326;
/// The time without output after which a decoding program is stopped.
const SILENCE: Duration = Duration::from_secs(300);

/// Reasons why GDAL has not decoded a file.
pub enum NotDecoded {
    /// GDAL is not installed, or too old.
    NoGdal(GdalError),
    /// Decoding failed.
    Failed(Broken),
}

impl From<GdalError> for NotDecoded {
    fn from(error: GdalError) -> Self {
        Self::Failed(match error {
            GdalError::Cancelled(_) => Broken::wrong(tr("cancelled")),
            error => Broken::wrong(error),
        })
    }
}

impl From<Broken> for NotDecoded {
    fn from(error: Broken) -> Self {
        Self::Failed(error)
    }
}

impl From<std::io::Error> for NotDecoded {
    fn from(error: std::io::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Metadata of a decoded file, kept in the cache.
#[derive(Debug, Deserialize, Serialize)]
struct Facts {
    /// The short name of GDAL's driver.
    driver: String,
    /// The output of `gdalinfo` for the file.
    info: String,
    /// The same for the output of `gdalwarp`, which has another grid and no unit.
    turned: Option<String>,
    /// The band, from 1.
    band: usize,
    /// The sample spacing on the ground, eastwards and southwards, in metres.
    step_m: Option<[f64; 2]>,
    /// The coordinate reference system as well-known text in the ESRI dialect.
    system: String,
    /// Notices for the user.
    notices: Vec<Notice>,
    /// Other files that GDAL has read, each with its length and checksum.
    others: Vec<(PathBuf, u64, String)>,
}

/// Notice for the user about a decoded file. The cache keeps its values, not its text, so the text is always
/// in the current language.
#[derive(Debug, Deserialize, Serialize)]
enum Notice {
    /// One of several subdatasets or pages was selected; its number, from 1.
    Part {
        number: usize,
        count: usize,
        description: String,
    },
    /// One of several bands was selected, from 1.
    Band { band: usize, bands: usize },
    /// The grid was rotated or sheared, and has been resampled.
    Turned,
    /// The grid was placed by control points, and has been resampled.
    Points,
    /// The spacing on the ground at the centre of the map, in metres, eastwards and southwards.
    Spacing { crs: String, step_m: [f64; 2] },
}

impl Notice {
    fn text(&self) -> String {
        match self {
            Self::Part {
                number,
                count,
                description,
            } => tr!(
                "map {number} of {count} in it is used ({description}); choose another with --input-band",
                number,
                count,
                description
            ),
            Self::Band { band, bands } => tr!(
                "band {band} of its {bands} bands is used; choose another with --input-band",
                band,
                bands
            ),
            Self::Turned => tr!(
                "its rows do not run eastwards: gdalwarp has turned and resampled it (bilinear)"
            ),
            Self::Points => tr!(
                "it is placed by control points: gdalwarp has resampled it to a grid (bilinear)"
            ),
            Self::Spacing { crs, step_m } => {
                let [east, south] = step_m.map(|metres| (metres * 1e4).round() / 1e4);
                tr!(
                    "in its middle, samples are {east} m apart eastwards and {south} m southwards on \
                     the ground ({crs})",
                    crs,
                    east,
                    south
                )
            }
        }
    }
}

/// Decode a file with GDAL, or read it from the cache.
pub fn decode(path: &Path, context: FileContext<'_>, job: &Job) -> Result<Raster, NotDecoded> {
    let gdal = Gdal::find().map_err(NotDecoded::NoGdal)?;
    let path = fs::canonicalize(path)?;
    check_sources(&path, context.reading.sources, &mut Vec::new())?;
    let folder = decoded_cache::folder_of(&gdal, &path, context.reading);
    if let Some(raster) = folder
        .as_deref()
        .and_then(|folder| read_back(folder, context, &gdal))
    {
        return Ok(raster);
    }
    let work = tempfile::tempdir()?;
    let facts = translate(&gdal, &path, context.reading, work.path(), job)?;
    let text = serde_json::to_string(&facts).map_err(Broken::wrong)?;
    fs::write(work.path().join("facts.json"), text)?;
    let raster = read_back(work.path(), context, &gdal);
    let raster = raster.ok_or_else(|| Broken::wrong("what GDAL has decoded cannot be read"))?;
    if let Some(folder) = folder {
        // Writing to the cache may fail; the raster is complete without it.
        let _ = decoded_cache::store(work, &folder);
    }
    Ok(raster)
}

/// The version of GDAL and the checksum of the decoded samples; `None` if the file is not in the cache.
pub fn decoder_of(path: &Path, reading: &Reading) -> Option<String> {
    // With an empty cache, the search for GDAL can be skipped.
    let cached = fs::read_dir(decoded_cache::cache_folder()?).ok()?.next()?;
    cached.ok()?;
    let gdal = Gdal::find().ok()?;
    let folder = decoded_cache::folder_of(&gdal, &fs::canonicalize(path).ok()?, reading)?;
    let (length, sum) = checksum_at(&folder.join("numbers.tif"))?;
    Some(format!("GDAL {} {length} {sum}", gdal.version()))
}

/// Calls of `gdal_translate` and `gdalwarp` for one file or subdataset, into a working folder.
struct Translation<'a> {
    gdal: &'a Gdal,
    /// The path of the file, or GDAL's name of the subdataset.
    name: OsString,
    work: &'a Path,
    /// The size of the decoded samples, in bytes.
    bytes: u64,
    job: &'a Job,
}

impl Translation<'_> {
    /// Write one band, such as `1` or `mask,1`, as an uncompressed GeoTIFF of numbers of one type.
    fn band(&self, band: &str, kind: &str, to: &str, more: &str) -> Result<(), GdalError> {
        let options = format!(
            "-of GTiff -ot {kind} -b {band} -co BIGTIFF=IF_SAFER -co PHOTOMETRIC=MINISBLACK {more}"
        );
        self.run("gdal_translate", &options, &self.name, to, self.bytes)
    }

    /// Resample a rotated, sheared or point-placed grid to an upright one, bilinearly.
    fn warp(&self, from: &str, to: &str) -> Result<(), GdalError> {
        // Without the scales, gdalwarp averages samples where the target grid seems coarser.
        let options = "-of GTiff -r bilinear -dstnodata nan -wo XSCALE=1 -wo YSCALE=1";
        let from = self.work.join(from);
        self.run("gdalwarp", options, from.as_os_str(), to, self.bytes * 4)
    }

    fn run(
        &self,
        program: &str,
        options: &str,
        from: &OsStr,
        to: &str,
        memory: u64,
    ) -> Result<(), GdalError> {
        let to = self.work.join(to);
        let options = options.split_ascii_whitespace().map(OsStr::new);
        let arguments = options.chain([from, to.as_os_str()]);
        let output = self.gdal.run(program, arguments, memory, SILENCE, self.job);
        output.map(drop)
    }
}

/// Decode a file to `numbers.tif` and `mask.tif`; colour-coded heights to three files, one per channel.
fn translate(
    gdal: &Gdal,
    path: &Path,
    reading: &Reading,
    work: &Path,
    job: &Job,
) -> Result<Facts, NotDecoded> {
    let mut notices = Vec::new();
    let (whole, text) = info(gdal, path.as_os_str(), job)?;
    let (files, driver) = (whole.files.clone(), whole.driver.clone());
    let mut wanted = reading.band().map_err(Broken::wrong)?;
    let is_pages = driver == "GTiff" && whole.parts.len() > 1;
    let (name, mut found, text) = if is_pages || whole.bands.is_empty() {
        let (part, notice) = part_of(gdal, &whole, wanted.take(), job)?;
        notices.push(notice);
        let (found, text) = info(gdal, &part, job)?;
        (part, found, text)
    } else {
        (path.as_os_str().to_owned(), whole, text)
    };
    let is_coded = reading.coding != InputCoding::None;
    let is_picture = is_coded || (wanted.is_none() && is_picture(&found.bands));
    let band = band_of(&found, wanted, is_picture, &mut notices)?;
    let of_band = &found.bands[band - 1];
    if is_coded && (found.bands.len() < 3 || of_band.kind != "Byte") {
        let name = reading.coding.name();
        let words = tr!(
            "--input-coding {name} needs colours with 8 bits per channel",
            name
        );
        return Err(Broken::wrong(words).into());
    }
    let (columns, rows) = (found.columns, found.rows);
    // A picture is held as three channels and as its pixels.
    let each = of_band.bytes() * if is_picture { 4 } else { 1 };
    check_size(columns, rows)?;
    check_memory(columns, rows, each)?;
    let bytes = columns * rows * (each + 1);
    check_disk(work, bytes)?;
    let translation = Translation {
        gdal,
        name,
        work,
        bytes,
        job,
    };
    let channels: &[(usize, &str)] = match is_picture {
        true => &[(1, "numbers.tif"), (2, "green.tif"), (3, "blue.tif")],
        false => &[(band, "numbers.tif")],
    };
    let mut turned = None;
    if let Some(notice) = why_warped(&found) {
        if is_coded {
            // Between two colours lies none of the heights between theirs.
            return Err(Broken::wrong(
                "its rows do not run eastwards, as those of colour-coded heights must; gdalwarp \
                 can turn them",
            )
            .into());
        }
        for (band, to) in channels {
            let mask = format!("-mask {band}");
            translation.band(&band.to_string(), "Float64", "turned.tif", &mask)?;
            translation.warp("turned.tif", to)?;
        }
        notices.push(notice);
        let (warped, text) = info(gdal, work.join("numbers.tif").as_os_str(), job)?;
        found = found.lying_as(warped);
        turned = Some(text);
    } else {
        let kind = match (of_band.color.as_str(), of_band.bytes()) {
            // A file of floats cannot have the palette.
            ("Palette", _) => &of_band.kind,
            (_, 4) => "Float32",
            _ => "Float64",
        };
        for (band, to) in channels {
            translation.band(&band.to_string(), kind, to, "-a_nodata none")?;
        }
    }
    if turned.is_none() && found.bands[band - 1].may_miss_data {
        translation.band(&format!("mask,{band}"), "Byte", "mask.tif", "")?;
    }
    // A spacing given by the user makes the ground length unnecessary.
    let step_m = if reading.spacing.is_empty() {
        ground_step(gdal, &found, &mut notices, job)?
    } else {
        None
    };
    let other = |name: &String| {
        let file = fs::canonicalize(name).ok().filter(|file| file != path)?;
        let (length, sum) = checksum_at(&file)?;
        Some((file, length, sum))
    };
    let system = match &found.crs {
        Some(crs) => esri_text(gdal, &crs.wkt, job)?,
        None => String::new(),
    };
    Ok(Facts {
        driver,
        info: text,
        turned,
        band,
        step_m,
        system,
        notices,
        others: files.iter().filter_map(other).collect(),
    })
}

fn is_color(band: &Band) -> bool {
    ["Red", "Green", "Blue", "Alpha"].contains(&band.color.as_str())
}

/// True if all bands are colours of 8 or 16 bits: a picture, whose heights are its brightness.
fn is_picture(bands: &[Band]) -> bool {
    let is_color_of_picture =
        |band: &Band| is_color(band) && ["Byte", "UInt16"].contains(&band.kind.as_str());
    bands.len() >= 3 && bands.iter().all(is_color_of_picture)
}

/// Select the band, counted from 1: the user's choice, else the first that is not a colour.
fn band_of(
    found: &Info,
    wanted: Option<usize>,
    is_picture: bool,
    notices: &mut Vec<Notice>,
) -> Result<usize, Broken> {
    let bands = found.bands.len();
    // Colour bands next to a band of numbers are only its picture.
    let of_numbers = found.bands.iter().position(|band| !is_color(band));
    let band = wanted.unwrap_or(of_numbers.unwrap_or(0) + 1);
    if band > bands {
        return Err(Broken::wrong(tr!(
            "--input-band is {band}, but the file has only {bands}",
            band,
            bands
        )));
    }
    // The palette of a min-is-white image holds all grey levels in falling order.
    if found.bands[band - 1].color == "Palette" && !found.is_min_white {
        let words = tr("its numbers are indices into a colour palette, not heights");
        return Err(Broken::wrong(words));
    }
    if bands > 1 && wanted.is_none() && !is_picture {
        notices.push(Notice::Band { band, bands });
    }
    Ok(band)
}

/// The reason why a grid must be warped; `None` for an upright grid.
fn why_warped(found: &Info) -> Option<Notice> {
    match found.transform {
        Some([_, east, b, _, d, _]) if (b, d) != (0.0, 0.0) || east <= 0.0 => Some(Notice::Turned),
        None if found.has_points => Some(Notice::Points),
        _ => None,
    }
}

/// Convert a system to well-known text in the ESRI dialect, which most programs read; unchanged if that
/// fails.
fn esri_text(gdal: &Gdal, system: &str, job: &Job) -> Result<String, NotDecoded> {
    let arguments = ["-o", "wkt_esri", "--single-line", system];
    let output = gdal.run("gdalsrsinfo", arguments, 0, Duration::from_secs(20), job);
    match output {
        Ok(output) => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        Err(GdalError::Cancelled(cancelled)) => Err(GdalError::Cancelled(cancelled).into()),
        Err(_) => Ok(system.to_owned()),
    }
}

/// Select a subdataset or page, and return its name and a notice.
///
/// The user's choice comes first, then the first part whose name means heights, then the first of the largest
/// parts.
fn part_of(
    gdal: &Gdal,
    whole: &Info,
    wanted: Option<usize>,
    job: &Job,
) -> Result<(OsString, Notice), NotDecoded> {
    /// The number of parts that are examined.
    const MOST: usize = 64;
    let parts = &whole.parts;
    let count = parts.len();
    let mut found = Vec::new();
    for (name, _) in parts.iter().take(MOST) {
        let part = info(gdal, OsStr::new(name), job);
        found.push(part.map_or(0, |part| part.0.columns * part.0.rows));
    }
    let of_name = |name: &str| {
        let last = name
            .rsplit([':', '/'])
            .next()
            .unwrap_or_default()
            .to_lowercase();
        NAMES.iter().position(|known| *known == last)
    };
    let largest = found.iter().copied().max().unwrap_or(0);
    let best = (0..found.len())
        .filter(|index| found[*index] > 1)
        .min_by_key(|index| {
            (
                of_name(&parts[*index].0).unwrap_or(NAMES.len()),
                found[*index] != largest,
                *index,
            )
        });
    let index = match wanted {
        Some(wanted) if wanted <= count => Some(wanted - 1),
        Some(wanted) => {
            let words = tr!(
                "--input-band is {band}, but the file has only {bands}",
                band = wanted,
                bands = count
            );
            return Err(Broken::wrong(words).into());
        }
        None => best,
    };
    let (name, description) = index
        .and_then(|index| parts.get(index))
        .ok_or_else(|| Broken::wrong("it holds no map"))?;
    let notice = Notice::Part {
        number: index.unwrap_or(0) + 1,
        count,
        description: description.trim().to_owned(),
    };
    Ok((OsString::from(name), notice))
}

fn no_spacing(words: impl ToString) -> NotDecoded {
    let words = tr!(
        "{words}; set the distance between its samples with --input-spacing",
        words = words.to_string()
    );
    Broken::wrong(words).into()
}

/// The sample spacing on the ground at the centre of the map, in metres; `None` if no system is known.
fn ground_step(
    gdal: &Gdal,
    info: &Info,
    notices: &mut Vec<Notice>,
    job: &Job,
) -> Result<Option<[f64; 2]>, NotDecoded> {
    let Some([x, east, _, y, _, south]) = info.transform else {
        return Ok(None);
    };
    let Some(crs) = crs_of(info) else {
        if info.states_system {
            return Err(no_spacing(
                "its coordinate reference system does not have two horizontal axes",
            ));
        }
        return Ok(None);
    };
    let middle = [
        x + east * info.columns as f64 / 2.0,
        y + south * info.rows as f64 / 2.0,
    ];
    let step =
        lengths_on_ground(gdal, &crs, middle, [east, south], job).map_err(|error| match error {
            GdalError::Cancelled(_) => error.into(),
            error => no_spacing(error),
        })?;
    let Unit::Metres(unit) = crs.unit else {
        return Ok(Some(step));
    };
    let of_grid = [east.abs() * unit, south.abs() * unit];
    let is_near = |(ground, grid): (&f64, &f64)| (ground / grid - 1.0).abs() < GRID_ERROR;
    if crs.ellipsoid.is_none() || unit == 1.0 && step.iter().zip(&of_grid).all(is_near) {
        return Ok(Some(of_grid));
    }
    notices.push(Notice::Spacing {
        crs: crs.name,
        step_m: step,
    });
    Ok(Some(step))
}

/// The system of a file; if it states none, the one that the units of netCDF's axes imply.
fn crs_of(info: &Info) -> Option<Crs> {
    const AXES: &[&str] = &[
        "x",
        "y",
        "lon",
        "lat",
        "longitude",
        "latitude",
        "easting",
        "northing",
    ];
    let of_axis = |(name, value): &(String, String)| {
        let axis = name.strip_suffix("#units")?;
        if value.starts_with("degree") {
            return Some(Unit::Degrees(1.0));
        }
        let is_axis = AXES.contains(&axis.to_lowercase().as_str());
        metres_of(value).filter(|_| is_axis).map(Unit::Metres)
    };
    let of_axes = || {
        let unit = info.items.iter().find_map(of_axis)?;
        let is_degrees = matches!(unit, Unit::Degrees(_));
        Some(Crs {
            wkt: String::new(),
            unit,
            ellipsoid: is_degrees.then_some(Ellipsoid::WGS_84),
            height_unit_m: None,
            is_depth: false,
            name: "WGS 84".to_owned(),
        })
    };
    info.crs.clone().or_else(of_axes)
}

/// Read decoded files back from a folder; `None` if they are incomplete or out of date.
fn read_back(folder: &Path, context: FileContext<'_>, gdal: &Gdal) -> Option<Raster> {
    let facts = read_text(&folder.join("facts.json"), 64 << 20).ok()?;
    let facts: Facts = serde_json::from_str(&facts).ok()?;
    let is_same = |(file, length, sum): &(PathBuf, u64, String)| {
        checksum_at(file).is_some_and(|found| found == (*length, sum.clone()))
    };
    if !facts.others.iter().all(is_same) {
        return None;
    }
    let read = |name: &str| {
        let path = folder.join(name);
        let length = fs::metadata(&path).ok()?.len();
        let mut source = Source {
            bytes: &mut BufReader::new(File::open(&path).ok()?),
            length,
            context,
        };
        tiff::decoded(&mut source).ok()
    };
    let info = Info::of_text(&facts.info)?;
    let info = match &facts.turned {
        Some(text) => info.lying_as(Info::of_text(text)?),
        None => info,
    };
    let band = info.bands.get(facts.band - 1)?.clone();
    let (mut raster, keys) = read("numbers.tif")?;
    raster.top = match band.kind.as_str() {
        "Byte" => Some(u8::MAX.into()),
        "UInt16" => Some(u16::MAX),
        _ => None,
    };
    let coding = context.reading.coding;
    if let Some(((green, _), (blue, _))) = read("green.tif").zip(read("blue.tif")) {
        let colors = [&raster.numbers, &green.numbers, &blue.numbers];
        let pixels =
            (0..raster.numbers.len()).flat_map(|at| colors.map(|color| color.at(at) as u16));
        let size = [raster.rows as u64, raster.columns as u64];
        let picture = if band.kind == "Byte" {
            let bytes: Vec<u8> = pixels.map(|number| number as u8).collect();
            brightness::raster(size, &Pixels::Bytes(&bytes, 3), coding)
        } else {
            brightness::raster(
                size,
                &Pixels::Shorts(&pixels.collect::<Vec<_>>(), 3),
                coding,
            )
        };
        let outside: Vec<usize> = (0..raster.numbers.len())
            .filter(|at| raster.numbers.at(*at).is_nan())
            .collect();
        raster = picture.ok()?;
        // Outside a turned picture there is nothing.
        outside.into_iter().for_each(|at| raster.numbers.clear(at));
    }
    // A no-data value given by the user replaces the mask of the file.
    let is_masked = context.reading.no_data.is_empty() && folder.join("mask.tif").exists();
    if is_masked {
        let (mask, _) = read("mask.tif")?;
        for index in 0..raster.numbers.len().min(mask.numbers.len()) {
            if mask.numbers.at(index) == 0.0 {
                raster.numbers.clear(index);
            }
        }
    }
    // Min-is-white inverts a picture; on a map the numbers are heights, whatever their colours.
    let is_negative = info.is_min_white && info.transform.is_none();
    if let (true, Some(top)) = (is_negative, raster.top) {
        let positive = |index| f32::from(top) - raster.numbers.at(index) as f32;
        raster.numbers = Numbers::Single((0..raster.numbers.len()).map(positive).collect());
    }
    let (mut stated, unnamed) = stated(&info, &band, keys, &facts);
    stated.notices.append(&mut raster.stated.notices);
    if coding != InputCoding::None {
        stated.unit_m = Some(1.0);
        stated.knows_missing = true;
    }
    let line = tr!(
        "read by GDAL {version} ({driver})",
        version = gdal.version(),
        driver = facts.driver
    );
    stated.notices.insert(0, line);
    raster.stated = stated;
    if let Some(placed) = unnamed {
        place(&mut raster, placed, System::Unnamed);
    }
    Some(raster)
}

/// Collect the metadata of a band, and the position of its samples if no system is stated.
fn stated(info: &Info, band: &Band, keys: Keys, facts: &Facts) -> (Metadata, Option<Placed>) {
    let mut stated = Metadata {
        scale: band.scale,
        step_m: facts.step_m,
        // The mask already marks the samples without data.
        knows_missing: band.may_miss_data,
        notices: facts.notices.iter().map(Notice::text).collect(),
        ..Metadata::default()
    };
    let crs = crs_of(info);
    stated.is_elsewhere = crs
        .as_ref()
        .and_then(|crs| crs.ellipsoid)
        .is_some_and(|body| {
            // Ellipsoids of the earth differ by less than a kilometre in their semi-major axes.
            (body.semi_major_m - Ellipsoid::WGS_84.semi_major_m).abs() > 3000.0
        });
    let unit = metres_of(&band.unit);
    let of_system = crs.as_ref().and_then(|crs| crs.height_unit_m);
    stated.unit_m = unit.or(of_system.filter(|_| band.unit.is_empty()));
    stated.unknown_unit = (!band.unit.is_empty() && unit.is_none()).then(|| band.unit.clone());
    if is_depth(band, crs.as_ref()) {
        stated.unit_m = Some(-stated.unit_m.unwrap_or(1.0));
        stated
            .notices
            .push(tr("its numbers are depths, so its heights are below 0").to_owned());
    }
    let Some([x, east, _, y, _, south]) = info.transform else {
        return (stated, None);
    };
    stated.south_first = south > 0.0;
    let north = if stated.south_first {
        y + south * info.rows as f64
    } else {
        y
    };
    let step = [east, south.abs()];
    let north_west = [x + step[0] / 2.0, north - step[1] / 2.0];
    let Some(crs) = crs else {
        let north_west = Some(north_west);
        return (stated, Some(Placed { north_west, step }));
    };
    let is_wgs_84 = crs.wkt.is_empty() && matches!(crs.unit, Unit::Degrees(_));
    stated.place = Some(Georeference {
        keys: match crs.height_unit_m {
            _ if is_wgs_84 => Keys::of_epsg(WGS_84, crs.unit),
            Some(1.0) => keys.stating_metres(),
            _ => keys,
        },
        unit: crs.unit,
        text: facts.system.clone(),
        origin: north_west,
        east: [step[0], 0.0],
        south: [0.0, -step[1]],
    });
    (stated, None)
}

/// True if the numbers are depths, positive downwards.
fn is_depth(band: &Band, crs: Option<&Crs>) -> bool {
    let positive = band.item("positive").map(str::to_lowercase);
    match positive.as_deref() {
        Some("down") => return true,
        Some("up") => return false,
        _ => {}
    }
    let standard = band.item("standard_name").unwrap_or_default();
    DEPTHS.iter().any(|word| standard.contains(word)) || crs.is_some_and(|crs| crs.is_depth)
}

/// Refuse to write `bytes` if the disk of the folder does not have the space.
fn check_disk(folder: &Path, bytes: u64) -> Result<(), Broken> {
    match crate::util::memory::free_on_disk(folder) {
        Some(free) if free < bytes => Err(Broken::wrong(tr!(
            "decoding it needs {needed} MB of disk, {free} MB are free",
            needed = bytes >> 20,
            free = free >> 20
        ))),
        _ => Ok(()),
    }
}

/// Look up an EPSG code with GDAL: GeoTIFF keys, coordinate unit and well-known text. Results are cached.
///
/// # Errors
/// GDAL is missing, or the code has no two horizontal axes on the ground. The message is short.
pub fn system_of(code: u16) -> Result<(Keys, Unit, String), String> {
    static FOUND: Mutex<BTreeMap<u16, (Keys, Unit, String)>> = Mutex::new(BTreeMap::new());
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(system) = found.get(&code) {
        return Ok(system.clone());
    }
    let gdal = Gdal::find().map_err(|error| error.to_string())?;
    let system = ask_system(&gdal, code).map_err(|error| match error {
        NotDecoded::NoGdal(error) => error.to_string(),
        NotDecoded::Failed(Broken::Wrong(words)) => words,
        NotDecoded::Failed(Broken::Io(error)) => error.to_string(),
        NotDecoded::Failed(Broken::Foreign { what, .. }) => what,
    })?;
    Ok(found.entry(code).or_insert(system).clone())
}

fn ask_system(gdal: &Gdal, code: u16) -> Result<(Keys, Unit, String), NotDecoded> {
    let (work, job) = (tempfile::tempdir()?, Job::new());
    let path = keys_file(gdal, &format!("EPSG:{code}"), work.path(), &job)?;
    let crs = info(gdal, path.as_os_str(), &job)?.0.crs;
    let no_axes = || Broken::wrong(tr("it does not have two horizontal axes"));
    // GDAL exports a system without a position on the ground as a plane.
    let crs = crs
        .filter(|crs| crs.ellipsoid.is_some())
        .ok_or_else(no_axes)?;
    let reading = Reading::default();
    let mut source = Source {
        length: fs::metadata(&path)?.len(),
        bytes: &mut BufReader::new(File::open(&path)?),
        context: FileContext::alone(&reading),
    };
    let (_, keys) = tiff::decoded(&mut source)?;
    let text = esri_text(gdal, &crs.wkt, &job)?;
    Ok((keys, crs.unit, text))
}
