//! A renderer goes on: shaders change while the program runs, and some pictures cannot be drawn.

use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline::{Landscape, Pipeline};
use landform::render::{GroundPath, Headless, Renderer};
use landform::scene::{RenderType, Scene};

#[test]
fn saved_shader_changes_picture_unless_it_is_broken() {
    let headless = Headless::new().unwrap();
    let facade = headless.facade();
    let mut scene = Scene::default();
    scene.surface.iterations = 3;
    scene.view.render_type = RenderType::Triangles;
    let landscape = Pipeline::default().run(&scene, &Inputs::default(), &Job::new());
    let mut renderer = Renderer::new(facade).unwrap();
    renderer.set_way(GroundPath::Raster);
    renderer.update(facade, &landscape.unwrap()).unwrap();
    let mut draw = |file: &str, text: &str| {
        let errors = renderer.reload(&[(file.to_owned(), text.to_owned())]);
        renderer.draw(facade, &scene, (40, 30)).unwrap();
        (renderer.read_picture().unwrap(), errors)
    };
    let (first, _) = draw("", "");
    let (red, errors) = draw(
        "triangles.frag",
        "void main() { finish(vec3(1.0, 0.0, 0.0)); }",
    );
    assert!(errors.is_empty(), "{errors:?}");
    assert!(red != first && red.as_slice().contains(&[255, 0, 0]));
    let (still_red, errors) = draw("triangles.frag", "void main() { finish(");
    // Four programs are made of it: lit ground and a map from above, each with more or without.
    assert_eq!(errors.len(), 4, "{errors:?}");
    assert!(
        errors
            .iter()
            .all(|error| error.to_string().lines().count() == 1)
    );
    assert!(still_red == red);
    // A broken part of a program that was never drawn with breaks nothing that is.
    let (still_red, errors) = draw("water.frag", "!");
    // Water between plants is another program.
    assert_eq!(errors.len(), 2);
    assert!(still_red == red);
    let lit = "void main() { finish(lit(palette_color(0.0), vec3(0.0, 1.0, 0.0))); }";
    let (lit, errors) = draw("triangles.frag", lit);
    assert!(errors.is_empty() && lit != red, "{errors:?}");
}

/// Draws each type, then lets something go wrong and checks that no size can be drawn and that the
/// picture stays.
#[track_caller]
fn check_last_picture_stays(
    types: &[RenderType],
    sizes: &[(u32, u32)],
    go_wrong: impl Fn(&mut Renderer),
) {
    let headless = Headless::new().unwrap();
    let facade = headless.facade();
    let mut scene = Scene::default();
    scene.surface.iterations = 3;
    for render_type in types {
        let mut renderer = Renderer::new(facade).unwrap();
        scene.view.render_type = *render_type;
        renderer.update(facade, &made(&scene)).unwrap();
        renderer.draw(facade, &scene, (40, 30)).unwrap();
        let last = renderer.read_picture().unwrap();
        go_wrong(&mut renderer);
        for size in sizes {
            let drawn = renderer.draw(facade, &scene, *size);
            drawn.expect_err(render_type.name());
            let now = renderer.read_picture().unwrap();
            assert_eq!(now.as_slice(), last.as_slice(), "{render_type} at {size:?}");
        }
    }
}

fn made(scene: &Scene) -> Landscape {
    let made = Pipeline::default().run(scene, &Inputs::default(), &Job::new());
    made.unwrap()
}

#[test]
fn an_impossible_size_leaves_the_last_picture() {
    // No driver has room for the largest.
    let (none, large) = (0, 1 << 20);
    let sizes = [
        (none, 10),
        (10, none),
        (large, 10),
        (10, large),
        (u32::MAX, u32::MAX),
    ];
    check_last_picture_stays(RenderType::ALL, &sizes, |_| {});
}

#[test]
fn an_error_before_drawing_leaves_the_last_picture() {
    let sizes = [(40, 30), (20, 10), (0, 10)];
    check_last_picture_stays(RenderType::ALL, &sizes, Renderer::lose_palette);
}
