//! Masks by one number: a table of quantities, each with its unit and limits, the defaults of its range of
//! full weight, and the function that gives it.

use crate::modify::mask::{
    Context, FillRow, MadeQuantity, Quantity, Source, Span, SpanKind, water_distance,
};
use crate::terrain::drainage::Drainage;
use crate::terrain::heightmap::{Heightmap, Heights, Worn};
use crate::terrain::neighbours::{AtScale, Measure, Window};
use crate::util::numbers::metres_per_unit;
use crate::util::param::{OutOfRange, Param, Params, check_all, check_order, float_param, options};

/// Declare masks by one number: unit, limits and slider; default and help of either end of the range, and
/// the default of its soft ends; then the function that gives the quantity, or the measure of the terrain's
/// shape that does, with its default scale.
macro_rules! ranges {
    ($(
        $(#[$about:meta])*
        $name:ident {
            unit: $unit:literal, $least:literal, $most:literal, slider $slider:expr;
            $(altitudes: $altitudes:expr;)?
            low: $low:literal, $low_help:literal;
            high: $high:literal, $high_help:literal;
            soft: $soft:literal, slider $soft_slider:expr;
            $(quantity: $quantity:expr $(, uses_water: $uses_water:literal)?;)?
            $(measure: $measure:expr, $scale:ident: $scale_m:expr;)?
        }
    )+) => {$(
        options! {
            $(#[$about])*
            pub struct $name {
                #[doc = $low_help]
                #[doc = concat!("In ", $unit, "; default ", stringify!($low), ".")]
                pub low: f32 = $low,
                #[doc = $high_help]
                #[doc = concat!("In ", $unit, "; default ", stringify!($high), ".")]
                pub high: f32 = $high,
                #[doc = concat!(
                    "Width of the fade at either end, in ", $unit, "; default ", stringify!($soft), "."
                )]
                pub soft: f32 = $soft,
                $(
                    /// Scale in metres at which the terrain's shape is measured, 0 (sample spacing) … 100,000;
                    /// default 20.
                    pub $scale: f32 = $scale_m,
                )?
            }
        }

        impl Params for $name {
            $(const ALTITUDES: &'static [&'static str] = $altitudes;)?

            const PARAMS: &'static [Param<Self>] = &[
                float_param!(low, "Mask low", $unit, $least, $most, slider $slider, $low_help),
                float_param!(high, "Mask high", $unit, $least, $most, slider $slider, $high_help),
                float_param!(
                    soft, "Soft ends", $unit, 0.0, $most, slider $soft_slider,
                    "Width over which the mask fades out beyond either end of the range."
                ),
                $(float_param!(
                    $scale, "Mask scale", "m", 0.0, 100_000.0, slider(0.0, 10.0 * $scale_m),
                    "Distance over which the shape of the ground is measured, so that more \
                     iterations do not change the mask. 0: from sample to sample."
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
        altitudes: &["low", "high"];
        low: 0.0, "Lowest height at which the mask acts in full.";
        high: 1000.0, "Highest height at which the mask acts in full.";
        soft: 0.1, slider(0.0, 0.5);
        quantity: height;
    }

    /// Mask by slope of the ground at a scale, in degrees (Horn 1981).
    Slope {
        unit: "°", 0.0, 90.0, slider(0.0, 90.0);
        low: 30.0, "Lowest slope at which the mask acts in full.";
        high: 90.0, "Highest slope at which the mask acts in full.";
        soft: 10.0, slider(0.0, 45.0);
        measure: Measure::Slope, scale: SCALE_M;
    }

    /// Mask by mean curvature of the ground at a scale, in 1/m: positive on ridges, negative in valleys.
    Curvature {
        unit: "1/m", -1000.0, 1000.0, slider(-0.02, 0.02);
        low: 0.0, "Lowest curvature at which the mask acts in full: ridges are above 0, valleys \
                   below 0.";
        high: 1000.0, "Highest curvature at which the mask acts in full.";
        soft: 0.002, slider(0.0, 0.02);
        measure: Measure::Curvature, scale: SCALE_M;
    }

    /// Mask by flow accumulation: the drainage area of a sample, in m², which selects rivers and their
    /// banks. It equals the map `flow`.
    Flow {
        unit: "m²", 0.0, 1.0e15, slider(0.0, 1.0e5);
        low: 10_000.0, "Smallest drainage area at which the mask acts in full.";
        high: 1.0e15, "Largest drainage area at which the mask acts in full.";
        soft: 5_000.0, slider(0.0, 1.0e5);
        quantity: drainage_area, uses_water: true;
    }

    /// Mask by the topographic wetness index, ln(specific catchment area / slope) (Beven and Kirkby
    /// 1979), as in the map `wetness`.
    Wetness {
        unit: "ln m", -100.0, 100.0, slider(0.0, 20.0);
        low: 7.0, "Lowest wetness at which the mask acts in full.";
        high: 100.0, "Highest wetness at which the mask acts in full.";
        soft: 2.0, slider(0.0, 20.0);
        quantity: wetness, uses_water: true;
    }

    /// Mask by eroded depth of rock, in metres: as in the map `wear`, 0 on a map without erosion.
    Wear {
        unit: "m", 0.0, 1.0e9, slider(0.0, 100.0);
        low: 5.0, "Smallest depth of removed rock at which the mask acts in full.";
        high: 1.0e9, "Largest depth of removed rock at which the mask acts in full.";
        soft: 5.0, slider(0.0, 100.0);
        quantity: wear;
    }

    /// Mask by the thickness of sediment that erosion has deposited, in metres: as in the map `deposit`,
    /// 0 on a map without erosion.
    Sediment {
        unit: "m", 0.0, 1.0e9, slider(0.0, 20.0);
        low: 1.0, "Smallest sediment thickness at which the mask acts in full.";
        high: 1.0e9, "Largest sediment thickness at which the mask acts in full.";
        soft: 1.0, slider(0.0, 20.0);
        quantity: sediment;
    }

    /// Mask by the horizontal distance from the scene's water, in metres: 0 under water, and infinite if
    /// no land lies below the water level.
    WaterDistance {
        unit: "m", 0.0, 1.0e9, slider(0.0, 1000.0);
        low: 0.0, "Shortest distance from the water at which the mask acts in full.";
        high: 100.0, "Longest distance from the water at which the mask acts in full.";
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

// Mask by aspect: the downslope direction at a scale, in degrees clockwise from north (Horn 1981).
//
// The range goes clockwise from `low` to `high`, also across north: from 315 to 45 are the slopes that
// face north. From 0 to 360 is every direction. Level ground has no aspect, so its weight is 0, and a
// profile faces east or west.

options! {
    /// Range of directions.
    pub struct Direction {
        /// Start of the range in degrees, 0…360; default 315.
        pub low: f32 = 315.0,
        /// End of the range in degrees, 0…360; default 45.
        pub high: f32 = 45.0,
        /// Width of the fade at either end, in degrees, 0…180; default 30.
        pub soft: f32 = 30.0,
        /// Scale in metres at which the terrain's shape is measured, 0 (sample spacing) … 100,000; default 20.
        pub scale: f32 = SCALE_M,
    }
}

impl Params for Direction {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(low, "Mask low", "°", 0.0, 360.0, slider: (0.0, 360.0),
            "The range goes clockwise from this direction: 0 is north, 90 east."),
        float_param!(high, "Mask high", "°", 0.0, 360.0, slider: (0.0, 360.0),
            "The range goes clockwise to this direction, past north if it is below the lower end."),
        float_param!(soft, "Soft ends", "°", 0.0, 180.0, slider: (0.0, 90.0),
            "Width over which the mask fades out beyond either end of the range."),
        float_param!(scale, "Mask scale", "m", 0.0, 100_000.0, slider: (0.0, 10.0 * SCALE_M),
            "Distance over which the shape of the ground is measured, so that more iterations do \
             not change the mask. 0: from sample to sample."),
    ];
}

impl Source for Direction {
    fn span(&self) -> Span {
        Span {
            low: self.low,
            high: self.high,
            soft: self.soft,
            kind: SpanKind::Round,
        }
    }

    fn quantity<'a>(&'a self, map: &'a Heightmap, context: &Context<'a>) -> MadeQuantity<'a> {
        derivative(Measure::Aspect, self.scale, map, context)
    }

    fn scale_m(&self) -> Option<f32> {
        Some(self.scale)
    }
}

// Mask quantities from terrain derivatives: slope, aspect and curvature at a scale.

/// Default scale of a mask in metres: the side of a valley rather than a boulder, and some 130 samples
/// along a tile of the default size.
const SCALE_M: f32 = 20.0;

impl Quantity for AtScale {
    fn rows(&self) -> FillRow<'_> {
        let mut fill = AtScale::rows(self);
        Box::new(move |row, _, out| fill(row, out))
    }
}

/// Terrain derivative of `map` at a scale or, if samples are farther apart, at the sample spacing.
///
/// # Errors
/// The job was cancelled.
fn derivative<'a>(
    measure: Measure,
    scale_m: f32,
    map: &Heightmap,
    context: &Context<'a>,
) -> MadeQuantity<'a> {
    let at_scale = AtScale::new(measure, map, context.tile_size_m, scale_m, context.job)?;
    Ok(match at_scale {
        Some(at_scale) => Box::new(at_scale),
        None => Box::new(move |_: usize, window: &Window<'_>, out: &mut [f32]| {
            measure.fill(window, out);
        }),
    })
}
