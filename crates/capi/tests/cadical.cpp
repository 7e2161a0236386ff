// CaDiCaL gets a count from cnfkit: seven of twenty, in place of a counter by hand.
#include <cadical.hpp>
#include <cstdio>
#include <vector>

#include "cnfkit.h"

int main() {
    CaDiCaL::Solver solver;
    const auto add = [](void *solver, int32_t lit) { static_cast<CaDiCaL::Solver *>(solver)->add(lit); };
    std::vector<int32_t> lits;
    for (int32_t var = 1; var <= 20; ++var) lits.push_back(var);
    int32_t next_var = 21;
    if (cnfkit_encode_exactly(add, &solver, &next_var, lits.data(), lits.size(), 7, nullptr) < 0) return 2;
    if (solver.solve() != 10) return 1;
    int n_true = 0;
    for (int32_t lit : lits) n_true += solver.val(lit) > 0;
    std::printf("%d of 20 are true\n", n_true);
    return n_true == 7 ? 0 : 1;
}
