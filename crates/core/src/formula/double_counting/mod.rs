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
use super::go_on::GoOn;
use super::keep::Asked;
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
        mut steps: Option<&mut Vec<Step>>,
        go_on: &mut GoOn<'_>,
    ) -> Result<(), Full> {
        let counts = (0..self.all.len()).filter_map(|at| Some((at, self.all[at].plain_count()?)));
        let counts: Vec<(usize, (u64, u64))> = counts.collect();
        let bounds = counts.iter().map(|&(at, (lo, hi))| Bounds {
            lits: self.lits(&self.all[at]),
            lo: lo as u32,
            hi: hi as u32,
            is_clause: false,
        });
        let bounds = tighten(formula.n_vars(), bounds.collect(), formula.clauses(), steps.as_deref_mut(), go_on)?;
        let premises = steps.into_iter().flatten().flat_map(Step::premises_mut);
        for Premise { number, .. } in premises.filter(|premise| !premise.is_clause) {
            *number = self.all[counts[*number as usize].0].from;
        }
        let bounds: Vec<(u64, u64)> = bounds.iter().map(|bounds| (bounds.lo.into(), bounds.hi.into())).collect();
        for ((at, before), (lo, hi)) in counts.into_iter().zip(bounds) {
            let item = &mut self.all[at];
            // A bound on the other side is worth its clauses only if the constraint becomes exact by it.
            let more = before.0 == 0 && lo > 0 || before.1 == item.total && hi < before.1;
            if lo > hi || item.asked != Asked::Open(Goal::Size) && (lo == hi || !more) {
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
pub(super) struct Step {
    pub(super) from: Vec<Premise>,
    /// Each follows from all of these but the one at this place; from all, which contradict each other, where there is
    /// none. By place.
    pub(super) of: Vec<(usize, Premise)>,
}

impl Step {
    fn premises_mut(&mut self) -> impl Iterator<Item = &mut Premise> {
        self.from.iter_mut().chain(self.of.iter_mut().map(|(_, premise)| premise))
    }

    pub(super) fn premises(&self) -> impl Iterator<Item = &Premise> {
        self.from.iter().chain(self.of.iter().map(|(_, premise)| premise))
    }
}

/// No constraint.
const NONE: u32 = u32::MAX;

/// Of these literals at least `lo` and at most `hi` are true.
#[derive(Clone, Copy, Debug)]
struct Bounds<'a> {
    lits: &'a [Lit],
    lo: u32,
    hi: u32,
    is_clause: bool,
}

impl Bounds<'_> {
    const fn n(&self) -> u32 {
        self.lits.len() as u32
    }

    /// The bounds on the literals, or on their negations.
    const fn turned(&self, is: bool) -> (u32, u32) {
        if is { (self.n() - self.hi, self.n() - self.lo) } else { (self.lo, self.hi) }
    }

    /// The group of those that are alike: they are in all the same groups.
    fn finest(&self) -> Group {
        let (n, lo, hi) = (self.n(), self.lo, self.hi);
        if self.is_clause {
            Group { kind: Kind::Clause, n: Some(n), bounds: None }
        } else {
            Group { kind: Kind::Sides([lo > 0, hi < n]), n: Some(n), bounds: Some((lo, hi)) }
        }
    }

    /// The keys by which constraints are grouped; a constraint is in one group of each sort.
    fn groups(&self) -> impl Iterator<Item = Group> {
        let (n, lo, hi) = (self.n(), self.lo, self.hi);
        let sides = [lo > 0, hi < n];
        let kind = if self.is_clause { Kind::Clause } else { Kind::Sides(sides) };
        let all = [Kind::Lower, Kind::Upper].into_iter().zip(sides).filter(|&(_, is)| is && !self.is_clause);
        let all = all.map(|(kind, _)| Group { kind, n: None, bounds: None });
        let own = [(None, None), (Some(n), None), (None, Some((lo, hi))), (Some(n), Some((lo, hi)))];
        // Clauses of the same length have the same bounds.
        let own = own.into_iter().take(if self.is_clause { 2 } else { 4 });
        all.chain(own.map(move |(n, bounds)| Group { kind, n, bounds }))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    Clause,
    Lower,
    Upper,
    /// Bounded from below, from above.
    Sides([bool; 2]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Group {
    kind: Kind,
    n: Option<u32>,
    bounds: Option<(u32, u32)>,
}

/// Constraints without common variables.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Family {
    /// Sorted.
    members: Vec<u32>,
    /// For each member, which connected part of its group it is from, if that has two families.
    parts: Vec<u32>,
    lits: usize,
}

/// Tightens bounds on literals, two of them for each constraint; `lo > hi` where they contradict each other. All
/// variables are below `n_vars`. Clauses count for what they say of variables in constraints. Steps get constraints by
/// their places here.
fn tighten<'a>(
    n_vars: usize,
    cards: Vec<Bounds<'a>>,
    clauses: impl Iterator<Item = &'a [Lit]> + Clone,
    steps: Option<&mut Vec<Step>>,
    go_on: &mut GoOn<'_>,
) -> Result<Vec<Bounds<'a>>, Full> {
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
        Bounds { lits, lo: 1, hi: lits.len() as u32, is_clause: true }
    }));
    let of = vec![[NONE; 2]; vars.len()];
    let mut search = Search { vars: &vars, of, bounds, numbers, steps };
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
    fn new(n_vars: usize, bounds: &[Bounds<'_>]) -> Self {
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    Tighter,
    Contradiction,
}

struct Search<'v, 'a> {
    vars: &'v Vars,
    /// The constraints, at most two at a time, that each variable is in.
    of: Vec<[u32; 2]>,
    /// Those of constraints, then those of clauses.
    bounds: Vec<Bounds<'a>>,
    /// The numbers of these clauses.
    numbers: Vec<u32>,
    steps: Option<&'v mut Vec<Step>>,
}

impl Search<'_, '_> {
    /// The upper or the lower bound of a member.
    fn premise(&self, member: u32, is_upper: bool) -> Premise {
        let clause = (member as usize).checked_sub(self.bounds.len() - self.numbers.len());
        let number = clause.map_or(member, |clause| self.numbers[clause]);
        Premise { is_clause: clause.is_some(), number, is_upper }
    }

    /// Compares families with each other. All constraints together have `total` literals.
    fn tighten(&mut self, families: &[Family], total: usize, go_on: &mut GoOn<'_>) -> Result<(), Full> {
        let mut work = 0;
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
                    match self.compare(lower, upper) {
                        Found::Nothing => {}
                        Found::Tighter => changed = true,
                        Found::Contradiction => return Ok(()),
                    }
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    fn of(&mut self, lit: Lit) -> &mut [u32; 2] {
        &mut self.of[self.vars.id(lit)]
    }

    /// Twice the place of the lower bound on this variable, and 1 more where it counts the false variable.
    fn lower_at(&self, lit: Lit) -> Option<u32> {
        Some(self.of[self.vars.id(lit)][0]).filter(|&at| at != NONE)
    }

    /// The largest families. Clauses are no group all together if `crowded`.
    fn families(&mut self, crowded: bool, go_on: &mut GoOn<'_>) -> Result<Vec<Family>, Full> {
        // Constraints that are alike are in the same groups, and most follow each other.
        let mut alike: Vec<(Group, Vec<u32>)> = Vec::new();
        let mut places: FxHashMap<Group, usize> = FxHashMap::default();
        let mut last = 0;
        for (bounds, at) in self.bounds.iter().zip(0..) {
            let kind = bounds.finest();
            if alike.get(last).is_none_or(|&(other, _)| other != kind) {
                last = *places.entry(kind).or_insert(alike.len());
                if last == alike.len() {
                    alike.push((kind, Vec::new()));
                }
            }
            alike[last].1.push(at);
        }
        let mut groups: FxHashMap<Group, Vec<usize>> = FxHashMap::default();
        for (place, (_, members)) in alike.iter().enumerate() {
            let all = self.bounds[members[0] as usize].groups();
            all.for_each(|group| groups.entry(group).or_default().push(place));
        }
        if crowded {
            groups.remove(&Group { kind: Kind::Clause, n: None, bounds: None });
        }
        let mut groups: Vec<(Group, Vec<usize>)> = groups.into_iter().collect();
        sort::by(&mut groups, |(one, _), (other, _)| one.cmp(other));
        let mut known: FxHashSet<&[usize]> = FxHashSet::default();
        let mut families: Vec<Family> = Vec::new();
        for (_, places) in groups.iter().filter(|(_, places)| known.insert(places)) {
            go_on()?;
            match places[..] {
                [place] => families.extend(self.split(&alike[place].1)),
                _ => {
                    let mut members: Vec<u32> = places.iter().flat_map(|&place| &alike[place].1).copied().collect();
                    members.sort_unstable();
                    families.extend(self.split(&members));
                }
            }
        }
        sort::by_key(&mut families, |family| !(family.lits as u64));
        let mut largest: Vec<Family> = Vec::new();
        for family in families {
            if largest.len() < FAMILIES && !largest.iter().any(|other| other.members == family.members) {
                largest.push(family);
            }
        }
        Ok(largest)
    }

    /// The group as one family or as two, if it is that.
    fn split(&mut self, members: &[u32]) -> Vec<Family> {
        let mut sides = Sides::new(members.len());
        let mut is_family = true;
        let mut seen = 0;
        let fits = members.iter().zip(0..).all(|(&member, place)| {
            seen += 1;
            self.bounds[member as usize].lits.iter().all(|lit| {
                let of = &mut self.of[self.vars.id(*lit)];
                match of {
                    [NONE, _] => of[0] = place,
                    [_, NONE] => {
                        of[1] = place;
                        is_family = false;
                        return sides.set_apart(of[0], place);
                    }
                    _ => return false,
                }
                true
            })
        });
        for &member in &members[..seen] {
            self.bounds[member as usize].lits.iter().for_each(|&lit| *self.of(lit) = [NONE; 2]);
        }
        if !fits {
            return Vec::new();
        }
        let mut families = [0, 1].map(|_| Family { members: Vec::new(), parts: Vec::new(), lits: 0 });
        for (&member, place) in members.iter().zip(0..) {
            let (root, side) = sides.find(place);
            let alone = is_family || sides.size(root) == 1;
            let family = &mut families[usize::from(side)];
            family.members.push(member);
            family.parts.push(if alone { NONE } else { root });
            family.lits += self.bounds[member as usize].lits.len();
        }
        families.into_iter().filter(|family| !family.members.is_empty()).collect()
    }

    /// Compares the sum of lower bounds of one family with that of upper bounds of another.
    fn compare(&mut self, lower: &Family, upper: &Family) -> Found {
        let offset = lower.members.len() as u32;
        let mut sides = Sides::new(lower.members.len() + upper.members.len());
        // Which place of `lower` each variable is at, and whether it counts when it is false.
        for (&member, place) in lower.members.iter().zip(0..) {
            let bounds = &self.bounds[member as usize];
            let flip = bounds.lo == 0;
            for lit in bounds.lits {
                self.of[self.vars.id(*lit)][0] = 2 * place + u32::from(lit.is_neg() != flip);
            }
        }
        // Whether those of `upper` count the same literals, or their negations; nothing where both or none.
        let mut flips: Vec<Option<bool>> = Vec::with_capacity(upper.members.len());
        for (&member, place) in upper.members.iter().zip(offset..) {
            let lits = self.bounds[member as usize].lits;
            let mut flip = None;
            let turned = |lit: &Lit| Some((self.lower_at(*lit)? & 1 == 1) != lit.is_neg());
            let fits = lits.iter().filter_map(turned).all(|is| *flip.get_or_insert(is) == is);
            flips.push(flip.filter(|_| fits));
            if !fits {
                continue;
            }
            for &lit in lits {
                if let Some(at) = self.lower_at(lit) {
                    sides.join(at / 2, place);
                    self.of(lit)[1] = place;
                }
            }
        }
        let mut slacks = vec![Slack::default(); sides.len()];
        for ((&member, &part), place) in lower.members.iter().zip(&lower.parts).zip(0..) {
            let bounds = &self.bounds[member as usize];
            let uncovered = bounds.lits.iter().filter(|lit| self.of[self.vars.id(**lit)][1] == NONE).count();
            let slack = &mut slacks[sides.find(place).0 as usize];
            slack.sum += uncovered as i64 - i64::from(bounds.turned(bounds.lo == 0).0);
            slack.has([part, NONE]);
        }
        for (((&member, &part), place), flip) in upper.members.iter().zip(&upper.parts).zip(offset..).zip(&flips) {
            if let &Some(flip) = flip {
                let slack = &mut slacks[sides.find(place).0 as usize];
                slack.sum += i64::from(self.bounds[member as usize].turned(flip).1);
                slack.has([NONE, part]);
            }
        }
        for family in [lower, upper] {
            for &member in &family.members {
                self.bounds[member as usize].lits.iter().for_each(|&lit| *self.of(lit) = [NONE; 2]);
            }
        }
        let turns = lower.members.iter().map(|&member| Some(self.bounds[member as usize].lo == 0));
        let turns: Vec<Option<bool>> = turns.chain(flips).collect();
        let mut found = Found::Nothing;
        let mut noted = Vec::new();
        let members: Vec<u32> = lower.members.iter().chain(&upper.members).copied().collect();
        for ((&member, &turn), place) in members.iter().zip(&turns).zip(0..) {
            let part = sides.find(place).0;
            let slack = slacks[part as usize];
            let (Some(turn), false) = (turn, slack.is_mixed) else { continue };
            let bounds = &mut self.bounds[member as usize];
            if slack.sum < 0 {
                (bounds.lo, bounds.hi) = (1, 0);
                found = Found::Contradiction;
                noted.push((place, true));
                continue;
            }
            let (lo, hi) = bounds.turned(turn);
            let slack = u32::try_from(slack.sum).unwrap_or(u32::MAX);
            let tighter = if place < offset {
                (lo, lo.saturating_add(slack).min(hi))
            } else {
                (hi.saturating_sub(slack).max(lo), hi)
            };
            if tighter != (lo, hi) {
                (bounds.lo, bounds.hi) = tighter;
                (bounds.lo, bounds.hi) = bounds.turned(turn); // twice is as it was
                if found == Found::Nothing {
                    found = Found::Tighter;
                }
                noted.push((place, false));
            }
        }
        self.note(&members, &turns, offset, &mut sides, &noted);
        found
    }

    /// Notes that the other bounds of the members at these places follow from the bounds of the others in their
    /// connected parts, or that all of a part contradict each other.
    fn note(&mut self, members: &[u32], turns: &[Option<bool>], offset: u32, sides: &mut Sides, noted: &[(u32, bool)]) {
        if self.steps.is_none() || noted.is_empty() {
            return;
        }
        let premise = |place: u32, is_other: bool| {
            let turn = turns[place as usize]? != is_other;
            Some(self.premise(members[place as usize], (place < offset) == turn))
        };
        // The step of each part, and the place of each member in it.
        let mut steps: Vec<Step> = Vec::new();
        let mut of: FxHashMap<u32, usize> = FxHashMap::default();
        for &(place, _) in noted {
            of.entry(sides.find(place).0).or_insert_with(|| {
                steps.push(Step { from: Vec::new(), of: Vec::new() });
                steps.len() - 1
            });
        }
        let mut at = vec![0; members.len()];
        for place in 0..members.len() as u32 {
            if let (Some(&step), Some(premise)) = (of.get(&sides.find(place).0), premise(place, false)) {
                at[place as usize] = steps[step].from.len();
                steps[step].from.push(premise);
            }
        }
        for &(place, all) in noted {
            let step = &mut steps[of[&sides.find(place).0]];
            let at = if all { step.from.len() + step.of.len() } else { at[place as usize] };
            step.of.extend(premise(place, true).map(|premise| (at, premise)));
        }
        if let Some(all) = &mut self.steps {
            all.extend(steps);
        }
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
    fn has(&mut self, parts: [u32; 2]) {
        for (known, part) in self.parts.iter_mut().zip(parts).filter(|&(_, part)| part != NONE) {
            self.is_mixed |= *known.get_or_insert(part) != part;
        }
    }
}

#[cfg(test)]
mod tests;
