//! Export of a map in pieces: the whole map, a rectangle, or tile by tile.

use super::earth;
use super::error::ExportError;
use super::excerpt::{Excerpt, check_finite};
use super::fine::{Fine, rounded};
use super::heights::HeightSource;
use super::location::first_of;
use super::maps::{MapRows, pictures, textures};
use super::piece::{Holes, Piece};
use super::plan::OpenFile;
use super::plan::Plan;
use super::row_source::{RowSource, WithHoles};
use super::rows;
use super::stored::{self, Stored};
use super::tiles::Cut;
use super::values::Span;
use super::written::Written;
use crate::fractal::refinement::Refinement;
use crate::generate::{GenerateError, Generator};
use crate::pipeline;
use crate::pipeline::inputs::Inputs;
use crate::shading::covers::{self, CoverMap};
use crate::shading::maps::Kind;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;

/// Iterations up to which other maps are made from heights in memory, which is faster than streaming bands.
const WHOLE_UP_TO: u32 = 12;

/// Function that writes one piece.
type WritePiece<'w> =
    &'w dyn Fn(&Piece<'_>, Excerpt<'_>, Vec<OpenFile>) -> Result<Written, ExportError>;

/// Execute a plan.
pub fn write(plan: &Plan<'_>, inputs: &Inputs, job: &Job) -> Result<Written, ExportError> {
    let by = |write: WritePiece<'_>| of_the_ground(plan, inputs, job, write);
    match plan.map.kind {
        Kind::Heights => by(&|piece, excerpt, files| {
            if let Some(exact) = &piece.exact {
                let numbers = rounded(exact, piece.above);
                let (rows, columns) = (numbers.rows(), numbers.columns());
                let above = Heightmap::new(rows, columns, false, numbers.into_vec());
                return rows::write(&above, piece, files);
            }
            if plan.options.is_part() {
                let alone = excerpt.whole(piece.job)?;
                return rows::write(&*alone, piece, files);
            }
            rows::write(&excerpt, piece, files)
        }),
        Kind::Relief(_) => by(&|piece, excerpt, files| {
            let numbers = MapRows::new(excerpt, plan.map, plan.scene);
            rows::write(&numbers, piece, files)
        }),
        Kind::Whole(_) => by(&|piece, excerpt, files| rows::write(&excerpt, piece, files)),
        Kind::Normal(green) => {
            by(&|piece, excerpt, files| pictures::normals(piece, excerpt, files, green))
        }
        Kind::Paint(paint) => {
            by(&|piece, excerpt, files| pictures::painted(piece, excerpt, files, paint))
        }
        Kind::Bands(channels) => {
            by(&|piece, excerpt, files| pictures::masks(piece, excerpt, files, channels))
        }
        Kind::Clouds => textures::clouds(plan, inputs, job),
        Kind::Colors => textures::colors(plan, inputs, job),
        Kind::Sky => textures::sky(plan, inputs, job),
    }
}

