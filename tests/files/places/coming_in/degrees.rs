//! Systems of coordinates: degrees, metres of Mercator, heights.

use super::*;
use landform::gdal::Gdal;
use landform::geo::well_known_text;

#[test]
fn degrees_narrow_by_the_cosine_of_latitude() {
    let folder = folder();
    let geographic = directory(&[[1024, 0, 1, 2], [1025, 0, 1, 1], [2048, 0, 1, 4326]]);
    let tiff = folder.path().join("x.tif");
    write_tiff(
        &tiff,
        9,
        &counted(81),
        &Place {
            scale: &[0.01, 0.01, 0.0],
            // The corner of the first sample, so that the middle one is at 49° north.
            tie: &[0.0, 0.0, 0.0, 8.0, 49.045, 0.0],
            keys: &geographic,
            ..Place::default()
        },
    );
    let asc = folder.path().join("x.asc");
    let mut text = "ncols 9\nnrows 9\nxllcorner 8\nyllcorner 48.955\ncellsize 0.01\n".to_owned();
    counted(81)
        .iter()
        .for_each(|height| text += &format!("{height} "));
    fs::write(&asc, text).unwrap();
    for path in [&tiff, &asc] {
        let samples = import::samples(path).unwrap();
        let [across, down] = degree(49.0).map(|degree| degree * 0.01);
        // 8 cells of 0.01° southwards are 12.16 cells of that side.
        assert_eq!((samples.grid.rows(), samples.grid.columns()), (13, 9));
        assert_near(samples.tile_size_m.unwrap().into(), 12.0 * across);
        for column in 0..9 {
            assert_near(metres(&samples, 0, column), column as f64);
            // 9 m a row of 0.01°.
            let south = column as f64 + 9.0 * 4.0 * across / down;
            assert_near(metres(&samples, 4, column), south);
        }
    }
    for (name, latitude) in [
        ("N49E008", 49.5),
        ("s01w077_v3", -0.5),
        ("n78_e016_1arc", 78.5),
    ] {
        let path = folder.path().join(format!("{name}.hgt"));
        let bytes: Vec<u8> = (0..121_i16).flat_map(i16::to_be_bytes).collect();
        fs::write(&path, bytes).unwrap();
        let samples = import::samples(&path).unwrap();
        let [wide, high] = degree(latitude);
        let narrower = wide / high;
        let cells = |count: usize| (count - 1) as f64;
        let (rows, columns) = (cells(samples.grid.rows()), cells(samples.grid.columns()));
        assert!(
            (columns / rows - narrower).abs() < 0.05,
            "{name}: {rows} {columns}"
        );
        let step = f64::from(samples.tile_size_m.unwrap()) / rows;
        let half = step / 2.0;
        assert!((step * columns - wide).abs() <= half * 1.001, "{name}");
        assert!((step * rows - high).abs() <= half * 1.001, "{name}");
        assert_near(metres(&samples, 0, 0), 0.0);
        assert_eq!(samples.place.unwrap().origin[1], latitude + 0.5);
    }
}

#[test]
fn coarse_degree_grid_is_valid_and_prj_overrides() {
    let folder = folder();
    let path = folder.path().join("x.asc");
    let write = |cell: f64| {
        let text = format!(
            "ncols 3\nnrows 3\nxllcorner -10\nyllcorner 40\ncellsize {cell}\n1 2 3 4 5 6 7 8 9"
        );
        fs::write(&path, text).unwrap();
        import::samples(&path).unwrap().tile_size_m.unwrap()
    };
    for cell in [0.25, 1.0] {
        // Three rows of at least 0.25° south to north.
        assert!(write(cell) > 2.0 * cell as f32 * 100_000.0, "{cell}");
    }
    assert_eq!(write(30.0), 60.0);
    let prj = folder.path().join("x.prj");
    fs::write(&prj, well_known_text(32_618).unwrap()).unwrap();
    assert_eq!(write(1.0), 2.0);
    fs::write(&prj, well_known_text(4326).unwrap()).unwrap();
    assert!(write(2.0) > 400_000.0);
}

