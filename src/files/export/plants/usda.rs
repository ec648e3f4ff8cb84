//! `.usda`: plants as a point instancer of USD (Pixar 2016), whose prototypes are the models, with their levels of detail
//! as the variants of a set. Metres, y up, colours at the vertices.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::each_plant;
use super::stand::{Species, Stands};
use crate::files::formats::program::PROGRAM;
use crate::plants::Plant;
use crate::plants::models::{Model, ModelDetail, ModelVertex};
use crate::scene::PlantKind;

/// Material that takes the colours of the vertices.
const MATERIAL: &str = r#"
    def Material "Material"
    {
        token outputs:surface.connect = </Plants/Material/Surface.outputs:surface>

        def Shader "Surface"
        {
            uniform token info:id = "UsdPreviewSurface"
            color3f inputs:diffuseColor.connect = </Plants/Material/Color.outputs:result>
            float inputs:roughness = 1
            token outputs:surface
        }

        def Shader "Color"
        {
            uniform token info:id = "UsdPrimvarReader_float3"
            string inputs:varname = "displayColor"
            float3 outputs:result
        }
    }
"#;

pub fn write(sink: &mut impl Write, plants: &[Plant], stands: Stands<'_>) -> io::Result<()> {
    let all = plants.iter().map(|plant| stands.species(plant));
    let all: BTreeMap<_, Species> = all.map(|species| (species.order(), species)).collect();
    let numbers: BTreeMap<_, usize> = all.keys().copied().zip(0..).collect();
    let path = |species: &Species| format!("</Plants/Points/Prototypes/{}>", species.name());
    let paths: Vec<_> = all.values().map(path).collect();
    write!(
        sink,
        "#usda 1.0\n(\n    defaultPrim = \"Plants\"\n    doc = \"{PROGRAM}\"\n    \
         metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\n\
         def Xform \"Plants\" (\n    kind = \"assembly\"\n)\n{{{MATERIAL}\n    \
         def PointInstancer \"Points\"\n    {{\n        rel prototypes = [{}]\n",
        paths.join(", ")
    )?;
    let comma = |index: usize| if index > 0 { ", " } else { "" };
    write!(sink, "        int[] protoIndices = [")?;
    each_plant(sink, plants, |text, index, plant| {
        let number = numbers[&stands.species(plant).order()];
        write!(text, "{}{number}", comma(index))
    })?;
    write!(sink, "]\n        point3f[] positions = [")?;
    each_plant(sink, plants, |text, index, plant| {
        let [x, y, z] = stands.stand(plant).place;
        write!(text, "{}({x:.4}, {y:.4}, {z:.4})", comma(index))
    })?;
    // The real part comes first.
    write!(sink, "]\n        quath[] orientations = [")?;
    each_plant(sink, plants, |text, index, plant| {
        let [x, y, z, w] = stands.stand(plant).rotation;
        write!(text, "{}({w:.5}, {x}, {y:.5}, {z})", comma(index))
    })?;
    write!(sink, "]\n        float3[] scales = [")?;
    each_plant(sink, plants, |text, index, plant| {
        let [x, y, z] = stands.stand(plant).scale;
        write!(text, "{}({x:.4}, {y:.4}, {z:.4})", comma(index))
    })?;
    write!(sink, "]\n\n        def Scope \"Prototypes\"\n        {{\n")?;
    for species in all.values() {
        prototype(sink, *species)?;
    }
    write!(sink, "        }}\n    }}\n}}\n")
}

/// Write the mesh of a species.
fn prototype(sink: &mut impl Write, species: Species) -> io::Result<()> {
    let indent = " ".repeat(16);
    write!(
        sink,
        "            def Mesh \"{}\" (\n\
         {indent}prepend apiSchemas = [\"MaterialBindingAPI\"]\n\
         {indent}prepend variantSets = \"lod\"\n\
         {indent}variants = {{\n{indent}    string lod = \"near\"\n{indent}}}\n            )\n            {{\n\
         {indent}uniform bool doubleSided = {}\n\
         {indent}rel material:binding = </Plants/Material>\n\
         {indent}uniform token subdivisionScheme = \"none\"\n\
         {indent}variantSet \"lod\" = {{\n",
        species.name(),
        u8::from(species.kind != PlantKind::Boulder)
    )?;
    for (variant, detail) in [("near", ModelDetail::Near), ("far", ModelDetail::Far)] {
        writeln!(sink, "{indent}    \"{variant}\" {{")?;
        shape(sink, &species.model(detail), &" ".repeat(24))?;
        writeln!(sink, "{indent}    }}")?;
    }
    writeln!(sink, "{indent}}}\n            }}\n")
}

/// Write the triangles of a model.
fn shape(sink: &mut impl Write, model: &Model, indent: &str) -> io::Result<()> {
    let Model {
        vertices,
        triangles,
    } = model;
    let triples = |part: fn(&ModelVertex) -> [f32; 3]| {
        let texts = vertices.iter().map(part);
        let texts = texts.map(|[x, y, z]| format!("({x:.5}, {y:.5}, {z:.5})"));
        texts.collect::<Vec<_>>().join(", ")
    };
    let of_all = |pick: fn(f32, f32) -> f32| {
        let places = vertices.iter().map(|vertex| vertex.position);
        let corner = places.reduce(|all, place| [0, 1, 2].map(|axis| pick(all[axis], place[axis])));
        let [x, y, z] = corner.unwrap_or_default();
        format!("({x:.5}, {y:.5}, {z:.5})")
    };
    let corners: Vec<_> = triangles
        .as_flattened()
        .iter()
        .map(u32::to_string)
        .collect();
    let per_vertex = format!("(\n{indent}    interpolation = \"vertex\"\n{indent})");
    let lines = [
        format!(
            "float3[] extent = [{}, {}]",
            of_all(f32::min),
            of_all(f32::max)
        ),
        format!(
            "int[] faceVertexCounts = [{}]",
            vec!["3"; triangles.len()].join(", ")
        ),
        format!("int[] faceVertexIndices = [{}]", corners.join(", ")),
        format!("point3f[] points = [{}]", triples(|vertex| vertex.position)),
        format!(
            "normal3f[] normals = [{}] {per_vertex}",
            triples(|vertex| vertex.normal)
        ),
        format!(
            "color3f[] primvars:displayColor = [{}] {per_vertex}",
            triples(|vertex| vertex.color)
        ),
    ];
    for line in lines {
        writeln!(sink, "{indent}{line}")?;
    }
    Ok(())
}
