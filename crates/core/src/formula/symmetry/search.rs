//! The search for symmetries: permutations of literals by which all rows become rows.
//!
//! Variables are fixed one after the other, the first by number that structure does not tell from others, until no
//! choice is left; *structure* is what refinement of colours sees. Then, from the last of them on, each literal that
//! looks alike is a candidate to take the place of the one that was fixed: both are set apart, in a colouring each, and
//! what is left is matched, exchanges first, until both colourings are a permutation. It counts if it maps all rows to
//! rows, which is checked one by one; there is no backtracking, so that some may be missed. Literals that those found
//! already reach are no candidates, so there are at most as many generators as literals.
//!
//! Sources: P. Darga, M. Liffiton, K. Sakallah, I. Markov, *Exploiting Structure in Symmetry Detection for CNF*, DAC
//! 2004, for the search by two colourings at a time; C. Sims, *Computational Methods in the Study of Permutation
//! Groups*, 1970, for the order of the search.

use rustc_hash::FxHashSet;
use rustsat::types::Lit;

use super::rows::{SymmetryRows, lit_of, number_of};
use crate::formula::detect::{find, unite};

/// The most steps of a search: literals of rows that are looked at, some nanoseconds each.
const WORK: u64 = 1 << 29;

/// A symmetry: literals with their images, those that stay left out, sorted; the negation of each has the negated
/// image.
pub(super) type Generator = Vec<(Lit, Lit)>;

/// The image of a literal.
pub(super) fn image(generator: &[(Lit, Lit)], lit: u32) -> u32 {
    let at = generator.binary_search_by_key(&(lit & !1), |&(from, _)| number_of(from));
    at.map_or(lit, |at| number_of(generator[at].1) ^ (lit & 1))
}

/// Two steps of multiplication and shifting, as in the colours of orders.
const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Colours of literals, and the literals by colour.
#[derive(Clone, Debug)]
struct LiteralColouring {
    of: Vec<u64>,
    sorted: Vec<(u64, u32)>,
}

impl LiteralColouring {
    /// Literals of one colour each, with their place in `sorted`.
    fn cells(&self) -> impl Iterator<Item = &[(u64, u32)]> {
        self.sorted.chunk_by(|one, other| one.0 == other.0)
    }
}

struct SymmetrySearch<'r> {
    rows: &'r SymmetryRows,
    work: u64,
}

impl SymmetrySearch<'_> {
    fn is_over(&self) -> bool {
        self.work >= WORK
    }

    /// Colours that only structure tells apart: refined until no more of them come.
    fn refined(&mut self, mut colours: Vec<u64>) -> LiteralColouring {
        let rows = self.rows;
        let mut sorted = Vec::new();
        let mut distinct = 0;
        loop {
            sorted.clear();
            sorted.extend(colours.iter().copied().zip(0..));
            sorted.sort_unstable();
            let now = sorted.chunk_by(|one: &(u64, u32), other| one.0 == other.0).count();
            if now == distinct || now == rows.n_lits || self.is_over() {
                return LiteralColouring { of: colours, sorted };
            }
            distinct = now;
            self.work += (rows.items.len() + 8 * rows.n_lits) as u64;
            let mut next: Vec<u64> = (0..rows.n_lits)
                .map(|lit| mix(colours[lit]).wrapping_mul(3).wrapping_add(mix(!colours[lit ^ 1])))
                .collect();
            for (row, &label) in rows.labels.iter().enumerate() {
                let items = &rows.items[rows.range(row)];
                let seen = |&(role, lit): &(u32, u32)| {
                    mix(colours[lit as usize] ^ u64::from(role).wrapping_mul(0x9E37_79B9_7F4A_7C15))
                };
                let sum = items.iter().fold(u64::from(label), |sum, item| sum.wrapping_add(seen(item)));
                let colour = mix(sum);
                for &(role, lit) in items {
                    let next = &mut next[lit as usize];
                    *next = next.wrapping_add(mix(colour ^ u64::from(role)));
                }
            }
            colours = next;
        }
    }

    /// The colouring with one literal apart from all others.
    fn apart(&mut self, colouring: &LiteralColouring, lit: u32) -> LiteralColouring {
        let mut colours = colouring.of.clone();
        colours[lit as usize] = mix(colours[lit as usize] ^ 0xA5A5_5A5A_0F0F_F0F0);
        self.refined(colours)
    }

    /// The literals to which a literal is moved, by the roots of all orbits.
    fn orbit(&mut self, roots: &mut [u32], lit: u32) -> Vec<u32> {
        self.work += self.rows.n_lits as u64;
        let root = find(roots, lit);
        (0..self.rows.n_lits as u32).filter(|&lit| find(roots, lit) == root).collect()
    }

    /// A symmetry by which one colouring becomes the other, unless it is hard to find.
    fn symmetry(&mut self, mut left: LiteralColouring, mut right: LiteralColouring) -> Option<Generator> {
        const NONE: u32 = u32::MAX;
        while !self.is_over() {
            self.work += 4 * self.rows.n_lits as u64;
            if !left.sorted.iter().zip(&right.sorted).all(|(one, other)| one.0 == other.0) {
                return None;
            }
            let mut image = vec![NONE; self.rows.n_lits];
            let mut open = None;
            let mut start = 0;
            for cell in left.cells() {
                let others = &right.sorted[start..start + cell.len()];
                start += cell.len();
                if let (&[(_, one)], &[(_, other)]) = (cell, others) {
                    image[one as usize] = other;
                } else if cell.iter().all(|&(colour, lit)| right.of[lit as usize] == colour) {
                    cell.iter().for_each(|&(_, lit)| image[lit as usize] = lit);
                } else {
                    open = open.or(Some((cell, others)));
                }
            }
            let Some((cell, others)) = open else {
                let moved: Vec<u32> = (0..).zip(&image).filter(|&(lit, &to)| lit != to).map(|(lit, _)| lit).collect();
                let are_opposed = moved.iter().all(|&lit| image[lit as usize ^ 1] == image[lit as usize] ^ 1);
                self.work += moved.iter().map(|&lit| 8 * self.rows.of[lit as usize].len() as u64).sum::<u64>();
                let is_one = are_opposed && self.rows.are_kept_by(&image, &moved);
                return is_one.then(|| {
                    let positive = moved.into_iter().filter(|lit| lit % 2 == 0);
                    positive.map(|lit| (lit_of(lit), lit_of(image[lit as usize]))).collect()
                });
            };
            // What was mapped here goes back, where that may be: exchanges are shorter than cycles.
            let colour = cell[0].0;
            let is_left = |lit: u32| lit != NONE && left.of[lit as usize] == colour;
            let back = others.iter().map(|&(_, other)| (image[other as usize], other)).find(|&(one, _)| is_left(one));
            let (one, other) = back.unwrap_or_else(|| {
                let one = cell.iter().find(|&&(_, lit)| right.of[lit as usize] != colour).unwrap_or(&cell[0]);
                let other = others.iter().find(|&&(_, lit)| !is_left(lit)).unwrap_or(&others[0]);
                (one.1, other.1)
            });
            left = self.apart(&left, one);
            right = self.apart(&right, other);
        }
        None
    }
}

