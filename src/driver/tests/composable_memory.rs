//! Tests of composable rule sets with floats and memory: random patterns with loads and stores
//! inside, and graphs in which loads and operations on both kinds of numbers have several users.
use super::composable::{atomic, check_completed, completed, count, of_floats, with_other_costs};
use super::{emit, rules_of, select};
use crate::firm::{Access, Graph, Mode, NodeId, Op};
use crate::floats;
use crate::ia32::TARGET;
use crate::random::Random;
use crate::rules;
use crate::select::Selection;
use crate::select::options::{Method, SelectionOptions};
use crate::stage::Artifact;
use source::Source;

/// A kind of numbers: their operations in patterns, and the instruction that copies one.
#[derive(Clone, Copy)]
struct Numbers {
    operations: [&'static str; 2],
    constant: &'static str,
    load: &'static str,
    store: &'static str,
    copy: &'static str,
}

const NUMBERS: [Numbers; 2] = [
    Numbers {
        operations: ["Add:Is", "Sub:Is"],
        constant: "Const",
        load: "Load:Is",
        store: "Store:Is",
        copy: "mov",
    },
    Numbers {
        operations: ["Add:D", "Sub:D"],
        constant: "Const",
        load: "Load:D",
        store: "Store:D",
        copy: "movsd",
    },
];

/// Generates the patterns of one rule.
struct PatternGenerator<'r> {
    random: &'r mut Random,
    names: usize,
}

impl PatternGenerator<'_> {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn address(&mut self) -> String {
        let base = self.name();
        match self.random.below(2) {
            0 => base,
            _ => format!("Add:Is({base}, Const {})", self.name()),
        }
    }

    fn operand(&mut self, numbers: Numbers, levels: usize) -> String {
        match self.random.below(6) {
            0 => format!("{} {}", numbers.constant, self.name()),
            1..3 => format!("{}({}, {})", numbers.load, self.name(), self.address()),
            3..5 if levels > 0 => {
                let op = self.random.pick(&numbers.operations);
                let left = self.operand(numbers, levels - 1);
                format!("{op}({left}, {})", self.operand(numbers, levels - 1))
            }
            _ => self.name(),
        }
    }

    /// An operation, or a store of its result. The instructions are arbitrary.
    fn rule(&mut self) -> String {
        let numbers = self.random.pick(&NUMBERS);
        let Numbers { store, copy, .. } = numbers;
        let (op, inner) = (self.random.pick(&numbers.operations), self.operand(numbers, 1));
        let operation = match self.random.below(2) {
            0 => format!("{op}(x, {inner})"),
            _ => format!("{op}({inner}, x)"),
        };
        match self.random.below(3) {
            0 => format!("{store}(m, p, {operation}) => {copy} [p], x"),
            _ => format!("{operation} => {copy} d, x"),
        }
    }
}

fn random_rules(random: &mut Random) -> String {
    let mut text = String::new();
    for number in 0..3 + random.below(6) {
        let rule = PatternGenerator { random, names: 0 }.rule();
        let rule = format!("rule random-{number}: {rule}; cycles 1\n");
        let source = Source { name: "rule".into(), text: rule };
        // It may have too many operations.
        if rules::parse(&source, &TARGET).is_ok() {
            text += &source.text;
        }
    }
    text
}

/// A graph of one block, which is being made.
struct Tangle<'r> {
    random: &'r mut Random,
    graph: Graph,
    /// The last state of memory, and the address of an object.
    memory: NodeId,
    object: NodeId,
    integers: Vec<NodeId>,
    floats: Vec<NodeId>,
}

