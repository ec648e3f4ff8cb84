//! `.glb`: plants as instances of models by the extension `EXT_mesh_gpu_instancing`, or as nodes for programs
//! without it. Metres, y up, colours at the vertices. Coarse models are meshes that no node shows: a `MSFT_lod` needs nodes
//! outside the scene, which Blender would show as further plants.

use std::io::{self, Write};
use std::ops::Range;

use serde_json::{Value, json};

use super::stand::{Species, Stand, Stands};
use crate::files::export::glb::{
    ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, FLOAT, UNSIGNED_INT, head, too_large,
};
use crate::files::export::mesh::{put, put_whole};
use crate::files::formats::program::PROGRAM;
use crate::plants::Plant;
use crate::plants::models::{Model, ModelDetail};
use crate::scene::PlantKind;
use crate::util::job::Job;

/// Extension for instances.
const INSTANCING: &str = "EXT_mesh_gpu_instancing";
/// Floats of a vertex: position, normal and colour.
const FLOATS: usize = 9;
/// Attributes of instances, their types and numbers of floats.
const ATTRIBUTES: [(&str, &str, usize); 3] = [
    ("TRANSLATION", "VEC3", 3),
    ("ROTATION", "VEC4", 4),
    ("SCALE", "VEC3", 3),
];
/// Plants between two checks for cancellation.
const PART: usize = 1 << 16;

/// Write plants as instances; they are sorted by species.
pub fn instances(
    sink: &mut impl Write,
    plants: &mut [Plant],
    stands: Stands<'_>,
    job: &Job,
) -> io::Result<()> {
    let groups = by_species(plants, stands);
    let mut file = Document::of(&groups);
    for (mesh, (species, range)) in groups.iter().enumerate() {
        let attributes = ATTRIBUTES.map(|(attribute, kind, floats)| {
            let view = file.view(range.len() * floats * 4, None);
            let accessor = file.accessor(view, 0, FLOAT, range.len(), kind);
            (attribute.to_owned(), json!(accessor))
        });
        file.nodes.push(json!({
            "name": species.name(),
            "mesh": mesh,
            "extensions": { INSTANCING: {
                "attributes": serde_json::Map::from_iter(attributes),
            } },
        }));
    }
    if !plants.is_empty() {
        // Without it, programs would draw one plant at the origin.
        file.json["extensionsUsed"] = json!([INSTANCING]);
        file.json["extensionsRequired"] = json!([INSTANCING]);
    }
    file.write(sink)?;
    let mut bytes = Vec::new();
    for (_, range) in groups {
        for attribute in 0..ATTRIBUTES.len() {
            for plants in plants[range.clone()].chunks(PART) {
                job.check().map_err(io::Error::other)?;
                bytes.clear();
                for plant in plants {
                    let Stand {
                        place,
                        rotation,
                        scale,
                    } = stands.stand(plant);
                    match attribute {
                        0 => put(&mut bytes, place.map(|part| part as f32)),
                        1 => put(&mut bytes, rotation.map(|part| part as f32)),
                        _ => put(&mut bytes, scale.map(|part| part as f32)),
                    }
                }
                sink.write_all(&bytes)?;
            }
        }
    }
    Ok(())
}

/// Write plants as nodes; they are sorted by species.
pub fn nodes(sink: &mut impl Write, plants: &mut [Plant], stands: Stands<'_>) -> io::Result<()> {
    let groups = by_species(plants, stands);
    let mut file = Document::of(&groups);
    for (mesh, (species, range)) in groups.into_iter().enumerate() {
        for plant in &plants[range] {
            let stand = stands.stand(plant);
            file.nodes.push(json!({
                "name": species.name(),
                "mesh": mesh,
                "translation": stand.place.map(|part| rounded(part, 1e4)),
                "rotation": stand.rotation.map(|part| rounded(part, 1e7)),
                "scale": stand.scale.map(|part| rounded(part, 1e4)),
            }));
        }
    }
    file.write(sink)
}

fn rounded(number: f64, steps: f64) -> f64 {
    (number * steps).round() / steps
}

/// Sort plants by species, and return the range of each.
fn by_species(plants: &mut [Plant], stands: Stands<'_>) -> Vec<(Species, Range<usize>)> {
    plants.sort_by_key(|plant| stands.species(plant).order());
    let mut groups: Vec<(Species, Range<usize>)> = Vec::new();
    for (index, plant) in plants.iter().enumerate() {
        let species = stands.species(plant);
        match groups.last_mut() {
            Some((last, range)) if *last == species => range.end = index + 1,
            _ => groups.push((species, index..index + 1)),
        }
    }
    groups
}

