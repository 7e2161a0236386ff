//! The constraints of FlatZinc, and those that the library of this solver leaves whole, as constraints of a model.
//!
//! Any of them may end in `_reif`, with a Boolean as one argument more, which is true if and only if the constraint
//! holds, or in `_imp`, where it holds if that is true.

use cnfkit::model::{
    Automaton, Constraint, Domain, Expr, Model, abs, all, all_different, all_different_except, all_equal, among, any,
    circuit, connected, count_eq, cumulative, diffn, disjunctive, div, dreachable, element, inverse, lex_less,
    lex_lesseq, maximum, minimum, modulo, nvalue, parity, path, pow, reachable, regular, subcircuit, sum, table, times,
    value_precede,
};

use super::names::{BoolTerm, ConstraintCall, Int};
use super::syntax::{Wrong, WrongKind};

/// Posts a constraint, whatever its name ends in.
pub(crate) fn post(call: &ConstraintCall<'_, '_>, model: &mut Model) -> Result<(), Wrong> {
    let name = call.posted.name;
    let last = call.posted.args.len().saturating_sub(1);
    let constraint = if let Some(base) = name.strip_suffix("_reif") {
        make(call, base, last)?.iff(Constraint::from(call.bool(last)?))
    } else if let Some(base) = name.strip_suffix("_imp") {
        make(call, base, last)?.when(Constraint::from(call.bool(last)?))
    } else {
        make(call, name, call.posted.args.len())?
    };
    model.post(constraint);
    Ok(())
}

/// The constraint of this name on the first `n` arguments.
fn make(call: &ConstraintCall<'_, '_>, name: &str, n: usize) -> Result<Constraint, Wrong> {
    let takes = |expected: usize| {
        if n == expected { Ok(()) } else { call.takes(expected + call.posted.args.len() - n) }
    };
    // The first of those that know the name.
    for makes in [of_ints, of_bools, of_arrays] {
        if let Some(constraint) = makes(call, name, &takes)? {
            return Ok(constraint);
        }
    }
    if matches!(name, "bool_xor" | "array_bool_xor") {
        let (bits, odd) = match (name, n) {
            ("bool_xor", 3) => (vec![call.bool(0)?, call.bool(1)?, call.bool(2)?], false),
            ("bool_xor", _) => {
                takes(2)?;
                (vec![call.bool(0)?, call.bool(1)?], true)
            }
            _ => {
                takes(1)?;
                (call.bools(0)?, true)
            }
        };
        return Ok(of_parity(&bits, odd));
    }
    match global(call, name, &takes)? {
        Some(constraint) => Ok(constraint),
        None => Err(call.wrong(WrongKind::Constraint(call.posted.name.to_owned()))),
    }
}

type Takes<'t> = &'t dyn Fn(usize) -> Result<(), Wrong>;

/// Comparisons and functions of integers.
fn of_ints(call: &ConstraintCall<'_, '_>, name: &str, takes: Takes<'_>) -> Result<Option<Constraint>, Wrong> {
    let expr = |at: usize| call.expr(at);
    let arity = match name {
        "int_eq" | "int_ne" | "int_le" | "int_lt" | "int_ge" | "int_gt" | "int_abs" | "set_in" | "bool2int" => 2,
        "int_plus" | "int_minus" | "int_times" | "int_div" | "int_mod" | "int_pow" | "int_min" | "int_max"
        | "int_lin_eq" | "int_lin_ne" | "int_lin_le" | "bool_lin_eq" | "bool_lin_ne" | "bool_lin_le" => 3,
        _ => return Ok(None),
    };
    takes(arity)?;
    Ok(Some(match name {
        // A comparison with a number is a truth value of the variable, not a sum.
        "int_eq" | "bool2int" => match (call.int(0)?, call.int(1)?) {
            (Int::Known(value), int) | (int, Int::Known(value)) => int.is(value).into(),
            (one, other) => Expr::from(one).eq(other),
        },
        "int_ne" => match (call.int(0)?, call.int(1)?) {
            (Int::Known(value), int) | (int, Int::Known(value)) => (!int.is(value)).into(),
            (one, other) => Expr::from(one).ne(other),
        },
        "int_le" => expr(0)?.le(expr(1)?),
        "int_lt" => expr(0)?.lt(expr(1)?),
        "int_ge" => expr(0)?.ge(expr(1)?),
        "int_gt" => expr(0)?.gt(expr(1)?),
        "int_abs" => abs(expr(0)?, expr(1)?),
        "set_in" => call.int(0)?.is_in(&call.set(1)?),
        "int_plus" => (expr(0)? + expr(1)?).eq(expr(2)?),
        "int_minus" => (expr(0)? - expr(1)?).eq(expr(2)?),
        "int_times" => match (call.int(0)?, call.int(1)?) {
            (Int::Known(by), int) | (int, Int::Known(by)) => (by * Expr::from(int)).eq(expr(2)?),
            (one, other) => times(one, other, expr(2)?),
        },
        "int_div" => div(expr(0)?, expr(1)?, expr(2)?),
        "int_mod" => modulo(expr(0)?, expr(1)?, expr(2)?),
        "int_pow" => pow(expr(0)?, expr(1)?, expr(2)?),
        "int_min" => minimum([expr(0)?, expr(1)?], expr(2)?),
        "int_max" => maximum([expr(0)?, expr(1)?], expr(2)?),
        _ => {
            let (factors, ints) = (call.numbers(0)?, call.ints(1)?);
            call.same_length(&[factors.len(), ints.len()])?;
            let total = sum(factors.into_iter().zip(ints).map(|(factor, int)| factor * Expr::from(int)));
            match name.trim_start_matches("int").trim_start_matches("bool") {
                "_lin_eq" => total.eq(expr(2)?),
                "_lin_ne" => total.ne(expr(2)?),
                _ => total.le(expr(2)?),
            }
        }
    }))
}

