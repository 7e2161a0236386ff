//! Puzzles filled in by hand, rules and their clauses, pictures.

use cnfkit::sudoku::{CellStatus, ConstraintSet, Group, Rule, Sheet};
use cnfkit::{AmoEncoding, Grid, Layout, SudokuEncoder};

/// 36 givens, one solution.
const PUZZLE: &str = "000260701680070090190004500820100040004602900050003028009300074040050036703018000";
const SOLUTION: &str = "435269781682571493197834562826195347374682915951743628519326874248957136763418259";

fn grid(text: &str) -> Grid {
    text.parse().unwrap()
}

mod sheet {
    use super::*;

    #[test]
    fn givens_stay_and_the_rest_is_entered_or_solved() {
        let mut sheet = Sheet::new(grid(PUZZLE));
        sheet.enter(0, 0, 4).unwrap();
        sheet.enter(0, 1, 3).unwrap();
        sheet.enter(0, 1, 9).unwrap();
        sheet.enter(0, 1, 0).unwrap();
        let statuses = |sheet: &Sheet| [(0, 0), (0, 1), (0, 3)].map(|(row, col)| sheet.status(row, col));
        assert_eq!(statuses(&sheet), [CellStatus::Entered, CellStatus::Empty, CellStatus::Given]);
        assert!(sheet.fill(&grid(SOLUTION)));
        assert_eq!(statuses(&sheet), [CellStatus::Entered, CellStatus::Solved, CellStatus::Given]);
        assert_eq!((sheet.grid(), sheet.puzzle()), (&grid(SOLUTION), &grid(PUZZLE)));
        sheet.clear();
        assert_eq!(sheet, Sheet::new(grid(PUZZLE)));
    }

    #[test]
    fn what_cannot_be_entered_changes_nothing() {
        let mut sheet = Sheet::new(grid(PUZZLE));
        let mut refused = |row, col, value: u16| {
            let error = sheet.enter(row, col, value).unwrap_err().to_string();
            assert_eq!(sheet, Sheet::new(grid(PUZZLE)));
            error
        };
        assert_eq!(refused(0, 3, 5), "row 1, column 4: 2 is given and cannot be changed");
        assert_eq!(refused(0, 0, 10), "row 1, column 1: 10 is out of range; allowed are 1 to 9");
        assert_eq!(refused(0, 9, 1), "row 1, column 10: no such cell; allowed are 1 to 9");
        // Not a solution once something else is entered.
        sheet.enter(0, 0, 3).unwrap();
        let before = sheet.clone();
        assert!(!sheet.fill(&grid(SOLUTION)));
        assert_eq!(sheet, before);
    }
}

mod rules {
    use super::*;

    /// With every encoding, on layouts with bans and extra groups: the rules' clauses are all clauses, in order.
    #[test]
    fn every_clause_has_one_rule() {
        let layouts = [
            Layout::boxes(3, 3),
            Layout::latin(1),
            Layout::latin(3),
            Layout::boxes(2, 3).with_diagonals().with_anti_king(),
        ];
        for layout in layouts {
            let mut puzzle = Grid::empty(layout.clone());
            puzzle.set(0, 0, 1);
            let sets = [ConstraintSet::Minimal, ConstraintSet::Extended];
            for (&encoding, set) in AmoEncoding::ALL.iter().flat_map(|encoding| sets.map(|set| (encoding, set))) {
                let encoder = SudokuEncoder::new(&puzzle).encoding(encoding).constraints(set);
                let mut end = 0;
                for (_, clauses) in encoder.rules() {
                    assert_eq!(clauses.start, end);
                    end = clauses.end;
                }
                assert_eq!(end, encoder.encode().unwrap().n_clauses(), "{layout} {encoding} {set:?}");
            }
        }
    }

    /// A rule's clauses speak of its cells and values, and of nothing else.
    #[test]
    fn clauses_are_about_what_their_rule_says() {
        let puzzle = grid(PUZZLE);
        let encoder = SudokuEncoder::new(&puzzle);
        let cnf = encoder.encode().unwrap();
        for (rule, clauses) in encoder.rules() {
            for index in clauses {
                for lit in cnf.clause(index) {
                    let (cell, value) = (lit.vidx() / 9, (lit.vidx() % 9 + 1) as u16);
                    let (row, col) = (cell / 9, cell % 9);
                    let about = match rule {
                        Rule::Cell { row: r, col: c } => (r, c) == (row, col),
                        Rule::Group { group: Group::Row(r), value: v } => (r, v) == (row, value),
                        Rule::Group { group: Group::Column(c), value: v } => (c, v) == (col, value),
                        Rule::Group { group: Group::Region(b), value: v } => (b, v) == (row / 3 * 3 + col / 3, value),
                        Rule::Given { row: r, col: c, value: v } => (r, c, v) == (row, col, value),
                        _ => false,
                    };
                    assert!(about, "{rule}: {}", encoder.clause_text(cnf.clause(index)));
                }
            }
        }
    }

