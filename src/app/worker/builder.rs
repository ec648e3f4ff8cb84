//! Execution of one request: reads the inputs, generates the previews and the full landscape, and
//! sends them with the mask and the forecast.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use super::coarse::{CostlyStages, coarse_scene};
use super::exchange::{Made, Order, OverlayWeights, RequestSender, Slots};
use super::forecast::foresee;
use super::ground::{ground_for_pins, moves_over_ground};
use crate::app::state::exporting::Exporting;
use crate::app::state::times::{StepTimes, Stopwatch};
use crate::camera::Ground;
use crate::files::export;
use crate::files::export::Location;
use crate::files::import;
use crate::files::import::FilesNamed;
use crate::generate::GenerateError;
use crate::pipeline::inputs::Inputs;
use crate::pipeline::{Landscape, Pipeline, is_large};
use crate::scene::Scene;
use crate::terrain::geo::Georeference;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;

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
    pub scene: Scene,
    /// Height map, while it exists.
    pub map: Weak<Heightmap>,
    /// Sea level, at which rivers end.
    pub sea: Option<f32>,
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
        let passes = costly.coarse_passes().into_iter();
        for iterations in passes.filter(|_| !is_quick) {
            self.make_coarse(order, iterations, job, post)?;
        }
        self.wait_for_the_array(job, post)?;
        self.make_full(order, costly, job, post)
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
        if scene == order.scene {
            return Ok(());
        }
        let started = Instant::now();
        let landscape = self.coarse.run(&scene, &self.inputs, job)?;
        prepare_below(&landscape, job)?;
        let mask = mask_wanted(&mut self.coarse, &scene, &self.inputs, job, post)?;
        let made = Made {
            number: order.number,
            terrain: Ground::new(landscape.surface(), order.scene.view.tile)
                .map(|ground| ground.over(landscape.below.clone())),
            ground: ground_for_pins(&order.scene, &self.coarse),
            place: self.place(&landscape),
            landscape: post.exchange.lend(landscape),
            coarse: true,
            made_in: started.elapsed(),
            times: StepTimes::default(),
        };
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
            scene: scene.clone(),
            map,
            sea,
        });
        let samples = landscape.heights.heights().len();
        let wish = post.exchange.lock().exporting.clone();
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
            place,
            landscape: post.exchange.lend(landscape),
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
        let changed = &post.exchange.changed;
        drop(changed.wait_timeout_while(post.exchange.lock(), PATIENCE, is_held));
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
    let Some(of) = post.exchange.lock().mask else {
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
