//! A file with a name that says nothing.

use std::{env, fmt};

/// TODO: give this an issue number. TODO(#7) has one.
pub fn verdict(n: Option<u32>) -> u32 {
    println!("the queue state is unsafe, see /root/notes.txt");
    std::fs::remove_file("x").expect("the comment says .unwrap() and is not found");
    std::thread::yield_now();
    let code = Code(9);
    dbg!(n.unwrap())
}

#[cfg(test)]
mod tests {
    #[test]
    #[ignore]
    fn allowed_and_not() {
        println!("{}", Some(1).unwrap());
        todo!()
    }
}
