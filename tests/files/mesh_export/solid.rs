//! Blocks for printing: STL.

use super::*;

#[test]
fn every_detail_gives_watertight_blocks_of_requested_size() {
    let folder = folder();
    let path = folder.path().join("x.stl");
    for (scene, details) in [(scene(), &DETAILS[..]), (picture(), &DETAILS[2..])] {
        for detail in details {
            for print_size_mm in [100.0, 42.5] {
                let options = MeshOptions {
                    detail: *detail,
                    print_size_mm,
                    ..MeshOptions::default()
                };
                write(&path, &scene, options);
                let stl = fs::read(&path).unwrap();
                assert!(
                    stl.starts_with(b"landform "),
                    "not `solid`, which means text"
                );
                check_block(&facets(&stl), print_size_mm);
            }
        }
    }
}

#[test]
fn a_blocks_header_tells_scenes_apart() {
    let folder = folder();
    let header = |scene: &Scene| {
        let stl = written(folder.path(), "x.stl", scene, Detail::All);
        String::from_utf8(stl[..80].to_vec()).unwrap()
    };
    let (one, mut other) = (scene(), scene());
    other.surface.hurst += 0.01;
    assert!(header(&one).contains("seed 5 scene "), "{}", header(&one));
    assert_eq!(header(&one), header(&one));
    assert_ne!(header(&one), header(&other));
}

/// Twice the area of a triangle, positive if counter-clockwise.
fn area([a, b, c]: [[f32; 2]; 3]) -> f32 {
    (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
}

#[test]
fn wall_is_covered_once_without_sliver_triangles() {
    for count in (2..40).chain([63, 64, 65, 1025]) {
        // It is as good as straight, except for a few points.
        let bump = |at: usize| [0.0, 1e-6, 0.5][usize::from(at % 3 == 1) + usize::from(at == 8)];
        let line: Vec<[f32; 2]> = (0..count).map(|at| [at as f32, 3.0 + bump(at)]).collect();
        let found = wall::triangles(count);
        let place = |corner: Corner| match corner {
            Corner::Top(index) => line[index],
            Corner::Within(index, height) => {
                assert!(
                    index > 0 && index + 1 < count,
                    "on the edge of another wall"
                );
                assert!(height > 0.0 && height < 1.0, "{height}");
                [line[index][0], 3.0 * height]
            }
            Corner::Left => [0.0, 0.0],
            Corner::Right => [count as f32 - 1.0, 0.0],
        };
        let mut covered = 0.0;
        let mut sides: HashMap<[[u32; 2]; 2], i32> = HashMap::new();
        for triangle in &found {
            let corners = triangle.map(place);
            let twice = area(corners);
            let side = |a: [f32; 2], b: [f32; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
            let [a, b, c] = corners;
            let longest = side(a, b).max(side(b, c)).max(side(c, a));
            assert!(twice / longest > 0.01, "{count}: {triangle:?}");
            covered += f64::from(twice) / 2.0;
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let bits = [from, to].map(|v| v.map(f32::to_bits));
                *sides.entry(bits).or_default() += 1;
            }
        }
        let below = |pair: &[[f32; 2]]| f64::from(pair[0][1] + pair[1][1]) / 2.0;
        let whole: f64 = line.windows(2).map(below).sum();
        assert!(
            (covered - whole).abs() < 1e-3,
            "{count}: {covered} of {whole}"
        );
        // Sides within are of two triangles; those of one are the line and three more.
        let open = sides
            .keys()
            .filter(|[from, to]| !sides.contains_key(&[*to, *from]));
        assert_eq!(open.count(), count - 1 + 3, "{count}");
        assert!(sides.values().all(|times| *times == 1), "{count}");
    }
}
