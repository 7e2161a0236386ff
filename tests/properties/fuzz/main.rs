//! libFuzzer, led by what of the library a text reaches, over one of the targets: `CNFKIT_FUZZ` names it. `.ci/fuzz`
//! builds this with the compiler's counters and runs all targets.
//!
//! The folder that the arguments begin with gets the seeds that are kept in the code.

#![no_main]

use std::path::PathBuf;
use std::sync::OnceLock;

use cnfkit_properties::targets::{TARGETS, Target};

static TARGET: OnceLock<&Target> = OnceLock::new();

libfuzzer_sys::fuzz_target!(
    init: {
        let name = std::env::var("CNFKIT_FUZZ").expect("CNFKIT_FUZZ names a target");
        let target = TARGETS.iter().find(|target| target.name == name);
        let target = TARGET.get_or_init(|| target.expect("CNFKIT_FUZZ names a target"));
        let folder = PathBuf::from(std::env::args_os().nth(1).expect("a folder"));
        std::fs::create_dir_all(&folder).expect("a folder");
        for (at, seed) in target.seeds.iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{at}")), seed).expect("a file");
        }
    },
    |bytes: &[u8]| (TARGET.get().expect("it was begun").run)(bytes)
);
