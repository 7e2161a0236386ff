//! The syntax of FlatZinc: text to items, every name and literal with its place.
//!
//! The grammar is the one of the MiniZinc handbook, *FlatZinc syntax*. Predicates are declared by the compiler and read
//! over; annotations are kept, since outputs are said by them.

use std::fmt;

/// A mistake in a file, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wrong {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The mistake itself.
    pub kind: WrongKind,
}

/// A mistake; `Display` has it in words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // of the fields, which the words name
pub enum WrongKind {
    /// Something else is expected here.
    Syntax { found: String, expected: &'static str },
    /// A number beyond 64 bits.
    Number(String),
    /// A name that no declaration before has.
    Unknown(String),
    /// A name that is declared already.
    Twice(String),
    /// A constraint that this solver does not know.
    Constraint(String),
    /// A type that this solver does not know.
    Type(&'static str),
    /// A constraint with another number of arguments.
    Arguments { constraint: String, found: usize, expected: usize },
    /// An argument or value of another type.
    Value { found: &'static str, expected: &'static str },
    /// Arrays whose lengths do not go together, indices out of range, and the like.
    Shape(String),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.kind)
    }
}

impl std::error::Error for Wrong {}

impl fmt::Display for WrongKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { found, expected } => write!(f, "found {found}, expected {expected}"),
            Self::Number(text) => write!(f, "{text} is beyond 64 bits"),
            Self::Unknown(name) => write!(f, "no `{name}` is declared before"),
            Self::Twice(name) => write!(f, "`{name}` is declared twice"),
            Self::Constraint(name) => write!(f, "the constraint `{name}` is not supported"),
            Self::Type(kind) => write!(f, "{kind} are not supported"),
            Self::Arguments { constraint, found, expected } => {
                write!(f, "`{constraint}` has {found} arguments, expected {expected}")
            }
            Self::Value { found, expected } => write!(f, "found {found}, expected {expected}"),
            Self::Shape(what) => f.write_str(what),
        }
    }
}

/// A value with its place in the text.
#[derive(Clone, Debug)]
pub(crate) struct PlacedValue<'a> {
    pub(crate) at: usize,
    pub(crate) what: What<'a>,
}

