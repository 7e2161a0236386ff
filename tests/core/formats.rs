//! KNF, OPB and DIMACS: what is written is read back, and what is wrong is refused with its place.

use cnfkit::{
    AmoEncoding, CardEncoding, ClauseSink, Cnf, Constrain, Formula, Lit, PbEncoding, PbRelation, ReadError, Relation,
    Size, Tally, Var,
};

/// Numbers by lot (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(mixed ^ (mixed >> 31)) * n as u128) >> 64) as usize
    }
}

const VARS: usize = 6;

fn random_formula(random: &mut Random) -> Formula {
    let mut formula = Formula::with_vars(VARS);
    for _ in 0..random.below(5) {
        let mut lits: Vec<Lit> = (0..VARS as u32).map(|var| Lit::new(var, random.below(2) == 0)).collect();
        for last in (1..VARS).rev() {
            lits.swap(last, random.below(last + 1));
        }
        let others = lits.split_off(1 + random.below(VARS));
        let k = random.below(lits.len() + 1);
        let auto = CardEncoding::Auto;
        let weights: Vec<(Lit, u64)> = lits.iter().map(|&lit| (lit, 1 + random.below(9) as u64)).collect();
        let bound = random.below(1 + weights.iter().map(|&(_, weight)| weight as usize).sum::<usize>()) as u64;
        let relation = [PbRelation::AtMost, PbRelation::AtLeast, PbRelation::Exactly][random.below(3)](bound);
        let auto_pb = PbEncoding::Auto;
        match (random.below(9), others.first()) {
            (0, _) => formula.add_clause(&lits),
            (6, _) => formula.pb(&weights, relation, &auto_pb),
            (7, _) => formula.when(&others).pb(&weights, relation, &auto_pb),
            (8, Some(&r)) => match relation {
                PbRelation::AtMost(bound) => formula.pb_iff_at_most(r, &weights, bound, &auto_pb),
                PbRelation::AtLeast(bound) => formula.pb_iff_at_least(r, &weights, bound, &auto_pb),
                PbRelation::Exactly(bound) => formula.pb_iff_exactly(r, &weights, bound, &auto_pb),
            },
            (1, _) => formula.at_most(&lits, k, &auto),
            (2, _) => formula.exactly(&lits, k, &auto),
            (3, Some(&r)) => match random.below(3) {
                0 => formula.iff_at_most(r, &lits, k, &auto),
                1 => formula.iff_at_least(r, &lits, k, &auto),
                _ => formula.iff_exactly(r, &lits, k, &auto),
            },
            (5, Some(&r)) => formula.when(&others[1..]).iff_exactly(r, &lits, k, &auto),
            (4, _) => formula.when(&others).exactly(&lits, k, &auto),
            _ => formula.when(&others).at_least(&lits, k, &auto),
        }
        .unwrap();
    }
    if random.below(2) == 0 {
        formula.set_name(Var::new(random.below(VARS) as u32), "the name\nof this one");
        formula.set_objective(
            (0..VARS as u32).map(|var| (Lit::new(var, random.below(2) == 0), random.below(9) as i64 - 4)),
        );
    }
    formula
}

/// The assignments of the first variables that satisfy a formula, as bits: others may have any value.
fn models(formula: &Formula) -> Vec<usize> {
    let cnf = formula.encode().unwrap();
    let fixed = |bits: usize| (0..VARS as u32).map(move |var| Lit::new(var, bits >> var & 1 == 0));
    let satisfies = |&bits: &usize| {
        let mut with = cnf.clone();
        fixed(bits).for_each(|lit| with.add_clause(&[lit]).unwrap());
        with.solve_with(rustsat_batsat::BasicSolver::default()).unwrap().is_some()
    };
    (0..1 << VARS).filter(satisfies).collect()
}

/// A line of OPB has a term, also where it says the empty clause: clasp answers `UNKNOWN` to `>= 1 ;`.
#[test]
fn the_empty_clause_in_opb_has_terms() {
    for n_vars in [0, 3] {
        let mut formula = Formula::with_vars(n_vars);
        formula.add_clause(&[]).unwrap();
        let mut text = Vec::new();
        formula.write_opb(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text, format!("* #variable= {} #constraint= 1\n+1 x1 -1 x1 >= 1 ;\n", n_vars.max(1)));
        let read = Formula::read_opb(text.as_bytes()).unwrap();
        assert_eq!(read.clauses().collect::<Vec<_>>(), [&[][..]]);
    }
}

