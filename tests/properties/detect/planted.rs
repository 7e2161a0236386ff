//! Formulas with at-most-ones planted among other clauses.

use cnfkit::{AmoEncoding, ClauseSink, Cnf, Constrain, Lit};

use super::textbook::{self, Encoding};

/// `SplitMix64`.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// `n` literals of different variables.
    pub(crate) fn lits(&mut self, among: &[Lit], n: usize) -> Vec<Lit> {
        let mut lits = among.to_vec();
        self.shuffle(&mut lits);
        lits.truncate(n);
        lits.iter_mut().for_each(|lit| *lit = lit.var().lit(self.next() & 1 == 1));
        lits
    }
}

/// This crate's encodings by name, and the textbook's.
#[derive(Clone, Copy)]
pub(crate) enum By {
    Crate(AmoEncoding),
    Textbook(Encoding),
}

impl By {
    pub(crate) fn all() -> Vec<Self> {
        let ours = AmoEncoding::ALL.iter().copied();
        let ours = ours.filter(|enc| !matches!(enc, AmoEncoding::Card(_))).map(Self::Crate);
        ours.chain(textbook::ALL.into_iter().map(Self::Textbook)).collect()
    }

    pub(crate) fn family(&self) -> String {
        match self {
            Self::Crate(enc) => enc.to_string(),
            Self::Textbook((family, ..)) => (*family).to_owned(),
        }
    }

    pub(crate) fn write(&self, cnf: &mut Cnf, lits: &[Lit]) {
        match self {
            Self::Crate(enc) => cnf.at_most_one(lits, enc).unwrap(),
            Self::Textbook((_, _, write)) => write(cnf, lits),
        }
    }
}

pub(crate) struct Planted {
    pub(crate) lits: Vec<Lit>,
    pub(crate) exactly: bool,
    pub(crate) by: By,
}

/// The parts of a planted formula.
#[derive(Clone, Copy)]
pub(crate) struct Recipe {
    pub(crate) inputs: usize,
    pub(crate) amos: usize,
    /// Sizes are 3 to this, each scale equally likely.
    pub(crate) most: usize,
    /// Random clauses of two and of three for each input, in hundredths.
    pub(crate) twos: usize,
    pub(crate) threes: usize,
}

/// A formula with at-most-ones by the given encodings; variables are renumbered, clauses and literals shuffled.
pub(crate) fn formula(recipe: Recipe, by: &[By], random: &mut Random) -> (Cnf, Vec<Planted>) {
    let mut cnf = Cnf::new();
    let inputs = cnf.new_lits(recipe.inputs);
    let mut planted = Vec::new();
    for _ in 0..recipe.amos {
        let scale = (recipe.most as f64 / 3.0).powf((random.next() >> 11) as f64 / (1_u64 << 53) as f64);
        let n = (3.0 * scale).round().clamp(0.0, recipe.inputs as f64);
        #[allow(clippy::cast_sign_loss)] // clamped
        let n = n as usize;
        let lits = random.lits(&inputs, n);
        let by = by[random.below(by.len())];
        by.write(&mut cnf, &lits);
        let exactly = random.below(3) == 0;
        if exactly {
            cnf.add_clause(&lits).unwrap();
        }
        planted.push(Planted { lits, exactly, by });
    }
    for (n, hundredths) in [(2, recipe.twos), (3, recipe.threes)] {
        for _ in 0..recipe.inputs * hundredths / 100 {
            cnf.add_clause(&random.lits(&inputs, n)).unwrap();
        }
    }
    shuffled(&cnf, planted, random)
}

/// The formula with other numbers and signs, and clauses and literals in another order.
pub(crate) fn shuffled(cnf: &Cnf, mut planted: Vec<Planted>, random: &mut Random) -> (Cnf, Vec<Planted>) {
    let mut names: Vec<u32> = (0..cnf.n_vars() as u32).collect();
    random.shuffle(&mut names);
    let flips: Vec<bool> = names.iter().map(|_| random.next() & 1 == 1).collect();
    let renamed = |lit: Lit| Lit::new(names[lit.vidx()], lit.is_neg() ^ flips[lit.vidx()]);
    let mut clauses: Vec<Vec<Lit>> =
        cnf.clauses().map(|clause| clause.iter().map(|&lit| renamed(lit)).collect()).collect();
    clauses.iter_mut().for_each(|clause| random.shuffle(clause));
    random.shuffle(&mut clauses);
    let mut shuffled = Cnf::with_vars(cnf.n_vars());
    clauses.iter().for_each(|clause| shuffled.add_clause(clause).unwrap());
    planted.iter_mut().flat_map(|planted| &mut planted.lits).for_each(|lit| *lit = renamed(*lit));
    (shuffled, planted)
}
