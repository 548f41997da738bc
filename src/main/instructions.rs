//! Sentences about instructions, for readers who do not know the machine. The command line and the
//! playground contain this file.

/// A sentence about an instruction with this mnemonic, or whose mnemonic is this one and a
/// condition. `{0}` stands for its first operand, `{*}` for all, `{c}` for the condition.
const SENTENCES: &[(&str, &str)] = &[
    ("mov", "Copies {1} to {0}."),
    ("ret", "Returns to the caller. The stack pointer has the address of the return address."),
    ("add", "Adds {1} to {0}."),
    ("sub", "Subtracts {1} from {0}."),
    ("neg", "Changes the sign of {0}."),
    ("imul", "Multiplies {0} by {1}; the result is in {0}."),
    ("mul", "Multiplies eax by {0}, without signs; the result is in edx and eax."),
    ("cdq", "Copies the sign of eax to all bits of edx: the dividend has 64 bits."),
    ("idiv", "Divides edx and eax by {0}; the quotient is in eax, the remainder in edx."),
    ("push", "Stores {0} on top of the stack."),
    ("pop", "Loads {0} from the top of the stack."),
    (
        "lea",
        "Computes the address {1} and puts it into {0}. It is used for sums: no memory is read.",
    ),
    ("inc", "Adds 1 to {0}."),
    ("dec", "Subtracts 1 from {0}."),
    ("not", "Changes all bits of {0}."),
    ("and", "Keeps the bits of {0} that {1} has, too."),
    ("or", "Sets the bits in {0} that {1} has."),
    ("xor", "Changes the bits in {0} that {1} has."),
    ("shl", "Shifts {0} to the left by {1} bits: a product with a power of two."),
    ("shr", "Shifts {0} to the right by {1} bits, without a sign."),
    ("sar", "Shifts {0} to the right by {1} bits and keeps the sign."),
    ("rol", "Rotates {0} to the left by {1} bits: the bits that leave it enter at the right."),
    ("shld", "Shifts {0} to the left by {2} bits; the new bits are the highest ones of {1}."),
    ("shrd", "Shifts {0} to the right by {2} bits; the new bits are the lowest ones of {1}."),
    ("adc", "Adds {1} and the carry flag to {0}: the higher words of a sum of two words."),
    ("sbb", "Subtracts {1} and the carry flag from {0}: the higher words of a difference."),
    ("cmp", "Compares {0} with {1}; the flags have the result."),
    ("test", "Computes {0} & {1} for the flags alone: a comparison with 0."),
    ("set", "Puts 1 into {0} if the flags say “{c}”, and 0 otherwise."),
    ("cmov", "Copies {1} to {0} if the flags say “{c}”: a choice without a jump."),
    ("movzx", "Copies {1} to {0}; the higher bits are 0."),
    ("movsx", "Copies {1} to {0}; the higher bits are copies of the sign."),
    ("jmp", "Jumps to {*}."),
    (
        "j",
        "Jumps to {*} if the flags say “{c}”, and continues with the next instruction otherwise.",
    ),
    ("call", "Calls {*}; the address of the next instruction is on the stack."),
    ("movapd", "Copies the floating-point number {1} to {0}."),
    ("movsd", "Copies the floating-point number {1} to {0}."),
    ("movd", "Copies the lower word of {1} to {0}."),
    ("xorpd", "Changes the bits in {0} that {1} has."),
    ("addsd", "Adds the floating-point number {1} to {0}."),
    ("subsd", "Subtracts the floating-point number {1} from {0}."),
    ("mulsd", "Multiplies {0} by the floating-point number {1}."),
    ("divsd", "Divides {0} by the floating-point number {1}."),
    ("ucomisd", "Compares the floating-point numbers {0} and {1}; the flags have the result."),
    ("cmpsd", "Sets all bits of {0} if the comparison of {0} and {1} holds, and none otherwise."),
    ("cvtsi2sd", "Makes a floating-point number of the integer {1}, in {0}."),
    ("cvtsd2ss", "Rounds the floating-point number {1} to one of 32 bits, in {0}."),
    ("cvtss2sd", "Makes a floating-point number of 64 bits of that of 32 bits {1}, in {0}."),
    ("movss", "Copies the floating-point number of 32 bits {1} to {0}."),
];

/// The conditions after `j`, `set` and `cmov`: of a comparison of two numbers.
const CONDITIONS: &[(&str, &str)] = &[
    ("e", "equal"),
    ("ne", "not equal"),
    ("l", "less"),
    ("le", "less or equal"),
    ("g", "greater"),
    ("ge", "greater or equal"),
    ("b", "less, without signs"),
    ("be", "less or equal, without signs"),
    ("a", "greater, without signs"),
    ("ae", "greater or equal, without signs"),
    ("s", "negative"),
    ("ns", "not negative"),
    ("p", "not a number"),
    ("np", "a number"),
];

/// The sentence about the instruction in a line of a listing. The columns are two spaces apart, and
/// the first one may have numbers.
pub fn explained(line: &str) -> Option<String> {
    let is_text = |it: &&str| !it.bytes().all(|letter| letter.is_ascii_digit());
    let instruction = line.split("  ").map(str::trim).find(is_text)?;
    let (mnemonic, rest) = instruction.split_once(' ').unwrap_or((instruction, ""));
    let operands = operands(rest);
    if let ("xor" | "xorpd", [one, other]) = (mnemonic, &operands[..])
        && one == other
    {
        return Some(format!("Sets {one} to 0."));
    }
    if let ("test", [one, other]) = (mnemonic, &operands[..])
        && one == other
    {
        return Some(format!("Compares {one} with 0; the flags have the result."));
    }
    if let ("imul", [to, one, other]) = (mnemonic, &operands[..]) {
        return Some(format!("Puts the product of {one} and {other} into {to}."));
    }
    let of_condition = || {
        let found = SENTENCES.iter().filter(|it| ["j", "set", "cmov"].contains(&it.0));
        found.filter_map(|it| Some((it.1, condition(mnemonic.strip_prefix(it.0)?)?))).next()
    };
    let exact = SENTENCES.iter().find(|it| it.0 == mnemonic).map(|it| (it.1, ""));
    let (sentence, condition) = exact.or_else(of_condition)?;
    let mut sentence = sentence.replace("{c}", condition).replace("{*}", rest);
    for (at, operand) in operands.iter().enumerate() {
        sentence = sentence.replace(&format!("{{{at}}}"), operand);
    }
    Some(sentence)
}

fn condition(suffix: &str) -> Option<&'static str> {
    CONDITIONS.iter().find(|it| it.0 == suffix).map(|it| it.1)
}

/// The operands, without commas in parentheses.
fn operands(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let split = text.split(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        letter == ',' && depth == 0
    });
    split.map(str::trim).filter(|it| !it.is_empty()).collect()
}

#[cfg(test)]
#[path = "instructions/tests.rs"]
mod tests;
