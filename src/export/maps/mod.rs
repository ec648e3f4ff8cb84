//! Maps other than the heights into files: numbers in every format of heights, colours and masks
//! as PNG.

use std::path::Path;

use super::earth;
use super::rows::{Work, write};
use super::sidecar;
use super::target::Target;
use super::{
    ExportError, FORMATS, Format, MeshOptions, Options, Samples, Span, Tiles, Written, format_of,
    grey,
};
use crate::fractal::region::Region;
use crate::generate::{GenerateError, Inputs, MAX_ITERATIONS_STREAMED};
use crate::job::Job;
use crate::maps::{Kind, Map};
use crate::scene::Scene;

mod bands;
mod colors;
mod ground;
mod numbers;
mod png;

use ground::Ground;
use numbers::Numbers;

/// The formats that a map is written in. Of several with the same extension the first is taken
/// for a file whose format is not named.
#[must_use]
pub fn formats(map: &Map) -> Vec<&'static Format> {
    let heights = FORMATS.iter().filter(|format| !format.mesh);
    match map.kind {
        Kind::Heights => FORMATS.iter().collect(),
        Kind::Relief(_) => heights.collect(),
        // Clouds lie nowhere on the ground.
        Kind::Clouds => heights
            .filter(|format| !["tif", "asc"].contains(&format.extension))
            .collect(),
        Kind::Normal(_) => vec![&grey::PNG8, &grey::PNG],
        Kind::Bands(_) | Kind::Colors | Kind::Sky => vec![&grey::PNG8],
    }
}

/// The format of a map's file: the one asked for, else by the end of its name.
///
/// # Errors
/// No such format, or the map is not written in it.
pub fn format_of_map(
    path: &Path,
    map: &'static Map,
    asked: Option<&'static Format>,
) -> Result<&'static Format, ExportError> {
    let formats = formats(map);
    let named = asked.map_or_else(|| format_of(path), Ok)?;
    let fits = |format: &&&'static Format| match asked {
        Some(asked) => format.name == asked.name,
        None => format.extension == named.extension,
    };
    let found = formats.iter().find(fits).copied();
    found.ok_or_else(|| ExportError::MapFormat {
        map: map.name,
        format: named.name,
        allowed: formats
            .iter()
            .map(|f| f.name)
            .collect::<Vec<_>>()
            .join(", "),
        path: path.to_owned(),
    })
}

/// Checks what can be asked of a map.
///
/// # Errors
/// A part of a map that is not of the ground, or a range where there are no numbers.
pub fn check(map: &'static Map, options: Options, tiled: bool) -> Result<(), ExportError> {
    let is_part = tiled || options.region.is_some() || options.samples != Samples::AsIs;
    if is_part && !map.is_of_the_ground() {
        return Err(ExportError::MapWhole { map: map.name });
    }
    let ranged = map.is_scalar() || matches!(map.kind, Kind::Bands(_));
    match options.span {
        _ if map.is_heights() => {}
        Span::Own => {}
        Span::Heights(..) if ranged => {}
        Span::Heights(..) => return Err(ExportError::MapRange { map: map.name }),
        _ => return Err(ExportError::MapSpan { map: map.name }),
    }
    if options.flip && !map.is_heights() {
        return Err(ExportError::MapFlip { map: map.name });
    }
    Ok(())
}

/// A range as the exporter wants it.
fn between((low, high): (f32, f32)) -> Span {
    Span::Heights(low, high)
}

/// The map that is asked for, if it is not the heights.
pub(super) fn other_than_heights(options: &Options) -> Option<&'static Map> {
    options.map.filter(|map| !map.is_heights())
}

/// Writes `map` of a scene into several files, as [`super::heightmaps`] does the heights.
pub(super) fn export(
    paths: &[&Path],
    map: &'static Map,
    scene: &Scene,
    inputs: &Inputs,
    options: Options,
    job: &Job,
) -> Result<Written, ExportError> {
    check(map, options, false)?;
    let format_of = |path: &&Path| format_of_map(path, map, options.format);
    let formats = paths.iter().map(format_of).collect::<Result<Vec<_>, _>>()?;
    scene.validate().map_err(GenerateError::from)?;
    let palette = inputs.palette(&scene.view.palette)?;
    let asked = Asked::new(map, scene, &palette, inputs, options, job);
    if !map.is_of_the_ground() {
        return asked.textures(paths, &formats, inputs);
    }
    bands::check_names(&asked, paths)?;
    let ground = Ground::new(scene, inputs, options.region, options.samples, job)?;
    let range = asked.range_of_all(&ground, &formats, options.region.is_none())?;
    asked.write(paths, &formats, &ground, range)
}

