//! Grids as other programs print them: what is frame goes, and every sign for an empty cell becomes `.`.
//!
//! A text that is no grid as it stands is read in each of these ways, and taken if they agree on one grid. A text has
//! one sign for empty cells: beside it another one is wrong, and so is a cell that is missing.

/// The longest text that is looked at, in bytes.
const MOST: usize = 1 << 17;
/// Words for an empty cell in lists of other languages.
const NOTHING: [&str; 5] = ["None", "null", "nil", "NaN", "nan"];

/// The texts that this one may stand for: all of the same lines; columns are those of this text in the first one.
pub(super) fn readings(text: &str) -> Vec<String> {
    // A record has its own signs.
    if text.len() > MOST || text.lines().any(|line| line.contains('|') && line.contains(',')) {
        return Vec::new();
    }
    let plain = plain(text);
    let is_list = text.trim_start().starts_with(['[', '{', '(']);
    let joined = is_list.then(|| plain.replace(['\r', '\n'], " "));
    // A cell that is left out is empty where nothing else is.
    let says_empty = plain.contains(['.', '0', '*', '_']);
    let lines: Vec<&str> = plain.lines().filter(|line| !is_rule(line)).collect();
    let gaps = [fields(&lines), columns(&lines)].into_iter().flatten().filter(|_| !says_empty);
    let gaps: Vec<String> = gaps.collect();
    [Some(plain), joined].into_iter().flatten().chain(gaps).collect()
}

/// True if this line only draws a border.
pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let is_frame = line.chars().all(|sign| sign.is_whitespace() || "|-+=*.:'`".contains(sign));
    is_frame && line.contains(['-', '+', '=', '|']) && (line.contains(['-', '+', '=']) || !line.contains(['.', '*']))
}

/// True if this line may say the layout or the values.
fn is_head(line: &str) -> bool {
    let line = line.trim_start().to_ascii_lowercase();
    ["layout", "values", "boxes", "latin", "regions", "side"].iter().any(|word| line.starts_with(word))
}

/// The text with the usual signs, each in the place of another.
fn plain(text: &str) -> String {
    let rows = || text.lines().filter(|line| !is_rule(line) && !is_head(line) && !line.trim_start().starts_with('#'));
    let usual = rows().any(|line| line.split(" #").next().is_some_and(|row| row.contains(['.', '0', '*', '_'])));
    let has =
        |sign: char| !usual && rows().any(|line| line.contains(sign) && line.contains(|c: char| c.is_ascii_digit()));
    // `-` is a cell beside others, and frame in lines of its own.
    let width = |line: &str| line.chars().filter(|sign| !sign.is_whitespace() && *sign != '|').count();
    let side = Some('-').filter(|_| has('-')).and_then(|_| rows().filter(|line| line.contains('-')).map(width).max());
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let note = line.find(" #").or_else(|| line.find("\t#")).unwrap_or(line.trim_end_matches(['\n', '\r']).len());
        let (mut cells, end) = (line[..note].to_owned(), &line[line.trim_end_matches(['\n', '\r']).len()..]);
        if is_head(line) {
            plain.push_str(line);
            continue;
        }
        if cells.contains('n') || cells.contains('N') {
            for word in NOTHING {
                cells = cells.replace(word, &format!("{:1$}", ".", word.len()));
            }
        }
        let is_letter = |sign: char| sign.is_ascii_alphabetic() && !matches!(sign, 'x' | 'X');
        let x_is_empty = !usual && !cells.contains(is_letter);
        let is_row = side == Some(width(&cells)) && !cells.contains(['+', '=']);
        plain.extend(cells.chars().map(|sign| match sign {
            '[' | ']' | '(' | ')' | '{' | '}' | '"' | '\'' => ' ',
            '?' | '·' | '•' | '∙' | '⋅' | '□' | '☐' if !usual => '.',
            'x' | 'X' if x_is_empty => '.',
            '-' if is_row => '.',
            '│' | '┃' | '┆' | '┇' | '┊' | '┋' | '║' | '╎' | '╏' => '|',
            '\u{2500}'..='\u{257f}' => '+',
            sign => sign,
        }));
        plain.push_str(end);
    }
    plain
}

/// Rows of as many fields as there are rows: nothing between two separators is an empty cell.
fn fields(lines: &[&str]) -> Option<String> {
    let rows: Vec<&str> = lines.iter().copied().filter(|line| !line.trim().is_empty()).collect();
    [',', ';', '\t', '|'].into_iter().find_map(|separator| {
        let row = |line: &&str| -> Option<Vec<String>> {
            // Columns of a table have a separator on either side.
            let inner = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|'));
            let line = inner.filter(|_| separator == '|').unwrap_or(line);
            let cells = line.split(separator).map(str::trim);
            let mut cells: Vec<String> =
                cells.map(|cell| if cell.is_empty() { "." } else { cell }.to_owned()).collect();
            // Rows of a list have a separator between them.
            if cells.len() == rows.len() + 1 && cells.last().is_some_and(|cell| cell == ".") {
                cells.pop();
            }
            let is_one = cells.iter().all(|cell| !cell.contains(char::is_whitespace));
            (is_one && cells.len() == rows.len()).then_some(cells)
        };
        let rows: Vec<Vec<String>> = rows.iter().map(row).collect::<Option<_>>()?;
        Some(rows.iter().map(|row| row.join(" ")).collect::<Vec<_>>().join("\n"))
    })
}

/// Rows of as many characters as there are rows: blanks are empty cells, also those that are left out at the end.
fn columns(lines: &[&str]) -> Option<String> {
    let inner = |line: &&str| {
        let inner = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|'));
        inner.unwrap_or(line).replace('|', "")
    };
    let all: Vec<String> = lines.iter().map(inner).collect();
    let filled: Vec<String> = all.iter().filter(|row| !row.trim().is_empty()).cloned().collect();
    [all, filled].into_iter().find_map(|rows| {
        let side = rows.len();
        let has_gaps = rows.iter().any(|row| row.trim().contains(' '));
        // Either no row has blanks at its end, or all have.
        let is_whole = rows.iter().all(|row| row.len() == side);
        let is_cut = rows.iter().all(|row| row.len() <= side && !row.ends_with(' '));
        let is_grid = has_gaps && (is_whole || is_cut) && rows.iter().any(|row| row.len() == side);
        let is_grid = is_grid && rows.iter().all(|row| row.is_ascii() && !row.contains('\t'));
        is_grid.then(|| rows.iter().map(|row| format!("{row:side$}").replace(' ', ".")).collect::<Vec<_>>().join("\n"))
    })
}
