//! Control flow: branches, joins and loops.
use super::Parser;
#[cfg(feature = "ch08")]
use super::scope::Jump;
use super::scope::ScopeDelta;
use super::token::Token;
use crate::diagnostics::{Code, Diagnostic};
use crate::sea::{NodeId, Op, infer};

impl Parser<'_> {
    /// ```text
    /// if = "if" , "(" , expression , ")" , statement , [ "else" , statement ] ;
    /// ```
    /// A chain of `else if` is parsed in a loop, not by recursion: first all arms, then all joins.
    pub fn if_statement(&mut self) -> Result<(), Diagnostic> {
        self.enter()?;
        let mut arms = Vec::new();
        loop {
            self.cursor.take();
            let Some([yes, no]) = self.condition_or_recover() else { break };
            let other = ScopeDelta::none(&mut self.graph, no);
            #[cfg(feature = "ch10")]
            let condition = self.objects.condition;
            arms.push(self.arm(yes));
            self.scope.checkpoint(&mut self.graph);
            self.scope.apply(&mut self.graph, other);
            #[cfg(feature = "ch10")]
            self.narrow(condition, false);
            if !self.cursor.eat(Token::Else) {
                break;
            }
            if self.cursor.peek() != Token::If {
                self.arm_statement();
                break;
            }
        }
        for yes in arms.into_iter().rev() {
            let no = self.scope.rollback(&mut self.graph);
            let both = self.join(yes, no);
            self.scope.apply(&mut self.graph, both);
        }
        self.depth -= 1;
        Ok(())
    }

    /// On an error in the condition, reports it and skips the statement.
    fn condition_or_recover(&mut self) -> Option<[NodeId; 2]> {
        let branches = self.condition();
        branches
            .inspect_err(|diagnostic| {
                self.report(diagnostic.clone());
                self.synchronize();
            })
            .ok()
    }

    /// A condition in parentheses; returns the control of both branches.
    fn condition(&mut self) -> Result<[NodeId; 2], Diagnostic> {
        self.cursor.expect(Token::OpenParenthesis, "(")?;
        #[cfg(feature = "ch18")]
        let before = self.cursor.clone();
        let predicate = self.expression();
        #[cfg(feature = "ch18")]
        let predicate = self.unknown_if_sought(predicate, before);
        let predicate = predicate?;
        self.cursor.expect(Token::CloseParenthesis, ")")?;
        Ok(self.branches(predicate))
    }

    /// An If with a condition that was parsed; returns the control of both branches.
    pub fn branches(&mut self, predicate: NodeId) -> [NodeId; 2] {
        #[cfg(feature = "ch12")]
        let predicate = self.truth(predicate);
        #[cfg(feature = "ch10")]
        self.note_condition();
        self.fork(predicate)
    }

    /// An If; returns the control of both branches.
    pub fn fork(&mut self, predicate: NodeId) -> [NodeId; 2] {
        let inputs = [self.control(), predicate];
        let if_node = self.node(Op::If, &inputs);
        // Both are made before either is optimized, so that the If keeps a user.
        let branches =
            [true, false].map(|truth| self.graph.create(Op::ControlProjection(truth), &[if_node]));
        branches.map(|branch| self.engine.peephole(&mut self.graph, branch))
    }

    /// Parses a statement that starts at `control`; returns its changes.
    fn arm(&mut self, control: NodeId) -> ScopeDelta {
        self.scope.checkpoint(&mut self.graph);
        self.scope.set_control(&mut self.graph, control);
        #[cfg(feature = "ch10")]
        self.narrow(self.objects.condition, true);
        self.arm_statement();
        self.scope.rollback(&mut self.graph)
    }

    fn arm_statement(&mut self) {
        let span = self.cursor.place();
        if self.inner_statement() {
            let message = "Cannot define a new name on one arm of an if";
            let diag = Diagnostic::new(Code::Name, span, message, "this name could never be used");
            self.report(diag.with_help("declare it before the `if`"));
        }
    }

    /// Parses a statement that is part of another one; returns whether it declares a name.
    fn inner_statement(&mut self) -> bool {
        let (depth, before) = (self.depth, self.scope.count());
        #[cfg(feature = "ch10")]
        let is_reachable = self.begin_statement();
        self.statement_or_recover();
        #[cfg(feature = "ch10")]
        self.end_statement(is_reachable);
        self.depth = depth;
        let declares = self.scope.count() > before;
        self.scope.truncate(&mut self.graph, before);
        declares
    }

    /// The code after this point is parsed, but never executed.
    pub fn mark_unreachable(&mut self) {
        let dead = self.node(Op::DeadControl, &[]);
        self.scope.set_control(&mut self.graph, dead);
    }

    /// Joins two branches: a Region, and a Phi for each variable that differs.
    pub fn join(&mut self, first: ScopeDelta, second: ScopeDelta) -> ScopeDelta {
        let region = self.region([&first, &second].map(|it| it.control(&self.graph)));
        let mut both = ScopeDelta::none(&mut self.graph, region);
        for slot in union(&first.slots, &second.slots) {
            let old = self.scope.value(&mut self.graph, slot);
            let [one, other] =
                [&first, &second].map(|delta| delta.of(&self.graph, slot).unwrap_or(old));
            let value = if one == other { one } else { self.phi(slot, [region, one, other]) };
            both.push(&mut self.graph, slot, value);
        }
        #[cfg(feature = "ch10")]
        let both = both.with_facts(self.scope.facts.join(&first.facts, &second.facts));
        first.release(&mut self.graph);
        second.release(&mut self.graph);
        self.engine.improve(&mut self.graph, region);
        both
    }

    fn region(&mut self, controls: [NodeId; 2]) -> NodeId {
        let region = self.graph.create(Op::Region, &controls);
        let ty = infer(&mut self.graph, region);
        self.graph.set_type(region, ty);
        region
    }

    fn phi(&mut self, slot: usize, inputs: [NodeId; 3]) -> NodeId {
        let label = self.scope.label(&mut self.graph, slot);
        self.node(Op::Phi(label), &inputs)
    }
}

