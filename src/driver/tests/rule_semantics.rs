//! Tests machine rules by their definitions: programs are built from each rule's pattern, and the
//! rule's instructions must compute the results of Firm. No test is written for a single rule.
#[cfg(feature = "ch04")]
use super::rules_of;
use super::{all_built_in, built_in, emit, executable, outcome};
#[cfg(feature = "ch12")]
use crate::arith::Binary;
#[cfg(feature = "ch05")]
use crate::arith::Relation;
use crate::driver;
#[cfg(feature = "ch05")]
use crate::firm::EdgeKind;
#[cfg(feature = "ch18")]
use crate::firm::Signature;
use crate::firm::{AllowedBlock, Graph, Mode, NodeId, Op, Program};
#[cfg(feature = "ch12")]
use crate::floats;
#[cfg(feature = "ch04")]
use crate::ia32::code::Base;
use crate::ia32::code::{Code, Form};
use crate::ia32::{Operand, Register, encode};
use crate::random::Random;
use crate::rules::{MatchKey, Rule, RuleSet};
use crate::select::forced::force;
use crate::stage::{Artifact, Outcome, Termination};
use crate::target::{OperandConstraint, RegisterConstraint};
use arena::Id;

/// Edge cases of arithmetic, and some random numbers.
fn numbers() -> Vec<i64> {
    let edges = [0, 1, 2, 3, 5, 6, 7, 9, 10, 24, 100, 127, 129, 255, 641, 1000, 65_535];
    let powers = (2..31).map(|k| 1i64 << k);
    let mut all: Vec<i64> = edges.into_iter().chain(powers).flat_map(|it| [it, -it]).collect();
    all.extend([i64::from(i32::MIN), i64::from(i32::MAX), i64::from(i32::MIN) + 1]);
    let mut random = Random::new(1);
    all.extend((0..20).map(|_| i64::from(random.word())));
    all.extend((0..20).map(|_| i64::from(random.word() >> 16)));
    all.sort_unstable();
    all.dedup();
    all
}

/// Addresses in the heap. Most memory is far from its ends.
#[cfg(feature = "ch10")]
fn addresses() -> Vec<i64> {
    use crate::heap::{NEXT, SIZE, START};
    let middle = NEXT + SIZE / 2;
    let near = [NEXT, START, START + 4, NEXT + SIZE - 4].into_iter().map(i64::from);
    near.chain((0..30).map(|at| i64::from(middle + 4096 * at))).collect()
}

/// The numbers for the leaves and the constants of a rule, and for the argument.
fn numbers_of(_rule: &Rule) -> Vec<i64> {
    #[cfg(feature = "ch10")]
    if _rule.accesses_memory() {
        let few = [0, 1, -1, 4, -128].into_iter().chain(numbers().into_iter().step_by(3));
        return addresses().into_iter().chain(few).collect();
    }
    numbers()
}

/// A graph as a program of IA-32.
fn program(graph: &Graph) -> Program {
    Program {
        functions: vec![graph.clone()],
        #[cfg(feature = "ch10")]
        result: crate::heap::ResultFormat::Integer,
    }
}

/// A value for a leaf of a pattern, built from a number.
type Leaf = fn(&mut Graph, i64) -> NodeId;

const LEAVES: &[Leaf] = &[
    constant,
    #[cfg(feature = "ch04")]
    argument,
    #[cfg(feature = "ch04")]
    multiple,
    #[cfg(feature = "ch04")]
    shifted,
    #[cfg(feature = "ch05")]
    truth,
];

/// The use of the value of a pattern, and of a value that it read.
type Ending = fn(&mut Graph, NodeId, NodeId) -> NodeId;

const ENDS: &[Ending] = &[
    |_, root, _| root,
    #[cfg(feature = "ch02")]
    difference,
    #[cfg(feature = "ch02")]
    product,
];

#[cfg(feature = "ch02")]
fn difference(graph: &mut Graph, root: NodeId, leaf: NodeId) -> NodeId {
    add(graph, binary("Sub"), &[root, leaf])
}

#[cfg(feature = "ch02")]
fn product(graph: &mut Graph, root: NodeId, leaf: NodeId) -> NodeId {
    let difference = difference(graph, root, leaf);
    add(graph, binary("Mul"), &[difference, root])
}

