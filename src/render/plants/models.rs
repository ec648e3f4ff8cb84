//! Models of plants on the graphics card, drawn as instances close to the eye.

use std::rc::Rc;

use glium::backend::Context;
use glium::index::PrimitiveType;
use glium::{IndexBuffer, VertexBuffer};

use crate::plants::models::{ModelDetail, VARIANTS, model};
use crate::render::error::{Refused, Result};
use crate::scene::PlantKind;

const WHAT: &str = "the models of plants";

/// Vertex of a model.
#[derive(Clone, Copy)]
pub(in crate::render) struct ModelCorner {
    position: [f32; 3],
    normal: [f32; 3],
    color: [f32; 3],
    /// Share that snow hides at most.
    snow: f32,
    /// Share of the wind's motion.
    sway: f32,
}
glium::implement_vertex!(ModelCorner, position, normal, color, snow, sway);

/// Place of a model.
#[derive(Clone, Copy)]
pub(in crate::render) struct Stand {
    /// Foot, from the eye.
    pub(super) foot: [f32; 3],
    /// Height, cosine and sine of the rotation.
    pub(super) pose: [f32; 3],
    /// Opacity, and a random number.
    pub(super) look: [f32; 2],
    /// Colour of leaves that have turned, and their share.
    pub(super) turned: [f32; 4],
}
glium::implement_vertex!(Stand, foot, pose, look, turned);

/// Model on the graphics card.
pub(in crate::render) struct ModelMesh {
    pub(in crate::render) corners: VertexBuffer<ModelCorner>,
    pub(in crate::render) triangles: IndexBuffer<u32>,
}

/// Models of some kinds, all variants of each.
pub(in crate::render) struct Models(Vec<ModelMesh>);

impl Models {
    pub(super) fn new(context: &Rc<Context>, kinds: &[PlantKind]) -> Result<Self> {
        let variants = kinds
            .iter()
            .flat_map(|kind| (0..VARIANTS).map(|at| (*kind, at)));
        let meshes = variants.map(|(kind, variant)| {
            let model = model(kind, variant, ModelDetail::Near);
            let corner = |vertex: &crate::plants::models::ModelVertex| ModelCorner {
                position: vertex.position,
                normal: vertex.normal,
                color: vertex.color,
                snow: vertex.snow,
                sway: vertex.sway,
            };
            let corners: Vec<_> = model.vertices.iter().map(corner).collect();
            let triangles = model.triangles.as_flattened();
            let list = PrimitiveType::TrianglesList;
            Ok(ModelMesh {
                corners: VertexBuffer::new(context, &corners).refused(WHAT)?,
                triangles: IndexBuffer::new(context, list, triangles).refused(WHAT)?,
            })
        });
        meshes.collect::<Result<_>>().map(Self)
    }

    /// Model of a layer and a variant, counted over all.
    pub(in crate::render) fn mesh(&self, index: usize) -> &ModelMesh {
        &self.0[index]
    }

    /// Number of triangles of each model.
    pub(super) fn triangles(&self) -> Vec<usize> {
        let meshes = self.0.iter();
        meshes.map(|mesh| mesh.triangles.len() / 3).collect()
    }
}
