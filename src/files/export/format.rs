//! Description of a heightfield or mesh format, and the header of an output file: all that a writer needs
//! before the first row.

use std::io;
use std::path::{Path, PathBuf};

use glam::Vec3;
use serde::{Serialize, Serializer};

use super::error::{ExportError, write_error};
use super::file::{OutputFile, Sink};
use super::piece::{HeightUnit, Piece, Scale, Stored};
use crate::files::formats::metres::tile_size_m;
use crate::scene::Scene;
use crate::shading::canopy::Crowns;
use crate::shading::covers::CoverMap;
use crate::shading::material::Albedo;
use crate::terrain::geo::{Unit, known_unit};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::mesh::{Triangulation, Vertex};

/// A heightfield or mesh format.
#[derive(Debug)]
pub struct Format {
    /// Name on the command line.
    pub name: &'static str,
    /// File name extension, without the dot. If several formats share it, the first is the default.
    pub extension: &'static str,
    /// Alternative extensions.
    pub also: &'static [&'static str],
    /// Highest number in a format with whole numbers; the lowest is 0.
    pub levels: Option<u32>,
    /// Description in one line.
    pub help: &'static str,
    /// Default unit of floats.
    pub unit: HeightUnit,
    /// True if the file holds its own georeference and orientation, so that its row order is fixed.
    pub says_north: bool,
    /// True if cells must be square, in degrees too.
    pub square_degrees: bool,
    /// Extensions of the companion files with the georeference, if the format cannot hold it.
    pub placed_by: &'static [&'static str],
    /// Minimum bytes per sample in a large file; 0 if that depends on the heights.
    pub least_bytes: u64,
    /// True if the format stores 64-bit heights directly, not relative to a base.
    pub exact: bool,
    /// Writer.
    pub(super) content: Content,
}

/// Writer of a format, by the kind of data that it needs.
#[derive(Debug)]
pub enum Content {
    /// Row by row, so that the map need not be in memory. The function writes the file header.
    Rows(fn(&Header<'_>, Sink) -> io::Result<Box<dyn RowWriter>>),
    /// Whole map at once.
    Whole(fn(&Heightmap, &Header<'_>, Sink) -> io::Result<()>),
    /// Whole map as triangles.
    Mesh(MeshContent),
}

/// Function that writes a mesh, or a companion file of it.
pub type WriteMesh = fn(&MeshFile<'_>, Sink) -> io::Result<()>;

/// Mesh to be written to a file.
pub struct MeshFile<'a> {
    /// The mesh.
    pub mesh: &'a Triangulation<'a>,
    /// Header of the file.
    pub header: &'a Header<'a>,
    /// Names of the companion files; none for standard output.
    pub beside: &'a [String],
}

/// Colours of a mesh.
#[derive(Debug)]
pub struct MeshColors<'a> {
    albedo: Albedo<'a>,
    /// The map with the snow on it, by whose slope snow is white, unless the mesh shows that already.
    surface: Option<Heightmap>,
}

/// Writer of a mesh format.
#[derive(Debug)]
pub struct MeshContent {
    /// Function that writes the mesh.
    pub write: WriteMesh,
    /// Companion files: the suffix after the mesh's file stem, and the function that writes the file.
    pub beside: &'static [(&'static str, WriteMesh)],
    /// True if the format leaves the unit of coordinates open.
    pub has_open_unit: bool,
    /// True if the mesh is for printing, with a size chosen by the user.
    pub is_printed: bool,
}

impl MeshContent {
    /// Writer of a format in a fixed unit without companion files.
    pub(super) const fn new(write: WriteMesh) -> Self {
        Self {
            write,
            beside: &[],
            has_open_unit: false,
            is_printed: false,
        }
    }

    /// Paths of the companion files.
    pub(super) fn files_beside(&self, path: &Path) -> Vec<PathBuf> {
        let names = self
            .beside
            .iter()
            .map(|(ending, _)| name_beside(path, ending));
        names.map(|name| path.with_file_name(name)).collect()
    }

