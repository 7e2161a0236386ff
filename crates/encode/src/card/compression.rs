//! [`GridCompression`]: at most few of many, by moving the true inputs into a grid of few cells.

use std::cell::RefCell;
use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use super::GeneralizedProduct;
use super::bits::AdderInputs;
use crate::amo::Optimal;
use crate::constraint::EncodingName;
use crate::encode::Amo;
use crate::encode::ByRelation;
use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer, measured};

/// Few true inputs among many are moved to few cells: the fewest clauses, without propagation.
///
/// Inputs are the cells of a grid. For at most two of them, each row and each column may be of a first or of a second
/// *corner*, and a cell may be true if its row and its column are of the same one. For more, each row has d *buckets*,
/// true inputs move to the cells of one of them, and at most k of these are true, which is encoded in the same way.
/// Either each row *chooses* a bucket, at most one row any bucket, and any k rows have k different ones to choose; or d
/// is k, each of any k rows is *alone* in a bucket, and buckets are used of which at most one row has true inputs. Or
/// inputs are added up in pairs, as by an [`Adder`](super::Adder), and at most *half* as many carries are true.
///
/// | | corners | alone | chosen | halved |
/// |---|---|---|---|---|
/// | at most k | k = 2 | k ≤ 8 | d = 2: k ≤ 5, d = 3: k ≤ 11, d = 4: k ≤ 19, …, d = 8: k ≤ 64 | any k |
/// | clauses | 2n of 3 literals | n of 2 and n of k + 1 literals | n of d + 1 and d·n of 3 literals | 7n/2 |
/// | more clauses | O(√n) | O(n^⅔) for fixed k | O(n^⅔) for fixed k | those of at most k/2 of n/2 |
/// | auxiliaries | O(√n) | O(n^⅔) for fixed k | O(n^⅔) for fixed k | n, and those of at most k/2 of n/2 |
/// | enforcing clauses | O(√n) | O(n^⅔) for fixed k | O(n^⅔) for fixed k | those of at most k/2 of n/2 |
///
/// The smallest of these and of what moves nothing is taken, numbers of rows and buckets by an estimate: at most 10 of
/// 1,000 is halved twice, and at most two of the 250 carries are in corners.
///
/// *At least k* is encoded as at most n − k of the negated inputs. [`GeneralizedProduct`] encodes *exactly k*, what has
/// less than 20 inputs, and what is smaller by it.
///
/// Only there is unit propagation generalised arc consistent. Where inputs are moved, it derives nothing for certain,
/// not even a contradiction when all inputs have values: the solver has to find the corners and buckets. That is the
/// price of the size, and why [`CardEncoding::Smallest`](crate::CardEncoding::Smallest) never takes this encoding; of
/// those that it takes, the smallest for k = 2 has 3n + O(n^⅔) clauses, and for k = 10 more than 10n.
///
/// Buckets: a row is a word of e digits to a base q, a polynomial; its buckets are the values at d points, so that any
/// e of them tell rows apart. If s rows had fewer than s buckets together, the e smallest of d numbers with the sum
/// s − 1 would have a product of s or more, which they have for no s ≤ k. So by Hall's theorem all have their own. With
/// e = 2 two rows have at most one bucket in common, so that of k rows each is alone in one of k buckets.
///
/// Source: A. Krapivin, B. Przybocki, B. Subercaseaux, *Near-Optimal Encodings of Cardinality Constraints*, arXiv
/// 2603.28954, 2026, state 2n + o(n) clauses for k = o(∛n) and 4n + o(n) for k = o(n) as reachable by *grid
/// compression*; this construction was found from these figures apart from theirs and may differ from it. Carries that
/// are halved again are not in it.
///
/// ```
/// use cnfkit::{AtMostK, GeneralizedProduct, GridCompression};
/// assert!(GridCompression.amk_size(10_000, 2).cost() < 23_000);
/// assert!(GeneralizedProduct.amk_size(10_000, 2).cost() > 36_000);
/// assert!(GridCompression.amk_size(1_000, 10).clauses < 6_000);
/// assert!(GeneralizedProduct.amk_size(1_000, 10).clauses > 12_000);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GridCompression;

/// A way to encode at most k of n by encoding the same of fewer. Rows have so many inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CompressionStep {
    Direct,
    /// Inputs are added up in pairs, and at most half as many carries are true.
    Halved,
    /// Each row and column is of one of two corners.
    Corners(usize),
    /// Each row chooses a bucket.
    Chosen(RowCode, usize),
    /// Each row has a bucket that no other row with true inputs has.
    Alone(RowCode, usize),
}

