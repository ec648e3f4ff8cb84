//! Guided tour: seven steps along the source articles, each with a scene and an exercise.

use crate::files::import::Preset;
use crate::scene::{RenderType, Scene};
use crate::util::language::mark;

/// Step of the tour.
#[derive(Debug)]
pub struct Step {
    /// Title of the step.
    pub title: &'static str,
    /// Explanation of the scene, with its source.
    pub text: &'static str,
    /// Text of the exercise.
    pub tries: &'static str,
    /// Row of the panel for the exercise, if it has one.
    place: Option<Place>,
    /// Name of the preset that the step begins with.
    preset: &'static str,
    /// Change to the scene of the preset.
    change: fn(&mut Scene),
    /// True if the second scene, which started as the first, shows that the exercise was done.
    is_tried: fn(&Scene, &Scene) -> bool,
}

/// Row of the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of its section, as in the list of folds.
    pub section: &'static str,
    /// Label of the row, in English.
    pub label: &'static str,
}

impl Place {
    const fn new(section: &'static str, label: &'static str) -> Option<Self> {
        Some(Self { section, label })
    }
}

/// All steps, in order.
pub const STEPS: [Step; 7] = [
    Step {
        title: mark("A ridge"),
        text: mark(
            "Take a line and move its middle up or down at random. Do the same with each half, by \
             less, and with each quarter, by less again: the result is a ridge. This is midpoint \
             displacement (Fournier, Fussell and Carpenter 1982), with which Martz's article \
             begins.",
        ),
        tries: mark("Set Iterations to 1, then raise it: the existing points stay in place."),
        place: Place::new("Landscape", "Iterations"),
        preset: "ridge",
        change: |_| (),
        is_tried: |before, now| now.surface.iterations != before.surface.iterations,
    },
    Step {
        title: mark("The first passes"),
        text: mark(
            "In two dimensions, the middle of each square gets the mean of its four corners plus \
             a random part; then the middle of each edge gets the mean of its four neighbours \
             plus a random part. These are the diamond step and the square step. New points are \
             orange, and bars show the range within which each was moved: 2^−H of that of the \
             pass before.",
        ),
        tries: mark("Move the slider Passes in the panel, or press ▶ next to it."),
        place: Place::new("generator", "Passes"),
        preset: "passes",
        change: |_| (),
        is_tried: |before, now| now.view.pass != before.view.pass,
    },
    Step {
        title: "H",
        text: mark(
            "H sets how much less each pass moves its points than the one before. At 1 the land \
             is smooth and round, at 0 it is all spikes; real mountains are near 0.8. The status \
             line shows the H that is measured from the land.",
        ),
        tries: mark("Drag H from one end to the other."),
        place: Place::new("Landscape", "H"),
        preset: "diamond-square",
        change: |_| (),
        is_tried: |before, now| now.surface.hurst != before.surface.hurst,
    },
    Step {
        title: mark("Clouds"),
        text: mark(
            "The same method makes a sky: the height of a place sets how white it is, and \
             everything below the middle stays blue. It tiles, as the land does, so it can be \
             repeated without a seam.",
        ),
        tries: mark("Change Cloud H in the section Textures, or take another seed (R)."),
        place: Place::new("Textures", "Cloud H"),
        preset: "sky",
        change: |scene| scene.view.render_type = RenderType::Clouds,
        is_tried: |before, now| {
            now.clouds != before.clouds || now.surface.seed != before.surface.seed
        },
    },
    Step {
        title: mark("Erosion"),
        text: mark(
            "A fractal has no rivers: its valleys end in pits. Here every river has cut its bed as deep \
             as its water could (Braun and Willett 2013), for an age that you choose. Rivers and lakes \
             are drawn where they run.",
        ),
        tries: mark(
            "Change Age in the section Modifiers: it is how long rivers have cut into the \
             land.",
        ),
        place: Place::new("Modifiers", "Age"),
        preset: "river-valley",
        change: |_| (),
        is_tried: |before, now| now.modifiers != before.modifiers,
    },
    Step {
        title: mark("Closer and closer"),
        text: mark(
            "A fractal looks alike at every scale, so you can zoom in without end: the closer you \
             come, the further the ground is subdivided, down to pebbles. The scale bar and the \
             status line show the size of what you see. Home brings you back.",
        ),
        tries: mark("Turn the wheel over any place you like, and keep going."),
        place: None,
        preset: "island-noon",
        change: |scene| scene.view.scale_bar = true,
        is_tried: |before, now| now.camera.distance < 0.25 * before.camera.distance,
    },
    Step {
        title: mark("Take it with you"),
        text: mark(
            "A height map, a mesh, a normal map: File ⏵ Export writes what engines open, with the \
             numbers for Unreal, Unity, Godot and Blender. F12 saves the picture, and every file holds \
             its scene, so that it opens here again.",
        ),
        tries: mark("Press Ctrl E to see what a file would contain."),
        place: None,
        preset: "alpine",
        change: |_| (),
        is_tried: |_, _| false,
    },
];

impl Step {
    /// Initial scene of the step.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let preset = Preset::named(self.preset).expect("it comes with the program");
        let mut scene = preset.scene();
        (self.change)(&mut scene);
        scene
    }
}

/// Progress of the tour.
#[derive(Clone, Debug)]
pub struct Tour {
    /// Current step, an index into [`STEPS`].
    pub step: usize,
    /// Scene before the tour began.
    pub before: Box<Scene>,
    /// True until the panel has scrolled to the row of the exercise.
    pub leads: bool,
    /// Completed exercises, by step.
    tried: [bool; STEPS.len()],
    /// Initial scene of the current step.
    began: Box<Scene>,
}

impl Tour {
    /// Begin the tour at a step, or at the last one if it has fewer, from the present scene.
    #[must_use]
    pub fn begin_at(step: usize, scene: &Scene) -> Self {
        let step = step.min(STEPS.len() - 1);
        Self {
            step,
            before: Box::new(scene.clone()),
            leads: true,
            tried: [false; STEPS.len()],
            began: Box::new(STEPS[step].scene()),
        }
    }

    /// Row of the panel for the exercise of the current step, if it has one.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        STEPS[self.step].place
    }

    /// Initial scene of the current step.
    #[must_use]
    pub fn scene(&self) -> Scene {
        (*self.began).clone()
    }

    /// Move by a number of steps and return the initial scene there; `None` beyond the ends.
    pub fn go(&mut self, by: isize) -> Option<Scene> {
        let step = self.step.checked_add_signed(by)?;
        let scene = STEPS.get(step)?.scene();
        (self.step, self.began, self.leads) = (step, Box::new(scene.clone()), true);
        Some(scene)
    }

    /// Check if the exercise is done in the present scene. `exports` is true if a file is about to
    /// be exported, which completes the last step.
    pub fn watch(&mut self, scene: &Scene, exports: bool) {
        let is_last = self.step + 1 == STEPS.len();
        let tried = (STEPS[self.step].is_tried)(&self.began, scene) || (is_last && exports);
        self.tried[self.step] |= tried;
    }

    /// True if the exercise of the current step was done.
    #[must_use]
    pub fn is_tried(&self) -> bool {
        self.tried[self.step]
    }
}
