//! Execution of one request: reads the inputs, generates the previews and the full landscape, and
//! sends them with the mask and the forecast.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use crate::app::state::output::Exporting;
use crate::app::state::times::{StepTimes, Stopwatch};
use crate::app::worker::{Made, Order, OverlayWeights, RequestSender, Slots, lend};
use crate::camera::Ground;
use crate::files::export::{Forecast, Location, forecast, stepped};
use crate::files::import::FilesNamed;
use crate::files::{export, import};
use crate::generate::image::Size;
use crate::generate::{GenerateError, Generator, Surface};
use crate::modify::Modifier;
use crate::modify::layer::Layer;
use crate::pipeline::inputs::Inputs;
use crate::pipeline::{Landscape, Pipeline, is_large};
use crate::plants::{self, Scatter};
use crate::scene::{CameraMode, RenderType, Scene};
use crate::shading::snow;
use crate::terrain::geo::Georeference;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;
use crate::util::numbers::thinning;

/// Maximum wait for the window to drop the last map.
const PATIENCE: Duration = Duration::from_secs(1);

/// Reason why there is no landscape.
pub enum NotMade {
    /// A newer request has cancelled it.
    Cancelled,
    /// It cannot be made; a message for the user.
    Failed(String),
}

impl From<GenerateError> for NotMade {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Cancelled(_) => Self::Cancelled,
            error => Self::Failed(error.to_string()),
        }
    }
}

/// Last full landscape.
pub struct Full {
    /// Number of the request that it answers.
    pub number: u64,
    /// Scene that it was made from.
    pub scene: Arc<Scene>,
    /// Height map, while it exists.
    pub map: Weak<Heightmap>,
    /// Sea level, at which rivers end.
    pub sea: Option<f32>,
    /// Plants, if they are prepared, while they exist.
    pub plants: Option<Weak<Scatter>>,
}

/// Pipelines and their cached results.
#[derive(Default)]
pub struct LandscapeBuilder {
    /// Separate pipeline for previews, so that the array of the full map is kept for reuse.
    coarse: Pipeline,
    pipeline: Pipeline,
    /// Expensive stages cached in the full pipeline, to predict if a request is slow.
    at_hand: Option<CostlyStages>,
    full: Option<Full>,
    /// Generation time of the last landscape that needed new computation.
    made_in: Duration,
    inputs: Inputs,
    read: Option<FilesNamed>,
    /// Notices already sent about the scene and the files read.
    said: Option<Vec<String>>,
}

/// Read the input files of the scene.
pub fn read(scene: &Scene, job: &Job) -> Result<Inputs, NotMade> {
    let inputs = import::inputs_by(scene, job).map_err(|error| match job.check() {
        Err(_) => NotMade::Cancelled,
        Ok(()) => NotMade::Failed(error.to_string()),
    })?;
    export::check_picture(scene, &inputs).map_err(|error| NotMade::Failed(error.to_string()))?;
    Ok(inputs)
}

impl LandscapeBuilder {
    /// Last full landscape.
    pub fn full(&self) -> Option<&Full> {
        self.full.as_ref()
    }

    /// Serve a request and send the results. Returns the number of samples of the full map.
    pub fn make(
        &mut self,
        order: &Order,
        job: &Job,
        post: &RequestSender,
    ) -> Result<usize, NotMade> {
        let made = self.make_both(order, job, post);
        if let Err(NotMade::Failed(_)) = made {
            self.at_hand = None;
        }
        made
    }

    fn make_both(
        &mut self,
        order: &Order,
        job: &Job,
        post: &RequestSender,
    ) -> Result<usize, NotMade> {
        self.read_inputs(order, job)?;
        self.say(order, post);
        let costly = CostlyStages::of(&order.scene);
        let is_quick = self.at_hand.as_ref().is_some_and(|made| made.has(&costly));
        if let (true, Some(running)) = (is_quick, &mut post.slots.lock().running) {
            running.quick = Some(CostlyStages::of(&order.scene));
        }
        let passes = costly.coarse_passes().into_iter();
        for iterations in passes.filter(|_| !is_quick) {
            self.make_coarse(order, iterations, job, post)?;
        }
        let scene = order.scene.without_names();
        if self.has_other_ground(&scene) {
            self.pipeline.drop_plants();
            self.wait_for_the_array(job, post)?;
        }
        if is_quick && (self.lacks_snow(&scene) || self.lacks_plants(&scene)) {
            self.make_preview(order, job, post)?;
        }
        self.make_full(order, costly, job, post)
    }

