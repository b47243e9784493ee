//! Asks the processor to fetch memory ahead of its use.
//!
//! A search reads its table at random, and waiting for memory was a quarter of its time; loads that are
//! merely issued early do not help, because the processor cannot retire them. There is no safe way
//! to name the prefetch instruction, hence this crate: one function, a few lines, no dependencies.

/// Asks for `items[index]` to be brought into the cache. Changes nothing else; an index out of range is
/// ignored, and so is the request on processors without such an instruction.
#[inline]
pub fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = items.get(index) {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = std::ptr::from_ref(item).cast();
        #[expect(unsafe_code, reason = "see the crate's documentation")]
        // SAFETY: prefetching has no effect on memory and cannot fault, and every x86-64 processor
        // has the instruction.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(address);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
}

#[cfg(test)]
mod tests {
    use super::prefetch;

    #[test]
    fn changes_nothing_and_ignores_what_is_not_there() {
        let items = [1, 2, 3];
        prefetch(&items, 1);
        prefetch(&items, 3);
        prefetch(&items, usize::MAX);
        assert_eq!(items, [1, 2, 3]);
    }
}
