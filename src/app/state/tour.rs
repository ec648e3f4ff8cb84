//! The tour: seven steps along the articles, each a scene and something to try in it.

use crate::import::Preset;
use crate::language::mark;
use crate::scene::{RenderType, Scene};

/// A step of the tour.
#[derive(Debug)]
pub struct Step {
    /// What it is about.
    pub title: &'static str,
    /// What there is to see, and where it comes from.
    pub text: &'static str,
    /// What to try.
    pub tries: &'static str,
    /// Where in the panel that is, if it is there.
    place: Option<Place>,
    /// The preset that it begins with.
    preset: &'static str,
    /// What is changed about that.
    change: fn(&mut Scene),
    /// Whether the scene, which began as the first, shows that it was tried.
    is_tried: fn(&Scene, &Scene) -> bool,
}

/// A row of the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of its section in the list of folds.
    pub section: &'static str,
    /// Its words, in English.
    pub label: &'static str,
}

impl Place {
    const fn new(section: &'static str, label: &'static str) -> Option<Self> {
        Some(Self { section, label })
    }
}

/// The steps, in their order.
pub const STEPS: [Step; 7] = [
    Step {
        title: mark("A ridge"),
        text: mark(
            "Take a line and move its middle up or down, by chance. Do the same with each half, by \
             less, and with each quarter, by less again: a ridge. This is midpoint displacement \
             (Fournier, Fussell and Carpenter 1982), with which Martz's article begins.",
        ),
        tries: mark("Set Iterations to 1, then raise them: the points that are there stay."),
        place: Place::new("Landscape", "Iterations"),
        preset: "ridge",
        change: |_| (),
        is_tried: |before, now| now.surface.iterations != before.surface.iterations,
    },
    Step {
        title: mark("The first passes"),
        text: mark(
            "In two dimensions the middle of each square gets the mean of its four corners and a \
             random part, then the middle of each edge that of its four neighbours: the diamond and \
             the square step. New points are orange, and lines show by how much they were moved.",
        ),
        tries: mark("Move the slider Passes in the panel, or press ▶ beside it."),
        place: Place::new("generator", "Passes"),
        preset: "passes",
        change: |_| (),
        is_tried: |before, now| now.view.pass != before.view.pass,
    },
    Step {
        title: "H",
        text: mark(
            "How much less each pass moves its points is H. At 1 the land is smooth and round, at 0 it \
             is all spikes; real mountains are near 0.8. The status line says which H the land has \
             when it is measured.",
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
            "The same method makes a sky: heights become how white a place is, and what is below the \
             middle stays blue. It tiles, as the land does, so it can be repeated without a seam.",
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
        tries: mark("Change Age in the section Modifiers: it is how long it rained."),
        place: Place::new("Modifiers", "Age"),
        preset: "river-valley",
        change: |_| (),
        is_tried: |before, now| now.modifiers != before.modifiers,
    },
    Step {
        title: mark("Nearer and nearer"),
        text: mark(
            "A fractal looks alike at every scale, so there is no end: come nearer and the ground goes \
             on being subdivided, down to pebbles. The scale bar and the status line say how much you \
             see. Home brings you back.",
        ),
        tries: mark("Turn the wheel over a place that you like, and go on."),
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
        tries: mark("Press Ctrl E and look at what a file would be."),
        place: None,
        preset: "alpine",
        change: |_| (),
        is_tried: |_, _| false,
    },
];

impl Step {
    /// The scene that it begins with.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let preset = Preset::named(self.preset).expect("it comes with the program");
        let mut scene = preset.scene();
        (self.change)(&mut scene);
        scene
    }
}

/// The tour as it is taken.
#[derive(Clone, Debug)]
pub struct Tour {
    /// The step, a place in [`STEPS`].
    pub step: usize,
    /// The scene that was there before.
    pub before: Box<Scene>,
    /// Whether the panel has still to show where the step's setting is.
    pub leads: bool,
    /// The steps that were tried.
    tried: [bool; STEPS.len()],
    /// The scene that the step began with.
    began: Box<Scene>,
}

impl Tour {
    /// Its first step, from that scene.
    #[must_use]
    pub fn begin(scene: &Scene) -> Self {
        Self {
            step: 0,
            before: Box::new(scene.clone()),
            leads: true,
            tried: [false; STEPS.len()],
            began: Box::new(STEPS[0].scene()),
        }
    }

    /// Where the panel has what the step proposes, if it is there.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        STEPS[self.step].place
    }

    /// The scene that the step began with.
    #[must_use]
    pub fn scene(&self) -> Scene {
        (*self.began).clone()
    }

    /// Goes to the step so many on, and says which scene that begins with; none beyond the ends.
    pub fn go(&mut self, by: isize) -> Option<Scene> {
        let step = self.step.checked_add_signed(by)?;
        let scene = STEPS.get(step)?.scene();
        (self.step, self.began, self.leads) = (step, Box::new(scene.clone()), true);
        Some(scene)
    }

    /// Takes note of the scene as it is, and of whether a file is about to be exported.
    pub fn watch(&mut self, scene: &Scene, exports: bool) {
        let is_last = self.step + 1 == STEPS.len();
        let tried = (STEPS[self.step].is_tried)(&self.began, scene) || (is_last && exports);
        self.tried[self.step] |= tried;
    }

    /// Whether what the step proposes was tried.
    #[must_use]
    pub fn is_tried(&self) -> bool {
        self.tried[self.step]
    }
}
