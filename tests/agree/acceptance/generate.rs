//! Random programs that test variables for null in many forms, as texts.
use super::super::random::Random;

/// Tests of the variable `q`, and whether they are true for an object.
const TESTS: [(&str, bool); 12] = [
    ("q", true),
    ("!q", false),
    ("!!q", true),
    ("q == null", false),
    ("null != q", true),
    ("!(q == null)", true),
    ("(q == null) == 0", true),
    ("0 == (q != null)", false),
    ("(q == null) == 1", false),
    ("(q != null) == true", true),
    ("(q == null) != 0", false),
    ("!q == false", true),
];

/// From chapter 16 on a field that is never null needs a value in each constructor.
#[cfg(feature = "ch16")]
const STRUCT: &str = "struct N { int v; flt f; N? n; N? o; }\n";
#[cfg(not(feature = "ch16"))]
const STRUCT: &str = "struct N { int v; flt f; N n; N? o; }\n";

const DECLARATIONS: &str = "N p0 = new N;
N p1 = p0;
N? q0 = null;
N? q1 = p1.o;
N? q2 = new N;
int i0 = arg;
int i1 = 3;
flt f0 = 2.5;
flt f1 = arg;
";

/// The variables that may be null.
const NULLABLE: [&str; 3] = ["q0", "q1", "q2"];

struct Generator {
    random: Random,
    /// Whether each of these variables is likely to be known to be an object here.
    known: [bool; 3],
    loops: usize,
    counters: usize,
    text: String,
}

pub fn program(seed: u64) -> String {
    let text = [STRUCT, DECLARATIONS].concat();
    let known = [false, false, true];
    let mut generator = Generator { random: Random(seed), known, loops: 0, counters: 0, text };
    (0..4).for_each(|_| generator.statement(3));
    generator.end();
    generator.text
}

impl Generator {
    fn object(&mut self) -> String {
        let mut names = vec!["p0", "p1"];
        let is_careless = self.random.once_in(4);
        let known = NULLABLE.iter().zip(self.known).filter(|it| it.1 || is_careless);
        names.extend(known.map(|it| *it.0));
        let name = self.random.pick(&names).to_string();
        match self.random.below(12) {
            0 => "(new N)".to_string(),
            1 => format!("({name}.v = {})", self.integer(0)),
            _ => name,
        }
    }

    /// A reference that may be null.
    fn reference(&mut self) -> String {
        match self.random.below(6) {
            0 => "null".to_string(),
            1 => self.random.pick(&NULLABLE).to_string(),
            2 => format!("{}.n", self.object()),
            3 => format!("{}.o", self.object()),
            _ => self.object(),
        }
    }

