//! Masks by one number: a table of quantities, each with its unit and limits, the defaults of its range of
//! full weight, and the function that gives it.

use serde::{Deserialize, Serialize};

use super::shape::{SCALE_M, derivative};
use super::source::{MadeQuantity, Source};
use super::span::{Span, SpanKind};
use super::{Context, water_distance};
use crate::terrain::drainage::Drainage;
use crate::terrain::heightmap::{Heightmap, Heights, Worn};
use crate::terrain::neighbours::{Measure, Window};
use crate::util::numbers::metres_per_unit;
use crate::util::param::{OutOfRange, Param, Params, check_all, check_order, float_param};

/// Declare masks by one number: unit, limits and slider; default and help of either end of the range, and
/// the default of its soft ends; then the function that gives the quantity, or the measure of the terrain's
/// shape that does, with its default scale.
macro_rules! ranges {
    ($(
        $(#[$about:meta])*
        $name:ident {
            unit: $unit:literal, $least:literal, $most:literal, slider $slider:expr;
            low: $low:literal, $low_help:literal;
            high: $high:literal, $high_help:literal;
            soft: $soft:literal, slider $soft_slider:expr;
            $(quantity: $quantity:expr $(, uses_water: $uses_water:literal)?;)?
            $(measure: $measure:expr, $scale:ident: $scale_m:expr;)?
        }
    )+) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            #[doc = $low_help]
            #[doc = concat!("In ", $unit, "; default ", stringify!($low), ".")]
            pub low: f32,
            #[doc = $high_help]
            #[doc = concat!("In ", $unit, "; default ", stringify!($high), ".")]
            pub high: f32,
            #[doc = concat!(
                "Width of the fade at either end, in ", $unit, "; default ", stringify!($soft), "."
            )]
            pub soft: f32,
            $(
                /// Scale in metres at which the terrain's shape is measured, 0 (sample spacing) … 100,000;
                /// default 20.
                pub $scale: f32,
            )?
        }

        impl Default for $name {
            fn default() -> Self {
                Self { low: $low, high: $high, soft: $soft, $($scale: $scale_m)? }
            }
        }

        impl Params for $name {
            const PARAMS: &'static [Param<Self>] = &[
                float_param!(low, "Mask low", $unit, $least, $most, slider $slider, $low_help),
                float_param!(high, "Mask high", $unit, $least, $most, slider $slider, $high_help),
                float_param!(
                    soft, "Soft ends", $unit, 0.0, $most, slider $soft_slider,
                    "Beyond either end of the range the mask fades to nothing over this much."
                ),
                $(float_param!(
                    $scale, "Mask scale", "m", 0.0, 100_000.0, slider(0.0, 10.0 * $scale_m),
                    "The shape of the ground is measured over this distance and not from sample to sample, so that more iterations do not change the mask. 0: from sample to sample."
                ),)?
            ];

            fn check(&self, table: &str) -> Result<(), OutOfRange> {
                check_all(self, table)?;
                check_order(table, ("low", self.low), ("high", self.high))
            }
        }

        impl Source for $name {
            fn span(&self) -> Span {
                Span { low: self.low, high: self.high, soft: self.soft, kind: SpanKind::Linear }
            }

            fn quantity<'a>(
                &'a self,
                map: &'a Heightmap,
                context: &Context<'a>,
            ) -> MadeQuantity<'a> {
                $($quantity(map, context))?
                $(derivative($measure, self.$scale, map, context))?
            }

            $($(fn uses_water(&self) -> bool {
                $uses_water
            })?)?

            $(fn scale_m(&self) -> Option<f32> {
                Some(self.$scale)
            })?
        }
    )+};
}

