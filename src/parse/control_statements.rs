//! Control flow: statements that branch, join and turn back.
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
    /// A chain of `else if` is read without going deeper: first all arms, then all joins.
    pub fn if_statement(&mut self) -> Result<(), Diagnostic> {
        self.enter()?;
        let mut arms = Vec::new();
        loop {
            self.cursor.take();
            let Some([yes, no]) = self.condition_or_recover() else { break };
            let other = ScopeDelta::none(&mut self.graph, no);
            arms.push(self.arm(yes));
            self.scope.checkpoint(&mut self.graph);
            self.scope.apply(&mut self.graph, other);
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

    /// If the condition is wrong, says so and goes on behind the statement.
    fn condition_or_recover(&mut self) -> Option<[NodeId; 2]> {
        let ways = self.condition();
        ways.inspect_err(|complaint| {
            self.report(complaint.clone());
            self.synchronize();
        })
        .ok()
    }

    /// A condition in parentheses; control goes on where it is not 0, or where it is.
    fn condition(&mut self) -> Result<[NodeId; 2], Diagnostic> {
        self.cursor.expect(Token::OpenParenthesis, "(")?;
        let predicate = self.expression()?;
        self.cursor.expect(Token::CloseParenthesis, ")")?;
        let inputs = [self.control(), predicate];
        let choice = self.node(Op::If, &inputs);
        // Both are there before either is improved, so that the If lives as long as it should.
        let ways =
            [true, false].map(|truth| self.graph.create(Op::ControlProjection(truth), &[choice]));
        Ok(ways.map(|way| self.engine.peephole(&mut self.graph, way)))
    }

    /// Reads a statement where control is at `control`; hands out what it changes.
    fn arm(&mut self, control: NodeId) -> ScopeDelta {
        self.scope.checkpoint(&mut self.graph);
        self.scope.set_control(&mut self.graph, control);
        self.arm_statement();
        self.scope.rollback(&mut self.graph)
    }

    fn arm_statement(&mut self) {
        let span = self.cursor.place();
        if self.inner_statement() {
            let message = "Cannot define a new name on one arm of an if";
            let diag =
                Diagnostic::new(Code::Name, span, message, "nobody could ever use this name");
            self.report(diag.with_help("declare it before the `if`"));
        }
    }

    /// Reads a statement that is part of another one; whether it would have declared a name.
    fn inner_statement(&mut self) -> bool {
        let (depth, before) = (self.depth, self.scope.count());
        self.statement_or_recover();
        self.depth = depth;
        let declares = self.scope.count() > before;
        self.scope.forget(&mut self.graph, before);
        declares
    }

    /// What follows is read, but never done.
    pub fn mark_unreachable(&mut self) {
        let dead = self.node(Op::DeadControl, &[]);
        self.scope.set_control(&mut self.graph, dead);
    }

    /// Where two ways meet: a Region, and a Phi for each variable on which they differ.
    pub fn join(&mut self, first: ScopeDelta, second: ScopeDelta) -> ScopeDelta {
        let region = self.region([&first, &second].map(|it| it.control(&self.graph)));
        let mut both = ScopeDelta::none(&mut self.graph, region);
        for slot in union(&first.slots, &second.slots) {
            let changed = [&first, &second].map(|changes| changes.of(&self.graph, slot));
            let Some((_, old)) = changed[0].or(changed[1]) else { continue };
            let [one, other] = changed.map(|change| change.map_or(old, |(new, _)| new));
            let value = if one == other { one } else { self.phi(slot, [region, one, other]) };
            both.push(&mut self.graph, slot, value, old);
        }
        first.forget(&mut self.graph);
        second.forget(&mut self.graph);
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
        let label = self.graph.label(self.scope.name(slot));
        self.node(Op::Phi(label), &inputs)
    }
}

/// The members of both lists, in ascending order, each once.
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
        let head = self.loop_header();
        self.scope.enter_loop(&mut self.graph, head);
        self.scope.set_control(&mut self.graph, head);
        let ways = self.condition_or_recover();
        let [body, exit] = ways.unwrap_or([head; 2]);
        self.scope.expect_exit(&mut self.graph, exit);
        let end = self.body(body, ways.is_some());
        #[cfg(feature = "ch08")]
        let end = self.join_continues(end);
        let closed = self.scope.close_loop(&mut self.graph, end);
        for phi in closed.phis(&self.graph) {
            self.engine.improve(&mut self.graph, phi);
        }
        self.engine.improve(&mut self.graph, head);
        self.scope.exit_loop(&mut self.graph, closed);
        self.depth -= 1;
        Ok(())
    }

    /// The Loop; the way back to it is still missing.
    fn loop_header(&mut self) -> NodeId {
        let entry = self.control();
        let head = self.graph.create(Op::Loop, &[entry]);
        let ty = infer(&mut self.graph, head);
        self.graph.set_type(head, ty);
        head
    }

    /// What the body changes, if there is one to be read.
    fn body(&mut self, control: NodeId, is_there: bool) -> ScopeDelta {
        self.scope.checkpoint(&mut self.graph);
        self.scope.set_control(&mut self.graph, control);
        if is_there {
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
        let leaves = self.cursor.peek() == Token::Break;
        self.cursor.take();
        if !self.scope.is_in_loop() {
            let message = "No active loop for a break or continue";
            return Err(Diagnostic::new(Code::Jump, span, message, "this stands in no loop"));
        }
        self.come_to(if leaves { Jump::Break } else { Jump::Continue });
        self.mark_unreachable();
        self.semicolon()
    }

    /// One more way leads to the target of a jump: a Region, and a Phi for each variable on which
    /// what has come there before differs from what comes now.
    fn come_to(&mut self, jump: Jump) {
        let Some(mut target) = self.scope.take_target(&mut self.graph, jump) else {
            let first = self.scope.first_target(&mut self.graph);
            return self.scope.put_target(jump, first, Vec::new());
        };
        let region = self.region([target.control(&self.graph), self.control()]);
        target.set_control(&mut self.graph, region);
        let differences = self.scope.differences(&self.graph, &target);
        for &(slot, there, here) in &differences {
            let phi = self.phi(slot, [region, there, here]);
            target.set(&mut self.graph, slot, phi);
        }
        self.engine.improve(&mut self.graph, region);
        let differing = differences.into_iter().map(|(slot, _, _)| slot).collect();
        self.scope.put_target(jump, target, differing);
    }
}
