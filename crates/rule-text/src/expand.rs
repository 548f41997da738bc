//! Forms: named lists of patterns, expanded when the file is read.
//!
//! ```text
//! form operand: y => y
//! form operand/constant: Const c => c
//! rule add: Add(x, operand y) => add x, y; cycles 1
//! ```
//! A rule that uses a form stands for several rules, one for each alternative of the form: here
//! for `add` with the pattern `Add(x, y)`, and for `add/constant` with `Add(x, Const y)`.
//! Instructions of an alternative come before those of the rule, its guards are added to those of
//! the rule, and so are its cycles. A name that an alternative binds is renamed if the rule has it,
//! too. If a rule uses a form twice with one name, the alternative is the same in both places.
use crate::error::Error;
use crate::rule::{MAX_COST, out_of_range};
use crate::tree::*;
use std::collections::{HashMap, HashSet};

/// The maximal number of rules that one rule, or alternatives that one form stands for.
pub const MAX_ALTERNATIVES: usize = 1000;

/// The maximal number of forms that an expanded rule consists of.
pub const MAX_USES: usize = 16;

/// The rules without forms.
pub fn expand(rules: Vec<RuleAst>, forms: &[FormAst], errors: &mut Vec<Error>) -> Vec<RuleAst> {
    if forms.is_empty() {
        return rules;
    }
    let mut written: HashMap<&str, Vec<&FormAst>> = HashMap::new();
    for form in forms {
        written.entry(names(form).0).or_default().push(form);
    }
    let mut expander = Expander { written, expanded: HashMap::new(), open: Vec::new(), errors };
    // Every form, so that those have their errors that no rule uses.
    forms.iter().for_each(|form| expander.prepare(&form.name));
    rules.into_iter().flat_map(|rule| expander.rules(rule)).collect()
}

/// The name of the form, and that of the alternative; empty if it has none.
fn names(form: &FormAst) -> (&str, &str) {
    form.name.text.split_once('/').unwrap_or((&form.name.text, ""))
}

struct Expander<'f> {
    /// The alternatives of each form.
    written: HashMap<&'f str, Vec<&'f FormAst>>,
    /// The same without forms inside, once they are needed.
    expanded: HashMap<&'f str, Vec<Body>>,
    /// The forms that are being expanded, each inside the one before it.
    open: Vec<&'f str>,
    errors: &'f mut Vec<Error>,
}

/// A rule or an alternative of a form, while its forms are expanded.
#[derive(Clone)]
struct Body {
    operands: Vec<OperandAst>,
    guards: Vec<GuardAst>,
    instructions: Vec<InstructionAst>,
    clobbers: Vec<Identifier>,
    cycles: u32,
    /// The result of an alternative.
    result: Option<ArgumentAst>,
    alternatives: Vec<Alternative>,
    /// The names of the alternatives, each after a slash.
    suffix: String,
    /// The number of instructions of expanded forms; the others follow them.
    prefix: usize,
}

/// The use of a form in a pattern: `operand y`.
struct Use {
    form: Identifier,
    name: Identifier,
}

impl<'f> Expander<'f> {
    fn rules(&mut self, rule: RuleAst) -> Vec<RuleAst> {
        let body = Body {
            operands: rule.roots.iter().cloned().map(OperandAst::Pattern).collect(),
            guards: rule.guards.clone(),
            instructions: rule.instructions.clone(),
            clobbers: rule.clobbers.clone(),
            cycles: rule.cycles,
            result: None,
            alternatives: Vec::new(),
            suffix: String::new(),
            prefix: 0,
        };
        let bodies = self.bodies(&rule.name, body);
        let mut rules: Vec<_> =
            bodies.into_iter().filter_map(|body| self.with_body(&rule, body)).collect();
        let text = rule.to_string();
        for expanded in rules.iter_mut().filter(|it| !it.alternatives.is_empty()) {
            expanded.with_forms = Some(text.clone());
        }
        number_equal_names(&mut rules);
        rules
    }

    /// The rule with a body without forms.
    fn with_body(&mut self, rule: &RuleAst, body: Body) -> Option<RuleAst> {
        let mut roots = Vec::new();
        for operand in body.operands {
            let OperandAst::Pattern(pattern) = operand else {
                let message = format!("`{operand}` is no pattern");
                let label = "it cannot be a result of a rule";
                self.errors.push(Error::rule(operand.span(), message, label));
                return None;
            };
            roots.push(pattern);
        }
        if body.cycles > MAX_COST {
            self.errors.push(out_of_range(rule.name.span));
            return None;
        }
        let name = Identifier { text: format!("{}{}", rule.name.text, body.suffix), ..rule.name };
        Some(RuleAst {
            name,
            roots,
            guards: body.guards,
            instructions: body.instructions,
            clobbers: body.clobbers,
            cycles: body.cycles,
            alternatives: body.alternatives,
            ..rule.clone()
        })
    }