/// Boolean constraints.
fn of_bools(call: &ConstraintCall<'_, '_>, name: &str, takes: Takes<'_>) -> Result<Option<Constraint>, Wrong> {
    let truth = |at: usize| call.bool(at).map(Constraint::from);
    let arity = match name {
        "bool_eq" | "bool_ne" | "bool_not" | "bool_le" | "bool_lt" | "array_bool_and" | "array_bool_or"
        | "bool_clause" => 2,
        "bool_and" | "bool_or" => 3,
        _ => return Ok(None),
    };
    takes(arity)?;
    Ok(Some(match name {
        "bool_eq" => truth(0)?.iff(truth(1)?),
        "bool_ne" | "bool_not" => truth(0)?.xor(truth(1)?),
        "bool_le" => truth(0)?.implies(truth(1)?),
        "bool_lt" => all([!truth(0)?, truth(1)?]),
        "bool_and" => truth(0)?.and(truth(1)?).iff(truth(2)?),
        "bool_or" => truth(0)?.or(truth(1)?).iff(truth(2)?),
        "array_bool_and" => settled(all(call.bools(0)?), call.bool(1)?),
        "array_bool_or" => settled(any(call.bools(0)?), call.bool(1)?),
        _ => any(call.bools(0)?.into_iter().chain(call.bools(1)?.into_iter().map(|truth| !truth))),
    }))
}

/// The constraint holds if and only if the truth value says so.
fn settled(constraint: Constraint, truth: BoolTerm) -> Constraint {
    match truth {
        BoolTerm::Known(true) => constraint,
        BoolTerm::Known(false) => !constraint,
        BoolTerm::Of(bool) => constraint.iff(bool),
    }
}

/// An odd number of these is true, or an even one.
fn of_parity(bits: &[BoolTerm], mut odd: bool) -> Constraint {
    let mut bools = Vec::new();
    for &bit in bits {
        match bit {
            BoolTerm::Known(known) => odd ^= known,
            BoolTerm::Of(bool) => bools.push(bool),
        }
    }
    parity(bools, odd)
}

/// Elements and extremes of arrays.
fn of_arrays(call: &ConstraintCall<'_, '_>, name: &str, takes: Takes<'_>) -> Result<Option<Constraint>, Wrong> {
    Ok(Some(match name {
        "array_int_element" | "array_var_int_element" | "array_bool_element" | "array_var_bool_element" => {
            takes(3)?;
            element(call.ints(1)?, call.expr(0)? - 1, call.expr(2)?)
        }
        "array_int_maximum" => {
            takes(2)?;
            maximum(call.ints(1)?, call.expr(0)?)
        }
        "array_int_minimum" => {
            takes(2)?;
            minimum(call.ints(1)?, call.expr(0)?)
        }
        _ => return Ok(None),
    }))
}

