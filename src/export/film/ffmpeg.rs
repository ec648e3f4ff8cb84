//! MP4 and WebM, by the program `ffmpeg` where the machine has it: it is handed each picture as it is,
//! and what it complains of is the error.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::JoinHandle;

use super::super::target::Target;
use super::{FilmFormat, FilmRequest, FilmWriter};
use crate::export::ExportError;
use crate::formats::program::PROGRAM;

/// H.264 in MP4, which everything plays.
pub const MP4: FilmFormat = FilmFormat {
    name: "mp4",
    extensions: &["mp4"],
    help: "H.264 video, by the program ffmpeg",
    usual_size: (1280, 720),
    streams: false,
    check: |request| check(&H264, request),
    begin: |target, request, _| begin(&H264, target, request),
};

/// VP9 in WebM.
pub const WEBM: FilmFormat = FilmFormat {
    name: "webm",
    extensions: &["webm"],
    help: "VP9 video, by the program ffmpeg",
    usual_size: (1280, 720),
    streams: false,
    check: |request| check(&VP9, request),
    begin: |target, request, _| begin(&VP9, target, request),
};

/// A kind of video.
struct Video {
    /// The name of its container.
    container: &'static str,
    /// What ffmpeg is told of it.
    options: &'static [&'static str],
}

const H264: Video = Video {
    container: "mp4",
    options: &[
        "-c:v",
        "libx264",
        "-preset",
        "medium",
        "-crf",
        "18",
        "-movflags",
        "+faststart",
    ],
};

const VP9: Video = Video {
    container: "webm",
    options: &[
        "-c:v",
        "libvpx-vp9",
        "-crf",
        "28",
        "-b:v",
        "0",
        "-row-mt",
        "1",
    ],
};

/// Every second pixel has colours of its own, in the colours of television, and the file says so.
const COLORS: &[&str] = &[
    "-vf",
    "scale=out_color_matrix=bt709:out_range=tv,setparams=colorspace=bt709:color_primaries=bt709:\
     color_trc=bt709",
    "-pix_fmt",
    "yuv420p",
];

fn check(video: &Video, request: &FilmRequest) -> Result<(), ExportError> {
    let (width, height) = request.size;
    if width % 2 != 0 || height % 2 != 0 {
        return Err(ExportError::FilmSize {
            format: video.container,
            size: request.size,
        });
    }
    let found = Command::new("ffmpeg")
        .arg("-version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match found {
        Ok(_) => Ok(()),
        Err(_) => Err(ExportError::NoFfmpeg {
            format: video.container,
        }),
    }
}

fn begin(
    video: &Video,
    target: &Target,
    request: &FilmRequest,
) -> Result<Box<dyn FilmWriter>, ExportError> {
    let (width, height) = request.size;
    let Some(place) = target.unfinished() else {
        return Err(ExportError::FilmInPipe {
            format: video.container,
        });
    };
    let mut command = Command::new("ffmpeg");
    command
        .args(["-loglevel", "error", "-nostats", "-y"])
        .args(["-f", "rawvideo", "-pix_fmt", "rgb24"])
        .args(["-s", &format!("{width}x{height}")])
        .args(["-r", &request.fps.to_string(), "-i", "pipe:0"])
        .args(COLORS)
        .args(video.options)
        .args(["-metadata", &format!("comment={PROGRAM}")])
        .args(["-f", video.container])
        .arg(file_name(place))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    // Ctrl-C is ours to hear: it takes the unfinished film away.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let no_program = |_| ExportError::NoFfmpeg {
        format: video.container,
    };
    let mut child = command.spawn().map_err(no_program)?;
    let (pictures, complaints) = (child.stdin.take(), child.stderr.take());
    let complaints = complaints.map(|complaints| std::thread::spawn(|| last_line(complaints)));
    Ok(Box::new(Ffmpeg {
        child,
        pictures,
        complaints,
    }))
}

/// A path that is no option and no address, whatever it begins with.
fn file_name(path: &Path) -> std::ffi::OsString {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut name = std::ffi::OsString::from("file:");
    name.push(path);
    name
}

/// The running program; it is ended if it is dropped before its film is.
struct Ffmpeg {
    child: Child,
    pictures: Option<ChildStdin>,
    complaints: Option<JoinHandle<String>>,
}

impl Ffmpeg {
    /// Why it has ended, in its own words.
    fn ended(&mut self) -> io::Result<()> {
        drop(self.pictures.take());
        let status = self.child.wait()?;
        let words = self.complaints.take().and_then(|thread| thread.join().ok());
        if status.success() {
            return Ok(());
        }
        let words = words.filter(|words| !words.is_empty());
        let words = words.unwrap_or_else(|| status.to_string());
        Err(io::Error::other(format!("ffmpeg: {words}")))
    }
}

impl FilmWriter for Ffmpeg {
    fn picture(&mut self, pixels: &[u8]) -> io::Result<()> {
        let written = match &mut self.pictures {
            Some(pictures) => pictures.write_all(pixels),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        written.or_else(|error| {
            self.ended()?;
            // It wants no more, though it is content.
            Err(io::Error::other(format!("ffmpeg ended too early: {error}")))
        })
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.ended()
    }
}

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        if self.complaints.is_some() {
            drop(self.child.kill());
            drop(self.pictures.take());
            drop(self.child.wait());
        }
    }
}

/// The last line of what a program says that is not empty.
fn last_line(mut from: impl Read) -> String {
    /// More of it is of no use.
    const MOST: usize = 1 << 16;
    let (mut last, mut part) = (Vec::new(), [0; 4096]);
    while let Ok(read @ 1..) = from.read(&mut part) {
        last.extend_from_slice(&part[..read]);
        if last.len() > MOST {
            last.drain(..last.len() - MOST);
        }
    }
    let text = String::from_utf8_lossy(&last);
    let mut lines = text.lines().rev().map(str::trim);
    lines
        .find(|line| !line.is_empty())
        .unwrap_or_default()
        .to_owned()
}