    /// Worked examples by hand.
    #[test]
    fn clauses_read_as_in_document_000() {
        let encoder = SudokuEncoder::new(grid(PUZZLE)).encoding(AmoEncoding::Pairwise);
        let cnf = encoder.encode().unwrap();
        let texts = |wanted: &str| -> Vec<String> {
            let (_, clauses) = encoder.rules().find(|(rule, _)| rule.to_string() == wanted).expect(wanted);
            clauses.map(|index| encoder.clause_text(cnf.clause(index))).collect()
        };
        let all = |name: fn(usize) -> String| (1..=9).map(name).collect::<Vec<_>>().join(" ∨ ");
        let cell = texts("row 1, column 1: exactly one value");
        assert_eq!(cell[0], all(|v| format!("X[1,1,{v}]")));
        assert_eq!((cell[1].as_str(), cell[36].as_str()), ("¬X[1,1,1] ∨ ¬X[1,1,2]", "¬X[1,1,8] ∨ ¬X[1,1,9]"));
        let row = texts("row 1: 5 exactly once");
        assert_eq!(row[0], all(|c| format!("X[1,{c},5]")));
        assert!(row.contains(&"¬X[1,1,5] ∨ ¬X[1,3,5]".to_owned()));
        let column = texts("column 3: 7 exactly once");
        assert_eq!(column[0], all(|r| format!("X[{r},3,7]")));
        assert!(column.contains(&"¬X[2,3,7] ∨ ¬X[9,3,7]".to_owned()));
        let block = texts("region 1: 9 exactly once");
        assert_eq!(block[0], all(|i| format!("X[{},{},9]", (i - 1) / 3 + 1, (i - 1) % 3 + 1)));
        assert_eq!(texts("row 1, column 4: 2 is given"), ["X[1,4,2]"]);
        assert_eq!(encoder.var(0, 3, 2).to_ipasir(), 29);
    }

    /// 9 slices, 18 lines and 26 relations.
    #[test]
    fn document_004_has_53_constraints() {
        let puzzle = grid("070000690000610000092000050000081709400003000000056108059000010000560000020000570");
        let encoder = SudokuEncoder::new(puzzle);
        let mut constraints: Vec<String> = encoder
            .rules()
            .filter_map(|(rule, _)| match rule {
                Rule::Group { group, .. } => Some(group.to_string()),
                Rule::Given { .. } => Some(rule.to_string()),
                _ => None,
            })
            .collect();
        constraints.dedup();
        assert_eq!(constraints.len(), 53);
    }

    #[test]
    fn auxiliaries_and_the_empty_clause_have_names() {
        let encoder = SudokuEncoder::new(Grid::empty(Layout::latin(2)));
        let beyond = cnfkit::Lit::negative(8);
        assert_eq!(encoder.clause_text(&[encoder.var(1, 1, 2), beyond]), "X[2,2,2] ∨ ¬y9");
        assert_eq!(encoder.clause_text(&[]), "⊥");
    }
}

#[cfg(feature = "svg")]
mod pictures {
    use super::*;

    /// The texts of a picture with their attributes, by its own XML.
    fn texts(picture: &str) -> Vec<(String, String)> {
        let parts = picture.split("<text ").skip(1);
        parts
            .map(|part| {
                let (attributes, rest) = part.split_once('>').unwrap();
                let (text, _) = rest.split_once("</text>").unwrap();
                (text.trim().to_owned(), attributes.to_owned())
            })
            .collect()
    }

