//! Constraints as folding left them, flat in memory: four bytes a literal, sixteen a weight, and a record a constraint.

use rustsat::types::Lit;

use crate::choose::{AmoEncoding, CardEncoding, OneModel, PbEncoding};
use crate::cnf::CapacityError;
use crate::constraint::{Constraint, EncodingName, Goal, Own, Sum, Terms};
use crate::encode::Encoding;
use crate::relation::PbRelation;
use crate::size::Size;

/// Parities of more literals are sums in OPB; others are all of their clauses, 2ⁿ⁻¹ of n literals.
const LONGEST_PARITY: usize = 8;

/// The bits of half the sum of a parity, which a long one has in OPB: none where it is clauses.
pub(super) const fn half_bits(n: usize, odd: bool) -> u32 {
    if n <= LONGEST_PARITY { 0 } else { usize::BITS - ((n - odd as usize) / 2).leading_zeros() }
}

/// All constraints of a formula.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptConstraints {
    /// The condition of each constraint, and the literals of counts, one after the other.
    lits: Vec<Lit>,
    /// The terms of sums of weights.
    terms: Vec<(Lit, u64)>,
    /// Where the groups of each sum end among its own terms.
    ends: Vec<usize>,
    records: Vec<Record>,
    /// The encodings that were asked for.
    asked: Vec<AskedEncoding>,
    /// Some constraint is a parity.
    pub(super) has_parities: bool,
    /// Long parities, by number, and the variables of OPB that they and those before them have beyond one each.
    long: Vec<(u32, u32)>,
}

/// Where a constraint ends in each list.
#[derive(Clone, Copy, Debug)]
struct Record {
    cond_end: u32,
    lits_end: u32,
    terms_end: u32,
    groups_end: u32,
    iff: Option<Lit>,
    /// Of a count, whose bound is below 2³², or of a sum of weights; exactly 1 of a parity that is odd, otherwise
    /// exactly 0.
    relation: PbRelation,
    kind: KeptKind,
    in_order: bool,
    /// The place of the encoding among those that were asked for.
    asked: u32,
}

/// The kind of what is bounded.
#[derive(Clone, Copy, Debug)]
enum KeptKind {
    Count,
    Weights,
    Parity,
}