    /// Write the mesh and its companion files. Returns the companion files, to be committed.
    pub(super) fn write_all(
        &self,
        mesh: &Triangulation<'_>,
        header: &Header<'_>,
        target: &OutputFile,
    ) -> Result<Vec<OutputFile>, ExportError> {
        // Standard output cannot have companion files, and a profile is a line without colours.
        let companions = match target.is_standard_output() || mesh.map().is_profile() {
            true => &[],
            false => self.beside,
        };
        let names = companions.iter();
        let names = names.map(|(ending, _)| name_beside(target.path(), ending));
        let beside = &names.collect::<Vec<_>>();
        let file = MeshFile {
            mesh,
            header,
            beside,
        };
        let write = |write: WriteMesh, target: &OutputFile| {
            let outcome = write(&file, target.sink()?);
            header.piece.job.check()?;
            outcome.map_err(write_error(target.path()))
        };
        let mut files = Vec::new();
        for ((_, write_companion), name) in companions.iter().zip(beside) {
            let companion = OutputFile::companion(&target.path().with_file_name(name))?;
            write(*write_companion, &companion)?;
            files.push(companion);
        }
        write(self.write, target)?;
        Ok(files)
    }
}

/// File name of a companion file. Mesh files refer to it by a single word, so all characters that could
/// end a word become `_`.
fn name_beside(mesh: &Path, ending: &str) -> String {
    let stem = mesh.file_stem().unwrap_or_default().to_string_lossy();
    let plain = |c: char| match c {
        c if c.is_alphanumeric() || "._-".contains(c) => c,
        _ => '_',
    };
    let name: String = stem.chars().map(plain).chain(ending.chars()).collect();
    match name.strip_prefix('-') {
        Some(rest) => format!("_{rest}"),
        None => name,
    }
}

/// Writer of a file that takes one row after the other.
pub trait RowWriter {
    /// Write the next row.
    ///
    /// # Errors
    /// A write failed.
    fn row(&mut self, numbers: &[f32]) -> io::Result<()>;
    /// Write what follows the last row, and flush all buffers.
    ///
    /// # Errors
    /// A write failed.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl Format {
    /// Format with its name as extension: floats in half tiles, or a mesh, without a georeference.
    pub(super) const fn new(name: &'static str, help: &'static str, content: Content) -> Self {
        Self {
            name,
            extension: name,
            also: &[],
            levels: None,
            help,
            unit: HeightUnit::HalfTiles,
            says_north: false,
            square_degrees: false,
            placed_by: &[],
            least_bytes: 0,
            exact: false,
            content,
        }
    }

    /// The mesh writer; `None` for a heightfield format.
    #[must_use]
    pub fn mesh(&self) -> Option<&MeshContent> {
        match &self.content {
            Content::Mesh(mesh) => Some(mesh),
            Content::Rows(_) | Content::Whole(_) => None,
        }
    }

    /// True for a mesh format.
    #[must_use]
    pub fn is_mesh(&self) -> bool {
        self.mesh().is_some()
    }

    /// True if the writer needs the whole map in memory.
    #[must_use]
    pub fn needs_the_whole_map(&self) -> bool {
        !matches!(self.content, Content::Rows(_))
    }

    /// Lattice of a file in this format; `None` if its rows are those of the map.
    pub(super) fn lattice(&self, header: &Header<'_>) -> Option<Lattice> {
        Lattice::of(header).filter(|_| self.square_degrees)
    }

    /// Header of a file in this format, for a map of this size whose numbers span `range`.
    pub(super) fn header<'a>(
        &self,
        piece: &'a Piece<'a>,
        scene: &'a Scene,
        [rows, columns]: [usize; 2],
        range: (f32, f32),
    ) -> Result<Header<'a>, ExportError> {
        let levels = self.levels;
        let holes = piece.holes.as_ref().filter(|_| !self.is_mesh());
        let range = holes.map_or(range, |holes| holes.range);
        let unit = match piece.map.holds_heights() {
            true => HeightUnit::of(self.unit, piece.span),
            // Numbers that are no heights have no unit to convert.
            false => HeightUnit::HalfTiles,
        };
        let is_rounded = !self.exact || unit == HeightUnit::One;
        let is_above = piece.exact.is_some() && is_rounded;
        let (metres, above) = (piece.metres_per_unit(), piece.above);
        let mut header = Header {
            piece,
            scene,
            rows,
            columns,
            range: (piece.span).range(range, levels, holes.is_some(), metres, above)?,
            unit,
            base: is_above.then_some(above),
            takes_stored: false,
        };
        header.takes_stored =
            levels.is_none() && !self.is_mesh() && self.lattice(&header).is_none();
        Ok(header)
    }
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name)
    }
}

