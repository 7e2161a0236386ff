//! The adders of a column: how many, and what becomes of its last bits.

/// The purpose of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnRole {
    /// Its digit is not looked at: only what it carries matters. A constant 1 may stand beside its bits.
    Carry { constant: bool },
    /// Its digit is compared.
    Digit,
    /// The highest of *at most*: no two of its bits are true. `compared` if its digit is compared.
    Top { compared: bool },
    /// A digit of *exactly*.
    Fixed(bool),
    /// The highest of *exactly*: one of its bits is true, and no two.
    FixedTop,
}

/// How the last bits of a column are dealt with, after its full adders have left so few.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    /// One bit or none is left, as the column's digit.
    Digit,
    /// None is left, or one that nobody looks at.
    Nothing,
    /// One bit and a constant 1: the bit is the carry.
    Pass,
    /// Two bits have a sum and a carry.
    HalfAdder,
    /// Two or three bits of which only the carry matters: two of them are true.
    Both,
    /// Two bits and a constant 1: one of them is true.
    Either,
    /// One, two or three bits have this sum.
    Equals(bool),
    /// At most one of two or three bits is true.
    AtMostOne,
    /// Some of up to three bits is true, and no two.
    One,
}

/// The adders of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Recipe {
    /// Bits that are left when [`last`](Self::last) begins.
    pub(super) left: usize,
    /// Adders of three bits before that.
    pub(super) adders: usize,
    pub(super) last: Last,
}

impl ColumnRole {
    /// The adders for so many bits.
    pub(super) fn recipe(self, bits: usize) -> Recipe {
        // Each adder takes three bits and leaves their sum. Three may be left where no sum of them is needed.
        let down_to = |odd: usize| match bits {
            0..3 if bits < odd => bits,
            _ if bits % 2 == 1 => odd,
            _ => 2,
        };
        let (left, last) = match self {
            Self::Carry { constant: false } => match down_to(3) {
                left @ (0 | 1) => (left, Last::Nothing),
                left => (left, Last::Both),
            },
            Self::Carry { constant: true } => match down_to(1) {
                0 => (0, Last::Nothing),
                1 => (1, Last::Pass),
                left => (left, Last::Either),
            },
            Self::Digit => match down_to(1) {
                left @ (0 | 1) => (left, Last::Digit),
                left => (left, Last::HalfAdder),
            },
            Self::Top { compared } => match down_to(if compared { 1 } else { 3 }) {
                left @ (0 | 1) => (left, Last::Digit),
                left if compared => (left, Last::HalfAdder),
                left => (left, Last::AtMostOne),
            },
            Self::Fixed(value) => (down_to(3), Last::Equals(value)),
            Self::FixedTop => (down_to(3), Last::One),
        };
        Recipe { left, adders: (bits - left) / 2, last }
    }

    /// The number of bits carried to the next column.
    pub(super) fn carries(self, bits: usize) -> usize {
        let Recipe { left, adders, last } = self.recipe(bits);
        let more = match last {
            Last::Pass | Last::HalfAdder | Last::Both | Last::Either => true,
            Last::Equals(value) => left == 3 || left == 2 && !value,
            _ => false,
        };
        if matches!(self, Self::Top { .. } | Self::FixedTop) { 0 } else { adders + usize::from(more) }
    }

    /// Variables and clauses of adders that are defined in so many directions, up and down.
    pub(super) fn cost(self, bits: usize, up: bool, down: bool) -> u64 {
        let Recipe { left, adders, last } = self.recipe(bits);
        let (up, down) = (u64::from(up), u64::from(down));
        let (inner, two) = match self {
            Self::Top { .. } | Self::FixedTop => (4 + 3 * up + down, 2 + 2 * up + down),
            _ => (2 + 7 * (up + down), 2 + 3 * up + 4 * down),
        };
        let last = match last {
            Last::Digit | Last::Nothing | Last::Pass => 0,
            Last::HalfAdder => two,
            Last::Both if left == 3 => 1 + 3 * (up + down),
            Last::Both => 1 + up + 2 * down,
            Last::Either => 1 + 2 * up + down,
            Last::Equals(_) => [1, 1, 2, 9][left],
            Last::AtMostOne => [0, 0, 1, 3][left],
            Last::One => [1, 1, 2, 4][left],
        };
        adders as u64 * inner + last
    }
}
