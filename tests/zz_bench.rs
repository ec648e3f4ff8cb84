#[path = "../benches/benches/render.rs"]
#[allow(dead_code)]
mod render;
macro_rules! t { ($($n:ident)*) => { $(#[test] fn $n() { render::run(); })* } }
t!(detail landscape large edit flight start memory);
