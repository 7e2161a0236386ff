//! Inputs that the fuzzer begins with: each format with all that it has, and what once found a fault.

pub(crate) const DIMACS: &[&[u8]] = &[
    b"c hi\np cnf 3 2\n1 -2\nc two\n 3 0\n-1 0\n",
    b"c name 1 n\nc ind 1 2 0\nc t pmc\np cnf 5 1\nc p show 5 2 0\n1 2 3 0\n",
    b"p cnf 2 1\r\n1 0\r\n%\r\n0\r\n",
    b"p cnf 4 2\n1 2 <= 1\n0\n",
    b"p cnf 2147483648 1\n1 0\n",
    b"p cnf 2 2\n1 -0 2 0\n",
    b"p cnf 3 1\n2147483648 0\n",
    b"\xff\xfep\0 \0c\0",
    b"\x1f\x8b\x08\0\0\0\0\0",
    b"* #variable= 1 #constraint= 1\n",
    b"p cnf 1 1\n1 \xe4\n",
];

pub(crate) const PARITIES: &[&[u8]] =
    &[b"p cnf 4 3\nx1 -2 3 0\n1 2 0\nx 4 1 0\n", b"p cnf 3 4\nx0\nx-1 1 0\nx2 2 3 0\nc x\nx\n-1\n0\n"];

pub(crate) const KNF: &[&[u8]] = &[
    b"p knf 3 2\n1 2 0\nk 2 1 2 3 0\n",
    b"c one\np knf 3 2\nk 2 1 -2\nc two\n 3 0\n-1 0\n",
    b"p cnf+ 4 4\n1 -2 0\n1 2 3 4 <= 2\n1 2\n 3 -4 >= 2\n1 2 <= -1\n",
    b"p knf 3 2\nk 0 1 2 0\nk 5 1 1 -1 0\n",
    b"p knf 3 1\nk 1 1 2147483648 0\n",
    b"p cnf+ 2 1\n1 2 <=",
];

pub(crate) const OPB: &[&[u8]] = &[
    b"* #variable= 3 #constraint= 2\nmin: +1 x1 ;\n+1 x1 +1 x2 >= 1 ;\n+2 x1 +3 x3 >= 2 ;\n",
    b"* #variable= 3 #constraint= 2\n* one\nmax: 7 x1 ;\n+1 x1\n/* three\n */ +2 x3 >= 2 ;\n-1 x2 >= 0 ;\n",
    b"* #variable= 2 #constraint= 1\n* show x1 \n+1 x1 x2 >= 1 ;",
    b"@a +1 a +1 ~b = 1 ;\n@b-2 -3 q[1,2] < 2 ;\n+2 x1 > -7 ;",
    b"* #variable= 3 #constraint= 4 #soft= 3 mincost= 2 maxcost= 18446744073709551615\nsoft: 8 ;\n\
      +1 x1 +1 x2 +1 x3 >= 2 ;\n[2] -1 x1 -1 x2 >= 0 ;\n[ 5 ] +2 x1 -3 x3 = -1 ;\n\
      [18446744073709551615] +1 ~x2 >= 1 ;\n",
    b"min: -9223372036854775808 x1 18446744073709551615 x2 ;\n",
    b"+170141183460469231731687303715884105727 x1 >= 1 ;\n",
    b"+1 x1 +1 ~x1 +2 x1 = 2 ;\n+1 x2147483648 >= 1 ;\n",
];

pub(crate) const WCNF: &[&[u8]] = &[
    b"p wcnf 3 3 10\n10 1 2 0\n3 -1 0\n4 -2 3 0\n",
    b"h 1 2 0\n3 -1 0\n4 -2 3 0\n",
    b"c one\np wcnf 3 2\n9 1 -2\nc two\n 3 0\n4 -1 0\n",
    b"p wcnf 4 2 9\n0 0\n18446744073709551615 1\nc\n0\n",
    b"h 2147483648 0\n",
];

pub(crate) const RULES: &[&[u8]] = &[
    b"max: 2 a + b\na + b <= 1\na ^ b = 1\n(a & b) -> c\n",
    "1 <= a + b + c ≤ 2\n4 a + 3 b + 2 ~d < 7 + c\na & ~b => c + d >= 1\n\
     f <=> a + b + c = 3\n~a | d # no\n"
        .as_bytes(),
    b"\xef\xbb\xbf-a - b <= -1\r\n3*a != 1\n",
    b"9223372036854775807 a - 9223372036854775808 b >= 0\na xor b\n",
];

