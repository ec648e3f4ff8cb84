//! TIFF tags that the tiff crate does not name.

/// Private tag with correction bits, two bits a sample, the first sample in the lowest bits of the first
/// byte. 0 is the height that [`in_half_tiles`](super::metres::in_half_tiles) gives, 1 the next float
/// away from 0, 2 the next float towards 0.
pub const FINE_TAG: u16 = 65_200;
/// Tag of GDAL's metadata items as XML, among them scale and offset.
pub const METADATA_TAG: u16 = 42_112;
/// Role of the item with the scale.
pub const SCALE: &str = "scale";
/// Role of the item with the offset, which is added after scaling.
pub const OFFSET: &str = "offset";

/// GDAL metadata with scale and offset.
#[must_use]
pub fn scale_and_offset(scale: f64, offset: f64) -> String {
    let item = |role: &str, value: f64| {
        let name = role.to_uppercase();
        format!("  <Item name=\"{name}\" sample=\"0\" role=\"{role}\">{value}</Item>\n")
    };
    let (scale, offset) = (item(SCALE, scale), item(OFFSET, offset));
    format!("<GDALMetadata>\n{offset}{scale}</GDALMetadata>\n")
}

/// Text of the item with this role, as in `<Item name="SCALE" sample="0" role="scale">0.5</Item>`.
#[must_use]
pub fn item<'a>(xml: &'a str, role: &str) -> Option<&'a str> {
    let (_, rest) = xml.split_once(&format!("role=\"{role}\""))?;
    let (_, rest) = rest.split_once('>')?;
    Some(rest.split_once('<')?.0.trim())
}
