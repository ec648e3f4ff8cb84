//! How textures are looked up.

use glium::texture::Texture2d;
use glium::uniforms::{MagnifySamplerFilter, MinifySamplerFilter, Sampler, SamplerWrapFunction};

use crate::scene::Filter;

/// Single texels, never mixed.
pub(crate) fn exact<T>(sampler: Sampler<'_, T>) -> Sampler<'_, T> {
    filtered(sampler, Filter::Nearest)
}

/// Texels mixed with their neighbours, up to the border and no further.
pub(crate) fn mixed<T>(sampler: Sampler<'_, T>) -> Sampler<'_, T> {
    filtered(sampler, Filter::Linear).wrap_function(SamplerWrapFunction::Clamp)
}

/// Without mipmaps, made larger and smaller as the scene's filter says.
pub(crate) fn filtered<T>(sampler: Sampler<'_, T>, filter: Filter) -> Sampler<'_, T> {
    sampler
        .minify_filter(match filter {
            Filter::Linear => MinifySamplerFilter::Linear,
            Filter::Nearest => MinifySamplerFilter::Nearest,
        })
        .magnify_filter(magnify(filter))
}

/// With mipmaps; the texture `repeats` or ends at its border.
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

/// glium's word for the scene's filter.
pub(crate) fn magnify(filter: Filter) -> MagnifySamplerFilter {
    match filter {
        Filter::Linear => MagnifySamplerFilter::Linear,
        Filter::Nearest => MagnifySamplerFilter::Nearest,
    }
}
