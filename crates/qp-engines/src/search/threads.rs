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
    // Starting threads costs more than expanding this many configurations.
    const WORTH_A_THREAD: usize = 2048;
    if jobs == 1 || places.len() < WORTH_A_THREAD {
        return expand(places, output);
    }
    let mut others = std::mem::take(&mut output.others);
    others.resize_with(jobs, || Output::new(jobs));
    let expand = &expand;
    let missing = std::thread::scope(|scope| {
        let slices = places.chunks(places.len().div_ceil(jobs)).zip(&mut others);
        let threads: Vec<_> =
            slices.map(|(slice, part)| scope.spawn(move || expand(slice, part))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<M>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().flat_map(join).collect()
    });
    for part in &mut others {
        output.take_over(part);
    }
    output.others = others;
    missing
}
