//! `landform stats`: statistics of a height map, such as range, estimated Hurst exponent, spectrum and
//! drainage.

use std::sync::Arc;

use clap::Args;
use serde_json::{Map, Value, json};

use super::args::read_pour_point;
use super::console::{Failure, watch};
use super::scene_args::SurfaceArgs;
use crate::batch_renderer::beyond;
use crate::files::export::{
    Location, MOST_PLANTS, check_drainage, check_memory, check_snow, place_on_earth,
};
use crate::files::import;
use crate::generate::{GenerateError, MAX_ITERATIONS_IN_MEMORY};
use crate::pipeline;
use crate::pipeline::inputs::Inputs;
use crate::plants::{LayerCount, PlantCount};
use crate::scene::Scene;
use crate::shading::snow::{SnowAmount, SnowCover};
use crate::terrain::drainage::Drainage;
use crate::terrain::geo::Georeference;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::measure::{
    self, Histogram, IN_THE_SEA, Landform, PourPoint, REFERENCES, Reference, Rivers, SHARES,
    SlopesAtScale, Statistics, Watershed, spectral_slope,
};
use crate::util::job::Job;
use crate::util::language::tr;
use crate::util::numbers::{area_words, fixed, length_words, metres_per_unit};

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub(super) scene: SurfaceArgs,
    /// Print JSON, with the histogram and the points of the plots; undefined values are null
    #[arg(long, help_heading = "Options")]
    json: bool,
    /// Also measure the land that drains through a point, given as half tiles east and south of the
    /// map's middle, such as 0.2,-0.35. The point snaps to a river close to it, unless `,exact`
    /// follows [default: the point of the scene, if it has one]
    #[arg(long, help_heading = "Options", value_name = "X,Z", value_parser = read_pour_point, allow_hyphen_values = true)]
    watershed: Option<PourPoint>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let report = watch("generating", false, |job| {
        let (map, requested, sea, tile_size_m, own, georeference, snow, plants) =
            match &arguments.scene.scene {
                // A height file is measured as it is, unless flags change it.
                Some(path) if import::holds_heights(path) && !arguments.scene.changed() => {
                    let samples = import::samples(path)?;
                    let notices = samples.notices(path, None);
                    notices.iter().for_each(|notice| super::warn(notice));
                    let (tile_size_m, georeference) = (samples.tile_size_m, samples.place.clone());
                    let map = samples.into_heightmap();
                    let map = Arc::new(map);
                    (map, None, None, tile_size_m, None, georeference, None, None)
                }
                _ => {
                    let (scene, _) = arguments.scene.scene(None, |_| MAX_ITERATIONS_IN_MEMORY)?;
                    let ground = pipeline::surface_of(&scene);
                    let inputs = super::inputs(&scene)?;
                    check_memory(&scene, &inputs)?;
                    let map = Arc::new(pipeline::heights(&scene, &inputs, job)?);
                    let (requested, sea) = (ground.requested_hurst(), scene.water.height());
                    let own = pipeline::pour_point(&scene);
                    let location = Location::whole(map.rows(), map.columns());
                    let georeference = place_on_earth(&scene, &inputs, location);
                    let tile_size_m = Some(ground.tile_size_m);
                    let snow = match scene.snow.enabled && !map.is_profile() {
                        true => Some(snow_on(&map, &scene, job)?),
                        false => None,
                    };
                    let plants = plants_on(&map, &scene, &inputs, job)?;
                    (
                        map,
                        requested,
                        sea,
                        tile_size_m,
                        own,
                        georeference,
                        snow,
                        plants,
                    )
                }
            };
        check_drainage(&map)?;
        let generated = GenerateError::from;
        let drainage = measure::drainage(&map, sea, job).map_err(generated)?;
        let statistics = measure::statistics_drained(&map, drainage.as_ref(), job);
        let basin = (arguments.watershed.or(own)).map(|point| {
            let drainage = drainage.as_ref().ok_or_else(|| {
                Failure::usage("--watershed needs a map; a ridge has no watershed")
            })?;
            Ok::<_, Failure>(Basin {
                georeference,
                ..basin(&map, drainage, sea, point, tile_size_m)?
            })
        });
        Ok::<_, Failure>(Report {
            statistics: statistics.map_err(generated)?,
            is_profile: map.is_profile(),
            tile_size_m,
            // Conversion through text gives 0.7, not 0.699999988.
            requested: requested.and_then(|h| h.to_string().parse().ok()),
            basin: basin.transpose()?,
            snow,
            plants,
        })
    })?;
    super::print(&if arguments.json {
        report.as_json()
    } else {
        report.as_table()
    })
}

