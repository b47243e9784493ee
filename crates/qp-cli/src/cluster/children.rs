//! Processes of a cluster that this process has started on its own machine.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::exit::{Exit, Trouble};

/// The processes from the second one on. They end with this value.
#[derive(Default)]
pub(crate) struct Children {
    running: Vec<Child>,
}

/// How long processes may take to leave.
const LEAVE: Duration = Duration::from_secs(3);

impl Children {
    /// Starts this program again, once for each address but the first.
    pub(crate) fn start(addresses: &[String]) -> Result<Self, Trouble> {
        let cannot = |error: std::io::Error| {
            Trouble::new(Exit::Unknown, format!("the other processes cannot be started: {error}"))
        };
        let program = std::env::current_exe().map_err(cannot)?;
        let mut children = Self::default();
        for process in 1..addresses.len() {
            let child = Command::new(&program)
                .args(std::env::args_os().skip(1))
                .arg(format!("--join={process}"))
                .arg(format!("--at={}", addresses.join(",")))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn();
            children.running.push(child.map_err(cannot)?);
        }
        Ok(children)
    }

    /// How those ended that have ended already: for a message.
    pub(crate) fn ends(&mut self) -> String {
        let running = self.running.iter_mut().enumerate();
        let end = |(number, child): (usize, &mut Child)| {
            let status = child.try_wait().ok().flatten()?;
            Some(format!(" (process {}: {status})", number + 1))
        };
        running.filter_map(end).collect()
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        let deadline = Instant::now() + LEAVE;
        for child in &mut self.running {
            while let Ok(None) = child.try_wait() {
                if Instant::now() >= deadline {
                    // It has nothing to say that anybody waits for.
                    let _ = child.kill();
                    let _ = child.wait();
                    break;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }
}
