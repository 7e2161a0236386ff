//! [`Needs`]: which literals of each variable are needed.

use rustc_hash::FxHashMap;

use super::code::{DomainBits, VariableCodes};
use crate::choice::IntEncoding;
use crate::variables::{Bool, Domain, Domains, IntVar, Test, View};
use cnfkit_core::Size;

/// Which literals of each variable are needed.
#[derive(Clone, Debug)]
pub(crate) struct Needs {
    kinds: Vec<u8>,
    /// Tests of single values.
    tests: Vec<(u32, Test)>,
    /// Sums need not be written.
    pub(crate) has_theory: bool,
    /// The choice for the constraint at hand.
    pub(crate) choice: IntEncoding,
    /// True if the constraint at hand gets bits, because of [what it costs](crate::cost).
    pub(crate) is_costly: bool,
    /// By constraint, true if it does.
    pub(crate) costly: Vec<bool>,
    /// Comparisons of two need not be written where the solver's theory answers for them: they are many.
    pub(crate) watches_pairs: bool,
    /// The number of the constraint at hand.
    pub(crate) asker: Option<u32>,
    /// The constraint that asked first for each kind of literals of a variable, where that is to be known.
    askers: Option<FxHashMap<(u32, u8), Option<u32>>>,
}

/// The encodings of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kinds {
    pub(crate) direct: bool,
    pub(crate) order: bool,
    pub(crate) binary: bool,
}

/// A variable with more values than this has a literal for each only where a rule asks for all of them.
pub(crate) const WIDE: u64 = 4_096;

const DIRECT: u8 = 1;
const ORDER: u8 = 2;
const EITHER: u8 = 4;
const BINARY: u8 = 8;
/// Of askers: for a single test.
const TEST: u8 = 16;

impl Needs {
    pub(crate) fn new(variables: usize) -> Self {
        Self {
            kinds: vec![0; variables],
            tests: Vec::new(),
            has_theory: false,
            choice: IntEncoding::Auto,
            is_costly: false,
            costly: Vec::new(),
            watches_pairs: false,
            asker: None,
            askers: None,
        }
    }

    /// For so many variables, of which the first have literals.
    pub(crate) fn beside(codes: &VariableCodes, variables: usize) -> Self {
        let mut needs = Self::new(variables);
        for index in 0..codes.len() {
            let code = codes.of(index);
            needs.kinds[index] = match () {
                () if code.two.is_some() => DIRECT | ORDER,
                () => {
                    let kind = |has: bool, kind: u8| if has { kind } else { 0 };
                    kind(code.direct.is_some(), DIRECT)
                        | kind(code.order.is_some(), ORDER)
                        | kind(code.bits.is_some(), BINARY)
                }
            };
        }
        needs
    }

    /// From here on, takes note of who asks.
    pub(crate) fn note_askers(&mut self) {
        self.askers = Some(FxHashMap::default());
    }

    fn note(&mut self, index: u32, kind: u8) {
        let asker = self.asker;
        if let Some(askers) = &mut self.askers {
            askers.entry((index, kind)).or_insert(asker);
        }
    }

    /// The constraints that asked first for values, for order and for bits of a variable.
    pub(crate) fn askers_of(&self, index: usize) -> [Option<u32>; 3] {
        let asked = |kind: u8| self.askers.as_ref().and_then(|askers| askers.get(&(index as u32, kind)).copied());
        [&[DIRECT, TEST][..], &[ORDER, EITHER, TEST], &[BINARY, TEST]]
            .map(|kinds| kinds.iter().find_map(|&kind| asked(kind)).flatten())
    }

    fn add(&mut self, view: View, kind: u8) {
        if !view.is_constant() {
            self.kinds[view.var.index as usize] |= kind;
            self.note(view.var.index, kind);
        }
    }

    pub(crate) fn direct(&mut self, view: View) {
        self.add(view, DIRECT);
    }

    pub(crate) fn order(&mut self, view: View) {
        self.add(view, ORDER);
    }

    pub(crate) fn binary(&mut self, view: View) {
        self.add(view, BINARY);
    }

    /// Whatever is needed by others; order where nothing is.
    pub(crate) fn either(&mut self, var: IntVar) {
        self.add(View::whole(var), EITHER);
    }

    /// Literals for single values, if there are not too many, and otherwise bits.
    pub(crate) fn told(&mut self, var: IntVar, domain: &Domain) {
        self.add(View::whole(var), if domain.len() > WIDE { BINARY } else { DIRECT });
    }

    /// A single test.
    pub(crate) fn test(&mut self, bool: Bool) {
        self.tests.push((bool.var.index, bool.test));
        self.note(bool.var.index, TEST);
    }

