//! Texts of formulas as they come from elsewhere: ends of lines, marks, other formats, wide weights, nothing at all.

use std::io::{BufReader, Cursor};

use cnfkit::encode::{ByRelation, Full, Writer, own_name};
use cnfkit::{ClauseSink, Constrain, EncodingName, Formula, Lit, ReadError, Relation, Size};

type Reader = fn(&[u8]) -> Result<Formula, ReadError>;

const READERS: [(Reader, &str); 4] = [
    (|text| Formula::read_dimacs(text), "c one\np cnf 3 2\n1 -2\nc two\n 3 0\n-1 0\n"),
    (|text| Formula::read_knf(text), "c one\np knf 3 2\nk 2 1 -2\nc two\n 3 0\n-1 0\n"),
    (
        |text| Formula::read_opb(text),
        "* #variable= 3 #constraint= 2\n* one\nmin: 7 x1 ;\n+1 x1\n* two\n/* three\n */ +2 x3 >= 2 ;\n-1 x2 >= 0 ;\n",
    ),
    (|text| Formula::read_wcnf(text), "c one\np wcnf 3 2 9\n9 1 -2\nc two\n 3 0\n4 -1 0\n"),
];

fn said(formula: &Formula) -> String {
    let constraints: Vec<_> = formula.constraints().map(|one| format!("{one:?}")).collect();
    format!("{:?} {constraints:?} {:?}", formula.clauses().collect::<Vec<_>>(), formula.objective())
}

/// Gives a byte at a time.
struct Drops<'a>(&'a [u8]);

impl std::io::Read for Drops<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let n = self.0.len().min(into.len()).min(1);
        into[..n].copy_from_slice(&self.0[..n]);
        self.0 = &self.0[n..];
        Ok(n)
    }
}

/// LF, CRLF and CR end a line, after a byte order mark or without one, in pieces of any size; places are the same.
#[test]
fn ends_of_lines() {
    for (read, text) in READERS {
        let expected = said(&read(text.as_bytes()).unwrap());
        let wrong = format!("{text}\n?");
        let place = read(wrong.as_bytes()).unwrap_err().to_string();
        for end in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{feff}"] {
                let text = format!("{mark}{}", text.replace('\n', end));
                assert_eq!(said(&read(text.as_bytes()).unwrap()), expected, "{text:?}");
                assert_eq!(read(format!("{text}{end}?").as_bytes()).unwrap_err().to_string(), place, "{text:?}");
            }
        }
    }
    let text = READERS[2].1.replace('\n', "\r\n");
    let drops = BufReader::with_capacity(1, Drops(text.as_bytes()));
    assert_eq!(said(&Formula::read_opb(drops).unwrap()), said(&READERS[2].0(text.as_bytes()).unwrap()));
}

/// Most of a text is read as it lies in its reader's buffer, several numbers at a time: wherever the buffer ends, and
/// however long the numbers are, what is read is the same, and so is the place of what is wrong.
#[test]
fn pieces_of_any_length() {
    const NUMBERS: [i64; 9] = [7, -64, 123, -9_000, 45_678, -123_456, 7_654_321, -12_345_678, 56_781_234];
    const WEIGHTS: [i64; 5] = [1, -20, 12_345_678, -123_456_789, 99_999_999_999_999_999];
    type Piecewise = fn(BufReader<Cursor<String>>) -> Result<Formula, ReadError>;
    let clause = |at: usize| (0..5).map(|more| NUMBERS[(at * 7 + more * 2) % 9].to_string() + " ").collect::<String>();
    let terms = |at: usize| {
        let term = |more: usize| format!("{:+} x{}", WEIGHTS[(at + more) % 5], NUMBERS[(at * 7 + more * 2) % 9].abs());
        (0..5).map(term).collect::<Vec<_>>().join(" ") + " "
    };
    let lines = |line: &dyn Fn(usize) -> String| (0..40).map(line).collect::<String>();
    let texts: [(Piecewise, String); 4] = [
        (Formula::read_dimacs, "p cnf 67000000 40\n".to_owned() + &lines(&|at| clause(at) + "\n0\n")),
        (Formula::read_knf, "p knf 67000000 40\n".to_owned() + &lines(&|at| format!("k {} {}0\n", at % 4, clause(at)))),
        (Formula::read_opb, lines(&|at| terms(at) + ">= -77 ;\n")),
        (Formula::read_wcnf, lines(&|at| format!("{} {}0\n", ["h", "5", "12345678901"][at % 3], clause(at)))),
    ];
    for (read, text) in texts {
        for text in [text.clone(), format!("{text}1234567890123 ?")] {
            let pieces = |length| read(BufReader::with_capacity(length, Cursor::new(text.clone())));
            let found = |length| pieces(length).map(|formula| said(&formula)).map_err(|error| error.to_string());
            let whole = found(1 << 20);
            assert_eq!(whole.is_err(), text.ends_with('?'), "{whole:?}");
            (1..40).chain([100, 333]).for_each(|length| assert_eq!(found(length), whole, "pieces of {length} bytes"));
        }
    }
}