/// Amount of snow on the map of a scene with snow.
fn snow_on(map: &Heightmap, scene: &Scene, job: &Job) -> Result<SnowAmount, Failure> {
    check_snow(map)?;
    let snow = SnowCover::on(map, scene, job).map_err(GenerateError::from)?;
    Ok(snow.map(|snow| snow.amount).unwrap_or_default())
}

/// Number of plants on the map of a scene with plants; `None` without any, or with too many to count.
fn plants_on(
    map: &Arc<Heightmap>,
    scene: &Scene,
    inputs: &Inputs,
    job: &Job,
) -> Result<Option<PlantCount>, Failure> {
    let Some(scatter) = pipeline::plants(scene, inputs, map, job)? else {
        return Ok(None);
    };
    let most = scatter.most_in(scatter.whole());
    if most > MOST_PLANTS as f64 {
        super::warn(&tr!(
            "the plants are too many to count: up to {most}",
            most = format_args!("{most:.0}")
        ));
        return Ok(None);
    }
    Ok(Some(scatter.count(job).map_err(GenerateError::from)?))
}

/// Watershed with its outlet, prepared for output.
struct Basin {
    watershed: Watershed,
    /// The outlet's position on the map, as x and z.
    outlet: [f32; 2],
    /// The outlet in half tiles east and south of the north-western sample.
    outlet_from_corner: [f64; 2],
    /// The georeference of the map, if it is known.
    georeference: Option<Georeference>,
    /// Metres per half tile, if the size of the map is known.
    metres: Option<f64>,
}

impl Basin {
    fn area_m2(&self) -> Option<f64> {
        self.metres
            .map(|metres| self.watershed.area * metres.powi(2))
    }

    /// Convert a length in half tiles to metres.
    fn length_m(&self, length: f64) -> Option<f64> {
        self.metres.map(|metres| length * metres)
    }

    fn as_json(&self) -> Value {
        let watershed = &self.watershed;
        json!({
            "row": watershed.row,
            "column": watershed.column,
            "x": self.outlet[0],
            "z": self.outlet[1],
            "coordinates": self.georeference.as_ref().map(|map| map.point(self.outlet_from_corner)),
            "crs": self.georeference.as_ref().and_then(|map| map.keys.epsg()).map(|code| format!("EPSG:{code}")),
            "moved_m": self.length_m(watershed.moved.into()),
            "in_lake": watershed.in_lake,
            "area_m2": self.area_m2(),
            "share": watershed.share,
            "longest_river_m": self.length_m(watershed.longest),
            "ends_in": watershed.end.words(),
        })
    }
}

impl std::fmt::Display for Basin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Watershed {
            row,
            column,
            moved,
            share,
            longest,
            end,
            ..
        } = self.watershed;
        if self.watershed.is_empty() {
            return write!(f, "{IN_THE_SEA} (row {row}, column {column})");
        }
        if let Some(area) = self.area_m2() {
            write!(f, "{}, ", area_words(area))?;
        }
        write!(f, "{:.2} % of the land, ", share * 100.0)?;
        if let Some(longest) = self.length_m(longest) {
            write!(f, "longest river {}, ", length_words(longest))?;
        }
        let [x, z] = self.outlet;
        let end = end.words();
        write!(
            f,
            "ends in {end}; outlet at {x},{z} (row {row}, column {column}"
        )?;
        if let Some(map) = &self.georeference {
            write!(f, ", {}", map.format_point(self.outlet_from_corner))?;
        }
        match (moved > 0.0, self.length_m(moved.into())) {
            (true, Some(moved)) => write!(f, ", moved by {})", length_words(moved)),
            (true, None) => write!(f, ", moved)"),
            (false, _) => write!(f, ")"),
        }
    }
}

