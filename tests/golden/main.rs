//! Formulas stay what they are, byte for byte: every line of `hashes.txt` names a formula and holds its variables,
//! clauses, literals and a hash of all of it, in order.
//!
//! A change that is meant to change formulas writes the file anew, and its diff shows which formulas changed:
//!
//! ```sh
//! CNFKIT_GOLDEN=write cargo test --test golden
//! ```
//!
//! Literals are distinct and, except where a name says otherwise, sorted. Everything goes through the public API.

mod cardinality;
mod counts;
mod formula;
#[cfg(feature = "gem-hunter")]
mod gem_hunter;
mod rustsat_side;
#[cfg(feature = "sudoku")]
mod sudoku;
mod weights;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use cnfkit::{CapacityError, Cnf, Lit, Size};

/// Formulas by name.
#[derive(Default)]
struct Golden(BTreeMap<String, String>);

impl Golden {
    /// A limit that refuses what would take long to write; a refusal is a line of its own.
    const LIMIT: Size = Size { clauses: 150_000, ..Cnf::DEFAULT_LIMIT };

    fn add(&mut self, name: impl Into<String>, formula: &Cnf) {
        let clauses = formula.clauses().map(|clause| clause.iter().map(|lit| lit.to_ipasir()));
        let size = formula.size();
        let hash = hash(clauses);
        self.line(name, format!("{} {} {} {hash:016x}", formula.n_vars(), size.clauses, size.lits));
    }

    fn line(&mut self, name: impl Into<String>, what: String) {
        let name = name.into();
        assert!(!name.contains(char::is_whitespace), "{name}: a name is one word");
        let before = self.0.insert(name.clone(), what);
        assert!(before.is_none(), "{name}: two formulas of this name");
    }

    /// The hash of what `post` makes of a formula of `inputs` variables.
    fn post(
        &mut self,
        name: impl Into<String>,
        inputs: usize,
        post: impl FnOnce(&mut Cnf) -> Result<(), CapacityError>,
    ) {
        let mut cnf = Cnf::with_vars(inputs).with_limit(Self::LIMIT);
        match post(&mut cnf) {
            Ok(()) => self.add(name, &cnf),
            Err(_) => self.line(name, String::from("refused")),
        }
    }
}

/// FNV-1a, 64 bits, over the DIMACS numbers of all clauses as little-endian 32-bit words, each clause ended by 0.
fn hash(clauses: impl Iterator<Item = impl Iterator<Item = i32>>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for clause in clauses {
        for byte in clause.chain([0]).flat_map(i32::to_le_bytes) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}

/// `n` literals of the first variables in order; every third is negative.
fn inputs(n: usize) -> Vec<Lit> {
    (0..n).map(|i| Lit::new(i as u32, i % 3 == 1)).collect()
}

/// Those literals in another order.
fn shuffled(n: usize) -> Vec<Lit> {
    let (mut lits, mut random) = (inputs(n), Random(n as u64 + 1));
    for i in (1..n).rev() {
        lits.swap(i, random.below(i + 1));
    }
    lits
}

/// Xorshift, written out here so that no formula depends on another generator.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

#[test]
fn formulas_are_those_of_the_file() {
    let rooms: &[fn(&mut Golden)] = &[
        cardinality::at_most_one,
        cardinality::at_most_k,
        counts::counts,
        counts::growing,
        rustsat_side::interop,
        weights::sums,
        weights::counters,
        formula::formulas,
        #[cfg(feature = "sudoku")]
        sudoku::sudoku,
        #[cfg(feature = "gem-hunter")]
        gem_hunter::gem_hunter,
    ];
    let mut golden = Golden::default();
    std::thread::scope(|scope| {
        let add = |room: &fn(&mut Golden)| {
            let mut own = Golden::default();
            room(&mut own);
            own
        };
        let threads: Vec<_> = rooms.iter().map(|room| scope.spawn(move || add(room))).collect();
        for thread in threads {
            thread.join().unwrap().0.into_iter().for_each(|(name, what)| golden.line(name, what));
        }
    });

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/hashes.txt");
    if std::env::var_os("CNFKIT_GOLDEN").is_some_and(|what| what == "write") {
        let mut text = String::from("# formula variables clauses literals hash; see main.rs beside this file\n");
        golden.0.iter().for_each(|(name, what)| writeln!(text, "{name} {what}").unwrap());
        std::fs::write(path, text).unwrap();
        return;
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let absent = |line: &str| {
        line.starts_with('#')
            || !cfg!(feature = "sudoku") && line.starts_with("sudoku/")
            || !cfg!(feature = "gem-hunter") && line.starts_with("gem-hunter/")
    };
    let expected: BTreeMap<&str, &str> =
        text.lines().filter(|line| !absent(line)).filter_map(|line| line.split_once(' ')).collect();
    assert!(expected.len() >= 2000, "{} has lost its lines", path.display());
    let mut wrong = Vec::new();
    for (name, what) in &golden.0 {
        match expected.get(name.as_str()) {
            Some(expected) if expected == what => {}
            Some(expected) => wrong.push(format!("{name}: was {expected}, is {what}")),
            None => wrong.push(format!("{name}: not in the file, is {what}")),
        }
    }
    for name in expected.keys().filter(|name| !golden.0.contains_key(**name)) {
        wrong.push(format!("{name}: in the file, but no longer made"));
    }
    assert!(
        wrong.is_empty(),
        "{} of {} formulas are not those of {} (variables, clauses, literals, hash):\n{}\nIf that is meant: {}",
        wrong.len(),
        expected.len(),
        path.display(),
        wrong.join("\n"),
        "CNFKIT_GOLDEN=write cargo test --test golden"
    );
}

#[test]
fn the_hash_is_fnv_1a() {
    // The published test vector of four zero bytes, and a swap of two literals.
    assert_eq!(hash([[0_i32; 0].into_iter()].into_iter()), 0x4d25_767f_9dce_13f5);
    let of = |clause: [i32; 2]| hash([clause.into_iter()].into_iter());
    assert_ne!(of([1, 2]), of([2, 1]));
}