/// Cut off at any byte, with any end of line, a text is refused, or nothing of it is missing.
#[test]
fn cuts_at_every_byte() {
    for (read, text) in READERS {
        for end in ["\n", "\r\n", "\r"] {
            let text = text.replace('\n', end);
            let whole = said(&read(text.as_bytes()).unwrap());
            for cut in 0..text.len() {
                if let Ok(found) = read(&text.as_bytes()[..cut]) {
                    assert_eq!(said(&found), whole, "{:?}", &text[..cut]);
                }
            }
        }
    }
}

/// Nothing, and nothing but comments and blanks, is no formula in any format.
#[test]
fn nothing_is_no_formula() {
    for (read, _) in READERS {
        for text in ["", "\n", "\r\r", "\u{feff}", " \t\n"] {
            let error = read(text.as_bytes()).expect_err(text).to_string();
            assert!(error.contains("the text ends without"), "{text:?}: {error}");
        }
    }
    for (text, reader) in [("* a comment\n* another", 2), ("c a comment\nc another", 3), ("/* c */", 2), ("c\n", 0)] {
        let error = READERS[reader].0(text.as_bytes()).expect_err(text).to_string();
        assert!(error.contains("the text ends without"), "{text:?}: {error}");
    }
    // A formula without anything is written in all formats such that it is read.
    let mut texts: [Vec<u8>; 4] = Default::default();
    let formula = Formula::with_vars(2);
    formula.write_dimacs(&mut texts[0]).unwrap();
    formula.write_knf(&mut texts[1]).unwrap();
    formula.write_opb(&mut texts[2]).unwrap();
    formula.write_wcnf(&mut texts[3]).unwrap();
    for ((read, _), text) in READERS.into_iter().zip(&texts) {
        let formula = read(text).unwrap();
        assert_eq!((formula.n_vars(), formula.n_clauses()), (2, 0), "{}", String::from_utf8_lossy(text));
    }
}

/// The message names what was found: another format, or data that is no text yet.
#[test]
fn other_formats_are_named() {
    for (reader, text, named) in [
        (0, &b"\x1f\x8b\x08\0\0\0\0\0"[..], "data compressed by gzip found"),
        (2, b"\x1f\x8b\x08\0\0\0\0\0", "data compressed by gzip found"),
        (3, b"BZh91AY&SY", "data compressed by bzip2 found"),
        (2, b"BZh91AY&SY1 \x90 1", "data compressed by bzip2 found"),
        (1, b"\xfd7zXZ\0\0\x04", "data compressed by xz found"),
        (0, b"\x28\xb5\x2f\xfd\x04\0", "data compressed by zstd found"),
        (0, b"PK\x03\x04", "a zip archive found"),
        (0, b"\xff\xfep\0 \0c\0", "text in UTF-16 found"),
        (0, b"* #variable= 1 #constraint= 1\n", "`*` found, a comment of OPB"),
        (0, b"\xef\xbb\xbfmin: 1 x1 ;", "`min:` found, an objective of OPB"),
        (1, b"h 1 2 0\n", "`h` found, a hard clause of WCNF"),
        (2, b"p cnf 2 1\n1 2 0\n", "`p` found, the header of DIMACS, KNF or WCNF"),
        (2, b"c\np cnf 2 1\n1 2 0\n", "`c` found, a comment of DIMACS, KNF or WCNF"),
        (3, b"p cnf 2 1\n1 2 0\n", "`cnf` found; allowed: a header `p wcnf"),
        (0, b"1 -2 0\n2 3 0\n", "`1` found; allowed: a header `p cnf"),
    ] {
        let error = READERS[reader].0(text).expect_err(named).to_string();
        assert!(error.contains(named), "{named}: {error}");
    }
}