/// The union of both lists, in ascending order.
fn union(first: &[usize], second: &[usize]) -> Vec<usize> {
    let mut both = [first, second].concat();
    both.sort_unstable();
    both.dedup();
    both
}

#[cfg(feature = "ch07")]
impl Parser<'_> {
    /// ```text
    /// while = "while" , "(" , expression , ")" , statement ;
    /// ```
    pub fn while_statement(&mut self) -> Result<(), Diagnostic> {
        self.enter()?;
        self.cursor.take();
        let header = self.begin_loop();
        let branches = self.condition_or_recover();
        let end = self.loop_body(header, branches);
        self.end_loop(header, end);
        self.depth -= 1;
        Ok(())
    }

    /// Begins a loop before its condition; returns its header.
    pub fn begin_loop(&mut self) -> NodeId {
        let header = self.loop_header();
        self.scope.enter_loop(&mut self.graph, header);
        self.scope.set_control(&mut self.graph, header);
        #[cfg(feature = "ch10")]
        self.scope.checkpoint(&mut self.graph);
        header
    }

    /// Parses the body, after the condition with these branches. Returns the changes at the back
    /// edge.
    pub fn loop_body(&mut self, header: NodeId, branches: Option<[NodeId; 2]>) -> ScopeDelta {
        let [body, exit] = branches.unwrap_or([header; 2]);
        self.scope.expect_exit(&mut self.graph, exit);
        #[cfg(feature = "ch10")]
        self.end_condition(exit);
        let end = self.body(body, branches.is_some());
        #[cfg(feature = "ch08")]
        let end = self.join_continues(end);
        end
    }

    /// Closes a loop with the changes at its back edge.
    pub fn end_loop(&mut self, header: NodeId, end: ScopeDelta) {
        let closed = self.scope.close_loop(&mut self.graph, end);
        for phi in closed.phis(&self.graph) {
            self.engine.improve(&mut self.graph, phi);
        }
        // A loop that is never entered may be gone with its last Phi.
        if self.graph.uses(header) > 0 {
            self.engine.improve(&mut self.graph, header);
        }
        self.scope.exit_loop(&mut self.graph, closed);
    }

    /// The Loop, without its back edge.
    fn loop_header(&mut self) -> NodeId {
        let entry = self.control();
        let header = self.graph.create(Op::Loop, &[entry]);
        let ty = infer(&mut self.graph, header);
        self.graph.set_type(header, ty);
        header
    }

    /// The changes of the body, if there is a body to parse.
    fn body(&mut self, control: NodeId, has_body: bool) -> ScopeDelta {
        self.scope.checkpoint(&mut self.graph);
        self.scope.set_control(&mut self.graph, control);
        #[cfg(feature = "ch10")]
        self.scope.begin_body(&mut self.graph);
        #[cfg(feature = "ch10")]
        self.narrow(self.objects.condition, true);
        if has_body {
            self.inner_statement();
        }
        self.scope.rollback(&mut self.graph)
    }
}

#[cfg(feature = "ch08")]
impl Parser<'_> {
    /// The back edge of a loop comes from the end of its body and from every `continue`.
    fn join_continues(&mut self, end: ScopeDelta) -> ScopeDelta {
        match self.scope.close_targets(&mut self.graph) {
            Some(continues) => self.join(continues, end),
            None => end,
        }
    }

    /// ```text
    /// break = "break" , ";" ;
    /// continue = "continue" , ";" ;
    /// ```
    pub fn jump(&mut self) -> Result<(), Diagnostic> {
        let span = self.cursor.span();
        let is_break = self.cursor.peek() == Token::Break;
        self.cursor.take();
        #[cfg(feature = "ch17")]
        self.expect_no_next_part(span)?;
        if !self.scope.is_in_loop() {
            let message = "No active loop for a break or continue";
            return Err(Diagnostic::new(Code::Jump, span, message, "this is not in a loop"));
        }
        let jump = if is_break { Jump::Break } else { Jump::Continue };
        #[cfg(feature = "ch10")]
        self.scope.facts.jump(jump);
        self.join_target(jump);
        self.mark_unreachable();
        self.semicolon()
    }

    /// Adds a predecessor to the target of a jump: a Region, and a Phi for each variable whose
    /// value differs from that of the earlier jumps.
    fn join_target(&mut self, jump: Jump) {
        let Some(mut target) = self.scope.take_target(&mut self.graph, jump) else {
            let first = self.scope.first_target(&mut self.graph);
            return self.scope.put_target(jump, first, Vec::new());
        };
        let region = self.region([target.control(&self.graph), self.control()]);
        target.set_control(&mut self.graph, region);
        let differences = self.scope.differences(&self.graph, &target);
        for &(slot, at_target, current) in &differences {
            let phi = self.phi(slot, [region, at_target, current]);
            target.set(&mut self.graph, slot, phi);
        }
        self.engine.improve(&mut self.graph, region);
        let differing = differences.into_iter().map(|(slot, _, _)| slot).collect();
        self.scope.put_target(jump, target, differing);
    }
}
