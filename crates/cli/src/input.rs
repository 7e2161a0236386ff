//! Files and standard input, packed or not, and the formulas in them.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use cnfkit::{Cubes, Formula, ReadError};
use ruzstd::decoding::StreamingDecoder;

use crate::rules::{self, WrongRule};

/// The formats of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextFormat {
    /// Clauses: DIMACS.
    Cnf,
    /// Clauses and cardinality constraints: DIMACS with lines `k BOUND literals 0`.
    Knf,
    /// Pseudo-Boolean constraints and an objective.
    Opb,
    /// Clauses, some with weights: `MaxSAT`, with a header or as of 2022.
    Wcnf,
    /// Lines such as `3 <= a + 2 b + ~c <= 5`.
    Rules,
}

/// The formula that is read.
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// The file with the formula, which may be packed by gzip, bzip2, xz or zstd; `-`, as without it, is standard input
    file: Option<PathBuf>,
    /// The format of the formula; without it, its first lines say so
    #[arg(long, value_enum)]
    format: Option<TextFormat>,
}

/// The content of a file.
pub(crate) enum FileText {
    Formula(Box<Formula>, TextFormat),
    /// Clauses and cubes, as `encode --cubes` writes them.
    Cubes(Cubes),
}

impl SourceArgs {
    pub(crate) fn path(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The format that was asked for.
    pub(crate) const fn format(&self) -> Option<TextFormat> {
        self.format
    }

    /// The formula, and its format.
    pub(crate) fn formula(&self) -> Result<(Formula, TextFormat), String> {
        self.formula_for(false)
    }

    /// The formula, and its format. If it is counted, each solution has one model.
    pub(crate) fn formula_for(&self, is_counted: bool) -> Result<(Formula, TextFormat), String> {
        let path = self.path().unwrap_or_else(|| Path::new("-"));
        let (name, reader) = open(path)?;
        match self.parse(path, &name, reader, is_counted)? {
            FileText::Formula(formula, format) if is_counted => Ok((formula.for_counting(), format)),
            FileText::Formula(formula, format) => Ok((*formula, format)),
            FileText::Cubes(_) => Err("a formula with cubes is solved under them: `cnfkit solve` does it".to_owned()),
        }
    }

    /// The content of a file, in the format that was asked for.
    pub(crate) fn read(&self, path: &Path) -> Result<FileText, String> {
        let (name, reader) = open(path)?;
        self.parse(path, &name, reader, false)
    }

    /// The content of a file, and its text.
    pub(crate) fn read_with_text(&self, path: &Path) -> Result<(FileText, String), String> {
        let (name, mut reader) = open(path)?;
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(|error| format!("{name}: {error}"))?;
        let file = self.parse(path, &name, &*bytes, false)?;
        let text = String::from_utf8_lossy(&bytes);
        Ok((file, if text.contains('\n') { text.into_owned() } else { text.replace('\r', "\n") }))
    }

    fn parse(&self, path: &Path, name: &str, mut reader: impl BufRead, is_counted: bool) -> Result<FileText, String> {
        let mut start = Vec::new();
        reader.by_ref().take(START).read_to_end(&mut start).map_err(|error| format!("{name}: {error}"))?;
        let format = self.format.or_else(|| format_of(&start, is_named_wcnf(path)));
        if self.format.is_none() && CUT_OFF.contains(&start.trim_ascii_start()) {
            let word = String::from_utf8_lossy(&start);
            return Err(format!("{name}: the text ends after `{word}`; --format=rules takes it for a rule"));
        }
        let reader = Cursor::new(start).chain(reader);
        let read = match format {
            None => Cubes::read_icnf(reader).map(FileText::Cubes),
            Some(TextFormat::Rules) => {
                return match rules::read(reader, is_counted) {
                    Ok(formula) => Ok(FileText::Formula(Box::new(formula), TextFormat::Rules)),
                    Err(WrongRule::Io(error)) => Err(format!("{name}: {error}")),
                    Err(WrongRule::Capacity(error)) => Err(format!("{name}: {error}")),
                    Err(WrongRule::Syntax(line, column, message)) => {
                        let guessed = self.guessed("rules");
                        let shown = shown(path, line, column).unwrap_or_default();
                        Err(format!("{name}: line {line}, column {column}: {message}{guessed}{shown}"))
                    }
                };
            }
            Some(format) => read_as(reader, format).map(|formula| FileText::Formula(Box::new(formula), format)),
        };
        read.map_err(|error| {
            let place = match error {
                ReadError::Syntax { line, column, .. } | ReadError::Variable { line, column, .. } => {
                    shown(path, line, column)
                }
                _ => None,
            };
            // Numbers without a header may be soft clauses, too.
            let guessed = if format == Some(TextFormat::Cnf) { self.guessed("DIMACS") } else { String::new() };
            format!("{name}: {error}{guessed}{}", place.unwrap_or_default())
        })
    }

    /// A remark for errors where the format was not said.
    fn guessed(&self, format: &str) -> String {
        if self.format.is_some() { String::new() } else { format!(" (read as {format}; --format says otherwise)") }
    }
}

/// A formula in a format that is not rules.
fn read_as(reader: impl BufRead, format: TextFormat) -> Result<Formula, ReadError> {
    match format {
        TextFormat::Knf => Formula::read_knf(reader),
        TextFormat::Opb => Formula::read_opb(reader),
        TextFormat::Wcnf => Formula::read_wcnf(reader),
        TextFormat::Cnf | TextFormat::Rules => Formula::read_dimacs(reader),
    }
}

/// The formula of a text, if it is one.
pub(crate) fn parsed(text: &[u8], format: TextFormat) -> Option<Formula> {
    if format == TextFormat::Rules { rules::read(text, false).ok() } else { read_as(text, format).ok() }
}

/// The name of a file in messages, or for `-` of standard input, and its content, unpacked where it is packed.
pub(crate) fn open(path: &Path) -> Result<(String, Box<dyn BufRead>), String> {
    let (name, mut input): (String, Box<dyn Read>) = if path.as_os_str() == "-" {
        ("standard input".into(), Box::new(io::stdin()))
    } else {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| format!("{name}: {error}"))?;
        (name, Box::new(file))
    };
    let mut start = Vec::new();
    input.by_ref().take(6).read_to_end(&mut start).map_err(|error| format!("{name}: {error}"))?;
    let packed = BufReader::with_capacity(1 << 18, Cursor::new(start.clone()).chain(input));
    Ok((
        name,
        match start.as_slice() {
            [0x1f, 0x8b, ..] => unpacked(flate2::bufread::MultiGzDecoder::new(packed), "gzip"),
            [b'B', b'Z', b'h', ..] => unpacked(bzip2::bufread::MultiBzDecoder::new(packed), "bzip2"),
            b"\xfd7zXZ\0" => unpacked(lzma_rust2::XzReader::new(packed, true), "xz"),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => unpacked(Frames { packed: Some(packed), frame: None }, "zstd"),
            _ => Box::new(packed),
        },
    ))
}

