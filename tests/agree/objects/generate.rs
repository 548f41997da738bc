//! Random statements with objects. What is known about null is kept while a program is made, so
//! that it accesses no field of null; only unchecked programs may.
use super::super::generate::Generator;
use super::super::program::Statement::{Assign, Block, If, While};
use super::super::program::{Expression, Program, Statement};
use super::super::statements::{binary, name};
use super::meaning::ASSIGNED_VALUE;
use super::{Declaration, ObjectExpression, ObjectStatement, pointer_name};

/// The structs of a program.
#[derive(Default)]
pub struct Objects {
    structs: Vec<Struct>,
    /// The struct of the results, if they are objects.
    result: Option<usize>,
    /// Whether a program may access a field of null.
    pub is_unchecked: bool,
    /// The number of loops that were open around the innermost block.
    loops: usize,
}

struct Struct {
    name: &'static str,
    fields: Vec<&'static str>,
}

/// A pointer variable.
#[derive(Clone)]
pub struct Pointer {
    name: String,
    /// The number of its struct.
    of: usize,
    nullable: bool,
    may_be_null: bool,
    /// Whether the innermost block has made it null, perhaps.
    has_changed: bool,
}

const STRUCTS: [&str; 3] = ["A", "B", "C"];
const FIELDS: [&str; 4] = ["a", "b", "x", "arg"];

/// The declarations at the beginning of a program: structs and pointers.
pub fn first(generator: &mut Generator) -> Program {
    if !generator.open.has_objects() {
        return Vec::new();
    }
    let mut program = Vec::new();
    let structs = 1 + generator.random.below(STRUCTS.len());
    for (of, &name) in STRUCTS.iter().enumerate().take(structs) {
        let mut fields = FIELDS.to_vec();
        let count = if generator.random.once_in(8) { 0 } else { 1 + generator.random.below(4) };
        let number = if of == 0 { count.max(1) } else { count };
        while fields.len() > number {
            fields.remove(generator.random.below(fields.len()));
        }
        program.push(declared_struct(name, &fields));
        generator.open.objects.structs.push(Struct { name, fields });
        for _ in 0..1 + generator.random.below(2) {
            program.extend(declared(generator, of, false));
        }
        for _ in 0..generator.random.below(3) {
            program.extend(declared(generator, of, true));
        }
    }
    let structs = generator.open.objects.structs.len();
    let has_object = generator.random.once_in(3);
    generator.open.objects.result = has_object.then(|| generator.random.below(structs));
    program
}

fn declared_struct(name: &str, fields: &[&str]) -> Statement {
    let fields = fields.iter().map(|field| field.to_string()).collect();
    Statement::Object(ObjectStatement::Struct(name.to_string(), fields))
}

/// A pointer to objects of any struct.
pub fn declaration(generator: &mut Generator) -> Program {
    let of = any_struct(generator);
    let nullable = generator.random.once_in(2);
    declared(generator, of, nullable)
}

fn any_struct(generator: &mut Generator) -> usize {
    let structs = generator.open.objects.structs.len();
    generator.random.below(structs)
}

/// The declaration of a pointer. Inner names may hide outer ones.
fn declared(generator: &mut Generator, of: usize, nullable: bool) -> Program {
    let (value, may_be_null) = pointer(generator, of, nullable);
    let struct_name = generator.open.objects.structs[of].name;
    let own = &mut generator.open.block().pointers;
    let new = |number| pointer_name(struct_name, nullable, number);
    let is_fresh = |name: &String| own.iter().all(|pointer| pointer.name != *name);
    let name = (0..).map(new).find(is_fresh).expect("there are many names");
    let has_changed = may_be_null;
    own.push(Pointer { name: name.clone(), of, nullable, may_be_null, has_changed });
    let is_null = value == null();
    let value = if is_null && generator.random.once_in(2) { None } else { Some(value) };
    let declaration = Declaration { of: struct_name.to_string(), nullable, name, value };
    vec![Statement::Object(ObjectStatement::Declare(declaration))]
}

/// Every visible pointer that `is_good`.
fn visible(generator: &Generator, is_good: impl Fn(&Pointer) -> bool) -> Vec<Pointer> {
    let mut names: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for pointer in generator.open.blocks.iter().rev().flat_map(|block| &block.pointers) {
        if !names.contains(&&pointer.name[..]) {
            names.push(&pointer.name);
            found.extend(is_good(pointer).then(|| pointer.clone()));
        }
    }
    found
}

fn pick(generator: &mut Generator, is_good: impl Fn(&Pointer) -> bool) -> Option<Pointer> {
    let found = visible(generator, is_good);
    (!found.is_empty()).then(|| generator.random.pick(&found).clone())
}

