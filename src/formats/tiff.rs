//! Tags of TIFF that the program's own crate does not name.

/// Our own tag, of those for private use: two bits a sample, the first sample lowest in the first
/// byte. 0 is the height that [`in_half_tiles`](super::metres::in_half_tiles) gives, 1 the next
/// float away from 0, 2 the next towards 0.
pub const FINE_TAG: u16 = 65_200;
/// GDAL's items as XML, among them scale and offset.
pub const METADATA_TAG: u16 = 42_112;
/// The role of the item that numbers are multiplied by.
pub const SCALE: &str = "scale";
/// The role of the item that is then added.
pub const OFFSET: &str = "offset";

/// GDAL's items with what numbers are multiplied by and what is then added.
#[must_use]
pub fn scale_and_offset(scale: f64, offset: f64) -> String {
    let item = |role: &str, value: f64| {
        let name = role.to_uppercase();
        format!("  <Item name=\"{name}\" sample=\"0\" role=\"{role}\">{value}</Item>\n")
    };
    let (scale, offset) = (item(SCALE, scale), item(OFFSET, offset));
    format!("<GDALMetadata>\n{offset}{scale}</GDALMetadata>\n")
}

/// The text of the item of a role, as in `<Item name="SCALE" sample="0" role="scale">0.5</Item>`.
#[must_use]
pub fn item<'a>(xml: &'a str, role: &str) -> Option<&'a str> {
    let (_, rest) = xml.split_once(&format!("role=\"{role}\""))?;
    let (_, rest) = rest.split_once('>')?;
    Some(rest.split_once('<')?.0.trim())
}
