//! User time of sonc's code, relative to that of another compiler: both are executed in turn on
//! this host.
use super::c_programs::START_OF_OBJECTS;
use super::compilers::{COMPILERS, Compiler};
use super::measure::Program;
use emulate::native::Host;

/// The instructions that a process executes, so that it takes about a tenth of a second.
const INSTRUCTIONS: u64 = 300_000_000;

/// The number of pairs of processes; the median of their ratios counts.
const PAIRS: usize = 7;

/// The ratio of the times; `None` on a host that cannot execute IA-32 programs, or without the
/// other compiler. `instructions` and `sum` are the executed instructions of its code and the sum
/// of its results, for all arguments of the program.
pub fn ratio(program: &Program, other: &Compiler, instructions: u64, sum: i32) -> Option<f64> {
    let host = Host::detect()?;
    let turns = INSTRUCTIONS / instructions.max(1) + 1;
    let caller = caller(program, turns);
    let [ours, theirs] = [&COMPILERS[0], other].map(|it| it.with_caller(program, &caller));
    let (ours, theirs) = (ours?, theirs?);
    let expected = sum.wrapping_mul(turns as i32);
    let mut ratios = Vec::new();
    for _ in 0..PAIRS {
        let [ours, theirs] = [&ours, &theirs].map(|it| run(&host, it, expected, &program.name));
        ratios.push(ours? / theirs?);
    }
    ratios.sort_by(f64::total_cmp);
    Some(ratios[PAIRS / 2])
}

/// The microseconds that a program needs; its results must have the expected sum.
fn run(host: &Host, executable: &[u8], expected: i32, name: &str) -> Option<f64> {
    let output = host.output(executable, &[]).ok()?.stdout;
    let (sum, time) = output.split_first_chunk()?;
    assert_eq!(i32::from_le_bytes(*sum), expected, "{name}");
    Some(f64::from(u32::from_le_bytes(*time.first_chunk()?)))
}

/// A program in C that calls the function with all arguments, several times. It writes the sum of
/// the results, and the user time in microseconds. Each call has its objects in memory of zeros.
fn caller(program: &Program, turns: u64) -> String {
    let arguments: Vec<_> = program.arguments().iter().map(i32::to_string).collect();
    let arguments = arguments.join(", ");
    format!(
        "#define START {START_OF_OBJECTS:#x}\n#define TURNS {turns}\n\
         static const int arguments[] = {{ {arguments} }};\n{CALLER}"
    )
}

/// Numbers of Linux's system calls for IA-32: 1 exit, 4 write, 77 getrusage, 90 mmap.
const CALLER: &str = r#"
int simple(int);

/* The ends of programs of Simple that fail. */
void out_of_bounds(void) { __builtin_trap(); }
void no_length(void) { __builtin_trap(); }

static int system_call(int number, int a, void *b, int c) {
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}

static int user_time(void) {
    int usage[18];
    system_call(77, 0, usage, 0);
    return usage[0] * 1000000 + usage[1];
}

void _start(void) {
    int heap[] = { START, 1 << 28, 3, 0x4032, -1, 0 };
    system_call(90, (int)heap, 0, 0);
    int output[] = { 0, user_time() };
    for (int turn = 0; turn < TURNS; turn++)
        for (int at = 0; at < sizeof arguments / sizeof *arguments; at++) {
            for (int *word = (int *)(START + 16); word < *(int **)START; word++)
                *word = 0;
            *(int *)START = START + 16;
            output[0] = (unsigned)output[0] + simple(arguments[at]);
        }
    output[1] = user_time() - output[1];
    system_call(4, 1, output, 8);
    system_call(1, 0, 0, 0);
}
"#;
