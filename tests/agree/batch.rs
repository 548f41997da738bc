//! Many functions in one executable: it calls each with its arguments and writes all results, four
//! bytes each.
use super::run::host;

/// The address of the file in memory, and the offset of its code after its headers.
const BASE: u32 = 0x3000_0000;
const HEADERS: u32 = 52 + 2 * 32;

/// The heap: the address of the word that holds the address of the next object, and the first one.
const HEAP: u32 = 0x1000_0000;
const HEAP_SIZE: u32 = 1 << 28;
const FIRST_OBJECT: u32 = HEAP + 16;

/// Functions, and their calls.
#[derive(Default)]
pub struct Batch {
    code: Vec<u8>,
    /// The offset of the called function in the code, and its argument.
    calls: Vec<(u32, i32)>,
}

impl Batch {
    /// Adds the compiled function of an executable, and a call for each argument.
    pub fn add(&mut self, executable: &[u8], arguments: &[i32]) {
        let place = self.code.len() as u32;
        self.code.extend(function(executable));
        self.calls.extend(arguments.iter().map(|&argument| (place, argument)));
    }
}

/// The results of all calls; `None` if this machine cannot run them or one of them faults.
pub fn run(batch: &Batch) -> Option<Vec<i32>> {
    if batch.calls.is_empty() {
        return Some(Vec::new());
    }
    let output = host()?.output(&file(batch), &[]).ok()?;
    let results = output.stdout.chunks_exact(4);
    let results: Vec<_> = results.map(|it| word(it, 0) as i32).collect();
    (output.status.success() && results.len() == batch.calls.len()).then_some(results)
}

/// The bytes of the symbol `simple`.
fn function(executable: &[u8]) -> &[u8] {
    let sections = word(executable, 0x20) as usize;
    let section = |number: u32| sections + 40 * number as usize;
    let symbols = (1..).map(section).find(|&at| word(executable, at + 4) == 2);
    let symbols = symbols.expect("a table of symbols");
    let names = word(executable, section(word(executable, symbols + 24)) + 16) as usize;
    let table = word(executable, symbols + 16) as usize;
    let is_simple =
        |at: &usize| executable[names + word(executable, *at) as usize..].starts_with(b"simple\0");
    let symbol = (0..).map(|number| table + 16 * number).find(is_simple).expect("the function");
    let [value, size] = [symbol + 4, symbol + 8].map(|at| word(executable, at));
    // The offset of the first segment in the file, and its address.
    let [offset, address] = [56, 60].map(|at| word(executable, at));
    let start = (value - address + offset) as usize;
    &executable[start..start + size as usize]
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// An executable with two segments: the headers, the caller, the table of calls, the functions, and
/// space for the results; and the heap, which all functions share.
fn file(batch: &Batch) -> Vec<u8> {
    let count = batch.calls.len() as u32;
    let table = BASE + HEADERS + caller(0, 0, 0).len() as u32;
    let functions = table + 8 * count;
    let results = functions + batch.code.len() as u32;
    let size = results - BASE;
    let mut bytes = Vec::with_capacity(size as usize);
    bytes.extend(b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0");
    bytes.extend(words(&[0x0003_0002, 1, BASE + HEADERS, 52, 0, 0, 0x0020_0034, 2, 0]));
    bytes.extend(words(&[1, 0, BASE, BASE, size, size + 4 * count, 7, 0x1000]));
    bytes.extend(words(&[1, 0, HEAP, HEAP, 0, HEAP_SIZE, 6, 0x1000]));
    bytes.extend(caller(table, results, count));
    for &(place, argument) in &batch.calls {
        bytes.extend(words(&[functions + place, argument as u32]));
    }
    bytes.extend(&batch.code);
    bytes
}

fn words(words: &[u32]) -> impl Iterator<Item = u8> {
    words.iter().flat_map(|it| it.to_le_bytes())
}

/// The instructions that make the calls, write the results and exit. The kernel kills a program
/// that runs for a minute.
fn caller(table: u32, results: u32, count: u32) -> Vec<u8> {
    let parts: &[(&[u8], Option<u32>)] = &[
        (&[0xb8], Some(27)),                     // mov eax,27: alarm
        (&[0xbb], Some(60)),                     // mov ebx,60
        (&[0xcd, 0x80, 0xc7, 0x05], Some(HEAP)), // int 0x80; mov DWORD PTR [HEAP],FIRST_OBJECT
        (&[], Some(FIRST_OBJECT)),
        (&[0xbe], Some(table)),      // mov esi,table
        (&[0xbf], Some(results)),    // mov edi,results
        (&[0xbd], Some(count)),      // mov ebp,count
        (&[0xff, 0x76, 0x04], None), // next: push DWORD PTR [esi+4]
        (&[0xff, 0x16], None),       // call DWORD PTR [esi]
        (&[0x59], None),             // pop ecx
        (&[0x89, 0x07], None),       // mov DWORD PTR [edi],eax
        (&[0x83, 0xc7, 0x04], None), // add edi,4
        (&[0x83, 0xc6, 0x08], None), // add esi,8
        (&[0x4d], None),             // dec ebp
        (&[0x75, 0xef], None),       // jne next
        (&[0xb9], Some(results)),    // mov ecx,results
        (&[0xba], Some(4 * count)),  // mov edx,4*count
        (&[0xbb], Some(1)),          // mov ebx,1
        (&[0xb8], Some(4)),          // again: mov eax,4: write
        (&[0xcd, 0x80], None),       // int 0x80
        (&[0x85, 0xc0], None),       // test eax,eax
        (&[0x7e, 0x06], None),       // jle end
        (&[0x01, 0xc1], None),       // add ecx,eax
        (&[0x29, 0xc2], None),       // sub edx,eax
        (&[0x75, 0xef], None),       // jne again
        (&[0x89, 0xd3], None),       // end: mov ebx,edx: nothing is left to be written
        (&[0xb8], Some(1)),          // mov eax,1: exit
        (&[0xcd, 0x80], None),       // int 0x80
    ];
    let bytes = |&(code, number): &(&[u8], Option<u32>)| {
        let number = number.map(u32::to_le_bytes);
        [code, number.as_ref().map_or(&[], |it| &it[..])].concat()
    };
    parts.iter().flat_map(bytes).collect()
}
