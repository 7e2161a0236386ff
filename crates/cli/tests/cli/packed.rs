//! Files that are packed, and files that are cut off.

use std::io::Write;

use super::outcome;

const TEXT: &str = "a + b <= 1\na | b\n";

/// [`TEXT`] in xz.
const XZ: &[u8] = b"\xfd\x37\x7a\x58\x5a\x00\x00\x01\x69\x22\xde\x36\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3\
    \x01\x00\x10\x61\x20\x2b\x20\x62\x20\x3c\x3d\x20\x31\x0a\x61\x20\x7c\x20\x62\x0a\x00\x00\x00\x00\
    \x81\x56\x10\xbb\x00\x01\x25\x11\x3e\x45\xc5\xa2\x90\x42\x99\x0d\x01\x00\x00\x00\x00\x01\x59\x5a";

/// The text in each form, twice where forms may follow each other.
fn packed() -> Vec<(&'static str, Vec<u8>)> {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(TEXT.as_bytes()).unwrap();
    let mut bz = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    bz.write_all(TEXT.as_bytes()).unwrap();
    let zst = ruzstd::encoding::compress_to_vec(TEXT.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    vec![("gzip", gz.finish().unwrap()), ("bzip2", bz.finish().unwrap()), ("xz", XZ.to_vec()), ("zstd", zst)]
}

#[test]
fn packed_files_are_opened_by_what_they_hold() {
    for (name, bytes) in packed() {
        let (text, error, code) = outcome("solve", &["--count"], &bytes);
        assert_eq!((text.as_str(), error.as_str(), code), ("c 2 models\ns SATISFIABLE\n", "", Some(10)), "{name}");
        let twice = bytes.repeat(2);
        let (text, error, _) = outcome("encode", &["--to", "knf"], &twice);
        assert!(text.contains("c read: 2 variables, 4 clauses, 0 constraints"), "{name}: {text}{error}");
    }
}

/// A file that is cut off has no answer about the part that is there.
#[test]
fn what_is_cut_off_is_an_error() {
    for (name, bytes) in packed() {
        for len in [7, bytes.len() / 2, bytes.len() - 1] {
            let (text, error, code) = outcome("solve", &[], &bytes[..len]);
            assert!(code == Some(2) && error.starts_with("error: standard input: "), "{name}, {len}: {text}{error}");
        }
    }
}

#[test]
fn a_sudoku_and_flatzinc_may_be_packed() {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(b"1.....3..4.....2").unwrap();
    let (text, error, code) = outcome("sudoku", &["-"], &gz.finish().unwrap());
    assert!(text.contains("Solution:\n1 3 | 2 4\n") && code == Some(0), "{text}{error}");
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(b"var 3..3: x :: output_var; solve satisfy;").unwrap();
    let (text, error, code) = outcome("fzn", &["-"], &gz.finish().unwrap());
    assert_eq!((text.as_str(), error.as_str(), code), ("x = 3;\n----------\n", "", Some(0)));
}
