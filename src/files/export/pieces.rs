//! Export of a map in pieces: the whole map, a rectangle, or tile by tile.

use std::sync::Arc;

use super::error::ExportError;
use super::format::Format;
use super::georeference::place_on_earth;
use super::heights::{HeightSource, Location, first_of, rounded};
use super::memory::{check_drainage, check_snow};
use super::options::Cut;
use super::pictures;
use super::piece::{Holes, Piece, Span, Stored, stored_metres};
use super::plan::{OpenFile, Plan};
use super::row_source::{Excerpt, MapRows, RowSource, WaterRows, WithHoles, check_finite};
use super::rows;
use super::written::Written;
use crate::fractal::refinement::Refinement;
use crate::generate::Generator;
use crate::pipeline;
use crate::pipeline::inputs::Inputs;
use crate::plants::{CanopyMap, FIXED_SIDE, Scatter};
use crate::shading::covers::{self, CoverMap};
use crate::shading::maps::Kind;
use crate::shading::maps::water::WaterSurface;
use crate::shading::material::{Albedo, MaterialNormals, covers_of};
use crate::shading::snow::{self, SnowCover};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::rivers::Rivers;
use crate::terrain::weights::WeightMap;
use crate::util::job::Job;

/// Iterations up to which other maps are made from heights in memory, which is faster than streaming bands.
const WHOLE_UP_TO: u32 = 12;

/// Execute a plan.
pub fn write(plan: &Plan<'_>, inputs: &Inputs, job: &Job) -> Result<Written, ExportError> {
    match plan.map.kind {
        Kind::Clouds => pictures::clouds(plan, inputs, job),
        Kind::Colors => pictures::colors(plan, inputs, job),
        Kind::Sky => pictures::sky(plan, inputs, job),
        _ => of_the_ground(plan, inputs, job),
    }
}

/// Write the files of one piece of a map that has the samples of the ground.
fn write_piece(
    plan: &Plan<'_>,
    piece: &Piece<'_>,
    excerpt: Excerpt<'_>,
    files: Vec<OpenFile>,
) -> Result<Written, ExportError> {
    match plan.map.kind {
        Kind::Normal(green) => pictures::normals(piece, excerpt, files, green),
        Kind::Paint(paint) => pictures::painted(piece, excerpt, files, paint),
        Kind::Bands(channels) => pictures::masks(piece, excerpt, files, channels),
        Kind::Materials => {
            let masks = pictures::material_masks(piece, excerpt)?;
            pictures::materials(piece, excerpt.size(), &masks, files)
        }
        Kind::Relief(_) => {
            let (map, scene) = (plan.map, plan.scene);
            let numbers = MapRows {
                excerpt,
                map,
                scene,
            };
            rows::write(&numbers, piece, files)
        }
        Kind::WaterSurface => {
            let lowest = piece.range_of_map.unwrap_or_default().0;
            let surface = WaterSurface::of(&plan.scene.water, piece.rivers, lowest);
            rows::write(&WaterRows { excerpt, surface }, piece, files)
        }
        Kind::Heights => match &piece.exact {
            Some(exact) => {
                let (rows, columns) = (exact.rows(), exact.columns());
                let numbers = rounded(exact, piece.above);
                let above = Heightmap::new(rows, columns, false, numbers);
                rows::write(&above, piece, files)
            }
            None if plan.options.is_part() => {
                rows::write(&*excerpt.whole(piece.job)?, piece, files)
            }
            None => rows::write(&excerpt, piece, files),
        },
        _ => rows::write(&excerpt, piece, files),
    }
}

/// Ground of a scene, made once, with all that lies on it as far as the maps of a plan show it, at the size of the files.
pub struct Prepared {
    /// Heights or numbers of the map.
    pub source: HeightSource,
    /// Rows and columns to write.
    pub size: [usize; 2],
    /// Tiling by cells or by samples.
    cut: Cut,
    /// Rows and columns before resampling; `None` if not resampled.
    pub resampled_from: Option<[usize; 2]>,
    covers: Option<CoverMap>,
    normals: Option<MaterialNormals>,
    snow: Option<SnowCover>,
    canopy: Option<CanopyMap>,
    rivers: Option<Rivers>,
    wetness: Option<WeightMap>,
    /// Plants on the ground.
    pub plants: Option<Scatter>,
}