    /// Expands the alternatives of a form, unless it is no form or that has been done.
    fn prepare(&mut self, name: &Identifier) {
        let name_of_form = name.text.split_once('/').map_or(&*name.text, |it| it.0);
        let Some((&form, alternatives)) = self.written.get_key_value(name_of_form) else { return };
        if self.expanded.contains_key(form) {
            return;
        }
        if self.open.contains(&form) || self.open.len() == MAX_USES {
            let message = format!("form `{form}` contains itself, or too many forms");
            self.errors.push(Error::rule(name.span, message, "here"));
            self.expanded.insert(form, Vec::new());
            return;
        }
        self.open.push(form);
        let mut expanded = Vec::new();
        for alternative in alternatives.clone() {
            expanded.extend(self.bodies(&alternative.name, body(alternative)));
        }
        self.open.pop();
        self.expanded.entry(form).or_insert(expanded);
    }

    /// All combinations of alternatives for the forms in a body.
    fn bodies(&mut self, name: &Identifier, body: Body) -> Vec<Body> {
        let (mut open, mut done) = (vec![body], Vec::new());
        while let Some(body) = open.pop() {
            let Some(used) = body.operands.iter().find_map(|it| self.first_use(it)) else {
                done.push(body);
                continue;
            };
            if open.len() + done.len() > MAX_ALTERNATIVES || body.alternatives.len() > MAX_USES {
                let message = format!("`{name}` stands for too many rules, or for too large ones");
                let label = format!("at most {MAX_ALTERNATIVES}, of {MAX_USES} forms each");
                self.errors.push(Error::rule(name.span, message, label));
                return Vec::new();
            }
            self.prepare(&used.form);
            let alternatives = self.expanded.get(used.form.text.as_str());
            let mut bodies = Vec::new();
            for alternative in alternatives.into_iter().flatten() {
                match body.with(&used, alternative.clone()) {
                    Ok(body) => bodies.push(body),
                    Err(error) => {
                        self.errors.push(error);
                        return Vec::new();
                    }
                }
            }
            // The first alternative is expanded next, so the order is that of the file.
            open.extend(bodies.into_iter().rev());
        }
        done
    }

    /// The first use of a form in a pattern, in written order. Patterns nest at most 20 deep, and
    /// few forms are inside each other, so this recurses.
    fn first_use(&self, operand: &OperandAst) -> Option<Use> {
        let OperandAst::Pattern(pattern) = operand else { return None };
        if let (true, Some(name)) = (self.is_form(&pattern.operation), &pattern.attribute) {
            return Some(Use { form: pattern.operation.clone(), name: name.clone() });
        }
        pattern.operands.iter().find_map(|it| self.first_use(it))
    }

    fn is_form(&self, name: &Identifier) -> bool {
        self.written.contains_key(name.text.as_str())
    }
}

/// Numbers rules whose names are equal since they use two forms, or one form twice.
fn number_equal_names(rules: &mut [RuleAst]) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for RuleAst { name, .. } in rules {
        let count = counts.entry(name.text.clone()).or_default();
        *count += 1;
        if *count > 1 {
            name.text = format!("{}-{count}", name.text);
        }
    }
}

/// An alternative as it is written.
fn body(form: &FormAst) -> Body {
    let own = names(form).1;
    Body {
        operands: vec![form.operand.clone()],
        guards: form.guards.clone(),
        instructions: form.instructions.clone(),
        clobbers: form.clobbers.clone(),
        cycles: form.cycles,
        result: Some(form.result.clone()),
        alternatives: vec![Alternative { name: form.name.clone(), span: form.span }],
        suffix: if own.is_empty() { String::new() } else { format!("/{own}") },
        prefix: 0,
    }
}

impl Body {
    /// The same with an alternative in the place of a use of its form.
    fn with(&self, used: &Use, mut alternative: Body) -> Result<Body, Error> {
        let mut body = self.clone();
        alternative.avoid_names_of(&body, used);
        let (Some(result), Some(operand)) = (&alternative.result, alternative.operands.first())
        else {
            unreachable!("an alternative of a form has an operand and a result")
        };
        body.operands.iter_mut().for_each(|it| it.replace(used, operand));
        body.replace_result(&used.name, result)?;
        body.guards.extend(alternative.guards);
        let count = alternative.instructions.len();
        body.instructions.splice(body.prefix..body.prefix, alternative.instructions);
        body.prefix += count;
        body.clobbers.extend(alternative.clobbers);
        body.cycles = body.cycles.saturating_add(alternative.cycles);
        body.alternatives.extend(alternative.alternatives);
        body.suffix += &alternative.suffix;
        Ok(body)
    }

