//! [`SequentialCounter`]: counts along the literals, in three forms: Knuth's grid, one-sided or defined in both
//! directions, and the counter as Sinz published it.

use rustsat::types::Lit;

use super::count::trivial_size;
use super::{Count, Counter};
use crate::encode::ByRelation;
use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// A counter that walks over the literals: auxiliaries say how many of the first i are true.
///
/// With m = n − k:
///
/// | form | relation | auxiliaries | clauses | enforcing |
/// |---|---|---|---|---|
/// | [`Knuth`](SequentialForm::Knuth) | at most k | k·m − 2 | 2k·m + m − k − 2 | m + 1 |
/// | | at least k | k·m − 2 | 2k·m + k − m − 2 | k + 1 |
/// | | exactly k | k·m − 2 | 4k·m − 4 | n + 2 |
/// | [`Sinz`](SequentialForm::Sinz) | at most k | (n−1)k | 2nk + n − 3k − 1 | n − 1 |
/// | | at least k | (n−1)k | 2nk − n − 3k + 4 | 2 |
/// | | exactly k | (n−1)k | 4nk − 7k + 4, less 1 if k = 1 | n + 1, less 1 if k = 1 |
/// | [`Full`](SequentialForm::Full) | at most k | k·m − 1 | 4k·m − k − 2 | m |
/// | | at least k | k·m − 1 | 4k·m − m − 2 | k |
/// | | exactly k | k·m − 2 | 4k·m − 4 | n + 2 |
///
/// At most k enforces through n − k clauses at least, whichever they are: k + 1 literals in succession are forbidden by
/// clauses that have none in common with those for the next k + 1, and one of them must enforce. A
/// [`Totalizer`](crate::Totalizer) or [`Network`](crate::Network) has fewer under a condition where k is small.
///
/// [`Sinz`](SequentialForm::Sinz) has few clauses for at least and exactly k too: it negates the literals where
/// counting to n − k is smaller. Every form is generalised arc consistent. In the one-sided forms an auxiliary is
/// forced true by at most k and forced false by at least k; exactly k has both directions on the same auxiliaries.
///
/// The counter is small for small k *and* for small n − k, and strong in practice on capacities (pigeonhole and its
/// kin). For k near n/2 and large n its k·m growth loses to totalizers and networks.
///
/// Sources: C. Sinz, *Towards an optimal CNF encoding of Boolean cardinality constraints*, CP 2005, LNCS 3709, pages
/// 827–831; D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.2, formulas (18) and (19).
///
/// ```
/// use cnfkit::{AtMostK, SequentialCounter, SequentialForm, Size};
/// let size = SequentialCounter::default().amk_size(1000, 10);
/// assert_eq!((size.vars, size.clauses), (9_898, 20_778));
/// let sinz = SequentialCounter::default().form(SequentialForm::Sinz);
/// assert_eq!((sinz.amk_size(1000, 10).vars, sinz.amk_size(1000, 10).clauses), (9_990, 20_969));
/// ```
#[doc(alias = "seqcounter")]
#[doc(alias = "SequentialCounterEncoder")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SequentialCounter {
    /// The auxiliaries and the clauses that are made.
    pub form: SequentialForm,
}

crate::encode::options!(SequentialCounter { form: SequentialForm = SequentialForm::Knuth });

/// The forms of the [`SequentialCounter`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SequentialForm {
    /// Knuth's counter has only the counts that still matter, one-sided, and lacks the two auxiliaries that equal an
    /// input. It is the smallest form.
    #[default]
    Knuth,
    /// The counter as Sinz published it.
    Sinz,
    /// Knuth's grid with every auxiliary defined in both directions: exactly one model per model of the inputs, for
    /// counting.
    Full,
}