    fn integer(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 6 } else { 11 }) {
            0 => self.random.below(4).to_string(),
            1 => "arg".to_string(),
            2 => "i0".to_string(),
            3 => "i1".to_string(),
            4 | 5 => match self.random.once_in(100) {
                true => self.float(0),
                false => format!("{}.v", self.object()),
            },
            6 | 7 => {
                let sign = *self.random.pick(&["+", "-", "*", "<", "=="]);
                format!("({} {sign} {})", self.integer(depth - 1), self.integer(depth - 1))
            }
            8 => format!("({} < {})", self.float(depth - 1), self.float(depth - 1)),
            9 => format!("({} == {})", self.reference(), self.reference()),
            _ => "(arg == arg)".to_string(),
        }
    }

    fn float(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 4 } else { 5 }) {
            0 => "1.5".to_string(),
            1 => "f0".to_string(),
            2 => "f1".to_string(),
            3 => format!("{}.f", self.object()),
            _ => {
                let sign = *self.random.pick(&["+", "-", "*"]);
                format!("({} {sign} {})", self.integer(0), self.float(0))
            }
        }
    }

    fn push(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(if depth == 0 { 6 } else { 13 }) {
            0 => {
                let value = self.integer(2);
                let name = *self.random.pick(&["i0", "i1"]);
                self.push(&format!("{name} = {value};"));
            }
            1 => {
                let is_float = self.random.once_in(2);
                let value = if is_float { self.float(2) } else { self.integer(1) };
                let name = *self.random.pick(&["f0", "f1"]);
                self.push(&format!("{name} = {value};"));
            }
            2 | 3 => self.assignment(),
            4 | 5 => self.store(),
            6..=8 => self.test(depth),
            9 => self.guard(),
            10 | 11 => self.repetition(depth),
            _ => self.dead(depth),
        }
    }

    fn assignment(&mut self) {
        if self.random.once_in(4) {
            let (name, value) = (*self.random.pick(&["p0", "p1"]), self.object());
            return self.push(&format!("{name} = {value};"));
        }
        let at = self.random.below(3);
        let is_object = self.random.once_in(2);
        let value = if is_object { self.object() } else { self.reference() };
        self.known[at] = is_object;
        self.push(&format!("{} = {value};", NULLABLE[at]));
    }

    /// A statement begins with a name.
    fn store(&mut self) {
        let object = *self.random.pick(&["p0", "p1"]);
        let (field, value) = match self.random.below(4) {
            0 => ("v", self.integer(1)),
            1 => ("f", self.float(1)),
            2 => ("n", self.object()),
            _ => ("o", self.reference()),
        };
        self.push(&format!("{object}.{field} = {value};"));
    }

    /// A test of a variable, which is mentioned by its number.
    fn condition(&mut self, at: usize) -> (String, bool) {
        let (test, is_object) = *self.random.pick(&TESTS);
        (test.replace('q', NULLABLE[at]), is_object)
    }

    fn block(&mut self, depth: usize) {
        self.push("{");
        (0..1 + self.random.below(3)).for_each(|_| self.statement(depth));
        self.text += "}";
    }

    fn test(&mut self, depth: usize) {
        let at = self.random.below(3);
        let (test, is_object) = self.condition(at);
        let before = self.known;
        self.push(&format!("if ({test})"));
        self.known[at] = is_object;
        self.block(depth - 1);
        let then = std::mem::replace(&mut self.known, before);
        self.known[at] = !is_object;
        if self.random.once_in(2) {
            self.push(" else");
            self.block(depth - 1);
        }
        self.push("");
        let otherwise = self.known;
        self.known = [0, 1, 2].map(|at| then[at] && otherwise[at]);
    }

    /// Control leaves if a variable is null.
    fn guard(&mut self) {
        let at = self.random.below(3);
        let (test, is_object) = self.condition(at);
        let jumps = if self.loops > 0 { 3 } else { 1 };
        let jump = ["return i1;", "break;", "continue;"][self.random.below(jumps)];
        let arms = if is_object { format!("; else {jump}") } else { jump.to_string() };
        self.push(&format!("if ({test}) {arms}"));
        self.known[at] = true;
    }

    fn repetition(&mut self, depth: usize) {
        let at = self.random.below(3);
        self.known = if self.random.once_in(3) { self.known } else { [false; 3] };
        self.counters += 1;
        let counter = format!("k{}", self.counters);
        let (test, is_object) = match self.random.below(4) {
            0 => (counter.clone(), None),
            1 => (self.random.pick(&["true", "1", "arg == arg"]).to_string(), None),
            _ => {
                let (test, is_object) = self.condition(at);
                (test, Some(is_object))
            }
        };
        self.push(&format!("int {counter} = 4; while ({test}) {{"));
        self.push(&format!("{counter} = {counter} - 1; if ({counter} < 0) return i0;"));
        let outside = self.known;
        self.known[at] |= is_object == Some(true);
        self.loops += 1;
        (0..1 + self.random.below(3)).for_each(|_| self.statement(depth - 1));
        self.loops -= 1;
        self.push("}");
        self.known = outside;
        self.known[at] = is_object == Some(false);
    }

    fn dead(&mut self, depth: usize) {
        let before = self.known;
        match self.random.below(4) {
            0 => self.push("if (0)"),
            1 => self.push("while (0)"),
            2 => self.push("while (false)"),
            _ => self.push("if (arg * 0) {} else if (arg == arg) ; else"),
        }
        self.block(depth - 1);
        self.push("");
        self.known = [0, 1, 2].map(|at| before[at] && self.known[at]);
    }

    fn end(&mut self) {
        let value = match self.random.below(20) {
            0 => self.float(1),
            1 => self.reference(),
            _ => self.integer(2),
        };
        self.push(&format!("return {value};"));
    }
}