/// The encoding that was asked for, one of those with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum AskedEncoding {
    Open(Goal),
    One(&'static AmoEncoding),
    Card(&'static CardEncoding),
    Weights(&'static PbEncoding),
    Own(Own),
}

impl AskedEncoding {
    /// The encoding of that name; `None` for a name that is nothing more.
    fn of(name: EncodingName) -> Option<Self> {
        match name {
            EncodingName::Open(goal) => return Some(Self::Open(goal)),
            EncodingName::Own(own) => return Some(Self::Own(own)), // whatever its name is
            _ => {}
        }
        let is = |named: Option<EncodingName>| named.and_then(EncodingName::name) == name.name();
        let card = || CardEncoding::ALL.iter().find(|enc| is(Encoding::encoding_name(*enc))).map(Self::Card);
        let one = || AmoEncoding::ALL.iter().find(|enc| is(Encoding::encoding_name(*enc))).map(Self::One);
        let weights = || PbEncoding::ALL.iter().find(|enc| is(Encoding::encoding_name(*enc))).map(Self::Weights);
        card().or_else(one).or_else(weights)
    }

    /// The encoding by which each solution has one model: this one, if it has that, or else the smallest.
    pub(super) fn for_counting(self) -> Self {
        let has_one_model = match self {
            Self::Open(_) => false,
            Self::One(enc) => Encoding::one_model(enc),
            Self::Card(enc) => Encoding::one_model(enc),
            Self::Weights(enc) => Encoding::one_model(enc),
            Self::Own(own) => own.encoding().one_model(),
        };
        if has_one_model { self } else { Self::Open(Goal::Counting) }
    }

    /// The encoding of counts, or of sums of weights.
    pub(super) fn encoding(self, is_count: bool) -> &'static dyn Encoding {
        match (self, is_count) {
            (Self::Open(Goal::Counting), _) => &OneModel,
            (Self::Open(Goal::Size), true) => &CardEncoding::Smallest,
            (Self::Open(Goal::Size), false) => &PbEncoding::Smallest,
            (Self::Open(_), true) => &CardEncoding::Auto,
            (Self::Open(_), false) => &PbEncoding::Auto,
            (Self::One(enc), _) => enc,
            (Self::Card(enc), _) => enc,
            (Self::Weights(enc), _) => enc,
            (Self::Own(own), _) => own.encoding(),
        }
    }

    pub(super) const fn goal(self) -> Option<Goal> {
        match self {
            Self::Open(goal) => Some(goal),
            _ => None,
        }
    }

    pub(super) fn encoding_name(self) -> EncodingName {
        let name = match self {
            Self::Open(goal) => return EncodingName::Open(goal),
            Self::One(enc) => Encoding::encoding_name(enc),
            Self::Card(enc) => Encoding::encoding_name(enc),
            Self::Weights(enc) => Encoding::encoding_name(enc),
            Self::Own(own) => Some(EncodingName::Own(own)),
        };
        name.expect("what is listed has a name")
    }
}

impl KeptConstraints {
    /// As many literals, terms and constraints as four-byte positions can tell apart.
    const MOST: usize = u32::MAX as usize;

    /// The encoding by which a constraint is kept; `None` where that has no name here.
    ///
    /// # Errors
    /// When there is no room for the constraint.
    pub(super) fn asked_for(&mut self, constraint: &Constraint<'_>) -> Result<Option<AskedEncoding>, CapacityError> {
        let Some(asked) = AskedEncoding::of(constraint.encoding) else { return Ok(None) };
        if self.has_room(constraint) {
            return Ok(Some(asked));
        }
        let held = Size { lits: self.n_lits() as u64, clauses: self.len() as u64, vars: 0 };
        let most = Self::MOST as u64;
        let limit = Size { vars: most, clauses: most, lits: most };
        let lits = constraint.cond.len() + constraint.lits().count();
        Err(CapacityError::new(held + Size::clause(lits), limit))
    }

    /// True if another constraint finds room.
    fn has_room(&mut self, constraint: &Constraint<'_>) -> bool {
        let (lits, terms, groups) = match constraint.sum {
            Sum::Count { lits, .. } | Sum::Parity { lits, .. } => (lits.len(), 0, 0),
            Sum::Weights { terms, .. } => (0, terms.len(), if terms.is_grouped() { terms.groups().count() } else { 0 }),
        };
        let lits = constraint.cond.len().saturating_add(lits);
        let fits = |held: usize, more: usize| held.checked_add(more).is_some_and(|sum| sum <= Self::MOST);
        fits(self.lits.len(), lits)
            && fits(self.terms.len(), terms)
            && fits(self.records.len(), 1)
            && self.lits.try_reserve(lits).is_ok()
            && self.terms.try_reserve(terms).is_ok()
            && self.ends.try_reserve(groups).is_ok()
            && self.records.try_reserve(1).is_ok()
    }

    /// Keeps a constraint for which there is room.
    pub(super) fn push(&mut self, constraint: &Constraint<'_>, asked: AskedEncoding) {
        let &Constraint { cond, iff, sum, in_order, .. } = constraint;
        self.lits.extend_from_slice(cond);
        let cond_end = self.lits.len() as u32;
        let (relation, kind) = match sum {
            Sum::Count { lits, relation } => {
                self.lits.extend_from_slice(lits);
                (relation.into(), KeptKind::Count)
            }
            Sum::Parity { lits, odd } => {
                self.has_parities = true;
                if let Some(more) = half_bits(lits.len(), odd).checked_sub(1) {
                    let before = self.long.last().map_or(0, |&(_, before)| before);
                    self.long.push((self.records.len() as u32, before + more));
                }
                self.lits.extend_from_slice(lits);
                (PbRelation::Exactly(odd.into()), KeptKind::Parity)
            }
            Sum::Weights { terms, relation } => {
                self.terms.extend_from_slice(terms.all());
                self.ends.extend_from_slice(terms.ends());
                (relation, KeptKind::Weights)
            }
        };
        let (lits_end, terms_end, groups_end) =
            (self.lits.len() as u32, self.terms.len() as u32, self.ends.len() as u32);
        let asked = self.place_of(asked);
        self.records.push(Record { cond_end, lits_end, terms_end, groups_end, iff, relation, kind, in_order, asked });
    }

    /// The place of an encoding among those that were asked for; most constraints ask for one of the last.
    fn place_of(&mut self, asked: AskedEncoding) -> u32 {
        const LAST: usize = 8;
        let back = self.asked.iter().rev().take(LAST).position(|&known| known == asked).unwrap_or_else(|| {
            self.asked.push(asked);
            0
        });
        (self.asked.len() - 1 - back) as u32
    }

    /// Keeps a constraint that was kept before.
    pub(super) fn push_again(&mut self, constraint: &Constraint<'_>) {
        let asked = AskedEncoding::of(constraint.encoding).unwrap_or(AskedEncoding::Open(Goal::Solving));
        self.push(constraint, asked);
    }

    /// Has all constraints encoded such that each solution has one model.
    pub(super) fn for_counting(&mut self) {
        self.asked.iter_mut().for_each(|asked| *asked = asked.for_counting());
    }

    /// The variables that OPB has beside those of the formula, of constraints before this one: one each, and more of a
    /// long parity.
    pub(super) fn own_before(&self, index: usize) -> u32 {
        let long = self.long.partition_point(|&(at, _)| (at as usize) < index).checked_sub(1);
        index as u32 + long.map_or(0, |last| self.long[last].1)
    }

    /// True if some parity is a sum in OPB.
    pub(super) const fn has_long_parities(&self) -> bool {
        !self.long.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// The number of literals of conditions and sums.
    pub(super) fn n_lits(&self) -> usize {
        self.lits.len() + self.terms.len()
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = Constraint<'_>> {
        (0..self.records.len()).map(|index| self.get(index))
    }

    pub(super) fn get(&self, index: usize) -> Constraint<'_> {
        let Record { cond_end, lits_end, terms_end, groups_end, iff, relation, kind, in_order, asked } =
            self.records[index];
        let before = index.checked_sub(1).map(|before| self.records[before]);
        let [lits, terms, groups] =
            before.map_or([0; 3], |before| [before.lits_end, before.terms_end, before.groups_end]);
        let part = |start: u32, end: u32| start as usize..end as usize;
        let own = &self.lits[part(cond_end, lits_end)];
        let mut constraint = match kind {
            KeptKind::Count => Constraint::count(own, relation.counted()),
            KeptKind::Parity => Constraint::parity(own, relation.bound() == 1),
            KeptKind::Weights => {
                let terms = Terms::of(&self.terms[part(terms, terms_end)], &self.ends[part(groups, groups_end)]);
                Constraint::weights(terms, relation)
            }
        };
        constraint.cond = &self.lits[part(lits, cond_end)];
        (constraint.iff, constraint.in_order) = (iff, in_order);
        constraint.encoding = self.asked[asked as usize].encoding_name();
        constraint
    }

    /// The encoding that the constraint of this number was given with.
    pub(super) fn asked(&self, index: usize) -> AskedEncoding {
        self.asked[self.records[index].asked as usize]
    }
}
