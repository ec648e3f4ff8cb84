//! Watershed of a scene, and the drainage shared with its rivers.

use std::sync::Arc;

use super::asked::half_steps;
use super::making::{Making, StageDone};
use super::stage::Stage;
use super::tile_bytes::TileBytes;
use crate::scene::Scene;
use crate::shading::analysis::edge_distances;
use crate::terrain::drainage::Drainage;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::measure::{PourPoint, Watershed};
use crate::terrain::rivers;
use crate::util::identity::Identity;
use crate::util::job::{Cancelled, Job};

/// A delineated watershed for display. Maps above [`rivers::MOST_SAMPLES`] per side are thinned to every
/// second, fourth … sample.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownWatershed {
    /// Cells and measurements of the watershed.
    pub watershed: Watershed,
    /// Position of its outlet, x and z in half tiles from the centre of the map.
    pub outlet: [f32; 2],
    /// The outlet's position in half tiles east and south of the north-western sample.
    pub outlet_from_corner: [f64; 2],
    /// Height of the ground at the outlet, in half tiles.
    pub height: f32,
    /// Distance of each sample from the edge, see [`edge_distances`].
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

/// The pour point of the scene's watershed; `None` if no finished ground is shown.
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

/// Stages of the ground's drainage and its last watershed.
#[derive(Debug, Default)]
pub struct Waters {
    drainage: Stage<(Identity<Heightmap>, Option<f32>), Drainage>,
    watershed: Stage<(Identity<Drainage>, PourPoint), ShownWatershed>,
}

/// A drainage and one of its watersheds.
type Drained = (Arc<Drainage>, Arc<ShownWatershed>);

impl Waters {
    /// The drainage and the watershed of the scene, if it shows one. The drainage is that of the rivers' map.
    /// Both are kept while a watershed is shown: 15 bytes per sample, plus one.
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
            // Free the old drainage first: two of them need not fit into memory.
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