impl ByRelation for SequentialCounter {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        if self.form != SequentialForm::Sinz {
            return self.grid(relation).encode(to, lits);
        }
        let counter = Sinz::smaller(lits.len(), relation);
        if counter.0 == relation {
            return counter.encode(to, lits);
        }
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        counter.encode(to, &negated)
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        match self.form {
            SequentialForm::Sinz => Sinz::smaller(n, relation).size(n),
            _ => self.grid(relation).size(n),
        }
    }

    fn outputs(&self, to: &mut Writer<'_>, lits: &[Lit], first: usize, last: usize) -> Result<Vec<Lit>, Full> {
        prefixes(to, lits, first, last)
    }

    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        Some(prefixes_size(n, first, last))
    }

    fn one_model(&self) -> bool {
        self.form == SequentialForm::Full
    }

    crate::encode::named!("sequential");
}

impl SequentialCounter {
    fn grid(self, relation: Relation) -> KnuthGrid {
        KnuthGrid { relation, full: self.form == SequentialForm::Full }
    }
}

impl Counter for SequentialCounter {
    /// Defines the counts of all prefixes in both directions, whatever the [`form`](Self::form).
    fn count_to(&self, to: &mut Writer<'_>, lits: &[Lit], upto: usize) -> Result<Count, Full> {
        let upto = upto.min(lits.len());
        let outputs = if upto == 0 { Vec::new() } else { prefixes(to, lits, 1, upto)? };
        Ok(Count::new(lits.len(), outputs))
    }

    fn count_size(&self, n: usize, upto: usize) -> Size {
        trivial_size(n, upto).unwrap_or_else(|| prefixes_size(n, 1, upto.min(n)))
    }
}

/// Literals for *at least j of `lits` are true*, for j from `first` to `last`, by the counts of all prefixes that
/// matter for that: at least j of the first i matters if j ≤ `last`, and if the other n − i may make `first` of it.
fn prefixes(to: &mut Writer<'_>, lits: &[Lit], first: usize, last: usize) -> Result<Vec<Lit>, Full> {
    let least = |i: usize| (first + i).saturating_sub(lits.len()).max(1);
    let mut row: Vec<Lit> = Vec::with_capacity(last);
    let mut above: Vec<Lit> = Vec::with_capacity(last);
    row.push(lits[0]);
    for (&x, i) in lits[1..].iter().zip(2..) {
        std::mem::swap(&mut above, &mut row);
        row.clear();
        // The counts of `above` start here.
        let start = least(i - 1);
        for j in least(i)..=last.min(i) {
            let s = to.lit();
            row.push(s);
            match above.get(j - start) {
                Some(&above) => {
                    to.define(&[!above, s])?;
                    to.define(&[above, x, !s])?;
                }
                None => to.define(&[x, !s])?,
            }
            if j == 1 {
                to.define(&[!x, s])?;
            } else {
                let less = above[j - 1 - start];
                to.define(&[!x, !less, s])?;
                to.define(&[less, !s])?;
            }
        }
    }
    Ok(row)
}

/// The size of [`prefixes`]: four clauses a count, but one less where all so far would have to be true or one is
/// enough.
fn prefixes_size(n: usize, first: usize, last: usize) -> Size {
    let (n, first, last) = (n as u64, first as u64, last as u64);
    let triangle = |side: u64| side.saturating_mul(side.saturating_add(1)) / 2;
    let counts = (last.saturating_mul(n - last).saturating_add(triangle(last)) - 1).saturating_sub(triangle(first - 1));
    let edges = (last - 1) + (n - first);
    let twice = counts.saturating_mul(2);
    Size::variables(counts) + Size::clauses(twice, 2) + Size::clauses(twice.saturating_sub(edges), 3)
}

/// Knuth's grid: `s(t, j)`, for 1 ≤ t ≤ n − k and 1 ≤ j ≤ k, says that at least j of the first t + j − 1 literals are
/// true.
///
/// `s(1, 1)` is the first literal itself. Where the last clause may be taken for a definition, `s(n − k, k)` is the
/// last literal's negation: if k of the others are true, the last is not.
#[derive(Clone, Copy)]
struct KnuthGrid {
    relation: Relation,
    /// Auxiliaries are defined in both directions, not only in the one that the relation needs.
    full: bool,
}

