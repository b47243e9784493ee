//! Models that were made to break limits. Each ends soon after its time is up and holds little more than it may,
//! whatever it comes to. The tolerance is for machines that do much else; without limits each takes minutes, or all
//! memory there is.

use std::time::{Duration, Instant};

use crate::place::Place;

const TIME: &str = "2s";
/// Mebibytes for most of them.
const LITTLE: u64 = 256;
/// Mebibytes for those whose text is large.
const MUCH: u64 = 1024;
/// A machine that is busy with other tests takes this much longer.
const TOLERANCE: Duration = Duration::from_secs(20);

/// Runs `check` with limits on a monster.
fn tame(name: &str, mebibytes: u64, file: &str, text: &str, words: &[&str]) {
    let place = Place::new(&format!("monster_{name}"));
    place.file(file, text);
    let memory = format!("{mebibytes}MiB");
    let limits = ["check", file, "--time", TIME, "--memory", &memory, "--no-files"];
    let words = [&limits[..], &["--jobs", "2", "--progress", "none"], words].concat();
    let start = Instant::now();
    let ended = Watched::run(&place, &words);
    let took = start.elapsed();
    assert!(took < Duration::from_secs(2) + TOLERANCE, "{name} took {took:?}");
    let most = (mebibytes << 20) * 23 / 20;
    assert!(ended.peak.is_none_or(|peak| peak < most), "{name} held {:?} bytes", ended.peak);
    let (code, out, err) = (ended.code, ended.out, ended.err);
    assert!(matches!(code, Some(0..=2)), "{name}: {code:?}\n{out}\n{err}");
}

/// How a run ended, and the most memory that it was seen to hold.
struct Watched {
    code: Option<i32>,
    out: String,
    err: String,
    peak: Option<u64>,
}

