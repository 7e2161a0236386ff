//! The choices of `Auto`, as tables of data: the first row that covers a constraint decides.
//!
//! A row says the range, the choice, and the measurement that set it. The documentation of
//! [`AmoEncoding::Auto`](crate::AmoEncoding::Auto) and [`CardEncoding::Auto`](crate::CardEncoding::Auto) includes the
//! same rows as text, from `auto_amo.md` and `auto_card.md`; a test compares them with the rows, and prints what the
//! file should say. To change the policy, change a row, run `cargo test --lib choose::`, and copy the text.
//!
//! Conflicts are those that BatSat and CaDiCaL need on the families of `cargo run --release -p cnfkit-quality`, whose
//! tables are kept in `benches/BASELINE.md`. *Size* means that the rows above it would have more than twice the
//! variables + clauses of [`Smallest`](crate::CardEncoding::Smallest) there, which `Auto` never has: `cargo run
//! --release --example sizes`, and a test.

use std::fmt;

use crate::amo::Commander;
use crate::card::{Combinatorial, Totalizer};
use crate::relation::Relation;

/// An at-most-one encoding for a range of numbers of literals.
#[derive(Clone, Copy, Debug)]
pub(super) struct AmoRow {
    /// The most literals, if there is a limit.
    upto: Option<usize>,
    choice: AmoChoice,
    measured: &'static str,
}

#[derive(Clone, Copy, Debug)]
enum AmoChoice {
    Pairwise,
    /// [`Commander`] in so many groups.
    Groups(usize),
    /// [`Commander`] in groups of so many literals.
    GroupsOf(usize),
}

const AMO: [AmoRow; 6] = [
    AmoRow {
        upto: Some(6),
        choice: AmoChoice::Pairwise,
        measured: "fewest conflicts where solutions are searched for (golfers, queens)",
    },
    AmoRow {
        upto: Some(12),
        choice: AmoChoice::GroupsOf(3),
        measured: "pigeons: a fifth of the conflicts of pairwise (CaDiCaL)",
    },
    AmoRow {
        upto: Some(22),
        choice: AmoChoice::Groups(2),
        measured: "golfers: 398 conflicts for 452 with groups of 3 (BatSat); one group would be too large",
    },
    AmoRow { upto: Some(44), choice: AmoChoice::GroupsOf(10), measured: "as above; larger groups would be too large" },
    AmoRow { upto: Some(64), choice: AmoChoice::GroupsOf(8), measured: "as above; larger groups would be too large" },
    AmoRow { upto: None, choice: AmoChoice::GroupsOf(3), measured: "size" },
];

/// The encoding that `Auto` takes for at most one of `n` literals. [`Commander`] with groups as large as all literals
/// is pairwise.
pub(super) fn at_most_one(n: usize) -> Commander {
    let row = AMO.iter().find(|row| row.upto.is_none_or(|upto| n <= upto)).unwrap_or(&AMO[AMO.len() - 1]);
    let group = match row.choice {
        AmoChoice::Pairwise => n.max(2),
        AmoChoice::Groups(groups) => n.div_ceil(groups),
        AmoChoice::GroupsOf(group) => group,
    };
    Commander { group, ..Commander::DEFAULT }
}

/// Bounds of a kind in a range, and the encoding for them. They are stated for m = min(k, n − k): every bound on the
/// true literals is also one on the false literals, and m is the number of the one that is at most n/2.
#[derive(Clone, Copy, Debug)]
pub(super) struct CardRow {
    kinds: &'static [RelationKind],
    /// The largest m, if there is a limit.
    m: Option<usize>,
    /// The fewest literals.
    from: usize,
    /// The most literals, if there is a limit.
    upto: Option<usize>,
    /// The least number of literals for each of m.
    room: Room,
    /// The [`Totalizer`] would have more than twice the variables + clauses of [`Combinatorial`].
    wasteful: bool,
    choice: CardChoice,
    measured: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RelationKind {
    AtMost,
    AtLeast,
    Exactly,
}

#[derive(Clone, Copy, Debug)]
enum Room {
    Any,
    /// n ≥ c·m.
    Times(usize),
    /// n > c·m.
    Over(usize),
}

/// An encoding with its options, without the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CardChoice {
    /// The choice of [`at_most_one`], and a clause for exactly one.
    One,
    Combinatorial,
    Totalizer {
        two_sided: bool,
    },
    Network {
        full: bool,
    },
    GeneralizedProduct,
}

/// A row with no limits.
const ROW: CardRow = CardRow {
    kinds: &[RelationKind::AtMost, RelationKind::AtLeast, RelationKind::Exactly],
    m: None,
    from: 0,
    upto: None,
    room: Room::Any,
    wasteful: false,
    choice: CardChoice::Network { full: false },
    measured: "",
};

