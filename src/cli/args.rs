//! Groups of command-line flags as changes of scene keys.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::console::Failure;
use crate::generate::{ByteOrder, InputCoding, InputSources, InputUnit, Reading, Surface};
use crate::scene::{Bookmark, Camera, Clouds, RenderType, Teximage, View};
use crate::terrain::measure::PourPoint;
use crate::util::param::{Kind, Params};

/// Change of one scene key by a flag.
pub struct Change {
    /// The name of the flag.
    pub flag: &'static str,
    /// The key in the scene.
    pub key: String,
    /// The new value, as TOML.
    pub value: String,
    /// The allowed values, in words.
    pub allowed: String,
}

impl Change {
    /// Make the changes of the flags that are given: names of flags, keys of a table, and values.
    pub fn given(
        make: impl Fn(&'static str, &str, &str, &str) -> Self,
        table: &str,
        flags: &[(&'static str, &str, &Option<String>)],
    ) -> Vec<Self> {
        let flags = flags.iter();
        flags
            .filter_map(|(flag, key, value)| Some(make(flag, table, key, value.as_ref()?)))
            .collect()
    }

    /// Make a change to a number; the allowed range is that of the key.
    pub fn number<T: Params>(flag: &'static str, table: &str, key: &str, value: &str) -> Self {
        Self {
            flag,
            key: format!("{table}.{key}"),
            value: value.to_owned(),
            allowed: T::param(key).kind().range().unwrap_or_default(),
        }
    }

    /// Make a change to a text, quoted so that TOML does not parse it as a number.
    pub fn text(flag: &'static str, table: &str, key: &str, value: &str) -> Self {
        Self {
            flag,
            key: format!("{table}.{key}"),
            value: toml::Value::String(value.to_owned()).to_string(),
            allowed: "a text".to_owned(),
        }
    }

    /// The failure for a value that the key does not take.
    pub fn refused(&self) -> Failure {
        let (flag, value, allowed) = (self.flag, &self.value, &self.allowed);
        Failure::usage(format!("{flag} is {value}; allowed: {allowed}"))
    }
}

/// Help text of a parameter, with range and default.
pub fn help<T: Params>(key: &str) -> String {
    let param = T::param(key);
    let default = T::default();
    let help = param.help.trim_end_matches('.');
    let kind = param.kind();
    if kind == Kind::Switch {
        return help.to_owned();
    }
    let default = kind.words(&param.value(&default));
    match kind.range() {
        Some(allowed) => format!("{help} [{allowed}; default {default}]"),
        None => format!("{help} [default {default}]"),
    }
}

/// Flags that change how the scene is drawn.
#[derive(Debug, Args)]
#[command(next_help_heading = "Picture")]
pub struct ViewArgs {
    #[arg(long = "type", value_name = "TYPE", help = help::<View>("render_type"),
        value_parser = PossibleValuesParser::new(RenderType::NAMES))]
    render_type: Option<String>,
    #[arg(long, value_name = "N", help = help::<View>("tile"), allow_hyphen_values = true)]
    tile: Option<String>,
    /// Show diamond-square or a ridge after K passes, with its points and the range of a pass marked;
    /// half a pass is a diamond step without its square step [0 to 10 in steps of 0.5]
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    pub(super) pass: Option<String>,
    #[arg(long, value_name = "N", help = help::<Teximage>("iterations"),
        allow_hyphen_values = true)]
    texture_iterations: Option<String>,
    #[arg(long, value_name = "X", help = help::<Teximage>("hurst"), allow_hyphen_values = true)]
    texture_h: Option<String>,
    #[arg(long, value_name = "N", help = help::<Clouds>("iterations"),
        allow_hyphen_values = true)]
    cloud_iterations: Option<String>,
    #[arg(long, value_name = "X", help = help::<Clouds>("hurst"), allow_hyphen_values = true)]
    cloud_h: Option<String>,
    /// Colours by height: a name from `landform list palettes`, or a .toml file
    #[arg(long, value_name = "NAME")]
    palette: Option<String>,
    #[arg(long, help = help::<View>("invert"))]
    invert: bool,
    /// Hard lines and edges: one sample per pixel
    #[arg(long)]
    no_antialias: bool,
    /// Textures enlarged with square texels, not smoothly
    #[arg(long)]
    nearest: bool,
    /// Compass direction of the view in degrees (0 is north, 90 east), downward pitch in degrees,
    /// distance in half tiles
    #[arg(
        long,
        value_name = "BEARING,PITCH,DISTANCE",
        allow_hyphen_values = true
    )]
    camera: Option<String>,
    /// Colour the land that drains through a point, given as half tiles east and south of the map's
    /// middle, such as 0.2,-0.35. The point snaps to a river close to it, unless `,exact` follows
    #[arg(long, value_name = "X,Z", value_parser = read_pour_point, allow_hyphen_values = true)]
    watershed: Option<PourPoint>,
    /// The scene's bookmark of that name
    #[arg(long, value_name = "NAME", conflicts_with = "camera")]
    bookmark: Option<String>,
}

