//! Composes rules from others: the instructions of a cover, one after the other.
//!
//! The cover of an operand leaves its value under a new name, and the next rule uses this name for
//! the operand. If a rule needs an operand in a real register, a `mov` puts it there, as in
//! selection. So the new rule computes what selection would have computed, at the same cost
//! (Buchwald, Zwinkau 2010, section 4.4).
use super::cover::{Cover, Pieces, position};
use super::overlay::Counterpart;
use super::pattern::{NameId, Pattern};
use super::required_patterns::{GuardedPattern, parts};
use super::{OperandTemplate, ResultLocation, Rule, RuleSet, print};
use crate::target::Target;
use rule_text::RuleAst;

/// The reason why no rule can be generated for a pattern.
pub enum Impossible {
    /// No rules cover it together.
    NoCover,
    /// It would have more names than a rule may have.
    TooLarge(String),
}

/// A rule as text, without a tag. Its name consists of the names of its parts.
pub struct Generated {
    pub name: String,
    pub text: String,
}

/// The cheapest rule for the pattern of `need`.
pub fn compose(
    (rules, pieces): (&RuleSet, &Pieces),
    trees: &[RuleAst],
    target: &Target,
    need: &GuardedPattern,
) -> Result<Generated, Impossible> {
    let all = parts(&need.pattern);
    let mut writer = Writer {
        rules,
        trees,
        target,
        covers: pieces.covers(need),
        computed: vec![None; all.len()],
        all,
        names: print::names(&need.pattern),
        repeated: repeated(&need.pattern),
        free: Vec::new(),
        made: 0,
        used: Vec::new(),
        steps: Vec::new(),
        written: Vec::new(),
        out: None,
        cycles: 0,
    };
    writer.write(0).ok_or(Impossible::NoCover)?;
    let names = writer.names.len() + writer.made;
    if names > Rule::MAX_NAMES {
        return Err(Impossible::TooLarge(format!("it takes {names} names")));
    }
    Ok(writer.finish(need))
}

/// The names of values that occur several times in a pattern.
fn repeated(pattern: &Pattern) -> Vec<NameId> {
    let values = pattern.values();
    let several = |name_id: &&NameId| values.iter().filter(|it| it == name_id).count() > 1;
    values.iter().filter(several).copied().collect()
}

struct Writer<'r> {
    rules: &'r RuleSet,
    trees: &'r [RuleAst],
    target: &'r Target,
    covers: Vec<Option<Cover<'r>>>,
    all: Vec<&'r Pattern>,
    /// The names that hold the values of repeated operations, once they are computed.
    computed: Vec<Option<String>>,
    names: Vec<String>,
    repeated: Vec<NameId>,
    /// New names that are free again, and the number of all new names.
    free: Vec<String>,
    made: usize,
    /// The rules whose instructions were written, in order.
    used: Vec<usize>,
    steps: Vec<String>,
    /// The real registers that were written.
    written: Vec<u8>,
    out: Option<u8>,
    cycles: u32,
}