    /// True if the ground of `scene` may be another than that of the last landscape.
    fn has_other_ground(&self, scene: &Scene) -> bool {
        self.full.as_ref().is_none_or(|full| {
            let last = full.scene.without_names();
            scene.surface != last.surface
                || scene.layers != last.layers
                || scene.modifiers != last.modifiers
        })
    }

    /// True if the snow of `scene`, whose ground is that of the last landscape, must be made, and a preview is quicker.
    fn lacks_snow(&self, scene: &Scene) -> bool {
        let water = |scene: &Scene| (scene.water.height(), scene.water.rivers());
        self.is_larger_than(snow::PREVIEW_SIDE, |full| {
            let is_same = scene.snow == full.snow
                && scene.rock == full.rock
                && scene.modifiers == full.modifiers
                && water(scene) == water(full)
                && snow::latitude(scene) == snow::latitude(full);
            snow::is_shown(scene) && !is_same
        })
    }

    /// True if the canopy of `scene`, whose ground is that of the last landscape, must be made, and a preview is quicker.
    fn lacks_plants(&self, scene: &Scene) -> bool {
        self.is_larger_than(plants::PREVIEW_SIDE, |full| {
            scene.plants_on().next().is_some() && scene.plants != full.plants
        })
    }

    /// True if the map of the last landscape has more samples a side, and `differs` of its scene.
    fn is_larger_than(&self, side: usize, differs: impl FnOnce(&Scene) -> bool) -> bool {
        self.full.as_ref().is_some_and(|full| {
            let map = full.map.upgrade();
            map.is_some_and(|map| map.rows().max(map.columns()) > side)
                && differs(&full.scene.without_names())
        })
    }

    /// Send the landscape with coarse snow and a coarse canopy. A newer request does not cancel this, and the full
    /// landscape is not begun then: while a setting is dragged, one preview after the other is shown.
    fn make_preview(
        &mut self,
        order: &Order,
        job: &Job,
        post: &RequestSender,
    ) -> Result<(), NotMade> {
        let started = Instant::now();
        let scene = &order.scene;
        let landscape = self.pipeline.preview(scene, &self.inputs, &job.part())?;
        prepare_below(&landscape, job)?;
        let mask = mask_wanted(&mut self.pipeline, scene, &self.inputs, job, post)?;
        let made = self.made_coarse(order, landscape, &self.pipeline, started, post);
        post_made(post, made, mask);
        let mut slots = post.slots.lock();
        if let Some(running) = &mut slots.running {
            running.quick = None;
        }
        match slots.next {
            Some(_) => Err(NotMade::Cancelled),
            None => Ok(()),
        }
    }

    /// A landscape that a finer one follows, as it is sent.
    fn made_coarse(
        &self,
        order: &Order,
        landscape: Landscape,
        pipeline: &Pipeline,
        started: Instant,
        post: &RequestSender,
    ) -> Made {
        Made {
            number: order.number,
            scene: Arc::clone(&order.scene),
            terrain: Ground::new(landscape.surface(), order.scene.view.tile)
                .map(|ground| ground.over(landscape.below.clone())),
            ground: ground_for_pins(&order.scene, pipeline),
            place: self.place(&landscape),
            height_range: landscape.heights.range(),
            landscape: lend(landscape, &post.slots),
            coarse: true,
            made_in: started.elapsed(),
            times: StepTimes::default(),
        }
    }

    fn make_coarse(
        &mut self,
        order: &Order,
        iterations: u32,
        job: &Job,
        post: &RequestSender,
    ) -> Result<(), NotMade> {
        let scene = coarse_scene(&order.scene, iterations);
        // Progress is reported for the full landscape only.
        let job = &job.part();
        if scene == *order.scene {
            return Ok(());
        }
        let started = Instant::now();
        let landscape = self.coarse.run(&scene, &self.inputs, job)?;
        prepare_below(&landscape, job)?;
        let mask = mask_wanted(&mut self.coarse, &scene, &self.inputs, job, post)?;
        let made = self.made_coarse(order, landscape, &self.coarse, started, post);
        post_made(post, made, mask);
        Ok(())
    }

    /// Compute the weights of the displayed mask for the last landscape.
    pub fn weigh(&mut self, job: &Job, post: &RequestSender) {
        let Some(Full { scene, .. }) = &self.full else {
            return;
        };
        // Errors were reported with the landscape; a cancelled mask is requested again.
        if let Ok(mask) = mask_wanted(&mut self.pipeline, scene, &self.inputs, job, post) {
            post.put(|outbox| std::mem::replace(&mut outbox.mask, mask));
        }
    }

