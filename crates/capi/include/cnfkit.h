/* cnfkit for C: formulas of clauses, counts and sums of weights, and encodings for a solver of yours.
 *
 * Literals are integers as in IPASIR and DIMACS: 3 is variable 3, -3 its negation. Functions that return an int return
 * a number below 0, CNFKIT_ERROR_..., for an error, and then nothing has changed; cnfkit_last_error has its words.
 *
 * Made by: cbindgen --config cbindgen.toml --output include/cnfkit.h */

#ifndef CNFKIT_H
#define CNFKIT_H

#include <stddef.h>
#include <stdint.h>

/*
 An argument is wrong: a literal that is 0, a pointer that is NULL, an unknown name.
 */
#define CNFKIT_ERROR_ARGUMENT -1

/*
 Something would be larger than its limit.
 */
#define CNFKIT_ERROR_CAPACITY -2

/*
 The time was over before there was an answer.
 */
#define CNFKIT_ERROR_INTERRUPTED -3

/*
 The solver failed.
 */
#define CNFKIT_ERROR_SOLVER -4

/*
 A file cannot be written.
 */
#define CNFKIT_ERROR_IO -5

/*
 The library has a bug.
 */
#define CNFKIT_ERROR_PANIC -6

/*
 A formula, with what is said of the next constraint, and the last model.
 */
typedef struct cnfkit_formula cnfkit_formula;

/*
 The function that takes the literals of clauses, a 0 after each clause: `ipasir_add`, say.
 */
typedef void (*cnfkit_add)(void *data, int32_t lit_or_zero);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The words for the last error of a function of this library in this thread, which stay until the next one.
 */
const char *cnfkit_last_error(void);

/*
 A new formula, which `cnfkit_formula_free` ends. One thread at a time may use it.
 */
cnfkit_formula *cnfkit_formula_new(void);

/*
 Frees a formula; NULL is none.

 # Safety
 `formula` is of `cnfkit_formula_new`, and nobody uses it any more.
 */
void cnfkit_formula_free(cnfkit_formula *formula);

/*
 A new variable, above all others; variables that are used need not be new. Below 0: an error.

 # Safety
 `formula` is of `cnfkit_formula_new`.
 */
int32_t cnfkit_formula_new_var(cnfkit_formula *formula);

/*
 The next constraint holds where all of these literals are true, and no others: a second call takes the place of the
 first. 0, or an error.

 # Safety
 `formula` is of `cnfkit_formula_new`; at `lits` are `n` integers.
 */
int cnfkit_formula_when(cnfkit_formula *formula, const int32_t *lits, size_t n);

/*
 The literal is true if and only if the next constraint, be it a clause, a count, a sum, a parity or an expression,
 holds; a second call takes the place of the first. With two bounds it may take variables of the formula as
 auxiliaries. 0, or an error.

 # Safety
 `formula` is of `cnfkit_formula_new`.
 */
int cnfkit_formula_iff(cnfkit_formula *formula,
                       int32_t lit);

/*
 At least one of the literals is true. 0, or an error.

 # Safety
 `formula` is of `cnfkit_formula_new`; at `lits` are `n` integers.
 */
int cnfkit_formula_add_clause(cnfkit_formula *formula, const int32_t *lits, size_t n);

/*
 At least `lo` and at most `hi` of the literals are true; `INT64_MIN` and `INT64_MAX` are no bounds. 0, or an error.

 # Safety
 `formula` is of `cnfkit_formula_new`; at `lits` are `n` integers.
 */
int cnfkit_formula_count(cnfkit_formula *formula,
                         const int32_t *lits,
                         size_t n,
                         int64_t lo,
                         int64_t hi);

/*
 An odd number of the literals are true, or an even number where `odd` is 0. 0, or an error.

 # Safety
 `formula` is of `cnfkit_formula_new`; at `lits` are `n` integers.
 */
int cnfkit_formula_parity(cnfkit_formula *formula, const int32_t *lits, size_t n, int odd);

/*
 The weights of the true literals, negative ones, too, sum up to at least `lo` and at most `hi`; `INT64_MIN` and
 `INT64_MAX` are no bounds. 0, or an error.

 # Safety
 `formula` is of `cnfkit_formula_new`; at `lits` and `weights` are `n` integers each.
 */
int cnfkit_formula_sum(cnfkit_formula *formula,
                       const int32_t *lits,
                       const int64_t *weights,
                       size_t n,
                       int64_t lo,
                       int64_t hi);

