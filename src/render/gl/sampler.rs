//! Texture filtering and wrapping.

use glium::texture::Texture2d;
use glium::uniforms::{MagnifySamplerFilter, MinifySamplerFilter, Sampler, SamplerWrapFunction};

use crate::scene::Filter;

/// Nearest filtering.
pub(crate) fn exact<T>(sampler: Sampler<'_, T>) -> Sampler<'_, T> {
    filtered(sampler, Filter::Nearest)
}

/// Linear filtering, clamped at the border.
pub(crate) fn mixed<T>(sampler: Sampler<'_, T>) -> Sampler<'_, T> {
    filtered(sampler, Filter::Linear).wrap_function(SamplerWrapFunction::Clamp)
}

/// Filtering without mipmaps, as set in the scene.
pub(crate) fn filtered<T>(sampler: Sampler<'_, T>, filter: Filter) -> Sampler<'_, T> {
    sampler
        .minify_filter(match filter {
            Filter::Linear => MinifySamplerFilter::Linear,
            Filter::Nearest => MinifySamplerFilter::Nearest,
        })
        .magnify_filter(magnify(filter))
}

/// Trilinear filtering with mipmaps; the texture `repeats` or is clamped.
pub(crate) fn smooth(texture: &Texture2d, repeats: bool) -> Sampler<'_, Texture2d> {
    let wrap = if repeats {
        SamplerWrapFunction::Repeat
    } else {
        SamplerWrapFunction::Clamp
    };
    texture
        .sampled()
        .minify_filter(MinifySamplerFilter::LinearMipmapLinear)
        .magnify_filter(MagnifySamplerFilter::Linear)
        .wrap_function(wrap)
}

/// Convert the scene's filter to glium's.
pub(crate) fn magnify(filter: Filter) -> MagnifySamplerFilter {
    match filter {
        Filter::Linear => MagnifySamplerFilter::Linear,
        Filter::Nearest => MagnifySamplerFilter::Nearest,
    }
}