    fn make_full(
        &mut self,
        order: &Order,
        costly: CostlyStages,
        job: &Job,
        post: &RequestSender,
    ) -> Result<usize, NotMade> {
        let (number, scene) = (order.number, &order.scene);
        let started = Instant::now();
        let mut watch = Stopwatch::start();
        let mut is_new = false;
        let mut done = |stage| {
            is_new = true;
            watch.done(stage);
        };
        let mut landscape = (self.pipeline).run_observed(scene, &self.inputs, job, &mut done)?;
        prepare_below(&landscape, job)?;
        // If everything was cached, the time of the original computation stays.
        if is_new {
            self.made_in = started.elapsed();
        }
        self.at_hand = Some(costly);
        let map = Arc::downgrade(&landscape.heights);
        let sea = scene.water.height();
        let mask = mask_wanted(&mut self.pipeline, scene, &self.inputs, job, post)?;
        self.full = Some(Full {
            number,
            scene: Arc::clone(scene),
            map,
            sea,
            plants: landscape.plants.as_ref().map(Arc::downgrade),
        });
        let samples = landscape.heights.heights().len();
        let wish = post.slots.lock().exporting.clone();
        // Only a preview of the file's quantisation has to wait for the forecast.
        let (before, after) = match wish {
            Some(wish) if wish.preview => (Some(wish), None),
            wish => (None, wish),
        };
        if let Some(wish) = before {
            post_forecast(number, &wish, &mut landscape, &self.inputs, job, post);
        }
        let after = after.map(|wish| (wish, landscape.clone()));
        let (map, at_once) = (Arc::clone(landscape.surface()), moves_over_ground(scene));
        let (tiles, below) = (scene.view.tile, landscape.below.clone());
        let terrain = || Some(Ground::new(&map, tiles)?.over(below.clone()));
        let place = self.place(&landscape);
        let made = Made {
            number,
            scene: Arc::clone(scene),
            place,
            height_range: landscape.heights.range(),
            landscape: lend(landscape, &post.slots),
            terrain: at_once.then(terrain).flatten(),
            ground: ground_for_pins(scene, &self.pipeline),
            coarse: false,
            made_in: self.made_in,
            times: watch.times,
        };
        post_made(post, made, mask);
        if !at_once && !job.is_cancelled() {
            let terrain = terrain();
            post.put(|outbox| outbox.terrain = Some((number, terrain)));
        }
        drop(map);
        if let Some((wish, mut landscape)) = after {
            post_forecast(number, &wish, &mut landscape, &self.inputs, job, post);
        }
        Ok(samples)
    }

    /// Georeference of a landscape.
    fn place(&self, landscape: &Landscape) -> Option<Georeference> {
        let [rows, columns] = landscape.size();
        let location = Location::whole(rows, columns);
        export::place_on_earth(&landscape.scene, &self.inputs, location)
    }

    /// Read the files named in the scene, unless they were read already.
    fn read_inputs(&mut self, order: &Order, job: &Job) -> Result<(), NotMade> {
        let scene = &order.scene;
        let files = FilesNamed::of(scene);
        if !order.reread && self.read.as_ref() == Some(&files) {
            return Ok(());
        }
        self.read = None;
        self.inputs = read(scene, job)?;
        self.read = Some(files);
        self.said = None;
        if order.reread {
            // Pipelines identify files by name only, not by content.
            (self.coarse, self.pipeline) = (Pipeline::default(), Pipeline::default());
            self.at_hand = None;
        }
        Ok(())
    }

    /// Send notices about the scene and its files, if they have changed.
    fn say(&mut self, order: &Order, post: &RequestSender) {
        let of_scene = order.scene.notices();
        let notices = Some([self.inputs.notices(), &of_scene].concat());
        if self.said != notices {
            self.said.clone_from(&notices);
            post.put(|outbox| outbox.notices = notices);
        }
    }

    /// Wait while the window still uploads the last map. This costs less than a second array of
    /// that size.
    fn wait_for_the_array(&self, job: &Job, post: &RequestSender) -> Result<(), NotMade> {
        let Some(full) = &self.full else {
            return Ok(());
        };
        // Small maps may be held for any time.
        let is_large = full.map.upgrade().is_some_and(|map| is_large(&map));
        // One reference belongs to the pipeline itself.
        let is_held =
            |_: &mut Slots| is_large && full.map.strong_count() > 1 && !job.is_cancelled();
        drop((post.slots).wait_while(post.slots.lock(), PATIENCE, is_held));
        Ok(job.check().map_err(GenerateError::from)?)
    }
}

