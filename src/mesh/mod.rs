//! Height maps as vertices and indices.
