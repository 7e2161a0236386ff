//! Proofs in DRAT, as text, become lines of a proof for VeriPB.
//!
//! DRAT is a list of clauses that end with 0, each added, or, after `d`, deleted. One that is added follows by unit
//! propagation, or may be demanded without a loss because making its first literal true repairs what it breaks. VeriPB
//! tries both for a line `red` with that literal as its witness, so nothing is checked here. Where only a part of the
//! formula is refuted, each clause has the negated literals of the part's cube, too, and the empty one is left with
//! them alone.
//!
//! Deleted are clauses that the same proof has added, of two literals and more. All others are left, because the
//! checker has no units beside the clauses that propagate them; a clause that repairs nothing but with fewer clauses
//! beside it is not accepted.
//!
//! Source: N. Wetzler, M. Heule, W. Hunt, *DRAT-trim: efficient checking and trimming using expressive clausal
//! proofs*, SAT 2014, LNCS 8561, pages 422–429.

use std::io::BufRead;

use rustsat::types::{Lit, Var};

use super::pen::ClauseNumbers;
use crate::certify::{Id, Lines};
use crate::running::Clock;
use crate::solvers::Failure;

/// The lines after which the clock is looked at.
const LINES: usize = 1 << 10;

/// The proofs of an engine for one formula, one after the other.
pub(super) struct Drat {
    n_vars: u32,
    /// Variables that engines have added, each for its own proof.
    own: u32,
}

impl Drat {
    /// For proofs about so many variables.
    pub(super) const fn new(n_vars: u32) -> Self {
        Self { n_vars, own: 0 }
    }

    /// Translates a proof that the part of this cube has no model: the number of the line that says so, none when the
    /// clock is over.
    pub(super) fn translate(
        &mut self,
        mut proof: impl BufRead,
        cube: &[Lit],
        lines: &mut Lines<'_>,
        clock: &Clock,
    ) -> Result<Option<Id>, Failure> {
        let beside: Vec<Lit> = cube.iter().map(|&lit| !lit).collect();
        let (before, mut known) = (self.own, ClauseNumbers::default());
        let (mut clause, mut is_deleted, mut text) = (Vec::new(), false, Vec::new());
        for n_lines in 0.. {
            if n_lines % LINES == 0 && clock.is_over() {
                return Ok(None);
            }
            text.clear();
            if proof.read_until(b'\n', &mut text).map_err(Failure::File)? == 0 {
                break;
            }
            for word in text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
                match word {
                    b"c" if clause.is_empty() => break,
                    b"d" if clause.is_empty() => is_deleted = true,
                    b"0" if is_deleted => {
                        if let Some(id) = known.take(std::mem::take(&mut clause)) {
                            lines.list("del id", &[id]).map_err(Failure::File)?;
                        }
                        is_deleted = false;
                    }
                    b"0" => match clause.first() {
                        None => return lines.rup(&beside, &[]).map(Some).map_err(Failure::File),
                        Some(&first) => {
                            let all = clause.iter().chain(beside.iter().filter(|lit| !clause.contains(lit)));
                            let id = lines.red(all.map(|&lit| (1, lit)), 1, first).map_err(Failure::File)?;
                            if clause.len() > 1 {
                                known.add(std::mem::take(&mut clause), id);
                            }
                            clause.clear();
                        }
                    },
                    _ => clause.push(self.literal(word, before)?),
                }
            }
        }
        Err(Failure::NoProof)
    }

    /// A literal; variables that are the engine's own come after those that engines had before.
    fn literal(&mut self, word: &[u8], before: u32) -> Result<Lit, Failure> {
        let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<i32>().ok());
        let var = number.and_then(|number| number.unsigned_abs().checked_sub(1));
        let var = var.and_then(|var| var.checked_add(if var < self.n_vars { 0 } else { before }));
        match var.filter(|&var| var <= Var::MAX_IDX) {
            Some(var) => {
                self.own = self.own.max((var + 1).saturating_sub(self.n_vars));
                Ok(Lit::new(var, number < Some(0)))
            }
            None => Err(Failure::Nonsense(String::from_utf8_lossy(word).escape_debug().take(48).collect())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    /// The lines of proofs about three variables, for the parts of these cubes.
    fn translated(proofs: &[(&str, &[i32])]) -> Result<String, Failure> {
        let (mut text, mut drat) = (Vec::new(), Drat::new(3));
        let mut lines = Lines::new(&mut text);
        for (proof, cube) in proofs {
            let cube: Vec<Lit> = cube.iter().map(|&lit| Lit::from_ipasir(lit).unwrap()).collect();
            let id = drat.translate(proof.as_bytes(), &cube, &mut lines, &Limits::none().start())?;
            assert_eq!(id, Some(lines.last()));
        }
        lines.finish().unwrap();
        Ok(String::from_utf8(text).unwrap())
    }

    #[test]
    fn clauses_are_added_and_deleted() {
        let text = translated(&[("c begins\n-2 1 3 0\n1 0\nd 3 -2 1 0\nd 1 0\nd 1 2 0\n0\n9 0\n", &[])]).unwrap();
        let expected = "red +1 ~x2 +1 x1 +1 x3 >= 1 : x2 -> 0;\nred +1 x1 >= 1 : x1 -> 1;\ndel id 1;\nrup >= 1;\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn parts_stand_under_their_cubes_and_share_no_variable_of_their_own() {
        let text = translated(&[("5 1 0 2 0\n0", &[1, -2]), ("-4 0 0", &[-1])]).unwrap();
        let expected = "red +1 x5 +1 x1 +1 ~x1 +1 x2 >= 1 : x5 -> 1;\nred +1 x2 +1 ~x1 >= 1 : x2 -> 1;\n\
                        rup +1 ~x1 +1 x2 >= 1;\nred +1 ~x6 +1 x1 >= 1 : x6 -> 0;\nrup +1 x1 >= 1;\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_is_no_proof_is_refused() {
        for text in ["", "1 0\n", "1 2", "d 0\n"] {
            assert!(matches!(translated(&[(text, &[])]), Err(Failure::NoProof)), "{text}");
        }
        for (text, word) in [("a\u{1}0", "a\\u{1}0"), ("1 x 0", "x"), ("4294967296 0", "4294967296"), ("1 d 0", "d")] {
            let failure = translated(&[(text, &[])]).unwrap_err();
            assert!(matches!(&failure, Failure::Nonsense(said) if said == word), "{failure}");
        }
    }
}