/// Write the pieces of a map that has the samples of the ground.
fn of_the_ground(
    plan: &Plan<'_>,
    inputs: &Inputs,
    job: &Job,
    write: WritePiece<'_>,
) -> Result<Written, ExportError> {
    let Plan {
        scene,
        palette,
        map,
        ref options,
        ..
    } = *plan;
    let tiles = plan.tiles();
    // A single set of files is opened now, so that no other run can write it in the meantime. There may
    // be too many tiles to have all of them open.
    let mut opened = match options.tiles {
        None => Some(plan.open(None)?),
        Some(_) => None,
    };
    // Generating the map counts as half of the work; streamed rows are generated while writing.
    let (making, writing) = (job.span(0..1, 2), job.span(1..2, 2));
    let job = &making;
    let source = ground(plan, inputs, job)?;
    let covers = match source.map() {
        Some(map) => lying(plan, map, job)?,
        None => None,
    };
    let Fitted {
        source,
        size,
        cut,
        resampled_from,
    } = fitted(plan, source, job)?;
    let all = Excerpt::new(&source, options.flip);
    let all = match options.region {
        Some(region) => all.part(region)?,
        None => all.part(first_of(size))?,
    };
    let (span, range_of_map) = ranges(plan, all, inputs, job)?;
    let range_of_data = match range_of_map {
        Some(_) => range_of_data(&source, job)?,
        None => None,
    };
    let stored = match source.map() {
        Some(ground) if map.is_heights() && resampled_from.is_none() => {
            stored::of(scene, ground, job)
        }
        _ => None,
    };
    let finer = finer(plan, inputs, job)?;
    let finer_covers = match &finer {
        Some(map) => lying(plan, map, job)?,
        None => None,
    };
    let mut written = Written::of_size(size);
    for (index, tile) in tiles.iter().enumerate() {
        let excerpt = match options.tiles.zip(*tile) {
            Some((tiles, tile)) => all.part(tiles.region(tile, size, cut))?,
            None => all,
        };
        let job = &writing.share(index, tiles.len());
        let deep = source.deep();
        let piece = Piece {
            above: deep.map_or(0.0, Fine::above),
            exact: match deep.filter(|_| map.is_heights()) {
                Some(deep) => deep.exact(excerpt.region, options.flip, &making)?,
                None => None,
            },
            stored: match &stored {
                Some(all) => Some(Stored::part(all, excerpt.region, options.flip)?),
                None => None,
            },
            earth: earth::of(scene, inputs, excerpt.location),
            span,
            range_of_map,
            holes: match map.is_heights() {
                true => holes(excerpt, range_of_data.or(range_of_map), &making)?,
                false => None,
            },
            flipped: options.flip,
            mesh: options.mesh,
            finer: finer.as_ref(),
            covers: [covers.as_ref(), finer_covers.as_ref()],
            whole: source.map().filter(|_| options.is_part()),
            ..Piece::new(scene, palette, map, excerpt.location, job)
        };
        let files = match opened.take() {
            Some(files) => files,
            None => plan.open(*tile)?,
        };
        let piece = write(&piece, excerpt, files)?;
        match options.tiles {
            Some(_) => written.add(&piece),
            None => written = piece,
        }
    }
    written.resampled_from = resampled_from;
    Ok(written)
}

/// Covers of a map, if its colours are written.
fn lying(plan: &Plan<'_>, map: &Heightmap, job: &Job) -> Result<Option<CoverMap>, ExportError> {
    if !plan.has_mesh() && !matches!(plan.map.kind, Kind::Paint(_)) {
        return Ok(None);
    }
    let covers = plan.palette.covers_of(plan.scene.material.covers);
    Ok(covers::on(map, &covers, job).map_err(GenerateError::from)?)
}

/// True if the files need only rectangles of the ground, which can be generated on their own.
fn takes_rectangles(plan: &Plan<'_>) -> bool {
    plan.options.is_part() && !plan.has_mesh() && !matches!(plan.map.kind, Kind::Whole(_))
}

