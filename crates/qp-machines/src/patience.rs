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
        self.budget.progress().checked.fetch_add(1, Ordering::Relaxed);
        if let (None, Err(exhausted)) = (self.exhausted(), self.budget.ask()) {
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
