//! The characters of a drawing.

/// The characters of a drawing. All are one column wide on terminals that are not set to an East
/// Asian width, which is why the heads of arrows are not the bigger triangles: those are emoji.
pub(super) struct Signs {
    pub(super) lane: char,
    pub(super) dash: char,
    pub(super) double: char,
    pub(super) dotted: char,
    pub(super) right: char,
    pub(super) left: char,
    pub(super) takes: char,
    pub(super) acts: char,
    pub(super) lost: char,
    pub(super) bad: char,
    pub(super) born: char,
    pub(super) ends: char,
    pub(super) fold: char,
    pub(super) frame: char,
    pub(super) corners: [char; 4],
    pub(super) cut: char,
    pub(super) becomes: &'static str,
}

pub(super) const ASCII: Signs = Signs {
    lane: '|',
    dash: '-',
    double: '=',
    dotted: '.',
    right: '>',
    left: '<',
    takes: 'o',
    acts: '*',
    lost: 'x',
    bad: 'X',
    born: '+',
    ends: '^',
    fold: ':',
    frame: ':',
    corners: ['+', '+', '+', '+'],
    cut: '~',
    becomes: "->",
};

pub(super) const UNICODE: Signs = Signs {
    lane: '│',
    dash: '─',
    double: '═',
    dotted: '┄',
    right: '▸',
    left: '◂',
    takes: '●',
    acts: '◆',
    lost: '✕',
    bad: '✗',
    born: '┬',
    ends: '┴',
    fold: '┊',
    frame: '┊',
    corners: ['┌', '┐', '└', '┘'],
    cut: '…',
    becomes: "→",
};

impl Signs {
    pub(super) const fn of(unicode: bool) -> &'static Self {
        if unicode { &UNICODE } else { &ASCII }
    }
}