/// Rows as words of `digits` digits to the base `base`, and for each row a bucket in each of `choices` classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RowCode {
    choices: usize,
    digits: usize,
    base: usize,
}

impl RowCode {
    const MOST_CHOICES: usize = 8;

    /// The most rows of which any so many have different buckets to choose.
    fn reach(choices: usize, digits: usize) -> usize {
        let may_clash = |rows: usize| {
            let (each, more) = ((rows - 1) / choices, (rows - 1) % choices);
            let larger = digits.saturating_sub(choices - more);
            let product = each.pow((digits - larger) as u32) * (each + 1).pow(larger as u32);
            product >= rows
        };
        let mut rows = 0;
        while !may_clash(rows + 1) {
            rows += 1;
        }
        rows
    }

    /// Any `digits` buckets tell rows apart: differences of points are invertible.
    fn is_separating(self) -> bool {
        (2..self.choices.saturating_sub(1)).all(|factor| !self.base.is_multiple_of(factor))
    }

    /// The bucket of a row in a class: the polynomial's value at the class's number, or at infinity in the last.
    fn bucket(self, row: usize, class: usize) -> usize {
        let block = self.base.pow(self.digits as u32 - 1);
        if class + 1 == self.choices {
            return row / block;
        }
        let (mut value, mut rest, mut power) = (0, row, 1);
        for _ in 0..self.digits {
            value = (value + rest % self.base * power) % self.base;
            rest /= self.base;
            power = power * class % self.base;
        }
        value
    }

    /// Numbers of buckets and of rows that may choose each, of a class, for at least `base` rows: consecutive rows
    /// have consecutive buckets in all classes but the last.
    fn loads(self, rows: usize, class: usize) -> [(usize, usize); 2] {
        if class + 1 == self.choices {
            let block = self.base.pow(self.digits as u32 - 1);
            return [(rows / block, block), (usize::from(!rows.is_multiple_of(block)), rows % block)];
        }
        let (each, more) = (rows / self.base, rows % self.base);
        [(more, each + 1), (self.base - more, each)]
    }

    fn buckets(self, rows: usize, class: usize) -> usize {
        self.loads(rows, class).iter().map(|&(buckets, _)| buckets).sum()
    }

    fn all_buckets(self, rows: usize) -> usize {
        (0..self.choices).map(|class| self.buckets(rows, class)).sum()
    }

    /// The buckets of a row, of all classes, numbered throughout.
    fn row_buckets(self, rows: usize, row: usize) -> impl Iterator<Item = usize> + Clone {
        let mut first = 0;
        (0..self.choices).map(move |class| {
            let bucket = first + self.bucket(row, class);
            first += self.buckets(rows, class);
            bucket
        })
    }
}

fn at_most_one_size(n: usize) -> Size {
    if n < 2 { Size::ZERO } else { Optimal::default().size(n) }
}

fn at_most_one(to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
    if lits.len() < 2 { Ok(()) } else { Optimal::default().encode(to, lits) }
}

/// The size of at most one of n under a condition of one literal.
fn conditional_size(n: usize) -> Size {
    let lits: Vec<Lit> = (0..=n as u32).map(Lit::positive).collect();
    measured(n as u32 + 1, &mut |to| to.under(&lits[n..], false, &mut |to| at_most_one(to, &lits[..n])))
}