impl Watched {
    fn run(place: &Place, words: &[&str]) -> Self {
        let (out, err) = (place.path().join("out"), place.path().join("err"));
        let file = |path| std::fs::File::create(path).unwrap();
        let mut command = place.command(words);
        let mut child = command.stdout(file(&out)).stderr(file(&err)).spawn().unwrap();
        let (mut peak, status) = (None, format!("/proc/{}/status", child.id()));
        let code = loop {
            let held = std::fs::read_to_string(&status).ok();
            peak = peak.max(held.as_deref().and_then(most_held));
            match child.try_wait().unwrap() {
                Some(status) => break status.code(),
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        let read = |path| std::fs::read_to_string(path).unwrap();
        Self { code, out: read(out), err: read(err), peak }
    }
}

/// The system keeps the greatest resident size of a process.
fn most_held(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

const BROOD: &str = "machine Main { start state S { entry { var m: machine; m = new Main(); } } }\n\
                     test tc [main = Main]: { Main };\n";

#[test]
fn machines_that_create_each_other() {
    for engine in ["exchange", "explore"] {
        tame(&format!("brood_{engine}"), LITTLE, "m.p", BROOD, &["--engine", engine]);
    }
    tame("brood", LITTLE, "m.p", BROOD, &[]);
}

#[test]
fn a_step_with_millions_of_results() {
    let text = "event eX: (int, int, int, int);
machine Main {
  var x: (int, int, int, int);
  start state S {
    entry { send this, eX, (0, 0, 0, 0); }
    on eX do (y: (int, int, int, int)) {
      var a: int; var b: int; var c: int; var d: int;
      a = choose(50); b = choose(50); c = choose(50); d = choose(50);
      x = (a, b, c, d);
      assert x.0 < 100;
      send this, eX, (x.1, x.2, x.3, a);
    }
  }
}
test tc [main = Main]: { Main };
";
    tame("choose", LITTLE, "m.p", text, &[]);
}

#[test]
fn handlers_that_copy_data() {
    let text = "event eData: (seq[int], int);
machine Main {
  var buffer: seq[int];
  start state S {
    entry { var i: int; var d: seq[int];
      while (i < 500) { d += (sizeof(d), i); i = i + 1; }
      send this, eData, (d, 0); send this, eData, (d, 1); }
    on eData do (m: (seq[int], int)) {
      var i: int; var o: seq[int]; var k: int;
      k = choose(3);
      while (i < sizeof(m.0)) { o += (i, m.0[i] + k); i = i + 1; }
      buffer = o;
      assert sizeof(buffer) == 500;
      send this, eData, (o, k);
    }
  }
}
test tc [main = Main]: { Main };
";
    tame("copy", LITTLE, "m.p", text, &[]);
}

#[test]
fn a_round_of_fifty_thousand_states() {
    let n = 50_000;
    let state = |i: usize| format!("S{i}: send B m -> S{}\n", (i + 1) % n);
    let states: String = (0..n).map(state).collect();
    let text = format!("machine A {{ init {states} }} machine B {{ init T: recv m -> T }}");
    tame("states", LITTLE, "m.cfsm", &text, &[]);
}

#[test]
fn two_hundred_thousand_messages() {
    let all = |what: &str, to: &str| -> String {
        let option = |i: usize| format!("{what}{i} -> {to}");
        (0..200_000).map(option).collect::<Vec<String>>().join("\n | ")
    };
    let (sends, receives) = (all("send B m", "S"), all("recv m", "T"));
    let text = format!("machine A {{ init S: {sends} }} machine B {{ init T: {receives} }}");
    tame("messages", MUCH, "m.cfsm", &text, &[]);
}

#[test]
fn a_hundred_thousand_channels() {
    let text = "chan c[100000] = [1] of { byte };
active proctype P() { c[0] ! 1 }
active proctype Q() { byte x; c[0] ? x }
";
    tame("channels", MUCH, "m.pml", text, &[]);
}

#[test]
fn a_queue_with_room_for_four_billion_messages() {
    let text = "queues channels;
channel c 4294967295;
machine A { init S: send c m -> S }
machine B { init S: recv c m -> S }
";
    tame("room", LITTLE, "m.cfsm", text, &["--engine", "regular"]);
    tame("room_all", LITTLE, "m.cfsm", text, &[]);
}

#[test]
fn a_sequence_with_ten_thousand_moments() {
    let text = "byte x[8];
active proctype P() { do :: atomic { do :: x[0]++ :: x[1]++ :: x[2]++ :: x[3]++ :: x[4]++ :: break od } od }
active proctype Q() { do :: d_step { x[7]++; do :: x[6] < 250 -> x[6]++ :: else -> x[6] = 0; break od } od }
";
    tame("atomic", LITTLE, "m.pml", text, &[]);
}

/// Where the time goes is a loop of the interpreter, the table that doubles, the referee: the set is complete, and
/// large.
#[test]
fn a_complete_set_that_takes_long_to_check() {
    let machine = |name: &str| {
        let state = |i: usize| format!("S{i}: send {name}x m -> S{}\n", (i + 1) % 60);
        let states: String = (0..60).map(state).collect();
        format!(
            "machine {name} {{ init {states} }} machine {name}x {{ init T: recv m -> U U: recv m -> T }}\n"
        )
    };
    let text: String = ["A", "B"].map(machine).concat();
    tame("grid", LITTLE, "m.cfsm", &text, &["--engine", "explore", "--sets", "explicit"]);
}

#[cfg(unix)]
#[test]
fn a_file_without_an_end_is_refused() {
    let place = Place::new("monster_endless");
    std::os::unix::fs::symlink("/dev/zero", place.path().join("m.cfsm")).unwrap();
    let ended = place.expect(3, &["check", "m.cfsm", "--input-max", "1MiB"]);
    assert!(ended.err.contains("larger than 1 MiB"), "{}", ended.err);
    assert!(ended.err.contains("--input-max"), "{}", ended.err);
    let ended = place.expect(3, &["cert", "verify", "m.cfsm", "--memory", "16MiB"]);
    assert!(
        ended.err.contains("larger than 1 MiB") && ended.err.contains("--memory"),
        "{}",
        ended.err
    );
}
