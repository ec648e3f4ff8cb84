//! Drawing through OpenGL 3.3, for windows and without a display alike.
