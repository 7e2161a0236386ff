//! DIMACS out and in: what is written reads back, and what is wrong is said with line and column.

use cnfkit::{ClauseSink, Cnf, DimacsError, Lit, Size};
use proptest::prelude::*;

fn read(text: &str) -> Result<Cnf, DimacsError> {
    Cnf::from_dimacs(text.as_bytes())
}

fn written(cnf: &Cnf) -> String {
    let mut text = Vec::new();
    cnf.write_dimacs(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn comments_blank_lines_crlf_and_clauses_over_lines() {
    let cnf = read("c a comment\r\n\r\np  cnf 4 3 \r\n1 -2\r\n3 0 -4 0\r\nc another 5\r\n  0\r\n").unwrap();
    let clauses: Vec<Vec<i32>> =
        cnf.clauses().map(|clause| clause.iter().map(|lit| lit.to_ipasir()).collect()).collect();
    assert_eq!(clauses, [vec![1, -2, 3], vec![-4], vec![]]);
    assert_eq!(cnf.n_vars(), 4);
}

/// The writer need not be buffered: it is called once for many clauses.
#[test]
fn large_formulas_are_written_in_few_pieces() {
    struct Pieces(Vec<usize>, String);
    impl std::io::Write for Pieces {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.push(bytes.len());
            self.1 += std::str::from_utf8(bytes).unwrap();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(30_000);
    x.windows(2).for_each(|clause| cnf.add_clause(clause).unwrap());
    let mut pieces = Pieces(Vec::new(), String::new());
    cnf.write_dimacs(&mut pieces).unwrap();
    assert_eq!(pieces.1, cnf.to_string());
    let (last, full) = pieces.0.split_last().unwrap();
    assert!(full.len() > 4 && full.iter().all(|&bytes| (65_536..65_600).contains(&bytes)) && *last < 65_600);
}

#[test]
fn the_most_variables_a_header_may_announce() {
    assert_eq!(read("p cnf 2147483647 0\n").unwrap().n_vars(), 2_147_483_647);
    assert!(read("p cnf 2147483648 0\n").unwrap_err().to_string().contains("at most 2147483647"));
}

#[test]
fn long_words_are_shortened() {
    let message = |length: usize| read(&format!("p cnf 2 1\n{}", "x".repeat(length))).unwrap_err().to_string();
    assert!(message(20).contains(&format!("`{}`", "x".repeat(20))));
    assert!(message(21).contains(&format!("`{}…`", "x".repeat(20))));
}

#[test]
fn satlib_files_end_with_a_percent_sign() {
    assert_eq!(read("p cnf 2 1\n1 2 0\n%\n0\n\n").unwrap().n_clauses(), 1);
}

#[test]
fn wrong_texts_are_placed() {
    let most = "2147483647";
    for (text, line, column, part) in [
        ("", 1, 1, "without a header"),
        ("c only a comment\n", 2, 1, "without a header"),
        ("1 2 0\np cnf 2 1\n", 1, 1, "before the header"),
        ("p cnf 2\n", 1, 1, "a header must read"),
        ("p cnf 2 1 7\n", 1, 1, "a header must read"),
        ("p wcnf 2 1 7\n", 1, 1, "a header must read"),
        ("p cnf -2 1\n", 1, 1, "a header must read"),
        ("p cnf 99999999999 1\n", 1, 1, most),
        ("p cnf 2 1\np cnf 2 1\n", 2, 1, "second header"),
        ("p cnf 2 1\n1 x 0\n", 2, 3, "`x` is no literal: allowed are -2 to 2"),
        ("p cnf 2 1\n  1 3 0\n", 2, 5, "`3` is no literal"),
        ("p cnf 2 1\n1 -3 0\n", 2, 3, "`-3` is no literal"),
        ("p cnf 2 1\n1 99999999999999999999 0\n", 2, 3, "is no literal"),
        ("p cnf 2 1\n1 2\n", 3, 1, "within a clause"),
        ("p cnf 2 2\n1 2 0\n", 3, 1, "announces 2 clauses, the text holds 1"),
        ("p cnf 2 1\n1 2 0\n1 0\n", 3, 3, "more than the 1"),
        ("3, _, 2, _\n_, _, 2, _\n", 1, 1, "`3,` before the header"),
        ("\u{7f}ELF\u{0}\u{0}", 1, 1, "before the header"),
    ] {
        match read(text) {
            Err(DimacsError::Syntax { line: l, column: c, message, .. }) => {
                assert_eq!((l, c), (line, column), "{text:?}: {message}");
                assert!(message.contains(part), "{text:?}: {message}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
}

#[test]
fn bytes_that_are_no_text() {
    assert!(matches!(
        Cnf::from_dimacs(&b"p cnf 1 1\n\xff\xfe 0\n"[..]),
        Err(DimacsError::Syntax { line: 2, column: 1, .. })
    ));
}

#[test]
fn a_formula_without_anything() {
    assert_eq!(written(&Cnf::new()), "p cnf 0 0\n");
    assert_eq!(read("p cnf 0 0\n").unwrap(), Cnf::new());
}

#[test]
fn display_and_write_say_the_same() {
    let mut cnf = Cnf::with_vars(3);
    cnf.add_clause(&[Lit::positive(0), Lit::negative(2)]).unwrap();
    cnf.add_clause(&[]).unwrap();
    assert_eq!(cnf.to_string(), "p cnf 3 2\n1 -3 0\n0\n");
    assert_eq!(written(&cnf), cnf.to_string());
}

#[test]
fn a_clause_raises_the_number_of_variables() {
    let mut cnf = Cnf::new();
    cnf.add_clause(&[Lit::negative(6)]).unwrap();
    assert_eq!((cnf.n_vars(), cnf.next_var().idx()), (7, 7));
    assert_eq!(cnf.new_lit(), Lit::positive(7));
}

proptest! {
    #[test]
    fn what_is_written_reads_back(clauses in prop::collection::vec(prop::collection::vec((0_u32..2000, any::<bool>()), 0..6), 0..40), extra in 0_usize..5) {
        let mut cnf = Cnf::new();
        for clause in &clauses {
            let clause: Vec<Lit> = clause.iter().map(|&(var, negated)| Lit::new(var, negated)).collect();
            cnf.add_clause(&clause).unwrap();
        }
        cnf.new_lits(extra);
        let back = read(&written(&cnf)).unwrap();
        prop_assert_eq!(&back, &cnf);
        prop_assert_eq!(back.clauses().len(), cnf.n_clauses());
        let lits: usize = cnf.clauses().map(<[Lit]>::len).sum();
        prop_assert_eq!(cnf.size(), Size { vars: cnf.n_vars() as u64, clauses: clauses.len() as u64, lits: lits as u64 });
    }

    #[test]
    fn no_text_panics(text in "(p cnf [0-9]{1,3} [0-9]{1,3}\n)?[ -~\n\t%c0-9-]{0,80}") {
        let _ = read(&text);
    }
}