#[cfg(feature = "ch02")]
pub fn binary(name: &str) -> Op {
    let op = Op::kinds().find(|op| op.row().name == name);
    op.expect("a kind of Firm's")
}

/// Adds an operation in its first mode to the last block, or to the first if it belongs there.
fn add(graph: &mut Graph, op: Op, operands: &[NodeId]) -> NodeId {
    add_in(graph, op.row().modes[0], op, operands)
}

fn add_in(graph: &mut Graph, mode: Mode, op: Op, operands: &[NodeId]) -> NodeId {
    let is_block = |id: &NodeId| graph.op(*id).is_block();
    let last = graph.ids().rev().find(is_block).filter(|_| op.row().block == AllowedBlock::Any);
    graph.add(op, mode, last.unwrap_or(graph.start_block), operands)
}

fn constant(graph: &mut Graph, number: i64) -> NodeId {
    add(graph, Op::Const(i64::from(number as i32)), &[])
}

#[cfg(feature = "ch04")]
fn argument(graph: &mut Graph, _: i64) -> NodeId {
    add(graph, Op::Argument(0), &[graph.start])
}

#[cfg(feature = "ch04")]
fn multiple(graph: &mut Graph, number: i64) -> NodeId {
    let (argument, odd) = (argument(graph, 0), constant(graph, 2 * number + 1));
    add(graph, binary("Mul"), &[argument, odd])
}

#[cfg(feature = "ch04")]
fn shifted(graph: &mut Graph, number: i64) -> NodeId {
    let (argument, number) = (argument(graph, 0), constant(graph, number));
    add(graph, binary("Add"), &[argument, number])
}

#[cfg(feature = "ch05")]
fn truth(graph: &mut Graph, number: i64) -> NodeId {
    let (argument, number) = (argument(graph, 0), constant(graph, number));
    add(graph, Op::Cmp(Relation::Less), &[argument, number])
}

/// The number as a float; a third of it, so that results are rounded.
#[cfg(feature = "ch12")]
fn float(graph: &mut Graph, number: NodeId) -> NodeId {
    let number = add(graph, Op::Conv(Mode::D), &[number]);
    let three = add_in(graph, Mode::D, Op::Const(floats::bits(3.0)), &[]);
    add_in(graph, Mode::D, Op::Binary(Binary::Div), &[number, three])
}

/// A program, and the node that the pattern of a rule matches.
struct Example {
    graph: Graph,
    root: NodeId,
}

/// A program built from a rule; `choice` selects its leaves and its ending.
fn example(rule: &Rule, filling: &[i64], mut choice: usize, random: &mut Random) -> Example {
    let mut pick = |limit: usize| {
        let picked = choice % limit;
        choice /= limit;
        picked
    };
    let mut graph = Graph::new();
    let mut end = ENDS[pick(ENDS.len())];
    let same = pick(4) == 3;
    let mut leaves: Vec<NodeId> = Vec::new();
    for mode in rule.leaves() {
        let leaves_of = if rule.takes_constants() { LEAVES } else { &LEAVES[1..] };
        let leaf = leaves_of[pick(leaves_of.len())];
        let number = random.pick(&numbers_of(rule));
        let leaf = leaf(&mut graph, number);
        #[cfg(feature = "ch14")]
        let leaf = if rule.requires_natural() { natural(&mut graph, leaf) } else { leaf };
        #[cfg(feature = "ch12")]
        let leaf = if mode == Mode::D { float(&mut graph, leaf) } else { leaf };
        let first = leaves.first().filter(|it| same && graph.value_mode(**it) == mode);
        leaves.push(*first.unwrap_or(&leaf));
    }
    let mut roots = rule.build(&mut graph, filling, &leaves);
    let root = roots.pop().expect("a rule has a root");
    if !roots.is_empty() {
        // All results are used.
        end = ENDS[ENDS.len() - 1];
    }
    let words = leaves.iter().filter(|it| graph.value_mode(**it) == Mode::Is);
    let leaf = roots.last().or(words.copied().next().as_ref()).copied();
    let returns = returns_of(&mut graph, root, end, leaf);
    let block = graph.add_block(Op::EndBlock, &returns);
    graph.add(Op::End, Mode::X, block, &[]);
    #[cfg(feature = "ch18")]
    if graph
        .ids()
        .any(|id| matches!((graph.op(id), graph.node(id).mode), (Op::Argument(_), Mode::D)))
    {
        graph.signature = Signature::new(2, 1);
    }
    assert_eq!(graph.verify(), [], "{}", graph.print());
    Example { graph, root }
}

