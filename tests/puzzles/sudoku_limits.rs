//! Sudoku when time, memory or the text is against it: limits that hold on every path, and hostile text.
//!
//! `cargo test --release --test puzzles sudoku_limits -- --ignored --nocapture` prints how long 10 MB of each hostile
//! kind take, and how long questions go on after their time limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cnfkit::sudoku::{ConstraintSet, GridError, Strategy, SudokuStream};
use cnfkit::{AmoEncoding, Grid, Layout, Limits, SudokuEncoder, SudokuError};

/// How long a question goes on after its time is over, at most: a machine that does other things, and without
/// optimisation.
const LATE: Duration = Duration::from_millis(1500);

type Question = (&'static str, fn(&SudokuEncoder) -> Result<(), SudokuError>);

/// Every question that may take long.
const QUESTIONS: [Question; 12] = [
    ("encode", |encoder| encoder.encode().map(drop)),
    ("prune", |encoder| encoder.prune().map(drop)),
    ("solve", |encoder| encoder.solve().map(drop)),
    ("solve with crossings", |encoder| encoder.clone().crossings(true).solve().map(drop)),
    ("solve, base", |encoder| encoder.clone().strategy(Strategy::Base).solve().map(drop)),
    ("count", |encoder| encoder.count(1_000_000).map(drop)),
    ("count, base", |encoder| encoder.clone().strategy(Strategy::Base).count(1_000_000).map(drop)),
    ("candidates", |encoder| encoder.candidates().map(drop)),
    ("hint", |encoder| encoder.hint().map(drop)),
    ("random solution", |encoder| encoder.random_solution(1).map(drop)),
    ("random puzzle", |encoder| encoder.random_puzzle(1).map(drop)),
    ("why", |encoder| encoder.unsat_core().map(drop)),
];

/// How late each question ends that has `limit`, in the order of [`QUESTIONS`]; those that find their answer before are
/// 0.
fn lateness(encoder: &SudokuEncoder, limit: Duration) -> Vec<(&'static str, Duration)> {
    let ask = |(name, question): &Question| {
        let start = Instant::now();
        let answer = question(&encoder.clone().time_limit(limit));
        let late = start.elapsed().saturating_sub(limit);
        assert!(matches!(answer, Ok(()) | Err(SudokuError::Interrupted(_))), "{name}: {answer:?}");
        (*name, late)
    };
    QUESTIONS.iter().map(ask).collect()
}

/// An empty 81×81 once took 7.7 s whatever the limit: 85 million clauses are loaded.
#[test]
fn time_limits_hold_while_clauses_are_written_and_loaded() {
    let encoder = SudokuEncoder::new(Grid::empty(Layout::for_side(81)));
    for (name, late) in lateness(&encoder, Duration::from_millis(100)) {
        assert!(late < LATE, "{name} is {late:?} late");
    }
}

#[test]
fn a_flag_is_heard_while_clauses_are_written_and_loaded() {
    let flag = Arc::new(AtomicBool::new(false));
    let encoder =
        SudokuEncoder::new(Grid::empty(Layout::for_side(81))).limits(Limits::none().cancel(Arc::clone(&flag)));
    let asked = std::thread::spawn(move || (encoder.count(2).map(drop), Instant::now()));
    std::thread::sleep(Duration::from_millis(200));
    flag.store(true, Ordering::Relaxed);
    let raised = Instant::now();
    let (answer, end) = asked.join().unwrap();
    assert!(matches!(answer, Err(SudokuError::Interrupted(_))), "{answer:?}");
    assert!(end.saturating_duration_since(raised) < LATE, "{:?}", end - raised);
}

/// 198 million clauses once took 40 s and 9.6 GB, with a limit of 5 s.
#[test]
fn what_no_solver_could_hold_is_refused() {
    let empty = Grid::empty(Layout::for_side(100));
    let mut one = empty.clone();
    one.set(0, 0, 1);
    for encoder in [SudokuEncoder::new(empty), SudokuEncoder::new(one)] {
        let start = Instant::now();
        for answer in [encoder.solve().map(drop), encoder.count(1).map(drop), encoder.candidates().map(drop)] {
            let Err(SudokuError::Capacity(error)) = answer else { panic!("{answer:?}") };
            assert!(error.needed.clauses > 180_000_000 && error.limit.clauses == 100_000_000, "{error}");
        }
        assert!(start.elapsed() < 3 * LATE, "{:?}", start.elapsed());
        // With fewer clauses it fits, and has its time.
        let fits = encoder.encoding(AmoEncoding::Product).time_limit(Duration::from_millis(200)).solve();
        assert!(matches!(fits, Ok(Some(_)) | Err(SudokuError::Interrupted(_))), "{:?}", fits.map(drop));
    }
}

/// Row 1 of a 16×16 has no place for 1: three boxes have it in other rows, three columns elsewhere, and the last cell
/// holds a 5. The extended set says so at once; in the minimal set it is sixteen pigeons in fifteen holes, and took
/// more than a minute.
#[test]
fn contradictions_are_found_in_the_extended_set_whichever_was_chosen() {
    let mut grid = Grid::empty(Layout::boxes(4, 4));
    let given = [(0, 15, 5), (1, 0, 1), (2, 4, 1), (3, 8, 1), (4, 12, 1), (8, 13, 1), (12, 14, 1)];
    given.iter().for_each(|&(row, col, value)| grid.set(row, col, value));
    grid.set(10, 5, 7); // has nothing to do with it
    let start = Instant::now();
    for set in [ConstraintSet::Minimal, ConstraintSet::Extended] {
        let why = SudokuEncoder::new(&grid).constraints(set).unsat_core().unwrap().expect("there is no solution");
        assert_eq!(why, given, "{set:?}");
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// Divisors of a large prime were once looked for before the limit was, for seconds; also as the first line of a
/// puzzle.
#[test]
fn a_side_is_held_against_the_limit_first() {
    let start = Instant::now();
    let message = "a side of 18446744073709551557; allowed are 1 to 1290";
    assert_eq!("side 18446744073709551557".parse::<Layout>().unwrap_err().to_string(), message);
    let error = "layout: side 18446744073709551557\n1 2\n2 1".parse::<Grid>().unwrap_err();
    assert_eq!(error.to_string(), format!("line 1, column 9: {message}"));
    let record = "x|18446744073709551557|0|0|1,2|-".parse::<Grid>().unwrap_err().to_string();
    assert!(record.ends_with(message), "{record}");
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
}

/// Each extra rule once built the layout again: a thousand of them took a minute.
#[test]
fn extra_rules_are_put_on_at_once() {
    let timed = |times| {
        let start = Instant::now();
        let layout: Layout = format!("side 1290{}", " + diagonals".repeat(times)).parse().unwrap();
        assert_eq!(layout, Layout::for_side(1290).with_diagonals());
        start.elapsed()
    };
    let (once, often) = (timed(1), timed(1000));
    assert!(often < 20 * once, "{once:?}, {often:?}");
    let all: Layout = "boxes 3x3 + windows + anti-king + diagonals + Anti-Knight + windows".parse().unwrap();
    let built = Layout::boxes(3, 3).with_windows().unwrap().with_anti_king().with_diagonals().with_anti_knight();
    assert_eq!(all, built);
    assert_eq!(
        "side 5 + windows".parse::<Layout>().unwrap_err().to_string().split(';').next().unwrap(),
        "windows need square boxes"
    );
}

#[test]
fn control_characters_are_escaped() {
    let messages = [
        "boxes \u{1b}[31m3x3".parse::<Layout>().unwrap_err().to_string(),
        "latin 5 + \u{7}\u{0}".parse::<Layout>().unwrap_err().to_string(),
        Layout::regions("\u{1b}\u{1b}\u{1b}A").unwrap_err().to_string(),
        "layout: \u{1b}]0;x\n1".parse::<Grid>().unwrap_err().to_string(),
        "\u{1b}\u{1b}\n\u{1b}\u{1b}".parse::<Grid>().unwrap_err().to_string(),
    ];
    for message in messages {
        assert!(!message.chars().any(char::is_control), "{message:?}");
    }
}

#[test]
fn positions_count_from_one_and_foreign_signs_come_before_lengths() {
    let error = |text: &str| text.parse::<Grid>().unwrap_err().to_string();
    assert!(error("x|1|0|0").starts_with("line 1, column 8: "), "{}", error("x|1|0|0"));
    assert!(error("abc").starts_with("line 1, column 1: `a` is no value"), "{}", error("abc"));
    assert!(error("1.2x").starts_with("line 1, column 4: `x` is no value"), "{}", error("1.2x"));
    assert!(error("12.").contains("3 cells in one line"), "{}", error("12."));
    // No position is 0, whatever is cut off.
    let record = "x|4|2|2|1,0,0,0,0,0,3,0,0,4,0,0,0,0,0,2|-|?|-|";
    for end in 0..record.len() {
        if let Err(GridError::Syntax { line, column, .. } | GridError::Layout { line, column, .. }) =
            record[..end].parse::<Grid>()
        {
            assert!(line >= 1 && column >= 1, "{}", &record[..end]);
        }
    }
}

#[test]
fn a_puzzle_may_have_its_number_of_solutions_behind_it() {
    let puzzle: Grid = "1.....3..4.....2".parse().unwrap();
    for text in ["1.....3..4.....2:1", "1.....3..4.....2:1:1324423124133142", " 1.....3..4.....2:12 \n"] {
        assert_eq!(text.parse::<Grid>().unwrap(), puzzle, "{text}");
    }
    for text in ["1.....3..4.....2:", "1.....3..4.....2:x", "1.....3..4.....2:1:2:3", ":1"] {
        assert!(text.parse::<Grid>().is_err(), "{text}");
    }
    let like = SudokuEncoder::new(Grid::empty(Layout::boxes(2, 2)));
    let answers =
        SudokuStream::new(["1.....3..4.....2:1"], &like).map(|answer| answer.result.unwrap().unwrap().to_string());
    assert_eq!(answers.collect::<Vec<_>>(), ["1324423124133142"]);
}

#[test]
fn a_line_that_is_no_text_says_its_byte() {
    let like = SudokuEncoder::new(Grid::empty(Layout::boxes(2, 2)));
    let lines = [&b"1.....3..4.....2"[..], b"1....\xff3..4.....2", b"1.....3..4.....2"];
    let answers: Vec<_> = SudokuStream::new(lines, &like).map(|answer| answer.result).collect();
    assert_eq!(answers[1].as_ref().unwrap_err().to_string(), "line 2, byte 6: not UTF-8 text");
    assert!(matches!(answers[0], Ok(Some(_))) && matches!(answers[2], Ok(Some(_))));
}

/// Texts of about `size` bytes that are no puzzles, and one that is the largest.
fn hostile(size: usize) -> Vec<(&'static str, String)> {
    let again = |piece: &str| piece.repeat(size.div_ceil(piece.len()));
    vec![
        ("empty lines", again("\n")),
        ("blanks", again(" ")),
        ("remarks", again("# no puzzle\n")),
        ("borders", again("-+-\n")),
        ("digits", again("1")),
        ("points", again(".")),
        ("a digit a line", again("1\n")),
        ("words", again("1 ")),
        ("commas", again(",")),
        ("numbers", again("99999,")),
        ("letters", again("ä")),
        ("rows of four", again("9999\n")),
        ("a row too long", format!("1234\n{}", again("9"))),
        ("zeros before a number", format!("1 {} 1 1", again("0"))),
        ("bars", again("|")),
        ("colons", again(":")),
        ("a long count", format!("1...:{}", again("1"))),
        ("control characters", again("\u{1b}")),
        ("pluses", format!("layout: latin 4{}", again(" + diagonals"))),
        ("regions of one label", format!("layout: regions {}", again("A"))),
        ("regions by words", format!("layout: regions {}", again("7 "))),
        ("regions of all labels", format!("layout: regions {}", again("AB/CD/"))),
        ("a record of cells", format!("x|1290|30|43|{}|-", again("0,"))),
        ("a record of regions", format!("x|1290|0|0|0,0|{}", again("1,"))),
        ("a record of bars", format!("x|9|3|3|{}", again("1|"))),
    ]
}

/// Whatever a text is, it is read in no time, and is a grid or an error with a position.
#[test]
fn hostile_text_is_read_in_linear_time() {
    for (name, text) in hostile(1 << 20) {
        let start = Instant::now();
        let result = text.parse::<Grid>();
        let took = start.elapsed();
        assert!(took < Duration::from_secs(2), "{name}: {took:?}");
        if let Err(error) = result {
            let message = error.to_string();
            assert!(message.len() < 400 && !message.chars().any(char::is_control), "{name}: {message:?}");
            assert!(
                !matches!(error, GridError::Syntax { column: 0, .. } | GridError::Layout { column: 0, .. }),
                "{name}"
            );
        }
    }
}

/// Prints a table: ten times the text takes ten times as long.
#[test]
#[ignore = "prints figures; takes a minute"]
fn ten_megabytes_of_each_hostile_kind() {
    println!("{:<26}{:>10}{:>10}  answer", "text", "1 MB, ms", "10 MB, ms");
    let time = |text: &str| {
        let start = Instant::now();
        let result = text.parse::<Grid>();
        (start.elapsed().as_secs_f64() * 1e3, result)
    };
    for ((name, small), (_, large)) in hostile(1_000_000).iter().zip(&hostile(10_000_000)) {
        let ((first, _), (second, result)) = (time(small), time(large));
        let answer = result.map_or_else(|error| error.to_string(), |grid| format!("a grid, {}", grid.layout()));
        println!("{name:<26}{first:>10.1}{second:>10.1}  {}", answer.chars().take(90).collect::<String>());
    }
}

/// Prints a table: how late questions end on large sides.
#[test]
#[ignore = "prints figures; takes a minute"]
fn lateness_on_large_sides() {
    let limit = Duration::from_millis(200);
    for (side, encoding) in [
        (36, AmoEncoding::Pairwise),
        (64, AmoEncoding::Pairwise),
        (81, AmoEncoding::Pairwise),
        (100, AmoEncoding::Product),
        (225, AmoEncoding::Ladder),
    ] {
        let encoder = SudokuEncoder::new(Grid::empty(Layout::for_side(side))).encoding(encoding);
        for (name, question) in QUESTIONS {
            let start = Instant::now();
            let answer = question(&encoder.clone().time_limit(limit));
            let late = start.elapsed().saturating_sub(limit);
            let answer = answer.map_or_else(|error| error.to_string(), |()| "answered".to_owned());
            println!("side {side:>4} {name:<22}{:>8.0} ms late  {answer}", late.as_secs_f64() * 1e3);
        }
    }
}

/// A puzzle that takes seconds is given up when the time is over, and when the flag is raised, in every phase.
#[test]
fn making_a_puzzle_ends_in_time() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    let brief = Duration::from_millis(200);
    for side in [16, 25, 36] {
        let empty = SudokuEncoder::new(Grid::empty(Layout::for_side(side)));
        for by_flag in [false, true] {
            let flag = Arc::new(AtomicBool::new(false));
            let raised = Arc::clone(&flag);
            let raising = std::thread::spawn(move || {
                std::thread::sleep(brief);
                raised.store(true, Ordering::Relaxed);
            });
            let limits = cnfkit::Limits::none();
            let limits = if by_flag { limits.cancel(flag) } else { limits.time(brief) };
            let start = Instant::now();
            let _ = empty.clone().limits(limits).random_minimal_puzzle(1);
            println!("side {side}: {:?}", start.elapsed());
            assert!(start.elapsed() < Duration::from_secs(2), "side {side}: {:?}", start.elapsed());
            raising.join().unwrap();
        }
    }
}
