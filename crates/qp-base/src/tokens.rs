//! Tables of the tokens of a language.

/// Defines the tokens of a language for `logos`: words that cannot be names, marks, and what is no fixed text.
///
/// ```text
/// tokens! {
///     #[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
///     enum Token {
///         words { "send" Send, "recv" Recv }
///         marks { ";" Semicolon }
///         #[regex("[a-z]+", priority = 1)] Name,
///     }
/// }
/// ```
#[macro_export]
macro_rules! tokens {
    ($(#[$attribute:meta])* $visible:vis enum $name:ident {
        $(words { $($word:tt $Word:ident),+ $(,)? })?
        marks { $($mark:tt $Mark:ident),+ $(,)? }
        $($other:tt)*
    }) => {
        $(#[$attribute])*
        $visible enum $name {
            $($(#[token($word)] $Word,)+)?
            $(#[token($mark)] $Mark,)+
            $($other)*
        }

        $(impl $name {
            /// Whether it is a word that cannot be a name.
            $visible fn is_keyword(self) -> bool {
                matches!(self, $(Self::$Word)|+)
            }
        })?
    };
}
