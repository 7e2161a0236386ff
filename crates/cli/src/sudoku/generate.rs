//! New puzzles of a difficulty: as text, as pictures, and as a page to print.

use cnfkit::sudoku::Grade;
use cnfkit::{Grid, SudokuEncoder, SudokuError};

use super::args::Difficulty;

/// Seeds that are tried for a puzzle that is as hard as asked for, and not simpler.
const SEEDS: u64 = 50;

const fn grade(difficulty: Difficulty) -> Grade {
    match difficulty {
        Difficulty::Easy => Grade::NakedSingles,
        Difficulty::Medium => Grade::HiddenSingles,
        Difficulty::Hard => Grade::LockedCandidates,
        Difficulty::Expert => Grade::Search,
    }
}

/// A puzzle that completes what `encoder` asks about, its solution, and how hard it is: as hard as asked for, if one of
/// some seeds gives such a puzzle. `None` where there is no solution.
pub(crate) fn puzzle(
    encoder: &SudokuEncoder,
    difficulty: Difficulty,
    seed: u64,
    of: impl Fn(&Grid) -> SudokuEncoder,
) -> Result<Option<(Grid, Grid, Grade)>, SudokuError> {
    let wanted = grade(difficulty);
    let mut best: Option<(Grid, Grade)> = None;
    for seed in (0..SEEDS).map(|more| seed.wrapping_mul(SEEDS).wrapping_add(more)) {
        let Some(puzzle) = encoder.random_puzzle_of(wanted, seed)? else { return Ok(None) };
        let Some(grade) = of(&puzzle).grade()? else { continue };
        if best.as_ref().is_none_or(|&(_, before)| before < grade) {
            best = Some((puzzle, grade));
        }
        if grade == wanted {
            break;
        }
    }
    let Some((puzzle, grade)) = best else { return Ok(None) };
    Ok(of(&puzzle).solve()?.map(|solution| (puzzle, solution, grade)))
}

/// Writes a picture of each puzzle and of each solution into a folder, and `page.html`, which prints the puzzles, four
/// a page, and after them the solutions.
pub(crate) fn draw(folder: &str, puzzles: &[(Grid, Grid, Grade)]) -> Result<(), String> {
    let write = |name: &str, text: &str| {
        let path = std::path::Path::new(folder).join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    std::fs::create_dir_all(folder).map_err(|error| format!("{folder}: {error}"))?;
    let mut pages = [String::new(), String::new()];
    for (number, (puzzle, solution, grade)) in (1..).zip(puzzles) {
        let mut sheet = cnfkit::sudoku::Sheet::new(puzzle);
        for (page, name) in pages.iter_mut().zip(["puzzle", "solution"]) {
            let file = format!("{name}-{number}.svg");
            write(&file, &sheet.to_svg())?;
            let caption = if name == "puzzle" { format!("{number}: {grade}") } else { number.to_string() };
            let tags = ["<figure><img src=\"", &file, "\" alt=\"\"><figcaption>", &caption, "</figcaption></figure>\n"];
            page.extend(tags);
            sheet.fill(solution);
        }
    }
    let [puzzles, solutions] = pages;
    let style = "main { display: grid; grid-template-columns: 1fr 1fr; gap: 1em } main + main { break-before: page; \
                 grid-template-columns: repeat(4, 1fr) } figure { margin: 0; break-inside: avoid } img { width: 100% }";
    let head = format!("<meta charset=\"utf-8\">\n<title>Sudokus</title>\n<style>{style}</style>");
    let body = format!("<main>\n{puzzles}</main>\n<main>\n{solutions}</main>");
    write("page.html", &format!("<!doctype html>\n<html lang=\"en\">\n{head}\n{body}\n</html>\n"))
}