impl ViewArgs {
    /// True if any flag changes the picture.
    pub fn changed(&self) -> bool {
        self.bookmark.is_some() || self.changes().is_ok_and(|changes| !changes.is_empty())
    }

    /// The camera of the selected bookmark; `None` without `--bookmark`.
    pub(super) fn camera(&self, bookmarks: &[Bookmark]) -> Result<Option<Camera>, Failure> {
        let name = self.bookmark.as_ref();
        name.map(|name| bookmark(bookmarks, name)).transpose()
    }

    /// The flags as changes of scene keys.
    pub(super) fn changes(&self) -> Result<Vec<Change>, Failure> {
        let tile = ("--tile", "tile", &self.tile);
        let textures = [
            (
                "--texture-iterations",
                "iterations",
                &self.texture_iterations,
            ),
            ("--texture-h", "hurst", &self.texture_h),
        ];
        let clouds = [
            ("--cloud-iterations", "iterations", &self.cloud_iterations),
            ("--cloud-h", "hurst", &self.cloud_h),
        ];
        let names = [
            ("--type", "render_type", &self.render_type),
            ("--palette", "palette", &self.palette),
        ];
        let mut changes = Change::given(Change::number::<View>, "view", &[tile]);
        changes.extend(Change::given(
            Change::number::<Teximage>,
            "teximage",
            &textures,
        ));
        changes.extend(Change::given(Change::number::<Clouds>, "clouds", &clouds));
        changes.extend(Change::given(Change::text, "view", &names));
        changes.extend(self.pass.as_ref().map(|pass| Change {
            flag: "--pass",
            key: "view.pass".to_owned(),
            value: pass.clone(),
            allowed: "0 to 10 in steps of 0.5".to_owned(),
        }));
        changes.extend(self.watershed.into_iter().flat_map(pour_point_changes));
        for (is_given, flag, key, value) in [
            (self.invert, "--invert", "invert", "true"),
            (self.no_antialias, "--no-antialias", "antialias", "false"),
        ] {
            changes.extend(is_given.then(|| Change::number::<View>(flag, "view", key, value)));
        }
        if self.nearest {
            changes.push(Change::text("--nearest", "view", "filter", "nearest"));
        }
        if let Some(camera) = &self.camera {
            let parts: Vec<_> = camera.split(',').map(str::trim).collect();
            let [bearing, pitch, distance] = parts[..] else {
                let allowed = "BEARING,PITCH,DISTANCE, such as 30,25,3";
                return Err(Failure::usage(format!(
                    "--camera is {camera}; allowed: {allowed}"
                )));
            };
            let number = Change::number::<Camera>;
            changes.push(number("--camera's bearing", "camera", "bearing", bearing));
            changes.push(number("--camera's pitch", "camera", "pitch", pitch));
            changes.push(number(
                "--camera's distance",
                "camera",
                "distance",
                distance,
            ));
        }
        Ok(changes)
    }
}

/// Find the camera of a bookmark by name.
fn bookmark(bookmarks: &[Bookmark], name: &str) -> Result<Camera, Failure> {
    let found = bookmarks.iter().find(|bookmark| bookmark.name == name);
    let found = found.map(|bookmark| bookmark.camera.clone());
    found.ok_or_else(|| {
        let names = bookmarks.iter().map(|bookmark| &*bookmark.name);
        let names = names.collect::<Vec<_>>().join(", ");
        let allowed = match &*names {
            "" => "none: the scene has no bookmarks",
            names => names,
        };
        Failure::usage(format!("--bookmark is `{name}`; allowed: {allowed}"))
    })
}

// Flags for the import of an input image, where its file lacks metadata, and for the georeference of the
// map.

