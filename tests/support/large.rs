//! Large programs: with any number of statements, variables and blocks.
#[cfg(feature = "ch07")]
use crate::random::Random;

/// Each statement computes a variable from two others; all of them are part of the result.
pub fn arithmetic(statements: usize, variables: usize) -> String {
    let assigned = (0..statements).map(|at| {
        let [to, left, right] = [at, at * 7 + 1, at * 3 + 2].map(|it| it % variables);
        format!("v{to} = v{left} * {} + v{right};\n", at % 97 + 3)
    });
    around(&assigned.collect::<String>(), variables)
}

/// `body` between declarations of v0, v1, … and a return of their sum.
fn around(body: &str, variables: usize) -> String {
    let declared = (0..variables).map(|at| format!("int v{at} = arg + {at};\n"));
    let sum: Vec<String> = (0..variables).map(|at| format!("v{at}")).collect();
    format!("{}{body}return {};\n", declared.collect::<String>(), sum.join(" + "))
}

/// This number of blocks, 200 of them nested at a time, each with its own variable.
#[cfg(feature = "ch05")]
pub fn blocks(blocks: usize) -> String {
    const DEEP: usize = 200;
    let body = (0..blocks).map(|at| {
        let close = (at + 1) % DEEP == 0 || at + 1 == blocks;
        let open = format!("if (v0 < {at}) {{ int w = v0 * 3;\nv1 = v1 + w;\nv0 = w + v1;\n");
        open + &"}".repeat(if close { at % DEEP + 1 } else { 0 })
    });
    around(&body.collect::<String>(), 2)
}

/// This number of flags in a loop, each of which is set if the one before it is. None ever is;
/// analysis takes as many steps.
#[cfg(feature = "ch07")]
pub fn flags(count: usize) -> String {
    let flags = |each: &dyn Fn(usize) -> String| (0..count).map(each).collect::<String>();
    let declared = flags(&|at| format!("int v{at} = 0;\n"));
    let set = flags(&|at| format!("if (v{at} != 0) v{} = 1;\n", (at + 1) % count.max(2)));
    let sum: Vec<String> = (0..count).map(|at| format!("v{at}")).collect();
    let body = format!("while (arg > 0) {{ arg = arg - 1;\n{set}}}\n");
    format!("{declared}{body}return {};\n", sum.join(" + "))
}

/// A loop that changes this number of variables and has as many exits, after which they stay the
/// same.
#[cfg(feature = "ch08")]
pub fn breaks(count: usize) -> String {
    let changed = (0..count).map(|at| format!("v{at} = v{at} * 3 + turn;\n"));
    let breaks = (0..count).map(|at| format!("if (turn == {}) break;\n", at + 3));
    let [changed, breaks] = [changed.collect::<String>(), breaks.collect()];
    let body = format!("while (1) {{ turn = turn + 1;\n{changed}{breaks}}}\n");
    around(&format!("int turn = 0;\n{body}"), count)
}

/// Quotients of two variables: each instruction for one needs certain registers.
pub fn divisions(statements: usize) -> String {
    let divided = (0..statements).map(|at| match at % 2 {
        0 => format!("v0 = v0 / v1 + {at};\n"),
        _ => "v1 = v1 + v0 / 7;\n".to_string(),
    });
    around(&divided.collect::<String>(), 2)
}

/// This number of loops, one after the other, over the same three variables.
#[cfg(feature = "ch07")]
pub fn loops(count: usize) -> String {
    let loops = (0..count).map(|at| {
        let body = format!("turn = turn + 1; v0 = v0 + v1 * turn; v1 = v1 + v2; v2 = v2 - {at};");
        format!("turn = 0;\nwhile (turn < arg) {{ {body} }}\n")
    });
    around(&format!("int turn = 0;\n{}", loops.collect::<String>()), 3)
}

/// A loop with this number of exits and of jumps to its next iteration.
#[cfg(feature = "ch08")]
pub fn exits(count: usize) -> String {
    let exits = (0..count)
        .map(|at| format!("if (v0 == {at}) break;\nif (v0 * 3 == {at}) continue;\nv0 = v0 + 1;\n"));
    let body = exits.collect::<String>();
    around(&format!("while (v0 < arg * 1000) {{ v0 = v0 + 1;\n{body}}}\n"), 1)
}

/// Arithmetic in ifs and whiles, nested up to four deep. Each while has three iterations.
#[cfg(feature = "ch07")]
pub fn mixed(statements: usize, variables: usize) -> String {
    let random = Random(statements as u64);
    let mut writer = Writer { random, left: statements, variables, text: String::new() };
    while writer.left > 0 {
        writer.statement(0);
    }
    let counters: String = (0..MAX_NESTING).map(|at| format!("int turn{at} = 0;\n")).collect();
    around(&(counters + &writer.text), variables)
}

/// The nesting limit of ifs and whiles.
#[cfg(feature = "ch07")]
const MAX_NESTING: usize = 4;

#[cfg(feature = "ch07")]
struct Writer {
    random: Random,
    /// The number of statements left to write.
    left: usize,
    variables: usize,
    text: String,
}

#[cfg(feature = "ch07")]
impl Writer {
    fn statement(&mut self, depth: usize) {
        self.left = self.left.saturating_sub(1);
        match self.random.below(10) {
            0 | 1 if depth < MAX_NESTING => self.branch(depth),
            2 if depth < MAX_NESTING => self.turns(depth),
            _ => self.assignment(),
        }
    }

    fn assignment(&mut self) {
        let [to, left, right] = self.names();
        let sign = *self.random.pick(&["+", "-", "*"]);
        let number = self.random.below(100);
        self.text += &format!("{to} = {left} {sign} {right} + {number};\n");
    }

    fn branch(&mut self, depth: usize) {
        let [left, right, _] = self.names();
        let sign = *self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
        self.text += &format!("if ({left} {sign} {right}) {{\n");
        self.few(depth);
        if self.random.once_in(2) {
            self.text += "} else {\n";
            self.few(depth);
        }
        self.text += "}\n";
    }

    fn turns(&mut self, depth: usize) {
        let turn = format!("turn{depth}");
        self.text += &format!("{turn} = 0;\nwhile ({turn} < 3) {{\n{turn} = {turn} + 1;\n");
        self.left = self.left.saturating_sub(2);
        self.few(depth);
        self.text += "}\n";
    }

    fn few(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth + 1);
        }
    }

    fn names(&mut self) -> [String; 3] {
        [(); 3].map(|()| format!("v{}", self.random.below(self.variables)))
    }
}