fn unpacked(reader: impl Read + 'static, kind: &'static str) -> Box<dyn BufRead> {
    Box::new(BufReader::with_capacity(1 << 18, Unpacked { reader, kind }))
}

/// Data that is unpacked, with errors that say so.
struct Unpacked<R> {
    reader: R,
    kind: &'static str,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let wrong = |error| io::Error::other(format!("{} data that is cut off or damaged: {error}", self.kind));
        self.reader.read(to).map_err(wrong)
    }
}

/// Frames of zstd, one after the other.
struct Frames<R: BufRead> {
    /// The rest of the file, between frames.
    packed: Option<R>,
    frame: Option<StreamingDecoder<R, ruzstd::decoding::FrameDecoder>>,
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let read = frame.read(to)?;
                if read > 0 || to.is_empty() {
                    return Ok(read);
                }
                self.packed = self.frame.take().map(StreamingDecoder::into_inner);
            }
            let Some(mut packed) = self.packed.take() else { return Ok(0) };
            if packed.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.frame = Some(StreamingDecoder::new(packed).map_err(io::Error::other)?);
        }
    }
}

/// Starts of other formats that are rules by themselves.
const CUT_OFF: [&[u8]; 7] = [b"p", b"h", b"m", b"mi", b"min", b"ma", b"max"];