const CARD: [CardRow; 10] = [
    CardRow {
        kinds: &[RelationKind::AtMost, RelationKind::Exactly],
        m: Some(1),
        choice: CardChoice::One,
        measured: "as for at most one",
        ..ROW
    },
    CardRow {
        kinds: &[RelationKind::Exactly],
        upto: Some(5),
        choice: CardChoice::Network { full: false },
        measured: "tomography: 258 conflicts for 367 without auxiliaries (BatSat)",
        ..ROW
    },
    CardRow { upto: Some(8), wasteful: true, choice: CardChoice::Combinatorial, measured: "size", ..ROW },
    CardRow {
        kinds: &[RelationKind::AtLeast],
        m: Some(2),
        choice: CardChoice::GeneralizedProduct,
        measured: "rosters: 195 conflicts for 223 with a clause for each input (BatSat)",
        ..ROW
    },
    CardRow {
        kinds: &[RelationKind::AtMost],
        upto: Some(64),
        room: Room::Times(8),
        choice: CardChoice::Network { full: true },
        measured: "dominating sets: fewer conflicts than the totalizer",
        ..ROW
    },
    CardRow {
        kinds: &[RelationKind::AtMost],
        m: Some(3),
        from: 100_001,
        choice: CardChoice::GeneralizedProduct,
        measured: "size",
        ..ROW
    },
    CardRow {
        kinds: &[RelationKind::AtMost],
        m: Some(3),
        from: 1_001,
        choice: CardChoice::Network { full: false },
        measured: "size",
        ..ROW
    },
    CardRow {
        kinds: &[RelationKind::AtMost],
        m: Some(9),
        room: Room::Over(3),
        choice: CardChoice::Totalizer { two_sided: true },
        measured: "pigeonhole and rosters: 10 to 40 % fewer conflicts than one-sided; of more, size",
        ..ROW
    },
    CardRow {
        m: Some(32),
        choice: CardChoice::Totalizer { two_sided: false },
        measured: "the fewest conflicts, or close to it, over the families",
        ..ROW
    },
    CardRow { choice: CardChoice::Network { full: false }, measured: "size", ..ROW },
];

/// The encoding that `Auto` takes for `relation` on `n` literals, 1 ≤ k < n.
pub(super) fn cardinality(relation: Relation, n: usize) -> CardChoice {
    first_of(&CARD, relation, n)
}

/// The encoding that `Auto` takes where outputs are wanted around exactly k: an encoding that counts.
pub(super) fn counting(k: usize, n: usize) -> CardChoice {
    first_of(&CARD[1..], Relation::Exactly(k), n)
}

fn first_of(rows: &[CardRow], relation: Relation, n: usize) -> CardChoice {
    rows.iter().find(|row| row.covers(relation, n)).unwrap_or(&CARD[CARD.len() - 1]).choice
}

/// The bound, or the same one about the negated literals, whose number is at most n/2.
pub(super) fn with_small_bound(relation: Relation, n: usize) -> Relation {
    if relation.bound() > n / 2 { relation.mirrored(n) } else { relation }
}

impl CardRow {
    fn covers(&self, relation: Relation, n: usize) -> bool {
        let small = with_small_bound(relation, n);
        let (kind, m) = match small {
            Relation::AtMost(m) => (RelationKind::AtMost, m),
            Relation::AtLeast(m) => (RelationKind::AtLeast, m),
            Relation::Exactly(m) => (RelationKind::Exactly, m),
        };
        self.kinds.contains(&kind)
            && self.m.is_none_or(|most| m <= most)
            && self.from <= n
            && self.upto.is_none_or(|most| n <= most)
            && match self.room {
                Room::Any => true,
                Room::Times(times) => m * times <= n,
                Room::Over(times) => m * times < n,
            }
            && (!self.wasteful || is_wasteful(relation, n))
    }
}

fn is_wasteful(relation: Relation, n: usize) -> bool {
    relation.size(&Totalizer::default(), n).cost() > 2 * relation.size(&Combinatorial, n).cost()
}

/// A line of the documentation.
impl fmt::Display for AmoRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.upto {
            Some(upto) => write!(f, "| n ≤ {upto} | ")?,
            None => write!(f, "| more | ")?,
        }
        match self.choice {
            AmoChoice::Pairwise => f.write_str("[`Pairwise`](struct@crate::Pairwise)")?,
            AmoChoice::Groups(groups) => write!(f, "[`Commander`](struct@crate::Commander) in {groups} groups")?,
            AmoChoice::GroupsOf(group) => write!(f, "[`Commander`](struct@crate::Commander) in groups of {group}")?,
        }
        write!(f, " | {} |", self.measured)
    }
}

