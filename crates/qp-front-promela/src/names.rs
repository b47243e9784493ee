//! How words of the user appear in messages, and which one may have been meant.

pub(crate) use qp_base::names::quoted;

/// A short word must be right: models are full of names of one letter.
const LETTERS_LEAST: usize = 0;

/// "did you mean `X`?" for the candidate that is nearest to `text`, if one is near; else `otherwise`.
pub(crate) fn did_you_mean<'c>(
    text: &str,
    candidates: impl IntoIterator<Item = &'c str>,
    otherwise: impl Into<String>,
) -> String {
    qp_base::names::did_you_mean(text, candidates, LETTERS_LEAST, otherwise)
}