ranges! {
    /// Mask by height, in half tiles.
    Height {
        unit: "half tiles", -1000.0, 1000.0, slider(-1.0, 1.0);
        low: 0.0, "The height from which on the mask counts in full.";
        high: 1000.0, "The height up to which the mask counts in full.";
        soft: 0.1, slider(0.0, 0.5);
        quantity: height;
    }

    /// Mask by slope of the ground at a scale, in degrees (Horn 1981).
    Slope {
        unit: "°", 0.0, 90.0, slider(0.0, 90.0);
        low: 30.0, "The slope from which on the mask counts in full.";
        high: 90.0, "The slope up to which the mask counts in full.";
        soft: 10.0, slider(0.0, 45.0);
        measure: Measure::Slope, scale: SCALE_M;
    }

    /// Mask by mean curvature of the ground at a scale, in 1/m: positive on ridges, negative in valleys.
    Curvature {
        unit: "1/m", -1000.0, 1000.0, slider(-0.02, 0.02);
        low: 0.0, "The curvature from which on the mask counts in full: above 0 are ridges, below 0 valleys.";
        high: 1000.0, "The curvature up to which the mask counts in full.";
        soft: 0.002, slider(0.0, 0.02);
        measure: Measure::Curvature, scale: SCALE_M;
    }

    /// Mask by flow accumulation: the drainage area of a sample, in m², which selects rivers and their
    /// banks. It equals the map `flow`.
    Flow {
        unit: "m²", 0.0, 1.0e15, slider(0.0, 1.0e5);
        low: 10_000.0, "The area that drains from which on the mask counts in full.";
        high: 1.0e15, "The area that drains up to which the mask counts in full.";
        soft: 5_000.0, slider(0.0, 1.0e5);
        quantity: drainage_area, uses_water: true;
    }

    /// Mask by the topographic wetness index, ln(specific catchment area / slope) (Beven and Kirkby
    /// 1979), as in the map `wetness`.
    Wetness {
        unit: "ln m", -100.0, 100.0, slider(0.0, 20.0);
        low: 7.0, "The wetness from which on the mask counts in full.";
        high: 100.0, "The wetness up to which the mask counts in full.";
        soft: 2.0, slider(0.0, 20.0);
        quantity: wetness, uses_water: true;
    }

    /// Mask by eroded depth of rock, in metres: as in the map `wear`, 0 on a map without erosion.
    Wear {
        unit: "m", 0.0, 1.0e9, slider(0.0, 100.0);
        low: 5.0, "The depth of rock that is gone from which on the mask counts in full.";
        high: 1.0e9, "The depth of rock that is gone up to which the mask counts in full.";
        soft: 5.0, slider(0.0, 100.0);
        quantity: wear;
    }

    /// Mask by the thickness of sediment that erosion has deposited, in metres: as in the map `deposit`,
    /// 0 on a map without erosion.
    Sediment {
        unit: "m", 0.0, 1.0e9, slider(0.0, 20.0);
        low: 1.0, "The thickness of sediment from which on the mask counts in full.";
        high: 1.0e9, "The thickness of sediment up to which the mask counts in full.";
        soft: 1.0, slider(0.0, 20.0);
        quantity: sediment;
    }

    /// Mask by the horizontal distance from the scene's water, in metres: 0 under water, and infinite if
    /// no land lies below the water level.
    WaterDistance {
        unit: "m", 0.0, 1.0e9, slider(0.0, 1000.0);
        low: 0.0, "The distance from the water from which on the mask counts in full.";
        high: 100.0, "The distance from the water up to which the mask counts in full.";
        soft: 100.0, slider(0.0, 1000.0);
        quantity: water_distance::quantity, uses_water: true;
    }
}

fn height<'a>(_: &'a Heightmap, _: &Context<'a>) -> MadeQuantity<'a> {
    let fill = |_: usize, window: &Window<'_>, out: &mut [f32]| {
        out.copy_from_slice(&window.here[1..=out.len()]);
    };
    Ok(Box::new(fill))
}

fn drainage_area<'a>(map: &'a Heightmap, context: &Context<'a>) -> MadeQuantity<'a> {
    let drainage = Drainage::of(map, context.water, context.job)?;
    let side = f64::from(drainage.spacing()) * metres_per_unit(context.tile_size_m);
    let sample = (side * side) as f32;
    let fill = move |row: usize, _: &Window<'_>, out: &mut [f32]| {
        for (column, out) in out.iter_mut().enumerate() {
            *out = drainage.area(drainage.cell(row, column)) as f32 * sample;
        }
    };
    Ok(Box::new(fill))
}

fn wetness<'a>(map: &'a Heightmap, context: &Context<'a>) -> MadeQuantity<'a> {
    let drainage = Drainage::of(map, context.water, context.job)?;
    let metres = metres_per_unit(context.tile_size_m) as f32;
    let fill = move |row: usize, _: &Window<'_>, out: &mut [f32]| {
        for (column, out) in out.iter_mut().enumerate() {
            *out = drainage.wetness(drainage.cell(row, column), metres);
        }
    };
    Ok(Box::new(fill))
}

fn wear<'a>(map: &'a Heightmap, context: &Context<'a>) -> MadeQuantity<'a> {
    depth(map, context, |worn| &worn.wear)
}

fn sediment<'a>(map: &'a Heightmap, context: &Context<'a>) -> MadeQuantity<'a> {
    depth(map, context, |worn| &worn.sediment)
}

/// Depth in metres that erosion has left in `map`, 0 without erosion.
fn depth<'a>(
    map: &'a Heightmap,
    context: &Context<'a>,
    part: fn(&Worn) -> &Heights,
) -> MadeQuantity<'a> {
    let metres = metres_per_unit(context.tile_size_m) as f32;
    let columns = map.columns();
    let fill = move |row: usize, _: &Window<'_>, out: &mut [f32]| match map.worn() {
        Some(worn) => {
            let row = &part(worn)[row * columns..][..columns];
            for (out, depth) in out.iter_mut().zip(row) {
                *out = depth * metres;
            }
        }
        None => out.fill(0.0),
    };
    Ok(Box::new(fill))
}