impl Prepared {
    /// Make the ground for a plan.
    pub fn new(plan: &Plan<'_>, inputs: &Inputs, job: &Job) -> Result<Self, ExportError> {
        let source = ground(plan, inputs, job)?;
        let covers = lying(plan, source.map(), job)?;
        let normals = material_normals(plan, &source, inputs, job)?;
        let snow = snow(plan, &source, inputs, job)?;
        let plants = plants(plan, &source, inputs, job)?;
        let canopy = plants.as_ref().filter(|_| shows_colors(plan));
        let canopy = canopy
            .map(|plants| plants.canopy(FIXED_SIDE, job))
            .transpose()?;
        let (rivers, wetness) = match plan.map.kind {
            Kind::Materials => water(plan, &source, inputs, job)?,
            Kind::WaterSurface => (rivers(plan, &source, inputs, job)?, None),
            _ => (None, None),
        };
        let on_it = (snow.as_ref(), plants.as_ref());
        let fitted = fitted(plan, source, on_it, job)?;
        Ok(Self {
            source: fitted.source,
            size: fitted.size,
            cut: fitted.cut,
            resampled_from: fitted.resampled_from,
            covers,
            normals,
            snow,
            canopy,
            rivers,
            wetness,
            plants,
        })
    }

    /// Piece of a map of this ground with what lies on it.
    pub fn piece<'a>(
        &'a self,
        plan: &Plan<'a>,
        span: Span,
        location: Location,
        job: &'a Job,
    ) -> Piece<'a> {
        Piece {
            span,
            flipped: plan.options.flip,
            mesh: plan.options.mesh,
            normals: self.normals.as_ref(),
            snow: self.snow.as_ref().filter(|_| shows_colors(plan)),
            canopy: self.canopy.as_ref(),
            rivers: self.rivers.as_ref(),
            wetness: self.wetness.as_ref(),
            covers: [self.covers.as_ref(), None],
            together: plan.together,
            ..Piece::new(plan.scene, plan.palette, plan.map, location, job)
        }
    }

    /// Write the files of a plan, of which the first may be open already. Passes over the heights beforehand count to
    /// the first job.
    pub fn write(
        &self,
        plan: &Plan<'_>,
        inputs: &Inputs,
        mut opened: Option<Vec<OpenFile>>,
        [making, writing]: [&Job; 2],
    ) -> Result<Written, ExportError> {
        let (scene, options) = (plan.scene, &plan.options);
        let is_heights = plan.map.is_heights();
        let tiles = plan.tiles();
        let source = &self.source;
        let all = Excerpt::new(source, options.flip);
        let all = all.part(options.region.unwrap_or_else(|| first_of(self.size)))?;
        let (span, range_of_map) = ranges(plan, all, inputs, making)?;
        let range_of_data = match range_of_map.and(source.map()) {
            Some(_) => holes(Excerpt::new(source, false), None, making)?.map(|holes| holes.range),
            None => None,
        };
        let stored = match source.map() {
            Some(ground) if is_heights && self.resampled_from.is_none() => {
                stored_metres(scene, ground, making)
            }
            _ => None,
        };
        let finer = finer(plan, inputs, making)?;
        let finer_covers = lying(plan, finer.as_ref(), making)?;
        let mut written = Written::of_size(self.size);
        for (index, tile) in tiles.iter().enumerate() {
            let excerpt = match options.tiles.zip(*tile) {
                Some((tiles, tile)) => all.part(tiles.region(tile, self.size, self.cut))?,
                None => all,
            };
            let (region, location) = (excerpt.region, excerpt.location);
            let job = &writing.share(index, tiles.len());
            let deep = source.deep();
            let exact = deep.filter(|_| is_heights);
            let exact = exact.map(|deep| deep.exact(region, options.flip, making));
            let stored = stored.as_ref();
            let stored = stored.map(|all| Stored::part(all, region, options.flip));
            let piece = Piece {
                above: deep.map_or(0.0, |deep| deep.above),
                exact: exact.transpose()?,
                stored: stored.transpose()?,
                earth: place_on_earth(scene, inputs, location),
                range_of_map,
                holes: match plan.map.holds_heights() {
                    true => holes(excerpt, range_of_data.or(range_of_map), making)?,
                    false => None,
                },
                finer: finer.as_ref(),
                covers: [self.covers.as_ref(), finer_covers.as_ref()],
                is_raised: options.snow,
                whole: source.map().filter(|_| options.is_part()),
                ..self.piece(plan, span, location, job)
            };
            let files = match opened.take() {
                Some(files) => files,
                None => plan.open(*tile)?,
            };
            let piece = write_piece(plan, &piece, excerpt, files)?;
            match options.tiles {
                Some(_) => written.add(&piece),
                None => written = piece,
            }
        }
        written.resampled_from = self.resampled_from;
        Ok(written)
    }
}

