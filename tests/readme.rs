//! The README says what is so. Its programs run as they stand, as documentation tests: see the end of `src/lib.rs`.

const README: &str = include_str!("../README.md");

/// Each block of Rust is a whole program, which documentation tests compile and run; the first is the quickstart.
#[test]
fn every_block_is_a_program() {
    let blocks: Vec<&str> = README.split("```rust\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect();
    assert!(blocks.len() >= 2 && README.matches("```rust").count() == blocks.len());
    for block in &blocks {
        assert!(block.contains("\nfn main() -> Result<") && block.ends_with("}\n"), "no program:\n{block}");
    }
    let (_, quickstart) = include_str!("../examples/quickstart.rs").split_once("\n\n").unwrap();
    assert_eq!(blocks[0], quickstart);
    let lib = include_str!("../src/lib.rs");
    assert!(lib.contains(r#"#[doc = include_str!("../README.md")]"#));
}

/// A stranger reads it to the end, and finds a figure.
#[test]
fn it_is_short_and_so_are_the_figures() {
    for (text, most) in [(README, 130), (include_str!("../benches/BASELINE.md"), 400)] {
        let lines = text.lines().count();
        assert!(lines <= most, "{lines} lines");
    }
}

#[test]
fn every_encoding_is_in_the_table() {
    const TABLE: &str = include_str!("../src/encodings.md");
    for name in cnfkit::CardEncoding::ALL.iter().map(ToString::to_string) {
        assert!(TABLE.contains(&format!("`{name}`")) || name == "auto", "{name}");
    }
    for name in cnfkit::AmoEncoding::ALL.iter().filter(|enc| !matches!(enc, cnfkit::AmoEncoding::Card(_))) {
        assert!(TABLE.contains(&format!("`{name}`")) || name.to_string() == "auto", "{name}");
    }
}

/// The sizes in the text are those of the encodings that it names.
#[test]
fn figures_of_the_readme() {
    use cnfkit::{AmoEncoding, AtMostK, AtMostOne, CardEncoding, Network};
    let fewest = Network::default().weight(0);
    for (shown, clauses) in [
        ("2,145", AmoEncoding::Smallest.amo_size(1000).clauses),
        ("39,185", fewest.amk_size(1000, 500).clauses),
        ("10,044", fewest.alk_size(1000, 10).clauses),
        ("2,995", AmoEncoding::Auto.amo_size(1000).clauses),
        ("40,993", CardEncoding::Auto.amk_size(1000, 500).clauses),
        ("13,156", CardEncoding::Auto.alk_size(1000, 10).clauses),
    ] {
        assert!(README.contains(shown), "{shown}");
        assert_eq!(shown.replace(',', ""), clauses.to_string());
    }
}

/// The numbers of auxiliaries and clauses in the table of encodings that are closed forms.
#[test]
fn figures_of_the_table() {
    use cnfkit::{AmoEncoding, AtMostK, AtMostOne, CardEncoding, Size};
    let binomial = |n: u64, k: u64| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    let pair = |size: Size| [size.vars, size.clauses];
    for n in [10_u64, 16, 23, 64] {
        let bits = u64::from((n - 1).ilog2()) + 1;
        for (enc, expected) in [
            (AmoEncoding::Pairwise, [0, n * (n - 1) / 2]),
            (AmoEncoding::Bitwise, [bits, n * bits]),
            (AmoEncoding::Ladder, [n - 1, 3 * n - 4]),
            (AmoEncoding::Nested, [n.div_ceil(2) - 2, 3 * n - 6]),
        ] {
            assert_eq!(pair(enc.amo_size(n as usize)), expected, "{enc} of {n}");
        }
        for k in [2_u64, 3, 5] {
            for (enc, expected) in [
                (CardEncoding::Combinatorial, [0, binomial(n, k + 1)]),
                (CardEncoding::Sequential, [k * (n - k) - 2, 2 * k * (n - k) + n - 2 * k - 2]),
                (CardEncoding::DecisionDiagram, [(k + 1) * (n - k) - 1, (k + 1) * (2 * (n - k) - 1)]),
            ] {
                assert_eq!(pair(enc.amk_size(n as usize, k as usize)), expected, "{enc}, {k} of {n}");
            }
        }
    }
}

/// Each picture is a file of the repository and of the package, by a relative path, and its text says what it shows.
#[test]
fn pictures_are_there_and_have_texts() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let pictures: Vec<(&str, &str)> = README
        .split("![")
        .skip(1)
        .map(|rest| {
            let (text, rest) = rest.split_once("](").expect("a picture has a path");
            (text, rest.split_once(')').expect("a path ends").0)
        })
        .collect();
    assert!(pictures.len() >= 2, "{pictures:?}");
    for (text, path) in pictures {
        assert!(text.split_whitespace().count() >= 8, "{path}: no text for who does not see it: {text:?}");
        assert!(path.starts_with("docs/pictures/") && root.join(path).is_file(), "{path}: no such file");
        let is_included = include_str!("../Cargo.toml").contains(&format!("\n    \"{path}\",\n"));
        assert!(is_included, "{path}: the package lacks it");
    }
}
