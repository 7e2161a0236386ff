//! The functions that C calls: pointers become references and slices here, panics become errors.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::ptr;

use cnfkit::{ClauseSink, Relation};

use crate::encode::{Asked, Handing, encode};
use crate::formula::{CError, ErrorStatus};
pub use crate::formula::{
    CNFKIT_ERROR_ARGUMENT, CNFKIT_ERROR_CAPACITY, CNFKIT_ERROR_INTERRUPTED, CNFKIT_ERROR_IO, CNFKIT_ERROR_PANIC,
    CNFKIT_ERROR_SOLVER, CnfkitFormula,
};

/// The function that takes the literals of clauses, a 0 after each clause: `ipasir_add`, say.
pub type CnfkitAdd = Option<unsafe extern "C" fn(data: *mut c_void, lit_or_zero: i32)>;

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Does the work, and keeps the words of an error.
fn guarded(work: impl FnOnce() -> Result<c_int, CError>) -> c_int {
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    let done =
        done.unwrap_or_else(|_| Err(CError::new(ErrorStatus::Panic, "a panic: a bug of the library".to_owned())));
    done.unwrap_or_else(|error| {
        let text = CString::new(error.text.replace('\0', "\\0")).unwrap_or_default();
        LAST.with(|last| last.replace(text));
        error.status as c_int
    })
}

fn null(name: &str) -> CError {
    CError::argument(format!("{name} is NULL"))
}

/// The values at a pointer, none of which need be there where their number is 0.
///
/// # Safety
/// At `start` are `n` values, which nobody changes while the slice is in use, or `start` is NULL.
unsafe fn slice<'a, T>(start: *const T, n: usize, name: &str) -> Result<&'a [T], CError> {
    match (start.is_null(), n) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(null(name)),
        // SAFETY: the caller says so.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(start, n) }),
    }
}

/// # Safety
/// `formula` is of `cnfkit_formula_new`, not freed, in no other thread's use, or NULL.
unsafe fn formula<'a>(formula: *mut CnfkitFormula) -> Result<&'a mut CnfkitFormula, CError> {
    // SAFETY: the caller says so.
    unsafe { formula.as_mut() }.ok_or_else(|| null("formula"))
}

/// # Safety
/// `text` ends with a 0 byte, or is NULL.
unsafe fn words<'a>(text: *const c_char, name: &str) -> Result<Option<&'a str>, CError> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller says so.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map(Some).map_err(|_| CError::argument(format!("{name} is no UTF-8 text")))
}

/// Calls the function that takes literals.
fn handing(add: CnfkitAdd, data: *mut c_void) -> Result<impl FnMut(i32), CError> {
    let add = add.ok_or_else(|| null("add"))?;
    // SAFETY: whoever handed in the function and its data has them fit each other, and live as long as the call.
    Ok(move |lit| unsafe { add(data, lit) })
}

/// The words for the last error of a function of this library in this thread, which stay until the next one.
#[unsafe(no_mangle)]
pub extern "C" fn cnfkit_last_error() -> *const c_char {
    LAST.with(|last| last.borrow().as_ptr())
}

/// A new formula, which `cnfkit_formula_free` ends. One thread at a time may use it.
#[unsafe(no_mangle)]
pub extern "C" fn cnfkit_formula_new() -> *mut CnfkitFormula {
    panic::catch_unwind(|| Box::into_raw(Box::default())).unwrap_or(ptr::null_mut())
}

/// Frees a formula; NULL is none.
///
/// # Safety
/// `formula` is of `cnfkit_formula_new`, and nobody uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_formula_free(formula: *mut CnfkitFormula) {
    if !formula.is_null() {
        // SAFETY: it is of `Box::into_raw`, and nobody has it any more, as the caller says.
        drop(unsafe { Box::from_raw(formula) });
    }
}

/// A new variable, above all others; variables that are used need not be new. Below 0: an error.
///
/// # Safety
/// `formula` is of `cnfkit_formula_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_formula_new_var(formula: *mut CnfkitFormula) -> i32 {
    // SAFETY: as the caller says.
    guarded(|| unsafe { self::formula(formula) }?.new_var())
}