/// The bytes of a text by which its format is known.
const START: u64 = 1 << 16;

/// The words of a line.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// A blank line or a comment of clauses, and no rule such as `c + d <= 1`.
fn is_passed_over(line: &[u8]) -> bool {
    let mut words = words(line);
    match words.next() {
        None => true,
        Some([b'c']) => !words.next().is_some_and(is_operator),
        Some([b'c', second, ..]) => !second.is_ascii_alphanumeric() && *second != b'_' || !has_relation(line),
        Some(_) => false,
    }
}

/// True if it stands between literals of a rule.
fn is_operator(word: &[u8]) -> bool {
    const OPERATORS: [&[u8]; 15] =
        [b"+", b"-", b"<=", b">=", b"=", b"==", b"<", b">", b"|", b"&", b"^", b"=>", b"->", b"<=>", b"<->"];
    OPERATORS.contains(&word)
}

/// True if there is a sign that every rule has which is not a lone literal.
fn has_relation(line: &[u8]) -> bool {
    line.iter().any(|byte| matches!(byte, b'<' | b'>' | b'=' | b'|' | b'&' | b'^'))
}

/// A header of clauses, before which all lines that begin with c are comments.
fn is_header(line: &&[u8]) -> bool {
    let mut words = words(line);
    words.next() == Some(b"p") && matches!(words.next(), Some(b"cnf" | b"knf" | b"wcnf" | b"inccnf"))
}

/// True if the file has a name for weighted clauses, packed or not.
fn is_named_wcnf(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().split('.').skip(1).any(|part| part == "wcnf"))
}

/// The format of a text by how it starts, and by its file's name where it may be another; `None` is that of cubes.
fn format_of(start: &[u8], is_named_wcnf: bool) -> Option<TextFormat> {
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
    let lines = || start.split(|byte| matches!(byte, b'\n' | b'\r'));
    let is_comment = |line: &&[u8]| words(line).next().is_none_or(|word| word.starts_with(b"c"));
    let header = lines().find(|line| !is_comment(line)).filter(is_header);
    let Some(line) = header.or_else(|| lines().find(|line| !is_passed_over(line))) else {
        return Some(TextFormat::Knf);
    };
    let has_end = |line: &[u8]| line.split(|&byte| byte == b'#').next().is_some_and(|before| before.contains(&b';'));
    let first: Vec<&[u8]> = words(line).take(2).collect();
    let is_number = |word: &[u8]| std::str::from_utf8(word).is_ok_and(|word| word.parse::<i64>().is_ok());
    let is_rule = first.len() == 1 || is_operator(first[1]);
    match first[0] {
        b"p" if first.get(1) == Some(&&b"inccnf"[..]) => None,
        b"p" if first.get(1) == Some(&&b"wcnf"[..]) => Some(TextFormat::Wcnf),
        b"h" if !is_rule => Some(TextFormat::Wcnf),
        // Read as DIMACS too, or refused as that.
        b"p" if !is_rule => Some(TextFormat::Knf),
        [b'#', ..] => Some(TextFormat::Rules),
        [b'*', ..] => Some(TextFormat::Opb),
        _ if lines().any(has_end) => Some(TextFormat::Opb),
        // Soft clauses before the first that is hard, or clauses without a header, which are refused.
        word if is_number(word) && first.get(1).is_none_or(|word| is_number(word)) => {
            let has_hard = lines().any(|line| words(line).next() == Some(b"h"));
            Some(if has_hard || is_named_wcnf { TextFormat::Wcnf } else { TextFormat::Cnf })
        }
        // Two terms of OPB whose end is far away.
        word if is_number(word) && !has_relation(line) => Some(TextFormat::Opb),
        // What is no text is refused as that.
        _ if start.contains(&0) || start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") => {
            Some(TextFormat::Opb)
        }
        _ => Some(TextFormat::Rules),
    }
}