/// Heights for a map, down to the last iteration of the scene; if the ground continues by itself,
/// including the levels below.
pub fn ground(plan: &Plan<'_>, inputs: &Inputs, job: &Job) -> Result<HeightSource, ExportError> {
    let (scene, options) = (plan.scene, &plan.options);
    let levels = options.levels;
    if let Kind::Whole(_) = plan.map.kind {
        HeightSource::new(scene, inputs, levels, true, job)
    } else if takes_rectangles(plan) {
        HeightSource::of_any_size(scene, inputs, levels, options.region, job)
    } else {
        let needs_all = if plan.map.is_heights() {
            plan.formats().any(|format| format.needs_the_whole_map())
        } else {
            pipeline::surface_of(scene).iterations <= WHOLE_UP_TO
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
    pub size: [usize; 2],
    /// Tiling by cells or by samples.
    pub cut: Cut,
    /// Rows and columns before resampling; `None` if not resampled.
    pub resampled_from: Option<[usize; 2]>,
}

/// Refine, convert and resample the ground to the numbers of a map.
pub fn fitted(plan: &Plan<'_>, ground: HeightSource, job: &Job) -> Result<Fitted, ExportError> {
    let (scene, options) = (plan.scene, &plan.options);
    let whole = !takes_rectangles(plan);
    let source = ground.refined(scene, options.levels, whole, options.region, job)?;
    let source = match plan.map.kind {
        Kind::Whole(make) => source.made(scene, make, job)?,
        _ => source,
    };
    if let (Some(deep), Kind::Paint(_) | Kind::Bands(_)) = (source.deep(), plan.map.kind) {
        return Err(ExportError::TooDeep {
            map: plan.map.name,
            level: deep.level(),
            most: Refinement::SINGLE_TO,
        });
    }
    let [rows, columns] = source.size();
    let (size, cut) = match (options.tiles, options.region) {
        (Some(tiles), _) => {
            let wraps = source.wraps();
            tiles.fitted([rows, columns], options.samples, wraps)?
        }
        (None, Some(_)) => ([rows, columns], Cut::Cells),
        (None, None) => (options.samples.of(rows, columns), Cut::Cells),
    };
    let is_crop = options.tiles.is_none() && options.samples.is_crop(rows, columns);
    let is_resampled = size != [rows, columns] && !is_crop;
    let source = if is_resampled {
        // Cubic interpolation may overshoot, but areas and depths must not become negative.
        let ends =
            matches!(plan.map.kind, Kind::Whole(_)).then(|| source.map().map(Heightmap::range));
        let resampled = source.resampled(size, job)?;
        match ends.flatten() {
            Some((low, high)) => resampled.clamped(low, high),
            None => resampled,
        }
    } else {
        source
    };
    Ok(Fitted {
        source,
        size,
        cut,
        resampled_from: is_resampled.then_some([rows, columns]),
    })
}

/// Span of the numbers, and the range of the whole map where a piece needs it.
pub fn ranges(
    plan: &Plan<'_>,
    excerpt: Excerpt<'_>,
    inputs: &Inputs,
    job: &Job,
) -> Result<(Span, Option<(f32, f32)>), ExportError> {
    let options = &plan.options;
    if plan.map.is_heights() {
        let span = match (options.span, pipeline::steps_range(plan.scene, inputs)) {
            // Keep the steps of an unchanged image, unless its lowest height would be read as a hole.
            (Span::Own, Some((low, high))) if options.levels == 0 && !meets_hole(excerpt, low) => {
                Span::Heights(low, high)
            }
            (span, _) => span,
        };
        let mut formats = plan.formats();
        let needs_range = formats.any(|f| f.is_mesh() || span.needs_range(f.levels));
        let range = if options.is_part() && needs_range && excerpt.source.deep().is_none() {
            Some(excerpt.range_of_all(job)?)
        } else {
            None
        };
        return Ok((span, range));
    }
    let given = options.span.heights().or(plan.map.range);
    let range = match plan.map.kind {
        _ if given.is_some() => given,
        Kind::Relief(_) if plan.formats().any(|format| format.levels.is_some()) => {
            let is_deep = excerpt.source.deep().is_some();
            if !is_deep {
                check_finite(excerpt.location)?;
            }
            // A rectangle uses the range of the whole map, so that neighbours join. At levels too deep
            // for 32 bits the whole map is too large to search.
            let excerpt = if options.is_part() && !is_deep {
                Excerpt::new(excerpt.source, false)
            } else {
                excerpt
            };
            let numbers = MapRows::new(excerpt, plan.map, plan.scene);
            let (low, high) = numbers.range(job).map_err(GenerateError::from)?;
            // Symmetric, so that 0 is in the middle of the numbers.
            let most = high.max(-low);
            Some((-most, most))
        }
        Kind::Whole(_) if plan.formats().any(|format| format.levels.is_some()) => {
            Some(excerpt.range_of_all(job)?)
        }
        Kind::Bands(_) | Kind::Paint(_) => Some(excerpt.range_of_all(job)?),
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
            let data = WithHoles {
                rows: &excerpt,
                valid: &valid,
            };
            let job = &job.part();
            let (low, high) = data.range(job).map_err(GenerateError::from)?;
            // Without any data, use the range of the filled heights.
            if low <= high {
                (low, high)
            } else {
                excerpt.range(job).map_err(GenerateError::from)?
            }
        }
    };
    Ok(Some(Holes { valid, range }))
}

/// Lowest and highest height of the data, for a map in memory with holes.
fn range_of_data(source: &HeightSource, job: &Job) -> Result<Option<(f32, f32)>, ExportError> {
    if source.map().is_none() {
        return Ok(None);
    }
    let holes = holes(Excerpt::new(source, false), None, job)?;
    Ok(holes.map(|holes| holes.range))
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
