//! Names of queues as names of other languages.

use std::collections::BTreeSet;

/// Names that were given.
pub(super) struct Names {
    taken: BTreeSet<String>,
    /// What stands for characters that names do not have.
    joint: char,
    /// Whether names are written small.
    small: bool,
}

impl Names {
    pub(super) fn of_rust() -> Self {
        Self { taken: BTreeSet::new(), joint: '_', small: true }
    }

    pub(super) fn of_akka() -> Self {
        Self { taken: BTreeSet::new(), joint: '-', small: false }
    }

    /// A name that no other queue has: `q[0]` is `q_0`, and `A->B` is `a_b`.
    pub(super) fn name(&mut self, queue: &str) -> String {
        let mut plain = String::new();
        for c in queue.chars() {
            match c {
                _ if c.is_ascii_alphanumeric() => plain.push(c),
                '_' if self.joint == '_' => plain.push('_'),
                _ if plain.is_empty() || plain.ends_with(self.joint) => {}
                _ => plain.push(self.joint),
            }
        }
        let mut stem = plain.trim_end_matches(self.joint).to_owned();
        if self.small {
            stem = stem.to_ascii_lowercase();
        }
        if !stem.starts_with(|c: char| c.is_ascii_alphabetic()) {
            stem = format!("q{stem}");
        }
        let joint = self.joint;
        let numbered = (2..).map(|n| format!("{stem}{joint}{n}"));
        let mut names = std::iter::once(stem.clone()).chain(numbered);
        // Constants and file systems do not tell small letters from capital ones.
        let name = names.find(|name| !self.taken.contains(&name.to_ascii_lowercase()));
        let name = name.expect("there are numbers enough");
        self.taken.insert(name.to_ascii_lowercase());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    fn all(mut names: Names, queues: &[&str]) -> Vec<String> {
        queues.iter().map(|queue| names.name(queue)).collect()
    }

    #[test]
    fn names_are_names_of_the_language() {
        let queues = ["q[0]", "A->B", "7up", "match", "channels", "", "Über", "Worker(2)"];
        let rust = ["q_0", "a_b", "q7up", "match", "channels", "q", "ber", "worker_2"];
        assert_eq!(all(Names::of_rust(), &queues), rust);
        let akka = ["q-0", "A-B", "q7up", "match", "channels", "q", "ber", "Worker-2"];
        assert_eq!(all(Names::of_akka(), &queues), akka);
    }

    #[test]
    fn no_two_queues_share_a_name() {
        let queues = ["a b", "a-b", "A_B", "a_b_2", "a.b"];
        assert_eq!(all(Names::of_rust(), &queues), ["a_b", "a_b_2", "a_b_3", "a_b_2_2", "a_b_4"]);
    }
}
