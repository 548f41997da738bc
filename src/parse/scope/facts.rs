//! Facts: which variables are known not to be null at the parser's position.
//!
//! A forward data-flow analysis with the scope. An assignment or a test sets the fact of a
//! variable, and at a join it holds if it holds on both edges. At a loop header it holds if it
//! holds at the entry and at each back edge, but those are parsed later. So a fact is a node of a
//! graph of its own, and depends on other facts: it fails if one of these fails. `failing` finds
//! the failing facts at the end, in linear time. All other facts hold, the greatest solution. The
//! analysis reads declarations, assignments and tests, and never the graph of the program: no
//! rewrite of that graph changes a fact.
use super::target::Jump;
use arena::{Arena, FxHashMap, SideTable, id};

id! {
    /// That a variable is not null.
    Fact
}

impl Fact {
    /// Nothing is known: this fact fails.
    pub const UNKNOWN: Fact = Fact(0);
    /// This fact holds.
    pub const NOT_NULL: Fact = Fact(1);
}

pub struct Facts {
    /// For each fact, those that depend on it.
    dependents: Arena<Fact, Vec<Fact>>,
    variables: Vec<Variable>,
    /// The changes that are not undone: the variable, and its former fact.
    trail: Vec<(usize, Fact)>,
    checkpoints: Vec<Checkpoint>,
    /// The open loops, the innermost last.
    loops: Vec<OpenLoop>,
    /// The variables whose facts changed in open loops, in order of the changes.
    log: Vec<usize>,
    /// Whether control passes from the beginning of the statement to this point.
    is_reachable: bool,
}

#[derive(Clone, Copy)]
struct Variable {
    fact: Fact,
    /// The number of open loops in which it has a fact at the header.
    depth: usize,
}

struct Checkpoint {
    trail: usize,
    is_reachable: bool,
}

struct OpenLoop {
    /// The number of variables, and the length of the log, at the loop's entry.
    count: usize,
    logged: usize,
    /// The facts at the header, of the variables that are used in the loop.
    headers: FxHashMap<usize, Header>,
    /// The changes from the header to the exit at the condition.
    exit: FactChanges,
    /// The facts at `break` and `continue`, once there is such a jump.
    jumps: [Option<Jumps>; 2],
}

#[derive(Clone, Copy)]
struct Header {
    fact: Fact,
    entry: Fact,
}

/// The facts at all jumps to one target so far.
struct Jumps {
    /// Those that differ from the header.
    facts: FxHashMap<usize, Fact>,
    /// The length of the log at the last jump.
    logged: usize,
}

/// The facts that change between two points.
#[derive(Clone)]
pub struct FactChanges {
    /// The variables in ascending order, and their new facts.
    changes: Vec<(usize, Fact)>,
    is_reachable: bool,
}

impl FactChanges {
    pub fn none() -> FactChanges {
        FactChanges { changes: Vec::new(), is_reachable: true }
    }

    fn of(&self, variable: usize) -> Option<Fact> {
        let at = self.changes.binary_search_by_key(&variable, |it| it.0).ok()?;
        Some(self.changes[at].1)
    }
}

impl Facts {
    pub fn new() -> Facts {
        let mut dependents = Arena::default();
        for constant in [Fact::UNKNOWN, Fact::NOT_NULL] {
            assert_eq!(dependents.push(Vec::new()), constant);
        }
        Facts {
            dependents,
            variables: Vec::new(),
            trail: Vec::new(),
            checkpoints: Vec::new(),
            loops: Vec::new(),
            log: Vec::new(),
            is_reachable: true,
        }
    }

    pub fn declare(&mut self, variable: usize, fact: Fact) {
        let unknown = Variable { fact: Fact::UNKNOWN, depth: 0 };
        self.variables.resize(variable, unknown);
        self.variables.push(Variable { fact, depth: self.loops.len() });
    }

    /// Removes all variables but the first `count` ones.
    pub fn truncate(&mut self, count: usize) {
        self.variables.truncate(count);
    }

