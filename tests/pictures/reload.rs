//! A renderer goes on: shaders change while the program runs, and some pictures cannot be drawn.

use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline::Pipeline;
use landform::render::{Headless, Renderer};
use landform::scene::{RenderType, Scene};

#[test]
fn a_saved_shader_changes_the_picture_and_a_broken_one_does_not() {
    let headless = Headless::new().unwrap();
    let facade = headless.facade();
    let mut scene = Scene::default();
    scene.surface.iterations = 3;
    scene.view.render_type = RenderType::Triangles;
    let landscape = Pipeline::default().run(&scene, &Inputs::default(), &Job::new());
    let mut renderer = Renderer::new(facade).unwrap();
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
    // Two programs are made of it.
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(
        errors
            .iter()
            .all(|error| error.to_string().lines().count() == 1)
    );
    assert!(still_red == red);
    // A broken part of a program that was never drawn with breaks nothing that is.
    let (still_red, errors) = draw("water.frag", "!");
    assert_eq!(errors.len(), 1);
    assert!(still_red == red);
    let lit = "void main() { finish(lit(palette_color(0.0), vec3(0.0, 1.0, 0.0))); }";
    let (lit, errors) = draw("triangles.frag", lit);
    assert!(errors.is_empty() && lit != red, "{errors:?}");
}

#[test]
fn an_error_before_drawing_leaves_the_last_picture() {
    let headless = Headless::new().unwrap();
    let facade = headless.facade();
    let mut scene = Scene::default();
    scene.surface.iterations = 3;
    for render_type in RenderType::ALL {
        let mut renderer = Renderer::new(facade).unwrap();
        scene.view.render_type = *render_type;
        let landscape = Pipeline::default().run(&scene, &Inputs::default(), &Job::new());
        renderer.update(facade, &landscape.unwrap()).unwrap();
        renderer.draw(facade, &scene, (40, 30)).unwrap();
        let last = renderer.read_picture().unwrap();
        // No driver has room for the largest.
        for size in [
            (0, 10),
            (10, 0),
            (1 << 20, 10),
            (10, 1 << 20),
            (u32::MAX, u32::MAX),
        ] {
            let drawn = renderer.draw(facade, &scene, size);
            drawn.expect_err(render_type.name());
            let now = renderer.read_picture().unwrap();
            assert_eq!(now.as_slice(), last.as_slice(), "{render_type} at {size:?}");
        }
    }
}
