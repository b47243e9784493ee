//! Something on the screen changes at least once a second.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use qp_base::names::grouped;
use qp_base::{Phase, Progress};

use crate::args::ProgressMode;

/// Shows progress until it is dropped.
pub(crate) struct Ticker {
    done: Arc<AtomicBool>,
    /// Whether one line is drawn again and again.
    redraw: bool,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Starts showing `progress`.
    pub(crate) fn start(mode: ProgressMode, progress: Arc<Progress>) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let (every, redraw) = match mode {
            ProgressMode::None => {
                return Self { done: Arc::default(), redraw: false, thread: None };
            }
            ProgressMode::Auto if terminal => (Duration::from_millis(500), true),
            ProgressMode::Auto => (Duration::from_secs(30), false),
            ProgressMode::Lines => (Duration::from_secs(1), false),
        };
        let done = Arc::new(AtomicBool::new(false));
        let stop = done.clone();
        let thread = std::thread::spawn(move || tick(&progress, &stop, every, redraw));
        Self { done, redraw, thread: Some(thread) }
    }

    /// Takes the line away, for something that is printed in its place. It comes again below.
    pub(crate) fn make_room(&self) {
        if self.redraw {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

fn tick(progress: &Progress, done: &AtomicBool, every: Duration, redraw: bool) {
    let start = Instant::now();
    let (mut last_states, mut last_time, mut drawn) = (0, start, false);
    loop {
        std::thread::park_timeout(every);
        if done.load(Ordering::Relaxed) {
            break;
        }
        if last_time.elapsed() < every {
            continue;
        }
        let states = progress.states.load(Ordering::Relaxed);
        let rate = states.saturating_sub(last_states) as f64 / last_time.elapsed().as_secs_f64();
        (last_states, last_time) = (states, Instant::now());
        let line = line(progress, start.elapsed(), rate, crate::memory::resident());
        let mut out = std::io::stderr();
        let _ = if redraw { write!(out, "\r\x1b[K{line}") } else { writeln!(out, "{line}") };
        let _ = out.flush();
        drawn = true;
    }
    if redraw && drawn {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

/// What one moment looks like; `resident` is what the process holds, if the system tells.
fn line(progress: &Progress, elapsed: Duration, rate: f64, resident: Option<u64>) -> String {
    let figure = |figure: &AtomicU64| figure.load(Ordering::Relaxed);
    let memory = resident.unwrap_or(figure(&progress.bytes)) as f64 / f64::from(1 << 30);
    let (bound, states) = (progress.bound.load(Ordering::Relaxed), figure(&progress.states));
    let does = match (progress.phase(), figure(&progress.blurred)) {
        (Phase::Checking, _) => format!("checking: {} steps", grouped(figure(&progress.checked))),
        (Phase::Rechecking, _) => {
            format!("re-checking: {} configurations", grouped(figure(&progress.checked)))
        }
        (Phase::Capacities, _) => {
            format!("trying capacities: {} configurations", grouped(states))
        }
        (_, blurred @ 1..) => {
            format!("proving: {} blurred configurations", grouped(blurred))
        }
        (Phase::Proving, 0) => "proving".to_owned(),
        (Phase::Searching, 0) => format!(
            "searching: queue length {bound}, {} configurations, {:.1} M/s",
            grouped(states),
            rate / 1e6
        ),
    };
    format!("{:4.0} s   {does}   memory {memory:.2} GiB", elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_is_being_done() {
        let progress = Progress::default();
        progress.bound.store(3, Ordering::Relaxed);
        progress.states.store(1234, Ordering::Relaxed);
        progress.bytes.store(1 << 29, Ordering::Relaxed);
        let shown = |resident| line(&progress, Duration::from_secs(7), 2e6, resident);
        let searching =
            "   7 s   searching: queue length 3, 1,234 configurations, 2.0 M/s   memory 0.50 GiB";
        assert_eq!(shown(None), searching);
        progress.enter(Phase::Proving);
        assert_eq!(shown(Some(1 << 30)), "   7 s   proving   memory 1.00 GiB");
        progress.blurred.store(5678, Ordering::Relaxed);
        let proving = "   7 s   proving: 5,678 blurred configurations   memory 0.50 GiB";
        assert_eq!(shown(None), proving);
        progress.enter(Phase::Checking);
        progress.checked.store(9, Ordering::Relaxed);
        assert_eq!(shown(None), "   7 s   checking: 9 steps   memory 0.50 GiB");
        progress.enter(Phase::Rechecking);
        progress.checked.store(4321, Ordering::Relaxed);
        let again = "   7 s   re-checking: 4,321 configurations   memory 0.50 GiB";
        assert_eq!(shown(None), again);
        progress.enter(Phase::Capacities);
        let trying = "   7 s   trying capacities: 1,234 configurations   memory 0.50 GiB";
        assert_eq!(shown(None), trying);
    }
}