/// Properties of an output file, known before the first row.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    /// The piece of a map that is written.
    pub piece: &'a Piece<'a>,
    /// The scene as stored in the file, with input paths relative to the file.
    pub scene: &'a Scene,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Heights of the lowest and the highest number in formats with whole numbers, and of 0 and 1 in
    /// floats with the unit one.
    pub range: (f32, f32),
    /// Unit of floats.
    pub unit: HeightUnit,
    /// Base height in half tiles that is subtracted from all heights, at levels where absolute 32-bit
    /// heights are too coarse.
    pub base: Option<f64>,
    /// True if the format can store the metres of an imported file unchanged.
    pub takes_stored: bool,
}

impl<'a> Header<'a> {
    /// Metres of one half tile, the unit of heights and coordinates.
    pub(super) fn metres_per_unit(&self) -> f64 {
        self.piece.metres_per_unit()
    }

    /// True if some samples hold no data. Formats with whole numbers write them as 0, formats with floats
    /// as NaN, text as a number below all heights.
    pub(super) fn has_no_data(&self) -> bool {
        self.piece.holes.is_some()
    }

    /// True if a format with floats holds heights in metres.
    pub(super) fn is_in_metres(&self) -> bool {
        self.piece.map.holds_heights() && self.unit == HeightUnit::Metres
    }

    /// Metres of an imported file, if they are written unchanged.
    pub(super) fn stored(&self) -> Option<&Stored> {
        let stored = self.piece.stored.as_ref();
        stored.filter(|_| self.is_in_metres() && self.takes_stored)
    }

    /// Vertex of a sample. In a part of a map it has the position and normal of the whole map, so that
    /// parts join without a seam.
    pub(super) fn vertex(&self, map: &Heightmap, row: usize, column: usize) -> Vertex {
        let vertex = Vertex::of(map, row, column);
        let Some(whole) = self.piece.whole else {
            return vertex;
        };
        let row = self.piece.location.row as usize + row;
        let column = self.piece.location.column as usize + column;
        let place = Vec3::new(whole.x(column), vertex.position.y, whole.z(row));
        Vertex {
            position: place,
            normal: whole.normal(row, column),
            ..vertex
        }
    }