/// Write the pieces of a map that has the samples of the ground.
fn of_the_ground(plan: &Plan<'_>, inputs: &Inputs, job: &Job) -> Result<Written, ExportError> {
    // A single set of files is opened now, so that no other run can write it in the meantime. There may
    // be too many tiles to have all of them open.
    let opened = match plan.options.tiles {
        None => Some(plan.open(None)?),
        Some(_) => None,
    };
    // Generating the map counts as half of the work; streamed rows are generated while writing.
    let (making, writing) = (job.span(0..1, 2), job.span(1..2, 2));
    let prepared = Prepared::new(plan, inputs, &making)?;
    prepared.write(plan, inputs, opened, [&making, &writing])
}

/// Rivers of the map of the last iteration, if the scene has any.
fn rivers(
    plan: &Plan<'_>,
    source: &HeightSource,
    inputs: &Inputs,
    job: &Job,
) -> Result<Option<Rivers>, ExportError> {
    if plan.scene.water.rivers().is_none() {
        return Ok(None);
    }
    with_last(plan, source, inputs, job, |map| {
        check_drainage(map)?;
        Ok(snow::rivers(map, plan.scene, job)?)
    })
}

/// Rivers and wetness of the map of the last iteration.
fn water(
    plan: &Plan<'_>,
    source: &HeightSource,
    inputs: &Inputs,
    job: &Job,
) -> Result<(Option<Rivers>, Option<WeightMap>), ExportError> {
    let made = with_last(plan, source, inputs, job, |map| {
        if map.is_profile() {
            return Ok(None);
        }
        check_drainage(map)?;
        let rivers = snow::rivers(map, plan.scene, job)?;
        let wetness = covers::wetness(map, job)?;
        let weights = |row, column| [wetness.at(row, column), 0.0, 0.0, 0.0];
        let wetness = WeightMap::of(map, covers::MOST_SIDE, job, weights)?;
        Ok(Some((rivers, wetness)))
    })?;
    let (rivers, wetness) = made.unzip();
    Ok((rivers.flatten(), wetness))
}

/// Covers of a map, if its colours are written.
fn lying(
    plan: &Plan<'_>,
    map: Option<&Heightmap>,
    job: &Job,
) -> Result<Option<CoverMap>, ExportError> {
    let Some(map) = map.filter(|_| shows_colors(plan)) else {
        return Ok(None);
    };
    let covers = covers_of(plan.palette, plan.scene);
    Ok(covers::on(map, &covers, job)?)
}

