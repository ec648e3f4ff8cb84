//! Bedrock of a scene: the beds that its rock settings describe, on one of its maps.

use crate::fractal::bedrock::{Bedding, Bedrock};
use crate::fractal::refinement::level_of;
use crate::scene::{Rock, RockKind, Scene};
use crate::shading::material::MaterialNormals;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::{metres_per_unit, smoothstep};
use crate::util::parallel;

/// Degrees over which beds begin to stand out.
const EDGE: f32 = 6.0;
/// Slope of the steepest walls, 80°, and by how many times beds make slopes steeper. Ground that is a wall already
/// has no steps, or its samples would show as teeth.
const WALL: f32 = 5.7;
const STEEPER: f32 = 5.0;
/// Sediment that buries all beds, as a fraction of the thickness of the thickest.
const BURIED: f64 = 0.05;

/// Width of the columns of basalt, and the most of it that a setting can make, in thicknesses of the flows.
const COLUMNS: f64 = 0.09;
const WIDEST: f64 = 0.25;

/// The beds of a scene's rock.
#[must_use]
pub fn bedding(scene: &Scene) -> Bedding {
    let Rock { kind, .. } = scene.rock;
    // Hardness, variety, joints, and length of blocks, relative to the settings.
    let [hardness, variety, joints, block] = match kind {
        RockKind::None | RockKind::Limestone => [1.0, 1.0, 1.0, 2.4],
        RockKind::Granite => [0.7, 1.0, 1.6, 1.2],
        RockKind::Sandstone => [1.2, 0.5, 0.6, 3.5],
        RockKind::Slate => [0.8, 1.3, 0.8, 4.0],
        RockKind::Basalt => [1.1, 0.8, 1.8, COLUMNS],
        RockKind::Clay => [0.5, 1.0, 0.5, 1.5],
    };
    let rock = &scene.rock;
    let share = |share: f32, by: f64| (f64::from(share) * by).min(1.0);
    let metres = metres_per_unit(scene.surface.tile_size_m);
    let [dip, bearing] = [rock.dip, rock.dip_bearing].map(|angle| f64::from(angle).to_radians());
    let steep = libm::tan(dip);
    let first = block * f64::from(rock.joint_spacing);
    let is_columnar = kind == RockKind::Basalt && rock.joints > 0.0;
    let columns = is_columnar.then(|| first.min(WIDEST) * f64::from(rock.thickness) / metres);
    Bedding {
        thickness: f64::from(rock.thickness) / metres,
        variety: share(rock.variety, variety),
        contrast: share(rock.hardness, hardness),
        roughness: f64::from(rock.roughness),
        joints: [
            share(rock.joints, joints),
            share(rock.joints * rock.second_joints, joints),
        ],
        blocks: [first, first * f64::from(rock.second_spacing)],
        angle: f64::from(rock.joint_angle) / 360.0,
        // South is the way of growing z.
        tilt: [steep * libm::sin(bearing), -steep * libm::cos(bearing)],
        folds: f64::from(rock.folds),
        columns: columns.unwrap_or(0.0),
        seed: scene.surface.seed,
    }
}

/// The bedrock of `map`, a map of the scene; `None` without rock.
///
/// # Errors
/// The job was cancelled.
pub(super) fn bedrock(
    map: &Heightmap,
    scene: &Scene,
    job: &Job,
) -> Result<Option<Bedrock>, Cancelled> {
    if !scene.rock.has_beds() || map.is_profile() {
        return Ok(None);
    }
    let bedding = bedding(scene);
    let is_columnar = bedding.columns > 0.0;
    let normals = MaterialNormals::of(map);
    let up = |degrees: f32| libm::cosf(degrees.clamp(0.0, 90.0).to_radians());
    let slope = scene.rock.slope;
    let [least, most] = [up(slope + EDGE), up(slope - EDGE) + 1e-3];
    let sediment = map.worn().map(|worn| &worn.sediment[..]);
    let buried = (BURIED * bedding.thickness) as f32;
    let (rows, columns) = (map.rows(), map.columns());
    let mut rock = Grid::filled(rows, columns, 0_u8);
    let lines = parallel::par_items(rock.as_mut_slice().chunks_mut(columns));
    lines.at_least(16).for_each_in(job, |row, line| {
        let south = row as f32 / (rows - 1) as f32;
        for (column, share) in line.iter_mut().enumerate() {
            let east = column as f32 / (columns - 1) as f32;
            let up = normals.at([east, south]).y;
            let steep = 1.0 - smoothstep((up - least) / (most - least));
            let slope = (1.0 - up * up).max(0.0).sqrt() / up.max(1e-3);
            let room = match is_columnar {
                // Faces of columns are no streaks, however high.
                true => 1.0,
                false => ((WALL / slope.max(1e-3) - 1.0) / STEEPER).min(1.0),
            };
            let bare = sediment.map_or(1.0, |thick| {
                (1.0 - thick[row * columns + column] / buried).max(0.0)
            });
            *share = (steep * room.max(0.0) * bare * 255.0 + 0.5) as u8;
        }
    })?;
    if map.wraps() {
        wrap(&mut rock);
    }
    Ok(Some(Bedrock::new(map, level_of(map), bedding, rock)))
}

/// True if the thickest beds move the samples of `map`, a map of the scene.
pub(super) fn moves(map: &Heightmap, scene: &Scene) -> bool {
    let is_rocky = scene.rock.has_beds() && !map.is_profile();
    is_rocky && bedding(scene).is_resolved(map.spacing())
}

/// Move the samples of a map of the scene by the beds of rock that it resolves.
///
/// # Errors
/// The job was cancelled.
pub(super) fn move_map(map: Heightmap, scene: &Scene, job: &Job) -> Result<Heightmap, Cancelled> {
    let Some(bedrock) = bedrock(&map, scene, job)? else {
        return Ok(map);
    };
    let (rows, columns, wraps) = (map.rows(), map.columns(), map.wraps());
    let (worn, valid, base) = (map.worn().cloned(), map.valid().cloned(), map.base());
    let mut heights = map.into_heights();
    bedrock.move_map(&mut heights, job)?;
    let map = Heightmap::new(rows, columns, wraps, heights);
    Ok(map.with_worn(worn).with_valid(valid).with_base(base))
}

/// Make the last row and column of a map that wraps equal to the first.
fn wrap(grid: &mut Grid<u8>) {
    let (rows, columns) = (grid.rows(), grid.columns());
    for row in 0..rows {
        grid.set(row, columns - 1, grid.at(row, 0));
    }
    for column in 0..columns {
        grid.set(rows - 1, column, grid.at(0, column));
    }
}