    /// The fact of a variable. If something is known of it, it has one at the header of each loop.
    pub fn get(&mut self, variable: usize) -> Fact {
        let Some(&Variable { mut fact, depth }) = self.variables.get(variable) else {
            return Fact::UNKNOWN;
        };
        if fact == Fact::UNKNOWN {
            return fact;
        }
        for depth in depth..self.loops.len() {
            let entry = fact;
            fact = self.fact_of(&[entry]);
            self.loops[depth].headers.insert(variable, Header { fact, entry });
        }
        self.variables[variable] = Variable { fact, depth: self.loops.len() };
        fact
    }

    pub fn set(&mut self, variable: usize, fact: Fact) {
        let old = self.get(variable);
        if fact == old {
            return;
        }
        self.trail.push((variable, old));
        self.log(variable);
        self.variables[variable] = Variable { fact, depth: self.loops.len() };
    }

    fn log(&mut self, variable: usize) {
        if !self.loops.is_empty() {
            self.log.push(variable);
        }
    }

    /// A fact that fails if one of these fails.
    fn fact_of(&mut self, all: &[Fact]) -> Fact {
        let fact = self.dependents.push(Vec::new());
        all.iter().for_each(|&it| self.dependents[it].push(fact));
        fact
    }

    /// The facts that fail.
    pub fn failing(&self) -> SideTable<Fact, bool> {
        let mut failing = SideTable::new(self.dependents.len());
        let mut open = vec![Fact::UNKNOWN];
        while let Some(fact) = open.pop() {
            if !std::mem::replace(&mut failing[fact], true) {
                open.extend(&self.dependents[fact]);
            }
        }
        failing
    }
}

/// Dead code is checked as live code is: a statement begins reachable, even after a `return`. The
/// end of a list of statements is reachable if the ends of all its statements are.
impl Facts {
    /// Begins a statement; returns whether it is reachable.
    pub fn begin_statement(&mut self) -> bool {
        std::mem::replace(&mut self.is_reachable, true)
    }

    pub fn end_statement(&mut self, was_reachable: bool) {
        self.is_reachable &= was_reachable;
    }

    /// Control does not pass this point.
    pub fn mark_unreachable(&mut self) {
        self.is_reachable = false;
    }
}

/// Branches.
impl Facts {
    pub fn checkpoint(&mut self) {
        let (trail, is_reachable) = (self.trail.len(), self.is_reachable);
        self.checkpoints.push(Checkpoint { trail, is_reachable });
    }

    /// Restores the facts at the innermost checkpoint, and returns the changes since then.
    pub fn rollback(&mut self) -> FactChanges {
        let checkpoint = self.checkpoints.pop().expect("every rollback has a checkpoint");
        let undone = self.trail.split_off(checkpoint.trail);
        let count = self.variables.len();
        let variables = undone.iter().map(|it| it.0).filter(|&it| it < count).collect();
        let variables = ascending(variables);
        let changes = variables.iter().map(|&it| (it, self.variables[it].fact)).collect();
        for &(variable, old) in undone.iter().rev().filter(|it| it.0 < count) {
            self.variables[variable].fact = old;
        }
        variables.into_iter().for_each(|it| self.log(it));
        let is_reachable = std::mem::replace(&mut self.is_reachable, checkpoint.is_reachable);
        FactChanges { changes, is_reachable }
    }

    pub fn apply(&mut self, changes: &FactChanges) {
        changes.changes.iter().for_each(|&(variable, fact)| self.set(variable, fact));
        self.is_reachable = changes.is_reachable;
    }

    /// The changes after a join. An edge that is not reachable does not count, if the other is.
    pub fn join(&mut self, first: &FactChanges, second: &FactChanges) -> FactChanges {
        match [first.is_reachable, second.is_reachable] {
            [true, false] => return first.clone(),
            [false, true] => return second.clone(),
            [true, true] | [false, false] => {}
        }
        let variables = first.changes.iter().chain(&second.changes).map(|it| it.0).collect();
        let both = |variable| {
            let [one, other] =
                [first, second].map(|it| it.of(variable).unwrap_or(self.variables[variable].fact));
            (variable, self.both(one, other))
        };
        let changes = ascending(variables).into_iter().map(both).collect();
        FactChanges { changes, is_reachable: first.is_reachable }
    }

