//! Flags that change how a scene is drawn.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::change::{Change, help};
use super::error::Failure;
use super::pour_point;
use crate::scene::{Camera, Clouds, RenderType, Scene, Teximage, View};
use crate::terrain::measure::PourPoint;

/// Flags that change how the scene is drawn.
#[derive(Debug, Args)]
#[command(next_help_heading = "Picture")]
pub struct ViewArgs {
    #[arg(long = "type", value_name = "TYPE", help = help::<View>("render_type"),
        value_parser = PossibleValuesParser::new(RenderType::NAMES))]
    render_type: Option<String>,
    #[arg(long, value_name = "N", help = help::<View>("tile"), allow_hyphen_values = true)]
    tile: Option<String>,
    /// Diamond-square as it stands after K passes, its points and the range of the pass marked;
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
    /// Direction in degrees (0 is north, 90 east), degrees downwards, distance in half tiles
    #[arg(
        long,
        value_name = "BEARING,PITCH,DISTANCE",
        allow_hyphen_values = true
    )]
    camera: Option<String>,
    /// Colour the land that drains through a point, east and south of the map's middle in half tiles,
    /// such as 0.2,-0.35; the river beside it is meant, with `,exact` the point itself
    #[arg(long, value_name = "X,Z", value_parser = pour_point::read, allow_hyphen_values = true)]
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
    pub(super) fn camera(&self, scene: &Scene) -> Result<Option<Camera>, Failure> {
        let name = self.bookmark.as_ref();
        name.map(|name| bookmark(scene, name)).transpose()
    }

    /// The flags as changes of scene keys.
    pub(super) fn changes(&self) -> Result<Vec<Change>, Failure> {
        let textures = [
            (
                "--texture-iterations",
                "teximage.iterations",
                &self.texture_iterations,
            ),
            ("--texture-h", "teximage.hurst", &self.texture_h),
        ];
        let clouds = [
            (
                "--cloud-iterations",
                "clouds.iterations",
                &self.cloud_iterations,
            ),
            ("--cloud-h", "clouds.hurst", &self.cloud_h),
        ];
        let names = [
            ("--type", "view.render_type", &self.render_type),
            ("--palette", "view.palette", &self.palette),
        ];
        let tile = ("--tile", "view.tile", &self.tile);
        let mut changes = Change::given(Change::number::<View>, &[tile]);
        changes.extend(Change::given(Change::number::<Teximage>, &textures));
        changes.extend(Change::given(Change::number::<Clouds>, &clouds));
        changes.extend(Change::given(Change::text, &names));
        changes.extend(self.pass.as_ref().map(|pass| Change {
            flag: "--pass",
            key: "view.pass",
            value: pass.clone(),
            allowed: "0 to 10 in steps of 0.5".to_owned(),
        }));
        changes.extend(self.watershed.into_iter().flat_map(pour_point::changes));
        if self.invert {
            changes.push(Change::number::<View>("--invert", "view.invert", "true"));
        }
        if self.no_antialias {
            changes.push(Change::number::<View>(
                "--no-antialias",
                "view.antialias",
                "false",
            ));
        }
        if self.nearest {
            changes.push(Change::text("--nearest", "view.filter", "nearest"));
        }
        if let Some(camera) = &self.camera {
            let parts: Vec<_> = camera.split(',').map(str::trim).collect();
            let [bearing, pitch, distance] = parts[..] else {
                let allowed = "BEARING,PITCH,DISTANCE, such as 30,25,3";
                return Err(Failure::usage(format!(
                    "--camera is {camera}, allowed is {allowed}"
                )));
            };
            let number = Change::number::<Camera>;
            changes.push(number("--camera's bearing", "camera.bearing", bearing));
            changes.push(number("--camera's pitch", "camera.pitch", pitch));
            changes.push(number("--camera's distance", "camera.distance", distance));
        }
        Ok(changes)
    }
}

/// Find the camera of a bookmark by name.
fn bookmark(scene: &Scene, name: &str) -> Result<Camera, Failure> {
    let found = scene
        .bookmarks
        .iter()
        .find(|bookmark| bookmark.name == name);
    found
        .map(|bookmark| bookmark.camera.clone())
        .ok_or_else(|| {
            let names = scene.bookmarks.iter().map(|bookmark| &*bookmark.name);
            let names = names.collect::<Vec<_>>().join(", ");
            let allowed = match &*names {
                "" => "none: the scene has no bookmarks",
                names => names,
            };
            Failure::usage(format!("--bookmark is `{name}`, allowed is {allowed}"))
        })
}
