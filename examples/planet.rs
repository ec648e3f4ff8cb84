//! A planet in regions: a map of 1,152,921,504,606,846,977² heights of which only rectangles are
//! ever made, in the time and memory of the rectangle. `cargo run --example planet`. It needs no feature.

use std::error::Error;

use landform::fractal::region::Region;
use landform::generate::{Detail, Generator, Images, MAX_ITERATIONS, Surface};
use landform::grid::Grid;
use landform::job::Job;

fn main() -> Result<(), Box<dyn Error>> {
    let (west, east) = two_neighbours(1_000_000_000, 1_500_000_000)?;
    println!(
        "the north-western corners are {} and {} half tiles high",
        west.at(0, 0),
        east.at(0, 0)
    );
    Ok(())
}

/// Two neighbouring rectangles of 257² heights, the western one at `row` and `column`. The last
/// column of the western one is the first of the eastern one.
pub fn two_neighbours(row: u64, column: u64) -> Result<(Grid<f64>, Grid<f64>), Box<dyn Error>> {
    let planet = Surface {
        generator: Generator::DiamondSquare,
        seed: 7,
        iterations: MAX_ITERATIONS,
        ..Surface::default()
    };
    let job = Job::new();
    let planet = planet.refinement(&Detail::default(), 0, &Images::default(), &job)?;
    let planet = planet.ok_or("only diamond-square makes regions alone")?;
    let part = |column| Region {
        row,
        column,
        rows: 257,
        columns: 257,
    };
    Ok((
        planet.double(part(column), &job)?,
        planet.double(part(column + 256), &job)?,
    ))
}
