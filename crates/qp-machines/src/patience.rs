//! Whether there is time and memory left, for those who check.

use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use qp_base::{Budget, Exhausted};

/// A budget that says no for ever after it has said no once, whatever becomes free: what was cut short must not look
/// like something that was wrong.
#[derive(Clone, Debug)]
pub struct Patience {
    budget: Budget,
    exhausted: Arc<OnceLock<Exhausted>>,
}

impl Patience {
    pub(crate) fn new(budget: &Budget) -> Self {
        Self { budget: budget.clone(), exhausted: Arc::default() }
    }

    /// Refuses to go on when a limit was met.
    pub fn go_on(&self) -> Result<(), String> {
        self.go_on_by(1)
    }

    /// The same for whoever looks at so many things at once.
    pub fn go_on_by(&self, n: u64) -> Result<(), String> {
        self.budget.progress().checked.fetch_add(n, Ordering::Relaxed);
        self.heed(self.budget.ask())
    }

    /// Refuses to go on when something takes more memory than there may be.
    pub fn afford(&self, bytes: u64) -> Result<(), String> {
        let enough = bytes <= self.budget.limits().memory_bytes;
        self.heed(if enough { Ok(()) } else { Err(Exhausted::Memory) })
    }

    fn heed(&self, asked: Result<(), Exhausted>) -> Result<(), String> {
        if let (None, Err(exhausted)) = (self.exhausted(), asked) {
            self.exhausted.get_or_init(|| exhausted);
        }
        match self.exhausted() {
            Some(_) => Err("a limit was met before everything was looked at".to_owned()),
            None => Ok(()),
        }
    }

    /// The limit that was met.
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted.get().copied()
    }
}