    /// Colours of a mesh of `map` with these covers. A part uses the range of the whole map. If the map `is_raised`,
    /// its heights are those of the surface of the snow.
    ///
    /// # Errors
    /// The job was cancelled.
    pub(super) fn colors(
        &self,
        map: &Heightmap,
        covers: Option<&'a CoverMap>,
        is_raised: bool,
    ) -> io::Result<MeshColors<'a>> {
        let of_whole = self.piece.whole.and(self.piece.range_of_map);
        let range = of_whole.unwrap_or_else(|| map.range());
        let Piece {
            scene,
            palette,
            normals,
            snow,
            canopy,
            whole,
            job,
            ..
        } = self.piece;
        let surface = snow.filter(|_| !is_raised).map(|snow| {
            let ground = whole.unwrap_or(map).clone();
            snow.lay(ground, &job.part()).map_err(io::Error::other)
        });
        let crowns = canopy.map(|canopy| Crowns::of(canopy, scene));
        Ok(MeshColors {
            albedo: Albedo::of(scene, palette, range, covers, *normals, *snow).under(crowns),
            surface: surface.transpose()?,
        })
    }

    /// Colour (sRGB) of a sample by its row and column of `map`, which is the whole map or a part of it.
    pub(super) fn color(
        &self,
        colors: &MeshColors<'_>,
        map: &Heightmap,
        [row, column]: [usize; 2],
    ) -> [u8; 3] {
        let height = map.at(row, column);
        let first = self.piece.location;
        let (row, column, map) = match self.piece.whole {
            Some(whole) => (
                first.row as usize + row,
                first.column as usize + column,
                whole,
            ),
            None => (row, column, map),
        };
        let part = |at: usize, count: usize| at as f32 / (count - 1).max(1) as f32;
        let place = [part(column, map.columns()), part(row, map.rows())];
        let surface = colors.surface.as_ref().unwrap_or(map);
        let normal = |map: &Heightmap| map.normal(row, column);
        (colors.albedo).color_in_snow(height, || normal(map), || normal(surface), place)
    }

    /// Base height of the file's numbers, in half tiles.
    pub(super) fn above(&self) -> f64 {
        self.base.unwrap_or_default()
    }

    /// Conversion from the rows to the numbers of a format with floats.
    pub(super) fn scale(&self) -> Scale {
        if self.stored().is_some() {
            // The rows are already metres.
            return Scale::new(HeightUnit::HalfTiles, self.range, 1.0);
        }
        self.scale_of_heights()
    }

    /// Conversion from heights in half tiles to the numbers of a format with floats.
    pub(super) fn scale_of_heights(&self) -> Scale {
        Scale::new(self.unit, self.range, self.metres_per_unit())
    }

    /// Distance between neighbouring samples, in metres.
    pub(super) fn metres_per_sample(&self) -> f64 {
        f64::from(self.scene.surface.tile_size_m) / self.piece.location.cells.max(1) as f64
    }

    /// Coordinates on earth of the north-western sample, and the steps to the next sample eastwards and
    /// southwards; `None` if unknown.
    pub(super) fn on_earth(&self) -> Option<([f64; 2], [f64; 2], [f64; 2])> {
        let at = self.piece.location;
        let earth = self.piece.earth.as_ref();
        earth.map(|earth| earth.at(at.row, at.column, at.cells))
    }

    /// Sample spacing in metres as a reader of the file derives it; `None` if it depends on the latitude.
    pub(super) fn metres_as_read(&self) -> Option<f64> {
        match (&self.piece.earth, self.on_earth()) {
            (Some(earth), Some((_, east, _))) => match earth.keys.epsg().map(known_unit) {
                Some(Some(Unit::Metres(unit))) => Some(east[0] * unit),
                None if earth.keys.is_empty() && earth.unit == Unit::Metres(1.0) => Some(east[0]),
                _ => None,
            },
            _ => Some(self.metres_per_sample()),
        }
    }

    /// Tile size in metres as a reader of the file will derive it.
    pub(super) fn tile_size_as_read(&self) -> Option<f32> {
        let (rows, columns) = (self.rows as u64, self.columns as u64);
        tile_size_m(self.metres_as_read()?, rows, columns)
    }

    /// Offset from the map's south-western sample to that of these rows, in metres eastwards and
    /// northwards.
    pub(super) fn origin_m(&self) -> [f64; 2] {
        let step = self.metres_per_sample();
        let at = self.piece.location;
        let below = at.rows - at.row - self.rows as u64;
        [at.column as f64 * step, below as f64 * step]
    }
}

/// Rows of a map that is resampled to cells that are square in degrees, for formats that support no
/// others. A map's samples are equally spaced in metres both ways, so away from the equator they are
/// farther apart eastwards in degrees. Columns stay, and rows are interpolated linearly between their two
/// neighbours. All parts of a map share one lattice, so that they join.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Number of rows.
    pub rows: usize,
    /// Distance between lattice rows, in rows of samples.
    pub step: f64,
    /// Position of the first lattice row, relative to the first written row of samples.
    first: f64,
}

impl Lattice {
    /// Lattice of a map in degrees; `None` if its cells are already square.
    pub fn of(header: &Header<'_>) -> Option<Self> {
        /// Tolerance for rounding errors, in rows.
        const ROUNDING: f64 = 1e-6;
        let earth = header.piece.earth.as_ref()?;
        let step = earth.east[0] / -earth.south[1];
        if !matches!(earth.unit, Unit::Degrees(_)) || (step - 1.0).abs() < 1e-12 {
            return None;
        }
        let at = header.piece.location;
        let (before, rows) = (at.row as f64, header.rows as f64);
        let last = (before + rows - 1.0) / step;
        let is_southmost = at.row + header.rows as u64 == at.rows;
        let first = (before / step - ROUNDING).ceil();
        let last = match is_southmost {
            // The last cell may reach half a cell beyond the map.
            true => last.round(),
            false => (last + ROUNDING).floor(),
        };
        Some(Self {
            rows: (last - first).max(0.0) as usize + 1,
            step,
            first: first * step - before,
        })
    }

    /// Position of a lattice row, in rows of samples.
    pub fn at(&self, row: usize) -> f64 {
        self.first + row as f64 * self.step
    }
}
