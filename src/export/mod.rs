//! Height maps, meshes, pictures and scenes into files: one format a file.
