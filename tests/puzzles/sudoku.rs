//! Sudoku: layouts, text, faults, formula and answers. Worked examples by hand are here.

use std::collections::HashSet;

use cnfkit::sudoku::{ConstraintSet, GridError, Group, LayoutError, ProblemKind, Strategy};
use cnfkit::{Cnf, Grid, Layout, Size, SudokuEncoder, SudokuError, solvers::DefaultSolver};

/// 36 givens, one solution.
const SAMPLE: &str = "000260701680070090190004500820100040004602900050003028009300074040050036703018000";
const SAMPLE_SOLUTION: &str = "435269781682571493197834562826195347374682915951743628519326874248957136763418259";
/// 54 givens, two solutions.
const TWO: &str = "1..3..5..42785.361593.128.....5.47926.27931..7591286348.42.19562.....4.89754..213";
/// Its printed answer, read the right way round.
const ONE_OF_TWO: &str = "168347529427859361593612847381564792642793185759128634834271956216935478975486213";
/// 24 givens, one solution.
const QAEKWY: &str = "070000690000610000092000050000081709400003000000056108059000010000560000020000570";
const QAEKWY_SOLUTION: &str = "178325694543619827692748351265481739481973265937256148759832416314567982826194573";

fn grid(text: &str) -> Grid {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn solve(grid: &Grid) -> Option<Grid> {
    let solution = SudokuEncoder::new(grid).solve().unwrap();
    if let Some(solution) = &solution {
        assert_eq!(solution.verify(grid), []);
    }
    solution
}

mod layouts {
    use super::*;

    #[test]
    fn usual_layouts_are_those_of_document_002() {
        let boxes = [(4, 2, 2), (6, 2, 3), (8, 2, 4), (9, 3, 3), (10, 2, 5), (12, 3, 4), (16, 4, 4), (25, 5, 5)];
        for (side, rows, cols) in boxes {
            assert_eq!(Layout::for_side(side), Layout::boxes(rows, cols));
        }
        assert_eq!(Layout::for_side(100), Layout::boxes(10, 10));
        for side in [1, 2, 3, 11, 13] {
            assert_eq!(Layout::for_side(side), Layout::latin(side));
        }
        assert_eq!(Layout::for_side(5), Layout::regions("AAABBAACBBDCCCBDDCEEDDEEE").unwrap());
        let seven = Layout::for_side(7);
        assert_eq!((seven.region(0, 6), seven.region(1, 3), seven.region(6, 3)), (Some(1), Some(1), Some(6)));
    }

    #[test]
    fn every_cell_is_in_one_row_column_and_region() {
        for side in 1..=30 {
            let layout = Layout::for_side(side);
            let mut sizes = vec![0; side];
            for (row, col) in (0..side).flat_map(|row| (0..side).map(move |col| (row, col))) {
                if let Some(region) = layout.region(row, col) {
                    sizes[region] += 1;
                }
            }
            let expected = if layout == Layout::latin(side) { 0 } else { side };
            assert_eq!(sizes, vec![expected; side], "side {side}");
        }
        let boxes = Layout::boxes(2, 3);
        assert_eq!((boxes.region(1, 2), boxes.region(1, 3), boxes.region(2, 0)), (Some(0), Some(1), Some(2)));
    }

    #[test]
    fn regions_are_read_drawn_in_one_word_or_as_labels() {
        let expected = Layout::boxes(2, 2);
        for text in ["AABBAABBCCDDCCDD", "AABB AABB CCDD CCDD", "xxyy/xxyy/zzww/zzww", "1122\n1122\n3344\n3344\n"] {
            assert_eq!(Layout::regions(text).unwrap(), expected, "{text}");
        }
        let labels = "10,10,20,20,10,10,20,20,3,3,4,4,3,3,4,4";
        assert_eq!(Layout::regions(labels).unwrap(), expected);
        assert_eq!(Layout::regions("1 1 2 2 1 1 2 2 3 3 4 4 3 3 4 4").unwrap(), expected);
    }

    /// A 7×7 listing of groups with mistakes: `group2` has (0,5) twice and lacks (0,6), `group5` starts with (1,7).
    #[test]
    fn the_listing_of_document_002_is_no_layout() {
        let group1 = vec![(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 2)];
        let group2 = vec![(0, 3), (0, 4), (0, 5), (0, 5), (1, 4), (1, 5), (1, 6)];
        let error = Layout::groups(7, &[group1.clone(), group2]).unwrap_err();
        assert!(matches!(error, LayoutError::Repeated { row: 0, col: 5, first: 1, second: 1, .. }), "{error:?}");
        assert_eq!(error.to_string(), "row 1, column 6 is in region 2 and again in region 2");
        let group5 = vec![(1, 7), (2, 5), (2, 6), (3, 5), (3, 6), (4, 5), (4, 6)];
        let error = Layout::groups(7, &[group5]).unwrap_err();
        assert_eq!(error.to_string(), "row 2, column 8 of region 1 is outside the grid; rows and columns are 1 to 7");
        let error = Layout::groups(7, &[group1]).unwrap_err();
        assert_eq!(error.to_string(), "row 1, column 4 is in no region");
    }

    #[test]
    fn what_is_no_layout_is_refused_with_the_cell() {
        let message = |text: &str| text.parse::<Layout>().unwrap_err().to_string();
        assert_eq!(
            message("regions AABB/AABB/CCDD/CCDA"),
            "region A has 5 cells where 4 are needed: look at row 4, column 4"
        );
        assert_eq!(message("regions AAB/AAB/CCD"), "region A has 4 cells where 3 are needed: look at row 2, column 2");
        assert_eq!(
            message("regions ABB/CCA/DDE"),
            "5 regions where 3 are needed; the first cell too much is row 3, column 1"
        );
        assert_eq!(message("regions AABB/AAB/CCDD/CCDD"), "row 2 of the regions has 3 cells where 4 are needed");
        assert_eq!(message("regions AABBA"), "5 cells make no square; n rows of n cells each are needed");
        assert_eq!(message("boxes 0x3"), "a side of 0; allowed are 1 to 1290");
        assert_eq!(
            message("boxes 99999999999x99999999999"),
            format!("a side of {}; allowed are 1 to 1290", usize::MAX)
        );
        assert!(message("circle 5").starts_with("`circle 5` is no layout; allowed are `boxes RxC`"));
        assert!(message("latin 5 + windows").starts_with("windows need square boxes"));
        assert!(message("boxes 3x3 + wings").starts_with("`boxes 3x3 + wings` is no layout"));
    }
}

mod text {
    use super::*;
    use itertools::Itertools;

    #[test]
    fn every_format_gives_the_same_grid() {
        let expected = grid(SAMPLE);
        let rows: Vec<&str> = (0..9).map(|row| &SAMPLE[9 * row..9 * row + 9]).collect();
        let spread = |by: &str| {
            let parted = rows.iter().map(|row| row.chars().map(String::from).collect::<Vec<_>>().join(by));
            parted.collect::<Vec<_>>().join("\n")
        };
        let mut boxed = String::new();
        for (i, row) in rows.iter().enumerate() {
            boxed += &format!("| {} {} {} |\n", &row[..3], &row[3..6], &row[6..]).replace(' ', "|");
            if i % 3 == 2 {
                boxed += "+===+---+---+\n";
            }
        }
        let record = format!("name|9|3|3|{}|-|1|-|", SAMPLE.chars().map(String::from).collect::<Vec<_>>().join(","));
        let mut texts = vec![rows.join("\n"), spread(" "), spread(", "), spread("\t"), boxed, record];
        texts.extend([".", "*", "_"].map(|empty| SAMPLE.replace('0', empty)));
        texts.push(format!("# a remark\n\n  {SAMPLE}  \r\n"));
        texts.push(format!("layout: boxes 3x3\n{SAMPLE}"));
        texts.push(format!("side 9\n{SAMPLE}"));
        texts.push(format!("boxes 3x3\n{SAMPLE}"));
        texts.push(format!("\u{feff}{SAMPLE}"));
        texts.push(format!("{expected:#}"));
        texts.push(expected.to_string());
        for text in texts {
            assert_eq!(grid(&text), expected, "{text}");
        }
    }

    #[test]
    fn sides_beyond_nine_take_numbers_or_letters() {
        let numbers: Vec<u16> = (0..256).map(|i: u16| (i % 16 + i / 16 * 4 + i / 64) % 16 + 1).collect();
        let expected = Grid::new(Layout::boxes(4, 4), numbers).unwrap();
        let write = |signs: &str| {
            let signs: Vec<char> = signs.chars().collect();
            expected.cells().iter().map(|&value| signs[usize::from(value) - 1]).collect::<String>()
        };
        let mixed = write("123456789ABCDEFG");
        let letters = write("abcdefghijklmnop");
        let rows = mixed.as_bytes().chunks(16).map(|row| String::from_utf8_lossy(row).into_owned());
        let spread = rows.clone().map(|row| row.chars().map(String::from).collect::<Vec<_>>().join(" "));
        let texts = [
            mixed.clone(),
            letters,
            rows.collect::<Vec<_>>().join("\n"),
            spread.collect::<Vec<_>>().join("\n"),
            expected.to_string(),
            format!("{expected:#}"),
        ];
        for text in texts {
            assert_eq!(grid(&text), expected, "{text}");
        }
        assert!(expected.to_string().starts_with(" 1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16\n"));
    }

    #[test]
    fn boxes_are_drawn() {
        let drawn = format!("{:#}", grid("1234341221434321"));
        assert_eq!(drawn, "1 2 | 3 4\n3 4 | 1 2\n----+----\n2 1 | 4 3\n4 3 | 2 1");
        let six = Grid::empty(Layout::boxes(2, 3));
        assert!(format!("{six:#}").starts_with(". . . | . . .\n. . . | . . .\n------+------\n"));
    }

    #[test]
    fn layouts_can_be_given_beside_the_text() {
        let tall = Layout::boxes(3, 2);
        let cells = [".", "6", "7"].map(|last| format!("{}{last}", "1.....".repeat(6).split_at(35).0));
        let read = |text: &str| Grid::parse_as(tall.clone(), text).unwrap();
        let expected = Grid::new(tall.clone(), grid(&cells[1]).cells()).unwrap();
        let record = format!("x|6|2|3|{}|-|1|-|", expected.cells().iter().join(","));
        for text in [cells[1].clone(), format!("layout: latin 6\n{}", cells[1]), record] {
            assert_eq!(read(&text), expected, "{text}");
        }
        assert_eq!(read(&cells[2]).check()[0].position(), Some((1, 36)));
        let at = |text: &str| Grid::parse_as(tall.clone(), text).unwrap_err().to_string();
        assert_eq!(at("# x\n12\n21"), "line 2, column 3: 2 cells in this row; 6 are needed");
        assert_eq!(at("x|2|0|0|1,2,2,1|-|1|-|"), "line 1, column 1: a side of 2 beside a layout `boxes 3x2` of side 6");
    }

    #[test]
    fn records_name_their_layout() {
        let latin = grid("x|3|0|0|1,0,0,0,0,0,0,0,0|-|12|-|");
        assert_eq!((latin.layout(), latin.get(0, 0)), (&Layout::latin(3), Some(1)));
        let regions = grid("x|3|0|0|0,3,0,0,0,0,0,2,0|1,2,2,1,1,2,3,3,3|1|-|");
        assert_eq!(regions.layout(), &Layout::regions("ABBAABCCC").unwrap());
        let tall = format!("x|6|3|2|{}|-|?|-|", vec!["0"; 36].join(","));
        assert_eq!(grid(&tall).layout(), &Layout::boxes(3, 2));
        assert_eq!(grid("latin 4\n1234214334124321").layout(), &Layout::latin(4));
        assert_eq!(grid("regions AABB/AABB/CCDD/CCDD\n................").layout().region(3, 3), Some(3));
    }

    #[test]
    fn what_is_no_grid_is_refused_with_line_and_column() {
        let at = |text: &str| match text.parse::<Grid>().unwrap_err() {
            GridError::Syntax { line, column, message, .. } => (line, column, message),
            GridError::Layout { line, column, source, .. } => (line, column, source.to_string()),
            other => panic!("{other:?}"),
        };
        assert_eq!(at(""), (1, 1, "the text ends without a single cell".into()));
        assert_eq!(at("\n\n# nothing\n"), (3, 1, "the text ends without a single cell".into()));
        assert_eq!(at("layout: boxes 2x2\n"), (1, 1, "the text ends without a single cell".into()));
        assert_eq!(at(&SAMPLE.replace('2', "x")).0, 1);
        let (line, column, message) = at(&SAMPLE.replacen('2', "x", 1));
        assert_eq!((line, column), (1, 4));
        assert_eq!(message, "`x` is no value: allowed are 1 to 9, and . 0 * or _ for an empty cell");
        assert_eq!(at("1 2 3 4\n3 4 1 2\n2 1 4\n4 3 2 1"), (3, 6, "3 cells in this row; 4 are needed".into()));
        assert_eq!(at("1 2 3 4\n3 4 1 2\n2 1 4 3"), (4, 1, "the text ends after 3 of 4 rows".into()));
        assert_eq!(at("12\n21\n12"), (3, 1, "row 3 of a grid of 2 rows".into()));
        assert_eq!(
            at("1,2\n\n2,kkk"),
            (3, 3, "`kkk` is no value: allowed are 1 to 2, and . 0 * or _ for an empty cell".into())
        );
        assert_eq!(at("1,,2\n2,1"), (1, 3, "a value is missing before this comma; an empty cell is `.` or 0".into()));
        assert_eq!(at("1 -2\n2 1").0, 1);
        assert_eq!(at("p cnf 3 2\n1 2 0\n-1 3 0\n").0, 1);
        assert_eq!(at("1 2\n2 99999999").0, 2);
        assert_eq!(at("layout: boxes 2x\n....").0, 1);
        assert_eq!(at("# x\n  layout: regions AABB/AABB/CCDD/CCDA\n................").0, 2);
        assert_eq!(at("layout: boxes 2x2\n123456").2, "6 cells in this row; 4 are needed");
        assert_eq!(at("1.2"), (1, 1, "3 cells in one line make no grid; side 2 needs 4".into()));
        let a = "`a` is no value: allowed are 1 to 2, and . 0 * or _ for an empty cell";
        assert_eq!(at("abc"), (1, 1, a.into()));
        assert_eq!(at("c x\np cnf 3 1\n1 2 0\n"), (2, 1, "this is a formula in DIMACS format, not a grid".into()));
        assert_eq!(at("x|4|2|2|1,2,3|-|?|-|").2, "3 cells where side 4 needs 16");
        assert_eq!(at("x|4|2|2|1,2,3,k,0,0,0,0,0,0,0,0,0,0,0,0|-|?|-|").1, 15);
        assert_eq!(at("x|5|2|2|1,2|-|?|-|").2, "a side of 5 beside a layout `boxes 2x2` of side 4");
        let many = vec!["1"; Layout::MAX_SIDE * Layout::MAX_SIDE + 1].join(",");
        let beyond = format!("side {}", Layout::MAX_SIDE + 1).parse::<Layout>().unwrap_err().to_string();
        assert_eq!(at(&format!("x|2|0|0|1,2,2,1|{many}")), (1, 17, beyond));
        let short = Grid::new(Layout::boxes(2, 2), [1, 2, 3]).unwrap_err();
        assert_eq!(short.to_string(), "3 values for a grid of side 4; 16 are needed");
    }
}

mod alphabets {
    use super::*;

    /// The signs of values from 1 on.
    const FROM_ZERO: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const FROM_ONE: &str = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    /// The rows of a grid in an alphabet.
    fn write(grid: &Grid, alphabet: &str, empty: char) -> Vec<String> {
        let signs: Vec<char> = std::iter::once(empty).chain(alphabet.chars()).collect();
        let rows = grid.cells().chunks(grid.side());
        rows.map(|row| row.iter().map(|&value| signs[usize::from(value)]).collect()).collect()
    }

    /// The alphabets of a side, with the signs for an empty cell that they leave.
    fn alphabets(side: usize) -> impl Iterator<Item = (&'static str, &'static str)> {
        let all = [(FROM_ZERO, ".*_"), (FROM_ONE, ".*_0"), (LETTERS, ".*_0")];
        all.into_iter().filter(move |(signs, _)| signs.len() >= side)
    }

    /// Texts with the same cells: one line, rows, columns parted by blanks; large letters and small ones.
    fn texts(rows: &[String]) -> Vec<String> {
        let spread = |row: &String| row.chars().map(String::from).collect::<Vec<_>>().join(" ");
        let large = [rows.concat(), rows.join("\n"), rows.iter().map(spread).collect::<Vec<_>>().join("\n")];
        large.iter().map(|text| text.to_lowercase()).chain(large.clone()).collect()
    }

    /// A solution, and a puzzle made of about half its cells, with its lowest and its highest value.
    fn solution_and_puzzle(side: usize) -> [Grid; 2] {
        let layout = Layout::for_side(side);
        let solution = if side <= 16 {
            let encoder = SudokuEncoder::new(Grid::empty(layout));
            encoder.random_solution(side as u64).unwrap().expect("an empty grid has solutions")
        } else {
            // A Latin square is enough, and at once there.
            let value = |cell: usize| ((cell / side + cell % side) % side + 1) as u16;
            Grid::new(layout, (0..side * side).map(value).collect::<Vec<_>>()).unwrap()
        };
        let mut puzzle = solution.clone();
        for (row, col, value) in solution.givens() {
            if (row * 7 + col * 3 + row * col) % 5 < 3 && usize::from(value) < side && value > 1 {
                puzzle.set(row, col, None);
            }
        }
        [solution, puzzle]
    }

    #[test]
    fn every_alphabet_of_every_side_is_told_by_its_signs() {
        for side in (10..=25).chain([26, 30, 35, 36]) {
            for grid in solution_and_puzzle(side) {
                for (alphabet, empties) in alphabets(side) {
                    for empty in empties.chars() {
                        for text in texts(&write(&grid, alphabet, empty)) {
                            // Digits alone, parted by blanks, are numbers.
                            let read = text.parse().unwrap_or_else(|error| panic!("{side}: {error}\n{text}"));
                            assert_eq!(grid, read, "{text}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn hexadokus_have_the_solution_that_they_are_made_from() {
        let empty = SudokuEncoder::new(Grid::empty(Layout::boxes(4, 4)));
        for seed in 0..3 {
            let puzzle = empty.random_puzzle(seed).unwrap().expect("there are puzzles");
            let solution = solve(&puzzle).unwrap();
            for (alphabet, _) in alphabets(16) {
                let signs = write(&solution, alphabet, '.').concat();
                let (first, last) = (&alphabet[..1], &alphabet[15..16]);
                let text = format!("values: {first}-{last}\n{}", write(&puzzle, alphabet, '.').concat());
                let found = solve(&grid(&text)).unwrap();
                assert_eq!((&found, write(&found, alphabet, '.').concat()), (&solution, signs));
                assert_eq!(grid(&write(&solution, alphabet, '.').concat()), solution);
            }
        }
    }

    #[test]
    fn signs_of_two_alphabets_are_refused_until_a_line_says_which() {
        for side in (10..=25).chain([30, 35]) {
            let [_, mut puzzle] = solution_and_puzzle(side);
            for cell in 0..side * side {
                let (row, col) = (cell / side, cell % side);
                if puzzle.get(row, col) == Some(side as u16) {
                    puzzle.set(row, col, None);
                }
            }
            let mut shifted = puzzle.clone();
            puzzle.givens().for_each(|(row, col, value)| shifted.set(row, col, value + 1));
            let [zero, one] = [FROM_ZERO, FROM_ONE].map(|signs| format!("{}-{}", &signs[..1], &signs[side - 1..side]));
            for empty in ['.', '*', '_'] {
                for text in texts(&write(&puzzle, FROM_ONE, empty)) {
                    let numbers = !text.contains(|c: char| c.is_ascii_alphabetic()) && text.contains(' ');
                    if numbers {
                        assert_eq!(grid(&text), puzzle);
                        continue;
                    }
                    let error = text.parse::<Grid>().unwrap_err().to_string();
                    let lines = format!("write a line `values: {zero}` or `values: {one}` before the grid");
                    assert!(error.contains(&lines), "{side}: {error}");
                    assert_eq!(grid(&format!("values: {one}\n{text}")), puzzle);
                    assert_eq!(grid(&format!("layout: side {side}\nVALUES {}\n{text}", zero.to_lowercase())), shifted);
                }
            }
        }
    }

    #[test]
    fn zero_is_an_empty_cell_only_where_it_must_be() {
        let error = |text: &str| text.parse::<Grid>().unwrap_err().to_string();
        // Numbers from 0 on, as letters; a value that neither alphabet leaves room for.
        let [_, puzzle] = solution_and_puzzle(12);
        let rows = puzzle.cells().chunks(12).map(|row| {
            row.iter().map(|&value| value.checked_sub(1).map_or(".".into(), |value| value.to_string())).collect()
        });
        let rows: Vec<Vec<String>> = rows.collect();
        let text = rows.iter().map(|row| row.join(",")).collect::<Vec<_>>().join("\n");
        assert_eq!(grid(&text), puzzle);
        assert_eq!(grid(&format!("values: 0-11\n{text}")), puzzle);
        let refused = error(&text.replacen("11", "12", 1));
        assert!(refused.contains("`0` is a value, and this is none of 0-11: take one sign"), "{refused}");
        // What is out of range is found, and `0` stays an empty cell up to side 9.
        assert_eq!(grid(&format!("3K{}", ".G".repeat(127))).check()[0].value, 20);
        assert_eq!(grid("0.1.............").givens().count(), 1);
        assert_eq!(
            error("values: 0-F\n....\n....\n....\n...."),
            "line 1, column 9: these are 16 values, and the grid has side 4"
        );
        assert_eq!(
            error("values: 3-F\n...."),
            "line 1, column 9: `3-F` are no values; allowed are such as 0-F, 1-G, A-P, 1-16"
        );
        assert!(error(&format!("values: A-P\n{}", "3A".repeat(128))).starts_with("line 2, column 1: `3` is no value"));
        assert_eq!(grid("values: A-D\nABCD\n....\n....\n...."), grid("1234............"));
    }

    #[test]
    fn a_title_is_passed_over_and_gaps_are_answered() {
        let rows: Vec<&str> = (0..9).map(|row| &SAMPLE[9 * row..9 * row + 9]).collect();
        for title in ["Grid 01", "Sudoku, hard: no. 3", "x"] {
            assert_eq!(grid(&format!("{title}\n\n{}\n", rows.join("\n"))), grid(SAMPLE), "{title}");
            assert_eq!(grid(&format!("{title}\n{SAMPLE}\n")), grid(SAMPLE), "{title}");
        }
        let error = |text: &str| text.parse::<Grid>().unwrap_err().to_string();
        // A row that is wrong is no title.
        assert_eq!(error("12y4\n1234\n3412\n2143\n4321").split(':').next(), Some("line 1, column 3"));
        assert_eq!(error("one\ntwo\n1234\n3412\n2143\n4321").split(':').next(), Some("line 1, column 1"));
        let gaps =
            rows.iter().map(|row| row.chars().flat_map(|c| [if c == '0' { ' ' } else { c }, ' ']).collect::<String>());
        assert_eq!(
            error(&gaps.collect::<Vec<_>>().join("\n")),
            "line 5, column 1: row 5 of a grid of 4 rows; an empty cell is `.` or 0, blanks only part cells"
        );
        assert_eq!(
            error("1\t\t3\t4\n3 4 1 2\n2 1 4 3\n4 3 2 1"),
            "line 2, column 8: 4 cells in this row; 3 are needed"
        );
        assert_eq!(
            error("3 4 1 2\n1\t\t3\t4\n2 1 4 3\n4 3 2 1"),
            "line 2, column 7: 3 cells in this row; 4 are needed; an empty cell is `.` or 0, blanks only part cells"
        );
    }
}

mod faults {
    use super::*;

    /// A full grid with 11, 13 and 10 in its first cells.
    #[test]
    fn values_out_of_range_are_errors_all_at_once() {
        let mut wrong = grid(SAMPLE_SOLUTION);
        let right = wrong.clone();
        for (row, col, value) in [(0, 0, 11), (1, 1, 13), (2, 0, 10)] {
            wrong.set(row, col, value);
        }
        assert_eq!(grid(&wrong.to_string()), wrong);
        let Err(SudokuError::Invalid { problems, .. }) = SudokuEncoder::new(&wrong).solve() else {
            panic!("must fail")
        };
        let found: Vec<_> = problems.iter().map(|problem| (problem.row, problem.col, problem.value)).collect();
        assert_eq!(found, [(0, 0, 11), (1, 1, 13), (2, 0, 10)]);
        assert!(problems.iter().all(|problem| problem.allowed() == (1..=9)));
        assert_eq!(problems[1].to_string(), "row 2, column 2: 13 is out of range; allowed are 1 to 9");
        assert!(SudokuEncoder::new(&wrong).encode().is_err());
        assert_eq!(wrong.check(), problems);
        for (row, col) in [(0, 0), (1, 1), (2, 0)] {
            wrong.set(row, col, None);
        }
        assert_eq!(solve(&wrong), Some(right));
    }

    #[test]
    fn values_out_of_range_are_found_in_the_text() {
        let at = |text: &str| -> Vec<_> {
            grid(text).check().iter().map(|x| (x.position(), x.row, x.col, x.value)).collect()
        };
        assert_eq!(
            at("# rows\n1 2 3 4\n\n3, 11, 1 2\n. . . .\n. . .  5"),
            [(Some((4, 4)), 1, 1, 11), (Some((6, 8)), 3, 3, 5)]
        );
        assert_eq!(at("1 2 | 3 4\n3 4 | 1 7\n----+----\n. . | . .\n. . | . ."), [(Some((2, 9)), 1, 3, 7)]);
        assert_eq!(at("layout: boxes 2x2\n  1234\n  3910\n  2...\n  ...."), [(Some((3, 4)), 1, 1, 9)]);
        assert_eq!(at("12345..........."), [(Some((1, 5)), 1, 0, 5)]);
        assert_eq!(at("é|4|2|2|1,2,3, 17,0,0,0,0,0,0,0,0,0,0,0,0|-|?|-|").first(), Some(&(Some((1, 15)), 0, 3, 17)));
        let mut wrong = grid("1 2 3 4\n3 11 1 2\n. . . .\n. . . .");
        let message = SudokuEncoder::new(&wrong).solve().unwrap_err().to_string();
        assert_eq!(message, "line 2, column 3 (row 2, column 2): 11 is out of range; allowed are 1 to 4");
        // Positions are no part of the value, and another value has none.
        assert_eq!(wrong, Grid::from([[1, 2, 3, 4], [3, 11, 1, 2], [0; 4], [0; 4]]));
        wrong.set(1, 1, 12);
        assert_eq!(wrong.check()[0].to_string(), "row 2, column 2: 12 is out of range; allowed are 1 to 4");
    }

    #[test]
    fn givens_that_contradict_each_other_are_named_and_have_no_solution() {
        let mut board = grid(&format!("12345678.{}", ".".repeat(72)));
        board.set(1, 8, 9); // a value too many
        assert_eq!(board.check(), []);
        assert_eq!(solve(&board), None);

        board.set(0, 8, 9);
        board.set(4, 0, 1);
        let problems = board.check();
        assert_eq!(problems.len(), 2);
        let ProblemKind::Repeated { group, with } = problems[0].kind else { panic!("{problems:?}") };
        assert_eq!((problems[0].row, problems[0].col, problems[0].value), (4, 0, 1));
        assert_eq!((group, with), (Group::Column(0), (0, 0)));
        assert_eq!(problems[1].to_string(), "row 2, column 9: 9 again in column 9, after row 1, column 9");
        assert_eq!(solve(&board), None);

        // Two cells that have only the group in common.
        let cases = [
            (Layout::boxes(2, 3), (0, 0), (1, 2), Group::Region(0)),
            (Layout::boxes(2, 3), (4, 3), (5, 5), Group::Region(5)),
            (Layout::boxes(3, 3).with_diagonals(), (0, 0), (8, 8), Group::Diagonal(0)),
            (Layout::boxes(3, 3).with_diagonals(), (0, 8), (8, 0), Group::Diagonal(1)),
            (Layout::latin(5).with_diagonals(), (0, 0), (4, 4), Group::Diagonal(0)),
            (Layout::latin(5).with_diagonals(), (0, 4), (4, 0), Group::Diagonal(1)),
            (Layout::boxes(3, 3).with_diagonals().with_windows().unwrap(), (1, 2), (3, 1), Group::Window(0)),
            (Layout::boxes(3, 3).with_windows().unwrap(), (5, 6), (7, 7), Group::Window(3)),
        ];
        for (layout, one, other, expected) in cases {
            let mut board = Grid::empty(layout);
            board.set(one.0, one.1, 1);
            board.set(other.0, other.1, 1);
            let problems = board.check();
            let ProblemKind::Repeated { group, with } = problems[0].kind else { panic!("{problems:?}") };
            assert_eq!((problems.len(), group, with), (1, expected, one));
        }
    }

    #[test]
    fn answers_are_verified() {
        let puzzle = grid(TWO);
        assert_eq!(grid(ONE_OF_TWO).verify(&puzzle), []);
        let mirrored: String = (0..9).flat_map(|row| ONE_OF_TWO[9 * row..9 * row + 9].chars().rev()).collect();
        assert!(!grid(&mirrored).verify(&puzzle).is_empty());
        let mut unfinished = grid(ONE_OF_TWO);
        unfinished.set(8, 8, None);
        let kinds: Vec<_> = unfinished.verify(&puzzle).into_iter().map(|problem| problem.kind).collect();
        assert_eq!(kinds, [ProblemKind::Empty, ProblemKind::Changed { given: 3 }][..1]);
    }
}

mod formula {
    use super::*;
    use cnfkit::AmoEncoding;
    use cnfkit::ClauseSink;
    use cnfkit::rustsat::types::TernaryVal;
    use itertools::Itertools;
    use std::time::{Duration, Instant};

    const SETS: [ConstraintSet; 2] = [ConstraintSet::Minimal, ConstraintSet::Extended];

    fn base(side: usize, constraints: ConstraintSet) -> Cnf {
        let encoder = SudokuEncoder::new(Grid::empty(Layout::for_side(side)));
        encoder.encoding(AmoEncoding::Pairwise).constraints(constraints).encode().unwrap()
    }

    #[test]
    fn sizes_are_those_of_document_000() {
        let expected = [
            (4, 448, 384),
            (6, 2_304, 1_980),
            (9, 11_988, 10_530),
            (10, 18_400, 15_900),
            (12, 38_592, 34_272),
            (16, 123_904, 111_616),
            (25, 752_500, 690_000),
        ];
        let distinct = |cnf: &Cnf| cnf.clauses().collect::<HashSet<_>>().len();
        for (side, clauses, different) in expected {
            let cnf = base(side, ConstraintSet::Extended);
            assert_eq!((cnf.n_vars(), cnf.n_clauses()), (side * side * side, clauses), "side {side}");
            assert_eq!(distinct(&cnf), different, "side {side}");
            // The minimal set lacks at most one value a cell, and each value at least once a row, column and region.
            let less = side * side * (side * (side - 1) / 2 + 3);
            let cnf = base(side, ConstraintSet::Minimal);
            assert_eq!((cnf.n_vars(), cnf.n_clauses()), (side * side * side, clauses - less), "side {side}");
            assert_eq!(distinct(&cnf), different - less, "side {side}");
        }
        // Lynce & Ouaknine 2006.
        assert_eq!(base(9, ConstraintSet::Minimal).n_clauses(), 8_829);
        let cnf = SudokuEncoder::new(grid(SAMPLE)).encoding(AmoEncoding::Pairwise).encode().unwrap();
        assert_eq!(cnf.n_clauses(), 11_988 + 36);
        let cnf = SudokuEncoder::new(grid(SAMPLE)).constraints(ConstraintSet::Minimal).encode().unwrap();
        assert_eq!(cnf.n_clauses(), 8_829 + 36);
    }

    #[test]
    fn sizes_are_known_before_encoding() {
        let mut layouts: Vec<Layout> = (1..=9).map(Layout::for_side).collect();
        layouts.push(Layout::latin(6).with_diagonals());
        layouts.push(Layout::boxes(2, 2).with_windows().unwrap());
        layouts.push(Layout::boxes(2, 3).with_anti_knight().with_anti_king());
        for layout in layouts {
            let mut grid = Grid::empty(layout.clone());
            grid.set(0, 0, 1);
            for (&encoding, set) in AmoEncoding::ALL.iter().cartesian_product(SETS) {
                let encoder = SudokuEncoder::new(&grid).encoding(encoding).constraints(set);
                let inputs = Size::variables(layout.side().pow(3) as u64);
                assert_eq!(encoder.encode().unwrap().size(), encoder.size() + inputs, "{layout} {encoding} {set:?}");
            }
        }
    }

    /// `X[r,c,v]`, everything from 1.
    fn x(r: usize, c: usize, v: usize) -> i32 {
        (81 * (r - 1) + 9 * (c - 1) + v) as i32
    }

    #[test]
    fn clauses_are_those_of_document_000() {
        let encoder = SudokuEncoder::new(grid(SAMPLE)).encoding(AmoEncoding::Pairwise);
        let cnf = encoder.encode().unwrap();
        let clauses: Vec<Vec<i32>> =
            cnf.clauses().map(|clause| clause.iter().map(|lit| lit.to_ipasir()).collect()).collect();
        let has = |clause: &[i32]| clauses.iter().any(|other| other == clause);
        let all = |lit: &dyn Fn(usize) -> i32| (1..=9).map(lit).collect::<Vec<_>>();
        assert_eq!(clauses[0], all(&|v| x(1, 1, v)));
        assert_eq!(clauses[1], [-x(1, 1, 1), -x(1, 1, 2)]);
        assert_eq!(clauses[36], [-x(1, 1, 8), -x(1, 1, 9)]);
        assert!(has(&all(&|c| x(1, c, 5))) && has(&[-x(1, 1, 5), -x(1, 3, 5)]));
        assert!(has(&all(&|r| x(r, 3, 7))) && has(&[-x(2, 3, 7), -x(9, 3, 7)]));
        assert!(has(&all(&|i| x(1 + (i - 1) / 3, 1 + (i - 1) % 3, 9))));
        assert_eq!(x(1, 4, 2), 29);
        assert_eq!(clauses[11_988], [29]);
        assert_eq!(encoder.var(0, 3, 2).to_ipasir(), 29);
        assert_eq!(encoder.var(8, 8, 9).to_ipasir(), 729);
    }

    #[test]
    fn what_does_not_fit_is_refused_before_the_first_clause() {
        let encoder = SudokuEncoder::new(Grid::empty(Layout::for_side(400)));
        let mut fastest = Duration::MAX;
        for _ in 0..5 {
            let start = Instant::now();
            for error in [encoder.encode().map(|_| ()).unwrap_err(), encoder.solve().map(|_| ()).unwrap_err()] {
                let SudokuError::Capacity(error) = error else { panic!("5·10¹⁰ clauses must be refused") };
                assert_eq!(error.needed.clauses, 4 * 400 * 400 * (1 + 400 * 399 / 2));
            }
            assert!(matches!(encoder.count(1), Err(SudokuError::Capacity(_))));
            assert!(matches!(encoder.random_solution(1), Err(SudokuError::Capacity(_))));
            fastest = fastest.min(start.elapsed());
        }
        // Half a millisecond each; the limit is for a machine that has other things to do.
        assert!(fastest < Duration::from_secs(2), "{fastest:?}");
    }

    #[test]
    fn rules_go_to_any_sink_and_givens_are_assumptions() {
        let encoder = SudokuEncoder::new(grid(SAMPLE));
        let mut rules = Cnf::with_vars(729);
        encoder.encode_rules(&mut rules).unwrap();
        assert_eq!(rules.n_clauses(), 11_988);
        grid(SAMPLE).givens().for_each(|(row, col, value)| rules.add_clause(&[encoder.var(row, col, value)]).unwrap());
        assert_eq!(rules, encoder.encode().unwrap());
    }

    /// The size of a grid's open part, by counting and by encoding.
    #[test]
    fn sizes_of_open_parts_are_known_before_encoding() {
        let knight = Layout::boxes(3, 3).with_anti_knight();
        let king = Layout::boxes(2, 3).with_anti_king();
        for layout in [Layout::boxes(3, 3), Layout::for_side(7), Layout::latin(5).with_diagonals(), knight, king] {
            let mut part = SudokuEncoder::generate(&layout, 3).unwrap().unwrap();
            let givens: Vec<_> = part.givens().collect();
            givens.iter().step_by(2).for_each(|&(row, col, _)| part.set(row, col, None));
            for (&encoding, set) in AmoEncoding::ALL.iter().cartesian_product(SETS) {
                let encoder = SudokuEncoder::new(&part).encoding(encoding).constraints(set);
                let made = encoder.prune().unwrap().expect("no contradiction").cnf().size();
                assert!(made.clauses > 0, "{layout}: nothing is open");
                for error in [
                    encoder.clone().capacity(Size::ZERO).prune().map(|_| ()),
                    encoder.clone().capacity(Size::ZERO).solve().map(|_| ()),
                ] {
                    let Err(SudokuError::Capacity(error)) = error else { panic!("{error:?}") };
                    assert_eq!(error.needed, made, "{layout} {encoding} {set:?}");
                }
                let exactly = encoder.capacity(made);
                assert!(exactly.prune().unwrap().is_some() && exactly.solve().unwrap().is_some());
                assert!(exactly.solve_with(DefaultSolver::default()).unwrap().is_some());
                assert!(exactly.strategy(Strategy::Base).solve_with(DefaultSolver::default()).is_err());
            }
        }
    }

    /// The open part's formula has the puzzle's solutions, and says what its variables mean.
    #[test]
    fn open_parts_have_the_same_solutions() {
        for text in [
            TWO,
            "12..............",
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        ] {
            let encoder = SudokuEncoder::new(grid(text));
            let expected: HashSet<String> = encoder.solutions().map(|grid| grid.unwrap().to_string()).collect();
            for (crossings, set) in [false, true].into_iter().cartesian_product(SETS) {
                let pruned = encoder.clone().crossings(crossings).constraints(set).prune().unwrap().unwrap();
                let mut cnf = pruned.cnf().clone();
                let mut found = HashSet::new();
                while let Some(model) = cnf.solve().unwrap() {
                    let solution = pruned.decode(|lit| model.lit_value(lit) == TernaryVal::True);
                    let chosen = solution.givens().filter_map(|(row, col, value)| pruned.var(row, col, value));
                    let block: Vec<_> = chosen.map(|lit| !lit).collect();
                    assert!(!block.is_empty() && block.iter().all(|&lit| model.lit_value(lit) == TernaryVal::False));
                    cnf.add_clause(&block).unwrap();
                    assert!(found.insert(solution.to_string()), "twice the same");
                }
                assert_eq!(found, expected, "{text} {crossings} {set:?}");
            }
        }
        assert!(SudokuEncoder::new(grid("11..............")).prune().unwrap().is_none());
        let settled = SudokuEncoder::new(grid(SAMPLE)).prune().unwrap().unwrap();
        assert_eq!((settled.cnf().n_vars(), settled.var(0, 0, 4)), (0, None));
        assert_eq!(settled.decode(|_| false).to_string(), SAMPLE_SOLUTION);
    }
}

mod answers {
    use super::*;

    #[test]
    fn documents_puzzles_have_their_solutions() {
        for (puzzle, solution) in [(SAMPLE, SAMPLE_SOLUTION), (QAEKWY, QAEKWY_SOLUTION)] {
            assert_eq!(solve(&grid(puzzle)).unwrap().to_string(), solution);
            for strategy in [Strategy::Base, Strategy::Pruned] {
                let encoder = SudokuEncoder::new(grid(puzzle)).strategy(strategy);
                let found = encoder.solve_with(DefaultSolver::default()).unwrap().unwrap();
                assert_eq!(found.to_string(), solution);
            }
        }
        assert!(solve(&grid(TWO)).is_some());
    }

    /// Four 7×7 boards that were once printed as solutions; all of them break the drawn regions.
    #[test]
    fn seven_by_seven_of_document_002_is_wrong_under_the_drawn_layout() {
        let board = grid("4_5_327\n_3_____\n1475_32\n__374__\n36_2754\n_5_1_63\n27_35_1");
        assert_eq!(board.layout(), &Layout::for_side(7));
        assert_eq!(board.check(), []);
        assert_eq!(solve(&board), None);
        let mut demo = grid("123456_\n_______\n_______\n_______\n_______\n_______\n_______");
        assert!(solve(&demo).is_some());
        demo.set(1, 6, 7);
        assert_eq!(solve(&demo), None);
    }

    #[test]
    fn every_layout_has_a_solution() {
        let chess = "AABBAABB/BBAABBAA/AABBAABB/BBAABBAA/CCDDCCDD/DDCCDDCC/CCDDCCDD/DDCCDDCC";
        assert!(Layout::regions(chess).is_err());
        let split = "ABABCDCD/BABADCDC/ABABCDCD/BABADCDC/EFEFGHGH/FEFEHGHG/EFEFGHGH/FEFEHGHG";
        let mut layouts: Vec<Layout> = (1..=12).map(Layout::for_side).collect();
        layouts.extend([Layout::boxes(3, 2), Layout::boxes(4, 2), Layout::latin(7), Layout::regions(split).unwrap()]);
        layouts.push(Layout::boxes(3, 3).with_diagonals());
        layouts.push(Layout::boxes(3, 3).with_windows().unwrap());
        layouts.push(Layout::boxes(3, 3).with_anti_knight().with_anti_king());
        layouts.push(Layout::for_side(16));
        for layout in layouts {
            let solution = solve(&Grid::empty(layout.clone())).unwrap_or_else(|| panic!("{layout} has none"));
            assert!(solution.is_full());
            assert_eq!(grid(&solution.to_string()), solution);
        }
        assert_eq!(solve(&Grid::empty(Layout::latin(2).with_diagonals())), None);
        assert_eq!(solve(&Grid::empty(Layout::boxes(2, 2).with_anti_king())), None);
    }
}