/// A line of the documentation.
impl fmt::Display for CardRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<&str> = self.kinds.iter().map(|kind| kind.words()).collect();
        write!(f, "| {} m", kinds.join(", "))?;
        if let Some(most) = self.m {
            write!(f, ", m ≤ {most}")?;
        }
        if self.from > 0 {
            write!(f, ", n ≥ {}", self.from)?;
        }
        if let Some(most) = self.upto {
            write!(f, ", n ≤ {most}")?;
        }
        match self.room {
            Room::Any => {}
            Room::Times(times) => write!(f, ", n ≥ {times}m")?,
            Room::Over(times) => write!(f, ", n > {times}m")?,
        }
        if self.wasteful {
            f.write_str(", a totalizer is more than twice as large")?;
        }
        let choice = match self.choice {
            CardChoice::One => "[`AmoEncoding::Auto`](crate::AmoEncoding::Auto)",
            CardChoice::Combinatorial => "[`Combinatorial`](struct@crate::Combinatorial)",
            CardChoice::Totalizer { two_sided: false } => "[`Totalizer`](struct@crate::Totalizer)",
            CardChoice::Totalizer { two_sided: true } => "[`Totalizer`](struct@crate::Totalizer), `two_sided`",
            CardChoice::Network { full: false } => "[`Network`](struct@crate::Network)",
            CardChoice::Network { full: true } => "[`Network`](struct@crate::Network), `full`",
            CardChoice::GeneralizedProduct => "[`GeneralizedProduct`](struct@crate::GeneralizedProduct)",
        };
        write!(f, " | {choice} | {} |", self.measured)
    }
}

impl RelationKind {
    const fn words(self) -> &'static str {
        match self {
            Self::AtMost => "at most",
            Self::AtLeast => "at least",
            Self::Exactly => "exactly",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AmoEncoding, AtMostOne, CardEncoding, Pairwise};

    fn table(first: &str, rows: &[impl fmt::Display]) -> String {
        let rows: Vec<String> = rows.iter().map(ToString::to_string).collect();
        format!("| {first} | encoding | why |\n|---|---|---|\n{}\n", rows.join("\n"))
    }

    /// The documentation includes these files.
    #[test]
    fn the_documentation_has_the_rows() {
        let amo = table("literals", &AMO);
        assert!(include_str!("auto_amo.md") == amo, "auto_amo.md should say\n{amo}");
        let card = table("bound", &CARD);
        assert!(include_str!("auto_card.md") == card, "auto_card.md should say\n{card}");
    }

    /// Every row decides something, and both ends of its range are in it.
    #[test]
    fn no_row_is_idle() {
        let mut used = [0; CARD.len()];
        let shapes = (3..=80_usize).flat_map(|n| (1..n).map(move |k| (n, k)));
        let large =
            [999, 1_000, 1_001, 100_000, 100_001].into_iter().flat_map(|n| [1, 2, 3, 4, 9, 10, 32, 33].map(|k| (n, k)));
        for (n, k) in shapes.chain(large) {
            for relation in [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)] {
                if relation.folded(n).is_some() {
                    continue;
                }
                let row = CARD.iter().position(|row| row.covers(relation, n)).expect("the last row covers all");
                used[row] += 1;
                assert_eq!(cardinality(relation, n), CARD[row].choice);
            }
        }
        assert!(used.iter().all(|&times| times > 0), "{used:?}");
    }

    /// Choices by their sizes, told apart from the rows: at the ends of each range.
    #[test]
    fn auto_is_what_the_rows_say() {
        use Relation::{AtLeast, AtMost, Exactly};
        for n in 2..=6 {
            assert_eq!(AmoEncoding::Auto.amo_size(n), Pairwise.amo_size(n), "{n}");
        }
        for (n, group) in [(7, 3), (12, 3), (13, 7), (22, 11), (23, 10), (44, 10), (45, 8), (64, 8), (65, 3)] {
            assert_eq!(AmoEncoding::Auto.amo_size(n), Commander { group, ..Commander::DEFAULT }.amo_size(n), "{n}");
        }
        let (network, totalizer) = (CardChoice::Network { full: false }, CardChoice::Totalizer { two_sided: false });
        for (relation, n, choice) in [
            (AtMost(1), 9, CardChoice::One),
            (AtLeast(8), 9, CardChoice::One),
            (Exactly(8), 9, CardChoice::One),
            (Exactly(2), 5, network),
            (Exactly(2), 6, totalizer),
            (AtMost(2), 4, CardChoice::Combinatorial),
            (AtLeast(2), 8, CardChoice::Combinatorial),
            (AtMost(6), 8, CardChoice::Combinatorial),
            (AtLeast(2), 9, CardChoice::GeneralizedProduct),
            (AtMost(7), 9, CardChoice::GeneralizedProduct),
            (AtMost(8), 64, CardChoice::Network { full: true }),
            (AtLeast(56), 64, CardChoice::Network { full: true }),
            (AtMost(8), 65, CardChoice::Totalizer { two_sided: true }),
            (AtMost(3), 1_000, CardChoice::Totalizer { two_sided: true }),
            (AtMost(3), 1_001, network),
            (AtMost(3), 100_000, network),
            (AtMost(3), 100_001, CardChoice::GeneralizedProduct),
            (AtMost(9), 28, CardChoice::Totalizer { two_sided: true }),
            (AtMost(9), 27, totalizer),
            (AtMost(10), 100, totalizer),
            (Exactly(32), 100, totalizer),
            (AtLeast(32), 100, totalizer),
            (Exactly(33), 100, network),
        ] {
            assert_eq!(cardinality(relation, n), choice, "{relation} of {n}");
            assert!(
                relation.size(&CardEncoding::Auto, n).cost() <= 2 * relation.size(&CardEncoding::Smallest, n).cost()
            );
        }
    }
}