/// The numbers of an OPB header are what the text holds; auxiliaries do not count.
#[test]
fn headers_of_opb_are_held_to() {
    let read = |text: &str| Formula::read_opb(text.as_bytes()).map(|formula| formula.n_vars());
    for (text, n_vars) in [
        ("* #variable= 3 #constraint= 0\n", 3),
        ("* #variable= 2 #constraint= 1\n+1 x1 x2 >= 1 ;", 3),
        ("* #variable= 2 #constraint= 1\n+1 x7 +1 x9 >= 1 ;", 9),
        ("* #variable= 2 #constraint= 2 #equal= 1\n@a +1 a +1 b >= 1 ;\n@b-2 +1 a +1 ~b = 1 ;", 2),
        ("* any words\n+1 x1 >= 1 ;", 1),
    ] {
        assert_eq!(read(text).unwrap_or_else(|error| panic!("{error}: {text}")), n_vars, "{text}");
    }
    for (text, message) in [
        (
            "* #variable= 1 #constraint= 2\n+1 x1 >= 1 ;\n",
            "line 3, column 1: the header announces 2 constraints, the text",
        ),
        (
            "* #variable= 1 #constraint= 0\n+1 x1 >= 1 ;",
            "line 2, column 13: the header announces 0 constraints, the text",
        ),
        ("* #variable= 1 #constraint= 1\n+1 x1 +1 x2 >= 1 ;", "line 2, column 10: `x2`: a variable more than the 1 of"),
        ("* #variable= 1 #constraint= 1\n+1 a +1 ~b >= 1 ;", "line 2, column 9: `~b`: a variable more than the 1 of"),
    ] {
        let error = read(text).expect_err(text).to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

/// An objective is one without terms too, and a label does not look like one.
#[test]
fn objectives_are_said() {
    let read = |text: &str| Formula::read_opb(text.as_bytes());
    for (text, objective, maximised) in [
        ("min: ;\n+1 x1 >= 1 ;", &[][..], false),
        ("max: ;", &[], true),
        ("min: 3 x1 ~x1 ;", &[], false),
        ("max: +3 x1 -2 x2 ;", &[(Lit::positive(0), -3), (Lit::positive(1), 2)], true),
        ("min: -9223372036854775808 x1 ;", &[(Lit::positive(0), i64::MIN)], false),
        ("max: 9223372036854775808 x1 ;", &[(Lit::positive(0), i64::MIN)], true),
        (
            "min: 18446744073709551615 x1 ;",
            &[(Lit::positive(0), i64::MAX), (Lit::positive(0), i64::MAX), (Lit::positive(0), 1)],
            false,
        ),
        ("min: -18446744073709551615 x1 ;", &[(Lit::positive(0), i64::MIN), (Lit::positive(0), -i64::MAX)], false),
    ] {
        let formula = read(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert!(formula.has_objective() && formula.is_maximised() == maximised, "{text}");
        assert_eq!(formula.objective(), objective, "{text}");
        let mut written = Vec::new();
        formula.write_opb(&mut written).unwrap();
        let again = Formula::read_opb(&written[..]).unwrap();
        let terms = again.objective().iter().filter(|&&(_, weight)| weight != 0);
        assert!(again.has_objective() && terms.eq(objective), "{text}");
    }
    assert!(!read("+1 x1 >= 1 ;").unwrap().has_objective());
    for word in ["MIN:", "Max:", "minimize:", "maximise :", "MINIMISE:"] {
        let error = read(&format!("{word} 1 x1 ;")).expect_err(word).to_string();
        assert!(error.ends_with("found; allowed: `min:` or `max:` before an objective"), "{error}");
    }
}

/// The least cost over all assignments that some others complete, by definition.
fn least(formula: &Formula) -> Option<i128> {
    let is_true = |code: usize, lit: Lit| (code >> lit.vidx() & 1 == 1) == lit.is_pos();
    let satisfies = |code: &usize| {
        formula.clauses().all(|clause| clause.iter().any(|&lit| is_true(*code, lit)))
            && formula.constraints().all(|constraint| constraint.holds(|lit| is_true(*code, lit)))
    };
    let cost = |code| {
        let terms = formula.objective().iter().filter(|&&(lit, _)| is_true(code, lit));
        terms.map(|&(_, weight)| i128::from(weight)).sum()
    };
    (0..1 << formula.n_vars()).filter(satisfies).map(cost).min()
}

/// Soft constraints of WBO cost what their brackets say where they are not met, all together less than the top.
#[test]
fn soft_constraints_of_wbo() {
    let text = |soft: &str| {
        format!(
            "* #variable= 3 #constraint= 4 #soft= 3 mincost= 2 maxcost= 18446744073709551615\n{soft}\n\
             +1 x1 +1 x2 +1 x3 >= 2 ;\n[2] -1 x1 -1 x2 >= 0 ;\n[ 5 ] +2 x1 -3 x3 = -1 ;\n[18446744073709551615] \
             +1 ~x2 >= 1 ;\n"
        )
    };
    let read = |soft: &str| Formula::read_opb(text(soft).as_bytes()).unwrap();
    // x1 and x3: the first soft constraint is not met; the second one is.
    assert_eq!(least(&read("soft: ;")), Some(2));
    assert_eq!(least(&read("soft: 3 ;")), Some(2));
    assert_eq!(least(&read("soft: 2 ;")), None);
    let formula = read("soft: 18446744073709551615 ;");
    let names: Vec<_> =
        (0..formula.n_vars() as u32).filter_map(|var| formula.opb_name(cnfkit::Var::new(var))).collect();
    assert_eq!(names, ["x1", "x2", "x3"]);
    let wide = format!("soft: ;\n[1] {} x1 >= 1 ;", 1_u128 << 97);
    let error = Formula::read_opb(wide.as_bytes()).unwrap_err().to_string();
    assert!(error.starts_with("line 2, column 5: a soft constraint with a weight"), "{error}");
    for wrong in ["soft: ;\nmin: 1 x1 ;", "min: 1 x1 ;\nsoft: ;", "1 x1 >= 1 ;\nsoft: ;"] {
        assert!(Formula::read_opb(wrong.as_bytes()).is_err(), "{wrong}");
    }
}

/// PySAT's CNF+ has bounds behind literals.
#[test]
fn cnf_plus() {
    let read = |text: &str| Formula::read_knf(text.as_bytes());
    let formula = read("c\np cnf+ 4 4\n1 -2 0\n1 2 3 4 <= 2\n1 2\n 3 -4 >= 2\n1 2 <= -1\n").unwrap();
    let counts: Vec<_> =
        formula.constraints().filter_map(|one| one.counted().map(|(lits, how)| (lits.len(), how))).collect();
    assert_eq!(counts, [(4, Relation::AtMost(2)), (4, Relation::AtLeast(2))]);
    assert!(formula.clauses().map(<[Lit]>::len).eq([2, 0]));
    for (text, message) in [
        ("p cnf+ 2 1\n1 2 <=", "line 2, column 7: the text ends within a clause"),
        ("p cnf+ 2 1\n1 2 <= x\n", "line 2, column 8: `x` found; allowed: a bound"),
        ("p cnf+ 2 1\n1 0\n1 2 <= 1\n", "line 3, column 5: a line more than the 1 of the header"),
        ("p cnf 2 1\n1 2 <= 1\n", "line 2, column 5: `<=` found; allowed: -2 to 2, and 0 at the end"),
    ] {
        let error = read(text).expect_err(text).to_string();
        assert!(error.starts_with(message), "{error}");
    }
    assert!(Formula::read_dimacs(&b"p cnf+ 1 1\n1 0\n"[..]).is_err());
}

/// A third party's encoding is asked whatever it calls itself.
#[test]
fn a_name_of_the_library_is_anybodys() {
    /// Says that all literals are false.
    #[derive(Default)]
    struct Mine;

    impl ByRelation for Mine {
        fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], _: Relation) -> Result<(), Full> {
            lits.iter().try_for_each(|&lit| to.clause(&[!lit]))
        }

        fn size(&self, n: usize, _: Relation) -> Size {
            Size::clauses(n as u64, 1)
        }

        fn encoding_name(&self) -> Option<EncodingName> {
            Some(own_name::<Self>("sequential"))
        }
    }

    let mut formula = Formula::new();
    let x = formula.new_lits(5);
    formula.at_most(&x, 2, &Mine).unwrap();
    assert!(formula.encode().unwrap().clauses().all(|clause| clause.len() == 1));
}

/// Solutions are counted by the variables that a text lists, in one line or several; what is no list is prose.
#[test]
#[cfg(feature = "any-solver")]
fn shown_variables_are_read_and_written() {
    use cnfkit::{CardEncoding, ask::Ask};
    let read = |text: &str| Formula::read_dimacs(text.as_bytes()).unwrap();
    let count = |text: &str| {
        let formula = read(text);
        (formula.lits().iter().map(|lit| lit.vidx32() + 1).collect::<Vec<_>>(), Ask::new(&formula).count(100).unwrap())
    };
    assert_eq!(count("p cnf 5 1\n1 2 3 0\n"), (vec![1, 2, 3, 4, 5], 28));
    assert_eq!(count("c ind 1 2 0\np cnf 5 1\n1 2 3 0\n"), (vec![1, 2], 4));
    assert_eq!(count("p cnf 5 1\nc p show 5 2 0\n1 2 3 0\nc p show 2 1\n"), (vec![1, 2, 5], 8));
    assert_eq!(count("c ind 0\np cnf 5 1\n1 2 3 0\n"), (vec![], 1));
    for prose in ["c ind", "c independent 1 0", "c p show me 1 0"] {
        assert_eq!(count(&format!("{prose}\np cnf 5 1\n1 2 3 0\n")).1, 28, "{prose}");
    }
    for (list, message) in [
        ("c ind -1 0", "a list of variables has numbers from 1 on, and 0 at the end"),
        ("c p show 1 x 0", "a list of variables has numbers from 1 on, and 0 at the end"),
        ("c p show 1 9 0", "variable 9 in the list of those that are shown; allowed: 1 to 5"),
        ("c ind 0 1 0", "variable 0 in the list of those that are shown; allowed: 1 to 5"),
    ] {
        let error = Formula::read_dimacs(format!("p cnf 5 1\n{list}\n1 2 3 0\n").as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), format!("line 2, column 1: {message}"));
    }
    let error = Formula::read_dimacs(&b"p cnf 2 2\n1 -0 2 0\n"[..]).unwrap_err();
    assert!(error.to_string().starts_with("line 2, column 3: `-0` found"), "{error}");
    let mut formula = read("p cnf 40 0\n");
    let x = formula.lits();
    formula.at_most(&x, 1, CardEncoding::Totalizer).unwrap();
    let mut text = Vec::new();
    formula.write_dimacs(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(count(&text), ((1..=40).collect(), 41));
    // A constraint that is written out at once leaves auxiliaries, which OPB tells apart, too.
    let mut formula = Formula::new();
    let x = formula.new_lit();
    formula.when(x).iff_exactly(x, [x, x], 1, CardEncoding::Auto).unwrap();
    assert!(formula.lits().len() < formula.n_vars());
    let mut opb = Vec::new();
    formula.write_opb(&mut opb).unwrap();
    assert!(String::from_utf8_lossy(&opb).contains("\n* show x1 \n"), "{}", String::from_utf8_lossy(&opb));
    let read = Formula::read_opb(&opb[..]).unwrap();
    assert_eq!(read.lits(), formula.lits());
    assert_eq!(Ask::new(&read).count(9).unwrap(), Ask::new(&formula).count(9).unwrap());
    assert!(text.contains("\nc p show 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 0\n"), "{text}");
}

#[test]
fn texts_of_cubes_are_those_of_the_parts() {
    let icnf = "p inccnf\n1 2 3 0\na -1 0\na 1 3 0\n";
    let cubes = cnfkit::Cubes::read_icnf(icnf.as_bytes()).unwrap();
    let lit = Lit::positive;
    assert!(cubes.iter().eq([&[!lit(0)][..], &[lit(0), lit(2)]]));
    assert!(cubes.cnf().clauses().eq([&[lit(0), lit(1), lit(2)][..]]));
    let mut text = Vec::new();
    cubes.write_icnf(&mut text).unwrap();
    assert_eq!(String::from_utf8_lossy(&text), icnf);
    for (text, message) in [
        ("", "line 1, column 1: the text ends without a header `p inccnf`"),
        ("p cnf 3 1\n", "line 1, column 3: `cnf` found; allowed: a header `p inccnf`"),
        ("1 2 0\n", "line 1, column 1: `1` found; allowed: a header `p inccnf`"),
        ("c\np inccnf\na 1 a 2 0\n", "line 3, column 5: `a` found; allowed: literals with 0 at the end"),
        ("p inccnf\na 1", "line 2, column 4: the text ends within a clause; every clause ends with 0"),
    ] {
        let error = cnfkit::Cubes::read_icnf(text.as_bytes()).expect_err(text).to_string();
        assert!(error.starts_with(message), "{error}");
    }
    let mut text = Vec::new();
    cubes.write_dimacs(1, &mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), "p cnf 3 3\n1 2 3 0\n1 0\n3 0\n");
}