/// One auxiliary of the grid, and what its clauses speak of.
#[derive(Clone, Copy)]
struct KnuthCell {
    s: Lit,
    /// The literal that is counted here.
    x: Lit,
    /// At least j of one literal less, `s(t − 1, j)`.
    above: Option<Lit>,
    /// At least one fewer of one literal less, `s(t, j − 1)`.
    left: Option<Lit>,
    /// It is the last literal's negation: what defines it enforces.
    binds: bool,
}

impl KnuthCell {
    #[inline]
    fn send(self, to: &mut Writer<'_>, clause: &[Lit]) -> Result<(), Full> {
        if self.binds { to.clause(clause) } else { to.define(clause) }
    }

    /// Makes the auxiliary true where j literals are true without x, or j − 1 and x.
    #[inline]
    fn rises(self, to: &mut Writer<'_>) -> Result<(), Full> {
        let Self { s, x, .. } = self;
        if let Some(above) = self.above {
            self.send(to, &[!above, s])?;
        }
        match (self.above, self.left) {
            (None, None) => Ok(()), // s is x
            (_, None) => self.send(to, &[!x, s]),
            (_, Some(left)) => self.send(to, &[!x, !left, s]),
        }
    }

    /// Makes the auxiliary false where not even j − 1 literals are true, or fewer than j and not x.
    #[inline]
    fn falls(self, to: &mut Writer<'_>) -> Result<(), Full> {
        let Self { s, x, .. } = self;
        if let Some(left) = self.left {
            self.send(to, &[!s, left])?;
        }
        match (self.above, self.left) {
            (None, None) => Ok(()), // s is x
            (None, _) => self.send(to, &[!s, x]),
            (Some(above), _) => self.send(to, &[!s, above, x]),
        }
    }
}

impl KnuthGrid {
    /// Clauses make auxiliaries true: the count is at least that.
    const fn up(self) -> bool {
        self.full || self.relation.forbids_more()
    }

    /// Clauses make auxiliaries false: the count is less.
    const fn down(self) -> bool {
        self.full || self.relation.forbids_fewer()
    }

    /// True if `s(n − k, k)` is the last literal's negation: not when it is defined in a direction that is not
    /// enforced.
    const fn closed(self) -> bool {
        !self.full || matches!(self.relation, Relation::Exactly(_))
    }

    fn encode(self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        let (k, (up, down)) = (self.relation.bound(), (self.up(), self.down()));
        let rows = lits.len() - k;
        let mut above: Vec<Lit> = Vec::with_capacity(k);
        let mut row: Vec<Lit> = Vec::with_capacity(k);
        for t in 1..=rows {
            let last = t == rows && self.closed();
            std::mem::swap(&mut above, &mut row);
            row.clear();
            for j in 1..=k {
                let binds = last && j == k;
                let s = match (t, j) {
                    (1, 1) => lits[0],
                    _ if binds => !lits[rows + k - 1],
                    _ => to.lit(),
                };
                let cell = KnuthCell {
                    s,
                    x: lits[t + j - 2],
                    above: (t > 1).then(|| above[j - 1]),
                    left: (j > 1).then(|| row[j - 2]),
                    binds,
                };
                row.push(s);
                if up {
                    cell.rises(to)?;
                }
                if down {
                    cell.falls(to)?;
                }
            }
            if self.relation.forbids_more() && !last {
                to.clause(&[!lits[t + k - 1], !row[k - 1]])?;
            }
        }
        if self.relation.forbids_fewer() { self.demand(to, &lits[rows..], &row) } else { Ok(()) }
    }

    /// At least k: of the first n − k + j − 1 literals at least j are true, or the next one makes up for it.
    fn demand(self, to: &mut Writer<'_>, rest: &[Lit], row: &[Lit]) -> Result<(), Full> {
        let open = row.len() - usize::from(self.closed());
        rest.iter().zip(&row[..open]).try_for_each(|(&x, &s)| to.clause(&[x, s]))
    }

