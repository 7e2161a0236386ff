//! DIMACS out and in: what is written reads back, and what is wrong is said with line and column.

use std::io::{BufReader, Read};
use std::time::Instant;

use cnfkit::{ClauseSink, Cnf, Lit, ReadError, Size};
use proptest::prelude::*;

fn read(text: &str) -> Result<Cnf, ReadError> {
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
    assert!(read("p cnf 2147483648 0\n").unwrap_err().to_string().contains("the limit is 2147483647"));
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
    for (text, line, column, part) in [
        ("", 1, 1, "without a header"),
        ("c only a comment\n", 2, 1, "without a header"),
        ("1 2 0\np cnf 2 1\n", 1, 1, "`1` found; allowed: a header `p cnf VARIABLES CLAUSES`"),
        ("p cnf 2\n", 1, 1, "the line ends within the header; allowed: a header `p cnf VARIABLES CLAUSES`"),
        ("p cnf 2 1 7\n", 1, 11, "`7` found; allowed: nothing after the header in its line"),
        ("p wcnf 2 1 7\n", 1, 3, "`wcnf` found; allowed: a header"),
        ("p cnf -2 1\n", 1, 7, "`-2` found; allowed: a number of variables"),
        ("p cnf 2 1\np cnf 2 1\n", 2, 1, "second header"),
        ("p cnf 2 1\n1 x 0\n", 2, 3, "`x` found; allowed: -2 to 2, and 0"),
        ("p cnf 2 1\n  1 3 0\n", 2, 5, "`3` found; allowed: -2 to 2"),
        ("p cnf 2 1\n1 -3 0\n", 2, 3, "`-3` found; allowed: -2 to 2"),
        ("p cnf 2 1\n1 99999999999999999999 0\n", 2, 3, "found; allowed: -2 to 2"),
        ("p cnf 2 1\n1 2\n", 3, 1, "within a clause"),
        ("p cnf 2 2\n1 2 0\n", 3, 1, "announces 2 clauses, the text holds 1"),
        ("p cnf 2 1\n1 2 0\n1 0\n", 3, 3, "more than the 1"),
        ("3, _, 2, _\n_, _, 2, _\n", 1, 1, "`3,` found; allowed: a header"),
        ("\u{7f}ELF\u{0}\u{0}", 1, 1, "allowed: a header"),
    ] {
        match read(text) {
            Err(ReadError::Syntax { line: l, column: c, message, .. }) => {
                assert_eq!((l, c), (line, column), "{text:?}: {message}");
                assert!(message.contains(part), "{text:?}: {message}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
}

/// Bytes that are no UTF-8 are shown as they are, and control characters escaped; nothing is replaced.
#[test]
fn bytes_that_are_no_text() {
    for (text, line, column, word) in [
        (&b"p cnf 1 1\n\xff\xfe 0\n"[..], 2, 1, r"`\xff\xfe`"),
        (b"p cnf 1 1\n1 a\xc3\xa4\x80b 0", 2, 3, r"`a\u{e4}\x80b`"),
        (b"p cnf 1 1\n\x1b[31m", 2, 1, r"`\u{1b}[31m`"),
        ("p cnf 1 1\naaaaaaaaaaaaaaaaaaa\u{e4}".as_bytes(), 2, 1, "`aaaaaaaaaaaaaaaaaaa…`"),
        (
            b"p cnf 1 1\n\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
            2,
            1,
            r"\xff`",
        ),
    ] {
        match Cnf::from_dimacs(text) {
            Err(ReadError::Syntax { line: l, column: c, message, .. }) => {
                let word = word.replace(r"\u{e4}", "ä");
                assert!((l, c) == (line, column) && message.contains(&word), "{l}:{c}: {message} and not {word}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
    assert_eq!(Cnf::from_dimacs(&b"c \xff\xfe\x00\np cnf 1 1\n1 0\n"[..]).unwrap().n_clauses(), 1);
}

/// A text without a last line feed ends where its last byte is.
#[test]
fn the_end_is_where_the_last_byte_is() {
    for (text, line, column) in [
        ("p cnf 2 1\n1 2", 2, 4),
        ("p cnf 2 3\n1 0\n 2 0", 3, 5),
        ("c", 1, 2),
        ("p cnf 2", 1, 1),
        ("p cnf 2 1\n3", 2, 1),
    ] {
        match read(text) {
            Err(ReadError::Syntax { line: l, column: c, .. }) => assert_eq!((l, c), (line, column), "{text:?}"),
            other => panic!("{text:?}: {other:?}"),
        }
    }
}

/// Readers give text in pieces of any length.
#[test]
fn pieces_of_any_length() {
    let text = "c ä\np  cnf 12 4\n1 -12 0 3\nc 0\n -4 0 0\n+5 007 0\n%\nx";
    let whole = read(text).unwrap();
    for length in 1..text.len() {
        assert_eq!(Cnf::from_dimacs(BufReader::with_capacity(length, text.as_bytes())).unwrap(), whole, "{length}");
    }
    let wrong = "p cnf 12 4\n1 0000000000000000000000012 0 0000000000000000000000013 0\n";
    for length in 1..wrong.len() {
        let error = Cnf::from_dimacs(BufReader::with_capacity(length, wrong.as_bytes())).unwrap_err().to_string();
        assert!(error.starts_with("line 2, column 31: `00000000000000000000…` found; allowed: -12 to 12"), "{error}");
    }
}

#[test]
fn what_is_larger_than_the_limit_is_refused() {
    let limit = Size { vars: 5, clauses: 2, lits: 4 };
    let within = |text: &str| Cnf::from_dimacs_within(text.as_bytes(), limit);
    let full = within("p cnf 5 2\n1 2 3 0 5 0\n").unwrap();
    assert_eq!(full.size(), limit);
    assert!(full.clone().add_clause(&[]).is_err(), "the limit stays");
    for (text, needed) in [
        ("p cnf 6 1\n1 0", Size { vars: 6, clauses: 1, lits: 0 }),
        ("p cnf 5 3\n1 0 2 0 3 0", Size { vars: 5, clauses: 3, lits: 0 }),
        ("p cnf 5 2\n1 2 3 0 4 5 0", Size { vars: 5, clauses: 2, lits: 5 }),
        ("p cnf 5 18446744073709551615\n", Size { vars: 5, clauses: u64::MAX, lits: 0 }),
    ] {
        match within(text) {
            Err(ReadError::Capacity(error)) => assert_eq!((error.needed, error.limit), (needed, limit), "{text}"),
            other => panic!("{text:?}: {other:?}"),
        }
    }
    // A header allocates nothing, whatever it announces.
    let memory = allocation_counter::measure(|| drop(read("p cnf 2147483647 1000000000\n"))).bytes_max;
    assert!(memory < 1000, "{memory}");
}

/// A start, then the same bytes over and over.
struct Hostile {
    name: &'static str,
    start: &'static str,
    again: &'static [u8],
    /// Bytes of memory that ten bytes of text may take: 4 a literal and a clause, three times that while a vector
    /// grows.
    memory: u64,
}

const HOSTILE: [Hostile; 22] = {
    const fn kind(name: &'static str, start: &'static str, again: &'static [u8], memory: u64) -> Hostile {
        Hostile { name, start, again, memory }
    }
    [
        kind("an endless clause", "p cnf 9 1\n", b"1 -2 ", 48),
        kind("an endless clause of short literals, one a line", "p cnf 9 1\n", b"1\n", 60),
        kind("units, no line feed", "p cnf 9 9999999\n", b"1 0 ", 60),
        kind("empty clauses", "p cnf 0 99999999\n", b"0 ", 60),
        kind("empty clauses, one a line", "p cnf 0 99999999\n", b"0\n", 60),
        kind("more clauses than announced", "p cnf 0 9\n", b"0 ", 0),
        kind("the highest variable", "p cnf 2147483647 9999999\n", b"-2147483647 0 ", 18),
        kind("an endless comment", "", b"c", 0),
        kind("a comment of no UTF-8", "c", b"\xff\xc3", 0),
        kind("comments", "", b"c\n", 0),
        kind("empty lines", "", b"\n", 0),
        kind("carriage returns", "p cnf 1 1\n", b"\r", 0),
        kind("spaces", "p cnf 1 1\n1", b" ", 0),
        kind("an endless number", "p cnf 1 1\n", b"9", 0),
        kind("endless leading zeros", "p cnf 1 1\n", b"0", 0),
        kind("control characters", "p cnf 1 1\n", b"\x01\x1b", 0),
        kind("zero bytes", "", b"\0", 0),
        kind("no UTF-8", "p cnf 1 1\n", b"\xff\xc3", 0),
        kind("signs", "p cnf 1 1\n", b"-", 0),
        kind("a header of many numbers", "p cnf ", b"1 ", 0),
        kind("a header of leading zeros", "p cnf ", b"0", 0),
        kind("after the end", "p cnf 0 0\n%\n", b"\xff\n", 0),
    ]
};

impl Hostile {
    /// Reads so many bytes of it: seconds, bytes of memory at most, and the outcome.
    fn read(&self, bytes: usize) -> (f64, u64, Result<Size, ReadError>) {
        /// Some bytes over and over.
        struct Again(&'static [u8], usize);
        impl Read for Again {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                for byte in &mut *buffer {
                    *byte = self.0[self.1 % self.0.len()];
                    self.1 += 1;
                }
                Ok(buffer.len())
            }
        }
        let text = self.start.as_bytes().chain(Again(self.again, 0).take(bytes as u64));
        let start = Instant::now();
        let mut outcome = None;
        let memory = allocation_counter::measure(|| {
            outcome = Some(Cnf::from_dimacs(BufReader::new(text)).map(|cnf| cnf.size()));
        });
        (start.elapsed().as_secs_f64(), memory.bytes_max, outcome.unwrap())
    }

    /// The most memory that so many bytes may take.
    fn allowed(&self, bytes: usize) -> u64 {
        self.memory * bytes as u64 / 10 + (1 << 15)
    }
}

#[test]
fn memory_is_that_of_the_formula_whatever_the_text() {
    for kind in &HOSTILE {
        let bytes = 300_000;
        let (_, memory, outcome) = kind.read(bytes);
        assert!(memory <= kind.allowed(bytes), "{}: {memory} bytes", kind.name);
        let fine = ["after the end", "endless leading zeros"].contains(&kind.name);
        assert_eq!(outcome.is_ok(), fine, "{}: {outcome:?}", kind.name);
    }
}

/// `cargo test --release -p cnfkit-properties --test dimacs -- --ignored --nocapture`: 10 MB of each kind, a line each.
#[test]
#[ignore = "prints times"]
fn ten_megabytes_of_each_kind() {
    println!("{:<48} {:>8} {:>12}  outcome", "10 MB of", "ms", "memory, KiB");
    for kind in &HOSTILE {
        let (seconds, memory, outcome) = kind.read(10_000_000);
        let outcome = outcome.map_or_else(|error| error.to_string(), |size| size.to_string());
        println!("{:<48} {:>8.1} {:>12}  {outcome:.100}", kind.name, seconds * 1e3, memory / 1024);
        assert!(seconds < 5.0 && memory <= kind.allowed(10_000_000), "{}: {seconds} s, {memory} bytes", kind.name);
    }
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
    fn what_is_written_reads_back(
        clauses in prop::collection::vec(prop::collection::vec((0_u32..2000, any::<bool>()), 0..6), 0..40),
        extra in 0_usize..5,
    ) {
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
        let size = Size { vars: cnf.n_vars() as u64, clauses: clauses.len() as u64, lits: lits as u64 };
        prop_assert_eq!(cnf.size(), size);
    }

    #[test]
    fn no_text_panics(text in "(p cnf [0-9]{1,3} [0-9]{1,3}\n)?[ -~\n\t%c0-9-]{0,80}") {
        let _ = read(&text);
    }
}