impl Tangle<'_> {
    fn add(&mut self, op: Op, mode: Mode, operands: &[NodeId]) -> NodeId {
        self.graph.add(op, mode, self.graph.start_block, operands)
    }

    fn address(&mut self) -> NodeId {
        match self.random.below(3) {
            0 => self.object,
            number => {
                let offset = self.add(Op::Const(8 * number as i64), Mode::Is, &[]);
                self.add(named("Add"), Mode::Is, &[self.object, offset])
            }
        }
    }

    /// Two of the last numbers.
    fn operands(&mut self, of: fn(&Self) -> &Vec<NodeId>) -> [NodeId; 2] {
        let count = of(self).len();
        let back = [(); 2].map(|()| 1 + self.random.below(count.min(4)));
        back.map(|back| of(self)[count - back])
    }

    fn grow(&mut self) {
        match self.random.below(8) {
            0..2 => {
                let (op, operands) =
                    (self.random.pick(&["Add", "Sub"]), self.operands(|it| &it.integers));
                let sum = self.add(named(op), Mode::Is, &operands);
                self.integers.push(sum);
            }
            2..4 => {
                let (op, operands) =
                    (self.random.pick(&["Add", "Sub"]), self.operands(|it| &it.floats));
                let sum = self.add(named(op), Mode::D, &operands);
                self.floats.push(sum);
            }
            4 => {
                let address = self.address();
                self.memory = self.add(Op::Load(Access::Plain), Mode::Is, &[self.memory, address]);
                self.integers.push(self.memory);
            }
            5 => {
                let address = self.address();
                self.memory = self.add(Op::Load(Access::Plain), Mode::D, &[self.memory, address]);
                self.floats.push(self.memory);
            }
            6 => {
                let [value, _] = self.operands(|it| &it.integers);
                self.store(value);
            }
            _ => {
                let [value, _] = self.operands(|it| &it.floats);
                self.store(value);
            }
        }
    }

    fn store(&mut self, value: NodeId) {
        let (address, mode) = (self.address(), self.graph.value_mode(value));
        let operands = [self.memory, address, value];
        self.memory = self.add(Op::Store(Access::Plain), mode, &operands);
    }

    /// Stores the values without users, and returns.
    fn finish(mut self) -> Graph {
        for value in [&self.integers[..], &self.floats].concat() {
            let is_used = self.graph.ids().any(|it| self.graph.operands(it).contains(&value));
            if !is_used {
                self.store(value);
            }
        }
        let end = self.add(Op::Return, Mode::Is, &[self.memory, self.object]);
        let block = self.graph.add_block(Op::EndBlock, &[end]);
        self.graph.add(Op::End, Mode::X, block, &[]);
        self.graph
    }
}

fn named(name: &str) -> Op {
    Op::kinds().find(|op| op.row().name == name).expect("a kind of Firm's")
}

fn tangle(random: &mut Random, size: usize) -> Graph {
    let mut graph = Graph::new();
    let (block, memory) = (graph.start_block, graph.start);
    let object = graph.add(Op::Argument(0), Mode::Is, block, &[memory]);
    let number = graph.add(Op::Const(floats::bits(3.5)), Mode::D, block, &[]);
    let (integers, floats) = (vec![object], vec![number]);
    let mut tangle = Tangle { random, graph, memory, object, integers, floats };
    (0..size).for_each(|_| tangle.grow());
    tangle.finish()
}

/// The chosen matches of random rules that contain a load, and of those with floats.
fn loads_and_floats(selection: &Selection) -> [usize; 2] {
    let rules = selection.chosen.iter().map(|it| selection.rules.rule(it.variant));
    let random: Vec<_> = rules.filter(|rule| rule.name.starts_with("random")).collect();
    ["Load", ":D("].map(|of| random.iter().filter(|rule| rule.text().contains(of)).count())
}

#[test]
fn completed_random_rules_for_floats_and_memory_cannot_fail() {
    let mut random = Random::new(13);
    let (mut completed_count, mut loads, mut of_random_floats) = (0, 0, 0);
    for _ in 0..count() {
        let text = atomic() + &of_floats() + &random_rules(&mut random);
        let whole = completed(&text).unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}"));
        check_completed(&whole);
        completed_count += usize::from(whole != text);
        let rules = rules_of(whole.clone());
        for _ in 0..50 {
            let costs = with_other_costs(&rules, &mut random);
            let size = 8 + random.below(16);
            let graph = tangle(&mut random, size);
            let options =
                SelectionOptions { method: Method::Heuristic, ..SelectionOptions::default() };
            let selection = select(&graph, &costs, options);
            let selection = selection.unwrap_or_else(|it| panic!("{it:?}\n{whole}"));
            assert_eq!(selection.verify(), [], "{whole}");
            assert_eq!(emit(&selection).verify(), [], "{whole}");
            let found = loads_and_floats(&selection);
            (loads, of_random_floats) = (loads + found[0], of_random_floats + found[1]);
        }
    }
    println!("{completed_count} completed: {loads} loads, {of_random_floats} floats");
    assert!(completed_count > count() / 4 && loads > 0 && of_random_floats > 0);
}

/// The rules for single loads and stores of bytes, half words and floats of one word in memory, and
/// for the rounding to such a float.
pub const OF_NARROW: &str = "\
rule load-byte: Load:Bu(m, p) => movzx d, [p]; cycles 3
rule load-signed-byte: Load:Bs(m, p) => movsx d, [p]; cycles 3
rule load-half: Load:Hu(m, p) => movzxh d, [p]; cycles 3
rule load-signed-half: Load:Hs(m, p) => movsxh d, [p]; cycles 3
rule store-byte: Store:Bu(m, p, x) => movb [p], x; cycles 1
rule store-half: Store:Hu(m, p, x) => movh [p], x; cycles 1
rule load-single: Load:F(m, p) => cvtss2sd d, [p]; cycles 6
rule store-single: Store:F(m, p, x) => cvtsd2ss t, x; movss [p], t; cycles 6
rule round: Conv:F(x) => cvtsd2ss t, x; cvtss2sd d, t; cycles 10
";