/// The literals to which a variable's may be moved while all before it stay, and the symmetries that do so.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) first: u32,
    /// Sorted.
    pub(super) orbit: Vec<u32>,
    /// The number of generators that leave all variables before alone.
    pub(super) n_generators: usize,
}

/// Symmetries of a formula, from those that leave most variables alone on.
#[derive(Debug)]
pub(super) struct SymmetryGroup {
    pub(super) generators: Vec<Generator>,
    pub(super) levels: Vec<Level>,
}

impl SymmetryGroup {
    pub(super) fn new(rows: &SymmetryRows) -> Self {
        let mut search = SymmetrySearch { rows, work: 0 };
        let mut group = Self { generators: Vec::new(), levels: Vec::new() };
        // Variables that nothing is said of are all different.
        let free = |lit: usize| rows.of[lit].is_empty() && rows.of[lit ^ 1].is_empty();
        let colours = (0..rows.n_lits).map(|lit| if free(lit) { mix(lit as u64 + 2) } else { 1 }).collect();
        let mut colourings = vec![search.refined(colours)];
        let mut firsts = Vec::new();
        while let Some(last) = colourings.last()
            && search.work < WORK / 4
        {
            let open =
                last.cells().filter(|cell| cell.len() > 1).flatten().map(|&(_, lit)| lit).filter(|lit| lit % 2 == 0);
            let Some(first) = open.min() else { break };
            let next = search.apart(last, first);
            firsts.push(first);
            colourings.push(next);
        }
        // The root of each literal's orbit.
        let mut roots: Vec<u32> = (0..rows.n_lits as u32).collect();
        for (level, &first) in firsts.iter().enumerate().rev() {
            let mut failed = FxHashSet::default();
            let before = &colourings[level];
            let mut others: Vec<u32> =
                (0..rows.n_lits as u32).filter(|&lit| before.of[lit as usize] == before.of[first as usize]).collect();
            others.sort_unstable();
            for other in others {
                if search.is_over() {
                    break;
                }
                if find(&mut roots, other) == find(&mut roots, first) || failed.contains(&other) {
                    continue;
                }
                let right = search.apart(before, other);
                match search.symmetry(colourings[level + 1].clone(), right) {
                    Some(generator) if generator.first().is_some_and(|&(lit, _)| number_of(lit) == first) => {
                        for &(from, to) in &generator {
                            unite(&mut roots, number_of(from), number_of(to));
                            unite(&mut roots, number_of(!from), number_of(!to));
                        }
                        group.generators.push(generator);
                    }
                    _ => failed.extend(search.orbit(&mut roots, other)),
                }
            }
            colourings.truncate(level + 1);
            let n_generators = group.generators.len();
            group.levels.push(Level { first, orbit: search.orbit(&mut roots, first), n_generators });
        }
        group
    }

    /// The logarithm of how many symmetries there are, to the base of two.
    pub(super) fn log(&self) -> f64 {
        self.levels.iter().map(|level| (level.orbit.len() as f64).log2()).sum()
    }
}