/// The next constraint holds where all of these literals are true, and no others: a second call takes the place of the
/// first. 0, or an error.
///
/// # Safety
/// `formula` is of `cnfkit_formula_new`; at `lits` are `n` integers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_formula_when(formula: *mut CnfkitFormula, lits: *const i32, n: usize) -> c_int {
    guarded(|| {
        // SAFETY: as the caller says.
        let formula = unsafe { self::formula(formula) }?;
        // SAFETY: as the caller says.
        formula.when(unsafe { slice(lits, n, "lits") }?).map(|()| 0)
    })
}

/// The literal is true if and only if the next constraint, be it a clause, a count, a sum, a parity or an expression,
/// holds; a second call takes the place of the first. With two bounds it may take variables of the formula as
/// auxiliaries. 0, or an error.
///
/// # Safety
/// `formula` is of `cnfkit_formula_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_formula_iff(formula: *mut CnfkitFormula, lit: i32) -> c_int {
    // SAFETY: as the caller says.
    guarded(|| unsafe { self::formula(formula) }?.iff(lit).map(|()| 0))
}

/// At least one of the literals is true. 0, or an error.
///
/// # Safety
/// `formula` is of `cnfkit_formula_new`; at `lits` are `n` integers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_formula_add_clause(formula: *mut CnfkitFormula, lits: *const i32, n: usize) -> c_int {
    guarded(|| {
        // SAFETY: as the caller says.
        let formula = unsafe { self::formula(formula) }?;
        // SAFETY: as the caller says.
        formula.add_clause(unsafe { slice(lits, n, "lits") }?).map(|()| 0)
    })
}

/// At least `lo` and at most `hi` of the literals are true; `INT64_MIN` and `INT64_MAX` are no bounds. 0, or an error.
///
/// # Safety
/// `formula` is of `cnfkit_formula_new`; at `lits` are `n` integers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_formula_count(
    formula: *mut CnfkitFormula,
    lits: *const i32,
    n: usize,
    lo: i64,
    hi: i64,
) -> c_int {
    guarded(|| {
        // SAFETY: as the caller says.
        let formula = unsafe { self::formula(formula) }?;
        // SAFETY: as the caller says.
        let lits = unsafe { slice(lits, n, "lits") }?;
        formula.sum(lits, &vec![1; lits.len()], lo, hi).map(|()| 0)
    })
}

/// An odd number of the literals are true, or an even number where `odd` is 0. 0, or an error.
///
/// # Safety
/// `formula` is of `cnfkit_formula_new`; at `lits` are `n` integers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_formula_parity(
    formula: *mut CnfkitFormula,
    lits: *const i32,
    n: usize,
    odd: c_int,
) -> c_int {
    guarded(|| {
        // SAFETY: as the caller says.
        let formula = unsafe { self::formula(formula) }?;
        // SAFETY: as the caller says.
        formula.parity(unsafe { slice(lits, n, "lits") }?, odd != 0).map(|()| 0)
    })
}

/// The weights of the true literals, negative ones, too, sum up to at least `lo` and at most `hi`; `INT64_MIN` and
/// `INT64_MAX` are no bounds. 0, or an error.
///
/// # Safety
/// `formula` is of `cnfkit_formula_new`; at `lits` and `weights` are `n` integers each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_formula_sum(
    formula: *mut CnfkitFormula,
    lits: *const i32,
    weights: *const i64,
    n: usize,
    lo: i64,
    hi: i64,
) -> c_int {
    guarded(|| {
        // SAFETY: as the caller says.
        let formula = unsafe { self::formula(formula) }?;
        // SAFETY: as the caller says.
        let lits = unsafe { slice(lits, n, "lits") }?;
        // SAFETY: as the caller says.
        formula.sum(lits, unsafe { slice(weights, n, "weights") }?, lo, hi).map(|()| 0)
    })
}

/// A Boolean expression of the variables `x1`, `x2`, … holds: `!`, `&`, `^`, `|`, `->`, `<->` from what binds most to
/// what binds least, brackets, and `ite(x1, x2, x3)`. It may take variables of the formula as auxiliaries; a literal of
/// them is an error then. 0, or an error, which has the column.
///
/// # Safety
/// `formula` is of `cnfkit_formula_new`; `text` ends with a 0 byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_formula_require(formula: *mut CnfkitFormula, text: *const c_char) -> c_int {
    guarded(|| {
        // SAFETY: as the caller says.
        let formula = unsafe { self::formula(formula) }?;
        // SAFETY: as the caller says.
        let text = unsafe { words(text, "text") }?.ok_or_else(|| null("text"))?;
        formula.require(text).map(|()| 0)
    })
}

