//! The variables of an OPB text: numbers, names, and auxiliaries for products.

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::{Lit, Var};

use crate::formula::Formula;
use crate::formula::spelling::Spelling;
use crate::read::ReadError;
use crate::sink::ClauseSink;
use crate::words::Word;

/// Words of bits that are taken together: 8 KiB.
const PAGE: usize = 1 << 10;

/// The variables that were met so far. `x7` is variable 7, unless that was taken before `x7` came.
#[derive(Default)]
pub(super) struct OpbVariables {
    /// The variables that go by their numbers: a bit each, in pages of [`PAGE`] words, which are empty at first.
    numbered: Vec<Vec<u64>>,
    /// The others.
    others: FxHashSet<u32>,
    named: FxHashMap<Box<[u8]>, Var>,
    /// The variables that go by numbers or names.
    met: u64,
    /// The most that there may be of them, where the header says it.
    pub(super) announced: Option<u64>,
    /// No variable below is free.
    free: u32,
    /// Sorted literals, and the one that is true if all of them are.
    products: FxHashMap<Box<[Lit]>, Lit>,
}

impl OpbVariables {
    /// The literal that a word says: `x1`, `~x1`, or another name. None where it says none.
    pub(super) fn literal(&mut self, word: &Word, formula: &mut Formula) -> Result<Option<Lit>, ReadError> {
        let (negated, name) = match word.text() {
            [b'~', name @ ..] => (true, name),
            name => (false, name),
        };
        let number = number(name);
        let is_name = || {
            matches!(name, [b'a'..=b'z' | b'A'..=b'Z' | b'_', rest @ ..] if rest.iter().all(u8::is_ascii_graphic))
                && !name.ends_with(b":")
        };
        if !word.is_whole() || number.is_none() && !is_name() {
            return Ok(None);
        }
        let var = match number {
            Some(number) => {
                let var = Var::new(word.within_limit(number, Formula::MOST_READ)? - 1);
                if self.others.contains(&var.idx32()) { self.of_name(name, word, formula)? } else { self.number(var) }
            }
            None => self.of_name(name, word, formula)?,
        };
        if let Some(announced) = self.announced.filter(|&announced| self.met > announced) {
            return Err(word.wrong(format!("`{word}`: a variable more than the {announced} of the header")));
        }
        formula.know(var.pos_lit())?;
        Ok(Some(var.lit(negated)))
    }

    /// True if `x7` is variable 7, whether it was met or not.
    pub(super) fn is_by_number(&self, number: u64) -> bool {
        u32::try_from(number).is_ok_and(|number| number > 0 && !self.others.contains(&(number - 1)))
    }

    /// The variable of a number from 1 on, as most are given; none where names were met, or where it is too many.
    #[inline]
    pub(super) fn plain(&mut self, number: u64) -> Option<Var> {
        let number = u32::try_from(number).ok().filter(|number| (1..=Formula::MOST_READ).contains(number))?;
        if !self.others.is_empty() {
            return None;
        }
        let var = self.number(Var::new(number - 1));
        self.announced.is_none_or(|announced| self.met <= announced).then_some(var)
    }

    #[inline]
    fn number(&mut self, var: Var) -> Var {
        let (page, at, bit) = (var.idx() / 64 / PAGE, var.idx() / 64 % PAGE, 1 << (var.idx32() % 64));
        if page >= self.numbered.len() {
            self.numbered.resize(page + 1, Vec::new());
        }
        let words = &mut self.numbered[page];
        if words.is_empty() {
            words.resize(PAGE, 0);
        }
        self.met += u64::from(words[at] & bit == 0);
        words[at] |= bit;
        var
    }

    /// The variable of a name: the lowest that is free, where the name is new.
    fn of_name(&mut self, name: &[u8], word: &Word, formula: &mut Formula) -> Result<Var, ReadError> {
        if let Some(&var) = self.named.get(name) {
            return Ok(var);
        }
        let is_taken = |var: u32| {
            let (page, at) = (var as usize / 64 / PAGE, var as usize / 64 % PAGE);
            let words = self.numbered.get(page).and_then(|words| words.get(at));
            let numbered = words.is_some_and(|bits| bits >> (var % 64) & 1 == 1);
            numbered || self.others.contains(&var)
        };
        let mut var = self.free;
        while is_taken(var) {
            var += 1;
        }
        word.within_limit(u64::from(var) + 1, Formula::MOST_READ)?;
        self.free = var + 1;
        self.met += 1;
        self.others.insert(var);
        let var = Var::new(var);
        self.named.insert(name.into(), var);
        formula.know(var.pos_lit())?;
        formula.set_name(var, String::from_utf8_lossy(name));
        formula.spelled.insert(var, Spelling::Name);
        Ok(var)
    }

    /// A new variable above all others, which the text does not know.
    pub(super) fn auxiliary(&mut self, word: &Word, formula: &mut Formula) -> Result<Lit, ReadError> {
        let var = word.within_limit(formula.n_vars() as u64 + 1, Formula::MOST_READ)? - 1;
        self.others.insert(var);
        let var = Var::new(var);
        formula.know(var.pos_lit())?;
        formula.spelled.insert(var, Spelling::Auxiliary);
        formula.aside.take(var.idx32()..var.idx32() + 1);
        Ok(var.pos_lit())
    }

    /// The product of literals: true if all of them are. None where it is never true. A product is defined once.
    pub(super) fn product(
        &mut self,
        mut lits: Vec<Lit>,
        word: &Word,
        formula: &mut Formula,
    ) -> Result<Option<Lit>, ReadError> {
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Ok(None);
        }
        if let [lit] = lits[..] {
            return Ok(Some(lit));
        }
        if let Some(&product) = self.products.get(&lits[..]) {
            return Ok(Some(product));
        }
        let product = self.auxiliary(word, formula)?;
        for &lit in &lits {
            formula.add_clause(&[!product, lit])?;
        }
        let all: Vec<Lit> = lits.iter().map(|&lit| !lit).chain([product]).collect();
        formula.add_clause(&all)?;
        self.products.insert(lits.into(), product);
        Ok(Some(product))
    }
}

/// The number in `x1`, from 1 on and without leading zeros.
fn number(name: &[u8]) -> Option<u64> {
    let [b'x', digits @ ..] = name else { return None };
    if !matches!(digits, [b'1'..=b'9', ..]) || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let more = |number: u64, digit: &u8| number.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    Some(digits.iter().fold(0, more))
}
