//! The front door: [`Constrain`] folds every trivial case once, so that encoders only ever see real work.

mod fold;
mod offer;
mod reify;
mod weights;

use rustsat::types::Lit;

use self::fold::{Bounds, Case, Folded, fold};
use self::offer::{Taken, offered_after, offered_iff};
use self::reify::{half_size, shared};
use self::weights::weighted;
use crate::encode::{AtMostK, AtMostOne};
use crate::guard::{Guarded, KeepOrder};
use crate::sink::{ClauseSink, Size};

// Until all files name the rooms where these live.
pub(crate) use crate::encode::check_known;
pub(crate) use crate::relation::Relation;

/// Cardinality constraints on every [`ClauseSink`].
///
/// `lits` is a multiset: a literal given twice counts twice, and a literal beside its negation counts exactly one.
/// Trivial cases (k = 0, k = n − 1, k ≥ n, no literals …) become units, one clause, or nothing, whatever the encoding; a
/// bound that cannot be met becomes the empty clause, or the negated condition under [`when`](Self::when). Literals are
/// sorted by variable before encoding unless [`keep_order`](Self::keep_order) says otherwise.
///
/// ```
/// use cnfkit::{CardEncoding, Cnf, ClauseSink, Constrain, Pairwise};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(5);
/// cnf.exactly_one(&x, &Pairwise).unwrap();
/// cnf.at_most(&x[1..], 2, &CardEncoding::Auto).unwrap();
/// cnf.when(&[x[0]]).at_least(&[!x[1], !x[2], !x[3]], 2, &CardEncoding::Auto).unwrap();
/// ```
///
/// # Errors
/// Every method fails only as the sink fails: a [`Cnf`](crate::Cnf) refuses what is larger than its limit.
///
/// # Panics
/// When a literal's variable is at or above [`next_var`](ClauseSink::next_var): a variable that the sink does not know
/// would later be handed out a second time as an auxiliary.
pub trait Constrain: ClauseSink {
    /// At most one of `lits` is true.
    ///
    /// # Errors
    /// As the sink fails.
    fn at_most_one<E: AtMostOne>(&mut self, lits: &[Lit], enc: &E) -> Result<(), Self::Error> {
        amo(self, lits, enc, false)
    }

    /// Exactly one of `lits` is true.
    ///
    /// # Errors
    /// As the sink fails.
    fn exactly_one<E: AtMostOne>(&mut self, lits: &[Lit], enc: &E) -> Result<(), Self::Error> {
        amo(self, lits, enc, true)
    }

    /// At most `k` of `lits` are true.
    ///
    /// # Errors
    /// As the sink fails.
    fn at_most<E: AtMostK>(&mut self, lits: &[Lit], k: usize, enc: &E) -> Result<(), Self::Error> {
        self.cardinality(lits, Relation::AtMost(k), enc)
    }

    /// At least `k` of `lits` are true.
    ///
    /// # Errors
    /// As the sink fails.
    fn at_least<E: AtMostK>(&mut self, lits: &[Lit], k: usize, enc: &E) -> Result<(), Self::Error> {
        self.cardinality(lits, Relation::AtLeast(k), enc)
    }

    /// Exactly `k` of `lits` are true.
    ///
    /// # Errors
    /// As the sink fails.
    fn exactly<E: AtMostK>(&mut self, lits: &[Lit], k: usize, enc: &E) -> Result<(), Self::Error> {
        self.cardinality(lits, Relation::Exactly(k), enc)
    }

    /// As many of `lits` are true as `relation` says: the method behind [`at_most`](Self::at_most),
    /// [`at_least`](Self::at_least) and [`exactly`](Self::exactly), for a relation that is data.
    ///
    /// # Errors
    /// As the sink fails.
    fn cardinality<E: AtMostK>(&mut self, lits: &[Lit], relation: Relation, enc: &E) -> Result<(), Self::Error> {
        let bounds = Bounds { least: relation.least().unwrap_or(0), most: relation.most().unwrap_or(usize::MAX) };
        bounded(self, lits, bounds, enc)
    }