/// A number whose range is known not to contain a negative one: x - x / c · c + c - 1.
#[cfg(feature = "ch14")]
fn natural(graph: &mut Graph, x: NodeId) -> NodeId {
    let [divisor, largest] = [1 << 30, (1 << 30) - 1].map(|number| constant(graph, number));
    let quotient = add(graph, Op::Binary(Binary::Div), &[x, divisor]);
    let product = add(graph, Op::Binary(Binary::Mul), &[quotient, divisor]);
    let remainder = add(graph, Op::Binary(Binary::Sub), &[x, product]);
    add(graph, Op::Binary(Binary::Add), &[remainder, largest])
}

/// The nodes after the root, up to the Returns.
fn returns_of(graph: &mut Graph, root: NodeId, end: Ending, leaf: Option<NodeId>) -> Vec<NodeId> {
    match graph.op(root) {
        Op::Return => vec![root],
        #[cfg(feature = "ch12")]
        _ if graph.value_mode(root) == Mode::D => {
            vec![add_in(graph, Mode::D, Op::Return, &[graph.start, root])]
        }
        #[cfg(feature = "ch05")]
        Op::Jmp => vec![branch_target(graph, root, EdgeKind::Always, end, leaf)],
        #[cfg(feature = "ch05")]
        Op::Cond => vec![
            branch_target(graph, root, EdgeKind::True, end, leaf),
            branch_target(graph, root, EdgeKind::False, end, leaf),
        ],
        // The stored value is loaded again.
        #[cfg(feature = "ch12")]
        Op::Store(access) if graph.node(root).mode.is_float() => {
            let (address, mode) = (graph.operands(root)[1], graph.node(root).mode);
            let loaded = add_in(graph, mode, Op::Load(access), &[root, address]);
            vec![add_in(graph, Mode::D, Op::Return, &[loaded, loaded])]
        }
        #[cfg(feature = "ch10")]
        Op::Store(access) => {
            let address = graph.operands(root)[1];
            let mode = graph.node(root).mode;
            let loaded = add_in(graph, mode, Op::Load(access), &[root, address]);
            let value = end(graph, loaded, leaf.unwrap_or(loaded));
            vec![add(graph, Op::Return, &[loaded, value])]
        }
        _ => {
            let value = end(graph, root, leaf.unwrap_or(root));
            vec![add(graph, Op::Return, &[graph.start, value])]
        }
    }
}

/// A block after a jump. Its constant shows which edge was taken.
#[cfg(feature = "ch05")]
fn branch_target(
    graph: &mut Graph,
    jump: NodeId,
    edge: EdgeKind,
    end: Ending,
    leaf: Option<NodeId>,
) -> NodeId {
    let block = graph.add_block(Op::Block, &[jump]);
    graph.set_edge_kind(block, 0, edge);
    let number = constant(graph, if edge == EdgeKind::False { 222 } else { 111 });
    let value = end(graph, number, leaf.unwrap_or(number));
    add(graph, Op::Return, &[graph.start, value])
}

/// Every combination of the numbers of a pattern.
fn combinations(fillings: &[Vec<i64>]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for filling in fillings {
        let longer = |start: &Vec<i64>, last: &i64| [start.as_slice(), &[*last]].concat();
        all = all.iter().flat_map(|it| filling.iter().map(|last| longer(it, last))).collect();
    }
    all
}

/// The maximal number of combinations of numbers that are tried.
const MAX_FILLINGS: usize = 250;