/// Normals by which materials lie, if they are written.
fn material_normals(
    plan: &Plan<'_>,
    source: &HeightSource,
    inputs: &Inputs,
    job: &Job,
) -> Result<Option<MaterialNormals>, ExportError> {
    let is_material = Albedo::is_material(plan.scene) || matches!(plan.map.kind, Kind::Materials);
    if !shows_colors(plan) || !is_material {
        return Ok(None);
    }
    if let Some(map) = source.map() {
        return Ok(Some(MaterialNormals::of(map)));
    }
    // Diamond-square that is generated on demand: with fewer iterations its nodes have the same heights.
    let mut coarse = plan.scene.clone();
    let iterations = &mut coarse.surface.iterations;
    *iterations = (*iterations).min(MaterialNormals::ITERATIONS);
    let levels = plan
        .options
        .levels
        .min(MaterialNormals::ITERATIONS - *iterations);
    let nodes = HeightSource::new(&coarse, inputs, levels, true, job)?;
    Ok(nodes.map().map(MaterialNormals::of))
}

/// Snow on the map of the last iteration, if it is written: its colour, its depth, or its surface.
pub fn snow(
    plan: &Plan<'_>,
    source: &HeightSource,
    inputs: &Inputs,
    job: &Job,
) -> Result<Option<SnowCover>, ExportError> {
    let is_drawn = shows_colors(plan) || plan.options.snow;
    let is_seen = is_drawn && snow::is_shown(plan.scene) || matches!(plan.map.kind, Kind::Snow(_));
    if !is_seen {
        return Ok(None);
    }
    let on = |map: &Heightmap| {
        check_snow(map)?;
        Ok(SnowCover::on(map, plan.scene, job)?)
    };
    with_last(plan, source, inputs, job, on)
}

/// Plants on the map of the last iteration, if their density or colours of the ground are written.
pub fn plants(
    plan: &Plan<'_>,
    source: &HeightSource,
    inputs: &Inputs,
    job: &Job,
) -> Result<Option<Scatter>, ExportError> {
    let is_seen = shows_colors(plan) && plan.scene.plants_on().next().is_some();
    if !is_seen && !matches!(plan.map.kind, Kind::Plants(_)) {
        return Ok(None);
    }
    with_last(plan, source, inputs, job, |map| {
        check_snow(map)?;
        let map = Arc::new(map.clone());
        Ok(pipeline::plants(plan.scene, inputs, &map, job)?)
    })
}

/// Make something on the map of the last iteration.
fn with_last<T>(
    plan: &Plan<'_>,
    source: &HeightSource,
    inputs: &Inputs,
    job: &Job,
    make: impl Fn(&Heightmap) -> Result<Option<T>, ExportError>,
) -> Result<Option<T>, ExportError> {
    let own = source.map().filter(|_| plan.options.levels == 0);
    if let Some(map) = own {
        return make(map);
    }
    // Generated on demand, or down to deeper levels.
    let map = HeightSource::new(plan.scene, inputs, 0, true, job)?;
    map.map().map_or(Ok(None), make)
}

/// True if colours of the ground are written.
fn shows_colors(plan: &Plan<'_>) -> bool {
    plan.has_mesh() || matches!(plan.map.kind, Kind::Paint(_) | Kind::Materials)
}

/// True if the files need only rectangles of the ground, which can be generated on their own.
fn takes_rectangles(plan: &Plan<'_>) -> bool {
    let is_whole = plan.map.kind.is_whole();
    let needs_all = plan.has_mesh() || plan.options.snow || is_whole;
    plan.options.is_part() && !needs_all
}

/// Heights for a map, down to the last iteration of the scene; if the ground continues by itself,
/// including the levels below.
pub fn ground(plan: &Plan<'_>, inputs: &Inputs, job: &Job) -> Result<HeightSource, ExportError> {
    let (scene, options) = (plan.scene, &plan.options);
    let levels = options.levels;
    if plan.map.kind.is_whole() {
        HeightSource::new(scene, inputs, levels, true, job)
    } else if takes_rectangles(plan) {
        HeightSource::of_any_size(scene, inputs, levels, options.region, job)
    } else {
        let needs_all = match plan.map.is_heights() {
            true if options.snow => true,
            true => plan.formats().any(Format::needs_the_whole_map),
            false => pipeline::surface_of(scene).iterations <= WHOLE_UP_TO,
        };
        // Light and colours of a part of a mesh need the samples around it.
        let whole = needs_all || !options.samples.streams();
        HeightSource::new(scene, inputs, levels, whole, job)
    }
}

