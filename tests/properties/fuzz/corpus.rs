//! Every seed of every target of the fuzzer, as it stands, cut off anywhere, with other ends of lines, and with each of
//! its bytes replaced by another that it has.

use cnfkit_properties::targets::{TARGETS, Target};

/// Runs a target, and names the input that it fails at.
fn run(target: &Target, bytes: &[u8]) {
    let found = std::panic::catch_unwind(|| (target.run)(bytes));
    assert!(found.is_ok(), "{}: b\"{}\"", target.name, bytes.escape_ascii());
}

#[test]
fn seeds_and_texts_near_them() {
    for target in TARGETS {
        for &seed in target.seeds {
            run(target, seed);
            for end in [&b"\r"[..], b"\r\n"] {
                run(target, &seed.split(|&byte| byte == b'\n').collect::<Vec<_>>().join(end));
            }
            for at in (0..seed.len()).step_by(1 + seed.len() / 40) {
                run(target, &seed[..at]);
                let mut other = seed.to_vec();
                other[at] = seed[(at * 7 + 3) % seed.len()];
                run(target, &other);
            }
        }
    }
}