/// The line of a file that an error is about, with a caret below the place.
fn shown(path: &Path, line: usize, column: usize) -> Option<String> {
    /// Bytes before and after the place that are shown.
    const AROUND: usize = 60;
    if path.as_os_str() == "-" {
        return None;
    }
    let (_, mut reader) = open(path).ok()?;
    for _ in 1..line {
        reader.skip_until(b'\n').ok()?;
    }
    let mut text = Vec::new();
    reader.take((column + AROUND) as u64).read_until(b'\n', &mut text).ok()?;
    let from = (column - 1).saturating_sub(AROUND);
    let is_plain = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
    let text = text.get(from..)?.trim_ascii_end().iter();
    let text: String = text.map(|&byte| if is_plain(byte) { char::from(byte) } else { ' ' }).collect();
    let mut lines = String::new();
    let _ = write!(lines, "\n  {text}\n  {:>1$}", '^', column - from);
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told() {
        use TextFormat::{Cnf, Knf, Opb, Rules, Wcnf};
        for (text, expected) in [
            ("c a comment\n\np cnf 2 1\n1 2 0\n", Some(Knf)),
            ("c h 1\nh 1 2 0\n", Some(Wcnf)),
            ("p wcnf 1 1\n", Some(Wcnf)),
            ("3 1 2 0\nh -1 0\n", Some(Wcnf)),
            ("p inccnf\n", None),
            ("\u{feff}* #variable= 1\n+1 x1 >= 1;", Some(Opb)),
            ("min: +1 x1 ;\n", Some(Opb)),
            ("+1 x1 >= 1 ;\n", Some(Opb)),
            ("min:\n+1 x1;\n+1 x1 >= 1;\n", Some(Opb)),
            ("min: +3 x1\n+2 x2 ;\n+3 x1 +2 x2 >= 3 ;\n", Some(Opb)),
            ("+1 x1 +1\nx2 >= 1\n;\n", Some(Opb)),
            ("min: a + b\na | b\n", Some(Rules)),
            ("max:a\n", Some(Rules)),
            ("c + d <= 1\n", Some(Rules)),
            ("cost + d <= 1\n", Some(Rules)),
            ("h | a\n", Some(Rules)),
            ("p + q >= 1\n", Some(Rules)),
            ("# rules\na ≤ b\n", Some(Rules)),
            ("a + b >= 1 # one; two\n", Some(Rules)),
            ("c - made by hand\nc | a | b |\np cnf 2 1\n1 2 0\n", Some(Knf)),
            ("c = - = - =\np wcnf 2 1 4\n4 1 2 0\n", Some(Wcnf)),
            ("not a\n", Some(Rules)),
            ("c ^ d = 1\n", Some(Rules)),
            ("(a & b) -> c\n", Some(Rules)),
            ("xor(a, b)\n", Some(Rules)),
            ("~a\n", Some(Rules)),
            ("c1 is a comment\r1 2 0\r", Some(Cnf)),
            ("c=== a = b ===\n1 -2 0\n", Some(Cnf)),
            ("", Some(Knf)),
        ] {
            assert_eq!(format_of(text.as_bytes(), false), expected, "{text}");
        }
        // Soft clauses alone.
        assert_eq!(format_of(b"3 1 0\n2 -1 0\n", is_named_wcnf(Path::new("a.wcnf.xz"))), Some(Wcnf));
        assert_eq!(format_of(b"3 1 0\n2 -1 0\n", is_named_wcnf(Path::new("wcnf.txt"))), Some(Cnf));
    }
}