impl Writer<'_> {
    /// Writes the instructions that compute an operation; returns the name of its value. Patterns
    /// are small, so this recurses.
    fn write(&mut self, at: usize) -> Option<String> {
        if let Some(known) = &self.computed[at] {
            return Some(known.clone());
        }
        let (number, substitution) =
            self.covers[at].as_ref().map(|it| (it.rule, it.substitution.clone()))?;
        let rules = self.rules;
        let rule = &rules.rules[number];
        let mut called: Vec<Option<String>> = vec![None; rule.names.len()];
        let mut own = Vec::new();
        for (name_id, counterpart) in substitution {
            let (name, is_kept) = match counterpart {
                Counterpart::Below(part) => {
                    (self.write(position(&self.all, part))?, part.name.is_some())
                }
                Counterpart::Name(name) => {
                    (self.names[usize::from(name)].clone(), self.repeated.contains(&name))
                }
                Counterpart::Covered(_) => continue,
            };
            let is_copied = is_kept && self.writes(rule, name_id);
            let name = if is_copied { self.copy(&name) } else { name };
            let is_own = is_copied || !is_kept && matches!(counterpart, Counterpart::Below(_));
            own.extend(is_own.then(|| name.clone()));
            called[usize::from(name_id)] = Some(name);
        }
        for name in called.iter_mut().filter(|name| name.is_none()) {
            own.push(self.fresh());
            *name = own.last().cloned();
        }
        let called: Vec<String> = called.into_iter().flatten().collect();
        self.apply(number, rule, &called);
        let result = if at == 0 { String::new() } else { self.result(rule, &called) };
        self.free.extend(own.into_iter().filter(|name| *name != result));
        self.computed[at] = self.all[at].name.map(|_| result.clone());
        Some(result)
    }

    /// Whether the instructions of a rule write the register of this name.
    fn writes(&self, rule: &Rule, name: NameId) -> bool {
        rule.steps.iter().any(|step| {
            let row = &self.target.instructions[step.instruction];
            let mut named = step.operands.iter().zip(row.operands);
            named.any(|(operand, slot)| {
                slot.writes() && matches!(operand, OperandTemplate::Register(it) if *it == name)
            })
        })
    }

    /// A name that the pattern does not use.
    fn fresh(&mut self) -> String {
        self.free.pop().unwrap_or_else(|| {
            self.made += 1;
            let letters = "defhtabl";
            match letters.get(self.made - 1..self.made) {
                Some(letter) => letter.to_string(),
                None => format!("t{}", self.made),
            }
        })
    }

    /// A copy of a value that another rule needs: an instruction may overwrite it.
    fn copy(&mut self, of: &str) -> String {
        let name = self.fresh();
        self.push_move(&name, of);
        name
    }

    fn push_move(&mut self, to: &str, from: &str) {
        self.steps.push(format!("mov {to}, {from}"));
    }

    /// The instructions of a rule, with its names replaced by `called`.
    fn apply(&mut self, number: usize, rule: &Rule, called: &[String]) {
        for &(name_id, register) in &rule.fixed {
            let real = self.target.registers[usize::from(register)];
            self.push_move(real, &called[usize::from(name_id)]);
            self.written.push(register);
        }
        let rename = |word: &str| {
            let name_id = rule.names.iter().position(|name| name == word);
            name_id.map_or_else(|| word.to_string(), |id| called[id].clone())
        };
        let instructions = &self.trees[number].instructions;
        self.steps.extend(instructions.iter().map(|it| it.renamed(&rename).to_string()));
        for step in &rule.steps {
            let row = &self.target.instructions[step.instruction];
            let named = step.operands.iter().zip(row.operands).filter(|(_, slot)| slot.writes());
            self.written.extend(named.filter_map(|(operand, _)| operand.real()));
            self.written.extend(row.writes);
        }
        self.used.push(number);
        self.cycles += rule.cycles;
        self.out = match rule.result {
            Some(ResultLocation::Real(register)) => Some(register),
            Some(ResultLocation::Name(_)) | None => None,
        };
    }

    /// The name of the result of the rule that was applied last.
    fn result(&mut self, rule: &Rule, called: &[String]) -> String {
        match rule.result {
            Some(ResultLocation::Name(name_id)) => called[usize::from(name_id)].clone(),
            Some(ResultLocation::Real(register)) => {
                let name = self.fresh();
                self.push_move(&name.clone(), self.target.registers[usize::from(register)]);
                name
            }
            None => unreachable!("an inner operation of a pattern yields a value"),
        }
    }

    fn finish(mut self, need: &GuardedPattern) -> Generated {
        let name = |rule: &usize| self.rules.rules[*rule].name.as_str();
        let name = self.used.iter().map(name).collect::<Vec<_>>().join("-then-");
        let mut steps = self.steps;
        let out = self.out;
        self.written.sort_unstable();
        self.written.dedup();
        self.written.retain(|register| Some(*register) != out);
        let real = |register: &u8| self.target.registers[usize::from(*register)];
        steps.extend(out.map(|register| format!("out {}", real(&register))));
        let lost: Vec<_> = self.written.iter().map(real).collect();
        if !lost.is_empty() {
            steps.push(format!("clobbers {}", lost.join(" ")));
        }
        steps.push(format!("cycles {}", self.cycles));
        let text = format!("{}\n    => {}", need.text(), steps.join("; "));
        Generated { name, text }
    }
}