/// Compute the watershed of a pour point.
fn basin(
    map: &Heightmap,
    drainage: &Drainage,
    sea: Option<f32>,
    point: PourPoint,
    tile_size_m: Option<f32>,
) -> Result<Basin, Failure> {
    if !point.is_on(map) {
        return Err(beyond(map, point.place).into());
    }
    let watershed = Watershed::of(map, drainage, sea, point);
    Ok(Basin {
        outlet: [map.x(watershed.column), map.z(watershed.row)],
        outlet_from_corner: [watershed.column, watershed.row]
            .map(|index| index as f64 * f64::from(map.spacing())),
        georeference: None,
        watershed,
        metres: tile_size_m.map(metres_per_unit),
    })
}

struct Report {
    statistics: Statistics,
    is_profile: bool,
    /// The Hurst exponent set in the scene, if the map comes from a scene.
    requested: Option<f64>,
    /// The tile size in metres, if it is known.
    tile_size_m: Option<f32>,
    /// The watershed, if a pour point was given.
    basin: Option<Basin>,
    /// The amount of snow, if the scene has snow.
    snow: Option<SnowAmount>,
    /// The plants, if the scene has some.
    plants: Option<PlantCount>,
}

impl Report {
    /// Format the statistics as JSON, one line per key. Numbers that JSON cannot express become null.
    fn as_json(&self) -> String {
        let Statistics {
            measures,
            histogram,
            variations,
            spectrum,
            crease,
            rivers,
            slopes,
            landforms,
        } = &self.statistics;
        let rivers = rivers.as_ref();
        let quantiles = |of: [Vec<f64>; 4]| {
            let names = SHARES.map(|share| format!("p{}", (share * 100.0).round()));
            let lists = names.into_iter().zip(of);
            Value::Object(lists.map(|(name, list)| (name, json!(list))).collect())
        };
        let of_landforms = |shares: &[f64; 10]| {
            let shares = Landform::ALL.iter().zip(shares);
            let each = shares.map(|((_, name), share)| ((*name).to_owned(), json!(share)));
            Value::Object(each.collect())
        };
        let of_share = |i: usize| slopes.iter().map(|at| at.slopes[i]).collect();
        let slopes_by_scale = json!({
            "spacing": list(slopes, |at| at.spacing),
            "spacing_m": list(slopes, |at| self.metres_of(at.spacing)),
            "degrees": quantiles([0, 1, 2, 3].map(of_share)),
        });
        let reference = |place: &Reference| {
            json!({
                "name": place.name,
                "source": place.source,
                "spacing_m": place.spacing_m,
                "degrees": quantiles(place.slopes.map(|slope| vec![slope])),
                "landforms": of_landforms(&place.landforms),
            })
        };
        let references = list(&REFERENCES, reference);
        let of_snow = |snow: &SnowAmount| {
            json!({
                "covered": snow.covered,
                "mean_depth_m": self.metres_of(snow.mean_depth),
                "greatest_depth_m": self.metres_of(snow.greatest_depth),
                "volume_per_area_m": self.metres_of(snow.per_area),
            })
        };
        let snow = self.snow.as_ref().map(of_snow);
        let of_plants = |plants: &PlantCount| {
            let per_hectare = |count: u64| count as f64 / plants.hectares;
            let of_layer = |layer: &LayerCount| {
                json!({
                    "layer": layer.layer,
                    "species": layer.kind.name(),
                    "count": layer.count,
                    "per_hectare": per_hectare(layer.count),
                })
            };
            json!({
                "count": plants.all(),
                "per_hectare": per_hectare(plants.all()),
                "forest_share": plants.forest,
                "layers": list(&plants.layers, of_layer),
            })
        };
        let classes = rivers.map_or(&[][..], |rivers| &rivers.classes);
        let levels = crease.as_ref().map_or(&[][..], |crease| &crease.levels);
        let value = json!({
            "width": measures.width,
            "height": measures.height,
            "no_data": measures.no_data,
            "min": measures.min,
            "max": measures.max,
            "mean": measures.mean,
            "std": measures.std,
            "min_m": self.metres_of(measures.min.into()),
            "max_m": self.metres_of(measures.max.into()),
            "mean_m": self.metres_of(measures.mean),
            "std_m": self.metres_of(measures.std),
            "rms_slope": measures.rms_slope,
            "hurst": measures.hurst,
            "hurst_requested": self.requested,
            "fractal_dimension": measures.fractal_dimension,
            "fractal_dimension_note": measures.dimension_note(),
            "wrap_error": measures.wrap_error.height,
            "wrap_error_slope": measures.wrap_error.slope,
            "histogram": histogram.counts,
            "variations": {
                "lag": list(variations, |v| v.lag),
                "mean_square": list(variations, |v| v.mean_square),
                "count": list(variations, |v| v.count),
            },
            "spectrum": {
                "frequency": list(&spectrum.rings, |ring| ring.frequency),
                "power": list(&spectrum.rings, |ring| ring.power),
                "count": list(&spectrum.rings, |ring| ring.count),
            },
            "spectrum_slope": spectrum.line.map(|line| line.slope),
            "spectrum_slope_theory": self.theory(),
            "hurst_spectrum": spectrum.hurst(self.is_profile),
            "crease": crease.as_ref().map(|crease| crease.ratio),
            "creases": {
                "spacing": list(levels, |level| level.spacing),
                "ratio": list(levels, |level| level.ratio),
                "count": list(levels, |level| level.count),
            },
            "drainage_density": rivers.map(|rivers| rivers.density),
            "longest_river": rivers.map(|rivers| rivers.longest),
            "longest_river_m": rivers.and_then(|rivers| self.metres_of(rivers.longest)),
            "lake_share": rivers.map(|rivers| rivers.lakes),
            "pits": rivers.map(|rivers| rivers.pits),
            "concavity": rivers.and_then(Rivers::concavity),
            "hypsometric_integral": rivers.and_then(|rivers| rivers.hypsometric_integral),
            "slope_of_area": {
                "area": list(classes, |class| class.area),
                "slope": list(classes, |class| class.slope),
                "count": list(classes, |class| class.count),
            },
            "slopes": slopes_by_scale,
            "landforms": landforms.as_ref().map(of_landforms),
            "references": references,
            "snow": snow,
            "watershed": self.basin.as_ref().map(Basin::as_json),
        });
        let Value::Object(mut value) = value else {
            return format!("{value}\n");
        };
        // Scenes without plants keep their statistics.
        value.extend(
            self.plants
                .iter()
                .map(|plants| ("plants".to_owned(), of_plants(plants))),
        );
        lines(&value)
    }

