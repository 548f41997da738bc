//! One statement of every construct, for templates, and the templates that are made of them.
use crate::random::Random;
use crate::templates::{ARRANGEMENTS, Template};

/// One statement of every construct.
const STATEMENTS: &[&str] = &[
    "x = x * 3 + #;",
    "x = -(x * x);",
    "y = x - y;",
    "x = x / 7;",
    "x = x / y;",
    "x = x + x;",
    "y = x;",
    "z = x * y + #;",
    "x = !x;",
    "x = (x < y) + (x == #);",
    "{ int t = x * 3; y = y + t; }",
    "v# = v# * 3 + x;",
    "v# = v@ + 1;",
    "x = x + v#;",
    "if (x < #) x = x + y;",
    "if (y == #) x = 1; else x = y;",
    "if (x) y = #;",
    "if (1) x = x + 1;",
    "if (0) x = y;",
    "if (arg == #) return x;",
    "if (arg) x = x + 1;",
    "if (x < #) { if (y < #) x = y; y = x + 1; }",
    "if (x == #) v# = x;",
    "while (x < #) x = x + y + 1;",
    "while (y < x) { y = y + 1; if (y == #) break; x = x - 1; }",
    "while (x < y) { x = x + 1; if (x == #) continue; y = y - 1; }",
    "while (z < #) { z = z + 1; while (y < z) y = y + 2; }",
    "while (0) x = 1;",
    "if (arg == #) while (1) x = x + 1;",
    "if (arg == #) while (1) ;",
    "f = f * 1.5 + 0.5;",
    "f = -f;",
    "g = f / g;",
    "f = x;",
    "x = x + (f < g);",
    "if (f < g) f = f + 1.5;",
    "while (f < g) f = f + 1.5;",
    "p.a = p.a + x;",
    "p.a = #;",
    "x = x + p.a;",
    "p.f = p.f * 1.5;",
    "f = p.f;",
    "p.n = q;",
    "q = p.n;",
    "if (q) x = x + q.a;",
    "if (q) q.a = x;",
    "if (!q) q = new S;",
    "while (q) q = q.n;",
    "q = new S;",
    "p = new S;",
    "if (1) q = new S;",
    "if (x < #) q = new S;",
    "if (x < #) p = new S;",
    "if (x < #) p.a = x;",
    "while (p.a < #) p.a = p.a + 1;",
    "w.field# = w.field# + x;",
    "w.field# = x;",
    "x = x + w.field#;",
    "x = x + w.field0;",
    "if (x < #) w.field# = w.field# + 1;",
    "while (x < w.field#) x = x + 1;",
    "{ S s = new S; s.a = x; s.n = q; q = s; }",
    "{ S s = new S; s.a = x; x = x + s.a * 3; }",
    "r.a = r.a + x;",
    "x = x + r.a;",
    "f = r.f;",
    "if (x < #) r.a = x;",
    "if (x == #) r = p;",
    "u.field# = x;",
    "x = x + u.field#;",
    "if (x < #) u.field# = u.field# + 1;",
    "while (y < x) { y = y + 1; u.field# = y; }",
    "while (y < u.field#) y = y + 1;",
    "if (x == #) u = w;",
    "s#.a = x;",
    "x = x + s#.a;",
    "if (x == #) s#.a = x;",
    "if (x == #) s# = p;",
];

/// Statements that only a loop may contain.
const JUMPS: &[&str] = &["if (x == #) break;", "if (x == #) continue;", "if (r.a < x) continue;"];

/// Each statement alone, in each arrangement.
pub fn singles() -> impl Iterator<Item = Template> {
    let all = STATEMENTS.iter().chain(JUMPS);
    let all = all.flat_map(|&it| ARRANGEMENTS.iter().map(move |to| Template::new(&[it], to.name)));
    all.filter(is_possible)
}

/// One to five statements in any arrangement; some of them jump, if they are in a loop.
pub fn random(seed: u64) -> Template {
    let mut random = Random(seed);
    let mut statements = Vec::new();
    for _ in 0..1 + random.below(5) {
        let of = if random.once_in(8) { JUMPS } else { STATEMENTS };
        statements.push(*random.pick(of));
    }
    let templates = ARRANGEMENTS.iter().map(|it| Template::new(&statements, it.name));
    let possible: Vec<_> = templates.filter(is_possible).collect();
    random.pick(&possible).clone()
}

/// Whether all jumps are in a loop.
fn is_possible(template: &Template) -> bool {
    let is_loop = template.arrangement.name.contains("loop");
    is_loop || !template.statements.iter().any(|it| JUMPS.contains(it))
}
