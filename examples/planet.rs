//! A planet in regions: a map of 2,147,483,649² heights of which only rectangles are ever made, in
//! the time and memory of the rectangle. `cargo run --example planet`. It needs no feature.

use std::error::Error;

use landform::fractal::region::{Region, heights};
use landform::generate::{Generator, Images, MAX_ITERATIONS, Surface};
use landform::grid::Grid;
use landform::job::Job;

fn main() -> Result<(), Box<dyn Error>> {
    let (west, east) = two_neighbours(1_000_000_000, 1_500_000_000)?;
    println!(
        "the west goes from {:?}, the east from {:?}",
        west.range(),
        east.range()
    );
    Ok(())
}

/// Two neighbouring rectangles of 257² heights, the western one at `row` and `column`. The last
/// column of the western one is the first of the eastern one.
pub fn two_neighbours(row: u64, column: u64) -> Result<(Grid<f32>, Grid<f32>), Box<dyn Error>> {
    let planet = Surface {
        generator: Generator::DiamondSquare,
        seed: 7,
        iterations: MAX_ITERATIONS,
        ..Surface::default()
    };
    let job = Job::new();
    let planet = planet.subdivision_of_any_size(&Images::default(), &job)?;
    let planet = planet.ok_or("only diamond-square makes regions alone")?;
    let part = |column| Region {
        row,
        column,
        rows: 257,
        columns: 257,
    };
    Ok((
        heights(&planet, part(column), &job)?,
        heights(&planet, part(column + 256), &job)?,
    ))
}