    /// Renames the names that the alternative binds and the rule has, too, and those that only its
    /// instructions have and a pattern of the rule binds. Its result gets the name of the use, if a
    /// pattern binds it.
    fn avoid_names_of(&mut self, rule: &Body, used: &Use) {
        let mut rest = rule.clone();
        let nothing = OperandAst::Number(0, used.name.span);
        rest.operands.iter_mut().for_each(|it| it.replace(used, &nothing));
        let (bound, own) = (self.bound_names(), self.names());
        let (bound_by_rule, mut names_of_rule) = (rest.bound_names(), rest.names());
        // The name of the use vanishes, unless the rule binds it elsewhere, or an address takes its
        // place: that may contain an equal name of the alternative.
        let of_use = &used.name.text;
        let is_renamed = matches!(self.result, Some(ArgumentAst::Name(_)));
        if is_renamed && !bound_by_rule.contains(of_use) {
            names_of_rule.remove(of_use);
        }
        let mut taken: HashSet<String> = &own | &names_of_rule;
        let mut called: HashMap<String, String> = HashMap::new();
        if let Some(ArgumentAst::Name(result)) = &self.result
            && bound.contains(&result.text)
        {
            called.insert(result.text.clone(), of_use.clone());
        }
        let mut all: Vec<&String> = own.iter().collect();
        all.sort_unstable();
        for name in all.into_iter().filter(|name| !called.contains_key(*name)).collect::<Vec<_>>() {
            let of_rule = if bound.contains(name) { &names_of_rule } else { &bound_by_rule };
            if of_rule.contains(name) || called.values().any(|it| it == name) {
                let numbered = (2..).map(|number| format!("{name}{number}"));
                let new = numbered.into_iter().find(|it| !taken.contains(it));
                let new = new.expect("numbers do not end");
                taken.insert(new.clone());
                called.insert(name.clone(), new);
            }
        }
        self.for_each_name(&mut |it| {
            if let Some(new) = called.get(&it.text) {
                it.text.clone_from(new);
            }
        });
    }

    fn for_each_name(&mut self, visit: &mut dyn FnMut(&mut Identifier)) {
        self.operands.iter_mut().for_each(|it| it.for_each_name(visit));
        self.guards.iter_mut().for_each(|it| it.for_each_name(visit));
        self.instructions.iter_mut().for_each(|it| it.for_each_name(visit));
        self.result.iter_mut().for_each(|it| it.for_each_name(visit));
    }

    /// All names but those of operations, instructions and registers that patterns require.
    fn names(&mut self) -> HashSet<String> {
        let mut names = HashSet::new();
        self.for_each_name(&mut |it| {
            names.insert(it.text.clone());
        });
        names
    }

    /// The names in its patterns.
    fn bound_names(&mut self) -> HashSet<String> {
        let mut names = HashSet::new();
        let operands = self.operands.iter_mut();
        operands.for_each(|operand| {
            operand.for_each_name(&mut |it| {
                names.insert(it.text.clone());
            });
        });
        names
    }

    /// Puts the result of an alternative in the place of its name.
    fn replace_result(&mut self, name: &Identifier, result: &ArgumentAst) -> Result<(), Error> {
        if let ArgumentAst::Name(result) = result {
            // The place in the rule is kept, so that reports point at it.
            let mut rename = |it: &mut Identifier| {
                if it.text == name.text {
                    it.text.clone_from(&result.text);
                }
            };
            self.guards.iter_mut().for_each(|it| it.for_each_name(&mut rename));
            self.instructions.iter_mut().for_each(|it| it.for_each_name(&mut rename));
            self.result.iter_mut().for_each(|it| it.for_each_name(&mut rename));
            return Ok(());
        }
        let of_instructions = self.instructions.iter_mut().flat_map(|it| &mut it.operands);
        for argument in of_instructions.chain(&mut self.result) {
            argument.replace(name, result);
        }
        let mut left = None;
        let mut find = |it: &mut Identifier| {
            left = left.or((it.text == name.text).then_some(it.span));
        };
        self.guards.iter_mut().for_each(|it| it.for_each_name(&mut find));
        self.instructions.iter_mut().for_each(|it| it.for_each_name(&mut find));
        self.result.iter_mut().for_each(|it| it.for_each_name(&mut find));
        let Some(span) = left else { return Ok(()) };
        let message = format!("`{name}` is `{result}` here, and no name");
        Err(Error::rule(span, message, "only a name fits here"))
    }
}

impl OperandAst {
    /// Puts `operand` in the place of all uses of a form with one name.
    fn replace(&mut self, used: &Use, operand: &OperandAst) {
        let OperandAst::Pattern(pattern) = self else { return };
        let name = pattern.attribute.as_ref().map(|it| &it.text);
        if pattern.operation.text == used.form.text && name == Some(&used.name.text) {
            *self = operand.clone();
            return;
        }
        pattern.operands.iter_mut().for_each(|it| it.replace(used, operand));
    }
}

impl ArgumentAst {
    /// Puts a number or an address in the place of a name.
    fn replace(&mut self, name: &Identifier, result: &ArgumentAst) {
        match (&mut *self, result) {
            (ArgumentAst::Name(it), _) if it.text == name.text => *self = result.clone(),
            (ArgumentAst::Address(terms, _), ArgumentAst::Address(new, _)) => {
                let is_name =
                    |it: &TermAst| matches!(it, TermAst::Name(it, None) if it.text == name.text);
                if let Some(at) = terms.iter().position(is_name) {
                    terms.splice(at..=at, new.iter().cloned());
                }
            }
            (ArgumentAst::Address(terms, _), ArgumentAst::Immediate(new)) => {
                for term in terms {
                    if matches!(&*term, TermAst::Name(it, None) if it.text == name.text) {
                        *term = TermAst::Immediate(new.clone());
                    }
                }
            }
            _ => {}
        }
    }
}