#[test]
#[cfg_attr(not(feature = "batsat"), ignore)]
fn what_is_written_is_read_back() {
    let mut random = Random(1);
    for _ in 0..60 {
        let formula = random_formula(&mut random);
        let (mut knf, mut opb, mut dimacs) = (Vec::new(), Vec::new(), Vec::new());
        formula.write_knf(&mut knf).unwrap();
        formula.write_opb(&mut opb).unwrap();
        formula.write_dimacs(&mut dimacs).unwrap();
        let (knf, opb) = (String::from_utf8(knf).unwrap(), String::from_utf8(opb).unwrap());
        let announced = opb.lines().next().unwrap().rsplit_once("#constraint= ").unwrap().1;
        let is_constraint = |line: &&str| line.contains("= ") && line.ends_with(';');
        assert_eq!(announced, opb.lines().filter(is_constraint).count().to_string());
        let from_knf = Formula::read_knf(knf.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{knf}"));
        let from_opb = Formula::read_opb(opb.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{opb}"));
        let from_dimacs = Formula::read_dimacs(&dimacs[..]).unwrap_or_else(|error| panic!("{error}\n{formula:?}"));
        let expected = models(&formula);
        assert_eq!(models(&from_dimacs), expected, "{formula:?}");
        let encoded = formula.encode().unwrap();
        assert!(from_dimacs.n_vars() == encoded.n_vars() && from_dimacs.clauses().eq(encoded.clauses()));
        let tight = formula.clone().with_limit(Size { lits: encoded.n_lits() as u64, ..Cnf::DEFAULT_LIMIT });
        tight.write_dimacs(Vec::new()).unwrap();
        if encoded.n_lits() > formula.clauses().map(<[Lit]>::len).sum() {
            let tight = tight.with_limit(Size { lits: encoded.n_lits() as u64 - 1, ..Cnf::DEFAULT_LIMIT });
            let mut text = Vec::new();
            assert_eq!(tight.write_dimacs(&mut text).unwrap_err().kind(), std::io::ErrorKind::OutOfMemory);
            assert!(text.is_empty());
        }
        assert_eq!(models(&from_knf), expected, "{knf}");
        assert_eq!(models(&from_opb), expected, "{opb}");
        // A variable that says on which side of its bound a reified sum is has one value.
        assert_eq!(solutions(&from_opb).len(), solutions(&formula).len(), "{opb}");
        let names =
            |formula: &Formula| formula.names().map(|(var, name)| (var, name.replace('\n', " "))).collect::<Vec<_>>();
        for read in [&from_knf, &from_opb, &from_dimacs] {
            assert_eq!(names(read), names(&formula));
        }
        assert_eq!(from_opb.objective(), formula.objective());
        // Nothing is lost on a second way either: the texts are the same.
        let mut again = Vec::new();
        from_knf.write_knf(&mut again).unwrap();
        assert_eq!(lines(&String::from_utf8(again).unwrap()), lines(&knf));
    }
}

/// Clauses and constraints in one order: a bound that is a clause is written as one the second time.
fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('k') && !line.starts_with('p')).collect();
    lines.sort_unstable();
    lines.retain(|line| line.starts_with('c'));
    lines
}

#[test]
fn dimacs_is_read_as_a_cnf_reads_it() {
    let text = "c a comment\np cnf 4 3\n1 -2 0 3\n4 0\n0\nc the end\n";
    let formula = Formula::read_dimacs(text.as_bytes()).unwrap();
    let cnf = cnfkit::Cnf::from_dimacs(text.as_bytes()).unwrap();
    assert!(formula.clauses().eq(cnf.clauses()));
    assert_eq!(formula.n_vars(), 4);
    // Numbers may have leading zeros without end.
    let zeros = "0".repeat(99);
    let text = text.replace("cnf 4 3", &format!("cnf {zeros}4 {zeros}3"));
    assert!(cnfkit::Cnf::from_dimacs(text.as_bytes()).unwrap().clauses().eq(cnf.clauses()));
    // Past `%` nothing is read.
    assert!(Formula::read_dimacs(&b"p cnf 2 1\n1 2 0\n%\n0\n"[..]).is_ok());
}

#[test]
fn knf_says_constraints() {
    let text = "p knf 5 4\nk 3 1 2 3 4 5 0\n1 -2 0\nk 0 1 2 0\nk 9 1 2 0\n";
    let formula = Formula::read_knf(text.as_bytes()).unwrap();
    let kept: Vec<_> = formula
        .constraints()
        .filter_map(|constraint| constraint.counted())
        .map(|(lits, relation)| (relation, lits.len()))
        .collect();
    assert_eq!(kept, [(Relation::AtLeast(3), 5)]);
    // At least 0 says nothing, at least 9 of 2 is no model.
    assert_eq!(formula.clauses().map(<[Lit]>::len).collect::<Vec<_>>(), [2, 0]);
    // Two bounds on the same literals, one from above: exactly 3 on one counter.
    let text = "p knf 5 2\nk 3 1 2 3 4 5 0\nk 2 -1 -2 -3 -4 -5 0\n";
    let mut tally = Tally::new(5);
    let x = tally.inputs();
    tally.exactly(&x, 3, &CardEncoding::Auto).unwrap();
    assert_eq!(Formula::read_knf(text.as_bytes()).unwrap().size(), tally.size());
}

#[test]
fn opb_is_folded() {
    let read = |text: &str| Formula::read_opb(text.as_bytes()).unwrap();
    let only = |formula: &Formula| {
        let constraint = formula.constraints().next().unwrap();
        let (lits, relation) = constraint.counted().unwrap();
        let lits: Vec<i32> = lits.iter().map(|lit| lit.to_ipasir()).collect();
        (constraint.cond.iter().map(|lit| lit.to_ipasir()).collect::<Vec<_>>(), lits, relation)
    };
    assert_eq!(only(&read("+1 x1 +1 x2 +1 x3 +1 x4 >= 2 ;")), (vec![], vec![1, 2, 3, 4], Relation::AtLeast(2)));
    assert_eq!(only(&read("-1 x1 -1 x2 -1 x3 -1 x4 >= -2 ;")), (vec![], vec![-1, -2, -3, -4], Relation::AtLeast(2)));
    assert_eq!(only(&read("2 x1 2 x2 2 x3 2 x4 <= 5 ;")), (vec![], vec![-1, -2, -3, -4], Relation::AtLeast(2)));
    assert_eq!(only(&read("1 x1 1 x1 2 x2 2 x3 = 4;")), (vec![], vec![1, 2, 3], Relation::Exactly(2)));
    assert_eq!(only(&read("3 ~x5 1 x1 1 x2 1 x3 1 x4 >= 3 ;")), (vec![5], vec![1, 2, 3, 4], Relation::AtLeast(3)));
    assert_eq!(only(&read("1 x1 1 x2 1 x3 1 x4 +1 ~x4 >= 3 ;")), (vec![], vec![1, 2, 3], Relation::AtLeast(2)));
    // No solution: an odd sum of even weights, more than there is.
    for text in ["2 x1 2 x2 2 x3 = 3 ;", "1 x1 1 x2 >= 3 ;", ">= 1 ;"] {
        assert!(read(text).clauses().any(<[Lit]>::is_empty), "{text}");
    }
    assert_eq!(read("1 x1 1 x2 >= 0 ;\n* c\n").size(), Size::ZERO);
    assert_eq!(read("max: 1 x1 -2 ~x2 ;\n").objective(), [(Lit::positive(0), -1), (Lit::negative(1), 2)]);
    let wide = "9223372036854775807 x1 9223372036854775807 x2 9223372036854775807 x3 >= 9223372036854775807 ;";
    assert_eq!(read(wide).clauses().map(<[Lit]>::len).collect::<Vec<_>>(), [3]);
}