    /// Convert a height or length in half tiles to metres, if the size of the map is known.
    fn metres_of(&self, half_tiles: f64) -> Option<f64> {
        self.tile_size_m
            .map(|size| half_tiles * metres_per_unit(size))
    }

    /// The theoretical slope of the spectrum for the requested Hurst exponent.
    fn theory(&self) -> Option<f64> {
        self.requested
            .map(|hurst| spectral_slope(hurst, self.is_profile))
    }

    fn as_table(&self) -> String {
        let Statistics {
            measures,
            histogram,
            spectrum,
            crease,
            rivers,
            slopes,
            landforms,
            ..
        } = &self.statistics;
        let rivers = rivers.as_ref();
        let known = |value: Option<f64>| value.map_or("-".to_owned(), |v| fixed(v, 3));
        let note = |words: &str, value: Option<f64>| {
            value.map_or(String::new(), |value| {
                // Rounding gives the shortest form, without errors in the last digit.
                format!(" ({words} {})", (value * 1e6).round() / 1e6)
            })
        };
        let crease = crease.as_ref().map(|crease| crease.ratio);
        // Adding 0 turns -0 into 0.
        let of_half_tiles = |height: f32| match self.metres_of(height.into()) {
            Some(metres) => format!("{} ({})", height + 0.0, length_words(metres)),
            None => (height + 0.0).to_string(),
        };
        let of_mean = |height: f64| match self.metres_of(height) {
            Some(metres) => format!("{} ({})", fixed(height, 6), length_words(metres)),
            None => fixed(height, 6),
        };
        let estimated = known(measures.hurst);
        let dimension = known(measures.fractal_dimension)
            + &(measures.dimension_note()).map_or(String::new(), |note| format!(" ({note})"));
        let slope = known(spectrum.line.map(|line| line.slope));
        let of_rivers = |value: fn(&Rivers) -> Option<f64>| known(rivers.and_then(value));
        let longest = of_rivers(|rivers| Some(rivers.longest));
        let longest_m = rivers.and_then(|rivers| self.metres_of(rivers.longest));
        let longest_m = longest_m.map(|metres| format!(" ({})", length_words(metres)));
        let lakes = rivers.map(|rivers| format!("{:.2} %", rivers.lakes * 100.0));
        let pits = rivers.map(|rivers| rivers.pits.to_string());
        let rows = [
            ("size", format!("{} x {}", measures.width, measures.height)),
            ("lowest", of_half_tiles(measures.min)),
            ("highest", of_half_tiles(measures.max)),
            ("mean", of_mean(measures.mean)),
            ("standard deviation", of_mean(measures.std)),
            ("histogram", sparkline(histogram)),
            ("slope (root mean square)", fixed(measures.rms_slope, 6)),
            (
                "estimated H",
                estimated + &note("asked for", self.requested),
            ),
            ("fractal dimension", dimension),
            (
                "slope of the spectrum",
                slope + &note("theory", self.theory()),
            ),
            (
                "H from the spectrum",
                known(spectrum.hurst(self.is_profile)),
            ),
            ("creases (1 is none)", known(crease)),
            (
                "wrap error of height",
                measures.wrap_error.height.to_string(),
            ),
            ("wrap error of slope", measures.wrap_error.slope.to_string()),
            ("drainage density", of_rivers(|rivers| Some(rivers.density))),
            ("longest river", longest + &longest_m.unwrap_or_default()),
            ("land under lakes", lakes.unwrap_or("-".to_owned())),
            ("pits", pits.unwrap_or("-".to_owned())),
            ("concavity of rivers", of_rivers(Rivers::concavity)),
            (
                "hypsometric integral",
                of_rivers(|rivers| rivers.hypsometric_integral),
            ),
        ];
        let snow = self.snow.iter().flat_map(|snow| {
            let metres = |depth| self.metres_of(depth).map_or("-".to_owned(), length_words);
            let [mean, most] = [snow.mean_depth, snow.greatest_depth].map(metres);
            [
                (
                    "map under snow",
                    format!("{:.2} %, {mean} deep on average", snow.covered * 100.0),
                ),
                ("greatest depth of snow", most),
                (
                    "snow over the whole map",
                    format!("{} on average", metres(snow.per_area)),
                ),
            ]
        });
        let snow: Vec<_> = snow.collect();
        let plants = self.plants.iter().flat_map(|plants| {
            let words = |count: u64| {
                let per_hectare = count as f64 / plants.hectares;
                format!("{count} ({} per hectare)", fixed(per_hectare, 1))
            };
            let all = [("plants", words(plants.all()))].into_iter();
            let of_layer = move |layer: &LayerCount| (layer.kind.name(), words(layer.count));
            let forest = (
                "map under forest",
                format!("{:.2} %", plants.forest * 100.0),
            );
            all.chain(plants.layers.iter().map(of_layer))
                .chain([forest])
        });
        let plants: Vec<_> = plants.collect();
        let basin = (self.basin.as_ref()).map(|basin| ("watershed", basin.to_string()));
        let no_data = (measures.no_data > 0).then(|| {
            let count = measures.no_data;
            let share = count as f64 / (measures.width * measures.height) as f64;
            let words = format!("{count} ({:.2} %), filled", share * 100.0);
            ("samples without data", words)
        });
        let (size, figures) = rows.split_at(1);
        let line = |(name, value): &(&str, String)| format!("{name:26}{value}\n");
        let rows = size.iter().chain(&no_data).chain(figures).map(line);
        let away = |at: &SlopesAtScale| match self.metres_of(at.spacing) {
            Some(metres) => length_words(metres),
            None => format!("{} half tiles", fixed(at.spacing, 6)),
        };
        let own = slopes.iter().map(|at| {
            format!(
                "{:26}{}\n",
                format!("slopes at {}", away(at)),
                degrees(&at.slopes)
            )
        });
        let own_forms = landforms
            .iter()
            .map(|shares| format!("{:26}{}\n", "landforms", forms(shares)));
        let places = REFERENCES.iter().flat_map(|place| {
            let at = length_words(place.spacing_m);
            let (slopes, shares) = (degrees(&place.slopes), forms(&place.landforms));
            [
                format!("{:26}{slopes}\n", format!("{} at {at}", place.name)),
                format!("{:26}{shares}\n", format!("{}, landforms", place.name)),
            ]
        });
        // Only a map has what is compared.
        let places = places.filter(|_| !slopes.is_empty());
        rows.chain(snow.iter().chain(&plants).map(line))
            .chain(own)
            .chain(own_forms)
            .chain(places)
            .chain(basin.iter().map(line))
            .collect()
    }
}