/// File with the models of species: first all near ones, then all far ones.
struct Document {
    /// All but the arrays below.
    json: Value,
    /// Nodes that hold plants.
    nodes: Vec<Value>,
    accessors: Vec<Value>,
    views: Vec<Value>,
    /// Bytes of the models.
    models: Vec<u8>,
    /// Bytes of all views.
    length: usize,
}

impl Document {
    fn of(groups: &[(Species, Range<usize>)]) -> Self {
        let mut file = Self {
            json: json!({ "asset": { "version": "2.0", "generator": PROGRAM }, "scene": 0 }),
            nodes: Vec::new(),
            accessors: Vec::new(),
            views: Vec::new(),
            models: Vec::new(),
            length: 0,
        };
        let meshes = [ModelDetail::Near, ModelDetail::Far].map(|detail| {
            let meshes = groups
                .iter()
                .map(|(species, _)| file.mesh(*species, detail));
            meshes.collect::<Vec<_>>()
        });
        let meshes = meshes.concat();
        if !meshes.is_empty() {
            file.json["meshes"] = json!(meshes);
            let material = |name: &str, is_thin: bool| {
                json!({
                    "name": name,
                    "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 1.0 },
                    "doubleSided": is_thin,
                })
            };
            file.json["materials"] = json!([material("plant", true), material("stone", false)]);
        }
        file
    }

    /// Add a view of so many bytes after those before; returns its index.
    fn view(&mut self, length: usize, target: Option<(u32, usize)>) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.length, "byteLength": length });
        if let Some((target, stride)) = target {
            view["target"] = json!(target);
            if stride > 0 {
                view["byteStride"] = json!(stride);
            }
        }
        self.views.push(view);
        self.length += length;
        self.views.len() - 1
    }

    /// Add an accessor; returns its index.
    fn accessor(
        &mut self,
        view: usize,
        offset: usize,
        part: u32,
        count: usize,
        kind: &str,
    ) -> usize {
        self.accessors.push(json!({
            "bufferView": view, "byteOffset": offset, "componentType": part, "count": count,
            "type": kind,
        }));
        self.accessors.len() - 1
    }

    /// Add the model of a species; returns its mesh.
    fn mesh(&mut self, species: Species, detail: ModelDetail) -> Value {
        let Model {
            vertices,
            triangles,
        } = species.model(detail);
        for vertex in &vertices {
            for part in [vertex.position, vertex.normal, vertex.color] {
                put(&mut self.models, part);
            }
        }
        for corners in &triangles {
            put_whole(&mut self.models, *corners);
        }
        let stride = FLOATS * 4;
        let view = self.view(vertices.len() * stride, Some((ARRAY_BUFFER, stride)));
        let [position, normal, color] =
            [0, 12, 24].map(|offset| self.accessor(view, offset, FLOAT, vertices.len(), "VEC3"));
        let of_all = |pick: fn(f32, f32) -> f32| {
            let places = vertices.iter().map(|vertex| vertex.position);
            places.reduce(|all, place| [0, 1, 2].map(|axis| pick(all[axis], place[axis])))
        };
        self.accessors[position]["min"] = json!(of_all(f32::min));
        self.accessors[position]["max"] = json!(of_all(f32::max));
        let count = triangles.len() * 3;
        let view = self.view(count * 4, Some((ELEMENT_ARRAY_BUFFER, 0)));
        let indices = self.accessor(view, 0, UNSIGNED_INT, count, "SCALAR");
        json!({
            "name": match detail {
                ModelDetail::Near => species.name(),
                ModelDetail::Far => format!("{}_far", species.name()),
            },
            "primitives": [{
                "attributes": { "POSITION": position, "NORMAL": normal, "COLOR_0": color },
                "indices": indices,
                "material": usize::from(species.kind == PlantKind::Boulder),
            }],
        })
    }

    /// Write everything but the instances.
    fn write(self, sink: &mut impl Write) -> io::Result<()> {
        let Self {
            mut json,
            nodes,
            accessors,
            views,
            models,
            length,
        } = self;
        let mut root = json!({ "name": "plants" });
        if !nodes.is_empty() {
            root["children"] = json!((1..=nodes.len()).collect::<Vec<_>>());
        }
        json["scenes"] = json!([{ "nodes": [0] }]);
        json["nodes"] = std::iter::once(root).chain(nodes).collect();
        if length > 0 {
            json["accessors"] = accessors.into();
            json["bufferViews"] = views.into();
            json["buffers"] = json!([{ "byteLength": length }]);
        }
        sink.write_all(&head(json.to_string(), length).ok_or_else(too_large)?)?;
        sink.write_all(&models)
    }
}