/// The exact size of the formula as clauses, known before they are written: auxiliary variables, clauses, literals;
/// NULL for what is not asked. 0, or an error.
///
/// # Safety
/// `formula` is of `cnfkit_formula_new`; the others are of an integer each, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_formula_size(
    formula: *mut CnfkitFormula,
    auxiliaries: *mut u64,
    clauses: *mut u64,
    lits: *mut u64,
) -> c_int {
    guarded(|| {
        // SAFETY: as the caller says.
        let size = unsafe { self::formula(formula) }?.formula().size();
        for (to, value) in [(auxiliaries, size.vars), (clauses, size.clauses), (lits, size.lits)] {
            // SAFETY: as the caller says.
            if let Some(to) = unsafe { to.as_mut() } {
                *to = value;
            }
        }
        Ok(0)
    })
}

/// Hands the clauses to a function, literal by literal, with a 0 after each; auxiliaries come above the formula's
/// variables. The highest variable, or an error.
///
/// # Safety
/// `formula` is of `cnfkit_formula_new`; `add` takes `data`, and does not use the formula.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_formula_encode(
    formula: *mut CnfkitFormula,
    add: CnfkitAdd,
    data: *mut c_void,
) -> c_int {
    guarded(|| {
        // SAFETY: as the caller says.
        let formula = unsafe { self::formula(formula) }?.formula();
        let mut add = handing(add, data)?;
        let mut sink = Handing::new(&mut add, formula.n_vars() as u32);
        formula.encode_into(&mut sink)?;
        Ok(sink.next_var().idx() as c_int)
    })
}

/// Solves with these literals true, for at most so many seconds; 0 is no limit. 10 with a model, 20 without one, or an
/// error.
///
/// # Safety
/// `formula` is of `cnfkit_formula_new`; at `assumptions` are `n` integers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_formula_solve(
    formula: *mut CnfkitFormula,
    assumptions: *const i32,
    n: usize,
    seconds: f64,
) -> c_int {
    guarded(|| {
        // SAFETY: as the caller says.
        let formula = unsafe { self::formula(formula) }?;
        // SAFETY: as the caller says.
        formula.solve(unsafe { slice(assumptions, n, "assumptions") }?, seconds)
    })
}

/// The literal if it is true in the last model, its negation if not, 0 where there is no model or no such variable; or
/// `INT32_MIN` for what is no literal.
///
/// # Safety
/// `formula` is of `cnfkit_formula_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_formula_value(formula: *mut CnfkitFormula, lit: i32) -> i32 {
    let mut value = i32::MIN;
    guarded(|| {
        // SAFETY: as the caller says.
        value = unsafe { self::formula(formula) }?.value(lit)?;
        Ok(0)
    });
    value
}

/// Looks for the least sum of the weights of true literals, for at most so many seconds; 0 is no limit. 30 with the
/// least, 10 with a sum that may not be the least, which goes to `value`; 20 without a model, or an error. The sum
/// stays the formula's objective, which `opb` and `wcnf` have, also where there was no time for a first model.
///
/// # Safety
/// `formula` is of `cnfkit_formula_new`; at `lits` and `weights` are `n` integers each; `value` is of one, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_formula_minimise(
    formula: *mut CnfkitFormula,
    lits: *const i32,
    weights: *const i64,
    n: usize,
    seconds: f64,
    value: *mut i64,
) -> c_int {
    guarded(|| {
        // SAFETY: as the caller says.
        let formula = unsafe { self::formula(formula) }?;
        // SAFETY: as the caller says.
        let lits = unsafe { slice(lits, n, "lits") }?;
        // SAFETY: as the caller says.
        let (code, least) = formula.minimise(lits, unsafe { slice(weights, n, "weights") }?, seconds)?;
        // SAFETY: as the caller says.
        if let (Some(least), Some(value)) = (least, unsafe { value.as_mut() }) {
            *value = least;
        }
        Ok(code)
    })
}

