//! Bounds are tightened by double counting: two families of constraints that partition the same literals.
//!
//! Constraints that have no variable in common, of which each makes at least so many of its literals true, make at
//! least the sum of that many true. Other constraints that have no variable in common and allow at most so many each
//! allow at most their sum. Where the latter cover the literals of the former, the difference of the two sums is the
//! *slack* that all of them have together, and hence the most that each of them has: whatever has to be at most `hi`
//! is at least `hi` − slack, and whatever has to be at least `lo` is at most `lo` + slack. A slack below 0 is a
//! contradiction.
//!
//! So thirty events in six time slots of five rooms fill every room: each event is in at least one slot, 30 in all;
//! each slot has at most five, 30 in all; the slack is 0, and each slot has at least 5 − 0. Items that just fit into
//! some bins fill each bin; n + 1 pigeons do not fit into n holes. A solver that learns clauses finds none of that in
//! less than exponential time unless an encoding happens to have the auxiliaries for it (Haken, *The intractability of
//! resolution*, Theoretical Computer Science 39, 1985; Biere, Le Berre, Lonca, Manthey, *Detecting cardinality
//! constraints in CNF*, SAT 2014, hand the sums to a solver that adds up).
//!
//! # Which constraints are put together
//!
//! Constraints are put in *groups* of a kind: all lower bounds, all upper bounds, all of the same bounds, of the same
//! length, of both; clauses, too. A group without common variables is a *family*. One in which each variable is in at
//! most two constraints, and that falls into two families, like the rows and the columns of a grid, is both of them.
//! Each two families are compared, connected part by connected part. No choice depends on numbers or on listing.
//!
//! A group that is no family is given up at the third constraint on a variable, so a formula without such structure
//! costs a look at some of its literals; comparisons end after [`WORK`] times the literals of the formula.

mod sides;

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;

use self::sides::Sides;
use super::Formula;
use super::go_on::TryGoOn;
use super::keep::AskedEncoding;
use super::merge::{Items, Says};
use crate::constraint::Goal;
use crate::encode::Full;
use crate::sort;

/// At most so many families, of those with the most literals, are compared with each other.
const FAMILIES: usize = 16;

/// Families are compared until so many times the literals of all constraints were looked at.
const WORK: usize = 8;

impl Items {
    /// Tightens the bounds of counts by what other counts of the same literals, and clauses, say of their sums.
    /// Constraints that are to be small stay as they are, unless they contradict each other. Hands over each bound that
    /// was found, in the order in which they follow from each other. An error of `go_on`, which is asked now and then,
    /// ends that.
    pub(super) fn tighten(
        &mut self,
        formula: &Formula,
        mut steps: Option<&mut Vec<CountingStep>>,
        go_on: &mut TryGoOn<'_>,
    ) -> Result<(), Full> {
        let counts = (0..self.all.len()).filter_map(|at| Some((at, self.all[at].plain_count()?)));
        let counts: Vec<(usize, (u64, u64))> = counts.collect();
        let bounds = counts.iter().map(|&(at, (lo, hi))| CountBounds {
            lits: self.lits(&self.all[at]),
            lo: lo as u32,
            hi: hi as u32,
            is_clause: false,
        });
        let bounds = tighten(formula.n_vars(), bounds.collect(), formula.clauses(), steps.as_deref_mut(), go_on)?;
        let premises = steps.into_iter().flatten().flat_map(CountingStep::premises_mut);
        for Premise { number, .. } in premises.filter(|premise| !premise.is_clause) {
            *number = self.all[counts[*number as usize].0].from;
        }
        let bounds: Vec<(u64, u64)> = bounds.iter().map(|bounds| (bounds.lo.into(), bounds.hi.into())).collect();
        for ((at, before), (lo, hi)) in counts.into_iter().zip(bounds) {
            let item = &mut self.all[at];
            // A bound on the other side is worth its clauses only if the constraint becomes exact by it.
            let more = before.0 == 0 && lo > 0 || before.1 == item.total && hi < before.1;
            if lo > hi || item.asked != AskedEncoding::Open(Goal::Size) && (lo == hi || !more) {
                item.says = Says::between(lo, hi);
            }
        }
        Ok(())
    }
}