    /// `r` is true if and only if at most `k` of `lits` are.
    ///
    /// One structure defined in both directions, where the encoding [counts](AtMostK::outputs) and that takes no more
    /// variables + clauses than the two halves under conditions; otherwise those. The same for the other two.
    ///
    /// # Errors
    /// As the sink fails.
    fn iff_at_most<E: AtMostK>(&mut self, r: Lit, lits: &[Lit], k: usize, enc: &E) -> Result<(), Self::Error> {
        check_known(self, lits);
        check_known(self, &[r]);
        let Some(more) = k.checked_add(1) else {
            return self.add_clause(&[r]);
        };
        match offered_iff(self, r, lits, Relation::AtMost(k), enc.aim())? {
            Taken::Whole => return Ok(()),
            Taken::Half => {}
            Taken::Nothing => {
                if shared(self, !r, lits, (more, more), enc)? {
                    return Ok(());
                }
                let (below, above) = (Bounds { least: 0, most: k }, Bounds { least: more, most: usize::MAX });
                let size = half_size(self, r, lits, below, enc) + half_size(self, !r, lits, above, enc);
                self.reserve(&size)?;
                self.when(&[r]).at_most(lits, k, enc)?;
            }
        }
        self.when(&[!r]).at_least(lits, more, enc)
    }

    /// `r` is true if and only if at least `k` of `lits` are.
    ///
    /// # Errors
    /// As the sink fails.
    fn iff_at_least<E: AtMostK>(&mut self, r: Lit, lits: &[Lit], k: usize, enc: &E) -> Result<(), Self::Error> {
        match k.checked_sub(1) {
            Some(less) => self.iff_at_most(!r, lits, less, enc),
            None => {
                check_known(self, lits);
                check_known(self, &[r]);
                self.add_clause(&[r])
            }
        }
    }

    /// `r` is true if and only if exactly `k` of `lits` are.
    ///
    /// # Errors
    /// As the sink fails.
    fn iff_exactly<E: AtMostK>(&mut self, r: Lit, lits: &[Lit], k: usize, enc: &E) -> Result<(), Self::Error> {
        check_known(self, &[r]);
        let more = k.saturating_add(1);
        match offered_iff(self, r, lits, Relation::Exactly(k), enc.aim())? {
            Taken::Whole => return Ok(()),
            Taken::Half => {}
            Taken::Nothing => {
                if shared(self, r, lits, (k, more), enc)? {
                    return Ok(());
                }
                let (exactly, above) = (Bounds { least: k, most: k }, Bounds { least: more, most: usize::MAX });
                let mut size = half_size(self, r, lits, exactly, enc) + half_size(self, !r, lits, above, enc);
                if let Some(less) = k.checked_sub(1) {
                    // The other side, and which side it is.
                    let below = half_size(self, !r, lits, Bounds { least: 0, most: less }, enc);
                    size += below + Size { vars: 1, clauses: 0, lits: size.clauses.saturating_add(below.clauses) };
                }
                self.reserve(&size)?;
                self.when(&[r]).exactly(lits, k, enc)?;
            }
        }
        let Some(less) = k.checked_sub(1) else {
            return self.when(&[!r]).at_least(lits, 1, enc);
        };
        if more > lits.len() {
            return self.when(&[!r]).at_most(lits, less, enc);
        }
        // Not exactly k: fewer, or more, as the solver likes.
        let few = self.new_lit();
        self.when(&[!r, few]).at_most(lits, less, enc)?;
        self.when(&[!r, !few]).at_least(lits, more, enc)
    }

    /// Everything sent through the result holds when all of `cond` are true.
    ///
    /// Only clauses that enforce something get the negated condition; those that define auxiliaries stay as they are.
    ///
    /// # Panics
    /// When a literal of `cond` is at or above [`next_var`](ClauseSink::next_var).
    fn when(&mut self, cond: &[Lit]) -> Guarded<'_, Self> {
        check_known(self, cond);
        Guarded::new(self, cond)
    }

    /// Everything sent through the result is encoded in the order in which its literals are given.
    fn keep_order(&mut self) -> KeepOrder<'_, Self> {
        KeepOrder::new(self)
    }
}

