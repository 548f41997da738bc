//! Small programs for each sentence about memory, floats and references in the definition of the
//! language: the optimized sea, the results at every stage, and the errors.
use super::{Check, Configuration, run_everywhere};
use sonc::{Artifact, Halt, Source, Stage, StageObserver};

/// The program, the sea, and results by argument.
type Accepted = (&'static str, &'static str, &'static [(i32, &'static str)]);

const ACCEPTED: &[Accepted] = &[
    (
        "struct Pt { int x; int y; } Pt p = new Pt; p.x=arg; p.y=p.x+1; return p.x*p.y;",
        "return (arg*(arg+1));",
        &[(0, "0"), (5, "30")],
    ),
    (
        "struct Pt { int x; int y; } Pt p = new Pt; if(arg) p.y=9; return p;",
        "return new Pt;",
        &[(5, "Obj<Pt> {\n  x=0\n  y=9\n}"), (0, "Obj<Pt> {\n  x=0\n  y=0\n}")],
    ),
    (
        "struct Bx { int v; } Bx? b = null; if(arg) b = new Bx; if(b) b.v=4; else return 0-1;
         return b.v;",
        "Stop[ return -1; return 4; ]",
        &[(0, "-1"), (2, "4")],
    ),
    (
        "struct Ct { int n; } Ct c = new Ct; while(arg) { c.n=c.n+arg; arg=arg-1; } return c.n;",
        "return Phi(Loop,0,(Phi_n+Phi(Loop,arg,(Phi_arg+-1))));",
        &[(0, "0"), (6, "21")],
    ),
    ("int n; if(!arg) n=8; return n;", "return Phi(Region,8,0);", &[(0, "8"), (1, "0")]),
    #[cfg(not(feature = "ch17"))]
    ("struct S { int x; } S a = new S; S b = a; return (a.x=7)==b;", "return 1;", &[(0, "1")]),
    ("struct S { } S s = new S; if (s == null) return 1; return 2;", "return 2;", &[(0, "2")]),
    ("if(arg) return 4; // otherwise at the end", "Stop[ return 4; return 0; ]", &[(0, "0")]),
    ("{ int v=6; {} } // no return at all", "return 0;", &[(0, "0")]),
    (
        "struct R { int v; } R a = new R; R b = new R; a.v=arg; b.v=10; if(arg>5) a=b; return a.v;",
        "return .v;",
        &[(2, "2"), (7, "10")],
    ),
    (
        "int k=arg*3; int s=0; while(s<arg) { s=s+k/3+1; } return s;",
        "return Phi(Loop,0,((Phi_s+((arg*3)/3))+1));",
        &[(0, "0"), (4, "5")],
    ),
    (
        "struct R { int v; } R r = new R; int x=r.v; r.v=arg; return x+r.v;",
        "return arg;",
        &[(5, "5")],
    ),
    (
        "int g=arg; int h=18; while(h) { int t=h; h=g-g/h*h; g=t; } return g;",
        "return Phi(Loop,arg,Phi(Loop,18,(Phi_g-((Phi_g/Phi_h)*Phi_h))));",
        &[(12, "6")],
    ),
    ("return 2.5+1;", "return 3.5;", &[(0, "3.5")]),
    ("flt f=arg; return f*0.5;", "return ((flt)arg*0.5);", &[(0, "0.0"), (3, "1.5")]),
    ("flt f=7; return f/2;", "return 3.5;", &[(0, "3.5")]),
    (
        "flt f=arg; if(f>4.5) return 1; return 0;",
        "Stop[ return 1; return 0; ]",
        &[(1, "0"), (9, "1")],
    ),
    (
        "flt s=0; while(arg>0) { s=s+arg/4.0; arg=arg-1; } return s;",
        "return Phi(Loop,0.0,(Phi_s+((flt)Phi(Loop,arg,(Phi_arg+-1))/4.0)));",
        &[(10, "13.75")],
    ),
    (
        "flt f=arg; flt g=f*f; return g==f;",
        "return (((flt)arg*ToFloat)==ToFloat);",
        &[(0, "1"), (1, "1"), (2, "0")],
    ),
    ("return 6.25e2;", "return 625.0;", &[(0, "625.0")]),
    ("flt x; return x;", "return 0.0;", &[(0, "0.0")]),
    (
        "struct T { T? left; T? right; int key; } T t=new T; t.key=5; t.left=new T; return t.key;",
        "return 5;",
        &[(0, "5")],
    ),
    (
        "struct Nd { Nd? nx; int v; } Nd? h=null;
         while(arg) { Nd n=new Nd; n.nx=h; n.v=arg*arg; h=n; arg=arg-1; }
         if(!h) return 0-1; return h.v;",
        "Stop[ return -1; return .v; ]",
        &[(0, "-1"), (4, "1")],
    ),
    #[cfg(not(feature = "ch16"))]
    (
        "struct A { B b; } struct B { int z; } A a=new A; B b=new B; a.b=b; b.z=12;
         B? c=a.b; if(!c) return 1; return c.z;",
        "return 12;",
        &[(0, "12")],
    ),
    ("struct A { flt w; } A a=new A; a.w=arg; return a.w;", "return (flt)arg;", &[(3, "3.0")]),
    (
        "struct K { int v; } K? k=null; if(arg) k=new K; if(!k) return 3; k.v=8; return k.v;",
        "Stop[ return 3; return 8; ]",
        &[(0, "3"), (1, "8")],
    ),
    ("struct A { int v; A? n; } A a=new A; return a.n;", "return null;", &[(0, "null")]),
];

