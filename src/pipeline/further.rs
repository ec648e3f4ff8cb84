//! What is made from a scene beside its ground: the finer map and the clouds.

use crate::generate::{Generator, Surface};
use crate::rng::derived_seed;
use crate::scene::Scene;

/// The ground again with the texture's own iterations and H. The same seed: where H is the same
/// it is the same landscape, only finer.
pub fn finer_ground(scene: &Scene) -> Surface {
    Surface {
        iterations: scene.teximage.iterations,
        hurst: scene.teximage.hurst,
        ..scene.surface.clone()
    }
}

/// The cloud map: always diamond-square, wrapped, of a seed derived from the landscape's.
pub fn cloud_map(scene: &Scene) -> Surface {
    Surface {
        generator: Generator::DiamondSquare,
        seed: derived_seed(scene.surface.seed, CLOUD_SEED),
        iterations: scene.clouds.iterations,
        hurst: scene.clouds.hurst,
        ..Surface::default()
    }
}

/// The same clouds finer: those of the sky are seen from below, over twelve half tiles.
pub fn sky_cloud_map(scene: &Scene) -> Surface {
    let iterations = scene.clouds.iterations;
    Surface {
        iterations: (iterations + FINER_SKY).min(FINEST_SKY),
        ..cloud_map(scene)
    }
}

/// By how many iterations clouds of the sky are finer, and how fine they are at most: 1024 texels.
const FINER_SKY: u32 = 4;
const FINEST_SKY: u32 = 10;

const CLOUD_SEED: u64 = 0x636C_6F75_6473;