/// Numbers for the files, at their final size.
pub struct Fitted {
    /// Heights or numbers of the map.
    pub source: HeightSource,
    /// Rows and columns to write.
    size: [usize; 2],
    /// Tiling by cells or by samples.
    cut: Cut,
    /// Rows and columns before resampling; `None` if not resampled.
    resampled_from: Option<[usize; 2]>,
}

/// Refine, convert and resample the ground to the numbers of a map, with its snow or its
/// plants if these are wanted.
pub fn fitted(
    plan: &Plan<'_>,
    ground: HeightSource,
    (snow, plants): (Option<&SnowCover>, Option<&Scatter>),
    job: &Job,
) -> Result<Fitted, ExportError> {
    let (scene, options) = (plan.scene, &plan.options);
    let whole = !takes_rectangles(plan);
    let mut source = ground.refined(scene, options.levels, whole, options.region, job)?;
    if let Kind::Whole(make) = plan.map.kind {
        source = source.made(scene, make, job)?;
    }
    match (plan.map.kind, snow) {
        (Kind::Snow(measure), snow) => source = source.measured_snow(measure, snow, scene, job)?,
        (Kind::Plants(kind), _) => source = source.measured_plants(kind, plants, job)?,
        (Kind::Heights, Some(snow)) if options.snow => source = source.under_snow(snow, job)?,
        _ => {}
    }
    if let (Some(deep), Kind::Paint(_) | Kind::Bands(_) | Kind::Materials | Kind::WaterSurface) =
        (source.deep(), plan.map.kind)
    {
        return Err(ExportError::TooDeep {
            map: plan.map.name,
            level: deep.refinement.level(),
            most: Refinement::SINGLE_TO,
        });
    }
    let [rows, columns] = source.size();
    let (size, cut) = match (options.tiles, options.region) {
        (Some(tiles), _) => tiles.fitted([rows, columns], options.samples, source.wraps())?,
        (None, Some(_)) => ([rows, columns], Cut::Cells),
        (None, None) => (options.samples.of(rows, columns), Cut::Cells),
    };
    let is_crop = options.tiles.is_none() && options.samples.is_crop(rows, columns);
    let is_resampled = size != [rows, columns] && !is_crop;
    if is_resampled {
        // Cubic interpolation may overshoot, but areas and depths must not become negative.
        let ends = source.map().map(Heightmap::range);
        let ends = ends.filter(|_| plan.map.kind.is_whole());
        let map = source.resampled(size, job)?;
        source = HeightSource::Map(match ends {
            Some(ends) => clamped(map, ends),
            None => map,
        });
    }
    Ok(Fitted {
        source,
        size,
        cut,
        resampled_from: is_resampled.then_some([rows, columns]),
    })
}

/// Map with its numbers clamped to a range.
fn clamped(map: Heightmap, (low, high): (f32, f32)) -> Heightmap {
    let (rows, columns, wraps) = (map.rows(), map.columns(), map.wraps());
    let valid = map.valid().cloned();
    let mut numbers = map.into_heights();
    let all = numbers.iter_mut();
    all.for_each(|number| *number = number.clamp(low, high));
    Heightmap::new(rows, columns, wraps, numbers).with_valid(valid)
}

