//! Expansion on several threads that only read.

use super::space::Output;

/// Expands `places` in slices, one for each of `jobs` threads, and puts what they found together in the order
/// of the places. Returns what `expand` found missing.
pub(crate) fn side_by_side<const W: usize, M: Send>(
    places: &[u32],
    jobs: usize,
    output: &mut Output<W>,
    expand: impl Fn(&[u32], &mut Output<W>) -> Vec<M> + Sync,
) -> Vec<M> {
    if !is_worth_threads(places, jobs) {
        return expand(places, output);
    }
    let missing = on_slices(places, jobs, output, expand);
    output.gather();
    missing.into_iter().flatten().collect()
}

/// Whether it pays to start threads: that costs more than expanding a few configurations.
pub(crate) fn is_worth_threads(places: &[u32], jobs: usize) -> bool {
    jobs > 1 && places.len() >= 2048
}

/// The slices of the threads: see [`on_slices`].
pub(crate) fn slices(places: &[u32], jobs: usize) -> impl Iterator<Item = &[u32]> {
    places.chunks(places.len().div_ceil(jobs).max(1))
}

/// Expands slices of `places`, each into an output of its own among the others of `output`. Returns what
/// `expand` said to each of them.
pub(crate) fn on_slices<const W: usize, R: Send>(
    places: &[u32],
    jobs: usize,
    output: &mut Output<W>,
    expand: impl Fn(&[u32], &mut Output<W>) -> R + Sync,
) -> Vec<R> {
    output.others.resize_with(jobs, || Output::new(jobs));
    let expand = &expand;
    std::thread::scope(|scope| {
        let mut slices = slices(places, jobs).zip(&mut output.others);
        let own = slices.next();
        let threads: Vec<_> =
            slices.map(|(slice, part)| scope.spawn(move || expand(slice, part))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, R>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        let own = own.map(|(slice, part)| expand(slice, part));
        own.into_iter().chain(threads.into_iter().map(join)).collect()
    })
}