pub(crate) const EXPRESSIONS: &[&[u8]] = &[
    b"(a & b) -> c",
    b"a <-> !b | (c ^ ~d) and not e or true",
    b"ite(a, b => c, d == e) xor false",
    "ä' && a_1.x[2] || b".as_bytes(),
    b"a & (b -> )",
    b"ite(a, b)",
];

pub(crate) const FLATZINC: &[&[u8]] = &[
    b"var 1..9: x :: output_var;\nvar 1..9: y :: output_var;\nconstraint int_lin_eq([1, 1], [x, y], 12);\n\
      solve maximize x;",
    b"predicate p(int: a);\narray [1..3] of int: c = [1, -2, 3];\nvar bool: b;\nvar {1,3,5}: x;\n\
      array [1..2] of var int: a :: output_array([1..2]) = [x, 4];\n\
      constraint bool_clause([b], []);\nconstraint int_le_reif(x, 3, b) :: domain;\n\
      constraint array_var_int_element(x, a, 4);\nsolve :: int_search(a, first_fail, indomain_min, complete) satisfy;",
    b"var int: x;\nvar int: y;\nconstraint int_times(x, y, 12);\nconstraint int_div(x, 2, y);\nsolve minimize x;",
    b"array [1..3] of var 0..3: x;\nconstraint cnfkit_all_different(x);\nconstraint int_ne(x[1], 2);\n\
      constraint set_in(x[2], {0,2});\nsolve satisfy;\n",
    b"var 1..9: x;\nconstraint int_lt(x, z);\nsolve satisfy;",
    b"% c\nvar 9223372036854775807..0: x;\nvar -9223372036854775808..9223372036854775807: y;\nsolve satisfy;",
    b"var 0.5..1.5: f;\nvar set of 1..3: s;\nsolve satisfy;",
];

pub(crate) const SUDOKU: &[&[u8]] = &[
    b"1234\n34..\n....\n...1\n",
    b"1...|....|....|...1",
    b"+--+--+\n|1.|..|\n|..|2.|\n+--+--+\n|..|..|\n|..|..|\n+--+--+\n",
    "╔══╦══╗\n║1·║··║\n║··║··║\n╠══╬══╣\n║··║··║\n║··║·4║\n╚══╩══╝\n".as_bytes(),
    b"[[1, 0, 0, 0],\r\n[0, 0, 0, 0],\r\n[0, 0, 3, 0],\r\n[0, 0, 0, 0]]",
    b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n",
    b"# a remark\n1 2 3 4\n_ _ _ _\n? ? ? ?\nX X X X\n",
    b"1234\n12x4\n....\n....",
    b"....\n....\n....\n....\n\naabb\naabb\nccdd\nccdd\n",
];

pub(crate) const GEMS: &[&[u8]] = &[
    b"3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n",
    b"3 4\r\n3 . 2 .\r\n. . 2 .\r\n. 3 1 .\r\n",
    b"2 4 3\n1?2F\n??1-\n",
    b"[[1, -1], [9, 0]]",
    b"1 . G\r\r_ T 2\r",
    b"_, #, 8\nT, G, 0\n",
    b" \n\r\n,\n",
    b"3 3 2\n_ 2 _\n_ _ _\n",
];

pub(crate) const FORMULAS: &[&[u8]] = &[
    b"\x05\x00\x01\x02\x03\x04\x05\x06\x02\x06\x00\x02\x04\x06\x08\x0a\x02\x00\x03",
    b"\x06\x01\x01\xff\x03\x04\x05\x06\x07\x04\x05\x00\x02\x04\x07\x08\x03\x05\x07\x0b\x0d\
      \x03\x01\x02\x01\x00\x02\x00\x02",
    b"\x04\x02\x01\x02\x03\x04\x05\x46\x03\x00\x02\x04\x01\x01\x08\x87\x03\x00\x02\x01\x04",
    b"\x08\x03\x01\x02\x03\x04\x05\x06\x07\x08\x09\x83\x07\x00\x02\x04\x06\x08\x0a\x0c\x03\x02\
      \x05\x0e\x07\x03\x00\x07\x02",
];
