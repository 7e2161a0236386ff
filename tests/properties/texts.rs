//! Texts of formulas and of Sudokus by lot: in any end of line they say the same, cut off anywhere they are refused or
//! whole, and nothing panics.

use cnfkit::{Formula, Grid, Layout, ReadError};
use proptest::prelude::*;

/// All that a formula says.
fn said(formula: &Formula) -> String {
    let constraints: Vec<_> = formula.constraints().map(|one| format!("{one:?}")).collect();
    let names: Vec<_> = formula.names().collect();
    format!("{:?} {constraints:?} {:?} {names:?}", formula.clauses().collect::<Vec<_>>(), formula.objective())
}

type Reader = fn(&[u8]) -> Result<Formula, ReadError>;

/// A text that is right, as it stands and with other ends of lines.
fn check(read: Reader, text: &str) -> Result<(), TestCaseError> {
    let whole = read(text.as_bytes());
    prop_assert!(whole.is_ok(), "{}: {text}", whole.unwrap_err());
    let whole = said(&whole.unwrap());
    for end in ["\n", "\r\n", "\r"] {
        let text = text.replace('\n', end);
        prop_assert_eq!(&said(&read(text.as_bytes()).unwrap()), &whole, "{:?}", text);
        for cut in 0..text.len() {
            if let Ok(found) = read(&text.as_bytes()[..cut]) {
                prop_assert_eq!(&said(&found), &whole, "{:?}", &text[..cut]);
            }
        }
    }
    Ok(())
}

fn weight() -> impl Strategy<Value = String> {
    prop_oneof![
        (-9_i64..10).prop_map(|weight| format!("{weight:+}")),
        any::<i64>().prop_map(|weight| weight.to_string()),
        any::<u64>().prop_map(|weight| format!("-{weight}")),
    ]
}

fn wide() -> impl Strategy<Value = String> {
    prop_oneof![weight(), (any::<u128>(), 1_u32..127).prop_map(|(number, bits)| format!("+{}", number >> bits))]
}

fn sum(weight: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let lits = prop::collection::vec(prop::sample::select(vec!["x1", "~x2", "x4", "wine", "~b_1", "q[1,2]"]), 1..3);
    prop::collection::vec((weight, lits), 1..4).prop_map(|terms| {
        terms.iter().map(|(weight, lits)| format!("{weight} {} ", lits.join(" "))).collect::<Vec<_>>().concat()
    })
}

prop_compose! {
    fn opb()(
        objective in prop::option::of(("min|max", prop::option::of(sum(weight())))),
        constraints in prop::collection::vec(
            ("(@c-1 )?", sum(wide()), prop::sample::select(vec![">=", "=", "<=", "<", ">"]), wide(), "\n|\n\\* c\n| "),
            1..4,
        ),
    ) -> String {
        let mut text = format!("* #variable= 9 #constraint= {}\n", constraints.len());
        if let Some((sense, sum)) = objective {
            text.extend([&sense, ": ", &sum.unwrap_or_default(), ";\n"]);
        }
        for (label, sum, relation, bound, space) in constraints {
            text.extend([&label, &sum, &space, relation, " ", &bound, " ;\n"]);
        }
        text
    }
}

prop_compose! {
    fn clauses()(
        clauses in prop::collection::vec((prop::collection::vec(1_i32..5, 0..4), "0|7|18446744073709551615"), 0..5),
    ) -> Vec<(String, String)> {
        let lit = |lit: &i32| format!("{} ", if lit % 2 == 0 { -lit } else { *lit });
        let clause = |lits: Vec<i32>| lits.iter().map(lit).collect();
        clauses.into_iter().map(|(lits, weight)| (weight, clause(lits))).collect()
    }
}