#[test]
fn mercators_metres_are_shorter_on_the_ground() {
    if Gdal::find().is_err() {
        return;
    }
    let folder = folder();
    let here = folder.path();
    let radius = 6_378_137.0;
    let northing = |latitude: f64| radius * latitude.to_radians().tan().asinh();
    let (middle, cosine) = (northing(48.9), 48.9_f64.to_radians().cos());
    for (keys_in, y, wanted) in [
        (
            vec![[1024, 0, 1, 1], [3072, 0, 1, 3857]],
            middle,
            [cosine; 2],
        ),
        (
            vec![[1024, 0, 1, 1], [3072, 0, 1, 3395]],
            middle,
            [cosine; 2],
        ),
        (
            vec![[1024, 0, 1, 1], [3072, 0, 1, 4087]],
            radius * 48.9_f64.to_radians(),
            [cosine, 1.0],
        ),
        (
            vec![[1024, 0, 1, 1], [3072, 0, 1, 25_832]],
            middle,
            [1.0; 2],
        ),
    ] {
        let model = here.join("x.tif");
        let keys_in = directory(&keys_in);
        let place = Place {
            scale: &[30.0, 30.0, 0.0],
            tie: &[0.0, 0.0, 0.0, 890_555.0, y + 135.0, 0.0],
            keys: &keys_in,
            ..Place::default()
        };
        write_model(&model, &place);
        let samples = import::samples(&model).unwrap();
        let step = f64::from(samples.tile_size_m.unwrap())
            / (samples.grid.rows().max(samples.grid.columns()) - 1) as f64;
        let high = step * (samples.grid.rows() - 1) as f64;
        let wide = step * (samples.grid.columns() - 1) as f64;
        assert!(
            (wide - 240.0 * wanted[0]).abs() < step / 2.0 + 0.01,
            "{keys_in:?}: {wide}"
        );
        assert!(
            (high - 240.0 * wanted[1]).abs() < step / 2.0 + 0.01,
            "{keys_in:?}: {high}"
        );
        // Out again where it was.
        facts(here, "x.tif -o y.tif --force");
        let out = here.join("y.tif");
        assert_near(tag(&out, Tag::ModelPixelScaleTag)[0], 30.0);
    }
}

#[test]
fn vertical_axis_of_height_systems_scales_heights() {
    if Gdal::find().is_err() {
        return;
    }
    let folder = folder();
    let path = folder.path().join("x.tif");
    for (vertical, unit, wanted) in [
        (Some([4096, 0, 1, 5783]), 1.0, 120.0..180.0),
        (Some([4096, 0, 1, 6360]), 1200.0 / 3937.0, 120.0..180.0),
        (None, 1.0, 200.0..800.0),
    ] {
        let mut keys = vec![[1024, 0, 1, 1], [3072, 0, 1, 25_832]];
        keys.extend(vertical);
        let keys = directory(&keys);
        let place = Place {
            scale: &[20.0, 20.0, 0.1],
            tie: &[0.0, 0.0, 0.0, 500_000.0, 5_000_000.0, 100.0],
            keys: &keys,
            ..Place::default()
        };
        write_tiff(&path, 2, &[200.0, 300.0, 400.0, 800.0], &place);
        let samples = import::samples(&path).unwrap();
        assert_near(metres(&samples, 0, 0), wanted.start * unit);
        assert_near(metres(&samples, 1, 1), wanted.end * unit);
    }
}

#[test]
fn a_system_that_is_no_map_is_refused() {
    let folder = folder();
    for code in [5703, 4978] {
        let words = format!("generate --iterations 3 --crs EPSG:{code} --origin 8,49 -o z.tif");
        let code = format!("EPSG:{code}");
        fail(
            folder.path(),
            &words,
            1,
            &["cannot write coordinates of", &code],
        );
    }
}
