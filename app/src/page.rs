//! The files of the page, which are part of the program.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
#[cfg(not(feature = "page-from-disk"))]
use include_dir::{Dir, include_dir};

use crate::problem::Problem;

/// Whatever is in `page/`.
#[cfg(not(feature = "page-from-disk"))]
static PAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/page");

/// The page itself.
pub(crate) async fn index(headers: HeaderMap) -> Response {
    file("index.html", &headers)
}

/// A file of the page.
pub(crate) async fn named(name: Result<Path<String>, PathRejection>, headers: HeaderMap) -> Result<Response, Problem> {
    let Path(name) = name.map_err(|_| Problem::unreadable_path())?;
    Ok(file(&name, &headers))
}

fn file(name: &str, headers: &HeaderMap) -> Response {
    let Some(contents) = contents(name) else {
        let error = format!("there is no `{}` here", name.escape_debug());
        return Problem::new(StatusCode::NOT_FOUND, error).into_response();
    };
    let tag = tag(&contents);
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let known = known.is_some_and(|tags| tags.split(',').any(|other| other.trim().trim_start_matches("W/") == tag));
    let mut response = if known { StatusCode::NOT_MODIFIED.into_response() } else { contents.into_response() };
    let mut put = |name, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name, value);
        }
    };
    put(header::CONTENT_TYPE, mime(name));
    put(header::CACHE_CONTROL, "no-cache"); // may be kept, but is asked for each time: the tag tells
    put(header::ETAG, &tag);
    response
}

#[cfg(not(feature = "page-from-disk"))]
fn contents(name: &str) -> Option<Cow<'static, [u8]>> {
    PAGE.get_file(name).map(|file| Cow::Borrowed(file.contents()))
}

/// The contents of `page/` now, of the files that were there when the program was built.
#[cfg(feature = "page-from-disk")]
fn contents(name: &str) -> Option<Cow<'static, [u8]>> {
    let plain = name.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains('\\'));
    let from = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("page").join(name);
    plain.then(|| std::fs::read(from).ok()).flatten().map(Cow::Owned)
}

fn tag(contents: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    contents.hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}

fn mime(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, end)| end) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