/// The program, and the first error.
const REJECTED: &[(&str, &str)] = &[
    (
        "struct Bx { int v; } Bx? b = null; if(arg) b = new Bx; return b.v;",
        "Might be null accessing 'v'",
    ),
    ("struct Bx { int v; } Bx b = new Bx; return b.w;", "Accessing unknown field 'w' from '*Bx'"),
    ("return arg.v;", "Expected struct reference but got int"),
    ("return null.zAicm;", "Accessing unknown field 'zAicm' from 'null'"),
    #[cfg(not(feature = "ch16"))]
    ("struct Bar { int a; } Bar x; return x.a;", "Type null is not of declared type *Bar"),
    #[cfg(feature = "ch16")]
    ("struct Bar { int a; } Bar x; return x.a;", "Cannot read uninitialized variable 'x'"),
    ("struct S { int a; } S? s; return s.a;", "Might be null accessing 'a'"),
    ("new s0.0; return 0;", "Expected an identifier, found 'new'"),
    #[cfg(not(feature = "ch16"))]
    ("struct S { int x; int x; } return 0;", "Field 'x' already defined in struct 'S'"),
    #[cfg(feature = "ch16")]
    ("struct S { int x; int x; } return 0;", "Redefining name 'x'"),
    ("struct S { int x; } struct S { int y; } return 0;", "struct 'S' cannot be redefined"),
    (
        "if (arg) { struct S { int x; } } return 0;",
        "struct declarations can only appear in top level scope",
    ),
    ("return new X;", "Unknown struct type 'X'"),
    ("int v1 = 0; int v1 = 1; return v1;", "Redefining name 'v1'"),
    ("ret = 1;", "Undefined name 'ret'"),
    ("return100;", "Undefined name 'return100'"),
    ("ififif(arg) return 1;", "Undefined name 'ififif'"),
    ("int i=2.0; return i;", "Type 2.0 is not of declared type int"),
    ("int x = 3.14; return x;", "Type 3.14 is not of declared type int"),
    #[cfg(feature = "ch16")]
    (
        "struct A { B b; } struct B { int z; } A a=new A { b=new B; }; a.b=null; return a;",
        "Cannot store null into field *B b",
    ),
    #[cfg(not(feature = "ch16"))]
    (
        "struct A { B b; } struct B { int z; } A a=new A; a.b=null; return a;",
        "Cannot store null into field *B b",
    ),
    #[cfg(not(feature = "ch16"))]
    (
        "struct A { B b; } struct B { int z; } A a=new A; a.b=new B; a.b.z=12; return a.b.z;",
        "Might be null accessing 'z'",
    ),
    ("return null*2;", "Cannot 'Mul' null"),
    ("return null+1;", "Cannot 'Add' null"),
];

/// Checks every stage, and keeps the sea.
#[derive(Default)]
struct Examined {
    check: Check,
    sea: String,
}

impl StageObserver for Examined {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        if stage == Stage::Sea {
            self.sea = artifact.print();
        }
        self.check.stage_done(stage, artifact)
    }
}

fn compile(program: &str, examined: &mut Examined) -> Result<Vec<u8>, Halt> {
    let source = Source { name: "example".into(), text: program.into() };
    Configuration::standard().compile(&source, examined)
}

#[test]
fn examples_have_their_sea_and_their_results() {
    for &(program, sea, results) in ACCEPTED {
        let results = results.iter().map(|&(it, result)| (it, result.to_string()));
        let check = Check::from_iter(results);
        let mut examined = Examined { check, ..Examined::default() };
        let executable = compile(program, &mut examined);
        let executable = executable.unwrap_or_else(|halt| panic!("{program}: {halt:?}"));
        let Examined { mut check, sea: found } = examined;
        check.failures.extend(run_everywhere(&executable, &check.expected));
        assert!(check.failures.is_empty(), "{program}\n{}", check.failures.join("\n"));
        assert_eq!(found.trim_end(), sea, "{program}");
    }
}

#[test]
fn examples_are_rejected() {
    for (program, expected) in REJECTED {
        let Err(Halt::Errors(errors)) = compile(program, &mut Examined::default()) else {
            panic!("accepted: {program}");
        };
        let first = errors.first().map(|it| it.message.as_str()).unwrap_or_default();
        assert!(first.contains(expected), "{program}\n{first}, not {expected}");
    }
}