/// The solutions of a formula of few variables by definition, as bits.
fn solutions(formula: &Formula) -> Vec<usize> {
    let is_true = |code: usize, lit: Lit| (code >> lit.vidx() & 1 == 1) == lit.is_pos();
    let satisfies = |code: &usize| {
        formula.clauses().all(|clause| clause.iter().any(|&lit| is_true(*code, lit)))
            && formula.constraints().all(|constraint| constraint.holds(|lit| is_true(*code, lit)))
    };
    (0..1 << formula.n_vars()).filter(satisfies).collect()
}

/// The solutions of a formula that was read from OPB, by the names of the text; each once.
fn named_models(formula: &Formula) -> Vec<Vec<String>> {
    let names = |code: usize| {
        let is_true = (0..formula.n_vars() as u32).filter(|var| code >> var & 1 == 1).map(Var::new);
        let mut names: Vec<String> = is_true.filter_map(|var| Some(formula.opb_name(var)?.into())).collect();
        names.sort();
        names
    };
    let mut models: Vec<_> = solutions(formula).into_iter().map(names).collect();
    models.sort();
    models
}

/// One sum in many spellings: of 2005, with free names, without spaces, over lines with comments.
#[test]
fn spellings_of_opb() {
    let read = |text: &str| Formula::read_opb(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let expected = named_models(&read("* #variable= 3 #constraint= 1\n3 x1 2 x2 -2 x3 >= 2 ;"));
    assert_eq!(expected.len(), 4);
    for text in [
        "3*x1 +2*x2 -2*x3 >= 2;",
        "R1: 3 x1 2 x2 -2 x3 >= 2;",
        "/* of OPBDP */ min_1 : 3 x1 2 /* * / ; **/x2 -2 x3 >=/*\n* of two lines\n*/2 /**/; /* end\n*/",
        "+3*x1+2*x2-2*x3>=2;",
        "+ 3 x1 + 2 x2 - 2 x3 >= + 2 ;",
        "3 x1 2 x2 -2 x3 > 1;",
        "-3 x1 - 2 x2 +2*x3 < -1 ;",
        "-3 x1\n* a comment 7 x8 >= 9 ;\n - 2\n x2 +2*x3\n* another\n<=\n-2\n* and\n;* not one\n",
        "3 x1 x1 2 x2 -2 x3 +9 x1 ~x1 >= 2;",
    ] {
        let text = text.replace("* not one", "");
        assert_eq!(named_models(&read(&text)), expected, "{text}");
    }
    let rename = |models: &[Vec<String>]| -> Vec<Vec<String>> {
        let name = |x: &String| ["cat[1,2]", "Dog", "_e.g"][usize::from(x.as_bytes()[1] - b'1')].to_owned();
        let mut renamed: Vec<Vec<String>> = models.iter().map(|model| model.iter().map(name).collect()).collect();
        renamed.iter_mut().for_each(|model| model.sort());
        renamed.sort();
        renamed
    };
    for header in ["", "* #variable= 3 #constraint= 1\n"] {
        let text = format!("{header}min: +1*_e.g +4*cat[1,2];\n+3*cat[1,2] +2*Dog -2*_e.g >= 2;\n");
        let formula = read(&text);
        assert_eq!((formula.n_vars(), formula.objective().len()), (3, 2));
        assert_eq!(named_models(&formula), rename(&expected));
        // What is written has numbers, and the names in comments.
        let mut text = Vec::new();
        formula.write_opb(&mut text).unwrap();
        let again = Formula::read_opb(&text[..]).unwrap();
        assert_eq!(solutions(&again), solutions(&formula));
        assert!(again.names().eq(formula.names()));
    }
    // Numbers and names in one text: `x1` gets another variable where a name came first, and keeps its name.
    for (text, names) in [
        ("+1 a +1 x1 +1 x3 +1 b +1 ~x1 +1 x01 +1 x0 >= 1;", ["a", "x1", "x3", "b", "x01", "x0"].as_slice()),
        ("* #variable= 3 #constraint= 1\n1 x2 1 a x2 1 x1 >= 1;", &["x2", "a", "x1"]),
    ] {
        let formula = read(text);
        let mut known: Vec<_> =
            (0..formula.n_vars() as u32).filter_map(|var| formula.opb_name(Var::new(var))).collect();
        known.sort();
        let mut names = names.to_vec();
        names.sort_unstable();
        assert_eq!(known, names, "{text}");
    }
    let formula = read("* name x1 late\n* name x2 two\n+1 a +1 x2 >= 1;");
    assert!(formula.names().map(|(_, name)| name).eq(["a", "two"]));
}

/// Each product has one auxiliary with one value, in the objective, too.
#[test]
fn products_of_opb() {
    let text = "* #variable= 4 #constraint= 2\nmin: 2 x1 x2 -3 ~x2 x3 x4 +1 x4 ;\n\
                +1 x2 x1 +1*x3*~x2*x4 +1 x1 ~x1 +1 x3 x3 >= 1 ;\n1 x1 x2 1 x2 ~x3 <= 1 ;\n";
    let formula = Formula::read_opb(text.as_bytes()).unwrap();
    assert_eq!((formula.n_vars(), formula.n_clauses()), (4 + 3, 3 + 4 + 3 + 2));
    let of = |code: u32, number: u32| code >> (number - 1) & 1;
    let mut expected: Vec<Vec<String>> = Vec::new();
    for code in 0..16 {
        let [a, b, c, d] = [1, 2, 3, 4].map(|number| of(code, number));
        if a * b + c * (1 - b) * d + c >= 1 && a * b + b * (1 - c) <= 1 {
            expected.push((1..=4).filter(|&number| of(code, number) == 1).map(|number| format!("x{number}")).collect());
        }
    }
    expected.sort();
    assert_eq!(named_models(&formula), expected);
    let least = |code: u32| {
        let [a, b, c, d] = [1, 2, 3, 4].map(|number| i128::from(of(code, number)));
        2 * a * b - 3 * (1 - b) * c * d + d
    };
    for model in solutions(&formula) {
        let is_true = |lit: Lit| (model >> lit.vidx() & 1 == 1) == lit.is_pos();
        let value: i128 =
            formula.objective().iter().filter(|(lit, _)| is_true(*lit)).map(|&(_, weight)| i128::from(weight)).sum();
        assert_eq!(value, least(model as u32 & 15));
    }
}

/// Sums of weights of up to 123 bits, by lot, have the solutions that their definition says, each once: those that are
/// small once divided, those with heavy weights that the bound decides, and those that are split.
#[test]
fn wide_weights_of_opb() {
    let mut random = Random(77);
    let mut auxiliaries = [0; 2];
    for round in 0..700 {
        let n = 1 + random.below(6);
        let shift = [0, 30, 45, 64, 76, 90, 108][random.below(7)];
        let wide = |random: &mut Random| {
            let wide = (random.below(1 << 15) as i128) << shift;
            let near = [0, 1, random.below(1 << 14) as i128][random.below(3)];
            if random.below(3) == 0 { -wide - near } else { wide + near }
        };
        let weights: Vec<i128> = (0..n).map(|_| wide(&mut random)).collect();
        let of = |code: usize| -> i128 { (0..n).filter(|at| code >> at & 1 == 1).map(|at| weights[at]).sum() };
        // Near a sum that there is, or that sum.
        let bound = of(random.below(1 << n)) + [0, 0, 1, -1, wide(&mut random) >> 40][random.below(5)];
        let (relation, holds): (&str, fn(&i128, &i128) -> bool) = [
            (">=", i128::ge as _),
            ("=", i128::eq as _),
            ("<=", i128::le as _),
            (">", i128::gt as _),
            ("<", i128::lt as _),
        ][round % 5];
        let terms: String =
            (1..).zip(&weights).map(|(number, weight)| format!("{weight:+}*x{number} ")).collect::<Vec<_>>().concat();
        let text = format!("* #variable= {n} #constraint= 1\n{terms}{relation} {bound};\n");
        let formula = Formula::read_opb(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        auxiliaries[usize::from(formula.n_vars() > n)] += 1;
        let expected: Vec<usize> = (0..1 << n).filter(|&code| holds(&of(code), &bound)).collect();
        assert_eq!(models_of(&formula, n), expected, "{text}");
    }
    assert!(auxiliaries.iter().all(|&times| times > 60), "{auxiliaries:?}");
    // Up to the last number.
    let [half, most] = [1 << 127, u128::MAX - 1];
    for (text, expected) in [
        (format!("{half} x1 -{half} x2 = 0;"), &[0, 3][..]),
        (format!("{half} x1 {half} x2 1 x3 >= {half};"), &[1, 2, 3, 5, 6, 7]),
        (format!("{most} x1 -{most} x2 1 x3 < 1;"), &[0, 2, 3, 6]),
        (format!("1 x1 -{most} x2 -{most} x3 <= -{most};"), &[2, 4, 6, 7]),
        (format!("1 x1 1 x2 2 x3 >= {most};"), &[]),
    ] {
        let n = text.matches('x').count();
        assert_eq!(models_of(&Formula::read_opb(text.as_bytes()).unwrap(), n), expected, "{text}");
    }
}

/// The values of the first `n` variables in all models.
fn models_of(formula: &Formula, n: usize) -> Vec<usize> {
    let mut cnf = formula.encode().unwrap();
    let mut found = Vec::new();
    let x: Vec<Lit> = (0..n as u32).map(Lit::positive).collect();
    while let Some(model) = cnf.solve_with(rustsat_batsat::BasicSolver::default()).unwrap() {
        found.push((0..n).filter(|&at| model.is_true(x[at])).map(|at| 1 << at).sum::<usize>());
        let blocked: Vec<Lit> =
            formula.lits().into_iter().map(|lit| if model.is_true(lit) { !lit } else { lit }).collect();
        cnf.add_clause(&blocked).unwrap();
    }
    found.sort_unstable();
    found
}

/// Texts of pieces by lot are read or refused with a place within them, and what is read is written and read again.
#[test]
fn hostile_opb() {
    const PIECES: [&str; 51] = [
        "+",
        "-",
        "*",
        "~",
        ";",
        "\n",
        " ",
        "x1",
        "x2",
        "~x3",
        "a",
        "b_1",
        "x0",
        "1",
        "2",
        "+3",
        "-4",
        ">=",
        "<=",
        "=",
        ">",
        "<",
        "==",
        ":",
        "min:",
        "\r",
        "\r\n",
        "\u{feff}",
        "[7] ",
        "@C-1 ",
        "min: ;",
        "soft: 8;",
        "max :",
        "R1: ",
        " :",
        "/*",
        "*/",
        "soft:",
        "[",
        "]",
        "* name x1 q",
        "* #variable= 9 #constraint= 1",
        "\t",
        "é",
        "\u{0}",
        "99999999999999999999",
        "79228162514264337593543950335",
        "99999999999999999999999999999999999999999999",
        "1 x1",
        ">= 1 ;",
        "x67108864",
    ];
    let mut random = Random(5);
    let mut read = 0;
    for round in 0..6_000 {
        let mut text = String::new();
        for _ in 0..=random.below(14) {
            text.push_str(match round % 3 {
                0 => PIECES[random.below(PIECES.len())],
                // Mostly as it should be.
                _ => [
                    "1 x1 ",
                    "+2*a ",
                    "- 3 ~x2 x3 ",
                    "x1 ",
                    ">= 1 ;",
                    "< 2;\n",
                    "= 1 ;\n* c\n",
                    PIECES[random.below(PIECES.len() - 1)],
                ][random.below(8)],
            });
        }
        match Formula::read_opb(text.as_bytes()) {
            Ok(formula) => {
                read += 1;
                let mut written = Vec::new();
                formula.write_opb(&mut written).unwrap();
                let again = Formula::read_opb(&written[..]).unwrap();
                // Control characters in names are written as spaces.
                let names = formula.names().map(|(var, name)| (var, name.replace(char::is_control, " ")));
                assert!(again.names().map(|(var, name)| (var, name.to_owned())).eq(names), "{text:?}");
                if (1..=10).contains(&formula.n_vars()) {
                    let terms = |formula: &Formula| {
                        let terms = formula.objective().iter().filter(|&&(_, weight)| weight != 0);
                        terms.copied().collect::<Vec<_>>()
                    };
                    let of_both = [&formula, &again].map(|formula| (solutions(formula), terms(formula)));
                    assert_eq!(of_both[0], of_both[1], "{text:?}");
                }
            }
            Err(ReadError::Syntax { line, column, message, .. }) => {
                let lines = text.replace("\r\n", "\n").replace('\r', "\n");
                let lines: Vec<&str> = lines.split('\n').collect();
                assert!(line <= lines.len() && column <= lines[line - 1].len() + 1, "{line}, {column}: {text:?}");
                assert!(!message.contains(char::is_control), "{message:?}");
            }
            Err(ReadError::Variable { .. }) => {}
            Err(error) => panic!("{error}: {text:?}"),
        }
    }
    assert!((500..4_000).contains(&read), "{read}");
}

#[test]
fn errors_have_their_place() {
    let dimacs = |text: &str| Formula::read_dimacs(text.as_bytes()).unwrap_err().to_string();
    let knf = |text: &str| Formula::read_knf(text.as_bytes()).unwrap_err().to_string();
    let opb = |text: &str| Formula::read_opb(text.as_bytes()).unwrap_err().to_string();
    for (found, expected) in [
        (dimacs(""), "line 1, column 1: the text ends without a header `p cnf VARIABLES CLAUSES`"),
        (dimacs("1 2 0"), "line 1, column 1: `1` found; allowed: a header `p cnf VARIABLES CLAUSES`"),
        (
            dimacs("p knf 1 1"),
            "line 1, column 3: `knf` found; allowed: a header `p cnf VARIABLES CLAUSES`; \
             `Formula::read_knf` reads `p knf`",
        ),
        (dimacs("p cnf -3 1"), "line 1, column 7: `-3` found; allowed: a number of variables"),
        (dimacs("p cnf 2 -1"), "line 1, column 9: `-1` found; allowed: a count"),
        (
            dimacs("p cnf 2"),
            "line 1, column 1: the line ends within the header; allowed: a header `p cnf VARIABLES CLAUSES`",
        ),
        (dimacs("p cnf 2 1\n1 3 0"), "line 2, column 3: `3` found; allowed: -2 to 2, and 0 at the end"),
        (dimacs("p cnf 2 1\n1\n\n 2x 0"), "line 4, column 2: `2x` found; allowed: -2 to 2, and 0 at the end"),
        (dimacs("p cnf 2 1\nk 1 2 0"), "line 2, column 1: `k` found; allowed: -2 to 2, and 0 at the end"),
        (dimacs("p cnf 2 1\n1 0 2 0"), "line 2, column 7: a clause more than the 1 of the header"),
        (dimacs("p cnf 2 2\n1 0 2"), "line 2, column 6: the text ends within a clause; every clause ends with 0"),
        (dimacs("p cnf 2 2\n1 0\n"), "line 3, column 1: the header announces 2 clauses, the text holds 1"),
        (
            dimacs("p cnf 2 2\np cnf 2 2\n"),
            "line 2, column 1: a second header; one is allowed, before the first clause",
        ),
        (knf("p knf 2 1\n1 k 1 2 0"), "line 2, column 3: `k` found; allowed: -2 to 2, and 0 at the end"),
        (knf("p knf 2 1\nk x 1 2 0"), "line 2, column 3: `x` found; allowed: a bound, a number below 2⁶³"),
        (knf("p knf 2 1\nk 1 1 2"), "line 2, column 8: the text ends within a clause; every clause ends with 0"),
        (
            knf("p knf 2 1\nq\u{7}"),
            "line 2, column 1: `q\\u{7}` found; allowed: -2 to 2, and 0 at the end, and `k` before a constraint",
        ),
        (
            opb(&format!("* c\n1 x1 >= {} ;", u128::MAX)),
            "line 2, column 9: `34028236692093846346…` found; allowed: a bound, a number below 2¹²⁸ − 1",
        ),
        (
            opb("[1] 1 x1 >= 1 ;"),
            "line 1, column 1: `[1]` found; allowed: a cost below 2⁶⁴ in brackets, after a line `soft: TOP ;`",
        ),
        (
            opb("soft: ;\n[-1] 1 x1 >= 1 ;"),
            "line 2, column 1: `[` found; allowed: a cost below 2⁶⁴ in brackets, after a line `soft: TOP ;`",
        ),
        (opb("soft: 0 ;"), "line 1, column 7: `0` found; allowed: a number from 1 to 2⁶⁴ − 1, and `;`"),
        (
            opb("min: -18446744073709551616 x1 ;"),
            "line 1, column 6: `-1844674407370955161…` found; allowed: weights from −2^64 + 1 to 2^64 − 1",
        ),
        (opb("1 1y >= 1 ;"), "line 1, column 3: `1y` found; allowed: a variable, `x1` or `~x1`, after its weight"),
        (opb("1 ~ x1 >= 1 ;"), "line 1, column 3: `~` found; allowed: a variable, `x1` or `~x1`, after its weight"),
        (opb("1 x1 * 2 >= 1;"), "line 1, column 8: `2` found; allowed: a variable, `x1` or `~x1`, after its weight"),
        (opb("1*x1 1**x2 >= 1;"), "line 1, column 8: `*` found; allowed: a variable, `x1` or `~x1`, after its weight"),
        (
            opb(&format!("1 {} >= 1 ;", "n".repeat(41))),
            "line 1, column 3: `nnnnnnnnnnnnnnnnnnnn…` found; allowed: a variable, `x1` or `~x1`, after its weight",
        ),
        (opb("1 x1 + -1 x2 >= 1;"), "line 1, column 8: `-1` found; allowed: a number after its sign"),
        (opb("1 x1 + x2 >= 1;"), "line 1, column 8: `x2` found; allowed: a number after its sign"),
        (opb("x1 >= 1;"), "line 1, column 1: `x1` found; allowed: a weight with a variable, `>=`, `=`, `<=`, `>`, `<`"),
        (
            opb("1 x1 => 1;"),
            "line 1, column 6: `=>` found; allowed: a weight with a variable, `>=`, `=`, `<=`, `>`, `<`",
        ),
        (
            opb("1 x1 >= 1;\nR2 : /* x2 /**/ x3 >= 1;"),
            "line 2, column 17: `x3` found; allowed: a weight with a variable, `>=`, `=`, `<=`, `>`, `<`",
        ),
        (
            opb("R1: R2: 1 x1 >= 1;"),
            "line 1, column 5: `R2:` found; allowed: a weight with a variable, `>=`, `=`, `<=`, `>`, `<`",
        ),
        (opb("1 x1 /* >= 1;\n"), "line 1, column 6: `/` found; allowed: a comment, `/* … */`"),
        (opb("1 x1 / * c */ >= 1;"), "line 1, column 6: `/` found; allowed: a comment, `/* … */`"),
        (opb("R1"), "line 1, column 3: the text ends within a constraint; allowed: `:`"),
        (opb("1 c1: x1 > 0;"), "line 1, column 3: `c1:` found; allowed: a variable, `x1` or `~x1`, after its weight"),
        (opb("1 x1 >= ;"), "line 1, column 9: `;` found; allowed: a bound, a number below 2¹²⁸ − 1"),
        (opb("1 x1 >= 1 1"), "line 1, column 11: `1` found; allowed: `;`"),
        (opb("1 x1 >= 1"), "line 1, column 10: the text ends within a constraint; allowed: `;`"),
        (opb("1 x1 ;"), "line 1, column 6: `;` found; allowed: `>=`, `=`, `<=`, `>` or `<` and a bound"),
        (opb("1 x1 >= 1 ;\nmin: 1 x1 ;"), "line 2, column 1: an objective comes before all constraints, and once"),
        (
            opb(&format!("{}9*x1 >= 1 ;", u128::MAX)),
            "line 1, column 1: `34028236692093846346…` found; allowed: weights from −2^128 + 2 to 2^128 − 2",
        ),
    ] {
        assert_eq!(found, expected);
    }
    assert!(matches!(Formula::read_knf(&b"x"[..]), Err(ReadError::Syntax { line: 1, column: 1, .. })));
}

/// A header costs nothing, and a formula over that many variables is encoded and written all the same.
#[test]
fn headers_cost_nothing() {
    let text = "p knf 60000000 2\nk 2 1 60000000 3 4 0\n-5 59999999 0\n";
    let formula = Formula::read_knf(text.as_bytes()).unwrap();
    let cnf = formula.encode().unwrap();
    assert_eq!(formula.n_vars(), 60_000_000);
    assert!(cnf.n_vars() >= 60_000_000 && cnf.n_clauses() > 2);
    let mut written = Vec::new();
    formula.write_knf(&mut written).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), "p knf 60000000 2\n-5 59999999 0\nk 2 1 60000000 3 4 0\n");
    let formula = Formula::read_opb(&b"* #variable= 60000000 #constraint= 1\n1 x59999999 >= 1 ;"[..]).unwrap();
    assert_eq!(formula.n_vars(), 60_000_000);
}