#[derive(Clone, Debug)]
pub(crate) enum What<'a> {
    Bool(bool),
    Int(i64),
    Float,
    /// Ranges, as they are given.
    Set(Vec<(i64, i64)>),
    Name(&'a str),
    /// An element of an array, from 1.
    Index(&'a str, i64),
    Array(Vec<PlacedValue<'a>>),
    Text,
    /// In annotations: `output_array([1..3])`.
    Call(&'a str, Vec<PlacedValue<'a>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BaseType {
    Bool,
    Int,
    Set,
    Float,
}

#[derive(Clone, Debug)]
pub(crate) struct Declaration<'a> {
    pub(crate) at: usize,
    pub(crate) name: &'a str,
    pub(crate) is_var: bool,
    pub(crate) base: BaseType,
    /// Ranges of values that are allowed.
    pub(crate) domain: Option<Vec<(i64, i64)>>,
    pub(crate) is_array: bool,
    pub(crate) annotations: Vec<PlacedValue<'a>>,
    pub(crate) value: Option<PlacedValue<'a>>,
}

#[derive(Clone, Debug)]
pub(crate) struct ConstraintItem<'a> {
    pub(crate) at: usize,
    pub(crate) name: &'a str,
    pub(crate) args: Vec<PlacedValue<'a>>,
}

#[derive(Clone, Debug)]
pub(crate) enum SolveGoal<'a> {
    Satisfy,
    Minimise(PlacedValue<'a>),
    Maximise(PlacedValue<'a>),
}

/// A whole file.
#[derive(Debug)]
pub(crate) struct Syntax<'a> {
    pub(crate) text: &'a str,
    pub(crate) declarations: Vec<Declaration<'a>>,
    pub(crate) constraints: Vec<ConstraintItem<'a>>,
    /// The annotations of `solve`.
    pub(crate) search: Vec<PlacedValue<'a>>,
    pub(crate) goal: SolveGoal<'a>,
}

impl<'a> Syntax<'a> {
    pub(crate) fn read(text: &'a str) -> Result<Self, Wrong> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader { text, at: 0, token: Token::End, start: 0 };
        reader.advance()?;
        let (mut declarations, mut constraints, mut search, mut goal) = (Vec::new(), Vec::new(), Vec::new(), None);
        while reader.token != Token::End {
            match reader.token {
                Token::Word("predicate") => {
                    while !matches!(reader.token, Token::Sign(";") | Token::End) {
                        reader.advance()?;
                    }
                }
                Token::Word("constraint") => {
                    reader.advance()?;
                    let (at, name) = (reader.start, reader.word("the name of a constraint")?);
                    let args = reader.list("(", ")")?;
                    reader.annotations()?;
                    constraints.push(ConstraintItem { at, name, args });
                }
                Token::Word("solve") => {
                    if goal.is_some() {
                        return Err(reader.expected("one `solve` only"));
                    }
                    reader.advance()?;
                    search = reader.annotations()?;
                    goal = Some(match reader.word("satisfy, minimize or maximize")? {
                        "satisfy" => SolveGoal::Satisfy,
                        "minimize" => SolveGoal::Minimise(reader.term()?),
                        "maximize" => SolveGoal::Maximise(reader.term()?),
                        other => {
                            let found = format!("`{other}`");
                            let expected = "satisfy, minimize or maximize";
                            return Err(wrong(text, reader.start, WrongKind::Syntax { found, expected }));
                        }
                    });
                }
                _ => declarations.push(reader.declaration()?),
            }
            reader.sign(";")?;
        }
        let goal = goal.ok_or_else(|| reader.expected("`solve` before the end"))?;
        Ok(Self { text, declarations, constraints, search, goal })
    }

    pub(crate) fn wrong(&self, at: usize, kind: WrongKind) -> Wrong {
        wrong(self.text, at, kind)
    }
}

fn wrong(text: &str, at: usize, kind: WrongKind) -> Wrong {
    let before = text[..at].replace("\r\n", "\n");
    let lines: Vec<&str> = before.split(['\n', '\r']).collect();
    Wrong { line: lines.len(), column: lines.last().map_or(0, |line| line.chars().count()) + 1, kind }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Word(&'a str),
    Int(i64),
    Float,
    Text,
    Sign(&'a str),
    End,
}

struct Reader<'a> {
    text: &'a str,
    /// The end of the token.
    at: usize,
    token: Token<'a>,
    start: usize,
}

/// Arrays and annotations within each other; files nest three deep.
const DEEPEST: u32 = 64;

impl<'a> Reader<'a> {
    fn advance(&mut self) -> Result<(), Wrong> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(byte) if byte.is_ascii_whitespace() => self.at += 1,
                Some(b'%') => self.at += self.text[self.at..].find(['\n', '\r']).unwrap_or(self.text.len() - self.at),
                _ => break,
            }
        }
        self.start = self.at;
        let rest = &self.text[self.at..];
        let many = |is: fn(u8) -> bool, from: usize| {
            from + rest.as_bytes()[from..].iter().take_while(|&&byte| is(byte)).count()
        };
        let (token, length) = match rest.as_bytes() {
            [] => (Token::End, 0),
            [b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => {
                let length = many(|byte| byte.is_ascii_alphanumeric() || byte == b'_', 0);
                (Token::Word(&rest[..length]), length)
            }
            [b'0'..=b'9', ..] | [b'-' | b'+', b'0'..=b'9', ..] => self.number(rest)?,
            [b'"', ..] => match rest[1..].find(['"', '\n', '\r']) {
                Some(end) if rest.as_bytes()[end + 1] == b'"' => (Token::Text, end + 2),
                _ => return Err(self.expected("an end of the string")),
            },
            [b'.', b'.', ..] | [b':', b':', ..] => (Token::Sign(&rest[..2]), 2),
            [b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b';' | b':' | b'=', ..] => (Token::Sign(&rest[..1]), 1),
            _ => return Err(self.syntax(rest.chars().next().map_or(String::new(), |c| format!("{c:?}")), "FlatZinc")),
        };
        self.at += length;
        self.token = token;
        Ok(())
    }

    fn number(&self, rest: &'a str) -> Result<(Token<'a>, usize), Wrong> {
        let bytes = rest.as_bytes();
        let sign = usize::from(matches!(bytes[0], b'-' | b'+'));
        let (radix, prefix) = match bytes[sign..] {
            [b'0', b'x', ..] => (16, 2),
            [b'0', b'o', ..] => (8, 2),
            _ => (10, 0),
        };
        let from = sign + prefix;
        let digits = bytes[from..].iter().take_while(|&&byte| char::from(byte).is_digit(radix)).count();
        let end = from + digits;
        let is_fraction = bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        if radix == 10 && (is_fraction || matches!(bytes.get(end), Some(b'e' | b'E'))) {
            let of = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+');
            return Ok((Token::Float, bytes.iter().take_while(of).count()));
        }
        let sign = if bytes[0] == b'-' { "-" } else { "" };
        let number = i64::from_str_radix(&format!("{sign}{}", &rest[from..end]), radix);
        number
            .map(|number| (Token::Int(number), end))
            .map_err(|_| wrong(self.text, self.start, WrongKind::Number(rest[..end].to_owned())))
    }

    fn syntax(&self, found: String, expected: &'static str) -> Wrong {
        wrong(self.text, self.start, WrongKind::Syntax { found, expected })
    }

    fn expected(&self, expected: &'static str) -> Wrong {
        let found = match self.token {
            Token::Word(word) | Token::Sign(word) => format!("`{word}`"),
            Token::Int(number) => number.to_string(),
            Token::Float => "a float".to_owned(),
            Token::Text => "a string".to_owned(),
            Token::End => "the end of the file".to_owned(),
        };
        self.syntax(found, expected)
    }

    fn word(&mut self, expected: &'static str) -> Result<&'a str, Wrong> {
        let Token::Word(word) = self.token else { return Err(self.expected(expected)) };
        self.advance()?;
        Ok(word)
    }

    fn keyword(&mut self, word: &'static str) -> Result<(), Wrong> {
        if self.token != Token::Word(word) {
            return Err(self.expected(word));
        }
        self.advance()
    }

    fn takes(&mut self, sign: &str) -> Result<bool, Wrong> {
        let is = self.token == Token::Sign(sign);
        if is {
            self.advance()?;
        }
        Ok(is)
    }

    fn sign(&mut self, sign: &'static str) -> Result<(), Wrong> {
        if self.takes(sign)? { Ok(()) } else { Err(self.expected(sign)) }
    }

    fn int(&mut self) -> Result<i64, Wrong> {
        let Token::Int(number) = self.token else { return Err(self.expected("an integer")) };
        self.advance()?;
        Ok(number)
    }

    fn declaration(&mut self) -> Result<Declaration<'a>, Wrong> {
        let is_array = self.token == Token::Word("array");
        if is_array {
            self.advance()?;
            self.sign("[")?;
            self.term()?;
            self.sign("]")?;
            self.keyword("of")?;
        }
        let is_var = self.token == Token::Word("var");
        if is_var {
            self.advance()?;
        }
        let place = self.start;
        let (base, domain) = match self.token {
            Token::Word("bool") => (BaseType::Bool, None),
            Token::Word("int") => (BaseType::Int, None),
            Token::Word("float") | Token::Float => (BaseType::Float, None),
            Token::Word("set") => (BaseType::Set, None),
            Token::Int(_) | Token::Sign("{") => match self.term()?.what {
                What::Set(ranges) => (BaseType::Int, Some(ranges)),
                _ => (BaseType::Float, None),
            },
            _ => return Err(self.expected("an item: a declaration, `constraint` or `solve`")),
        };
        if domain.is_none() {
            // Up to the colon: a set's elements, a float's bounds.
            if base == BaseType::Set {
                self.advance()?;
                self.keyword("of")?;
                self.term()?;
            } else {
                while !matches!(self.token, Token::Sign(":" | ";") | Token::End) {
                    self.advance()?;
                }
            }
        }
        match base {
            BaseType::Float => return Err(wrong(self.text, place, WrongKind::Type("floats"))),
            BaseType::Set if is_var => return Err(wrong(self.text, place, WrongKind::Type("variables that are sets"))),
            _ => {}
        }
        self.sign(":")?;
        let at = self.start;
        let name = self.word("a name")?;
        let annotations = self.annotations()?;
        let value = if self.takes("=")? { Some(self.term()?) } else { None };
        if value.is_none() && (!is_var || is_array) {
            return Err(self.expected("`=` and a value"));
        }
        Ok(Declaration { at, name, is_var, base, domain, is_array, annotations, value })
    }

    fn annotations(&mut self) -> Result<Vec<PlacedValue<'a>>, Wrong> {
        let mut all = Vec::new();
        while self.takes("::")? {
            all.push(self.term()?);
        }
        Ok(all)
    }

    fn list(&mut self, open: &'static str, close: &'static str) -> Result<Vec<PlacedValue<'a>>, Wrong> {
        self.list_within(open, close, 0)
    }

    fn list_within(
        &mut self,
        open: &'static str,
        close: &'static str,
        depth: u32,
    ) -> Result<Vec<PlacedValue<'a>>, Wrong> {
        self.sign(open)?;
        let mut all = Vec::new();
        while !self.takes(close)? {
            all.push(self.term_within(depth + 1)?);
            if !self.takes(",")? {
                self.sign(close)?;
                break;
            }
        }
        Ok(all)
    }

    fn term(&mut self) -> Result<PlacedValue<'a>, Wrong> {
        self.term_within(0)
    }

    fn term_within(&mut self, depth: u32) -> Result<PlacedValue<'a>, Wrong> {
        if depth > DEEPEST {
            return Err(self.expected("less nesting"));
        }
        let at = self.start;
        let what = match self.token {
            Token::Word("true" | "false") => What::Bool(self.word("")? == "true"),
            Token::Word(name) => {
                self.advance()?;
                if self.token == Token::Sign("(") {
                    What::Call(name, self.list_within("(", ")", depth)?)
                } else if self.takes("[")? {
                    let index = self.int()?;
                    self.sign("]")?;
                    What::Index(name, index)
                } else {
                    What::Name(name)
                }
            }
            Token::Int(first) => {
                self.advance()?;
                if self.takes("..")? { What::Set(vec![(first, self.int()?)]) } else { What::Int(first) }
            }
            Token::Float => {
                self.advance()?;
                if self.takes("..")? {
                    self.advance()?;
                }
                What::Float
            }
            Token::Text => {
                self.advance()?;
                What::Text
            }
            Token::Sign("{") => {
                let mut values = Vec::new();
                for term in self.list_within("{", "}", depth)? {
                    match term.what {
                        What::Int(value) => values.push((value, value)),
                        What::Set(ranges) => values.extend(ranges),
                        What::Float => return Err(wrong(self.text, term.at, WrongKind::Type("floats"))),
                        _ => return Err(self.expected("integers in a set")),
                    }
                }
                What::Set(values)
            }
            Token::Sign("[") => What::Array(self.list_within("[", "]", depth)?),
            _ => return Err(self.expected("a value")),
        };
        Ok(PlacedValue { at, what })
    }
}