    /// Settles what was left open. The tests of a variable that has bits, or many values, have literals of their own;
    /// those of others are literals of an encoding.
    pub(crate) fn settle(&mut self, domains: &Domains) {
        let all = std::mem::take(&mut self.tests);
        for (index, test) in all {
            let kinds = &mut self.kinds[index as usize];
            let is_wide = domains.all()[index as usize].len() > WIDE;
            if *kinds & (DIRECT | ORDER) == 0 && (*kinds & BINARY > 0 || is_wide && *kinds & EITHER == 0) {
                *kinds |= BINARY;
                self.tests.push((index, test));
            } else {
                *kinds |= if matches!(test, Test::Is(_)) { DIRECT } else { ORDER };
            }
        }
        self.kinds.iter_mut().filter(|kinds| **kinds == EITHER).for_each(|kinds| *kinds = ORDER);
        self.tests.sort_unstable();
        self.tests.dedup();
    }

    /// An encoding for a variable that has none: its values are told apart.
    pub(crate) fn any(&mut self, index: usize, domain: &Domain) {
        let kinds = &mut self.kinds[index];
        if *kinds == 0 {
            *kinds = if domain.len() > WIDE { BINARY } else { DIRECT };
        }
    }

    /// An encoding for a variable that has none, to be summed.
    pub(crate) fn sum(&mut self, index: usize, domain: &Domain) {
        let kinds = &mut self.kinds[index];
        if *kinds == 0 {
            *kinds = if domain.len() > WIDE { BINARY } else { ORDER };
        }
    }

    /// This need for all variables.
    pub(crate) fn all(&mut self, domains: &Domains) {
        domains.all().iter().enumerate().for_each(|(index, domain)| self.any(index, domain));
    }

    /// The variable is going to be bounded.
    pub(crate) fn bounds(&mut self, var: IntVar, domain: &Domain) {
        let kinds = &mut self.kinds[var.index as usize];
        if *kinds & (ORDER | BINARY) == 0 {
            *kinds |= if domain.len() > WIDE { BINARY } else { ORDER };
        }
    }

    /// By variable, true if something needs it.
    pub(crate) fn by_variable(&self) -> Vec<bool> {
        let mut needed: Vec<bool> = self.kinds.iter().map(|&kinds| kinds != 0).collect();
        self.tests.iter().for_each(|&(index, _)| needed[index as usize] = true);
        needed
    }

    pub(crate) fn of(&self, index: usize) -> Kinds {
        let has = |kind: u8| self.kinds[index] & kind > 0;
        Kinds { direct: has(DIRECT), order: has(ORDER), binary: has(BINARY) }
    }

    /// The tests of a variable that has bits only, each once, with those that leave its gaps out.
    pub(crate) fn spots(&self, index: usize, domain: &Domain) -> Vec<Test> {
        let from = self.tests.partition_point(|&(other, _)| (other as usize) < index);
        let own = self.tests[from..].iter().take_while(|&&(other, _)| other as usize == index);
        let (min, max) = domain.bounds();
        let decided = |&(_, test): &(u32, Test)| match test {
            Test::Is(value) => domain.contains(value).then_some(test),
            Test::AtLeast(least) if least <= min || least > max => None,
            Test::AtLeast(least) => domain.next(least).map(Test::AtLeast),
        };
        let after_gaps = domain.ranges().skip(1).map(|(from, _)| Test::AtLeast(from));
        let mut spots: Vec<Test> = own.filter_map(decided).chain(after_gaps).collect();
        spots.sort_unstable();
        spots.dedup();
        spots
    }

    /// The clauses that tie bits to other literals of the same variable.
    pub(crate) fn channels(&self, domains: &Domains) -> u64 {
        let of = |(domain, &kinds): (&Domain, &u8)| match () {
            () if kinds & BINARY == 0 || kinds & (DIRECT | ORDER) == 0 || domain.len() < 3 => 0,
            () => domain.len().saturating_mul(DomainBits::of(domain).count as u64),
        };
        domains.all().iter().zip(&self.kinds).map(of).fold(0, u64::saturating_add)
    }

    /// The variables and clauses of all this, about; tests of single values are not counted.
    pub(crate) fn size(&self, domains: &Domains) -> Size {
        let mut size = Size::ZERO;
        for (index, domain) in domains.all().iter().enumerate() {
            let values = domain.len();
            let Kinds { direct, order, binary } = self.of(index);
            let (vars, clauses, lits) = match (values, direct, order) {
                (1, ..) | (_, false, false) => (0, 0, 0),
                (2, ..) => (1, 0, 0),
                (_, true, true) => ((values - 1).saturating_add(values - 2), values.saturating_mul(4), 9),
                (_, false, true) => (values - 1, values - 2, 2),
                (_, true, false) => (values, values, 3), // at least
            };
            let bits = if binary && values > 2 { DomainBits::of(domain).count as u64 } else { 0 };
            let channels = if direct || order { values.saturating_mul(bits) } else { bits };
            let (vars, clauses) = (vars.saturating_add(bits), clauses.saturating_add(channels));
            let lits = values.saturating_mul(lits).saturating_add(channels.saturating_mul(2));
            size.vars = size.vars.saturating_add(vars);
            size.clauses = size.clauses.saturating_add(clauses);
            size.lits = size.lits.saturating_add(lits);
        }
        size
    }
}
