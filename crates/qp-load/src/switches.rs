//! What the user says about how a program is to be read, and how it is written down beside results.

use qp_front_p::{Assume, Foreign, Options};
use qp_program::Dialect;

/// What the user says about how a program is to be read. Only P programs have such switches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Switches {
    /// The test case.
    pub test: Option<String>,
    /// The dialect, if it is not to be recognised.
    pub dialect: Option<Dialect>,
    /// What `assume` on events and machines means.
    pub assume: Assume,
    /// What foreign functions mean.
    pub foreign: Foreign,
}

impl Switches {
    /// As names and values, for files and reports. What is not set is left out.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        let mut add = |name: &str, value: &str| pairs.push((name.to_owned(), value.to_owned()));
        if let Some(test) = &self.test {
            add("test", test);
        }
        if let Some(dialect) = self.dialect {
            add("dialect", dialect_name(dialect));
        }
        if self.assume == Assume::Strip {
            add("assume", "strip");
        }
        if self.foreign == Foreign::Havoc {
            add("foreign", "havoc");
        }
        pairs
    }

    /// The switches with these names and values, or the name or value that is not known.
    pub fn from_pairs(pairs: &[(String, String)]) -> Result<Self, String> {
        let mut switches = Self::default();
        for (name, value) in pairs {
            match (name.as_str(), value.as_str()) {
                ("test", _) => switches.test = Some(value.clone()),
                ("dialect", "2018") => switches.dialect = Some(Dialect::Y2018),
                ("dialect", "current") => switches.dialect = Some(Dialect::Current),
                ("assume", "honour") => switches.assume = Assume::Honour,
                ("assume", "strip") => switches.assume = Assume::Strip,
                ("foreign", "refuse") => switches.foreign = Foreign::Refuse,
                ("foreign", "havoc") => switches.foreign = Foreign::Havoc,
                _ => return Err(format!("{name} = {value} is not a known switch")),
            }
        }
        Ok(switches)
    }

    pub(crate) fn options(&self) -> Options {
        Options {
            test: self.test.clone(),
            dialect: self.dialect,
            assume: self.assume,
            foreign: self.foreign,
        }
    }
}

/// The name of a dialect on the command line and in reports.
pub fn dialect_name(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Y2018 => "2018",
        Dialect::Current => "current",
    }
}
