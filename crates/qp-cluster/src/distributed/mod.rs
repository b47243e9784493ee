//! The search over several processes, on the timely dataflow engine.
//!
//! Each process is one worker. The engine carries packets and tells when everything that was sent in a round
//! has arrived everywhere. It does not survive the loss of a process: then the search ends, with what
//! is known.

mod fabric;
mod meet;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use qp_base::Budget;
use qp_machines::Model;
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::execute::execute_from;

use crate::conduct::conduct;
use crate::net::Alone;
use crate::question::{Findings, Lost, Question, Tally};

use self::fabric::Fabric;

pub use self::meet::{Joined, NotJoined, free_addresses, join};

/// Why a search ended early, and how far all processes had got.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stopped {
    /// What happened.
    pub lost: Lost,
    /// How far they had got, as far as this process knows.
    pub tally: Tally,
}

/// Searches together with the processes that have joined. `tally` always says how far all have got.
///
/// After an early end, threads of the connection to lost processes may be left behind.
pub fn search(
    joined: Joined,
    model: &Model,
    question: &Question,
    budget: &Budget,
) -> Result<Findings, Stopped> {
    let tally: Arc<Mutex<Tally>> = Arc::default();
    let found = if joined.sockets.len() == 1 {
        conduct(Alone::default(), model, question, budget, &tally)
    } else {
        together(joined, model, question, budget, &tally)
    };
    found.map_err(|lost| {
        let tally = tally.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Stopped { lost, tally }
    })
}

/// What a worker came back with: an answer, or the panic that ended it.
type Came = Result<Result<Findings, Lost>, Box<dyn Any + Send>>;

fn together(
    Joined { sockets, index }: Joined,
    model: &Model,
    question: &Question,
    budget: &Budget,
    tally: &Arc<Mutex<Tally>>,
) -> Result<Findings, Lost> {
    let hooks = Hooks::default();
    let inside = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
    let (builders, guard) = initialize_networking_from_sockets(inside, sockets, index, 1, hooks)
        .map_err(|error| Lost(format!("the connections cannot be used: {error}")))?;
    let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
    let slot: Arc<Mutex<Option<Came>>> = Arc::default();
    // A model can be sent to another thread but not be shared.
    let handed = Mutex::new(model.clone());
    let (question, budget) = (question.clone(), budget.clone());
    let (kept, told) = (slot.clone(), tally.clone());
    let workers = execute_from(builders, Box::new(()), WorkerConfig::default(), move |worker| {
        let model = handed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let came = catch_unwind(AssertUnwindSafe(|| {
            conduct(Fabric::new(worker), &model, &question, &budget, &told)
        }));
        let fine = matches!(came, Ok(Ok(_)));
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(came);
        if !fine {
            // Unwinding poisons the connections, so that the other processes hear of it soon.
            resume_unwind(Box::new("the search has ended early"));
        }
    });
    let workers = workers.map_err(|why| Lost(format!("the search cannot start: {why}")))?;
    let joined = workers.join();
    let came = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
    let came = came.unwrap_or_else(|| Err(Box::new("the worker never began")));
    match came {
        Ok(Ok(findings)) => {
            // Everything has been said. Who leaves first may look lost to the others now.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(guard)));
            drop(joined);
            Ok(findings)
        }
        Ok(Err(lost)) => {
            std::mem::forget(guard);
            Err(lost)
        }
        Err(panic) => {
            std::mem::forget(guard);
            if is_loss(&*panic) { Err(Lost(LOST.to_owned())) } else { resume_unwind(panic) }
        }
    }
}

const LOST: &str = "another process of the cluster was lost";

/// Whether a panic is how the engine says that a connection broke.
fn is_loss(panic: &(dyn Any + Send)) -> bool {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
    text.contains("timely communication error") || text.contains("poisoned")
}