/// A value for a pointer, and whether it may be null.
fn pointer(generator: &mut Generator, of: usize, nullable: bool) -> (Expression, bool) {
    let careless = generator.open.objects.is_unchecked && generator.random.once_in(6);
    let is_good = |it: &Pointer| it.of == of && (nullable || careless || !it.may_be_null);
    let known = pick(generator, is_good);
    match (generator.random.below(8), known) {
        (0 | 1, _) if nullable => (null(), true),
        (2, _) => (changed(generator, of), false),
        (3..8, Some(known)) => (name(&known.name), known.may_be_null),
        _ => (new(generator, of), false),
    }
}

fn null() -> Expression {
    Expression::Object(ObjectExpression::Null)
}

fn new(generator: &Generator, of: usize) -> Expression {
    let name = generator.open.objects.structs[of].name.to_string();
    Expression::Object(ObjectExpression::New(name))
}

/// `(p.a = e)`, or a new object if there is no such field.
fn changed(generator: &mut Generator, of: usize) -> Expression {
    match place(generator, Some(of), |it| !it.nullable) {
        Some((object, field)) if !ASSIGNED_VALUE => set(object, field, generator.value()),
        _ => new(generator, of),
    }
}

fn set(object: Expression, field: String, value: Expression) -> Expression {
    Expression::Object(ObjectExpression::Set(Box::new(object), field, Box::new(value)))
}

fn field(object: Expression, field: String) -> Expression {
    Expression::Object(ObjectExpression::Field(Box::new(object), field))
}

/// A name and a field of its object, which is of a struct or of any.
fn place(
    generator: &mut Generator,
    of: Option<usize>,
    is_good: impl Fn(&Pointer) -> bool,
) -> Option<(Expression, String)> {
    let careless = generator.open.objects.is_unchecked && generator.random.once_in(6);
    let structs = &generator.open.objects.structs;
    let has_fields: Vec<bool> = structs.iter().map(|it| !it.fields.is_empty()).collect();
    let pointer = pick(generator, |it| {
        has_fields[it.of] && of.is_none_or(|of| it.of == of) && (careless || is_good(it))
    })?;
    let field = any_field(generator, pointer.of);
    Some((name(&pointer.name), field))
}

fn any_field(generator: &mut Generator, of: usize) -> String {
    generator.random.pick(&generator.open.objects.structs[of].fields).to_string()
}

/// A field, or a value that depends on pointers. It may be used again later, so it accesses no
/// pointer that can be null.
pub fn leaf(generator: &mut Generator) -> Option<Expression> {
    if !generator.open.has_objects() || !generator.random.once_in(3) {
        return None;
    }
    if generator.random.once_in(8) {
        return test(generator);
    }
    let (object, name) = place(generator, None, |it| !it.nullable)?;
    let object = match generator.random.below(12) {
        0 if !ASSIGNED_VALUE => {
            let other = name.clone();
            let value = generator.random.below(100) as i32;
            set(object, other, Expression::Number(value))
        }
        _ => object,
    };
    Some(field(object, name))
}

/// A condition on pointers.
pub fn condition(generator: &mut Generator) -> Option<Expression> {
    if !generator.open.has_objects() || !generator.random.once_in(3) {
        return None;
    }
    let pointer = pick(generator, |_| true)?;
    let is_direct = generator.random.once_in(3);
    if is_direct { Some(name(&pointer.name)) } else { test(generator) }
}

/// A test of a pointer, or of two, as an integer.
fn test(generator: &mut Generator) -> Option<Expression> {
    let first = pick(generator, |_| true)?;
    let second = pick(generator, |it| it.of == first.of)?;
    let sign = *generator.random.pick(&["==", "!="]);
    let second = name(&second.name);
    let first = name(&first.name);
    Some(match generator.random.below(6) {
        0 => not(first),
        1 => not(not(first)),
        2 => binary(sign, first, null()),
        _ => binary(sign, first, second),
    })
}

fn not(inner: Expression) -> Expression {
    Expression::Object(ObjectExpression::Not(Box::new(inner)))
}

/// The object that a program returns, if its results are objects.
pub fn result(generator: &mut Generator) -> Option<Expression> {
    let of = generator.open.objects.result?;
    Some(pointer(generator, of, true).0)
}

/// All fields of all pointers that are never null.
pub fn all_fields(generator: &Generator) -> Vec<Expression> {
    let mut all = Vec::new();
    for pointer in visible(generator, |it| !it.nullable) {
        let fields = &generator.open.objects.structs[pointer.of].fields;
        all.extend(fields.iter().map(|it| field(name(&pointer.name), it.to_string())));
    }
    all
}

fn execute(expression: Expression) -> Statement {
    Statement::Object(ObjectStatement::Do(expression))
}

/// `p.a = e;`
pub fn store(generator: &mut Generator) -> Program {
    let Some((object, field)) = place(generator, None, |it| !it.may_be_null) else {
        return declaration(generator);
    };
    vec![execute(set(object, field, generator.value()))]
}