/// Prepare the detail levels beyond the map, if they are shown. Otherwise the window would do so
/// before its first image.
pub fn prepare_below(landscape: &Landscape, job: &Job) -> Result<(), NotMade> {
    match &landscape.below {
        Some(below) if landscape.scene.shows_below() => {
            Ok(below.prepare(job).map_err(GenerateError::from)?)
        }
        _ => Ok(()),
    }
}

/// Weights of the displayed mask, if there is one.
fn mask_wanted(
    pipeline: &mut Pipeline,
    scene: &Scene,
    inputs: &Inputs,
    job: &Job,
    post: &RequestSender,
) -> Result<Option<OverlayWeights>, NotMade> {
    let Some(of) = post.slots.lock().mask else {
        return Ok(None);
    };
    let weights = pipeline.mask(scene, inputs, of, job)?;
    Ok(Some(OverlayWeights { of, weights }))
}

/// Send a landscape together with the displayed mask.
fn post_made(post: &RequestSender, made: Made, mask: Option<OverlayWeights>) {
    post.put(|outbox| {
        outbox.mask = mask.or(outbox.mask.take());
        outbox.made.replace(made)
    });
}

/// Send the forecast of the exported file, and apply its preview to the landscape.
fn post_forecast(
    number: u64,
    wish: &Exporting,
    landscape: &mut Landscape,
    inputs: &Inputs,
    job: &Job,
    post: &RequestSender,
) {
    let forecast = foresee(wish, landscape, inputs, job);
    if !job.is_cancelled() {
        post.put(|outbox| outbox.forecast = Some((number, forecast)));
    }
}

// Progressive refinement of landscapes: decides which coarse previews precede the full landscape.
// A preview is the same subdivision stopped after fewer iterations.

/// Iterations of the first preview; a map with at most this many needs none.
pub const COARSE_ITERATIONS: u32 = 7;
/// Iterations from which on a preview is made: in general, and with steps as slow as erosion.
const COARSE_FROM: u32 = 9;
const COARSE_FROM_SLOW: u32 = 8;

/// Scene with all iterations limited to `most`: the same landscape at a lower level of detail.
pub fn coarse_scene(scene: &Scene, most: u32) -> Scene {
    let mut coarse = scene.clone();
    let few = |iterations: &mut u32| *iterations = (*iterations).min(most);
    few(&mut coarse.surface.iterations);
    for layer in &mut coarse.layers {
        few(&mut layer.surface.iterations);
    }
    few(&mut coarse.teximage.iterations);
    few(&mut coarse.clouds.iterations);
    coarse
}

/// Inputs of the expensive stages of a scene.
#[derive(PartialEq)]
pub struct CostlyStages {
    surface: Surface,
    layers: Vec<Layer>,
    ridge: bool,
    teximage: Option<(u32, f32)>,
    clouds: Option<(u32, f32)>,
    /// Modifiers up to the last slow one, and the water level if they depend on it.
    slow: (Vec<Modifier>, Option<f32>),
}

impl CostlyStages {
    /// Inputs of the expensive stages of `scene`.
    pub fn of(scene: &Scene) -> Self {
        let scene = &scene.without_names();
        let render_type = scene.render_type();
        let rendered = render_type == RenderType::Rendered;
        let (teximage, clouds) = (&scene.teximage, &scene.clouds);
        let mut slow: Vec<_> = scene.modifiers_on().map(|(_, step)| step.clone()).collect();
        let last = slow.iter().rposition(Modifier::is_slow);
        slow.truncate(last.map_or(0, |last| last + 1));
        let water = scene.water.height();
        let water = water.filter(|_| slow.iter().any(Modifier::sees_water));
        Self {
            surface: scene.surface.clone(),
            layers: scene.layers_on().map(|(_, layer)| layer.clone()).collect(),
            ridge: render_type == RenderType::Ridge,
            teximage: (rendered || render_type == RenderType::Teximage)
                .then_some((teximage.iterations, teximage.hurst)),
            clouds: (rendered
                || matches!(
                    render_type,
                    RenderType::Clouds | RenderType::Landscape | RenderType::Sky
                ))
            .then_some((clouds.iterations, clouds.hurst)),
            slow: (slow, water),
        }
    }

