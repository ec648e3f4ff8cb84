//! Maps other than the heights into files: numbers in every format of heights, colours and masks
//! as PNG.

use std::path::Path;

use serde_json::Value;

use super::commit::{Complete, commit};
use super::earth;
use super::request::{Request, as_json};
use super::rows::{Work, write};
use super::sidecar;
use super::source::check_finite;
use super::target::Target;
use super::{
    ExportError, FORMATS, Format, MeshOptions, Options, RowSource, Samples, Span, Tiles, Written,
    check_paths, format_of, grey,
};
use crate::fractal::region::Region;
use crate::generate::GenerateError;
use crate::inputs::Inputs;
use crate::job::Job;
use crate::maps::{Kind, Map};
use crate::scene::Scene;

mod bands;
mod colors;
mod ground;
mod numbers;
mod png;

pub(super) use bands::bands_of;
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
        Kind::Bands(_) | Kind::Paint(_) | Kind::Colors | Kind::Sky => vec![&grey::PNG8],
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
    // Baked colours have as many texels as are asked for.
    let other_size = options.samples != Samples::AsIs && !matches!(map.kind, Kind::Colors);
    let is_part = tiled || options.region.is_some() || other_size;
    if is_part && !map.is_of_the_ground() {
        return Err(ExportError::MapWhole { map: map.name });
    }
    let ranged = map.is_scalar() || matches!(map.kind, Kind::Bands(_) | Kind::Paint(_));
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
    check_paths(paths, scene, inputs, &options, None)?;
    let palette = inputs.palette(&scene.view.palette)?;
    let asked = Asked::new(map, scene, &palette, inputs, options, job);
    if !map.is_of_the_ground() {
        return asked.textures(paths, &formats, inputs);
    }
    let ground = Ground::new(scene, inputs, options.region, options.samples, job)?;
    let range = asked.range_of_all(&ground, &formats, options.region.is_some())?;
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
) -> Result<Written, ExportError> {
    check(map, options, true)?;
    let format = format_of_map(pattern, map, options.format)?;
    check_paths(&[pattern], scene, inputs, &options, Some(tiles))?;
    let palette = inputs.palette(&scene.view.palette)?;
    let asked = Asked::new(map, scene, &palette, inputs, options, job);
    let source = RowSource::of_any_size(scene, inputs, job)?;
    let whole = Ground::of(tiles.fitted(source, options.samples, job)?, scene);
    let samples = [whole.place().rows, whole.place().columns];
    let range = asked.range_of_all(&whole, &[format], false)?;
    let mut written = Written::none(samples);
    let count = (tiles.rows * tiles.columns) as usize;
    for (index, ((row, column), path)) in tiles.places().zip(tiles.files(pattern)).enumerate() {
        let of_tile = Asked {
            job: &job.share(index, count),
            request: asked.request.of_tile(tiles, (row, column)),
            ..asked
        };
        let part = whole.part(tiles.region(row, column, samples))?;
        written.add(&of_tile.write(&[&path], &[format], &part, range)?);
    }
    Ok(written)
}

/// What is asked for, the same for all files.
#[derive(Clone, Copy)]
struct Asked<'a> {
    map: &'static Map,
    scene: &'a Scene,
    palette: &'a crate::texture::Palette,
    inputs: &'a Inputs,
    range: Option<(f32, f32)>,
    samples: Samples,
    request: Request,
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
            samples: options.samples,
            request: Request::new(options),
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
        part: bool,
    ) -> Result<Option<(f32, f32)>, ExportError> {
        let check = |ground: &Ground| {
            let place = ground.place();
            check_finite(place.rows, place.columns)
        };
        if let Some(range) = self.range.or(self.map.range) {
            return Ok(Some(range));
        }
        let levels = formats.iter().any(|format| format.levels.is_some());
        match self.map.kind {
            Kind::Relief(_) if levels => {
                // That of the whole map for a rectangle of it, so that neighbours join.
                let ground = if part { ground.all() } else { ground.clone() };
                check(&ground)?;
                let numbers = Numbers::new(ground, self.map, &self.scene.light);
                let (low, high) = numbers.range(self.job)?;
                // Both ways alike, so that 0 is in the middle.
                let most = high.max(-low);
                Ok(Some((-most, most)))
            }
            Kind::Bands(_) | Kind::Paint(_) => {
                check(ground)?;
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
                self.commit(
                    self.requested(targets, formats),
                    [ground.rows(), ground.columns()],
                )
            }
            Kind::Paint(paint) => {
                let range = range.unwrap_or_default();
                let targets = colors::painted(self, paths, ground, range, paint)?;
                self.commit(
                    self.requested(targets, formats),
                    [ground.rows(), ground.columns()],
                )
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
                    whole: None,
                    mesh: MeshOptions::default(),
                    place: ground.place(),
                    earth: earth::of(self.scene, self.inputs, ground.place()),
                    map: self.map,
                    request: self.request,
                    job: self.job,
                };
                write(&source, formats, targets, &work)
            }
        }
    }

    /// Files with what is asked of each.
    fn requested(
        &self,
        targets: Vec<Target>,
        formats: &[&'static Format],
    ) -> Vec<(Target, Request, Value)> {
        let requests = formats.iter().map(|format| self.request.in_format(format));
        let asked = targets.into_iter().zip(requests);
        asked
            .map(|(target, request)| (target, request, Value::Null))
            .collect()
    }

    /// Gives complete pictures their names and their sidecars, with the bands that each holds.
    fn commit(
        &self,
        targets: Vec<(Target, Request, Value)>,
        size: [usize; 2],
    ) -> Result<Written, ExportError> {
        let complete = targets.into_iter().map(|(file, request, bands)| {
            let request = as_json(&request, self.scene);
            let text =
                sidecar::of_picture(self.map, &bands, self.scene, size, &request, file.path());
            Complete {
                sidecar: Some(text),
                ..file.into()
            }
        });
        commit(complete.collect(), self.job)?;
        Ok(Written {
            rows: size[0],
            columns: size[1],
            range: None,
            clipped: 0,
        })
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
