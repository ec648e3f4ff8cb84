//! Plants as points: CSV for engines and spreadsheets, GeoJSON (RFC 7946) for GIS.
//!
//! Coordinates are those of the scene's place, or metres east and north of the south-western corner of the map.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use super::each_plant;
use crate::plants::Plant;
use crate::terrain::geo::{Georeference, Unit};

/// Conversion of plants to numbers in a file.
pub struct Points {
    /// Place on earth, if it is known.
    pub earth: Option<Georeference>,
    /// Metres of a half tile.
    pub metres: f64,
    /// Southern border in half tiles from the northern one.
    pub south: f64,
}

impl Points {
    /// Write the coordinates east, north and up, with commas.
    fn place(&self, text: &mut String, plant: &Plant) -> fmt::Result {
        let [x, y] = match &self.earth {
            Some(earth) => earth.point(plant.place),
            None => [plant.place[0], self.south - plant.place[1]].map(|at| at * self.metres),
        };
        let decimals = match &self.earth {
            Some(earth) if matches!(earth.unit, Unit::Degrees(_)) => 8,
            _ => 3,
        };
        let z = f64::from(plant.ground) * self.metres;
        write!(text, "{x:.decimals$},{y:.decimals$},{z:.3}")
    }

    /// Write comma-separated values.
    pub fn csv(&self, sink: &mut impl Write, plants: &[Plant]) -> io::Result<()> {
        writeln!(sink, "species,x,y,z,height,radius,rotation,slope")?;
        each_plant(sink, plants, |text, _, plant| {
            let Plant {
                kind,
                height_m,
                radius_m,
                rotation,
                slope,
                ..
            } = plant;
            write!(text, "{kind},")?;
            self.place(text, plant)?;
            writeln!(
                text,
                ",{height_m:.3},{radius_m:.3},{rotation:.1},{slope:.1}"
            )
        })
    }

    /// Write a feature collection.
    pub fn geojson(&self, sink: &mut impl Write, plants: &[Plant]) -> io::Result<()> {
        write!(sink, "{{\"type\":\"FeatureCollection\",")?;
        // RFC 7946 means WGS 84; other systems are named as GeoJSON 2008 did, which GIS still read.
        let code = self.earth.as_ref().and_then(|earth| earth.keys.epsg());
        if let Some(code) = code.filter(|code| *code != 4326) {
            write!(
                sink,
                "\"crs\":{{\"type\":\"name\",\"properties\":{{\"name\":\
                 \"urn:ogc:def:crs:EPSG::{code}\"}}}},"
            )?;
        }
        write!(sink, "\"features\":[")?;
        each_plant(sink, plants, |text, index, plant| {
            let comma = if index > 0 { "," } else { "" };
            let Plant {
                kind,
                height_m,
                radius_m,
                rotation,
                slope,
                ..
            } = plant;
            write!(
                text,
                "{comma}\n{{\"type\":\"Feature\",\"geometry\":{{\"type\":\"Point\",\"coordinates\":["
            )?;
            self.place(text, plant)?;
            write!(
                text,
                "]}},\"properties\":{{\"species\":\"{kind}\",\"height\":{height_m:.3},\
                 \"radius\":{radius_m:.3},\"rotation\":{rotation:.1},\"slope\":{slope:.1}}}}}"
            )
        })?;
        writeln!(sink, "\n]}}")
    }
}
