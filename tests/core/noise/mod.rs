//! Perlin noise, square-square, spectral synthesis and wavelets.

use std::sync::atomic::{AtomicBool, Ordering};

use landform::fractal::Edges;
use landform::generate::fourier::{Complex, sum_waves};
use landform::generate::perlin::{Perlin, Variant};
use landform::generate::{
    GenerateError, Generator, Images, Surface, perlin, square_square, wavelet,
};
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::measure::{hurst, measure, variations};
use landform::param::Params;
use landform::rng::{Jump, Stage, Stream, uniform};

mod all;
mod gradient;
mod squares;
mod waves;

const ALL: [Generator; 4] = [
    Generator::Perlin,
    Generator::SquareSquare,
    Generator::Fourier,
    Generator::Wavelet,
];

fn surface(generator: Generator, seed: u64, iterations: u32) -> Surface {
    Surface {
        generator,
        seed,
        iterations,
        ..Surface::default()
    }
}

fn map_of(surface: &Surface) -> Heightmap {
    let map = surface.generate(&Images::default(), &Job::new(), None);
    map.expect("a valid surface")
}

/// Every generator with its defaults, and the options that take other paths.
fn surfaces(seed: u64, iterations: u32) -> Vec<Surface> {
    let mut all: Vec<Surface> = ALL.map(|g| surface(g, seed, iterations)).into();
    for edges in [Edges::Wrap, Edges::Free] {
        for variant in Variant::ALL {
            for (cells, octaves) in [(1, 1), (5, 9), (32, 8)] {
                let mut surface = surface(Generator::Perlin, seed, iterations);
                surface.perlin = perlin::PerlinOptions {
                    edges,
                    variant: *variant,
                    cells,
                    octaves,
                };
                all.push(surface);
            }
        }
        for start_level in [0, 1, 4, 8] {
            let mut surface = surface(Generator::SquareSquare, seed, iterations);
            surface.square_square = square_square::SquareSquareOptions { edges, start_level };
            all.push(surface);
        }
    }
    all
}

/// How alike a map and a finer one are at the samples of the first.
fn correlation(coarse: &Heightmap, fine: &Heightmap) -> f64 {
    let cells = coarse.rows() - 1;
    let step = (fine.rows() - 1) / cells;
    let (mut products, mut squares) = (0.0, (0.0, 0.0));
    let (mean_a, mean_b) = (measure(coarse).mean, measure(fine).mean);
    for row in 0..cells {
        for column in 0..cells {
            let a = f64::from(coarse.at(row, column)) - mean_a;
            let b = f64::from(fine.at(row * step, column * step)) - mean_b;
            products += a * b;
            squares = (squares.0 + a * a, squares.1 + b * b);
        }
    }
    products / (squares.0 * squares.1).sqrt()
}

// Spectral synthesis.

fn waves(cells: usize, wanted: &[((usize, isize), Complex<f32>)]) -> Heightmap {
    let mut heights = vec![f32::NAN; (cells + 1) * (cells + 1)];
    let fill = |k: usize, waves: &mut [Complex<f32>]| {
        waves.fill(Complex::new(0.0, 0.0));
        for ((_, l), value) in wanted.iter().filter(|((wave, _), _)| *wave == k) {
            waves[l.rem_euclid(cells as isize) as usize] = *value;
        }
    };
    sum_waves(cells, fill, &mut heights, &Job::new()).unwrap();
    Heightmap::new(cells + 1, cells + 1, true, heights)
}