/// Lines, words and comments without end are read in bounded memory, whatever their length.
#[test]
fn long_lines() {
    let mut text = format!("c {}\np knf 3 {}\n", "x".repeat(100_000), 50_001);
    text += &"1 -2 3 0 ".repeat(50_000);
    text += "k ";
    text += &"0".repeat(999);
    text += "2 1 2 3 0";
    let wrong = text.replace(&"0".repeat(999), &"9".repeat(999));
    let error = Formula::read_knf(wrong.as_bytes()).unwrap_err().to_string();
    assert_eq!(error, "line 3, column 450003: `99999999999999999999…` found; allowed: a bound, a number below 2⁶³");
    let formula = Formula::read_knf(text.as_bytes()).unwrap();
    assert_eq!((formula.n_clauses(), formula.constraints().len()), (50_000, 1));
    let mut formula = Formula::new();
    let x = formula.new_lits(9);
    formula.exactly_one(&x, &AmoEncoding::Auto).unwrap();
    formula.set_name(x[0].var(), "n".repeat(1_000));
    let mut text = Vec::new();
    formula.write_opb(&mut text).unwrap();
    assert_eq!(Formula::read_opb(&text[..]).unwrap().name(x[0].var()).map(str::len), Some(1_000));
}

/// The least cost of a formula, with the first variables fixed: hard clauses, and softened ones.
fn cost(formula: &Formula, is_true: impl Fn(Lit) -> bool) -> i128 {
    formula.objective().iter().filter(|(lit, _)| is_true(*lit)).map(|&(_, weight)| i128::from(weight)).sum()
}