/// `x = p.a;`
pub fn load(generator: &mut Generator) -> Program {
    let (Some(variable), Some((object, name))) =
        (generator.variable(), place(generator, None, |it| !it.may_be_null))
    else {
        return declaration(generator);
    };
    vec![Assign(variable, field(object, name))]
}

/// `p.a = p.a + e;`
pub fn accumulation(generator: &mut Generator) -> Program {
    let Some((object, name)) = place(generator, None, |it| !it.may_be_null) else {
        return declaration(generator);
    };
    let sign = *generator.random.pick(&["+", "+", "-", "*"]);
    let sum = binary(sign, field(object.clone(), name.clone()), generator.leaf());
    vec![execute(set(object, name, sum))]
}

/// `if (c) p.a = e;`, or with an `else`, or a pointer that changes.
pub fn store_in_one_arm(generator: &mut Generator) -> Program {
    let condition = super::super::control::condition(generator);
    let change = store(generator);
    let is_declaration = matches!(&change[..], [Statement::Object(ObjectStatement::Declare(_))]);
    let other = if generator.random.once_in(3) { generator.assignment() } else { Vec::new() };
    match generator.random.below(4) {
        _ if is_declaration => change,
        0 => vec![If(condition, other, change)],
        _ => vec![If(condition, change, other)],
    }
}

/// `p = q;`, `n = null;` or `p = new S;`
pub fn assignment(generator: &mut Generator) -> Program {
    let Some(pointer) = pick(generator, |_| true) else { return declaration(generator) };
    let (value, may_be_null) = self::pointer(generator, pointer.of, pointer.nullable);
    vec![assign(generator, &pointer.name, value, may_be_null)]
}

fn assign(
    generator: &mut Generator,
    name: &str,
    value: Expression,
    may_be_null: bool,
) -> Statement {
    let pointer = innermost(generator, name);
    pointer.may_be_null = may_be_null && pointer.nullable;
    pointer.has_changed |= pointer.may_be_null;
    Assign(name.to_string(), value)
}

/// The visible pointer of this name.
fn innermost<'g>(generator: &'g mut Generator, name: &str) -> &'g mut Pointer {
    let pointers = generator.open.blocks.iter_mut().rev().flat_map(|block| &mut block.pointers);
    let mut named = pointers.filter(|pointer| pointer.name == name);
    named.next().expect("the pointer is visible")
}

/// Two pointers are swapped.
pub fn swap(generator: &mut Generator) -> Program {
    let Some(first) = pick(generator, |_| true) else { return declaration(generator) };
    let is_like = |it: &Pointer| it.of == first.of && it.nullable == first.nullable;
    let second = pick(generator, is_like).expect("the first is one");
    let of = generator.open.objects.structs[first.of].name.to_string();
    let declaration = Declaration {
        of,
        nullable: first.nullable,
        name: "t".to_string(),
        value: Some(name(&first.name)),
    };
    let temporary = Statement::Object(ObjectStatement::Declare(declaration));
    let changes = [
        assign(generator, &first.name, name(&second.name), second.may_be_null),
        assign(generator, &second.name, name("t"), first.may_be_null),
    ];
    let [first, second] = changes;
    vec![Block(vec![temporary, first, second])]
}

/// A pointer that may be null, for a test; another one if there is none.
fn tested(generator: &mut Generator) -> Option<Pointer> {
    let nullable = pick(generator, |it| it.nullable);
    nullable.or_else(|| pick(generator, |_| true))
}

/// A test of one pointer, and whether it is true for null.
fn null_condition(generator: &mut Generator, tested: &str) -> (Expression, bool) {
    let tested = name(tested);
    match generator.random.below(6) {
        0 => (tested, false),
        1 => (not(tested), true),
        2 => (binary("==", tested, null()), true),
        3 => (binary("!=", null(), tested), false),
        4 => (not(not(tested)), false),
        _ => (binary("!=", tested, null()), false),
    }
}

/// `if (n) { … n.a … } else { … }`
pub fn null_test(generator: &mut Generator) -> Program {
    let Some(pointer) = tested(generator).filter(|_| generator.open.may_nest()) else {
        return assignment(generator);
    };
    let (condition, is_for_null) = null_condition(generator, &pointer.name);
    let then = arm(generator, &pointer, is_for_null);
    let has_other = is_for_null || generator.random.once_in(2);
    let otherwise = if has_other { arm(generator, &pointer, !is_for_null) } else { Vec::new() };
    vec![If(condition, then, otherwise)]
}

/// An arm in which a pointer is known to be null, or not to be null.
fn arm(generator: &mut Generator, pointer: &Pointer, is_null: bool) -> Program {
    generator.inner_after(|generator| {
        innermost(generator, &pointer.name).may_be_null = is_null && pointer.nullable;
        if is_null { Vec::new() } else { use_of(generator, pointer) }
    })
}

