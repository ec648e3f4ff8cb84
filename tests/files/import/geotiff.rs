//! GeoTIFF files of many layouts.

use super::*;
use tiff::encoder::colortype::{ColorType, Gray16, GrayI16};
use tiff::encoder::{TiffEncoder, TiffValue};
use tiff::tags::Tag;

fn write<C: ColorType>(path: &Path, values: &[C::Inner], tags: &[(u16, &str)], step: f64)
where
    [C::Inner]: TiffValue,
{
    let mut encoder = TiffEncoder::new(fs::File::create(path).unwrap()).unwrap();
    let mut image = encoder.new_image::<C>(3, 2).unwrap();
    let scale = [step, step, 0.0];
    image
        .encoder()
        .write_tag(Tag::ModelPixelScaleTag, &scale[..])
        .unwrap();
    for (tag, text) in tags {
        image
            .encoder()
            .write_tag(Tag::Unknown(*tag), *text)
            .unwrap();
    }
    image.write_data(values).unwrap();
}

#[test]
fn whole_metres_have_the_scale_of_their_samples() {
    let folder = folder();
    let path = folder.path().join("x.tif");
    let values = [100, 200, -32_768, 400, 500, -32_768];
    write::<GrayI16>(&path, &values, &[(42_113, "-32768")], 10.0);
    let samples = import::samples(&path).unwrap();
    assert_eq!((samples.filled, samples.tile_size_m), (2, Some(20.0)));
    assert_eq!(samples.grid.at(0, 1), 20.0);
    let scene = import::open(&path).unwrap();
    assert_eq!(
        (scene.surface.input_low, scene.surface.input_high),
        (10.0, 50.0)
    );
    assert_eq!(scene.surface.tile_size_m, 20.0);
}

#[test]
fn scale_and_offset_are_obeyed() {
    let folder = folder();
    let path = folder.path().join("x.tif");
    let items = "<GDALMetadata><Item name=\"OFFSET\" sample=\"0\" role=\"offset\">-5</Item>\
                 <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item></GDALMetadata>";
    write::<Gray16>(&path, &[10, 20, 30, 40, 50, 110], &[(42_112, items)], 10.0);
    let scene = import::open(&path).unwrap();
    // Metres 0 and 50 in half tiles of 10 m.
    assert_eq!(
        (scene.surface.input_low, scene.surface.input_high),
        (0.0, 5.0)
    );
}
