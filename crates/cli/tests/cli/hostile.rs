//! Texts that are cut off, damaged or of another kind: an error with exit code 2, and never an answer about what was
//! not read, whatever the format and the command.

use std::io::Write;
use std::path::Path;

use super::{cnfkit, outcome};

/// A text in each format, whose constraints allow a model.
const TEXTS: [(&str, &str); 6] = [
    ("cnf", "c hi\np cnf 3 2\n1 2 0\n-3 0\n"),
    ("knf", "p knf 3 2\n1 2 0\nk 2 1 2 3 0\n"),
    ("opb", "* #variable= 3 #constraint= 2\nmin: +1 x1 ;\n+1 x1 +1 x2 >= 1 ;\n+2 x1 +3 x3 >= 2 ;\n"),
    ("wcnf", "p wcnf 3 3 10\n10 1 2 0\n3 -1 0\n4 -2 3 0\n"),
    ("new", "h 1 2 0\n3 -1 0\n4 -2 3 0\n"),
    ("rules", "max: 2 a + b\na + b <= 1\na ^ b = 1\n(a & b) -> c\n"),
];

const COMMANDS: [&[&str]; 8] = [
    &["solve"],
    &["solve", "--core"],
    &["solve", "--json"],
    &["optimise"],
    &["encode"],
    &["encode", "--size"],
    &["detect"],
    &["check"],
];

/// Every command refuses a text, in a file, and says why.
fn refused(what: &str, bytes: &[u8]) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile {what}"));
    std::fs::write(&file, bytes).unwrap();
    for command in COMMANDS {
        let args = [&command[1..], &[file.to_str().unwrap()]].concat();
        let (text, message, code) = outcome(command[0], &args, b"v 1 0\n");
        assert_eq!((text.as_str(), code), ("", Some(2)), "{what}, {command:?}: {message}");
        assert!(message.starts_with("error: ") && !message.contains("panicked"), "{what}, {command:?}: {message}");
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn what_is_no_text() {
    for (name, text) in TEXTS {
        refused(&format!("{name}, UTF-16"), &[&[0xff, 0xfe][..], &wide(text)].concat());
        refused(&format!("{name}, UTF-16 without a mark"), &wide(text));
        let middle = text.len() / 2;
        refused(&format!("{name}, NUL"), &[&text.as_bytes()[..middle], b"\0", &text.as_bytes()[middle..]].concat());
        refused(&format!("{name}, Latin-1"), &[text.as_bytes(), b"\xe4\n"].concat());
    }
    for (name, bytes) in [("nothing", &b""[..]), ("blanks", b"\n \n"), ("NULs", &[0; 50])] {
        refused(name, bytes);
    }
}

/// A text with two bytes a character.
fn wide(text: &str) -> Vec<u8> {
    text.bytes().flat_map(|byte| [byte, 0]).collect()
}

/// Where a header says how much there is, every cut is found, and in other formats every cut within a line that is not
/// a line itself; data that is packed is cut anywhere.
#[test]
fn what_is_cut_off() {
    for (name, text) in TEXTS {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(text.as_bytes()).unwrap();
        let packed = packed.finish().unwrap();
        refused(&format!("{name}, cut gzip"), &packed[..packed.len() - 4]);
        let has_header = matches!(name, "cnf" | "knf" | "opb" | "wcnf");
        let ends = if has_header { (1..text.len() - 2).step_by(5).collect() } else { vec![1, 3] };
        for end in ends {
            refused(&format!("{name}, cut at {end}"), &text.as_bytes()[..end]);
        }
    }
}

/// Numbers beyond what is held.
#[test]
fn what_is_too_large() {
    let weight = "680564733841876926926749214863536422912"; // 2^129
    for (name, text) in [
        ("variables", "p cnf 2147483648 1\n1 0\n".to_owned()),
        ("a variable", "p cnf 3 1\n2147483648 0\n".to_owned()),
        ("a variable of KNF", "p knf 3 1\nk 1 1 2147483648 0\n".to_owned()),
        ("a variable of OPB", "+1 x2147483648 >= 1 ;\n".to_owned()),
        ("a variable of WCNF", "h 2147483648 0\n".to_owned()),
        ("a weight of OPB", format!("+{weight} x1 >= 1 ;\n")),
        ("a weight of WCNF", format!("{weight} 1 0\nh 1 2 0\n")),
        ("a weight of rules", format!("{weight} a + b >= 1\n")),
        ("a bound of rules", format!("a + b >= {weight}\n")),
    ] {
        refused(name, text.as_bytes());
    }
}

/// Line ends of all kinds are the same text.
#[test]
fn ends_of_lines_are_one() {
    for (name, text) in TEXTS {
        let solved = |text: &str| outcome("optimise", &["-q"], text.as_bytes());
        let expected = solved(text);
        assert!(matches!(expected.2, Some(10 | 30)), "{name}: {expected:?}");
        for end in ["\r", "\r\n"] {
            assert_eq!(solved(&text.replace('\n', end)), expected, "{name}");
        }
    }
}

/// A folder, a file that is not there or not to be read, and a model that is none.
#[cfg(unix)]
#[test]
fn what_is_no_file() {
    use std::os::unix::fs::PermissionsExt;
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no file");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    let [formula, closed, model] = ["formula", "closed", "model"].map(|name| place.join(name));
    std::fs::write(&formula, "p cnf 1 1\n1 0\n").unwrap();
    std::fs::write(&closed, "p cnf 1 1\n1 0\n").unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).unwrap();
    let is_closed = std::fs::File::open(&closed).is_err(); // not to root
    for path in [Some(&place), Some(&place.join("none")), Some(&closed).filter(|_| is_closed)].into_iter().flatten() {
        for command in COMMANDS {
            let args = [&command[1..], &[path.to_str().unwrap()]].concat();
            let (text, message, code) = outcome(command[0], &args, b"");
            assert!(text.is_empty() && code == Some(2), "{command:?}, {path:?}: {text}{message}");
        }
    }
    let text = "v 1 0\n";
    for bytes in [b"v \xff\xfe".to_vec(), wide(text), b"v 1\0 0\n".to_vec(), b"\x1f\x8b\x08\0".to_vec(), vec![]] {
        std::fs::write(&model, &bytes).unwrap();
        let (text, message, code) = outcome("check", &[formula.to_str().unwrap(), model.to_str().unwrap()], b"");
        assert!(text.is_empty() && code == Some(2), "{bytes:?}: {text}{message}");
    }
}

/// Nobody reads the answer: no message, and the exit code of the answer.
#[cfg(unix)]
#[test]
fn pipes_that_are_closed() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("closed pipe");
    std::fs::write(&file, "max: a + b\na + b <= 1\n").unwrap();
    for command in COMMANDS.into_iter().filter(|command| *command != ["check"]) {
        let args = [&command[1..], &[file.to_str().unwrap()]].concat();
        let mut child = cnfkit(command[0], &args)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let code = output.status.code().unwrap();
        assert!(matches!(code, 0 | 10 | 20 | 30) && output.stderr.is_empty(), "{command:?}: {code} {output:?}");
    }
}