    fn size(self, n: usize) -> Size {
        let k = self.relation.bound();
        let (columns, rows) = (k as u64, (n - k) as u64);
        let closed = u64::from(self.closed());
        let mut size = Size::variables(columns.saturating_mul(rows).saturating_sub(1 + closed));
        if self.up() {
            size += Size::clauses(columns, 2) * (rows - 1);
            size += Size::clauses(rows - 1, 2) + Size::clauses(columns - 1, 3) * rows;
        }
        if self.down() {
            size += Size::clauses(columns - 1, 2) * rows;
            size += Size::clauses(columns - 1, 2) + Size::clauses(columns, 3) * (rows - 1);
        }
        if self.relation.forbids_more() {
            size += Size::clauses(rows - closed, 2);
        }
        if self.relation.forbids_fewer() {
            size += Size::clauses(columns - closed, 2);
        }
        size
    }
}

/// Sinz's counter: `s(i, j)`, for 1 ≤ i ≤ n − 1 and 1 ≤ j ≤ k, says that at least j of the first i literals are true.
#[derive(Clone, Copy)]
struct Sinz(Relation);

impl Sinz {
    /// The counter for `relation`; for a lower bound, that for the false literals where it is smaller.
    fn smaller(n: usize, relation: Relation) -> Self {
        let (direct, negated) = (Self(relation), Self(relation.mirrored(n)));
        let may_negate = !matches!(relation, Relation::AtMost(_));
        if may_negate && negated.size(n).cost() < direct.size(n).cost() { negated } else { direct }
    }

    fn encode(self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        let k = self.0.bound();
        let (forbids_more, forbids_fewer) = (self.0.forbids_more(), self.0.forbids_fewer());
        let (&last, rest) = lits.split_last().expect("at least 3 literals");
        let mut row: Vec<Lit> = Vec::with_capacity(k);
        row.extend((0..k).map(|_| to.lit()));
        self.first_row(to, rest[0], &row)?;
        let mut above: Vec<Lit> = Vec::with_capacity(k);
        for &x in &rest[1..] {
            std::mem::swap(&mut above, &mut row);
            row.clear();
            for j in 0..k {
                let s = to.lit();
                row.push(s);
                let less = j.checked_sub(1).map(|less| above[less]);
                if forbids_more {
                    Self::rises(to, s, x, above[j], less)?;
                }
                if forbids_fewer {
                    Self::falls(to, s, x, above[j], less)?;
                }
            }
            if forbids_more {
                to.clause(&[!x, !above[k - 1]])?;
            }
        }
        if forbids_more {
            to.clause(&[!last, !row[k - 1]])?;
        }
        if forbids_fewer {
            to.clause(&[last, row[k - 1]])?;
            if k > 1 {
                to.clause(&[row[k - 2]])?;
            }
        }
        Ok(())
    }

    /// Of one literal at most one is true.
    fn first_row(self, to: &mut Writer<'_>, x: Lit, row: &[Lit]) -> Result<(), Full> {
        if self.0.forbids_more() {
            to.define(&[!x, row[0]])?;
        }
        if self.0.forbids_fewer() {
            to.define(&[!row[0], x])?;
        }
        row[1..].iter().try_for_each(|&s| to.define(&[!s]))
    }

    /// As many true literals before x (`above`), or one fewer (`less`; `None` where none are needed) and x, make `s`
    /// true.
    #[inline]
    fn rises(to: &mut Writer<'_>, s: Lit, x: Lit, above: Lit, less: Option<Lit>) -> Result<(), Full> {
        to.define(&[!above, s])?;
        match less {
            Some(less) => to.define(&[!x, !less, s]),
            None => to.define(&[!x, s]),
        }
    }

    /// Fewer true literals before x, without x, make `s` false, and so do even fewer (not `less`) whatever x is.
    #[inline]
    fn falls(to: &mut Writer<'_>, s: Lit, x: Lit, above: Lit, less: Option<Lit>) -> Result<(), Full> {
        to.define(&[!s, above, x])?;
        less.map_or(Ok(()), |less| to.define(&[!s, less]))
    }

