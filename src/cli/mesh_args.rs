//! Flags of mesh export: triangle count or error bound, unit, and print size.

use std::sync::LazyLock;

use clap::Args;

use crate::files::export::{MeshOptions, MeshUnit, mesh_names};
use crate::scene::Scene;
use crate::terrain::mesh::Detail;

/// The heading of these flags in the help.
static HEADING: LazyLock<String> =
    LazyLock::new(|| format!("Meshes ({})", mesh_names().join(", ")));

/// Flags of meshes.
#[derive(Debug, Args)]
#[command(next_help_heading = HEADING.as_str())]
pub struct MeshArgs {
    /// At most this many triangles, placed where they are needed most; all by default
    #[arg(long, value_name = "N", conflicts_with = "error",
        value_parser = clap::value_parser!(u64).range(2..), allow_hyphen_values = true)]
    triangles: Option<u64>,
    /// As few triangles as keep every sample within this distance of the surface, in metres
    #[arg(long, value_name = "METRES", value_parser = error, allow_hyphen_values = true)]
    error: Option<f64>,
    /// Unit of an obj: `own`, half tiles, or `m`, metres as in ply and glb
    #[arg(long, value_name = "UNIT", default_value = "own", value_parser = unit,
        allow_hyphen_values = true)]
    mesh_unit: MeshUnit,
    /// Longer side of an stl, 1 to 10000 mm; its base is 3 mm thick
    #[arg(long, value_name = "MM", default_value = "100", value_parser = print_size,
        allow_hyphen_values = true)]
    print_size: f32,
}

impl MeshArgs {
    /// The mesh options from the flags; metres are converted with the scene's tile size.
    pub fn options(&self, scene: &Scene) -> MeshOptions {
        let detail = match (self.triangles, self.error) {
            (Some(triangles), _) => Detail::Triangles(triangles),
            (None, Some(error)) => Detail::within(error, scene.surface.tile_size_m),
            (None, None) => Detail::All,
        };
        MeshOptions {
            detail,
            print_size_mm: self.print_size,
            unit: self.mesh_unit,
        }
    }
}

fn error(text: &str) -> Result<f64, String> {
    let metres = text.trim().parse().ok();
    metres
        .filter(|metres: &f64| metres.is_finite() && *metres >= 0.0)
        .ok_or_else(|| "allowed is a number of metres, 0 or more".to_owned())
}

fn unit(text: &str) -> Result<MeshUnit, String> {
    match text {
        "own" => Ok(MeshUnit::Own),
        "m" => Ok(MeshUnit::Metres),
        _ => Err("allowed is own or m".to_owned()),
    }
}

fn print_size(text: &str) -> Result<f32, String> {
    let size = text.trim().parse().ok();
    size.filter(|size| (1.0..=10_000.0).contains(size))
        .ok_or_else(|| "allowed is 1 to 10000 millimetres".to_owned())
}
