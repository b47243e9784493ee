//! One model, twice.

use qp_promela::Granularity;

use super::ours;
use super::spin::{Search, Searched, Spin, Unable};

/// Models with more configurations are passed over.
const MOST: usize = 10_000;

/// What a comparison without a difference came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compared {
    /// Both say the same.
    Agrees {
        /// How many states there are.
        stored: usize,
        /// Whether something is wrong with the model.
        wrong: bool,
    },
    /// SPIN has nothing to say.
    Unable(Unable),
    /// We do not run such models.
    Refused(String),
    /// There are too many states.
    TooLarge,
}

/// Failures and ends in the wrong place; the error says what is different.
///
/// After some failures SPIN goes on, after others it stops at once, and we never go on: where there is one,
/// nothing else is compared.
pub fn safety(spin: &Spin, text: &str) -> Result<Compared, String> {
    let theirs = match spin.translate(text).and_then(|()| spin.search(Search::Safety)) {
        Ok(theirs) => theirs,
        Err(unable) => return Ok(Compared::Unable(unable)),
    };
    if theirs.stored > MOST {
        return Ok(Compared::TooLarge);
    }
    let model = match ours::model(text, Granularity::Statement) {
        Ok(model) => model,
        Err(why) => return Ok(Compared::Refused(why)),
    };
    let Some(ours) = ours::search(&model, 10 * MOST) else { return Ok(Compared::TooLarge) };
    differ(&ours, &theirs)?;
    if let Ok(model) = ours::model(text, Granularity::Visible)
        && let Some(coarse) = ours::search(&model, 10 * MOST)
        && (coarse.failures.is_empty() != ours.failures.is_empty()
            || (coarse.stuck != ours.stuck && ours.failures.is_empty()))
    {
        return Err(format!("by statements: {ours:?}, by visible steps: {coarse:?}"));
    }
    Ok(Compared::Agrees { stored: theirs.stored, wrong: !theirs.is_clean() })
}

fn differ(ours: &ours::Searched, theirs: &Searched) -> Result<(), String> {
    let fails = !ours.failures.is_empty();
    let same = if fails {
        !theirs.failures.is_empty()
    } else {
        theirs.failures.is_empty() && theirs.stuck == ours.stuck && theirs.stored == ours.stored
    };
    if same { Ok(()) } else { Err(format!("we: {ours:?}, SPIN: {theirs:?}")) }
}