proptest! {
    #[test]
    fn texts_of_opb(text in opb()) {
        check(|text| Formula::read_opb(text), &text)?;
        let formula = Formula::read_opb(text.as_bytes()).unwrap();
        let mut written = Vec::new();
        formula.write_opb(&mut written).unwrap();
        let again = Formula::read_opb(&written[..]).unwrap();
        let [read, written] = [&formula, &again].map(|formula| {
            formula.objective().iter().filter(|&&(_, weight)| weight != 0).copied().collect::<Vec<_>>()
        });
        prop_assert_eq!(written, read);
        prop_assert_eq!(again.has_objective(), formula.has_objective());
    }

    #[test]
    fn texts_of_clauses(clauses in clauses()) {
        let n = clauses.len();
        let lines = |line: fn(&(String, String)) -> String| clauses.iter().map(line).collect::<String>();
        let plain = lines(|(_, lits)| format!("{lits}\nc\n0\n"));
        check(|text| Formula::read_dimacs(text), &format!("c name 1 n\np cnf 4 {n}\n{plain}"))?;
        let counts = lines(|(_, lits)| format!("k 1 {lits}0\n"));
        check(|text| Formula::read_knf(text), &format!("p knf 4 {n}\n{counts}"))?;
        let bounds = lines(|(_, lits)| format!("{lits}<= 1 \n"));
        check(|text| Formula::read_knf(text), &format!("p cnf+ 4 {n}\n{bounds}"))?;
        let weighted = lines(|(weight, lits)| format!("{weight} {lits}\nc\n0\n"));
        check(|text| Formula::read_wcnf(text), &format!("p wcnf 4 {n} 9\n{weighted}"))?;
    }

    /// A frame of any kind, with any sign for empty cells, leaves the grid as it is.
    #[test]
    fn sudokus_in_frames(
        cells in prop::collection::vec(prop::option::weighted(0.4, 1_u16..10), 81),
        empty in prop::sample::select(vec![".", "0", "-", "?", "X", "x", "_", "·"]),
        between in prop::sample::select(vec!["", " ", ",", ", ", ";", "\t"]),
        frame in 0..5_usize,
        end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
    ) {
        prop_assume!(cells.iter().flatten().count() > 0);
        let values: Vec<u16> = cells.iter().map(|cell| cell.unwrap_or(0)).collect();
        let grid = Grid::new(Layout::boxes(3, 3), values).unwrap();
        let sign = |cell: &Option<u16>| cell.map_or(empty.to_owned(), |value| value.to_string());
        let row = |row: &[Option<u16>]| row.iter().map(sign).collect::<Vec<_>>().join(between);
        let part = |part: &[Option<u16>]| part.iter().map(sign).collect::<String>();
        let boxed = |row: &[Option<u16>], line: &str| row.chunks(3).map(part).collect::<Vec<_>>().join(line);
        let rows: Vec<String> = match frame {
            0 => cells.chunks(9).map(row).collect(),
            1 => cells.chunks(9).map(|cells| format!("[{}],", row(cells))).collect(),
            2 => cells.chunks(9).map(|cells| format!("|{}|", boxed(cells, "|"))).collect(),
            3 => cells.chunks(9).map(|cells| format!("║{}║", boxed(cells, "║"))).collect(),
            _ => vec![format!("\"{}\"", cells.iter().map(sign).collect::<String>())],
        };
        let rule = match frame {
            2 => "+---+---+---+\n",
            3 => "╠═══╬═══╣\n",
            _ => "",
        };
        let rows: Vec<String> = rows.chunks(3).map(|band| band.join("\n") + "\n").collect();
        let text = format!("{rule}{}{rule}", rows.join(rule)).replace('\n', end);
        let found = text.parse::<Grid>();
        prop_assert!(found.as_ref() == Ok(&grid), "{:?}: {}", found, text);
    }

    #[test]
    fn no_text_panics(text in "[0-9.xX?|+=#\\[\\],;\t \r\nN-]{0,120}|(min:|soft:|\\[2\\]|[0-9x~ +@;>=\r\n*-]){0,60}") {
        let _ = text.parse::<Grid>();
        let _ = Formula::read_opb(text.as_bytes());
        let _ = Formula::read_wcnf(text.as_bytes());
        let _ = Formula::read_knf(text.as_bytes());
    }
}
