//! Automation of the project.
fn main() {}