impl<S: ClauseSink + ?Sized> Constrain for S {}

fn units<S: ClauseSink + ?Sized>(sink: &mut S, lits: impl ExactSizeIterator<Item = Lit>) -> Result<(), S::Error> {
    sink.reserve(&Size::clauses(lits.len() as u64, 1))?;
    lits.into_iter().try_for_each(|lit| sink.add_clause(&[lit]))
}

fn amo<S: ClauseSink + ?Sized, E: AtMostOne>(
    sink: &mut S,
    lits: &[Lit],
    enc: &E,
    exactly: bool,
) -> Result<(), S::Error> {
    let Folded { mut lits, taken, repeats } = fold(sink, lits);
    match taken {
        0 => {}
        1 => {
            lits.to_mut().sort_unstable();
            lits.to_mut().dedup();
            return units(sink, lits.iter().map(|&lit| !lit));
        }
        _ => return sink.add_clause(&[]),
    }
    let mut banned: Vec<Lit> = Vec::new();
    if repeats {
        // What counts twice cannot be true at all.
        let mut count: rustc_hash::FxHashMap<Lit, usize> = rustc_hash::FxHashMap::default();
        lits.iter().for_each(|&lit| *count.entry(lit).or_default() += 1);
        banned.extend(count.iter().filter(|&(_, &n)| n > 1).map(|(&lit, _)| !lit));
        banned.sort_unstable();
        lits.to_mut().retain(|lit| count[lit] == 1);
    }
    let n = lits.len();
    if offered_after(sink, &banned, &lits, if exactly { Relation::Exactly(1) } else { Relation::AtMost(1) }, enc.aim())?
    {
        return Ok(());
    }
    let mut size = if n < 2 { Size::ZERO } else { enc.amo_size(n) };
    if exactly {
        size += Size::clause(n);
    }
    sink.reserve(&(size + Size::clauses(banned.len() as u64, 1)))?;
    banned.iter().try_for_each(|&lit| sink.add_clause(&[lit]))?;
    if exactly {
        sink.add_clause(&lits)?;
    }
    if n < 2 { Ok(()) } else { enc.at_most_one(sink, &lits) }
}

fn bounded<S: ClauseSink + ?Sized, E: AtMostK>(
    sink: &mut S,
    lits: &[Lit],
    bounds: Bounds,
    enc: &E,
) -> Result<(), S::Error> {
    let Folded { lits, taken, repeats } = fold(sink, lits);
    if taken > bounds.most {
        return sink.add_clause(&[]);
    }
    let most = if bounds.most == usize::MAX { usize::MAX } else { bounds.most - taken };
    let bounds = Bounds { least: bounds.least.saturating_sub(taken), most };
    if repeats {
        return weighted(sink, &lits, bounds, enc);
    }
    if bounds.least > lits.len() {
        return sink.add_clause(&[]);
    }
    distinct(sink, &[], &lits, bounds, enc)
}

/// The folds that are left for literals that occur once each, after the units `forced`; `bounds.least <= lits.len()`.
fn distinct<S: ClauseSink + ?Sized, E: AtMostK>(
    sink: &mut S,
    forced: &[Lit],
    lits: &[Lit],
    bounds: Bounds,
    enc: &E,
) -> Result<(), S::Error> {
    let case = Case::of(lits.len(), bounds);
    if let Case::Relation(relation) = case
        && offered_after(sink, forced, lits, relation, enc.aim())?
    {
        return Ok(());
    }
    sink.reserve(&(Size::clauses(forced.len() as u64, 1) + case.size(enc, lits.len())))?;
    forced.iter().try_for_each(|&lit| sink.add_clause(&[lit]))?;
    match case {
        Case::Nothing => Ok(()),
        Case::NoneTrue => lits.iter().try_for_each(|&lit| sink.add_clause(&[!lit])),
        Case::AllTrue => lits.iter().try_for_each(|&lit| sink.add_clause(&[lit])),
        Case::Relation(relation) => relation.encode(enc, sink, lits),
    }
}