/// Span of the numbers, and the range of the whole map where a piece needs it.
pub fn ranges(
    plan: &Plan<'_>,
    excerpt: Excerpt<'_>,
    inputs: &Inputs,
    job: &Job,
) -> Result<(Span, Option<(f32, f32)>), ExportError> {
    let options = &plan.options;
    if plan.map.holds_heights() {
        let span = match (options.span, pipeline::steps_range(plan.scene, inputs)) {
            // Keep the steps of an unchanged image, unless its lowest height would be read as a hole.
            (Span::Own, Some((low, high))) if options.levels == 0 && !meets_hole(excerpt, low) => {
                Span::Heights(low, high)
            }
            (span, _) => span,
        };
        let mut formats = plan.formats();
        let needs_range = formats.any(|f| f.is_mesh() || span.needs_range(f.levels));
        let range = match options.is_part() {
            true if excerpt.source.deep().is_some() => None,
            true if needs_range || !plan.map.is_heights() => Some(excerpt.range_of_all(job)?),
            // The range of water is that of the ground.
            false if !plan.map.is_heights() => Some(excerpt.range(job)?),
            _ => None,
        };
        return Ok((span, range));
    }
    let given = options.span.heights().or(plan.map.range);
    let has_levels = plan.formats().any(|format| format.levels.is_some());
    let range = match plan.map.kind {
        _ if given.is_some() => given,
        Kind::Relief(_) if has_levels => {
            let is_deep = excerpt.source.deep().is_some();
            if !is_deep {
                check_finite(excerpt.location)?;
            }
            // A rectangle uses the range of the whole map, so that neighbours join. At levels too deep
            // for 32 bits the whole map is too large to search.
            let excerpt = match options.is_part() && !is_deep {
                true => Excerpt::new(excerpt.source, false),
                false => excerpt,
            };
            let (map, scene) = (plan.map, plan.scene);
            let (low, high) = MapRows {
                excerpt,
                map,
                scene,
            }
            .range(job)?;
            // Symmetric, so that 0 is in the middle of the numbers.
            let most = high.max(-low);
            Some((-most, most))
        }
        kind if kind.is_whole() && has_levels => Some(excerpt.range_of_all(job)?),
        Kind::Bands(_) | Kind::Paint(_) | Kind::Materials => Some(excerpt.range_of_all(job)?),
        _ => None,
    };
    let span = range.map_or(Span::Own, |(low, high)| Span::Heights(low, high));
    Ok((span, None))
}

/// True if the map has holes and its lowest data is at the height of the number 0, which marks holes.
fn meets_hole(excerpt: Excerpt<'_>, low: f32) -> bool {
    let map = excerpt.source.map().filter(|map| map.valid().is_some());
    map.is_some_and(|map| map.valid_range().0 <= low)
}

/// Samples of a rectangle without data. The range of the data is `known`, or found by a pass over the
/// rectangle.
pub fn holes(
    excerpt: Excerpt<'_>,
    known: Option<(f32, f32)>,
    job: &Job,
) -> Result<Option<Holes>, ExportError> {
    let Some(valid) = excerpt.valid() else {
        return Ok(None);
    };
    let range = match known {
        Some(range) => range,
        None => {
            let (rows, job) = (&excerpt, &job.part());
            let data = WithHoles {
                rows,
                valid: &valid,
            };
            match data.range(job)? {
                (low, high) if low <= high => (low, high),
                // Without any data, use the range of the filled heights.
                _ => excerpt.range(job)?,
            }
        }
    };
    Ok(Some(Holes { valid, range }))
}

/// Finer map for the texture of a whole mesh, if the scene has more iterations for it.
fn finer(plan: &Plan<'_>, inputs: &Inputs, job: &Job) -> Result<Option<Heightmap>, ExportError> {
    let surface = pipeline::surface_of(plan.scene);
    let is_made = !matches!(surface.generator, Generator::Image | Generator::Midpoint1d);
    let is_finer = is_made && plan.scene.teximage.iterations > surface.iterations;
    if is_finer && plan.has_mesh() && !plan.options.is_part() {
        Ok(Some(pipeline::teximage(plan.scene, inputs, job)?))
    } else {
        Ok(None)
    }
}
