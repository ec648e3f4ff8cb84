# make run     the window; without a display a picture, landscape.png
# make test    the tests, in ten minutes
# make test-all  the tests, and exhaustive sweeps over settings, formats, screens and languages
# make check   what continuous integration runs: tests, formatting, lints, documentation
# make test-interop  every exported format opened by GDAL, GRASS, SAGA, tinyexr, NumPy, Blender …
# make bench   speed, as ratios measured in one run
# make bench-render  the speed of drawing alone, with its targets
# make gallery every picture of the README and the book, rendered again
# make book    the book in docs/ as a web site, by mdBook

.PHONY: run test test-all sweeps test-interop check lint bench bench-render gallery book clean

LANDFORM = target/release/landform

run: release
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
	    exec $(LANDFORM); \
	else \
	    $(LANDFORM) render alpine -o landscape.png && \
	    echo "no display, so here is a picture: $$PWD/landscape.png"; \
	fi

.PHONY: release
release:
	@scripts/deps.sh run
	cargo build --release --locked

test:
	@scripts/deps.sh test
	cargo test --locked --lib --bins --tests
	cargo test --locked --doc

test-all: test sweeps

sweeps:
	cargo test --locked --test sweeps

test-interop: release
	scripts/interop.sh $(LANDFORM)

lint:
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	scripts/features.sh
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps

check: test lint

bench:
	cargo bench --manifest-path benches/Cargo.toml

bench-render: release
	LP_NUM_THREADS=2 cargo bench --manifest-path benches/Cargo.toml --bench render

gallery: release
	scripts/gallery.sh $(LANDFORM) assets/gallery

book:
	@if ! command -v mdbook >/dev/null 2>&1; then \
	    echo "make book needs mdBook: cargo install mdbook, or see https://rust-lang.github.io/mdBook" >&2; \
	    echo "The same pages can be read as they are, from docs/README.md on." >&2; \
	    exit 1; \
	fi
	mdbook build docs
	mkdir -p target/book/assets
	cp -R assets/gallery target/book/assets/
	cp -R examples target/book/
	@echo "target/book/docs/index.html"

clean:
	cargo clean