impl CompressionStep {
    fn size(self, n: usize, k: usize) -> Size {
        let bound = Relation::AtMost(k);
        match self {
            Self::Direct if k == 1 => at_most_one_size(n),
            Self::Direct => bound.size(&GeneralizedProduct, n),
            Self::Halved => {
                let of = |n: usize| {
                    let lits: Vec<Lit> = (0..n as u32).map(Lit::positive).collect();
                    let mut carries = 0;
                    let size = measured(n as u32, &mut |to| {
                        carries = halved(to, &lits, k)?.len();
                        Ok(())
                    });
                    (size, carries)
                };
                // Two inputs more take one adder more, of one carry.
                let few = n.min(6 + n % 2);
                let ((least, carries), (more, _)) = (of(few), of(few + 2));
                let adder = Size {
                    vars: more.vars - least.vars,
                    clauses: more.clauses - least.clauses,
                    lits: more.lits - least.lits,
                };
                let adders = (n - few) / 2;
                least + adder * adders as u64 + Relation::AtMost(k / 2).size_by(&Moved, carries + adders)
            }
            Self::Corners(columns) => {
                let rows = n.div_ceil(columns);
                let lines = rows as u64 + columns as u64;
                Size::variables(2 * lines + 3)
                    + Size::clauses(2 * n as u64, 3)
                    + Size::clauses(lines + rows as u64 + 3, 2)
                    + [rows, columns].map(at_most_one_size).into_iter().sum()
                    + [rows, columns].map(|lines| bound.size(&Moved, lines + 1)).into_iter().sum()
            }
            Self::Chosen(code, columns) => {
                let rows = n.div_ceil(columns);
                let cells = code.all_buckets(rows) * columns;
                let loads = (0..code.choices).flat_map(|class| code.loads(rows, class));
                let choosing = loads.map(|(buckets, rows)| at_most_one_size(rows) * buckets as u64);
                Size::variables((rows * code.choices + cells) as u64)
                    + Size::clauses(n as u64, code.choices + 1)
                    + Size::clauses(n as u64 * code.choices as u64, 3)
                    + choosing.sum()
                    + bound.size(&Moved, cells)
            }
            Self::Alone(code, columns) => {
                let rows = n.div_ceil(columns);
                let buckets = code.all_buckets(rows);
                let cells = buckets * columns;
                let loads = (0..code.choices).flat_map(|class| code.loads(rows, class));
                let alone = loads.map(|(buckets, rows)| conditional_size(rows) * buckets as u64);
                Size::variables((rows + buckets + cells) as u64)
                    + Size::clauses((n + cells) as u64, 2)
                    + Size::clauses(n as u64, code.choices + 1)
                    + alone.sum()
                    + bound.size(&Moved, cells)
            }
        }
    }

    fn write(self, to: &mut Writer<'_>, lits: &[Lit], k: usize) -> Result<(), Full> {
        match self {
            Self::Direct if k == 1 => at_most_one(to, lits),
            Self::Direct => Relation::AtMost(k).encode(&GeneralizedProduct, to, lits),
            Self::Halved => {
                let carries = halved(to, lits, k)?;
                Relation::AtMost(k / 2).encode(&Moved, to, &carries)
            }
            Self::Corners(columns) => corners(to, lits, columns),
            Self::Chosen(code, columns) => chosen(to, lits, k, code, columns),
            Self::Alone(code, columns) => alone(to, lits, k, code, columns),
        }
    }

    /// The smallest, or close to it.
    fn new(n: usize, k: usize) -> (Self, Size) {
        let mut steps = Vec::new();
        if (2..=INPUTS_PRICED / 2).contains(&k) && n >= 2 * k + 2 {
            steps = moves(n, k);
        }
        if k == 2 {
            steps.push(Self::Corners(n.isqrt()));
        }
        if k >= 2 {
            steps.push(Self::Halved);
        }
        let direct = (Self::Direct, Self::Direct.size(n, k));
        let sized = steps.into_iter().map(|step| (step, step.size(n, k)));
        sized.chain([direct]).min_by_key(|(_, size)| (size.cost(), size.vars)).unwrap_or(direct)
    }

    fn known(n: usize, k: usize) -> (Self, Size) {
        const MOST: usize = 4096;
        thread_local! {
            static KNOWN: RefCell<FxHashMap<(usize, usize), (CompressionStep, Size)>> = RefCell::default();
        }
        if let Some(known) = KNOWN.with_borrow(|known| known.get(&(n, k)).copied()) {
            return known;
        }
        let new = Self::new(n, k);
        KNOWN.with_borrow_mut(|known| {
            if known.len() >= MOST {
                known.clear();
            }
            known.insert((n, k), new);
        });
        new
    }
}

/// Moves are compared by what at most k of so many inputs cost each.
const INPUTS_PRICED: usize = 128;