/// Writes the formula to a file, as `cnf`, `knf`, `opb` or `wcnf`. 0, or an error.
///
/// # Safety
/// `formula` is of `cnfkit_formula_new`; `path` and `format` end with a 0 byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_formula_write(
    formula: *mut CnfkitFormula,
    path: *const c_char,
    format: *const c_char,
) -> c_int {
    guarded(|| {
        // SAFETY: as the caller says.
        let formula = unsafe { self::formula(formula) }?;
        // SAFETY: as the caller says.
        let path = unsafe { words(path, "path") }?.ok_or_else(|| null("path"))?;
        // SAFETY: as the caller says.
        let format = unsafe { words(format, "format") }?.ok_or_else(|| null("format"))?;
        formula.write(Path::new(path), format).map(|()| 0)
    })
}

/// The arguments of functions that encode one bound.
struct OneBound {
    add: CnfkitAdd,
    data: *mut c_void,
    next_var: *mut i32,
    lits: *const i32,
    n: usize,
    encoding: *const c_char,
}

impl OneBound {
    /// Encodes it.
    ///
    /// # Safety
    /// As of `cnfkit_encode_at_most`.
    unsafe fn encode(&self, asked: &Asked<'_>) -> Result<c_int, CError> {
        // SAFETY: as the caller says.
        let next = unsafe { self.next_var.as_mut() }.ok_or_else(|| null("next_var"))?;
        // SAFETY: as the caller says.
        let lits = unsafe { slice(self.lits, self.n, "lits") }?;
        // SAFETY: as the caller says.
        let name = unsafe { words(self.encoding, "encoding") }?;
        encode(&mut handing(self.add, self.data)?, next, lits, asked, name).map(|()| 0)
    }
}

/// At most `k` of the literals are true, as clauses for a solver of yours: `add` is called with `data` for each
/// literal, and with 0 after each clause. `next_var` is the first variable that is not in use, before and after.
/// `encoding` is a name that `cnfkit encodings` lists, or NULL for the library's choice. 0, or an error, and then
/// nothing was added.
///
/// # Safety
/// `add` takes `data`; `next_var` is of an integer; at `lits` are `n` integers; `encoding` ends with a 0 byte, or is
/// NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_encode_at_most(
    add: CnfkitAdd,
    data: *mut c_void,
    next_var: *mut i32,
    lits: *const i32,
    n: usize,
    k: usize,
    encoding: *const c_char,
) -> c_int {
    let bound = OneBound { add, data, next_var, lits, n, encoding };
    // SAFETY: as the caller says.
    guarded(|| unsafe { bound.encode(&Asked::Count(Relation::AtMost(k))) })
}

/// At least `k` of the literals are true: as `cnfkit_encode_at_most`.
///
/// # Safety
/// As `cnfkit_encode_at_most`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_encode_at_least(
    add: CnfkitAdd,
    data: *mut c_void,
    next_var: *mut i32,
    lits: *const i32,
    n: usize,
    k: usize,
    encoding: *const c_char,
) -> c_int {
    let bound = OneBound { add, data, next_var, lits, n, encoding };
    // SAFETY: as the caller says.
    guarded(|| unsafe { bound.encode(&Asked::Count(Relation::AtLeast(k))) })
}

/// Exactly `k` of the literals are true: as `cnfkit_encode_at_most`.
///
/// # Safety
/// As `cnfkit_encode_at_most`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnfkit_encode_exactly(
    add: CnfkitAdd,
    data: *mut c_void,
    next_var: *mut i32,
    lits: *const i32,
    n: usize,
    k: usize,
    encoding: *const c_char,
) -> c_int {
    let bound = OneBound { add, data, next_var, lits, n, encoding };
    // SAFETY: as the caller says.
    guarded(|| unsafe { bound.encode(&Asked::Count(Relation::Exactly(k))) })
}

/// The weights of the true literals sum up to at most `bound`: as `cnfkit_encode_at_most`. Negated weights and bound
/// say *at least*.
///
/// # Safety
/// As `cnfkit_encode_at_most`; at `weights` are `n` integers.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)] // as C has them
pub unsafe extern "C" fn cnfkit_encode_sum_at_most(
    add: CnfkitAdd,
    data: *mut c_void,
    next_var: *mut i32,
    lits: *const i32,
    weights: *const i64,
    n: usize,
    bound: i64,
    encoding: *const c_char,
) -> c_int {
    let one = OneBound { add, data, next_var, lits, n, encoding };
    guarded(|| {
        // SAFETY: as the caller says.
        let weights = unsafe { slice(weights, n, "weights") }?;
        // SAFETY: as the caller says.
        unsafe { one.encode(&Asked::Sum(weights, bound)) }
    })
}
