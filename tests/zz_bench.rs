#[path = "../benches/benches/render.rs"]
#[allow(dead_code)]
mod render;
#[test]
fn bench() { render::run(); }