#[test]
#[cfg_attr(not(feature = "batsat"), ignore)]
fn wcnf_that_is_written_is_read_back() {
    let mut random = Random(2);
    for _ in 0..40 {
        let formula = random_formula(&mut random);
        let mut text = Vec::new();
        formula.write_wcnf(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut back = Formula::read_wcnf(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!((back.n_relaxations(), back.n_vars()), (0, formula.encode().unwrap().n_vars()), "{text}");
        let mut again = Vec::new();
        back.write_wcnf(&mut again).unwrap();
        let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with("c the")).collect();
        let kept = kept.join("\n");
        assert!(String::from_utf8(again).unwrap().lines().all(|line| kept.contains(line)), "{text}");
        while back.n_vars() < VARS {
            back.new_lit(); // a variable that was not met is not in the text
        }
        assert_eq!(models(&back), models(&formula), "{text}");
        let constant: i128 = formula.objective().iter().map(|&(_, weight)| i128::from(weight.min(0))).sum();
        for bits in 0..1_usize << VARS {
            let is_true = |lit: Lit| (bits >> lit.vidx() & 1 == 1) == lit.is_pos();
            assert_eq!(cost(&back, is_true) + constant, cost(&formula, is_true), "{text}");
        }
    }
}

#[test]
fn both_forms_of_wcnf_say_the_same() {
    let old =
        "c a comment\nc name 2 second one\np wcnf 3 5 16\n16 1 2 0\n3 -1 0 12\n-2 1\nc another\n0\n20 -3 0\n0 3 0\n";
    let new = "c a comment\nc name 2 second one\nh 1 2 0\n3 -1 0 12 -2 1 0\nh -3 0\n0 3 0\n";
    let (old, new) = (Formula::read_wcnf(old.as_bytes()).unwrap(), Formula::read_wcnf(new.as_bytes()).unwrap());
    for formula in [&old, &new] {
        let clauses: Vec<Vec<i32>> =
            formula.clauses().map(|clause| clause.iter().map(|lit| lit.to_ipasir()).collect()).collect();
        assert_eq!(clauses, [vec![1, 2], vec![-3], vec![-2, 1, 4]]);
        assert_eq!(formula.objective(), [(Lit::positive(0), 3), (Lit::positive(3), 12)]);
        assert_eq!((formula.n_vars(), formula.n_relaxations()), (4, 1));
        assert_eq!(formula.name(Var::new(1)), Some("second one"));
    }
    // Without TOP every clause is soft; a soft clause without literals costs its weight.
    let soft = Formula::read_wcnf(&b"p wcnf 2 2\n18446744073709551615 1 0\n7 0\n"[..]).unwrap();
    assert_eq!((soft.n_clauses(), soft.n_relaxations()), (1, 1));
    assert_eq!(cost(&soft, |lit| lit == Lit::negative(0)), i128::from(u64::MAX));
    assert_eq!(cost(&soft, |lit| lit == Lit::positive(2)), 7);
    for empty in ["p wcnf 0 0 1\n", "p wcnf 0 0\n", "p wcnf 7 0"] {
        assert_eq!(Formula::read_wcnf(empty.as_bytes()).unwrap().n_clauses(), 0, "{empty}");
    }
}

/// Readers of all formats take variables up to the same limit, in memory that does not depend on them, and refuse
/// those beyond with their place.
#[test]
fn variables_have_a_limit() {
    fn read(format: &str, text: &str) -> Result<Formula, ReadError> {
        match format {
            "dimacs" => Formula::read_dimacs(text.as_bytes()),
            "knf" => Formula::read_knf(text.as_bytes()),
            "opb" => Formula::read_opb(text.as_bytes()),
            _ => Formula::read_wcnf(text.as_bytes()),
        }
    }
    let most = u64::from(Formula::MOST_READ);
    for (format, text, place) in [
        ("dimacs", "c\np cnf N 1\n1 0\n", (2, 7)),
        ("knf", "p knf N 1\nk 1 1 2 0\n", (1, 7)),
        ("opb", "min: 1 xN ; 1 xN >= 1 ;", (1, 8)),
        ("opb", "1 x1\n 2 ~xN 3 x3 >= 3 ;", (2, 4)),
        ("wcnf", "h 1 2 0\nh 1 -N 0\n", (2, 5)),
        ("wcnf", "3 N 0\n", (1, 3)),
        ("wcnf", "p wcnf N 1 9\n9 1 0\n", (1, 8)),
    ] {
        let with = |number: &str| text.replace('N', number);
        let whole = with(&most.to_string());
        let memory = allocation_counter::measure(|| {
            assert_eq!(read(format, &whole).unwrap().n_vars() as u64, most, "{whole}");
        });
        assert!(memory.bytes_max < 1 << 16, "{whole}: {}", memory.bytes_max);
        for number in [most + 1, 1_000_000_000, 2_147_483_647, 2_147_483_648, 10_000_000_000] {
            let text = with(&number.to_string());
            let error = read(format, &text).expect_err(&text);
            let (line, column) = place;
            let message = format!("line {line}, column {column}: variable {number}; the limit is {most}");
            assert_eq!(error.to_string(), message, "{text}");
            let ReadError::Variable { variable, limit, .. } = error else { panic!("{error:?}") };
            assert_eq!((variable, u64::from(limit)), (number, most));
        }
        assert!(read(format, &with("99999999999999999999999999")).is_err());
    }
}

#[test]
fn wrong_wcnf_is_refused_with_its_place() {
    for (text, message) in [
        ("h 1 2\n", "line 2, column 1: the text ends within a clause; every clause ends with 0"),
        ("h", "line 1, column 2: the text ends within a clause; every clause ends with 0"),
        ("1 2 0\n3\n4", "line 3, column 1: the clause of line 2 ends without its 0"),
        ("h 1 2 0\n3 -1\nc between\n0\n", "line 3, column 1: the clause of line 2 ends without its 0"),
        ("h 1 x 0\n", "line 1, column 5: `x` found; allowed: -67108864 to 67108864, and 0 at the end"),
        (
            "18446744073709551616 1 0\n",
            "line 1, column 1: `18446744073709551616` found; allowed: `h` or a weight below",
        ),
        ("-3 1 0\n", "line 1, column 1: `-3`: a negative weight; allowed are"),
        ("-0.5 1 0\n", "line 1, column 1: `-0.5`: a negative weight; allowed are"),
        ("1.5 1 0\n", "line 1, column 1: `1.5`: a weight with a fraction; allowed are whole numbers"),
        ("1e3 1 0\n", "line 1, column 1: `1e3`: a weight with a fraction; allowed are whole numbers"),
        ("p wcnf 1 1 9\n0.1 1 0\n", "line 2, column 1: `0.1`: a weight with a fraction; allowed are whole numbers"),
        ("inf 1 0\n", "line 1, column 1: `inf` found; allowed: `h` or a weight"),
        ("", "line 1, column 1: the text ends without a clause or a header"),
        ("c only this\n", "line 2, column 1: the text ends without a clause or a header"),
        ("p wcnf 2 1 9\nh 1 0\n", "line 2, column 1: `h` found; allowed: a weight below 2⁶⁴ at the start of a clause"),
        ("p wcnf 2 1 0\n", "line 1, column 12: `0` found; allowed: the weight of hard clauses, 1 to 2⁶⁴ − 1"),
        ("p wcnf 2 1 18446744073709551616\n", "line 1, column 12: `18446744073709551616` found; allowed: the weight"),
        ("p wcnf 2\n", "line 1, column 1: the text ends within the header"),
        ("p wcnf x 1 9\n", "line 1, column 8: `x` found; allowed: a number of variables"),
        ("p cnf 2 1\n1 0\n", "line 1, column 3: `cnf` found; allowed: a header `p wcnf VARIABLES CLAUSES TOP`"),
        ("p wcnf 2 1 9\n9 3 0\n", "line 2, column 3: `3` found; allowed: -2 to 2, and 0 at the end"),
        ("p wcnf 2 1 9\n9 1 0\n9 2 0\n", "line 3, column 1: a clause more than the 1 of the header"),
        ("p wcnf 2 3 9\n9 1 0\n", "line 3, column 1: the header announces 3 clauses, the text holds 1"),
        ("1 1 0\np wcnf 2 3 9\n", "line 2, column 1: a header after the first clause or a second one"),
        ("p wcnf 2 1 9\np wcnf 2 1 9\n", "line 2, column 1: a header after the first clause or a second one"),
        ("\u{7}1 0\n", "line 1, column 1: `\\u{7}1` found; allowed: `h` or a weight"),
    ] {
        let error = Formula::read_wcnf(text.as_bytes()).expect_err(text);
        assert!(error.to_string().starts_with(message), "{text:?}: {error}");
    }
    // Cut off anywhere, a text is refused or is a whole one; nothing panics.
    let text = b"c name 1 n\np wcnf 3 3 16\n16 1 2 0\n3 -1 0\n12 -2 1 3 0\n";
    for end in 0..text.len() {
        let read = Formula::read_wcnf(&text[..end]);
        assert!(read.is_err() || end <= 11 || end == text.len() - 1, "{end}");
    }
}
