use host::game::{Home, Seed, Session, SessionOptions};
use host::script::EngineOptions;
use host::doc::plain;
fn session() -> Session {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let options = SessionOptions { home: Home { folder: root.into(), mods: vec![root.join("tests/mini")] }, ruleset: "mini".into(), seed: Seed::from_text("x"), engine: EngineOptions::default() };
    match Session::start(options, &[]) { Ok((s, _)) => { for f in s.findings() { println!("{}", host::diag::render(f, false)); } s }, Err(f) => { for f in f { println!("{}", host::diag::render(&f, false)); } panic!() } }
}
#[test]
fn smoke() {
    let mut s = session();
    for line in ["mood ann", "charm Ann with cheer", "charm bo with gloom", "throw 4d6kh3+2", "throw 4d6zz", "charm Ana with cheer", "chrm ann", "= act:get('ann','mood'), {1,2}", "= 1 +", "= while true do end", "= pcall(function() while true do end end)", "= (function() local t = {} while true do t[#t+1] = string.rep('x', 100000) .. #t end end)()", "= act:get('nobody', 'x')", "= act:get(1, 'x')", "= act.get('ann', 'x')", "= ('x'):rep(10000000)", "= tostring({})", "= `{print}`", "x = 3", "= string.find(string.rep('a', 60000), string.rep('.-', 50)..'b')", "= getmetatable('').__index", "= _G", "= pcall(error, 'x')", "= decimal('0.1') + decimal('0.2')", "= list.sorted({3,1,2})"] {
        let r = s.submit("gm", line);
        println!("> {line}   op {:?}", r.op);
        for d in &r.documents { println!("| {}", plain(d)); }
        if let Some(f) = &r.refusal { println!("{}", host::diag::render(f, false)); }
    }
    println!("{:?}", s.undo("gm").documents.iter().map(plain).collect::<Vec<_>>());
}
