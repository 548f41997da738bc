//! Listings of machine code, ours and objdump's, as lists of instructions.

/// One instruction of a disassembly.
#[derive(PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Hexadecimal, a space between two bytes; without the four at the end that the linker writes.
    pub bytes: String,
    /// Whether the linker writes four more bytes.
    pub is_linked: bool,
    /// One space after the mnemonic, none after commas.
    pub text: String,
}

/// The names of the functions in our stage `bytes`; one function has no name there.
pub fn functions(text: &str) -> Vec<&str> {
    let heads = text.lines().filter(|line| !line.starts_with(' '));
    let names: Vec<_> = heads.filter_map(|line| line.strip_suffix(':')).collect();
    if names.is_empty() { vec!["simple"] } else { names }
}

/// The instructions of a function in `objdump -d`: address, bytes and text, with tabs between them.
pub fn disassembled(text: &str, function: &str) -> Vec<Instruction> {
    let rows = text.lines().filter_map(|line| {
        let mut columns = line.split('\t');
        let address = columns.next()?.trim().strip_suffix(':')?;
        let bytes = columns.next()?.trim();
        let text = normal(columns.next()?, function);
        let is_linked = is_linked(&text, bytes);
        let bytes = if is_linked { &bytes[..bytes.len() - LINKED.len()] } else { bytes };
        let bytes = bytes.to_string();
        is_hexadecimal(address).then_some(Instruction { bytes, is_linked, text })
    });
    rows.collect()
}

/// Whether the last four bytes depend on the linker: they are the address of a float or of a
/// function, or the distance to a function. A jump to the beginning of the own function counts as
/// one to a function, as that of a recursion is one.
fn is_linked(text: &str, bytes: &str) -> bool {
    let is_call = text.starts_with("call ") && bytes.starts_with("e8");
    let target = text.strip_prefix("jmp ").filter(|_| bytes.starts_with("e9"));
    let leaves = target.is_some_and(|it| it == START || !it.starts_with("0x"));
    text.ends_with("[constant]") || text.ends_with(ADDRESS) || is_call || leaves
}

/// The instructions of our stage `bytes`: offset, bytes and text, with spaces between them. The
/// name of the function of a jump is that of its beginning.
pub fn printed(text: &str) -> Vec<String> {
    let mut function = "simple";
    let rows = text.lines().filter_map(|line| {
        if let Some(name) = line.strip_suffix(':').filter(|it| !it.starts_with(' ')) {
            function = name;
        }
        let mut words = line.split_whitespace().peekable();
        words.next_if(|it| is_hexadecimal(it.trim_end_matches(':')))?;
        while words.next_if(|it| it.len() == 2 && is_hexadecimal(it)).is_some() {}
        let text = normal(&words.collect::<Vec<_>>().join(" "), "simple");
        let recurs = text.strip_prefix("jmp ").is_some_and(|it| it == function);
        let text = if recurs { format!("jmp {START}") } else { text };
        (!text.is_empty()).then_some(text)
    });
    rows.collect()
}

fn is_hexadecimal(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|it| it.is_ascii_hexdigit())
}

/// The offset of the first instruction, as a jump prints it.
const START: &str = "0x0";

/// The bytes that the linker writes.
pub const LINKED: &str = " 00 00 00 00";

/// The address of a function as an operand.
const ADDRESS: &str = "[function]";

/// Without comments and padding. The target of a jump is the one in `<…>`; objdump counts it from
/// the function, as we do. It prints no size where eax is moved to or from a fixed address.
fn normal(text: &str, function: &str) -> String {
    let text = text.split([';', '#']).next().unwrap_or("");
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = match words[..] {
        [ref before @ .., _, target] if target.starts_with('<') => {
            let target = target.trim_matches(['<', '>']);
            let is_jump = before.first().is_some_and(|it| it.starts_with('j'));
            let target = if target == function && is_jump { START } else { target };
            let offset = target.strip_prefix(&format!("{function}+")).unwrap_or(target);
            [before, &[offset]].concat().join(" ")
        }
        _ => words.join(" "),
    };
    let text = text.replace(", ", ",");
    if let Some(text) = with_address(&text) {
        return text;
    }
    // Objdump prints the address of a float in the pool, and we print the float. It is the last
    // operand.
    let constant = ["QWORD PTR [constant ", "QWORD PTR ds:0x"];
    match constant.iter().find_map(|begin| text.split_once(begin)) {
        Some((before, _)) => format!("{before}QWORD PTR [constant]"),
        None => text.replace("DWORD PTR ds:", "ds:"),
    }
}

/// `mov eax,[function]`: objdump prints the address, which is in the segment of code, or 0 before
/// the linker, and we print the name.
fn with_address(text: &str) -> Option<String> {
    let (before, operand) = text.strip_prefix("mov ")?.split_once(',')?;
    let is_address = operand.strip_prefix("0x804").is_some_and(|it| it.len() == 4);
    (is_address || operand.starts_with("OFFSET ")).then(|| format!("mov {before},{ADDRESS}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_listings_read_alike() {
        let theirs = "\nprogram:     file format elf32-i386\n\n08048060 <simple>:\n \
                      8048060:\tb8 2a 00 00 00 \tmov    eax,0x2a\n \
                      8048065:\tc3           \tret    \n";
        let ours = "0000  b8 2a 00 00 00  mov eax,0x2a\n0005  c3  ret\n";
        let theirs = disassembled(theirs, "simple");
        let texts: Vec<&str> = theirs.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, ["mov eax,0x2a", "ret"]);
        assert_eq!(printed(ours), texts);
        assert_eq!(theirs[0].bytes, "b8 2a 00 00 00");
    }

    #[test]
    fn a_jump_to_the_own_function_is_one_to_its_beginning() {
        let theirs = disassembled(" 8048066:\te9 f5 ff ff ff\tjmp    8048060 <ack>\n", "ack");
        let listing = "ack:\n0000  e9 f5 ff ff ff  jmp ack\nodd:\n0000  e9 00 00 00 00  jmp ack\n";
        assert_eq!(printed(listing), ["jmp 0x0", "jmp ack"]);
        assert_eq!((&*theirs[0].text, &*theirs[0].bytes), ("jmp 0x0", "e9"));
        assert!(theirs[0].is_linked);
    }

    #[test]
    fn floats_are_in_the_pool() {
        let theirs = " 8048060:\tf2 0f 10 05 27\tmovsd  xmm0,QWORD PTR ds:0x8048227\n";
        let ours = "0000  f2 0f 10 05 27  movsd xmm0,QWORD PTR [constant 0.5]\n";
        assert_eq!(printed(ours), [disassembled(theirs, "simple")[0].text.as_str()]);
    }

    #[test]
    fn targets_count_from_the_function() {
        let jump = |target| format!(" 8048060:\t75 0e \tjne    8048070 <{target}>\n");
        assert_eq!(disassembled(&jump("simple+0x10"), "simple")[0].text, "jne 0x10");
        assert_eq!(disassembled(&jump("simple"), "simple")[0].text, "jne 0x0");
        assert_eq!(disassembled(&jump("other"), "simple")[0].text, "jne other");
    }
}