/// A counterexample to the rule `name` of `rules`, if one is found.
pub fn refute(rules: &RuleSet, name: &str) -> Option<String> {
    let rule = rules.catalogue().find(|rule| rule.name == name).expect("a rule of the set");
    let arguments = numbers_of(rule);
    let (mut random, mut choice) = (Random::new(2), 0);
    let mut fillings = combinations(&rule.instantiations(&numbers_of(rule)));
    let step = fillings.len().div_ceil(MAX_FILLINGS).max(1);
    fillings = fillings.into_iter().step_by(step).collect();
    assert!(!fillings.is_empty(), "{name}: its guards permit no number that is tested");
    let rounds = (500 / fillings.len()).max(2);
    let mut compared = 0;
    for filling in (0..rounds).flat_map(|_| &fillings) {
        let example = example(rule, filling, choice, &mut random);
        choice += 1;
        let program = program(&example.graph);
        let selection = force(&example.graph, rules, name, example.root)
            .unwrap_or_else(|| panic!("{name} does not match\n{}", example.graph.print()));
        for code in executable(&selection) {
            assert_eq!(code.verify(), [], "{name}\n{}", code.print());
            for &argument in arguments.iter().skip(choice % 8).step_by(8) {
                let expected = match rules.target.name {
                    "ia32" => program.eval(argument),
                    _ => outcome(&example.graph, argument),
                };
                let Some(Outcome { end: Termination::Value(_), .. }) = expected else { continue };
                compared += 1;
                let found = code.eval(argument);
                if found != expected {
                    let (firm, code) = (example.graph.print(), code.print());
                    return Some(format!("{name}({argument}): {found:?}\n{firm}\n{code}"));
                }
            }
        }
    }
    assert!(compared > 100, "{name}: only {compared} outcomes were compared");
    None
}

/// Whether the rule is about functions, which a single graph lacks: programs of functions test it.
fn needs_functions(rule: &Rule) -> bool {
    const NAMES: [&str; 5] =
        ["call", "call-value", "float-call", "float-call-value", "function-address"];
    NAMES.contains(&&*rule.name)
}

#[test]
fn each_rule_computes_its_pattern() {
    for rules in all_built_in() {
        for rule in rules.catalogue().filter(|rule| !needs_functions(rule)) {
            assert_eq!(refute(&rules, &rule.name), None);
        }
    }
}

/// The built-in rules, with a text replaced.
#[cfg(feature = "ch04")]
pub fn planted(from: &str, to: &str) -> RuleSet {
    let text = driver::built_in_rules().text;
    assert!(text.contains(from), "no `{from}` in the rules");
    rules_of(text.replace(from, to))
}

/// Planted faults: the name of the rule, the original text, and the replacement.
#[cfg(feature = "ch04")]
pub const FAULTS: &[(&str, &str, &str)] = &[
    ("sub", "=> sub x, y;", "=> mov d, y; sub d, x;"),
    ("add-128", "if c == 128 => sub x, -c", "if c == 128 => sub x, c"),
    (
        "div-shift-neg",
        "shr t, rest-shift(c); add x, t; sar x, log2(c); neg x",
        "sar x, log2(c); neg x",
    ),
    ("div-magic", "if magic-plain(c)", "if magic-plus(c)"),
    (
        "div-shift-neg",
        "div-shift-neg: Div:Is(x, Const c) if negative-power",
        "div-shift-neg: Div:Is(x, Const c) if power",
    ),
    ("lea/scaled-both", "[x + y*s + c]", "[x + y*s]"),
    ("lea/scaled", "if scale(s) => [x + y*s]", "if scale(s) => [x + y*4]"),
    (
        "lea/multiple",
        "if one-more-than-scale(s) => [x + x*predecessor(s)]",
        "if scale(s) => [x + x*s]",
    ),
    ("inc", "if c == 1 => inc x", "if c == 1 => dec x"),
    #[cfg(feature = "ch05")]
    ("compare", "=> set.r t; movzx d, t", "=> set.eq t; movzx d, t"),
    ("compare/zero", "if c == 0 => r after test", "if scale(c) => r after test"),
    ("sub/constant", "sub x, y; cycles", "add x, y; cycles"),
    ("idiv", "cdq; idiv y; out eax; clobbers edx;", "cdq; idiv y; out edx; clobbers eax;"),
    #[cfg(feature = "ch05")]
    ("branch", "=> j.r true; jmp false", "=> j.r false; jmp true"),
    #[cfg(feature = "ch05")]
    ("branch/constant", "r after cmp x, y", "r after cmp x, 3"),
    #[cfg(feature = "ch05")]
    ("branch/zero", "=> r after test x, x", "=> eq after test x, x"),
];