/// The upper or the lower bound on how many literals are true: of an item, by the number of its first constraint, or
/// of a clause, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Premise {
    pub(super) is_clause: bool,
    pub(super) number: u32,
    pub(super) is_upper: bool,
}

/// Bounds that follow from sums of others.
#[derive(Clone, Debug)]
pub(super) struct CountingStep {
    pub(super) from: Vec<Premise>,
    /// Each follows from all of these but the one at this place; from all, which contradict each other, where there is
    /// none. By place.
    pub(super) of: Vec<(usize, Premise)>,
}

impl CountingStep {
    fn premises_mut(&mut self) -> impl Iterator<Item = &mut Premise> {
        self.from.iter_mut().chain(self.of.iter_mut().map(|(_, premise)| premise))
    }
}

/// Of these literals at least `lo` and at most `hi` are true.
#[derive(Clone, Copy, Debug)]
struct CountBounds<'a> {
    lits: &'a [Lit],
    lo: u32,
    hi: u32,
    is_clause: bool,
}

impl CountBounds<'_> {
    const fn n(&self) -> u32 {
        self.lits.len() as u32
    }

    /// The bounds on the literals, or on their negations.
    const fn turned(&self, is: bool) -> (u32, u32) {
        if is { (self.n() - self.hi, self.n() - self.lo) } else { (self.lo, self.hi) }
    }

    /// The keys by which constraints are grouped, the last one that of those that are alike: they are in all the same
    /// groups. A constraint is in one group of each sort.
    fn groups(&self) -> impl Iterator<Item = CountGroup> {
        let (n, lo, hi) = (self.n(), self.lo, self.hi);
        let sides = [lo > 0, hi < n];
        let kind = if self.is_clause { GroupKind::Clause } else { GroupKind::Sides(sides) };
        let all = [GroupKind::Lower, GroupKind::Upper].into_iter().zip(sides).filter(|&(_, is)| is && !self.is_clause);
        let all = all.map(|(kind, _)| CountGroup { kind, n: None, bounds: None });
        let own = [(None, None), (Some(n), None), (None, Some((lo, hi))), (Some(n), Some((lo, hi)))];
        // Clauses of the same length have the same bounds.
        let own = own.into_iter().take(if self.is_clause { 2 } else { 4 });
        all.chain(own.map(move |(n, bounds)| CountGroup { kind, n, bounds }))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum GroupKind {
    Clause,
    Lower,
    Upper,
    /// Bounded from below, from above.
    Sides([bool; 2]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct CountGroup {
    kind: GroupKind,
    n: Option<u32>,
    bounds: Option<(u32, u32)>,
}

/// Constraints without common variables.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CountFamily {
    /// Sorted.
    members: Vec<u32>,
    /// For each member, which connected part of its group it is from, if that has two families.
    parts: Vec<Option<u32>>,
    lits: usize,
}

/// Tightens bounds on literals, two of them for each constraint; `lo > hi` where they contradict each other. All
/// variables are below `n_vars`. Clauses count for what they say of variables in constraints. Steps get constraints by
/// their places here.
fn tighten<'a>(
    n_vars: usize,
    cards: Vec<CountBounds<'a>>,
    clauses: impl Iterator<Item = &'a [Lit]> + Clone,
    steps: Option<&mut Vec<CountingStep>>,
    go_on: &mut TryGoOn<'_>,
) -> Result<Vec<CountBounds<'a>>, Full> {
    let (n, mut bounds) = (cards.len(), cards);
    if bounds.is_empty() {
        return Ok(bounds);
    }
    let vars = Vars::new(n_vars, &bounds);
    let mut is_counted = vec![false; vars.len()];
    bounds.iter().flat_map(|bounds| bounds.lits).for_each(|&lit| is_counted[vars.id(lit)] = true);
    let counts =
        |lits: &[Lit]| lits.len() > 1 && lits.iter().all(|&lit| vars.find(lit).is_some_and(|id| is_counted[id]));
    go_on()?;
    let crowded = crowded_lengths(&vars, &clauses, counts);
    go_on()?;
    let is_left_out = |lits: &[Lit]| crowded.binary_search(&lits.len()).is_ok();
    let kept = (0..).zip(clauses.clone()).filter(|(_, lits)| !is_left_out(lits) && counts(lits));
    let mut numbers = Vec::new();
    bounds.extend(kept.map(|(number, lits)| {
        numbers.push(number);
        CountBounds { lits, lo: 1, hi: lits.len() as u32, is_clause: true }
    }));
    let mut search = FamilySearch { vars: &vars, bounds, numbers, steps };
    let families = search.families(!crowded.is_empty(), go_on)?;
    if families.len() > 1 {
        let left_out = clauses.filter(|lits| is_left_out(lits) && counts(lits));
        let total = left_out.chain(search.bounds.iter().map(|bounds| bounds.lits)).map(<[Lit]>::len).sum();
        search.tighten(&families, total, go_on)?;
    }
    search.bounds.truncate(n);
    Ok(search.bounds)
}

