//! The eight families of benchmark systems.
//!
//! They resemble the protocols of the published evaluations; they are not those programs. Each family
//! has sizes as parameters and is the same system for the same parameters, for ever: results of
//! different days could not be compared otherwise.

mod elevator;
mod flood;
mod german;
mod leader;
mod rand;
mod repl;
mod tokenring;
mod tpc;

use super::network::Network;

/// The names of the families.
pub const NAMES: [&str; 8] =
    ["tokenring", "german", "leader", "elevator", "flood", "tpc", "repl", "rand"];

/// Builds the system of a family from parameters such as `N=4`; the message says what is wrong.
pub fn build(family: &str, parameters: &[&str]) -> Result<Network, String> {
    let mut sizes = Sizes::parse(parameters)?;
    let mut size = |name, default| sizes.take(name, default);
    let machines = match family {
        "tokenring" => tokenring::machines(size("N", 4)),
        "german" => german::machines(size("C", 2)),
        "leader" => leader::machines(size("N", 5), size("MUL", 3))?,
        "elevator" => elevator::machines(size("E", 1)),
        "flood" => flood::machines(size("P", 3), size("M", 2)),
        "tpc" => tpc::machines(size("N", 3)),
        "repl" => repl::machines(size("N", 3)),
        "rand" => rand::machines(size("N", 4), size("L", 8), size("M", 3), size("S", 2))?,
        _ => return Err(format!("no family {family}; there are {}", NAMES.join(", "))),
    };
    match sizes.0.first() {
        Some((name, _)) => Err(format!("{family} has no parameter {name}")),
        None => Ok(Network { machines }),
    }
}

/// The parameters that nobody has asked for yet.
struct Sizes<'a>(Vec<(&'a str, usize)>);

impl<'a> Sizes<'a> {
    fn parse(parameters: &[&'a str]) -> Result<Self, String> {
        let parse = |text: &&'a str| {
            let (name, value) = text.split_once('=')?;
            Some((name, value.parse().ok().filter(|value| (1..100).contains(value))?))
        };
        let pairs = parameters.iter().map(|text| {
            parse(text).ok_or(format!("{text} is not a parameter NAME=NUMBER between 1 and 99"))
        });
        Ok(Self(pairs.collect::<Result<_, _>>()?))
    }

    fn take(&mut self, name: &str, default: usize) -> usize {
        match self.0.iter().position(|(given, _)| *given == name) {
            Some(position) => self.0.remove(position).1,
            None => default,
        }
    }
}
