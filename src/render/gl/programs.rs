//! Shader programs, compiled at their first use and cached.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use glium::Program;
use glium::backend::{Context, Facade};
use glium::program::ProgramCreationInput;

use super::constants;
use super::shaders::{PROGRAMS, ProgramText, ShaderFile};
use crate::render::error::RenderError;
use crate::util::words::one_line;

pub(crate) use super::shaders::Shader;

/// Reloaded shader sources that replace the embedded ones, by path below `shaders/`.
type NewerTexts = BTreeMap<String, String>;

/// The programs of one context.
pub(crate) struct Programs {
    context: Rc<Context>,
    texts: NewerTexts,
    compiled: Vec<OnceCell<Program>>,
}

impl Programs {
    pub(crate) fn new(context: &Rc<Context>) -> Self {
        Self {
            context: Rc::clone(context),
            texts: NewerTexts::new(),
            compiled: PROGRAMS.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// The program, compiled at its first use.
    pub(crate) fn get(&self, shader: Shader) -> Result<&Program, RenderError> {
        let cell = &self.compiled[shader as usize];
        if let Some(program) = cell.get() {
            return Ok(program);
        }
        let program = compile(&self.context, &PROGRAMS[shader as usize], &self.texts)?;
        Ok(cell.get_or_init(|| program))
    }

    /// Replace sources and recompile the affected programs. Returns the errors; a program that fails to
    /// compile keeps its last good version.
    pub(crate) fn reload(&mut self, changed: &[(String, String)]) -> Vec<RenderError> {
        self.texts.extend(changed.iter().cloned());
        let mut errors = Vec::new();
        for (program, cell) in PROGRAMS.iter().zip(&mut self.compiled) {
            if !changed.iter().any(|(file, _)| program.has(file)) {
                continue;
            }
            let mut compiled = compile(&self.context, program, &self.texts);
            if let Err(error) = compiled {
                errors.push(error);
                if cell.get().is_some() {
                    continue;
                }
                compiled = compile(&self.context, program, &NewerTexts::new());
            }
            *cell = compiled.map_or_else(|_| OnceCell::new(), OnceCell::from);
        }
        errors
    }
}

impl ProgramText {
    /// True if a file below `shaders/` is part of the program.
    fn has(&self, file: &str) -> bool {
        let (stages, _) = self.stages();
        stages.into_iter().flatten().any(|part| part.file == file)
    }
}

/// Complete source of a shader stage.
fn stage(files: &[ShaderFile], defined: &[&str], texts: &NewerTexts) -> String {
    let mut whole = "#version 330 core\n".to_owned();
    for name in defined {
        whole += &format!("#define {name}\n");
    }
    whole += &constants::declarations();
    for ShaderFile { file, text } in files {
        whole += texts.get(*file).map_or(text, String::as_str);
    }
    whole
}

fn compile(
    context: &Rc<Context>,
    program: &ProgramText,
    texts: &NewerTexts,
) -> Result<Program, RenderError> {
    let (stages, defined) = program.stages();
    let [vertex, fragment] = stages.map(|files| stage(files, defined, texts));
    let input = ProgramCreationInput::SourceCode {
        vertex_shader: &vertex,
        tessellation_control_shader: None,
        tessellation_evaluation_shader: None,
        geometry_shader: None,
        fragment_shader: &fragment,
        transform_feedback_varyings: None,
        // Colours are sRGB throughout: no conversion on any framebuffer.
        outputs_srgb: true,
        uses_point_size: false,
    };
    Program::new(context, input).map_err(|error| RenderError::Shader {
        program: program.name,
        message: one_line(&error.to_string()),
    })
}

/// Compile every program and return their number.
///
/// # Errors
/// The first program that the driver does not accept.
pub fn compile_all(facade: &impl Facade) -> Result<usize, RenderError> {
    for program in PROGRAMS {
        compile(facade.get_context(), program, &NewerTexts::new())?;
    }
    Ok(PROGRAMS.len())
}