/// The constraints of `share/minizinc/cnfkit`.
fn global(call: &ConstraintCall<'_, '_>, name: &str, takes: Takes<'_>) -> Result<Option<Constraint>, Wrong> {
    let arity = match name {
        "cnfkit_all_different" | "cnfkit_all_equal" => 1,
        "cnfkit_all_different_except"
        | "cnfkit_table"
        | "cnfkit_circuit"
        | "cnfkit_subcircuit"
        | "cnfkit_lex_less"
        | "cnfkit_lex_lesseq"
        | "cnfkit_disjunctive"
        | "cnfkit_nvalue"
        | "cnfkit_value_precede" => 2,
        "cnfkit_count" | "cnfkit_among" => 3,
        "cnfkit_cumulative" | "cnfkit_diffn" | "cnfkit_inverse" => 4,
        "cnfkit_connected" | "cnfkit_regular_nfa" => 5,
        "cnfkit_dreachable" | "cnfkit_reachable" | "cnfkit_regular" => 6,
        "cnfkit_path" => 7,
        _ => return Ok(None),
    };
    takes(arity)?;
    let shifted = |at: usize, by: i64| -> Result<Vec<Expr>, Wrong> {
        Ok(call.ints(at)?.into_iter().map(|int| Expr::from(int) - by).collect())
    };
    Ok(Some(match name {
        "cnfkit_all_different" => all_different(call.ints(0)?),
        "cnfkit_all_equal" => all_equal(call.ints(0)?),
        "cnfkit_all_different_except" => all_different_except(call.ints(0)?, domain(&call.set(1)?)),
        "cnfkit_table" => {
            let (ints, cells) = (call.ints(0)?, call.numbers(1)?);
            if ints.is_empty() || cells.len() % ints.len() != 0 {
                return Err(call.shape(format!("a table of {} numbers for {} columns", cells.len(), ints.len())));
            }
            let columns = ints.len();
            table(ints, cells.chunks(columns))
        }
        "cnfkit_circuit" => circuit(shifted(0, call.number(1)?)?),
        "cnfkit_subcircuit" => subcircuit(shifted(0, call.number(1)?)?),
        "cnfkit_lex_less" => lex_less(call.ints(0)?, call.ints(1)?),
        "cnfkit_lex_lesseq" => lex_lesseq(call.ints(0)?, call.ints(1)?),
        "cnfkit_disjunctive" => {
            let (starts, durations) = (call.ints(0)?, call.ints(1)?);
            call.same_length(&[starts.len(), durations.len()])?;
            disjunctive(starts, durations)
        }
        "cnfkit_count" => {
            // As many of the array as the last argument says are this number.
            let value = match call.int(1)? {
                Int::Known(value) => value,
                value => return Ok(Some(count_eq(call.ints(0)?, value, call.expr(2)?))),
            };
            let has = call.ints(0)?.into_iter().map(|int| Expr::from(int.is(value).int()));
            sum(has).eq(call.expr(2)?)
        }
        "cnfkit_among" => {
            let values = domain(&call.set(1)?);
            let has = |int: Int| match int {
                Int::Known(value) => i64::from(values.contains(value)).into(),
                Int::Var(var) => among([var], &values),
                Int::Of(bool) => {
                    let [no, yes] = [0, 1].map(|value| i64::from(values.contains(value)));
                    (yes - no) * bool + no
                }
            };
            sum(call.ints(0)?.into_iter().map(has)).eq(call.expr(2)?)
        }
        "cnfkit_cumulative" => {
            let (starts, durations, demands) = (call.ints(0)?, call.ints(1)?, call.ints(2)?);
            call.same_length(&[starts.len(), durations.len(), demands.len()])?;
            cumulative(starts, durations, demands, call.expr(3)?)
        }
        "cnfkit_diffn" => {
            let boxes = [call.ints(0)?, call.ints(1)?, call.ints(2)?, call.ints(3)?];
            call.same_length(&boxes.each_ref().map(Vec::len))?;
            let [x, y, widths, heights] = boxes;
            diffn(x, y, widths, heights)
        }
        "cnfkit_nvalue" => nvalue(call.ints(1)?, call.expr(0)?),
        "cnfkit_value_precede" => value_precede(call.numbers(0)?, call.ints(1)?),
        "cnfkit_connected" => {
            let (nodes, edges) = graph(call, 2)?;
            connected(nodes, edges)
        }
        "cnfkit_reachable" | "cnfkit_dreachable" => {
            let (nodes, edges) = graph(call, 3)?;
            let root = call.expr(2)? - call.number(5)?;
            if name == "cnfkit_reachable" { reachable(root, nodes, edges) } else { dreachable(root, nodes, edges) }
        }
        "cnfkit_path" => {
            let (nodes, edges) = graph(call, 4)?;
            let first = call.number(6)?;
            path(call.expr(2)? - first, call.expr(3)? - first, nodes, edges)
        }
        "cnfkit_regular_nfa" => regular(call.ints(0)?, &nondeterministic(call)?),
        "cnfkit_inverse" => {
            let (first, second) = (shifted(0, call.number(3)?)?, shifted(1, call.number(2)?)?);
            if first.len() == second.len() { inverse(first, second) } else { BoolTerm::Known(false).into() }
        }
        _ => regular(call.ints(0)?, &automaton(call)?),
    }))
}