/// Clauses of up to so many lengths are looked at before they are put in groups.
const LENGTHS: usize = 16;

/// The lengths of clauses, ascending, of which three have a variable in common, so that they are no family. Most
/// formulas with many clauses are dense, and this is found long before all of them were looked at.
fn crowded_lengths<'a>(
    vars: &Vars,
    clauses: &(impl Iterator<Item = &'a [Lit]> + Clone),
    counts: impl Fn(&[Lit]) -> bool,
) -> Vec<usize> {
    let mut lengths: Vec<usize> = Vec::new();
    for lits in clauses.clone() {
        if let Err(place) = lengths.binary_search(&lits.len()) {
            if lengths.len() == LENGTHS {
                return Vec::new();
            }
            lengths.insert(place, lits.len());
        }
    }
    let mut seen = vec![0_u8; if lengths.is_empty() { 0 } else { vars.len() }];
    lengths.retain(|&length| {
        seen.fill(0);
        clauses.clone().filter(|lits| lits.len() == length && counts(lits)).flatten().any(|&lit| {
            let seen = &mut seen[vars.id(lit)];
            *seen += 1;
            *seen == 3
        })
    });
    lengths
}

/// Numbers from 0 on for variables: their own, or, where these are far apart, their places among those in constraints.
enum Vars {
    Below(usize),
    Some(Vec<u32>),
}

impl Vars {
    fn new(n_vars: usize, bounds: &[CountBounds<'_>]) -> Self {
        let lits: usize = bounds.iter().map(|bounds| bounds.lits.len()).sum();
        if n_vars / 4 <= lits {
            return Self::Below(n_vars);
        }
        let mut vars: Vec<u32> = bounds.iter().flat_map(|bounds| bounds.lits).map(|lit| lit.vidx32()).collect();
        vars.sort_unstable();
        vars.dedup();
        Self::Some(vars)
    }

    const fn len(&self) -> usize {
        match self {
            Self::Below(n) => *n,
            Self::Some(vars) => vars.len(),
        }
    }

    fn find(&self, lit: Lit) -> Option<usize> {
        match self {
            Self::Below(_) => Some(lit.vidx()),
            Self::Some(vars) => vars.binary_search(&lit.vidx32()).ok(),
        }
    }

    /// The number of a variable in a constraint.
    fn id(&self, lit: Lit) -> usize {
        self.find(lit).expect("in a constraint")
    }
}

/// A value for some variables, by their numbers; for none once its [`Filling`] is dropped.
struct VarMap<T> {
    values: Vec<Option<T>>,
    set: Vec<usize>,
}

impl<T: Copy> VarMap<T> {
    fn new(n: usize) -> Self {
        Self { values: vec![None; n], set: Vec::new() }
    }
}

struct Filling<'m, T>(&'m mut VarMap<T>);

