//! The thread that makes landscapes and statistics.

use landform::scene::PlantLayer;

use super::*;

fn scene_of(seed: u64, iterations: u32) -> Scene {
    let mut scene = Scene::default();
    scene.surface.seed = seed;
    scene.surface.iterations = iterations;
    scene.view.render_type = RenderType::Lines;
    scene
}

fn next_full(worker: &Worker) -> Made {
    loop {
        let made = next(worker);
        if !made.coarse {
            return made;
        }
    }
}

fn until_idle(worker: &Worker) {
    let started = Instant::now();
    while worker.is_busy() {
        assert!(started.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn the_newest_request_wins() {
    let wakes = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&wakes);
    let worker = Worker::start(move || {
        counted.fetch_add(1, Ordering::Relaxed);
    });
    let mut newest = 0;
    for seed in 0..200 {
        newest = worker.request(scene_of(seed, 8), false);
    }
    until_idle(&worker);
    let made = worker.take().made.unwrap();
    assert_eq!(
        (made.number, made.landscape.scene.surface.seed),
        (newest, 199)
    );
    let wakes = wakes.load(Ordering::Relaxed);
    assert!((1..500).contains(&wakes), "{wakes} wakes");
}

#[test]
fn coarse_landscape_comes_first_and_matches_the_full() {
    let worker = Worker::start(|| ());
    worker.request(scene_of(3, 12), false);
    let coarse = next(&worker);
    assert!(coarse.coarse);
    assert_eq!(
        coarse.landscape.scene.surface.iterations, COARSE_ITERATIONS,
        "it says what it is"
    );
    let full = next(&worker);
    assert!(!full.coarse);
    let (few, many) = (&coarse.landscape.heights, &full.landscape.heights);
    assert_eq!(few.rows(), (1 << COARSE_ITERATIONS) + 1);
    let stride = (many.rows() - 1) / (few.rows() - 1);
    for row in 0..few.rows() {
        for column in 0..few.columns() {
            assert_eq!(few.at(row, column), many.at(row * stride, column * stride));
        }
    }
}

/// Else the window would make it, before its first picture.
#[test]
fn landscape_arrives_with_its_levels_below_prepared() {
    let worker = Worker::start(|| ());
    worker.request(scene_of(3, 9), false);
    // A slow test may miss the coarse landscape: only the newest one waits for it.
    loop {
        let made = next(&worker);
        let below = made.landscape.below.as_ref().expect("levels below");
        assert!(below.is_made(), "coarse: {}", made.coarse);
        if !made.coarse {
            break;
        }
    }
}

#[test]
fn unchanged_land_arrives_without_a_coarse_step() {
    let worker = Worker::start(|| ());
    let mut scene = scene_of(3, 11);
    worker.request(scene.clone(), false);
    drop(next_full(&worker));
    scene.view.palette = "desert".to_owned();
    worker.request(scene, false);
    assert!(!next(&worker).coarse);
}

fn snowy(fall: f32) -> Scene {
    let mut scene = scene_of(3, 10);
    scene.view.render_type = RenderType::Landscape;
    (scene.snow.enabled, scene.snow.line, scene.snow.fall) = (true, -1.0, fall);
    scene
}

/// Samples along a side of the lattice of the snow.
fn snow_side(made: &Made) -> usize {
    let snow = made.landscape.snow.as_ref().expect("snow");
    snow.snow.cells()[0] as usize + 1
}

#[test]
fn changed_snow_is_coarse_first_and_then_complete() {
    // The worker waits at each result until it has been taken.
    let (sender, receiver) = std::sync::mpsc::sync_channel(0);
    let worker = Worker::start(move || {
        // Twice: the result is there, and it has been taken.
        let _ = sender.send(()).and_then(|()| sender.send(()));
    });
    let mut all = Vec::new();
    let mut serve = |scene: &Scene| {
        let number = worker.request(scene.clone(), false);
        loop {
            let limit = Duration::from_secs(120);
            if receiver.recv_timeout(limit).is_err() {
                break;
            }
            let made = worker.take().made;
            let is_last = made
                .as_ref()
                .is_some_and(|made| made.number == number && !made.coarse);
            all.extend(made);
            let _ = receiver.recv_timeout(limit);
            if is_last {
                break;
            }
        }
    };
    serve(&snowy(2.0));
    serve(&snowy(3.0));
    // With the same snow no preview is needed.
    let mut dawn = snowy(3.0);
    dawn.light.bearing += 40.0;
    serve(&dawn);
    drop(receiver);
    let last = all.iter().rev().take(4).rev();
    let last: Vec<_> = last
        .map(|made| (made.coarse, made.landscape.heights.rows(), snow_side(made)))
        .collect();
    let whole = (false, 1025, 1025);
    assert_eq!(last, [whole, (true, 1025, 513), whole, whole]);
    let made = landscape_of(&snowy(3.0));
    let [_, preview, full, _] = &all[all.len() - 4..] else {
        unreachable!("four are left");
    };
    assert_eq!(made.snow, full.landscape.snow);
    assert_ne!(made.snow, preview.landscape.snow);
    assert!(Arc::ptr_eq(
        &preview.landscape.heights,
        &full.landscape.heights
    ));
}

fn landscape_of(scene: &Scene) -> Landscape {
    let made = Pipeline::default().run(scene, &Inputs::default(), &Job::new());
    made.unwrap()
}

#[test]
fn snow_that_changes_all_the_time_is_shown_all_the_time() {
    let worker = Worker::start(|| ());
    let mut scene = snowy(2.0);
    worker.request(scene.clone(), false);
    drop(next_full(&worker));
    let started = Instant::now();
    let (mut previews, mut newest) = (0, 0);
    // A request a millisecond, which is quicker than snow is computed.
    while previews < 3 {
        scene.snow.fall += 0.001;
        newest = worker.request(scene.clone(), false);
        if let Some(made) = worker.take().made {
            assert!(made.coarse);
            previews += 1;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{previews}");
        std::thread::sleep(Duration::from_millis(1));
    }
    let last = next_full(&worker);
    assert_eq!((last.number, snow_side(&last)), (newest, 1025));
}

#[test]
fn light_that_changes_all_the_time_is_shown_all_the_time() {
    let worker = Worker::start(|| ());
    let mut scene = scene_of(3, 10);
    scene.view.render_type = RenderType::Landscape;
    scene.light.shadows = true;
    worker.request(scene.clone(), false);
    drop(next_full(&worker));
    let started = Instant::now();
    let (mut shown, mut last, mut newest) = (0, 0, 0);
    // A request a millisecond, which is quicker than light is computed.
    while shown < 3 {
        scene.light.bearing += 1.0;
        newest = worker.request(scene.clone(), false);
        if let Some(made) = worker.take().made {
            (shown, last) = (shown + 1, made.number);
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{shown}");
        std::thread::sleep(Duration::from_millis(1));
    }
    until_idle(&worker);
    let last = worker.take().made.map_or(last, |made| made.number);
    assert_eq!(last, newest);
}

#[test]
fn array_of_a_large_map_is_reused() {
    for plants in [vec![], vec![PlantLayer::default()]] {
        let scene = |seed: u64| {
            let mut scene = scene_of(seed, 12);
            scene.view.render_type = RenderType::Map;
            scene.plants.clone_from(&plants);
            scene
        };
        let worker = Worker::start(|| ());
        worker.request(scene(1), false);
        let first = next_full(&worker);
        assert_eq!(first.landscape.plants.is_some(), !plants.is_empty());
        let array = |made: &Made| made.landscape.heights.heights().as_ptr() as usize;
        let before = array(&first);
        worker.request(scene(2), false);
        // The window still holds the first landscape for a moment: the worker waits for it.
        let holder = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            drop(first);
        });
        let second = next_full(&worker);
        holder.join().unwrap();
        assert_eq!(before, array(&second));
    }
}

#[test]
fn cancel_stops_and_the_next_request_is_served() {
    let worker = Worker::start(|| ());
    worker.request(scene_of(1, 14), false);
    drop(next(&worker));
    worker.cancel();
    until_idle(&worker);
    let outbox = worker.take();
    assert!(outbox.failed.is_none(), "cancelled is no error");
    assert!(
        outbox.made.is_none_or(|made| made.coarse),
        "nothing came of it"
    );
    let number = worker.request(scene_of(2, 5), false);
    assert_eq!(next(&worker).number, number);
}

#[test]
fn errors_return_and_the_next_request_is_served() {
    let worker = Worker::start(|| ());
    let mut scene = scene_of(1, 5);
    scene.surface.generator = Generator::Image;
    scene.surface.input = Some("no/such/image.png".into());
    let number = worker.request(scene, false);
    until_idle(&worker);
    let (failed, message) = worker.take().failed.unwrap();
    assert_eq!(failed, number);
    assert!(message.contains("no/such/image.png"), "{message}");
    let number = worker.request(scene_of(2, 5), false);
    assert_eq!(next(&worker).number, number);
}

#[test]
fn h_is_measured() {
    let worker = Worker::start(|| ());
    let number = worker.request(scene_of(1, 9), false);
    let started = Instant::now();
    let (measured, hurst) = loop {
        if let Some(measured) = worker.take().measured {
            break measured;
        }
        assert!(started.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(measured, number);
    let is_near = |hurst: f64| (hurst - 0.7).abs() < 0.1;
    let near = matches!(hurst, MeasuredHurst::Estimated(hurst) if is_near(hurst));
    assert!(near, "{hurst:?}");
}

fn statistics_of(surface: &Surface) -> Arc<Statistics> {
    let map = surface
        .generate(&Images::default(), &Job::new(), None)
        .unwrap();
    Arc::new(statistics(&map, None, &Job::new()).unwrap())
}

#[test]
fn the_statistics_are_shown_on_request() {
    let mut test = desk(vec2(1280.0, 720.0), Scene::default());
    assert!(test.query_by_label("Statistics").is_none());
    test.get_by_label("View").click();
    test.run_steps(5);
    test.get_by_label_contains("Show the statistics").click();
    test.run_steps(5);
    assert!(test.query_by_label("Statistics").is_some());
    assert!(test.query_by_label("measuring …").is_some());
    let surface = Surface {
        iterations: 8,
        hurst: 0.6,
        ..Surface::default()
    };
    test.state_mut().ui.derived.measured = Some(Measured {
        statistics: statistics_of(&surface),
        requested_hurst: Some(0.6),
        stride: 2,
        outdated: false,
    });
    test.run_steps(5);
    assert!(test.query_by_label("measuring …").is_none());
    for words in [
        "257 × 257, one in 2",
        "(set 0.60)",
        "(theory -3.20)",
        "Fractal dimension",
        "Heights",
        "Roughness at each distance",
        "Power spectrum",
        "Creases",
    ] {
        assert!(
            test.query_all_by_label_contains(words).next().is_some(),
            "{words}"
        );
    }
    // Snow has rows where some lies.
    assert!(test.query_by_label("Snow depth").is_none());
    test.state_mut().ui.derived.snow = Some(SnowAmount {
        covered: 0.43,
        mean_depth: 0.002,
        greatest_depth: 0.01,
        per_area: 0.001,
    });
    test.run_steps(5);
    // A half tile is 1000 m.
    for words in ["43.0 %", "2.00 m, at most 10.0 m", "1.00 m"] {
        assert!(test.query_by_label(words).is_some(), "{words}");
    }
    // The scene stays as large as it was, and the cross closes the window.
    key(&mut test, Modifiers::NONE, Key::F3);
    assert!(test.query_by_label("Statistics").is_none());
}

#[test]
fn map_statistics_fit_windows_of_any_size() {
    let ridge = Surface {
        generator: Generator::Midpoint1d,
        ..Surface::default()
    };
    let tiny = Surface {
        iterations: 1,
        ..Surface::default()
    };
    let flat = Surface {
        height_scale: 0.0,
        ..Surface::default()
    };
    for size in [
        vec2(240.0, 160.0),
        vec2(320.0, 200.0),
        vec2(800.0, 600.0),
        vec2(3840.0, 2160.0),
    ] {
        for surface in [&Surface::default(), &ridge, &tiny, &flat] {
            let mut test = desk(size, Scene::default());
            test.state_mut().ui.persisted.statistics = true;
            test.state_mut().ui.derived.measured = Some(Measured {
                statistics: statistics_of(surface),
                requested_hurst: None,
                stride: 1,
                outdated: true,
            });
            test.run_steps(5);
            let scene = test.state().ui.derived.scene_rect;
            if let Some(title) = test.query_by_label("Statistics") {
                assert!(scene.contains(title.rect().center()), "{size}");
            }
            if size.x > 600.0 {
                assert!(test.query_by_label("Fractal dimension").is_some());
            }
        }
    }
}

/// Waits for the statistics of a request.
fn next_statistics(worker: &Worker, number: u64) -> Arc<Statistics> {
    let started = Instant::now();
    loop {
        if let Some((of, statistics)) = worker.take().statistics
            && of == number
        {
            return statistics;
        }
        assert!(started.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn statistics_are_made_only_while_they_are_wanted() {
    let worker = Worker::start(|| ());
    let number = worker.request(scene_of(1, 7), false);
    until_idle(&worker);
    std::thread::sleep(Duration::from_millis(500));
    assert!(worker.take().statistics.is_none());
    // The statistics are of the landscape at hand, and come again when they are shown anew.
    worker.want_statistics(true);
    let first = next_statistics(&worker, number);
    assert_eq!(first, statistics_of(&scene_of(1, 7).surface));
    worker.want_statistics(false);
    worker.want_statistics(true);
    assert!(Arc::ptr_eq(&first, &next_statistics(&worker, number)));
    // The next statistics are of the next landscape, without being asked for again.
    let number = worker.request(scene_of(2, 7), false);
    let second = next_statistics(&worker, number);
    assert_eq!(second, statistics_of(&scene_of(2, 7).surface));
    // Another light measures nothing anew.
    let mut scene = scene_of(2, 7);
    scene.light.bearing += 10.0;
    let number = worker.request(scene, false);
    assert!(Arc::ptr_eq(&second, &next_statistics(&worker, number)));
}

#[test]
fn measuring_gives_way_to_the_next_request() {
    let worker = Worker::start(|| ());
    worker.want_statistics(true);
    worker.request(scene_of(1, 11), false);
    next_full(&worker);
    // Past the pause: in the middle of measuring, or just done.
    std::thread::sleep(Duration::from_millis(350));
    let number = worker.request(scene_of(2, 5), false);
    let statistics = next_statistics(&worker, number);
    assert_eq!(statistics.measures.width, 33);
}

/// A scene whose erosion takes its time.
fn eroding(iterations: u32) -> Scene {
    let mut scene = scene_of(3, iterations);
    scene.modifiers = vec![
        Modifier::new(ModifierKind::Erosion),
        Modifier::new(ModifierKind::Level),
    ];
    scene
}

#[test]
fn erosion_edits_appear_coarse_at_once() {
    let worker = Worker::start(|| ());
    let mut scene = eroding(8);
    let seen = |scene: &Scene| {
        worker.request(scene.clone(), false);
        let mut rows = Vec::new();
        loop {
            let made = next(&worker);
            rows.push(made.landscape.heights.rows());
            if !made.coarse {
                break rows;
            }
        }
    };
    assert_eq!(seen(&scene), [129, 257]);
    scene.modifiers[0].erosion.repose += 5.0;
    assert_eq!(seen(&scene), [129, 257]);
    // What comes after it is quick.
    scene.modifiers[1].level.shift += 0.1;
    assert_eq!(seen(&scene), [257]);
    scene.modifiers[0].on = false;
    assert_eq!(seen(&scene), [257]);
}

#[test]
fn long_erosion_is_seen_finer_and_finer() {
    let worker = Worker::start(|| ());
    worker.request(eroding(11), false);
    let rows: Vec<_> = [(); 2]
        .map(|()| next(&worker).landscape.heights.rows())
        .into();
    assert_eq!(rows, [129, 513]);
    worker.cancel();
}