#[cfg(feature = "ch04")]
#[test]
fn planted_faults_are_found() {
    for (rule, from, to) in FAULTS {
        assert!(refute(&planted(from, to), rule).is_some(), "{rule}: {to}");
    }
}

/// Relations by name, in a rule that binds none.
#[cfg(feature = "ch05")]
#[test]
fn named_relations_have_their_meaning() {
    for (relation, is_right) in [("ne", true), ("gt", true), ("eq", false), ("ge", false)] {
        let jump = format!("test x, x; j.{relation} true; jmp false; cycles 2");
        let rules = format!("{}\nrule any: Cond:X(x) => {jump}", driver::built_in_rules().text);
        assert_eq!(refute(&rules_of(rules), "any").is_none(), is_right, "{relation}");
    }
}

/// The bytes of the instructions that a rule has emitted into `code` for `root`.
fn length(rule: &Rule, code: &Code, root: NodeId) -> usize {
    let origin = root.index() as u32;
    let mut own = code.instructions.iter().filter(|instruction| instruction.origin == origin);
    own.by_ref().take(rule.fixed.len()).for_each(drop);
    let mut body = Code { form: Form::Allocated, ..code.clone() };
    body.instructions.clear();
    for step in &rule.steps {
        // The instructions before that of the step copy operands.
        let instruction = own.find(|instruction| instruction.op as usize == step.instruction);
        let mut instruction = *instruction.expect("a step is an instruction");
        let ecx = Register::from_index(1);
        #[cfg(feature = "ch12")]
        let xmm1 = Register::from_index(crate::ia32::register::FIRST_FLOAT + 1);
        instruction.rename(|slot, register| match slot {
            _ if register.is_real() => register,
            #[cfg(feature = "ch12")]
            OperandConstraint::Register(_, RegisterConstraint::Float) => xmm1,
            _ => ecx,
        });
        for operand in &mut instruction.operands {
            *operand = laid_out(*operand);
        }
        body.instructions.push(instruction);
    }
    TARGET_BLOCKS.iter().for_each(|fill| fill(&mut body));
    let encoded = encode(&body);
    encoded.offsets.get(rule.steps.len()).map_or(encoded.bytes.len(), |&end| end as usize)
}

/// Fills the target blocks.
const TARGET_BLOCKS: &[fn(&mut Code)] = &[
    #[cfg(feature = "ch05")]
    |code| {
        for block in code.blocks.ids().skip(1) {
            code.blocks[block].first = code.instructions.len() as u32;
            code.push(crate::ia32::Op::Ret, &[], 0);
        }
    },
];

/// Without a frame, the arguments are above the return address.
fn laid_out(operand: Operand) -> Operand {
    match operand {
        #[cfg(feature = "ch04")]
        Operand::Address(mut address) => {
            if let Base::Argument(number) = address.base() {
                address.set_base(Register::ESP);
                address.displacement += 4 * (number as i32 + 1);
            }
            Operand::Address(address)
        }
        _ => operand,
    }
}

#[test]
fn the_length_of_a_match_is_that_of_its_code() {
    let (rules, mut random) = (built_in(), Random::new(3));
    for rule in rules.catalogue() {
        let fillings = combinations(&rule.instantiations(&numbers()));
        let step = fillings.len().div_ceil(MAX_FILLINGS).max(1);
        for filling in fillings.iter().step_by(step) {
            let example = example(rule, filling, 0, &mut random);
            let selection = force(&example.graph, &rules, &rule.name, example.root);
            let selection = selection.expect("it matches");
            // A leaf may match the same rule.
            let is_forced = |key: &&MatchKey| {
                rules.rule(key.variant).name == rule.name
                    && selection.program.firm(key.root) == example.root
            };
            let key = selection.chosen.iter().find(is_forced);
            let found = key.expect("it is chosen").matched(&rules, &selection.program);
            let length = length(rule, &emit(&selection), example.root);
            assert_eq!(length, rules.bytes(&found) as usize, "{} {filling:?}", rule.text());
        }
    }
}
