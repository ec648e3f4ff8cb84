//! MP4 and WebM video through the program `ffmpeg`, if it is installed. Raw frames are piped to it, and
//! its error output becomes the error message.

use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::{FilmFormat, FilmRequest, FilmWriter};
use crate::files::export::error::{ExportError, write_error};
use crate::files::export::file::OutputFile;
use crate::files::formats::program::PROGRAM;
use crate::util::child_process::{ChildProcess, ProcessError, ProcessLimits, is_installed};
use crate::util::job::Job;

/// Limits of the ffmpeg process. At the end an encoder may be silent for long: it still has buffered
/// frames to compress, and moves the index of a large file to its beginning.
const LIMITS: ProcessLimits = ProcessLimits {
    silence: Duration::from_secs(1800),
    time: Duration::MAX,
    output: 1 << 16,
};

/// H.264 in MP4, which nearly every player supports.
pub const MP4: FilmFormat = FilmFormat {
    name: "mp4",
    extensions: &["mp4"],
    help: "H.264 video, by the program ffmpeg",
    usual_size: (1280, 720),
    needs_ffmpeg: true,
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
    needs_ffmpeg: true,
    streams: false,
    check: |request| check(&VP9, request),
    begin: |target, request, _| begin(&VP9, target, request),
};

/// A video codec and its container.
struct Video {
    /// Name of the container.
    container: &'static str,
    /// Codec options for ffmpeg.
    options: &'static str,
}

const H264: Video = Video {
    container: "mp4",
    // The last option moves the index to the beginning, so that playback can start before a download ends.
    options: "-c:v libx264 -preset medium -crf 18 -movflags +faststart",
};

const VP9: Video = Video {
    container: "webm",
    options: "-c:v libvpx-vp9 -crf 28 -b:v 0 -row-mt 1",
};

/// Options for 4:2:0 chroma subsampling in BT.709 with limited range, tagged as such in the file.
const COLORS: &str = "-vf scale=out_color_matrix=bt709:out_range=tv,setparams=colorspace=bt709:\
    color_primaries=bt709:color_trc=bt709 -pix_fmt yuv420p";

fn check(video: &Video, request: &FilmRequest) -> Result<(), ExportError> {
    let (format, size) = (video.container, request.size);
    if size.0 % 2 != 0 || size.1 % 2 != 0 {
        return Err(ExportError::FilmSize { format, size });
    }
    match is_installed("ffmpeg") {
        true => Ok(()),
        false => Err(ExportError::NoFfmpeg { format }),
    }
}

fn begin(
    video: &Video,
    target: &OutputFile,
    request: &FilmRequest,
) -> Result<Box<dyn FilmWriter>, ExportError> {
    let ((width, height), format) = (request.size, video.container);
    let Some(place) = target.temp_path() else {
        return Err(ExportError::FilmInPipe { format });
    };
    let mut command = Command::new("ffmpeg");
    command
        .args(["-loglevel", "error", "-nostats", "-y"])
        .args(["-f", "rawvideo", "-pix_fmt", "rgb24"])
        .args(["-s", &format!("{width}x{height}")])
        .args(["-r", &request.fps.to_string(), "-i", "pipe:0"])
        .args(COLORS.split(' '))
        .args(video.options.split(' '))
        .args(["-metadata", &format!("comment={PROGRAM}")])
        .args(["-f", video.container])
        .arg(file_name(place));
    let started = ChildProcess::start_with_input(&mut command, LIMITS);
    let child = started.map_err(|error| match error {
        ProcessError::Start { error, .. } if error.kind() == io::ErrorKind::NotFound => {
            ExportError::NoFfmpeg { format }
        }
        error => write_error(target.path())(io::Error::other(error)),
    })?;
    Ok(Box::new(Ffmpeg(child)))
}

/// Path with a `file:` prefix, so that ffmpeg takes it neither for an option nor for a URL.
fn file_name(path: &Path) -> std::ffi::OsString {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut name = std::ffi::OsString::from("file:");
    name.push(path);
    name
}

struct Ffmpeg(ChildProcess);

impl FilmWriter for Ffmpeg {
    fn picture(&mut self, pixels: &[u8], job: &Job) -> io::Result<()> {
        let taken = self.0.write(pixels.to_owned(), job);
        taken.map_err(io::Error::other)
    }

    fn finish(self: Box<Self>, job: &Job) -> io::Result<()> {
        self.0.finish(job).map(drop).map_err(io::Error::other)
    }
}
