//! The choices of [`PbEncoding::Auto`](crate::PbEncoding::Auto), as a table of data: the first row that covers a sum of
//! weights, and whose encoding keeps to its budget, decides.
//!
//! As in `policy.rs`, a row says the range, the choice, and the measurement that set it; the documentation of `Auto`
//! includes the rows as text, from `auto_pb.md`, and a test compares the two. Conflicts are those of `cargo run
//! --release -p cnfkit-peers -- quality --group weights`, whose tables are kept in `benches/BASELINE.md`.
//!
//! Links, clauses between auxiliaries that say *at least so much* of the same sum, cost up to half of the clauses once
//! more; totalizers gain nothing by them, and large diagrams lose.
//!
//! Sizes are estimated ([`estimate`](super::estimate)) before anything is planned, so that nothing is planned in vain.

use std::fmt;

use super::estimate;
use crate::constraint::Terms;
use crate::relation::PbRelation;

/// Sums in a range, and the encoding for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct PbRow {
    /// *Exactly*, or the two others.
    exactly: Option<bool>,
    /// No groups, at least so many terms, and the bound, or what it leaves of the greatest sum, is at least the number
    /// of terms, and at most three tenths of that sum.
    low: Option<usize>,
    /// Some of the terms are groups.
    grouped: bool,
    choice: PbChoice,
    /// The most nodes of a diagram, or clauses of a totalizer, for each term, as estimated.
    each: Option<u64>,
    measured: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PbChoice {
    /// [`IntervalDiagram`](crate::IntervalDiagram), linked.
    Diagram,
    /// A diagram without links.
    PlainDiagram,
    /// [`GeneralizedTotalizer`](crate::GeneralizedTotalizer).
    Totalizer,
    /// [`GlobalWatchdog`](crate::GlobalWatchdog), linked.
    Watchdog,
    /// [`BinaryAdder`](crate::BinaryAdder).
    Adder,
}

/// A row with no limits.
const ROW: PbRow =
    PbRow { exactly: None, low: None, grouped: false, choice: PbChoice::Adder, each: None, measured: "" };

const PB: [PbRow; 7] = [
    PbRow {
        exactly: Some(true),
        choice: PbChoice::Totalizer,
        each: Some(1_000),
        measured: "market split: 89 conflicts for 228 with a diagram of each side (BatSat), 52 for 146 (CaDiCaL)",
        ..ROW
    },
    PbRow {
        low: Some(44),
        choice: PbChoice::Watchdog,
        each: Some(250),
        measured: "weighted cut, ordered: 100 conflicts for 226 with a diagram (BatSat), 135 for 287 (CaDiCaL)",
        ..ROW
    },
    PbRow {
        grouped: true,
        choice: PbChoice::Diagram,
        each: Some(250),
        measured: "warehouses, ordered: 40 conflicts for 106 without links (BatSat), 65 for 86 (CaDiCaL)",
        ..ROW
    },
    PbRow {
        choice: PbChoice::Diagram,
        each: Some(125),
        measured: "portfolio: 985 conflicts for 1593 without links (BatSat), 2205 for 2197 (CaDiCaL)",
        ..ROW
    },
    PbRow {
        choice: PbChoice::PlainDiagram,
        each: Some(500),
        measured: "many of each: 108 conflicts for 204 with links (BatSat), 54 for 127 (CaDiCaL)",
        ..ROW
    },
    PbRow {
        choice: PbChoice::Watchdog,
        each: Some(250),
        measured: "size; warehouses: 109 conflicts for 105 without links (BatSat), 15 for 19 (CaDiCaL)",
        ..ROW
    },
    PbRow { choice: PbChoice::Adder, measured: "size", ..ROW },
];

/// The most nodes or clauses of one sum, however many terms it has, by estimate: planning more takes seconds, and
/// gigabytes.
const MOST: u64 = 1_000_000;

/// A choice, and the most nodes or clauses that it may have.
pub(super) type Candidate = (PbChoice, usize);

/// The encodings that `Auto` tries for `relation` on `terms`, the best first. The last has no limit.
pub(super) fn weights(terms: &Terms<'_>, relation: PbRelation) -> impl Iterator<Item = Candidate> {
    PB.iter().filter_map(move |row| row.candidate(terms, relation))
}

/// The bound, or what it leaves of the total, is at least the number of terms, and at most three tenths of the total.
fn is_low(terms: &Terms<'_>, bound: u64) -> bool {
    let total = terms.total();
    let room = bound.min(total.saturating_sub(bound));
    terms.len() as u64 <= room && room <= total / 10 * 3
}

impl PbRow {
    fn candidate(&self, terms: &Terms<'_>, relation: PbRelation) -> Option<Candidate> {
        let exactly = matches!(relation, PbRelation::Exactly(_));
        if self.exactly.is_some_and(|wanted| wanted != exactly)
            || self.grouped && !terms.is_grouped()
            || self
                .low
                .is_some_and(|least| terms.is_grouped() || terms.len() < least || !is_low(terms, relation.bound()))
        {
            return None;
        }
        let Some(each) = self.each else { return Some((self.choice, usize::MAX)) };
        let most = each.saturating_mul(terms.len() as u64).min(MOST);
        let estimate = match self.choice {
            PbChoice::Diagram | PbChoice::PlainDiagram => estimate::diagram(terms, relation.bound()),
            PbChoice::Totalizer => estimate::totalizer(terms, relation.bound()),
            // No estimate: these are small for any weights, and a watchdog that is not is told from its weights.
            PbChoice::Watchdog | PbChoice::Adder => 0,
        };
        // Both sides, and what estimates leave out.
        (estimate <= most).then(|| (self.choice, usize::try_from(most.saturating_mul(4)).unwrap_or(usize::MAX)))
    }
}