/// The best base for each arrangement of rows and buckets, where it is within a tenth of the best, by an estimate.
fn moves(n: usize, k: usize) -> Vec<CompressionStep> {
    // In hundredths of a variable or clause: a cell and its share in at most k of them, a row's share in at most one.
    let of_cells = [CompressionStep::Direct, CompressionStep::Halved].map(|step| step.size(INPUTS_PRICED, k).cost());
    let cell = 100 + 100 * of_cells[0].min(of_cells[1]) / INPUTS_PRICED as u64;
    let share = 240;
    let chosen =
        (2..=RowCode::MOST_CHOICES).flat_map(|choices| (2..=choices).map(move |digits| (choices, digits, false)));
    let chosen = chosen.filter(|&(choices, digits, _)| RowCode::reach(choices, digits) >= k);
    let alone = (2..=RowCode::MOST_CHOICES).contains(&k).then_some((k, 2, true));
    let mut best: Vec<(u64, CompressionStep)> = Vec::new();
    for (choices, digits, is_alone) in chosen.chain(alone) {
        // Of an input, of a row and of a cell.
        let prices = if is_alone {
            [200, 100 + choices as u64 * share, cell + 100]
        } else {
            [100 + 100 * choices as u64, choices as u64 * (100 + share), cell]
        };
        let mut least: Option<(u64, CompressionStep)> = None;
        for code in (2..).map(|base| RowCode { choices, digits, base }) {
            let Some(words) = code.base.checked_pow(digits as u32).filter(|&words| words < n) else { break };
            let columns = n.div_ceil(words);
            let rows = n.div_ceil(columns);
            let cells = code.all_buckets(rows) * columns;
            if !code.is_separating() || rows < code.base || cells >= n {
                continue;
            }
            let price: u64 = [n, rows, cells].iter().zip(prices).map(|(&of, price)| of as u64 * price).sum();
            match least {
                Some((least, _)) if price > 2 * least => break,
                Some((least, _)) if price >= least => {}
                _ if is_alone => least = Some((price, CompressionStep::Alone(code, columns))),
                _ => least = Some((price, CompressionStep::Chosen(code, columns))),
            }
        }
        best.extend(least);
    }
    let least = best.iter().map(|&(price, _)| price).min().unwrap_or(0);
    best.into_iter().filter(|&(price, _)| price <= least + least / 10).map(|(_, step)| step).collect()
}

/// Carries of all inputs in pairs, and of a true one where k is even: of these k / 2 may be true if and only if of the
/// inputs k may.
fn halved(to: &mut Writer<'_>, lits: &[Lit], k: usize) -> Result<Vec<Lit>, Full> {
    let mut bits: VecDeque<Lit> = lits.iter().copied().collect();
    let mut carries = Vec::with_capacity(lits.len() / 2 + 1);
    if k.is_multiple_of(2)
        && let (Some(a), Some(b)) = (bits.pop_front(), bits.pop_front())
    {
        let (carry, sum) = (to.lit(), to.lit());
        to.define(&[!a, carry])?;
        to.define(&[!b, carry])?;
        to.define(&[a, b, sum])?;
        to.define(&[!a, !b, sum])?;
        carries.push(carry);
        bits.push_back(sum);
    }
    while let (Some(a), Some(b)) = (bits.pop_front(), bits.pop_front()) {
        let added = AdderInputs { a, b, third: bits.pop_front() };
        let carry = to.lit();
        added.carry_rises(to, carry)?;
        carries.push(carry);
        if !bits.is_empty() {
            let sum = to.lit();
            added.sum_rises(to, sum)?;
            bits.push_back(sum);
        }
    }
    Ok(carries)
}

/// At most two: each row and column may be of the first or of the second corner, not of both, and inputs are true where
/// a row and a column are of the same. One row and one column are of the second corner. As many are of the first, or
/// two rows and one column, or one row and two columns, and then no row is of the second.
fn corners(to: &mut Writer<'_>, lits: &[Lit], columns: usize) -> Result<(), Full> {
    let rows = lits.len().div_ceil(columns);
    let [row_first, row_second] = [(); 2].map(|()| to.lits(rows));
    let [column_first, column_second] = [(); 2].map(|()| to.lits(columns));
    for (i, &lit) in lits.iter().enumerate() {
        let (row, column) = (i / columns, i % columns);
        to.define(&[!lit, row_first[row], column_second[column]])?;
        to.define(&[!lit, row_second[row], column_first[column]])?;
    }
    let [second, one_row, one_column] = [(); 3].map(|()| to.lit());
    for &row in &row_second {
        to.define(&[!row, second])?;
    }
    to.define(&[!second, one_row])?;
    to.define(&[!second, one_column])?;
    to.define(&[one_row, one_column])?;
    for (mut first, second, one) in [(row_first, row_second, one_row), (column_first, column_second, one_column)] {
        for (&first, &second) in first.iter().zip(&second) {
            to.clause(&[!first, !second])?;
        }
        at_most_one(to, &second)?;
        first.push(one);
        Relation::AtMost(2).encode(&Moved, to, &first)?;
    }
    Ok(())
}