    fn size(self, n: usize) -> Size {
        let k = self.0.bound();
        let (rows, columns) = (n as u64 - 2, k as u64);
        let mut size = Size::variables(columns.saturating_mul(rows + 1)) + Size::clauses(columns - 1, 1);
        if self.0.forbids_more() {
            let row = Size::clauses(columns, 2) + Size::clause(2) + Size::clauses(columns - 1, 3) + Size::clause(2);
            size += Size::clauses(2, 2) + row * rows;
        }
        if self.0.forbids_fewer() {
            let row = Size::clauses(columns, 3) + Size::clauses(columns - 1, 2);
            size += Size::clauses(2, 2) + Size::clauses(u64::from(k > 1), 1) + row * rows;
        }
        size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClauseSink;
    use crate::card::tests::{check_one_model_each, check_sizes_and_large};
    use crate::testing::{Recorder, card_suite, guarded, inputs, relations};
    use crate::{AtMostK, Constrain};

    const SINZ: SequentialCounter = SequentialCounter { form: SequentialForm::Sinz };
    const FULL: SequentialCounter = SequentialCounter { form: SequentialForm::Full };
    const FORMS: [SequentialCounter; 3] = [SequentialCounter { form: SequentialForm::Knuth }, SINZ, FULL];

    card_suite!(knuth: SequentialCounter::default(), Gac);
    card_suite!(sinz: SINZ, Gac);
    card_suite!(full: FULL, Gac);

    #[test]
    fn published_formulas() {
        for n in 3..=64_u64 {
            for k in 1..n - 1 {
                let m = n - k;
                let [knuth, sinz, full] = FORMS.map(|enc| enc.amk_size(n as usize, k as usize));
                assert_eq!((knuth.vars, knuth.clauses), (k * m - 2, 2 * k * m + m - k - 2));
                assert_eq!((sinz.vars, sinz.clauses), ((n - 1) * k, 2 * n * k + n - 3 * k - 1));
                assert_eq!((full.vars, full.clauses), (k * m - 1, 4 * k * m - k - 2));
            }
            for k in 2..n {
                let m = n - k;
                let [knuth, sinz, full] = FORMS.map(|enc| enc.alk_size(n as usize, k as usize));
                assert_eq!((knuth.vars, knuth.clauses), (k * m - 2, 2 * k * m + k - m - 2));
                assert_eq!((full.vars, full.clauses), (k * m - 1, 4 * k * m - m - 2));
                assert!(sinz.vars == (n - 1) * k.min(m) && sinz.clauses <= 2 * n * k + 4 - n - 3 * k);
            }
            for k in 1..n {
                let m = n - k;
                let [knuth, sinz, full] = FORMS.map(|enc| enc.exk_size(n as usize, k as usize));
                assert_eq!((knuth.vars, knuth.clauses), (k * m - 2, 4 * k * m - 4));
                assert_eq!(full, knuth);
                let k = k.min(m);
                assert_eq!((sinz.vars, sinz.clauses), ((n - 1) * k, 4 * n * k - 7 * k + 4 - u64::from(k == 1)));
            }
        }
    }

    #[test]
    fn sizes_up_to_64_and_large() {
        FORMS.iter().for_each(|enc| check_sizes_and_large(enc));
    }

    /// At least 10 of 1000 is no counter up to 990.
    #[test]
    fn at_least_keeps_the_small_bound() {
        for enc in FORMS {
            assert!(enc.alk_size(1000, 10).vars <= 9_990 && enc.alk_size(1000, 990).vars <= 9_990);
        }
    }

    #[test]
    fn a_condition_touches_only_what_enforces() {
        for (n, k) in [(8, 3), (20, 5), (9, 2)] {
            let m = n - k;
            let counts = FORMS.map(|enc| relations(k).map(|relation| guarded(&enc, relation, n)));
            assert_eq!(counts, [[m + 1, k + 1, n + 2], [n - 1, 2, n + 1], [m, k, n + 2]]);
        }
    }

    #[test]
    fn full_has_one_model_per_model_of_the_inputs() {
        check_one_model_each(&FULL);
    }

    #[test]
    fn knuth_at_most_one_of_three_is_pairwise() {
        let mut recorder = Recorder::new(3);
        recorder.at_most(&inputs(3), 1, &SequentialCounter::default()).unwrap();
        assert_eq!(recorder.clauses.len(), 3);
        assert_eq!(recorder.next_var().idx(), 3);
    }
}