    #[test]
    fn given_entered_solved_and_wrong_are_told_apart() {
        let mut sheet = Sheet::new(grid("1.3./..../..../....".replace('/', "\n").as_str()));
        let colour = |sheet: &Sheet, value: &str| {
            let shown = texts(&sheet.to_svg());
            let (_, attributes) = shown.into_iter().find(|(text, _)| text == value).expect(value);
            let bold = attributes.contains("bold");
            let (_, colour) = attributes.split_once("fill=\"").unwrap();
            (colour.split('"').next().unwrap().to_owned(), bold)
        };
        assert_eq!(texts(&sheet.to_svg()).len(), 2);
        assert_eq!(colour(&sheet, "1"), ("black".into(), true));
        sheet.enter(0, 1, 2).unwrap();
        assert_eq!(colour(&sheet, "2"), ("#555555".into(), false));
        assert!(sheet.fill(&grid("1234341221434321")));
        assert_eq!(texts(&sheet.to_svg()).len(), 16);
        assert_eq!(colour(&sheet, "4"), ("#1f4fd8".into(), false));
        sheet.clear();
        sheet.enter(3, 3, 4).unwrap();
        sheet.enter(3, 2, 4).unwrap();
        assert_eq!(colour(&sheet, "4"), ("#555555".into(), false), "the first of two");
        let shown = texts(&sheet.to_svg());
        assert!(shown.last().unwrap().1.contains("#c8102e"), "the second of two");
    }

    /// Thick lines are the border and where regions meet.
    #[test]
    fn lines_are_thick_where_regions_meet() {
        let thick = |layout: Layout| {
            let picture = Sheet::new(Grid::empty(layout)).to_svg();
            let (_, strong) = picture.split_once("stroke-width=\"2.5\"").expect("thick lines");
            strong.split("</g>").next().unwrap().matches("<line").count()
        };
        assert_eq!(thick(Layout::latin(4)), 16);
        assert_eq!(thick(Layout::boxes(2, 2)), 16 + 8);
        assert_eq!(thick(Layout::boxes(3, 3)), 36 + 36);
    }

    /// No two regions side by side have one ground, in any usual layout and in jigsaws.
    #[test]
    fn neighbouring_regions_have_other_grounds() {
        let usual = [4, 5, 6, 7, 8, 9, 10, 12, 16].map(Layout::for_side);
        let jigsaws = (0..20).map(|seed| Layout::jigsaw(9, seed).unwrap());
        for layout in usual.into_iter().chain(jigsaws) {
            let side = layout.side();
            let picture = Sheet::new(Grid::empty(layout.clone())).to_svg();
            // The first is the paper.
            let grounds: Vec<&str> = picture
                .split("<rect ")
                .skip(2)
                .map(|rect| rect.split_once("fill=\"").unwrap().1.split('"').next().unwrap())
                .collect();
            assert_eq!(grounds.len(), side * side);
            for (row, col) in (0..side).flat_map(|row| (0..side - 1).map(move |col| (row, col))) {
                for (a, b) in [((row, col), (row, col + 1)), ((col, row), (col + 1, row))] {
                    if layout.region(a.0, a.1) != layout.region(b.0, b.1) {
                        assert_ne!(grounds[a.0 * side + a.1], grounds[b.0 * side + b.1], "{layout}: {a:?} {b:?}");
                    }
                }
            }
        }
    }

    /// The ground of each cell that is darker, as row and column.
    #[test]
    fn diagonals_and_windows_are_darker() {
        let shaded = |layout: Layout| -> Vec<(usize, usize)> {
            let picture = Sheet::new(Grid::empty(layout)).to_svg();
            let rects = picture.split("<rect ").filter(|rect| rect.contains("fill-opacity"));
            let place = |rect: &str, name: &str| {
                let (_, rest) = rect.split_once(&format!(" {name}=\"")).unwrap();
                rest.split(['"', '.']).next().unwrap().parse::<usize>().unwrap() / 40
            };
            rects.map(|rect| (place(rect, "y"), place(rect, "x"))).collect()
        };
        let cells = |keep: fn(usize, usize) -> bool| -> Vec<_> {
            (0..9).flat_map(|row| (0..9).map(move |col| (row, col))).filter(|&(row, col)| keep(row, col)).collect()
        };
        let boxes = Layout::boxes(3, 3);
        assert_eq!(shaded(boxes.clone()), []);
        assert_eq!(shaded(boxes.clone().with_diagonals()), cells(|row, col| row == col || row + col == 8));
        assert_eq!(shaded(boxes.with_windows().unwrap()), cells(|row, col| row % 4 != 0 && col % 4 != 0));
    }

    #[cfg(feature = "gem-hunter")]
    #[test]
    fn boards_are_drawn_too() {
        let map: cnfkit::GemMap = "3, T, _, G\n_, 1, 1, _".parse().unwrap();
        assert!(map.to_svg().contains("Row by row: 3, T, _, G; _, 1, 1, _</desc>"), "{}", map.to_svg());
        let map: cnfkit::GemMap = "3, T, _, G".parse().unwrap();
        let shown = texts(&map.to_svg());
        assert_eq!(shown.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(), ["3", "T", "G"]);
        assert!(shown[1].1.contains("#c8102e") && shown[2].1.contains("#126b27"));
    }
}