fn domain(set: &[(i64, i64)]) -> Domain {
    set.iter().map(|&(from, to)| from..=to).collect()
}

/// Nodes, and edges as two nodes and a truth value.
type GraphArguments = (Vec<Int>, Vec<(usize, usize, Int)>);

/// The graph whose edges are between the nodes of the first two arguments; the nodes, the edges and the number of the
/// first node are the arguments from `at` on.
fn graph(call: &ConstraintCall<'_, '_>, at: usize) -> Result<GraphArguments, Wrong> {
    let (from, to, nodes, edges) = (call.numbers(0)?, call.numbers(1)?, call.ints(at)?, call.ints(at + 1)?);
    let first = call.number(at + 2)?;
    call.same_length(&[from.len(), to.len(), edges.len()])?;
    let node = |number: i64| {
        let node = number.checked_sub(first).and_then(|node| usize::try_from(node).ok());
        let last = || first.saturating_add_unsigned(nodes.len() as u64).saturating_sub(1);
        let wrong = || call.shape(format!("an edge to node {number}: nodes are {first}..{}", last()));
        node.filter(|&node| node < nodes.len()).ok_or_else(wrong)
    };
    let ends: Result<Vec<_>, Wrong> =
        from.into_iter().zip(to).zip(edges).map(|((from, to), edge)| Ok((node(from)?, node(to)?, edge))).collect();
    Ok((nodes.clone(), ends?))
}

/// The automaton of `regular_nfa`: transitions are a state, a value and a state each, one after the other.
fn nondeterministic(call: &ConstraintCall<'_, '_>) -> Result<Automaton, Wrong> {
    let (states, steps, start, accepting) = (call.number(1)?, call.numbers(2)?, call.number(3)?, call.set(4)?);
    let ends = accepting.iter().flat_map(|&(from, to)| [from, to]);
    // Of the states, which may be many, those that words can lead to.
    let mut known: Vec<i64> = steps.chunks_exact(3).flat_map(|step| [step[0], step[2]]).chain([start]).collect();
    if let Some(other) = known.iter().copied().chain(ends).find(|state| !(1..=states).contains(state)) {
        return Err(call.shape(format!("state {other}: states are 1..{states}")));
    }
    known.sort_unstable();
    known.dedup();
    let index = |state: i64| known.binary_search(&state).expect("all are known");
    let accepted = known.iter().filter(|&state| accepting.iter().any(|(from, to)| (from..=to).contains(&state)));
    let accepted: Vec<usize> = accepted.map(|&state| index(state)).collect();
    let steps = steps.chunks_exact(3).map(|step| (index(step[0]), step[1], index(step[2])));
    Ok(Automaton::new(known.len(), index(start), accepted, steps))
}

/// The automaton of `regular`: states from 1 on, values from 1 on, the next states row by row, 0 where there is none.
fn automaton(call: &ConstraintCall<'_, '_>) -> Result<Automaton, Wrong> {
    let (states, values) = (call.number(1)?, call.number(2)?);
    let (next, start, accepting) = (call.numbers(3)?, call.number(4)?, call.set(5)?);
    let is_state = |state: i64| 1 <= state && state <= states;
    let whole = usize::try_from(states).ok().zip(usize::try_from(values).ok());
    let fits = whole.is_some_and(|(states, values)| states.checked_mul(values) == Some(next.len()));
    let Some((n_states, n_values)) = whole.filter(|_| fits) else {
        return Err(call.shape(format!("{} transitions of {states} states by {values} values", next.len())));
    };
    let mut accepted = accepting.iter().flat_map(|&(from, to)| from.max(0)..=to.min(states)).filter(|&s| s > 0);
    if !is_state(start) || accepting.iter().any(|&(from, to)| !is_state(from) || !is_state(to)) {
        return Err(call.shape(format!("states are 1..{states}")));
    }
    if let Some(other) = next.iter().find(|&&state| state != 0 && !is_state(state)) {
        return Err(call.shape(format!("a transition to state {other}: states are 1..{states}, 0 is none")));
    }
    let from_zero = |state: i64| (state - 1).unsigned_abs() as usize;
    let steps = (0..n_states).flat_map(|state| (0..n_values).map(move |value| (state, value)));
    let steps = steps.zip(&next).filter(|&(_, &to)| to > 0);
    let steps = steps.map(|((state, value), &to)| (state, value as i64 + 1, from_zero(to)));
    Ok(Automaton::new(n_states, from_zero(start), accepted.by_ref().map(from_zero).collect::<Vec<_>>(), steps))
}
