//! Files that are written: whole under their names, or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

/// Writes to a file, or for `-` or without one to standard output. The file has its name once it is whole; a reader of
/// standard output that has seen enough, such as `head`, is no error.
///
/// # Errors
/// A message with the name, when writing fails.
pub(crate) fn write(path: Option<&Path>, text: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        return match text(&mut out).and_then(|()| out.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
            _ => Ok(()),
        };
    };
    // A device, a pipe, and what a link leads to are written as they are.
    let before = fs::symlink_metadata(path).ok();
    let is_plain = before.as_ref().is_none_or(fs::Metadata::is_file);
    let mut part = path.as_os_str().to_owned();
    part.push(if is_plain { ".part" } else { "" });
    let write = || {
        let replaced = before.as_ref().filter(|_| is_plain);
        if replaced.is_some() {
            File::options().append(true).open(path)?; // who may not write it may not replace it
        }
        let file = File::create(&part)?;
        replaced.map_or(Ok(()), |before| file.set_permissions(before.permissions()))?;
        let mut file = BufWriter::with_capacity(1 << 16, file);
        text(&mut file)?;
        file.flush()?;
        if is_plain { fs::rename(&part, path) } else { Ok(()) }
    };
    write().map_err(|error| {
        if is_plain {
            let _ = fs::remove_file(&part);
        }
        format!("{}: {error}", path.display())
    })
}
