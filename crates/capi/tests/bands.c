/* Bands of a festival: a formula that is solved, minimised and written, and one count for a solver of one's own. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cnfkit.h"

static void checked(int code) {
    if (code < 0) {
        fprintf(stderr, "error: %s\n", cnfkit_last_error());
        exit(2);
    }
}

/* A solver would take the literals; this one prints clauses. */
static void add(void *n_clauses, int32_t lit_or_zero) {
    printf(lit_or_zero ? "%" PRId32 " " : "%" PRId32 "\n", lit_or_zero);
    if (lit_or_zero == 0) ++*(int *)n_clauses;
}

int main(void) {
    enum { ANNA = 1, BEN, CLEO, DORA };
    const int32_t all[] = {ANNA, BEN, CLEO, DORA}, two[] = {ANNA, BEN};
    const int64_t fees[] = {7, 5, 8, 3}, fewer_fans[] = {-4, -3, -5, -2};
    cnfkit_formula *formula = cnfkit_formula_new();
    checked(cnfkit_formula_count(formula, all, 4, 2, 3));
    checked(cnfkit_formula_sum(formula, all, fees, 4, INT64_MIN, 16));
    checked(cnfkit_formula_when(formula, two, 2));
    checked(cnfkit_formula_add_clause(formula, (int32_t[]){DORA}, 1));
    uint64_t auxiliaries, clauses;
    checked(cnfkit_formula_size(formula, &auxiliaries, &clauses, NULL));
    printf("%" PRIu64 " auxiliaries, %" PRIu64 " clauses\n", auxiliaries, clauses);
    int64_t least = 0;
    int code = cnfkit_formula_minimise(formula, all, fewer_fans, 4, 10, &least);
    checked(code);
    printf("%d: %" PRId64 " hundred fans:", code, -least);
    for (int i = 0; i < 4; ++i) printf(" %" PRId32, cnfkit_formula_value(formula, all[i]));
    printf("\n%d\n", cnfkit_formula_solve(formula, (int32_t[]){ANNA, CLEO, DORA}, 3, 0));
    cnfkit_formula_free(formula);

    int n_clauses = 0;
    int32_t next_var = 5;
    checked(cnfkit_encode_at_most(add, &n_clauses, &next_var, all, 4, 1, "ladder"));
    printf("%d clauses; the next variable is %" PRId32 "\n", n_clauses, next_var);
    if (cnfkit_encode_at_most(add, &n_clauses, &next_var, all, 4, 2, "ladder") < 0) puts(cnfkit_last_error());
    return 0;
}