/// Writes `map` of a scene as tiles, as [`super::tiles`] does the heights.
pub(super) fn tiles(
    pattern: &Path,
    map: &'static Map,
    scene: &Scene,
    inputs: &Inputs,
    options: Options,
    tiles: Tiles,
    job: &Job,
) -> Result<(), ExportError> {
    check(map, options, true)?;
    let format = format_of_map(pattern, map, options.format)?;
    let palette = inputs.palette(&scene.view.palette)?;
    let asked = Asked::new(map, scene, &palette, inputs, options, job);
    bands::check_names(&asked, &[pattern])?;
    let whole = Ground::of_any_size(scene, inputs, job)?;
    let samples = [whole.place().rows, whole.place().columns];
    tiles.check(samples)?;
    let range = asked.range_of_all(&whole, &[format], true)?;
    let count = (tiles.rows * tiles.columns) as usize;
    for (index, ((row, column), path)) in tiles.places().zip(tiles.files(pattern)).enumerate() {
        let of_tile = Asked {
            job: &job.share(index, count),
            ..asked
        };
        let part = whole.part(tiles.region(row, column, samples))?;
        of_tile.write(&[&path], &[format], &part, range)?;
    }
    Ok(())
}

/// What is asked for, the same for all files.
#[derive(Clone, Copy)]
struct Asked<'a> {
    map: &'static Map,
    scene: &'a Scene,
    palette: &'a crate::texture::Palette,
    inputs: &'a Inputs,
    range: Option<(f32, f32)>,
    job: &'a Job,
}

impl<'a> Asked<'a> {
    fn new(
        map: &'static Map,
        scene: &'a Scene,
        palette: &'a crate::texture::Palette,
        inputs: &'a Inputs,
        options: Options,
        job: &'a Job,
    ) -> Self {
        let range = match options.span {
            Span::Heights(low, high) => Some((low, high)),
            _ => None,
        };
        Self {
            map,
            scene,
            palette,
            inputs,
            range,
            job,
        }
    }
}

impl Asked<'_> {
    /// What becomes black and white, or the ends of the palette: given, natural, or of all of
    /// the ground, which takes a pass of its own; `None` where it does not matter.
    fn range_of_all(
        &self,
        ground: &Ground,
        formats: &[&Format],
        whole: bool,
    ) -> Result<Option<(f32, f32)>, ExportError> {
        if let Some(range) = self.range.or(self.map.range) {
            return Ok(Some(range));
        }
        let levels = formats.iter().any(|format| format.levels.is_some());
        match self.map.kind {
            Kind::Relief(_) if levels => {
                // A region that is written alone has a range of its own, as heights have.
                if whole {
                    check_finite(ground)?;
                }
                let numbers = Numbers::new(ground.clone(), self.map, &self.scene.light);
                let (low, high) = numbers.range(self.job)?;
                // Both ways alike, so that 0 is in the middle.
                let most = high.max(-low);
                Ok(Some((-most, most)))
            }
            Kind::Bands(_) => {
                check_finite(ground)?;
                ground.range(self.job).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn write(
        &self,
        paths: &[&Path],
        formats: &[&'static Format],
        ground: &Ground,
        range: Option<(f32, f32)>,
    ) -> Result<Written, ExportError> {
        match self.map.kind {
            Kind::Normal(green) => {
                let targets = colors::normals(self, paths, formats, ground, green)?;
                self.commit(targets, [ground.rows(), ground.columns()])
            }
            Kind::Bands(channels) => {
                let range = range.unwrap_or_default();
                let targets = bands::write(self, paths, ground, range, channels)?;
                self.commit(targets, [ground.rows(), ground.columns()])
            }
            _ => {
                let numbers = Numbers::new(ground.clone(), self.map, &self.scene.light);
                let source = numbers.for_formats(formats, self.job)?;
                let targets = create(paths)?;
                let work = Work {
                    scene: self.scene,
                    palette: self.palette,
                    span: range.map_or(Span::Own, between),
                    own: None,
                    flipped: false,
                    finer: None,
                    mesh: MeshOptions::default(),
                    place: ground.place(),
                    earth: earth::of(self.scene, self.inputs, ground.place()),
                    map: self.map,
                    job: self.job,
                };
                write(&source, formats, targets, &work)
            }
        }
    }

    /// Gives complete pictures their names and their sidecars.
    fn commit(&self, targets: Vec<Target>, size: [usize; 2]) -> Result<Written, ExportError> {
        for target in targets {
            let path = target.path().to_owned();
            let is_file = !target.is_direct();
            target.commit()?;
            if is_file {
                let text = sidecar::of_picture(self.map, self.scene, size, &path);
                sidecar::write(&path, &text)?;
            }
        }
        Ok(Written {
            rows: size[0],
            columns: size[1],
            range: None,
        })
    }
}

/// Refuses a pass over a map that takes hours.
fn check_finite(ground: &Ground) -> Result<(), ExportError> {
    let most = (1 << MAX_ITERATIONS_STREAMED) + 1;
    let place = ground.place();
    match place.rows.max(place.columns) {
        side if side > most => Err(ExportError::RangeOfAll { side, most }),
        _ => Ok(()),
    }
}

fn create(paths: &[impl AsRef<Path>]) -> Result<Vec<Target>, ExportError> {
    let targets = paths.iter().map(|path| Target::create(path.as_ref()));
    targets.collect()
}

/// A rectangle that is all of so many rows and columns.
fn all_of(rows: u64, columns: u64) -> Region {
    Region {
        row: 0,
        column: 0,
        rows: rows as usize,
        columns: columns as usize,
    }
}