/*
 A Boolean expression of the variables `x1`, `x2`, … holds: `!`, `&`, `^`, `|`, `->`, `<->` from what binds most to
 what binds least, brackets, and `ite(x1, x2, x3)`. It may take variables of the formula as auxiliaries; a literal of
 them is an error then. 0, or an error, which has the column.

 # Safety
 `formula` is of `cnfkit_formula_new`; `text` ends with a 0 byte.
 */
int cnfkit_formula_require(cnfkit_formula *formula,
                           const char *text);

/*
 The exact size of the formula as clauses, known before they are written: auxiliary variables, clauses, literals;
 NULL for what is not asked. 0, or an error.

 # Safety
 `formula` is of `cnfkit_formula_new`; the others are of an integer each, or NULL.
 */
int cnfkit_formula_size(cnfkit_formula *formula,
                        uint64_t *auxiliaries,
                        uint64_t *clauses,
                        uint64_t *lits);

/*
 Hands the clauses to a function, literal by literal, with a 0 after each; auxiliaries come above the formula's
 variables. The highest variable, or an error.

 # Safety
 `formula` is of `cnfkit_formula_new`; `add` takes `data`, and does not use the formula.
 */
int cnfkit_formula_encode(cnfkit_formula *formula,
                          cnfkit_add add,
                          void *data);

/*
 Solves with these literals true, for at most so many seconds; 0 is no limit. 10 with a model, 20 without one, or an
 error.

 # Safety
 `formula` is of `cnfkit_formula_new`; at `assumptions` are `n` integers.
 */
int cnfkit_formula_solve(cnfkit_formula *formula,
                         const int32_t *assumptions,
                         size_t n,
                         double seconds);

/*
 The literal if it is true in the last model, its negation if not, 0 where there is no model or no such variable; or
 `INT32_MIN` for what is no literal.

 # Safety
 `formula` is of `cnfkit_formula_new`.
 */
int32_t cnfkit_formula_value(cnfkit_formula *formula,
                             int32_t lit);

/*
 Looks for the least sum of the weights of true literals, for at most so many seconds; 0 is no limit. 30 with the
 least, 10 with a sum that may not be the least, which goes to `value`; 20 without a model, or an error. The sum
 stays the formula's objective, which `opb` and `wcnf` have, also where there was no time for a first model.

 # Safety
 `formula` is of `cnfkit_formula_new`; at `lits` and `weights` are `n` integers each; `value` is of one, or NULL.
 */
int cnfkit_formula_minimise(cnfkit_formula *formula,
                            const int32_t *lits,
                            const int64_t *weights,
                            size_t n,
                            double seconds,
                            int64_t *value);

/*
 Writes the formula to a file, as `cnf`, `knf`, `opb` or `wcnf`. 0, or an error.

 # Safety
 `formula` is of `cnfkit_formula_new`; `path` and `format` end with a 0 byte.
 */
int cnfkit_formula_write(cnfkit_formula *formula, const char *path, const char *format);

/*
 At most `k` of the literals are true, as clauses for a solver of yours: `add` is called with `data` for each
 literal, and with 0 after each clause. `next_var` is the first variable that is not in use, before and after.
 `encoding` is a name that `cnfkit encodings` lists, or NULL for the library's choice. 0, or an error, and then
 nothing was added.

 # Safety
 `add` takes `data`; `next_var` is of an integer; at `lits` are `n` integers; `encoding` ends with a 0 byte, or is
 NULL.
 */
int cnfkit_encode_at_most(cnfkit_add add,
                          void *data,
                          int32_t *next_var,
                          const int32_t *lits,
                          size_t n,
                          size_t k,
                          const char *encoding);

/*
 At least `k` of the literals are true: as `cnfkit_encode_at_most`.

 # Safety
 As `cnfkit_encode_at_most`.
 */
int cnfkit_encode_at_least(cnfkit_add add,
                           void *data,
                           int32_t *next_var,
                           const int32_t *lits,
                           size_t n,
                           size_t k,
                           const char *encoding);

/*
 Exactly `k` of the literals are true: as `cnfkit_encode_at_most`.

 # Safety
 As `cnfkit_encode_at_most`.
 */
int cnfkit_encode_exactly(cnfkit_add add,
                          void *data,
                          int32_t *next_var,
                          const int32_t *lits,
                          size_t n,
                          size_t k,
                          const char *encoding);

/*
 The weights of the true literals sum up to at most `bound`: as `cnfkit_encode_at_most`. Negated weights and bound
 say *at least*.

 # Safety
 As `cnfkit_encode_at_most`; at `weights` are `n` integers.
 */
int cnfkit_encode_sum_at_most(cnfkit_add add,
                              void *data,
                              int32_t *next_var,
                              const int32_t *lits,
                              const int64_t *weights,
                              size_t n,
                              int64_t bound,
                              const char *encoding);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CNFKIT_H */