/// Uses of the fields of a pointer that is not null now.
fn use_of(generator: &mut Generator, pointer: &Pointer) -> Program {
    if generator.open.objects.structs[pointer.of].fields.is_empty() {
        return Vec::new();
    }
    let [from, to] = [(); 2].map(|()| any_field(generator, pointer.of));
    let object = name(&pointer.name);
    let value = binary("+", field(object.clone(), from), generator.leaf());
    let store = execute(set(object.clone(), to.clone(), value));
    match (generator.random.below(4), generator.variable()) {
        (0, Some(variable)) => vec![store, Assign(variable, field(object, to))],
        (1, Some(variable)) => vec![Assign(variable, field(object, to))],
        (2, _) => Vec::new(),
        _ => vec![store],
    }
}

/// `if (!n) n = new S;`, or another statement after which `n` is not null.
pub fn guard(generator: &mut Generator) -> Program {
    let Some(pointer) = tested(generator) else { return declaration(generator) };
    let (condition, is_for_null) = null_condition(generator, &pointer.name);
    let last = match generator.random.below(4) {
        0 => {
            let value = generator.value();
            generator.result(value)
        }
        1 if generator.open.loops.1 > 0 => Statement::Break,
        2 if generator.open.loops.1 > 0 => Statement::Continue,
        _ => Assign(pointer.name.clone(), new(generator, pointer.of)),
    };
    let (then, otherwise) = match is_for_null {
        true => (vec![last], Vec::new()),
        false => (Vec::new(), vec![last]),
    };
    innermost(generator, &pointer.name).may_be_null = false;
    let mut program = vec![If(condition, then, otherwise)];
    program.extend(use_of(generator, &pointer));
    program
}

/// `while (n) { n.a = n.a + 1; … n = null; }`
pub fn while_not_null(generator: &mut Generator) -> Program {
    let Some(pointer) = pick(generator, |it| it.nullable).filter(|_| generator.open.may_nest())
    else {
        return assignment(generator);
    };
    let condition = match generator.random.below(3) {
        0 => binary("!=", name(&pointer.name), null()),
        _ => name(&pointer.name),
    };
    generator.open.loops.1 += 1;
    let is_early = generator.random.once_in(2);
    let mut body = generator.inner_after(|generator| {
        innermost(generator, &pointer.name).may_be_null = false;
        let mut first = use_of(generator, &pointer);
        if is_early {
            first.extend(end(generator, &pointer));
        }
        first
    });
    if !is_early {
        // What the body has changed is unknown here.
        body.push(Assign(pointer.name.clone(), null()));
        innermost(generator, &pointer.name).has_changed = true;
    }
    generator.open.loops.1 -= 1;
    vec![While(condition, body)]
}

/// Makes a pointer null, which ends its loop, perhaps after some iterations.
fn end(generator: &mut Generator, pointer: &Pointer) -> Program {
    let is_always = generator.open.objects.structs[pointer.of].fields.is_empty();
    let null = assign(generator, &pointer.name, null(), true);
    if is_always || generator.random.once_in(2) {
        return vec![null];
    }
    let object = name(&pointer.name);
    let counter = any_field(generator, pointer.of);
    let sum = binary("+", field(object.clone(), counter.clone()), Expression::Number(1));
    let limit = Expression::Number(generator.random.below(5) as i32);
    let test = binary("<", limit, field(object.clone(), counter.clone()));
    vec![execute(set(object, counter, sum)), If(test, vec![null], Vec::new())]
}

/// What is known when a block begins; in a loop, nothing is known of pointers that can be null.
pub struct Known {
    pointers: Vec<Vec<Pointer>>,
    loops: usize,
}

pub fn enter(generator: &mut Generator) -> Known {
    let open = &mut generator.open;
    let pointers = open.blocks.iter().map(|block| block.pointers.clone()).collect();
    let known = Known { pointers, loops: open.objects.loops };
    let is_loop = open.loops.1 > known.loops;
    open.objects.loops = open.loops.1;
    for pointer in open.blocks.iter_mut().flat_map(|block| &mut block.pointers) {
        pointer.has_changed = is_loop && pointer.nullable;
        pointer.may_be_null |= pointer.has_changed;
    }
    known
}

/// After a block, a pointer may be null if it was so before, or if the block has made it null.
pub fn leave(generator: &mut Generator, known: Known) {
    generator.open.objects.loops = known.loops;
    let blocks = generator.open.blocks.iter_mut().zip(known.pointers);
    for (now, before) in blocks.flat_map(|(block, before)| block.pointers.iter_mut().zip(before)) {
        now.may_be_null = before.may_be_null || now.has_changed;
        now.has_changed |= before.has_changed;
    }
}
