//! The signs of a grid and the values they stand for.
//!
//! Beyond side 9, puzzles are printed in three alphabets, here for side 16: `0-F`, `1-G` and `A-P`. Two of them share
//! nearly all their signs, so that one value too high or too low is a wrong answer without a word. [`Signs`] collects
//! which signs a text has, and takes an alphabet only if no other one fits.

use crate::grid::error::GridError;

/// The text of one cell, before it is known what `0` and letters stand for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// `.`, `*` or `_`.
    Empty,
    Number(u16),
    /// From 0; small letters are large ones.
    Letter(u16),
}

impl Sign {
    pub(super) fn read(cell: &str) -> Option<Self> {
        match cell.as_bytes() {
            b"." | b"*" | b"_" => Some(Self::Empty),
            [letter] if letter.is_ascii_alphabetic() => Some(Self::Letter((letter.to_ascii_uppercase() - b'A').into())),
            digits if digits.iter().all(u8::is_ascii_digit) => cell.parse().ok().map(Self::Number),
            _ => None,
        }
    }
}

/// The signs of the values from 1 on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// 0, 1, …, 9, and letters from 11 on.
    FromZero,
    /// 1, 2, …, 9, and letters from 10 on; `0` is an empty cell.
    FromOne,
    /// A, B, …; `0` is an empty cell.
    Letters,
}

impl Alphabet {
    const ALL: [Self; 3] = [Self::FromZero, Self::FromOne, Self::Letters];

    /// An alphabet by its first and last sign, as in `0-F` or `1-16`, and the side it is for.
    pub(super) fn named(text: &str) -> Option<(Self, usize)> {
        let (first, last) = text.split_once(['-', '–'])?;
        let alphabet = match Sign::read(first.trim())? {
            Sign::Number(0) => Self::FromZero,
            Sign::Number(1) => Self::FromOne,
            Sign::Letter(0) => Self::Letters,
            _ => return None,
        };
        Some((alphabet, alphabet.value(Sign::read(last.trim())?)?.into()))
    }

    /// The name that [`named`](Self::named) reads; `None` when there are too few letters for this side.
    pub(super) fn name(self, side: usize, in_numbers: bool) -> Option<String> {
        let (first, last) = match self {
            Self::FromZero => ("0", side - 1),
            Self::FromOne => ("1", side),
            Self::Letters => ("A", side + 9),
        };
        if in_numbers {
            return Some(format!("{first}-{last}"));
        }
        let last = char::from_digit(last as u32, 36)?;
        Some(format!("{first}-{}", last.to_ascii_uppercase()))
    }

    /// The value of a sign, 0 = empty; `None` for a sign of another alphabet.
    pub(super) fn value(self, sign: Sign) -> Option<u16> {
        match (sign, self) {
            (Sign::Empty, _) => Some(0),
            (Sign::Number(number), Self::FromZero) => Some(number.saturating_add(1)),
            (Sign::Number(number), Self::FromOne) => Some(number),
            (Sign::Number(number), Self::Letters) => Some(0).filter(|_| number == 0),
            (Sign::Letter(letter), Self::FromZero) => Some(letter + 11),
            (Sign::Letter(letter), Self::FromOne) => Some(letter + 10),
            (Sign::Letter(letter), Self::Letters) => Some(letter + 1),
        }
    }
}

/// Which signs a grid has.
pub(super) struct Signs {
    side: usize,
    /// True if cells are words, which may be numbers beyond 9.
    by_word: bool,
    zeros: usize,
    has_empty: bool,
    has_letters: bool,
    highest_number: u16,
    /// The highest sign where letters go on after 9, and its line and column.
    top: (usize, (usize, usize)),
}

impl Signs {
    pub(super) fn new(side: usize, by_word: bool) -> Self {
        let top = (0, (1, 1));
        Self { side, by_word, zeros: 0, has_empty: false, has_letters: false, highest_number: 0, top }
    }

    pub(super) fn note(&mut self, sign: Sign, place: (usize, usize)) {
        let rank = match sign {
            Sign::Empty => {
                self.has_empty = true;
                return;
            }
            Sign::Number(number) => {
                self.zeros += usize::from(number == 0);
                self.highest_number = self.highest_number.max(number);
                number
            }
            Sign::Letter(letter) => {
                self.has_letters = true;
                letter + 10
            }
        };
        if usize::from(rank) > self.top.0 {
            self.top = (rank.into(), place);
        }
    }

    /// The alphabet that these signs are from. `0` is an empty cell only where it must be: where no other sign is one,
    /// and it stands in more cells than any value can or beside the highest sign of an alphabet that has no `0`.
    pub(super) fn alphabet(&self) -> Result<Alphabet, GridError> {
        let &Self { side, top: (top, (line, column)), .. } = self;
        let in_numbers = self.by_word && (self.highest_number > 9 || !self.has_letters);
        if side <= 9 || (side > 36 && !in_numbers) {
            return Ok(Alphabet::FromOne);
        }
        let zero_is_value = self.zeros > 0 && (self.has_empty || (self.zeros <= side && top < side));
        let fits = |alphabet: &Alphabet| match alphabet {
            Alphabet::FromZero => top < side && (zero_is_value || (self.zeros == 0 && !in_numbers)),
            Alphabet::FromOne => top <= side && !zero_is_value,
            Alphabet::Letters => top <= side + 9 && !zero_is_value && self.highest_number == 0 && !in_numbers,
        };
        let name = |alphabet: Alphabet| alphabet.name(side, in_numbers);
        let fitting = Alphabet::ALL.into_iter().filter(|alphabet| fits(alphabet) && name(*alphabet).is_some());
        let fitting: Vec<Alphabet> = fitting.collect();
        let wrong = |message: String| Err(GridError::Syntax { line, column, message });
        match fitting[..] {
            [alphabet] => Ok(alphabet),
            [] if zero_is_value => wrong(format!(
                "beside another sign for an empty cell `0` is a value, and this is none of {}: take one sign for \
                 empty cells",
                name(Alphabet::FromZero).unwrap_or_default()
            )),
            // A value is out of range.
            [] if self.highest_number > 0 => Ok(Alphabet::FromOne),
            [] => Ok(Alphabet::Letters),
            _ if top == 0 => Ok(Alphabet::FromOne),
            _ => {
                let names: Vec<String> = fitting.into_iter().filter_map(name).collect();
                let lines = names.iter().map(|name| format!("`values: {name}`")).collect::<Vec<_>>().join(" or ");
                wrong(format!(
                    "the values may be {}: write a line {lines} before the grid, or numbers from 1 to {side}",
                    names.join(" or ")
                ))
            }
        }
    }
}