/// At most k: rows choose buckets, their inputs move there, and at most k cells of buckets are true.
fn chosen(to: &mut Writer<'_>, lits: &[Lit], k: usize, code: RowCode, columns: usize) -> Result<(), Full> {
    let rows = lits.len().div_ceil(columns);
    let cells = to.lits(code.all_buckets(rows) * columns);
    let mut choosing: Vec<Vec<Lit>> = vec![Vec::new(); code.all_buckets(rows)];
    let mut clause = Vec::with_capacity(code.choices + 1);
    for (row, inputs) in lits.chunks(columns).enumerate() {
        let chosen = to.lits(code.choices);
        for &lit in inputs {
            clause.clear();
            clause.push(!lit);
            clause.extend_from_slice(&chosen);
            to.define(&clause)?;
        }
        for (&choice, bucket) in chosen.iter().zip(code.row_buckets(rows, row)) {
            choosing[bucket].push(choice);
            for (&lit, &cell) in inputs.iter().zip(&cells[bucket * columns..]) {
                to.define(&[!lit, !choice, cell])?;
            }
        }
    }
    for rows in &choosing {
        at_most_one(to, rows)?;
    }
    Relation::AtMost(k).encode(&Moved, to, &cells)
}

/// At most k: rows with true inputs are active, a cell of any bucket is true for each input, and a bucket that has a
/// true cell has at most one active row. Of any k rows each has a bucket of its own.
fn alone(to: &mut Writer<'_>, lits: &[Lit], k: usize, code: RowCode, columns: usize) -> Result<(), Full> {
    let rows = lits.len().div_ceil(columns);
    let used = to.lits(code.all_buckets(rows));
    let cells = to.lits(used.len() * columns);
    let mut active: Vec<Vec<Lit>> = vec![Vec::new(); used.len()];
    let mut clause = Vec::with_capacity(code.choices + 1);
    for (row, inputs) in lits.chunks(columns).enumerate() {
        let this = to.lit();
        let buckets = code.row_buckets(rows, row);
        buckets.clone().for_each(|bucket| active[bucket].push(this));
        for (column, &lit) in inputs.iter().enumerate() {
            to.define(&[!lit, this])?;
            clause.clear();
            clause.push(!lit);
            clause.extend(buckets.clone().map(|bucket| cells[bucket * columns + column]));
            to.define(&clause)?;
        }
    }
    for ((&used, cells), rows) in used.iter().zip(cells.chunks(columns)).zip(&active) {
        for &cell in cells {
            to.define(&[!cell, used])?;
        }
        to.under(&[!used], false, &mut |to| at_most_one(to, rows))?;
    }
    Relation::AtMost(k).encode(&Moved, to, &cells)
}

/// Whatever is smallest, however few inputs there are.
struct Moved;

impl ByRelation for Moved {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        match relation {
            Relation::AtMost(k) => CompressionStep::known(lits.len(), k).0.write(to, lits, k),
            Relation::AtLeast(k) => {
                let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
                self.encode(to, &negated, Relation::AtMost(lits.len() - k))
            }
            Relation::Exactly(_) => relation.encode(&GeneralizedProduct, to, lits),
        }
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        match relation {
            Relation::AtMost(k) => CompressionStep::known(n, k).1,
            Relation::AtLeast(k) => CompressionStep::known(n, n - k).1,
            Relation::Exactly(_) => relation.size(&GeneralizedProduct, n),
        }
    }
}

/// Fewer inputs stay where they are, and unit propagation is complete.
const FEWEST_INPUTS: usize = 20;

impl ByRelation for GridCompression {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        if lits.len() < FEWEST_INPUTS {
            return relation.encode(&GeneralizedProduct, to, lits);
        }
        relation.encode(&Moved, to, lits)
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        if n < FEWEST_INPUTS { relation.size(&GeneralizedProduct, n) } else { relation.size(&Moved, n) }
    }

    fn encoding_name(&self) -> Option<EncodingName> {
        Some(EncodingName::Named("grid-compression"))
    }
}

