//! Reader window: the chapter of the book about a generator or a modifier. The book is in English.

use egui::text::LayoutJob;
use egui::{
    Align2, Context, FontFamily, FontId, Frame, Label, RichText, ScrollArea, TextFormat, TextStyle,
    Ui,
};

use super::{GAP, has_room, middle, room_in};
use crate::app::book::{self, Block, Style};
use crate::app::floating::window;
use crate::app::state::Derived;
use crate::app::theme;
use crate::util::language::{mark, tr};

/// Title of the window.
pub const TITLE: &str = mark("How it works");

/// Width of the text, in points.
const WIDTH: f32 = 430.0;

/// Draw the window with the chapter about `subject`; closing it clears `subject`.
pub fn reader_ui(ctx: &Context, subject: &mut Option<&'static str>, derived: &Derived) {
    let area = middle(derived);
    let chapter = subject.and_then(|name| Some((name, book::chapter(name)?)));
    let Some((name, chapter)) = chapter.filter(|_| has_room(area)) else {
        return;
    };
    let mut open = true;
    let room = room_in(area);
    window(ctx, TITLE, Align2::LEFT_TOP, area, &[])
        .open(&mut open)
        .resizable(false)
        .show(ctx, |ui| {
            ui.set_width(WIDTH.min(area.width() - 4.0 * GAP));
            // Each chapter begins at its top.
            ScrollArea::vertical()
                .id_salt(name)
                .max_height(room)
                .min_scrolled_height(room)
                .show(ui, |ui| {
                    ui.label(RichText::new(tr(name)).heading().strong());
                    for (index, block) in book::blocks(chapter).into_iter().enumerate() {
                        ui.push_id(index, |ui| block_ui(ui, block));
                    }
                });
        });
    if !open {
        *subject = None;
    }
}

fn block_ui(ui: &mut Ui, block: Block) {
    match block {
        Block::Heading(words) => {
            ui.add_space(6.0);
            ui.label(RichText::new(words).strong().color(theme::ACCENT));
        }
        Block::Paragraph(words) => {
            ui.add_space(4.0);
            text_ui(ui, "", words);
        }
        Block::Item(words) => text_ui(ui, "•  ", words),
        Block::Code(lines) => {
            ui.add_space(4.0);
            let frame = Frame::new()
                .fill(ui.visuals().code_bg_color)
                .corner_radius(4.0)
                .inner_margin(6.0);
            frame.show(ui, |ui| {
                ScrollArea::horizontal().show(ui, |ui| {
                    let lines = RichText::new(lines).monospace();
                    ui.add(Label::new(lines).extend());
                });
            });
        }
    }
}

/// Draw a paragraph with its styles, after a bullet or nothing.
fn text_ui(ui: &mut Ui, bullet: &str, words: &'static str) {
    let font = TextStyle::Body.resolve(ui.style());
    let code = FontId::new(font.size, FontFamily::Monospace);
    let (color, strong) = (ui.visuals().text_color(), ui.visuals().strong_text_color());
    let mut job = LayoutJob::default();
    job.append(bullet, 0.0, TextFormat::simple(font.clone(), color));
    for (style, piece) in book::spans(words) {
        let format = match style {
            Style::Code => TextFormat::simple(code.clone(), strong),
            // Names of controls; slanted letters would touch the next word.
            Style::Strong | Style::Emphasis => TextFormat::simple(font.clone(), strong),
            Style::Plain => TextFormat::simple(font.clone(), color),
        };
        job.append(piece, 0.0, format);
    }
    ui.label(job);
}