fn list<T, N: Into<Value>>(items: &[T], number: impl Fn(&T) -> N) -> Value {
    Value::Array(items.iter().map(|item| number(item).into()).collect())
}

/// Format a JSON object with one line per key.
fn lines(object: &Map<String, Value>) -> String {
    let lines: Vec<_> = object
        .iter()
        .map(|(key, value)| format!("  {}: {value}", json!(key)))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// Format the slopes that a half, three quarters and so on of the land do not exceed.
fn degrees(slopes: &[f64; 4]) -> String {
    let each = SHARES.iter().zip(slopes);
    let each = each.map(|(share, slope)| format!("{} % {}°", share * 100.0, fixed(*slope, 1)));
    each.collect::<Vec<_>>().join(", ")
}

/// Format the shares of landforms, those that there are.
fn forms(shares: &[f64; 10]) -> String {
    let each = Landform::ALL.iter().zip(shares);
    let each = each.filter(|(_, share)| **share >= 0.0005);
    let each = each.map(|((_, name), share)| format!("{name} {} %", fixed(share * 100.0, 1)));
    each.collect::<Vec<_>>().join(", ")
}

/// Format the histogram as a sparkline from lowest to highest, two bins per character; `·` means empty.
fn sparkline(histogram: &Histogram) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let pairs: Vec<u64> = histogram
        .counts
        .chunks(2)
        .map(|pair| pair.iter().sum())
        .collect();
    let most = pairs.iter().copied().max().unwrap_or(0).max(1);
    let bar = |count: &u64| match *count {
        0 => '·',
        count => BARS[((count * 8).div_ceil(most) as usize).clamp(1, 8) - 1],
    };
    pairs.iter().map(bar).collect()
}