impl<T: Copy> Filling<'_, T> {
    fn get(&self, var: usize) -> Option<T> {
        self.0.values[var]
    }

    fn set(&mut self, var: usize, value: T) {
        if self.0.values[var].replace(value).is_none() {
            self.0.set.push(var);
        }
    }
}

impl<T> Drop for Filling<'_, T> {
    fn drop(&mut self) {
        self.0.set.drain(..).for_each(|var| self.0.values[var] = None);
    }
}

/// The members of a group that a variable is in.
#[derive(Clone, Copy, Debug)]
enum MembersOf {
    One(u32),
    Two,
}

/// A bound of a member, as at least so many of its literals, or of their negations if it is turned.
#[derive(Clone, Copy, Debug)]
struct AtLeast {
    member: u32,
    is_turned: bool,
    /// The number of its variables that are in no bound before it.
    n_new: u32,
    /// The connected part of its group that it is from; of the other family's group, nothing.
    parts: [Option<u32>; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CountingResult {
    Nothing,
    Tighter,
    Contradiction,
}

struct FamilySearch<'v, 'a> {
    vars: &'v Vars,
    /// Those of constraints, then those of clauses.
    bounds: Vec<CountBounds<'a>>,
    /// The numbers of these clauses.
    numbers: Vec<u32>,
    steps: Option<&'v mut Vec<CountingStep>>,
}

impl FamilySearch<'_, '_> {
    fn premise(&self, AtLeast { member, is_turned, .. }: AtLeast) -> Premise {
        let clause = (member as usize).checked_sub(self.bounds.len() - self.numbers.len());
        let number = clause.map_or(member, |clause| self.numbers[clause]);
        Premise { is_clause: clause.is_some(), number, is_upper: is_turned }
    }

    /// Compares families with each other. All constraints together have `total` literals.
    fn tighten(&mut self, families: &[CountFamily], total: usize, go_on: &mut TryGoOn<'_>) -> Result<(), Full> {
        let (mut work, mut places) = (0, VarMap::new(self.vars.len()));
        loop {
            let mut changed = false;
            for (i, lower) in families.iter().enumerate() {
                for (j, upper) in families.iter().enumerate() {
                    if i == j {
                        continue;
                    }
                    work += lower.lits + upper.lits;
                    if work > WORK * total {
                        return Ok(());
                    }
                    go_on()?;
                    match self.compare(lower, upper, &mut places) {
                        CountingResult::Nothing => {}
                        CountingResult::Tighter => changed = true,
                        CountingResult::Contradiction => return Ok(()),
                    }
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// The largest families. Clauses are no group all together if `crowded`.
    fn families(&self, crowded: bool, go_on: &mut TryGoOn<'_>) -> Result<Vec<CountFamily>, Full> {
        // Constraints that are alike are in the same groups, and most follow each other.
        let mut alike: Vec<(Option<CountGroup>, Vec<u32>)> = Vec::new();
        let mut places: FxHashMap<Option<CountGroup>, usize> = FxHashMap::default();
        let mut last = 0;
        for (bounds, at) in self.bounds.iter().zip(0..) {
            let kind = bounds.groups().last();
            if alike.get(last).is_none_or(|&(other, _)| other != kind) {
                last = *places.entry(kind).or_insert(alike.len());
                if last == alike.len() {
                    alike.push((kind, Vec::new()));
                }
            }
            alike[last].1.push(at);
        }
        let mut groups: FxHashMap<CountGroup, Vec<usize>> = FxHashMap::default();
        for (place, (_, members)) in alike.iter().enumerate() {
            let all = self.bounds[members[0] as usize].groups();
            all.for_each(|group| groups.entry(group).or_default().push(place));
        }
        if crowded {
            groups.remove(&CountGroup { kind: GroupKind::Clause, n: None, bounds: None });
        }
        let mut groups: Vec<(CountGroup, Vec<usize>)> = groups.into_iter().collect();
        sort::by(&mut groups, |(one, _), (other, _)| one.cmp(other));
        let mut known: FxHashSet<&[usize]> = FxHashSet::default();
        let (mut families, mut of) = (Vec::<CountFamily>::new(), VarMap::new(self.vars.len()));
        for (_, places) in groups.iter().filter(|(_, places)| known.insert(places)) {
            go_on()?;
            match places[..] {
                [place] => families.extend(self.split(&alike[place].1, &mut of)),
                _ => {
                    let mut members: Vec<u32> = places.iter().flat_map(|&place| &alike[place].1).copied().collect();
                    members.sort_unstable();
                    families.extend(self.split(&members, &mut of));
                }
            }
        }
        sort::by_key(&mut families, |family| !(family.lits as u64));
        let mut largest: Vec<CountFamily> = Vec::new();
        for family in families {
            if largest.len() < FAMILIES && !largest.iter().any(|other| other.members == family.members) {
                largest.push(family);
            }
        }
        Ok(largest)
    }

    /// The group as one family or as two, if it is that.
    fn split(&self, members: &[u32], of: &mut VarMap<MembersOf>) -> Vec<CountFamily> {
        let (mut sides, mut of) = (Sides::new(members.len()), Filling(of));
        let mut is_family = true;
        let fits = members.iter().zip(0..).all(|(&member, place)| {
            self.bounds[member as usize].lits.iter().map(|&lit| self.vars.id(lit)).all(|var| match of.get(var) {
                None => {
                    of.set(var, MembersOf::One(place));
                    true
                }
                Some(MembersOf::One(first)) => {
                    of.set(var, MembersOf::Two);
                    is_family = false;
                    sides.set_apart(first, place)
                }
                Some(MembersOf::Two) => false,
            })
        });
        if !fits {
            return Vec::new();
        }
        let mut families = [0, 1].map(|_| CountFamily { members: Vec::new(), parts: Vec::new(), lits: 0 });
        for (&member, place) in members.iter().zip(0..) {
            let (root, side) = sides.find(place);
            let alone = is_family || sides.size(root) == 1;
            let family = &mut families[usize::from(side)];
            family.members.push(member);
            family.parts.push(Some(root).filter(|_| !alone));
            family.lits += self.bounds[member as usize].lits.len();
        }
        families.into_iter().filter(|family| !family.members.is_empty()).collect()
    }

    /// Compares the sum of lower bounds of one family with that of upper bounds of another. Turned, all are lower
    /// bounds, in which each variable is at most twice, once as it is and once negated: a connected part of them has
    /// as many literals true as it has variables, at most, and each bound takes its share of these.
    fn compare(
        &mut self,
        lower: &CountFamily,
        upper: &CountFamily,
        places: &mut VarMap<(u32, bool)>,
    ) -> CountingResult {
        let n = lower.members.len() + upper.members.len();
        let (mut sides, mut all) = (Sides::new(n), Vec::with_capacity(n));
        // Where each variable is in a lower bound, and whether it is negated there.
        let mut places = Filling(places);
        for ((&member, &part), place) in lower.members.iter().zip(&lower.parts).zip(0..) {
            let bounds = &self.bounds[member as usize];
            let is_turned = bounds.lo == 0;
            bounds.lits.iter().for_each(|&lit| places.set(self.vars.id(lit), (place, lit.is_neg() != is_turned)));
            all.push(AtLeast { member, is_turned, n_new: bounds.n(), parts: [part, None] });
        }
        for (&member, &part) in upper.members.iter().zip(&upper.parts) {
            let (bounds, place) = (&self.bounds[member as usize], all.len() as u32);
            let there = bounds.lits.iter().filter_map(|&lit| Some((places.get(self.vars.id(lit))?, lit.is_neg())));
            let mut turns = there.clone().map(|((_, is_neg), is)| is == is_neg);
            let Some(is_turned) = turns.next() else { continue };
            if turns.any(|is| is != is_turned) {
                continue; // some of the literals are there, and the negations of others
            }
            let n_shared = there.map(|((at, _), _)| sides.join(at, place)).count() as u32;
            all.push(AtLeast { member, is_turned, n_new: bounds.n() - n_shared, parts: [None, part] });
        }
        let mut slacks = vec![Slack::default(); all.len()];
        for (bound, place) in all.iter().zip(0..) {
            let lo = self.bounds[bound.member as usize].turned(bound.is_turned).0;
            slacks[sides.find(place).0 as usize].add(i64::from(bound.n_new) - i64::from(lo), bound.parts);
        }
        let (mut found, mut noted) = (CountingResult::Nothing, Vec::new());
        for (&AtLeast { member, is_turned, .. }, place) in all.iter().zip(0..) {
            let slack = slacks[sides.find(place).0 as usize];
            let bounds = &mut self.bounds[member as usize];
            let (lo, hi) = bounds.turned(is_turned);
            let most = i64::from(lo) + slack.sum;
            if slack.is_mixed || most >= i64::from(hi) {
                continue;
            }
            (bounds.lo, bounds.hi) = (1, 0);
            if slack.sum >= 0 {
                (bounds.lo, bounds.hi) = (lo, u32::try_from(most).unwrap_or(hi));
                (bounds.lo, bounds.hi) = bounds.turned(is_turned); // twice is as it was
            }
            found = found.max(if slack.sum < 0 { CountingResult::Contradiction } else { CountingResult::Tighter });
            noted.push((place, slack.sum < 0));
        }
        self.note(&all, &mut sides, &noted);
        found
    }

    /// Notes that the other bounds of the members at these places follow from the bounds of the others in their
    /// connected parts, or that all of a part contradict each other.
    fn note(&mut self, all: &[AtLeast], sides: &mut Sides, noted: &[(u32, bool)]) {
        if self.steps.is_none() {
            return;
        }
        // The step of each part, and the place of each member in it.
        let mut steps: Vec<CountingStep> = Vec::new();
        let mut of: FxHashMap<u32, usize> = FxHashMap::default();
        for &(place, _) in noted {
            of.entry(sides.find(place).0).or_insert_with(|| {
                steps.push(CountingStep { from: Vec::new(), of: Vec::new() });
                steps.len() - 1
            });
        }
        let mut at = vec![0; all.len()];
        for (&bound, place) in all.iter().zip(0..) {
            if let Some(&step) = of.get(&sides.find(place).0) {
                at[place as usize] = steps[step].from.len();
                steps[step].from.push(self.premise(bound));
            }
        }
        for &(place, is_all) in noted {
            let (step, bound) = (&mut steps[of[&sides.find(place).0]], all[place as usize]);
            let at = if is_all { step.from.len() + step.of.len() } else { at[place as usize] };
            step.of.push((at, self.premise(AtLeast { is_turned: !bound.is_turned, ..bound })));
        }
        self.steps.iter_mut().for_each(|all| all.append(&mut steps));
    }
}

/// The slack of one connected part of two families.
#[derive(Clone, Copy, Debug, Default)]
struct Slack {
    sum: i64,
    /// The connected part of its group that each family's members are from.
    parts: [Option<u32>; 2],
    /// They are from several: which of their sides belong together is not known.
    is_mixed: bool,
}

impl Slack {
    fn add(&mut self, share: i64, parts: [Option<u32>; 2]) {
        self.sum += share;
        for (known, part) in self.parts.iter_mut().zip(parts) {
            self.is_mixed |= part.is_some_and(|part| *known.get_or_insert(part) != part);
        }
    }
}

#[cfg(test)]
mod tests;