#[cfg(test)]
mod tests {
    use rustsat::solvers::{SolveIncremental, SolverResult};
    use rustsat_batsat::BasicSolver;

    use super::*;
    use crate::card::Adder;
    use crate::card::tests::check_sizes_and_large;
    use crate::encode::AtMostK;
    use crate::testing::{Engine, Recorder, card_suite, inputs};
    use crate::{ClauseSink, Tally};

    /// Steps that are too large to be taken for few inputs.
    #[derive(Debug)]
    struct Forced(fn(usize, usize) -> CompressionStep);

    impl ByRelation for Forced {
        fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
            match relation {
                Relation::AtMost(k) => self.0(lits.len(), k).write(to, lits, k),
                _ => relation.encode(&GridCompression, to, lits),
            }
        }

        fn size(&self, n: usize, relation: Relation) -> Size {
            match relation {
                Relation::AtMost(k) => self.0(n, k).size(n, k),
                _ => relation.size(&GridCompression, n),
            }
        }
    }

    fn two_corners(_: usize, k: usize) -> CompressionStep {
        if k == 2 { CompressionStep::Corners(2) } else { CompressionStep::Direct }
    }

    const PAIRS: RowCode = RowCode { choices: 2, digits: 2, base: 2 };
    const TRIPLES: RowCode = RowCode { choices: 3, digits: 2, base: 3 };

    fn two_choices(n: usize, k: usize) -> CompressionStep {
        if (3..=8).contains(&n) && k <= 5 { CompressionStep::Chosen(PAIRS, 2) } else { CompressionStep::Direct }
    }

    fn one_alone(n: usize, k: usize) -> CompressionStep {
        let code = RowCode { choices: k, digits: 2, base: 2 };
        if (3..=8).contains(&n) && (2..=3).contains(&k) {
            CompressionStep::Alone(code, 2)
        } else {
            CompressionStep::Direct
        }
    }

    fn halves(_: usize, k: usize) -> CompressionStep {
        if k >= 2 { CompressionStep::Halved } else { CompressionStep::Direct }
    }

    // Nothing is moved of few inputs.
    card_suite!(suite: GridCompression, Gac);
    card_suite!(moved: Moved, Consistent);
    card_suite!(halved: Forced(halves), Checks);
    card_suite!(corners_weak: Forced(two_corners), Weak);
    card_suite!(alone_weak: Forced(one_alone), Weak);
    card_suite!(chosen_weak: Forced(two_choices), Weak);

    #[test]
    fn sizes_up_to_64_and_large() {
        check_sizes_and_large(&GridCompression);
    }

    /// Sets of k and of k + 1 inputs by lot: the former are allowed, the latter are not.
    fn check_by_lot(step: CompressionStep, n: usize, k: usize, sets: usize) {
        let (lits, mut recorder) = (inputs(n), Recorder::new(n));
        recorder.write_by(&mut |to| step.write(to, &lits, k)).unwrap();
        assert_eq!(recorder.size(n), step.size(n, k), "{step:?} {k} of {n}");
        let mut solver = BasicSolver::default();
        let mut sink = crate::SolverSink::new(&mut solver, n);
        sink.write_by(&mut |to| step.write(to, &lits, k)).unwrap();
        let mut random = crate::random::Random::new(7);
        for _ in 0..sets {
            let mut all = lits.clone();
            for i in 0..=k {
                all.swap(i, i + random.below(n - i));
            }
            for (set, answer) in [(&all[..k], SolverResult::Sat), (&all[..=k], SolverResult::Unsat)] {
                assert_eq!(sink.solver().solve_assumps(set).unwrap(), answer, "{step:?} {k} of {n}: {set:?}");
            }
        }
    }

    #[test]
    fn all_sets_of_two_and_three_in_corners() {
        for (n, columns) in [(7, 2), (9, 3), (11, 4)] {
            let (lits, mut recorder) = (inputs(n), Recorder::new(n));
            recorder.write_by(&mut |to| corners(to, &lits, columns)).unwrap();
            let mut engine = Engine::new(&recorder);
            for set in 0_u32..1 << n {
                if set.count_ones() > 3 {
                    continue;
                }
                let mark = engine.mark();
                let all = (0..n).filter(|i| set >> i & 1 == 1).all(|i| engine.assume(lits[i]));
                assert_eq!(all && engine.satisfiable(), set.count_ones() <= 2, "{set:b} of {n}");
                engine.undo(mark);
            }
        }
    }

    #[test]
    fn sets_by_lot_in_all_steps() {
        for k in 1..=5 {
            check_by_lot(CompressionStep::Chosen(RowCode { base: 3, ..PAIRS }, 2), 17, k, 20);
        }
        for k in 1..=4 {
            check_by_lot(CompressionStep::Chosen(TRIPLES, 2), 18, k, 10);
            check_by_lot(CompressionStep::Chosen(RowCode { digits: 3, base: 2, ..TRIPLES }, 2), 15, k, 10);
        }
        for (k, base) in [(2, 3), (3, 4), (4, 5)] {
            let code = RowCode { choices: k, digits: 2, base };
            check_by_lot(CompressionStep::Alone(code, 2), 2 * base * base - 1, k, 10);
        }
        check_by_lot(CompressionStep::Corners(6), 34, 2, 50);
        for (n, k) in [(9, 3), (20, 5), (31, 12), (40, 6), (41, 7)] {
            check_by_lot(CompressionStep::Halved, n, k, 10);
        }
    }

    /// Any so many rows as are claimed have different buckets, and one more may not: by all sets of buckets.
    #[test]
    fn rows_have_as_many_buckets_as_claimed() {
        let codes = [(2, 2, 4, 16), (3, 3, 3, 27), (3, 2, 4, 16), (3, 2, 5, 25), (4, 3, 3, 27), (4, 2, 5, 25)];
        for (choices, digits, base, rows) in codes {
            let code = RowCode { choices, digits, base };
            assert!(code.is_separating());
            let masks: Vec<u32> = (0..rows)
                .map(|row| (0..choices).map(|class| 1 << (class * base + code.bucket(row, class))).sum())
                .collect();
            let reach = RowCode::reach(choices, digits);
            let inside = |buckets: u32| masks.iter().filter(|&&row| row & !buckets == 0).count();
            let sets = (0_u32..1 << (choices * base)).filter(|set| (set.count_ones() as usize) < reach);
            for set in sets {
                assert!(inside(set) <= set.count_ones() as usize, "{code:?}: {set:b}");
            }
            for class in 0..choices {
                let mut loads = vec![0; base];
                (0..rows - 1).for_each(|row| loads[code.bucket(row, class)] += 1);
                for (buckets, load) in code.loads(rows - 1, class) {
                    assert!(load == 0 || loads.iter().filter(|&&of| of == load).count() >= buckets, "{code:?}");
                }
            }
        }
        let reached = [(2, 2), (3, 2), (3, 3), (4, 2), (4, 3), (5, 2), (8, 2)].map(|(d, e)| RowCode::reach(d, e));
        assert_eq!(reached, [5, 11, 6, 19, 10, 29, 71]);
    }

    /// The figures of the documentation, and no shape larger than what compresses nothing.
    #[test]
    fn sizes_of_what_is_large() {
        for n in [40, 64, 100, 300, 1_000, 3_000, 10_000] {
            for k in [2, 3, 4, 5, 6, 7, 10, 11, 12, 18, 20, 32, 50].into_iter().filter(|k| 3 * k < n) {
                let (step, size) = CompressionStep::known(n, k);
                let direct = CompressionStep::Direct.size(n, k);
                println!("at most {k} of {n}: {size} = {}, {} before; {step:?}", size.cost(), direct.cost());
                assert!(size.cost() <= direct.cost());
                assert!(size.cost() <= Adder::default().full(false).amk_size(n, k).cost());
                let mut tally = Tally::new(n);
                tally.write_by(&mut |to| step.write(to, &inputs(n), k)).unwrap();
                assert_eq!(tally.size(), size, "at most {k} of {n}");
            }
        }
        assert!(CompressionStep::known(10_000, 2).1.cost() < 23_000);
        assert!(CompressionStep::known(1_000, 10).1.clauses < 6_000);
    }

    /// Those of adders that are defined in one direction were the smallest.
    #[test]
    fn at_most_those_of_adders() {
        for (n, k) in [(20, 5), (50, 10), (100, 10), (100, 50), (200, 100), (1_000, 10), (1_000, 500)] {
            let (size, before) = (GridCompression.amk_size(n, k), Adder::default().full(false).amk_size(n, k));
            println!("at most {k} of {n}: {size}, {before} before");
            assert!(size.vars <= before.vars && size.clauses <= before.clauses, "{k} of {n}: {size}, {before}");
        }
    }
}