    /// Iterations of the previews in order; empty if the full landscape is quick. Two more
    /// iterations make erosion sixteen times as slow, so several previews cost little: about a
    /// fifteenth of the full time in all.
    pub fn coarse_passes(&self) -> Vec<u32> {
        let is_slow = self.is_slow();
        // An image in its native size ignores the iterations, so its preview would be as slow.
        let is_as_it_is =
            self.surface.generator == Generator::Image && self.surface.image.size == Size::Native;
        if !self.wants_coarse() || (is_slow && is_as_it_is) {
            return Vec::new();
        }
        let finest = if is_slow { self.surface.iterations } else { 0 };
        let before = (1..).map(|pass| finest.saturating_sub(2 * pass));
        let mut passes: Vec<u32> = before.take_while(|few| *few > COARSE_ITERATIONS).collect();
        passes.push(COARSE_ITERATIONS);
        passes.reverse();
        passes
    }

    /// True if the landscape has enough iterations for a preview. A ridge line and a one-dimensional
    /// profile are always quick; a layer counts only if it has its own size.
    fn wants_coarse(&self) -> bool {
        let from = match self.slow.0.is_empty() {
            true => COARSE_FROM,
            false => COARSE_FROM_SLOW,
        };
        let of = |part: &Option<(u32, f32)>| part.map_or(0, |(iterations, _)| iterations);
        let ground = match self.surface.generator {
            Generator::Midpoint1d => 0,
            _ if self.ridge => 0,
            _ => self.surface.iterations,
        };
        let own = self.layers.iter().filter(|layer| layer.own_size);
        let layers = own.map(|layer| layer.surface.iterations).max();
        let ground = ground.max(layers.unwrap_or(0));
        ground.max(of(&self.teximage)).max(of(&self.clouds)) >= from
    }

    /// True if a modifier is as slow as erosion.
    pub fn is_slow(&self) -> bool {
        !self.slow.0.is_empty()
    }

    /// True if every expensive stage of `other` has been computed already.
    pub fn has(&self, other: &Self) -> bool {
        let at_hand = |mine: &Option<(u32, f32)>, wanted: &Option<(u32, f32)>| {
            wanted.is_none() || mine == wanted
        };
        self.surface == other.surface
            && self.layers == other.layers
            && self.ridge == other.ridge
            && self.slow == other.slow
            && at_hand(&self.teximage, &other.teximage)
            && at_hand(&self.clouds, &other.clouds)
    }
}

// Forecast of an exported file for the dialog "Export", and a preview of the landscape quantised
// as in the file.

/// Forecast of the file, or the reason why it cannot be written. For a preview, the landscape's
/// heights are quantised to the levels of the file format.
pub fn foresee(
    exporting: &Exporting,
    landscape: &mut Landscape,
    inputs: &Inputs,
    job: &Job,
) -> Result<Forecast, String> {
    let exporting = exporting.measured(landscape.size());
    let exporting = exporting.map_err(|error| error.to_string())?;
    let format = exporting.format();
    let options = exporting.options(&landscape.scene);
    let made = forecast(landscape, inputs, format, options, job);
    let made = made.map_err(|error| error.to_string())?;
    if let (true, Some(levels)) = (exporting.preview, format.levels) {
        let range = made.range;
        landscape.heights = Arc::new(stepped(&landscape.heights, range, levels));
        // The rivers were derived from the unquantised heights.
        landscape.rivers = None;
        if let Some(teximage) = &mut landscape.teximage {
            *teximage = Arc::new(stepped(teximage, range, levels));
        }
    }
    Ok(made)
}

// Ground data for the interface: heights for new pins, and the condition under which cameras need
// the ground at once.

/// Maximum number of samples a side of the ground for pins.
const SIDE: usize = 1025;

/// Downsampled ground of the last generated landscape before its modifiers, for the heights of new
/// pins. `None` if pins cannot be placed.
pub fn ground_for_pins(scene: &Scene, pipeline: &Pipeline) -> Option<Arc<Heightmap>> {
    if scene.render_type() != RenderType::Map || scene.surface.pin_edges().is_none() {
        return None;
    }
    let map = pipeline.generated()?;
    let stride = thinning(map.rows(), SIDE);
    let thinned = |count: usize| (0..count).step_by(stride);
    let heights: Vec<f32> = thinned(map.rows())
        .flat_map(|row| thinned(map.columns()).map(move |column| map.at(row, column)))
        .collect();
    let (rows, columns) = (thinned(map.rows()).count(), thinned(map.columns()).count());
    Some(Arc::new(Heightmap::new(
        rows,
        columns,
        map.wraps(),
        heights,
    )))
}

/// True if the scene's camera moves over the ground and needs it at once.
pub fn moves_over_ground(scene: &Scene) -> bool {
    let over_it = matches!(scene.camera.mode, CameraMode::Fly | CameraMode::Walk);
    over_it || !scene.path.frames.is_empty()
}
