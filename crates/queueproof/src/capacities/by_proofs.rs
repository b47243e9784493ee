//! Bounds that come from proofs of something else.
//!
//! A proof by list abstraction that no message is unhandled often rests on invariants about counts of messages, and
//! they bound queues. Who asks for bounds alone gives nobody a reason to look for such invariants.

use qp_base::Budget;

use crate::portfolio::Artifact;
use crate::report::{QueueReport, QueueStatus};
use crate::{Checked, Loaded, Options, check};

/// Asks for what the language calls errors, and adds the bounds that come to light to a report without them.
pub fn bound_by_proofs(loaded: &Loaded, options: &Options, budget: &Budget, checked: &mut Checked) {
    let is_open = |queue: &&mut QueueReport| queue.status == QueueStatus::Unknown;
    let converges = |engine: &String| engine == "converge";
    let may = options.engines.is_empty() || options.engines.iter().any(converges);
    if !may || checked.report.queues.iter_mut().find(is_open).is_none() {
        return;
    }
    let options =
        Options { properties: Vec::new(), engines: vec!["converge".into()], ..options.clone() };
    let mut found = check(loaded, &options, budget);
    checked.errors.append(&mut found.errors);
    for queue in checked.report.queues.iter_mut().filter(is_open) {
        let same = |it: &QueueReport| {
            it.number == queue.number && matches!(it.status, QueueStatus::Bounded(_))
        };
        let Some(bounded) = found.report.queues.iter().find(|it| same(it)) else { continue };
        let longest_seen = queue.longest_seen.max(bounded.longest_seen);
        *queue = QueueReport { longest_seen, name: queue.name.clone(), ..bounded.clone() };
        queue.certificate = bounded.certificate.as_deref().and_then(|name| {
            let artifact = found.artifacts.iter().find(|it| it.name == name)?;
            Some(keep(&mut checked.artifacts, artifact))
        });
    }
}

/// The name under which a file is kept beside others.
fn keep(artifacts: &mut Vec<Artifact>, artifact: &Artifact) -> String {
    if let Some(known) = artifacts.iter().find(|it| it.text == artifact.text) {
        return known.name.clone();
    }
    let numbered = (2..).map(|number| format!("certificate-{number}.json"));
    let mut names = std::iter::once(artifact.name.clone()).chain(numbered);
    let is_free = |name: &String| artifacts.iter().all(|it| it.name != *name);
    let name = names.find(is_free).expect("there are numbers enough");
    artifacts.push(Artifact { name: name.clone(), text: artifact.text.clone() });
    name
}
