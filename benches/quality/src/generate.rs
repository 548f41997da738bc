//! Generated programs: assignments, ifs and short loops over a number of variables.

const MAX_NESTING: usize = 3;

/// A program with about this number of statements.
pub fn mixed(statements: usize, variables: usize) -> String {
    let seed = (statements * 1000 + variables) as u64;
    let mut writer = Writer { seed, left: statements, variables, text: String::new() };
    while writer.left > 0 {
        writer.statement(0);
    }
    let variable = |at: usize| format!("int v{at} = arg * {at} + {};\n", at * at);
    let declared: String = (0..variables).map(variable).collect();
    let counters: String = (0..MAX_NESTING).map(|at| format!("int turn{at} = 0;\n")).collect();
    let sum: Vec<String> = (0..variables).map(|at| format!("v{at}")).collect();
    let body = writer.text;
    format!("// arguments: 1 7 -30\n{declared}{counters}{body}return {};\n", sum.join(" + "))
}

struct Writer {
    seed: u64,
    /// The number of statements left to write.
    left: usize,
    variables: usize,
    text: String,
}

impl Writer {
    /// The upper bits of a linear congruential sequence.
    fn below(&mut self, limit: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
        (self.seed >> 33) as usize % limit
    }

    fn variable(&mut self) -> String {
        format!("v{}", self.below(self.variables))
    }

    fn statement(&mut self, nesting: usize) {
        self.left = self.left.saturating_sub(1);
        match self.below(10) {
            0 | 1 if nesting < MAX_NESTING => self.branch(nesting),
            2 if nesting < MAX_NESTING => self.repeat(nesting),
            _ => self.assignment(),
        }
    }

    fn assignment(&mut self) {
        let target = self.variable();
        let value = self.expression(2);
        // Most values depend on those before: else compilers would find constants.
        let assignment = match self.below(4) {
            0 if self.variables > 2 => format!("{target} = {value};\n"),
            1 => format!("{target} = {target} * {} - {value};\n", 2 * self.below(9) + 3),
            _ => format!("{target} = {target} + {value};\n"),
        };
        self.text += &assignment;
    }

    fn expression(&mut self, depth: usize) -> String {
        match self.below(8) {
            _ if depth == 0 => self.variable(),
            0 => format!("{}", self.below(100)),
            1 => format!("{} / {}", self.variable(), self.below(12) + 2),
            2 => format!("({} * {})", self.variable(), self.below(20)),
            3 => self.variable(),
            kind => {
                let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
                format!("({left} {} {right})", ["+", "-", "+", "*"][kind - 4])
            }
        }
    }

    fn branch(&mut self, nesting: usize) {
        let relation = ["<", "<=", "==", "!=", ">", ">="][self.below(6)];
        let (left, right) = (self.variable(), self.expression(1));
        self.text += &format!("if ({left} {relation} {right}) {{\n");
        self.block(nesting);
        if self.below(2) == 0 {
            self.text += "} else {\n";
            self.block(nesting);
        }
        self.text += "}\n";
    }

    fn repeat(&mut self, nesting: usize) {
        let (turn, turns) = (format!("turn{nesting}"), self.below(6) + 2);
        self.text += &format!("{turn} = 0;\nwhile ({turn} < {turns}) {{\n{turn} = {turn} + 1;\n");
        self.block(nesting);
        self.text += "}\n";
    }

    fn block(&mut self, nesting: usize) {
        for _ in 0..1 + self.below(4) {
            self.statement(nesting + 1);
        }
    }
}
