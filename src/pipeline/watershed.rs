//! The watershed that a scene shows, and the drainage that it shares with the rivers.

use std::sync::Arc;

use super::asked::half_steps;
use super::making::{Making, StageDone};
use super::stage::Stage;
use super::tile_bytes::TileBytes;
use crate::analysis::edge_distances;
use crate::drainage::Drainage;
use crate::grid::Grid;
use crate::heightmap::Heightmap;
use crate::identity::Identity;
use crate::job::{Cancelled, Job};
use crate::measure::{PourPoint, Watershed};
use crate::rivers;
use crate::scene::Scene;

/// A watershed as pictures show it. Of a map above [`rivers::MOST_SAMPLES`] a side it is that of
/// every second, fourth … sample.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownWatershed {
    /// What it measures.
    pub watershed: Watershed,
    /// The place of its outlet, x and z in half tiles from the middle of the map.
    pub outlet: [f32; 2],
    /// The same in half tiles east and south of the north-western sample.
    pub outlet_from_corner: [f64; 2],
    /// The height of the ground there, in half tiles.
    pub height: f32,
    /// How far each sample is from its edge, see [`edge_distances`].
    pub edge: Arc<TileBytes>,
}

impl ShownWatershed {
    fn of(
        map: &Heightmap,
        drainage: &Drainage,
        sea: Option<f32>,
        point: PourPoint,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let watershed = Watershed::of(map, drainage, sea, point);
        job.check()?;
        let mut edge = TileBytes::of(map, |row, step| {
            let columns = (0..map.columns()).step_by(step);
            let belongs = |column| u8::from(watershed.cells[drainage.cell(row, column)]);
            Ok(columns.map(belongs).collect())
        })?;
        let values = &edge.values;
        let cells = values.as_slice().iter().map(|belongs| *belongs == 1);
        let belongs = Grid::from_vec(values.rows(), values.columns(), cells.collect());
        if let Some(belongs) = belongs {
            edge.values = edge_distances(&belongs, edge.wraps, job)?;
        }
        let (row, column) = (watershed.row, watershed.column);
        Ok(Self {
            outlet: [map.x(column), map.z(row)],
            outlet_from_corner: [column, row].map(|index| index as f64 * f64::from(map.spacing())),
            height: map.at(row, column),
            watershed,
            edge: Arc::new(edge),
        })
    }
}

/// The point whose watershed a scene shows: there is ground to be seen, and it is finished.
#[must_use]
pub fn pour_point(scene: &Scene) -> Option<PourPoint> {
    let analysis = &scene.analysis;
    let shows = scene.render_type().shows_ground() && half_steps(scene).is_none();
    let place = analysis.watershed.filter(|_| shows)?;
    Some(PourPoint {
        place,
        snaps: analysis.watershed_snap,
    })
}

/// Where the water of the ground flows, and the last watershed of it.
#[derive(Debug, Default)]
pub struct Waters {
    drainage: Stage<(Identity<Heightmap>, Option<f32>), Drainage>,
    watershed: Stage<(Identity<Drainage>, PourPoint), ShownWatershed>,
}

/// A drainage, and a watershed of it.
type Drained = (Arc<Drainage>, Arc<ShownWatershed>);

impl Waters {
    /// The watershed that the scene shows, if it shows one, and the drainage of the ground as rivers
    /// are shown on it. They are kept for as long as that is so: 15 bytes a sample, and one.
    pub fn get(
        &mut self,
        making: &mut Making<'_>,
        heights: &Arc<Heightmap>,
    ) -> Result<Option<Drained>, Cancelled> {
        let sea = making.scene.water.height();
        let asked = pour_point(making.scene).map(|point| (point, rivers::shown(heights)));
        let Some((point, map)) = asked.filter(|(point, map)| point.is_on(map)) else {
            *self = Self::default();
            return Ok(None);
        };
        let key = (Identity::of(heights), sea);
        let drainage = self.drainage.get(key, |_, old| {
            drop(old);
            let drainage = Drainage::of(&map, sea, &making.job)?;
            making.done(StageDone::Drainage);
            Ok::<_, Cancelled>(drainage)
        })?;
        let key = (Identity::of(&drainage), point);
        let watershed = self.watershed.get(key, |_, _| {
            let shown = ShownWatershed::of(&map, &drainage, sea, point, &making.job)?;
            making.done(StageDone::Watershed);
            Ok::<_, Cancelled>(shown)
        })?;
        Ok(Some((drainage, watershed)))
    }
}