/// Format of an input image, and georeference of the map.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct ReadingArgs {
    #[arg(long, value_name = "UNIT", help = help::<Reading>("unit"),
        value_parser = PossibleValuesParser::new(InputUnit::NAMES))]
    input_unit: Option<String>,
    #[arg(long, value_name = "LOW,HIGH", help = help::<Reading>("range"),
        allow_hyphen_values = true)]
    input_range: Option<String>,
    #[arg(long, value_name = "X[,Y]", help = help::<Reading>("spacing"),
        allow_hyphen_values = true)]
    input_spacing: Option<String>,
    #[arg(long, value_name = "NUMBER", help = help::<Reading>("no_data"),
        allow_hyphen_values = true)]
    input_nodata: Option<String>,
    #[arg(long, value_name = "WxH", help = help::<Reading>("size"), allow_hyphen_values = true)]
    input_size: Option<String>,
    #[arg(long, value_name = "ORDER", help = help::<Reading>("order"),
        value_parser = PossibleValuesParser::new(ByteOrder::NAMES))]
    input_order: Option<String>,
    #[arg(long, value_name = "N", help = help::<Reading>("band"))]
    input_band: Option<String>,
    #[arg(long, value_name = "CODING", help = help::<Reading>("coding"),
        value_parser = PossibleValuesParser::new(InputCoding::NAMES))]
    input_coding: Option<String>,
    #[arg(long, value_name = "WHERE", help = help::<Reading>("sources"),
        value_parser = PossibleValuesParser::new(InputSources::NAMES))]
    input_sources: Option<String>,
    #[arg(long, value_name = "EPSG:N", help = help::<Surface>("crs"), help_heading = "Place")]
    crs: Option<String>,
    #[arg(long, value_name = "X,Y", help = help::<Surface>("origin"), help_heading = "Place",
        allow_hyphen_values = true)]
    origin: Option<String>,
}

impl ReadingArgs {
    /// True if any of these flags is given.
    pub fn is_given(&self) -> bool {
        !self.changes().is_empty() || !self.places().is_empty()
    }

    /// The import flags as changes of scene keys.
    pub fn changes(&self) -> Vec<Change> {
        let flags = [
            ("--input-unit", "unit", &self.input_unit),
            ("--input-range", "range", &self.input_range),
            ("--input-spacing", "spacing", &self.input_spacing),
            ("--input-nodata", "no_data", &self.input_nodata),
            ("--input-band", "band", &self.input_band),
            ("--input-coding", "coding", &self.input_coding),
            ("--input-sources", "sources", &self.input_sources),
            ("--input-size", "size", &self.input_size),
            ("--input-order", "order", &self.input_order),
        ];
        Change::given(checked_text::<Reading>, "surface.reading", &flags)
    }

    /// The georeferencing flags as changes of scene keys.
    pub fn places(&self) -> Vec<Change> {
        let flags = [
            ("--crs", "crs", &self.crs),
            ("--origin", "origin", &self.origin),
        ];
        Change::given(checked_text::<Surface>, "surface", &flags)
    }
}

/// Make a change to a text; the allowed values are those that the key's own check names.
fn checked_text<T: Params>(flag: &'static str, table: &str, key: &str, value: &str) -> Change {
    let mut change = Change::text(flag, table, key, value);
    if let Err(allowed) = T::param(key).check_text(&T::default(), value) {
        change.allowed = allowed;
    }
    change
}

// Pour point of a watershed as a command-line value.

/// The suffix that selects the exact sample instead of the river nearby.
const EXACT: &str = "exact";

/// Parse `X,Z` or `X,Z,exact`.
pub fn read_pour_point(text: &str) -> Result<PourPoint, String> {
    let mut parts: Vec<_> = text.split(',').map(str::trim).collect();
    let snaps = parts.pop_if(|last| *last == EXACT).is_none();
    let numbers: Option<Vec<f32>> = (parts.into_iter())
        .map(|number| number.parse().ok().filter(|n: &f32| n.is_finite()))
        .collect();
    let place = numbers.and_then(|numbers| numbers.try_into().ok());
    let place = place.ok_or(
        "allowed: X,Z in half tiles from the middle, such as 0.2,-0.35, and after that ,exact",
    )?;
    Ok(PourPoint { place, snaps })
}

/// The point as changes of scene keys.
fn pour_point_changes(PourPoint { place, snaps }: PourPoint) -> [Change; 2] {
    let change = |key: &str, value| Change {
        flag: "--watershed",
        key: key.to_owned(),
        value,
        allowed: "X,Z, each -1 to 1".to_owned(),
    };
    [
        change("analysis.watershed", format!("{place:?}")),
        change("analysis.watershed_snap", snaps.to_string()),
    ]
}
