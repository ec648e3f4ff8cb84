//! The words of `.asc`, ESRI's ASCII grid.

/// Begins a comment line. The format knows no comments, but its readers stop after the last row.
pub const COMMENT: &str = "# ";
/// Begins the comment line that states the coordinate reference system: its code as `EPSG:N`,
/// else `degrees`, or the metres of its unit.
pub const SYSTEM_LINE: &str = "# landform crs ";
