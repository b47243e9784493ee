//! Something on the screen changes at least once a second.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use qp_base::Progress;

use crate::args::ProgressMode;

/// Shows progress until it is dropped.
pub(crate) struct Ticker {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Starts showing `progress`.
    pub(crate) fn start(mode: ProgressMode, progress: Arc<Progress>) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let (every, redraw) = match mode {
            ProgressMode::None => return Self { done: Arc::default(), thread: None },
            ProgressMode::Auto if terminal => (Duration::from_millis(500), true),
            ProgressMode::Auto => (Duration::from_secs(30), false),
            ProgressMode::Lines => (Duration::from_secs(1), false),
        };
        let done = Arc::new(AtomicBool::new(false));
        let stop = done.clone();
        let thread = std::thread::spawn(move || tick(&progress, &stop, every, redraw));
        Self { done, thread: Some(thread) }
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
        let line = line(progress, start.elapsed(), rate);
        let mut out = std::io::stderr();
        let _ = if redraw { write!(out, "\r\x1b[K{line}") } else { writeln!(out, "{line}") };
        let _ = out.flush();
        drawn = true;
    }
    if redraw && drawn {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

/// What one moment looks like.
fn line(progress: &Progress, elapsed: Duration, rate: f64) -> String {
    let seconds = elapsed.as_secs_f64();
    let memory = progress.bytes.load(Ordering::Relaxed) as f64 / f64::from(1 << 30);
    let blurred = progress.blurred.load(Ordering::Relaxed);
    if blurred > 0 {
        let blurred = grouped(blurred);
        return format!(
            "{seconds:4.0} s   converge: {blurred} blurred configurations   memory {memory:.2} GiB"
        );
    }
    let bound = progress.bound.load(Ordering::Relaxed);
    let states = grouped(progress.states.load(Ordering::Relaxed));
    let rate = rate / 1e6;
    format!(
        "{seconds:4.0} s   queue length {bound}   configurations {states}   {rate:.1} M/s   memory {memory:.2} GiB"
    )
}

/// `1234567` as `1,234,567`.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blurred_configurations_are_shown_while_there_are_some() {
        let progress = Progress::default();
        progress.bound.store(3, Ordering::Relaxed);
        progress.states.store(1234, Ordering::Relaxed);
        let shown = line(&progress, Duration::from_secs(7), 2e6);
        let searching =
            "   7 s   queue length 3   configurations 1,234   2.0 M/s   memory 0.00 GiB";
        assert_eq!(shown, searching);
        progress.blurred.store(5678, Ordering::Relaxed);
        let shown = line(&progress, Duration::from_secs(7), 2e6);
        assert_eq!(shown, "   7 s   converge: 5,678 blurred configurations   memory 0.00 GiB");
    }
}