    /// The fact that holds if both hold.
    fn both(&mut self, one: Fact, other: Fact) -> Fact {
        match (one, other) {
            _ if one == other => one,
            (Fact::UNKNOWN, _) | (_, Fact::UNKNOWN) => Fact::UNKNOWN,
            (Fact::NOT_NULL, it) | (it, Fact::NOT_NULL) => it,
            _ => self.fact_of(&[one, other]),
        }
    }
}

/// Each variable once, in ascending order.
fn ascending(mut variables: Vec<usize>) -> Vec<usize> {
    variables.sort_unstable();
    variables.dedup();
    variables
}

/// Loops.
impl Facts {
    /// Enters a loop, where there are `count` variables.
    pub fn enter_loop(&mut self, count: usize) {
        self.loops.push(OpenLoop {
            count,
            logged: self.log.len(),
            headers: FxHashMap::default(),
            exit: FactChanges::none(),
            jumps: [None, None],
        });
    }

    /// The exit at the condition of a loop.
    pub fn set_exit(&mut self, exit: FactChanges) {
        self.innermost().exit = exit;
    }

    fn innermost(&mut self) -> &mut OpenLoop {
        self.loops.last_mut().expect("a loop is open")
    }

    /// Adds an edge to the target of a jump. Only variables that changed since the last jump to
    /// this target are compared.
    pub fn jump(&mut self, jump: Jump) {
        let target = self.innermost().jumps[jump as usize].take();
        let is_first = target.is_none();
        let OpenLoop { count, logged, .. } = *self.innermost();
        let Jumps { mut facts, logged } =
            target.unwrap_or(Jumps { facts: FxHashMap::default(), logged });
        let changed = self.log[logged..].iter().copied().filter(|&it| it < count).collect();
        for variable in ascending(changed) {
            let current = self.get(variable);
            let known = facts.get(&variable).copied();
            let earlier = if is_first { current } else { known.unwrap_or(self.header(variable)) };
            let both = self.both(earlier, current);
            facts.insert(variable, both);
        }
        let logged = self.log.len();
        self.innermost().jumps[jump as usize] = Some(Jumps { facts, logged });
        self.mark_unreachable();
    }

    /// The fact of a variable at the header of the innermost loop.
    fn header(&mut self, variable: usize) -> Fact {
        self.innermost().headers.get(&variable).map_or(Fact::UNKNOWN, |it| it.fact)
    }

    /// The changes from the header to all `continue`s.
    pub fn continues(&mut self) -> FactChanges {
        self.jumps(Jump::Continue).expect("there is a `continue`")
    }

    /// The changes from the header to all jumps of a kind; `None` if there is no such jump.
    fn jumps(&mut self, jump: Jump) -> Option<FactChanges> {
        let Jumps { facts, .. } = self.innermost().jumps[jump as usize].take()?;
        let mut changes: Vec<_> = facts.into_iter().collect();
        changes.sort_unstable_by_key(|it| it.0);
        Some(FactChanges { changes, is_reachable: true })
    }

    /// Closes the innermost loop with the facts of its back edge: restores those from before the
    /// loop, and returns the changes from there to the exit.
    pub fn close_loop(&mut self, back: &FactChanges) -> FactChanges {
        let breaks = self.jumps(Jump::Break);
        let exit = std::mem::replace(&mut self.innermost().exit, FactChanges::none());
        let mut exit = match breaks {
            Some(breaks) => self.join(&exit, &breaks),
            None => exit,
        };
        let open_loop = self.loops.pop().expect("every loop is closed once");
        let mut headers: Vec<_> = open_loop.headers.into_iter().collect();
        headers.sort_unstable_by_key(|it| it.0);
        for &(variable, Header { fact, entry }) in &headers {
            let end = back.of(variable).unwrap_or(fact);
            if back.is_reachable && end != fact {
                self.dependents[end].push(fact);
            }
            self.variables[variable] = Variable { fact: entry, depth: self.loops.len() };
        }
        // Variables that do not change from the header to the exit have the fact of the header.
        let unchanged = headers.iter().filter(|it| exit.of(it.0).is_none());
        let unchanged: Vec<_> = unchanged.map(|it| (it.0, it.1.fact)).collect();
        exit.changes.extend(unchanged);
        exit.changes.sort_unstable_by_key(|it| it.0);
        if self.loops.is_empty() {
            self.log.clear();
        }
        exit
    }
}