/// A line of the documentation.
impl fmt::Display for PbRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.exactly {
            None => "| any",
            Some(true) => "| exactly",
            Some(false) => "| at most, at least",
        })?;
        if let Some(least) = self.low {
            write!(f, ", no groups, n ≥ {least}, n ≤ b ≤ 3W/10 or n ≤ W − b ≤ 3W/10")?;
        }
        if self.grouped {
            f.write_str(", groups")?;
        }
        let (unit, choice) = match self.choice {
            PbChoice::Diagram => ("nodes", "[`IntervalDiagram`](struct@crate::IntervalDiagram), linked"),
            PbChoice::PlainDiagram => ("nodes", "[`IntervalDiagram`](struct@crate::IntervalDiagram)"),
            PbChoice::Totalizer => ("clauses", "[`GeneralizedTotalizer`](struct@crate::GeneralizedTotalizer)"),
            PbChoice::Watchdog => ("clauses", "[`GlobalWatchdog`](struct@crate::GlobalWatchdog), linked"),
            PbChoice::Adder => ("clauses", "[`BinaryAdder`](struct@crate::BinaryAdder)"),
        };
        match self.each {
            None => write!(f, " | any")?,
            Some(each) => write!(f, " | {each} {unit}")?,
        }
        write!(f, " | {choice} | {} |", self.measured)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Constraint;
    use crate::encode::Encoding;
    use crate::size::Size;
    use crate::testing::pb::{drawn, terms};
    use crate::{BinaryAdder, GeneralizedTotalizer, GlobalWatchdog, IntervalDiagram, PbEncoding};

    /// The documentation includes this file.
    #[test]
    fn the_documentation_has_the_rows() {
        let rows: Vec<String> = PB.iter().map(ToString::to_string).collect();
        let table = format!("| sum | size | encoding | why |\n|---|---|---|---|\n{}\n", rows.join("\n"));
        assert!(include_str!("auto_pb.md") == table, "auto_pb.md should say\n{table}");
    }

    /// Shapes by lot with their relations, small and large, and bounds on the same in groups of two.
    fn each_shape(check: &mut dyn FnMut(&Terms<'_>, PbRelation)) {
        for (n, most) in [(8, 8), (20, 30), (30, 90), (40, 4), (60, 1_000), (80, 12), (30, 1_000_000)] {
            for seed in 0..4 {
                let (weights, half) = drawn(n, most, seed);
                let bound = if seed % 2 == 0 { half } else { (weights.iter().sum::<u64>() / 6).max(most) };
                let terms = terms(&weights);
                let pairs: Vec<usize> = (1..=n / 2).map(|pair| 2 * pair).collect();
                let grouped = Terms::grouped(&terms, &pairs);
                for relation in [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)] {
                    check(&Terms::new(&terms), relation);
                }
                let bound = bound.min(grouped.total() / 2);
                if most <= 1_000 {
                    check(&grouped, PbRelation::AtMost(bound));
                    check(&grouped, PbRelation::AtLeast(bound));
                }
            }
        }
    }

    /// Every row decides something, but for the last, which takes what is over the budget of the one before.
    #[test]
    fn no_row_is_idle() {
        let mut used = [0; PB.len()];
        each_shape(&mut |terms, relation| {
            let first = PB.iter().position(|row| row.candidate(terms, relation).is_some());
            used[first.expect("the last row covers all")] += 1;
        });
        assert!(used[..PB.len() - 1].iter().all(|&times| times > 0), "{used:?}");
        assert!(PB[PB.len() - 1].each.is_none());
    }

    /// Nothing that is very large is planned, whatever the number of terms.
    #[test]
    fn budgets_have_a_limit() {
        let (many, bound) = drawn(20_000, 1_000_000_000, 1);
        let terms = terms(&many);
        for (choice, budget) in weights(&Terms::new(&terms), PbRelation::AtMost(bound)) {
            assert!(choice == PbChoice::Adder || budget as u64 <= 4 * MOST, "{choice:?} {budget}");
        }
    }

    /// The first choice keeps to its budget: nothing is planned in vain.
    #[test]
    fn the_first_choice_is_taken() {
        fn size(enc: &dyn Encoding, terms: &Terms<'_>, relation: PbRelation) -> Size {
            enc.plan(&Constraint::weights(*terms, relation)).expect("small").size()
        }
        each_shape(&mut |terms, relation| {
            let (choice, _) = weights(terms, relation).next().expect("the last row covers all");
            let named = match choice {
                PbChoice::Diagram => {
                    size(&IntervalDiagram { linked: true, ..IntervalDiagram::default() }, terms, relation)
                }
                PbChoice::PlainDiagram => size(&IntervalDiagram::default(), terms, relation),
                PbChoice::Totalizer => size(&GeneralizedTotalizer::default(), terms, relation),
                PbChoice::Watchdog => {
                    size(&GlobalWatchdog { linked: true, ..GlobalWatchdog::default() }, terms, relation)
                }
                PbChoice::Adder => size(&BinaryAdder::default(), terms, relation),
            };
            assert_eq!(size(&PbEncoding::Auto, terms, relation), named, "{relation} of {terms:?}");
        });
    }
}
