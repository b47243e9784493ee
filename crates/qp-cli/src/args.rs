//! The command line itself.

mod random;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use qp_report::formats;
use qp_report::table::Form;
use queueproof::{Range, Switches};

use crate::units::{self, Limit};
use random::RandomArgs;

/// Proves things about programs whose parts talk through message queues, for queues of any length.
#[derive(Parser)]
#[command(name = "queueproof", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  queueproof check protocol.cfsm              check every property
  queueproof check Bank.pproj --test tcSingle check one test case of a P project
  queueproof bounds protocol.cfsm             how long can each queue get?
  queueproof explore protocol.cfsm --bound 3  count configurations, queue length by queue length
  queueproof explain QP1001                   what a code means and what to do

Exit codes: 0 everything proved, 1 something violated, 2 nothing violated but something unknown or
proved only up to a failure, 3 the model was refused, 64 wrong use, 70 a bug in Queueproof, 130 interrupted.";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check every property of the models
    #[command(after_help = "\
Examples:
  queueproof check protocol.cfsm
  queueproof check models/ --property deadlock --property unhandled
  queueproof check Bank.pproj --list
  queueproof check Bank.pproj --test tcSingleClient
  queueproof check leader.pml -D N=5 --property deadlock
  queueproof check leader.pml --property all
  queueproof check leader.pml -D N=9 --reduce
  queueproof check protocol.cfsm --ltl 'G (req -> F ack)'
  queueproof check flood.p --invariant 'Receiver: G (Done => G !Prime)'
  queueproof check protocol.cfsm --time 5m --max-bound 12 --format json")]
    Check(CheckArgs),
    /// For every queue: bounded and by how much, or how it grows
    #[command(after_help = "\
Examples:
  queueproof bounds protocol.cfsm
  queueproof bounds leader.pml -D N=5
  queueproof bounds protocol.cfsm --set Server=1 --set Client=1
  queueproof bounds protocol.cfsm --emit tokio -o src/channels.rs
  queueproof bounds protocol.cfsm --format json")]
    Bounds(BoundsArgs),
    /// Visit all configurations whose queues hold at most K messages, and count them
    #[command(after_help = "\
Examples:
  queueproof explore protocol.cfsm --bound 3
  queueproof explore protocol.cfsm --bound 3 --all-errors
  queueproof explore protocol.cfsm --from 3 --bound 3 --count --jobs 1
  queueproof explore protocol.cfsm --bound 9 --processes 4
  queueproof explore protocol.cfsm --bound 9 --hosts hosts.txt --process 0")]
    Explore(ExploreArgs),
    /// What queues can hold in each control state, at any length, as regular expressions
    #[command(after_help = "\
Examples:
  queueproof reach protocol.cfsm
  queueproof reach protocol.cfsm --blur 2
  queueproof reach protocol.cfsm --will-end
  queueproof reach protocol.cfsm --format json")]
    Reach(ReachArgs),
    /// Run a saved trace again, or a list of choices on a model
    #[command(after_help = "\
Examples:
  queueproof replay .queueproof/protocol.cfsm/traces/deadlock.json
  queueproof replay protocol.cfsm --trace 0.0 1.0 0.1")]
    Replay(ReplayArgs),
    /// Draw a saved trace
    #[command(after_help = "\
Examples:
  queueproof trace .queueproof/protocol.cfsm/traces/deadlock.json
  queueproof trace .queueproof/protocol.cfsm/traces/deadlock.json --to svg -o deadlock.svg
  queueproof trace .queueproof/protocol.cfsm/traces/deadlock.json --to mermaid
  queueproof trace .queueproof/dining.pml/traces/deadlock.json --to spin -o dining.trail")]
    Trace(TraceArgs),
    /// The long text of a code; without a code, the list of all codes
    Explain {
        /// For instance QP1001
        code: Option<String>,
    },
    /// Work with certificates
    Cert {
        #[command(subcommand)]
        command: CertCommand,
    },
    /// Write a model in the language of another tool
    #[command(after_help = "\
Examples:
  queueproof translate protocol.cfsm --to promela -o protocol.pml
  queueproof translate protocol.cfsm --to promela --bound 2 | less")]
    Translate(TranslateArgs),
    /// Check a model with another tool as well, and compare
    Compare {
        #[command(subcommand)]
        command: CompareCommand,
    },
    /// A table of verdicts and times over a folder
    #[command(after_help = "\
Examples:
  queueproof bench models/
  queueproof bench models/ --format csv > results.csv
  queueproof bench corpus/p --table pat
  queueproof bench corpus/promela --table ciclo")]
    Bench(BenchArgs),
    /// List the engines
    Engines,
    /// Print a completion script
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages of all commands (`man -l FOLDER/queueproof.1` shows one)
    Man {
        /// A folder that exists
        folder: PathBuf,
    },
}

#[derive(Subcommand)]
pub(crate) enum CertCommand {
    /// Check a certificate against its model with the independent checker
    Verify(VerifyArgs),
}

#[derive(ClapArgs)]
pub(crate) struct TranslateArgs {
    /// A model
    pub(crate) path: PathBuf,
    /// The language
    #[arg(long, value_enum)]
    pub(crate) to: Target,
    /// Where to write it; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// How many messages unbounded queues hold in the translation
    #[arg(long, value_name = "K", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=255))]
    pub(crate) bound: u32,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// The language of SPIN
    Promela,
}

#[derive(Subcommand)]
pub(crate) enum CompareCommand {
    /// Run SPIN on a Promela model with the declared capacities, and compare verdicts, states, time and memory
    #[command(after_help = "\
Examples:
  queueproof compare spin leader.pml
  queueproof compare spin leader.pml -D N=5 --time 5m
  queueproof compare spin mutex.pml --fair --format json

SPIN and a C compiler must be on the PATH. SPIN runs twice: without merging of statements and without
reductions, where the number of states must be the same as here, and as fast as it can. Each property of
infinite runs (ltl, never, progress, acceptance) is one more run. Nothing is left behind.

Exit codes: 0 the same, 1 different, 2 something could not be compared, or SPIN is missing,
3 the model was refused, 64 wrong use.")]
    Spin(SpinArgs),
}

#[derive(ClapArgs)]
pub(crate) struct SpinArgs {
    /// A Promela model
    pub(crate) path: PathBuf,
    /// Define a macro before the first line, as compilers do (repeat for several)
    #[arg(short = 'D', value_name = "NAME[=TEXT]", value_parser = define)]
    pub(crate) defines: Vec<(String, String)>,
    /// Of infinite runs, count only those in which nobody who can always move is passed over for ever
    #[arg(long)]
    pub(crate) fair: bool,
    /// The C compiler; the first of cc, gcc, clang and tcc that is there if not given
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) compiler: Option<String>,
    /// Wall-clock limit of each run, ours and SPIN's
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::duration)]
    pub(crate) time: Limit<Duration>,
    /// Memory of each run
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = units::bytes)]
    pub(crate) memory: u64,
    /// Configurations to visit at most, here
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub(crate) steps: u64,
    /// Threads, here; all cores if not given
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Text for people or JSON for scripts
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

#[derive(ClapArgs)]
pub(crate) struct CheckArgs {
    /// Models (.p, .pproj, .pml, .cfsm, .scm, .fsa, .fsm) or folders of models
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Check only this property (repeat for several); `all` for everything that applies
    #[arg(long, value_name = "ID")]
    pub(crate) property: Vec<String>,
    /// List the test cases and check nothing
    #[arg(long)]
    pub(crate) list: bool,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) apart: ApartArgs,
    #[command(flatten)]
    pub(crate) lists: ListArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Also write a report to this file, in the form that its ending names: .json, .sarif, .xml, .md (repeat for
    /// several)
    #[arg(long = "output", value_name = "FILE", help_heading = "Output")]
    pub(crate) reports: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What is told apart although it may not matter.
#[derive(ClapArgs)]
#[command(next_help_heading = "Search")]
pub(crate) struct ApartArgs {
    /// Leave out orders of steps that do not matter from the start: fewer configurations, for failures and deadlocks only
    #[arg(long)]
    pub(crate) reduce: bool,
    /// Follow every order of steps, also in large sets where only failures and deadlocks are open
    #[arg(long, conflicts_with = "reduce")]
    pub(crate) no_reduce: bool,
    /// Tell all numbers apart, also where it does not matter which they are
    #[arg(long)]
    pub(crate) no_sorts: bool,
}

#[derive(ClapArgs)]
pub(crate) struct BoundsArgs {
    /// Models or folders of models
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Do not look for the smallest capacities: faster for large models
    #[arg(long)]
    pub(crate) no_capacities: bool,
    /// Write code that sets capacities from proved bounds, in the place of the table
    #[arg(long, value_enum, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) emit: Vec<Emitted>,
    /// Where to write what --emit asks for: a file, or a folder if there are several; standard output if
    /// not given
    #[arg(short = 'o', long = "output", value_name = "PATH", requires = "emit")]
    pub(crate) write_to: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) lists: ListArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What code can be written for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emitted {
    /// An object for scripts
    Json,
    /// Channels of the Rust library tokio
    Tokio,
    /// Mailboxes of the actor library Akka
    Akka,
}

#[derive(ClapArgs)]
pub(crate) struct ExploreArgs {
    /// A model
    pub(crate) path: PathBuf,
    /// The greatest queue length to explore
    #[arg(long, value_name = "K", default_value_t = 4)]
    pub(crate) bound: u32,
    /// The first queue length to explore
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) from: u32,
    /// Go on after a violation, for complete counts
    #[arg(long)]
    pub(crate) all_errors: bool,
    /// Count configurations and check nothing
    #[arg(long, conflicts_with = "property")]
    pub(crate) count: bool,
    /// Check only this property (repeat for several); `all` for everything that applies
    #[arg(long, value_name = "ID")]
    pub(crate) property: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    /// Leave out orders of steps that do not matter: fewer configurations, for failures and deadlocks only
    #[arg(long, help_heading = "Search")]
    pub(crate) reduce: bool,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Several processes, if the program was built with the feature `distributed`.
#[derive(ClapArgs)]
#[command(next_help_heading = "Several processes")]
pub(crate) struct ClusterArgs {
    /// Search with N processes on this machine
    #[arg(long, value_name = "N", value_parser = processes)]
    pub(crate) processes: Option<usize>,
    /// Search with the processes that this file lists, one host:port in a line
    #[arg(long, value_name = "FILE", requires = "process", conflicts_with = "processes")]
    pub(crate) hosts: Option<PathBuf>,
    /// Which of them this one is; the first one is 0 and has the report
    #[arg(long, value_name = "I", requires = "hosts")]
    pub(crate) process: Option<usize>,
    /// Allow addresses of other machines, although whoever can reach them can join
    #[arg(long, requires = "hosts")]
    pub(crate) insecure_cluster: bool,
    /// Which of the processes of --processes this one is
    #[arg(long, hide = true, value_name = "I", requires_all = ["processes", "at"])]
    pub(crate) join: Option<usize>,
    /// Where the processes of --processes listen
    #[arg(long, hide = true, value_name = "ADDRESSES", value_delimiter = ',')]
    pub(crate) at: Vec<String>,
}

fn processes(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=64).contains(number));
    number.ok_or_else(|| "write a number from 1 to 64".to_owned())
}

#[derive(ClapArgs)]
pub(crate) struct ReachArgs {
    /// A model
    pub(crate) path: PathBuf,
    /// The longest cycles of steps that are taken any number of times at once; as long as it takes if not given
    #[arg(long, value_name = "N")]
    pub(crate) cycles: Option<usize>,
    /// Blur automata so that the search ends: more may be shown than can be reached
    #[arg(long, value_name = "K", conflicts_with = "cycles")]
    pub(crate) blur: Option<usize>,
    /// Show the states between two actions of one line, too
    #[arg(long)]
    pub(crate) all: bool,
    /// Say whether the search is bound to come to an end, or what is in the way, and do not search
    #[arg(long, conflicts_with_all = ["cycles", "blur", "all"])]
    pub(crate) will_end: bool,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    /// Wall-clock limit, for instance 90s, 5m, none
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::duration)]
    pub(crate) time: Limit<Duration>,
    /// States of automata to go through at most: a limit that does not depend on the machine
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) steps: u64,
    /// Text for people or JSON for scripts
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

#[derive(ClapArgs)]
pub(crate) struct ReplayArgs {
    /// A trace file, or a model together with --trace
    pub(crate) path: PathBuf,
    /// Choices as MACHINE.CHOICE
    #[arg(long, num_args = 1.., value_name = "CHOICE")]
    pub(crate) trace: Vec<String>,
    /// Write the run as a trail that `spin -t -k FILE MODEL` follows, for a Promela model
    #[arg(long, value_name = "FILE")]
    pub(crate) trail: Option<PathBuf>,
    /// The model, if it is no longer where the trace says
    #[arg(long, value_name = "PATH")]
    pub(crate) model: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

#[derive(ClapArgs)]
pub(crate) struct TraceArgs {
    /// A trace file
    pub(crate) path: PathBuf,
    /// How to draw it
    #[arg(long, value_enum, default_value_t = Drawing::Text)]
    pub(crate) to: Drawing,
    /// Where to write it; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The model, if it is no longer where the trace says
    #[arg(long, value_name = "PATH")]
    pub(crate) model: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Drawing {
    /// A chart for the terminal
    Text,
    /// A picture
    Svg,
    /// Text that many wikis and forges draw
    Mermaid,
    /// The trace format of the P checker, for its viewers
    P,
    /// A trail that `spin -t -k FILE MODEL` follows
    Spin,
}

#[derive(ClapArgs)]
pub(crate) struct VerifyArgs {
    /// A certificate file
    pub(crate) path: PathBuf,
    /// The model, if it is no longer where the certificate says
    #[arg(long, value_name = "PATH")]
    pub(crate) model: Option<PathBuf>,
    /// Wall-clock limit, for instance 90s, 5m, none
    #[arg(long, value_name = "TIME", default_value = "none", value_parser = units::duration)]
    pub(crate) time: Limit<Duration>,
    /// Memory; a sixteenth of it is the largest certificate that is read
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = units::bytes)]
    pub(crate) memory: u64,
}

#[derive(ClapArgs)]
pub(crate) struct BenchArgs {
    /// Models or folders of models
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
    #[command(flatten)]
    pub(crate) lists: ListArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Which table
    #[arg(long, value_enum, default_value_t = TableName::Verdicts)]
    pub(crate) table: TableName,
    /// How to write the table
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(crate) format: TableFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableName {
    /// Verdicts and times
    Verdicts,
    /// Each answer with the engine that gave it, and its time
    Answers,
    /// P programs and their proofs for every queue length, as in the paper on partial abstract
    /// transformers
    Pat,
    /// Bounds of queues and livelocks by counting, as in the paper on integer linear programming
    Ciclo,
    /// How many messages per round are enough, as in the paper on bounded asynchrony
    Ksync,
    /// The least queue length that is enough for all conversations, as in the paper on interactions
    Interactions,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// Aligned columns
    Text,
    /// Markdown
    Markdown,
    /// Comma-separated values
    Csv,
    /// JSON
    Json,
}

impl From<TableFormat> for Form {
    fn from(format: TableFormat) -> Self {
        match format {
            TableFormat::Text => Self::Text,
            TableFormat::Markdown => Self::Markdown,
            TableFormat::Csv => Self::Csv,
            TableFormat::Json => Self::Json,
        }
    }
}

/// How models are read.
#[derive(ClapArgs)]
#[command(next_help_heading = "P programs")]
pub(crate) struct ReadArgs {
    /// The language of the model, if the end of its name does not say it
    #[arg(long, value_enum, value_name = "LANGUAGE", help_heading = "Options")]
    pub(crate) language: Option<LanguageName>,
    /// The largest file to read
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "64MiB",
        value_parser = units::bytes,
        help_heading = "Options"
    )]
    pub(crate) input_max: u64,
    /// The test case (repeat for several); needed if there are several
    #[arg(long, value_name = "NAME", conflicts_with = "all_tests")]
    pub(crate) test: Vec<String>,
    /// Every test case, one after the other
    #[arg(long)]
    pub(crate) all_tests: bool,
    /// The dialect, if it is not to be recognised
    #[arg(long, value_enum, value_name = "DIALECT")]
    pub(crate) dialect: Option<DialectName>,
    /// What `assume N` on events and machines means: sends wait at the bound, or there is no bound
    #[arg(long, value_enum, default_value_t = AssumeName::Honour)]
    pub(crate) assume: AssumeName,
    /// What foreign functions mean: `refuse` the program, `havoc` (they return anything), or FUNCTION=FIRST..LAST, the
    /// numbers that one of them returns (repeat for several)
    #[arg(long, value_name = "MEANING", value_parser = foreign)]
    #[arg(
        help = "What foreign functions mean: `refuse` the program, `havoc` (they return anything), or \
                  FUNCTION=FIRST..LAST, the numbers that one of them returns (repeat for several) [default: refuse]"
    )]
    pub(crate) foreign: Vec<String>,
    /// Attach every spec, whatever the test case says
    #[arg(long)]
    pub(crate) all_specs: bool,
    /// A state or an event that counts as progress, for `livelock` (repeat for several)
    #[arg(long, value_name = "NAME")]
    pub(crate) progress_at: Vec<String>,
    #[command(flatten)]
    pub(crate) promela: PromelaArgs,
    /// Of infinite runs, count only those in which nobody who can always move is passed over for ever
    #[arg(long, help_heading = "Infinite runs")]
    pub(crate) fair: bool,
    /// A demand on what is sent, as a formula over messages (repeat for several); read on runs with infinitely
    /// many sends, and violated by finitely many that refute it
    #[arg(long, value_name = "FORMULA", help_heading = "Infinite runs")]
    pub(crate) ltl: Vec<String>,
    /// A state, as `Machine.State`, or a message that must always still be possible: the machine can come to the
    /// state, or the message be received, whatever has happened (repeat for several)
    #[arg(long, value_name = "NAME", help_heading = "What can always still happen")]
    pub(crate) possible: Vec<String>,
    /// Let at most N messages into a queue, whatever the model says (repeat for several); sends to a full
    /// queue wait
    #[arg(long, value_name = "QUEUE=N", value_parser = capacity, help_heading = "Queues")]
    pub(crate) set: Vec<(String, u32)>,
}

/// How Promela models are read.
#[derive(ClapArgs)]
#[command(next_help_heading = "Promela models")]
pub(crate) struct PromelaArgs {
    /// Define a macro before the first line, as compilers do (repeat for several)
    #[arg(short = 'D', value_name = "NAME[=TEXT]", value_parser = define)]
    pub(crate) defines: Vec<(String, String)>,
    /// How much fits into channels: what is declared, or any number of messages
    #[arg(long, value_enum, value_name = "READING")]
    #[arg(help = "How much fits into channels: what is declared, or any number of messages \
                  [default: declared; unbounded for `bounds`]")]
    pub(crate) channels: Option<ChannelsName>,
    /// What is one step
    #[arg(long, value_enum, value_name = "SIZE")]
    #[arg(help = "What is one step: each statement as in SPIN, or what others can notice \
                  [default: visible]")]
    pub(crate) granularity: Option<GranularityName>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChannelsName {
    Declared,
    Unbounded,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GranularityName {
    Statement,
    Visible,
}

fn define(text: &str) -> Result<(String, String), String> {
    queueproof::define(text).ok_or_else(|| "write it like N, N=3 or max(a,b)=a".to_owned())
}

fn foreign(text: &str) -> Result<String, String> {
    let is_known = ["refuse", "havoc"].contains(&text) || Range::read(text).is_some();
    let help = "write refuse, havoc, or a range of at most 1000 numbers like f=0..3";
    if is_known { Ok(text.to_owned()) } else { Err(help.to_owned()) }
}

fn capacity(text: &str) -> Result<(String, u32), String> {
    queueproof::capacity(text).ok_or_else(|| "write it like Server=2, with at least 1".to_owned())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LanguageName {
    P,
    Promela,
    Cfsm,
    Scm,
    Fsa,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DialectName {
    /// P as it was in 2018: push, pop, cardinality
    #[value(name = "2018")]
    Y2018,
    /// P as it is today
    Current,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AssumeName {
    Honour,
    Strip,
}

impl ReadArgs {
    /// The switches, but for the test case.
    pub(crate) fn switches(&self) -> Switches {
        let named = [
            pair("language", self.language),
            pair("dialect", self.dialect),
            pair("assume", Some(self.assume)),
            pair("channels", self.promela.channels),
            pair("granularity", self.promela.granularity),
        ];
        let mut named: Vec<(String, String)> = named.into_iter().flatten().collect();
        named.extend(self.foreign.iter().map(|it| ("foreign".to_owned(), it.clone())));
        let named = Switches::from_pairs(&named)
            .unwrap_or_else(|why| unreachable!("bug in Queueproof: {why}"));
        Switches {
            defines: self.promela.defines.clone(),
            fair: self.fair,
            all_specs: self.all_specs,
            progress_at: self.progress_at.clone(),
            ltl: self.ltl.clone(),
            possible: self.possible.clone(),
            capacities: self.set.clone(),
            ..named
        }
    }
}

/// A switch with the name of its value, as files have it.
fn pair(name: &str, value: Option<impl ValueEnum>) -> Option<(String, String)> {
    let value = value?.to_possible_value()?;
    Some((name.to_owned(), value.get_name().to_owned()))
}

/// How contents of queues are looked at, for proofs for every queue length.
#[derive(ClapArgs)]
#[command(next_help_heading = "Proofs for every queue length")]
pub(crate) struct ListArgs {
    /// What is always true of a queue (repeat for several); used once it is proved, a violation if it is false
    #[arg(long, value_name = "'NAME: FORMULA'")]
    pub(crate) invariant: Vec<String>,
    /// A file of invariants, one in a line (repeat for several)
    #[arg(long, value_name = "FILE")]
    pub(crate) invariants: Vec<PathBuf>,
    /// How many messages at the front of a queue are told apart; as many as it takes if not given
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) prefix: Option<u32>,
    /// Up to how many messages of one kind are counted behind them; as many as it takes if not given
    #[arg(long, value_name = "C", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) counted: Option<u32>,
    /// Do not look for invariants
    #[arg(long)]
    pub(crate) no_suggest: bool,
}

/// What a run may spend.
#[derive(ClapArgs)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Wall-clock limit per model, for instance 90s, 5m, none
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::duration)]
    pub(crate) time: Limit<Duration>,
    /// Memory for the sets of configurations
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = units::bytes)]
    pub(crate) memory: u64,
    /// The greatest queue length to explore
    #[arg(
        long,
        value_name = "K",
        help = "The greatest queue length to explore [default: 8, or what was shown for all queues]"
    )]
    pub(crate) max_bound: Option<u32>,
    /// Configurations to visit at most: a limit that does not depend on the machine
    #[arg(
        long,
        value_name = "N",
        help = "Configurations to visit at most: a limit that does not depend on the machine [default: as many as \
                time and memory allow]"
    )]
    pub(crate) steps: Option<u64>,
    /// Count as proved only what was re-checked, and not what a complete search says that there is no time or memory to do
    /// again
    #[arg(long)]
    pub(crate) certified: bool,
    /// How searched sets are kept: one by one, or as decision diagrams, which can hold far more
    #[arg(long, value_enum, value_name = "KIND", default_value_t = SetKind::Auto)]
    pub(crate) sets: SetKind,
    /// The order of levels of decision diagrams, on which their size depends
    #[arg(long, value_enum, value_name = "KIND", default_value_t = OrderKind::Auto)]
    pub(crate) order: OrderKind,
    /// Threads; all cores if not given. Results do not depend on it
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Use only this engine (repeat for several); see `queueproof engines`
    #[arg(long, value_name = "NAME")]
    pub(crate) engine: Vec<String>,
    #[command(flatten)]
    pub(crate) random: RandomArgs,
}

/// How searched sets are kept.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SetKind {
    /// One by one while there are few, as diagrams where that is less work
    Auto,
    /// One by one
    Explicit,
    /// As decision diagrams, where the model allows it
    Symbolic,
}

/// The order of levels of decision diagrams.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderKind {
    /// Whichever of the others turns out to be the best
    Auto,
    /// Whoever talks far more than others is above those it talks to
    Hub,
    /// Those who talk to each other are close
    Close,
    /// The same upside down
    Reverse,
    /// The order of the model
    Model,
}

/// The names of all forms of reports.
fn report_form() -> impl TypedValueParser<Value = ReportForm> {
    let value = |format: formats::Format| PossibleValue::new(format.name).help(format.summary);
    let text = PossibleValue::new("text").help("for people, as it is found");
    let values = std::iter::once(text).chain(formats::FORMATS.map(value));
    PossibleValuesParser::new(values.collect::<Vec<_>>())
        .map(|name| formats::Format::named(&name).map_or(ReportForm::Text, ReportForm::Written))
}

/// How a report is printed.
#[derive(Clone, Copy)]
pub(crate) enum ReportForm {
    /// For people, as it is found.
    Text,
    /// For another program, in the end.
    Written(formats::Format),
}

impl ReportForm {
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Self::Text)
    }
}

/// Where results go.
#[derive(ClapArgs)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// What is printed: text for people, or a report for another program
    #[arg(long, default_value = "text", value_parser = report_form())]
    pub(crate) format: ReportForm,
    /// The folder for traces and certificates; each model gets one inside
    #[arg(long, value_name = "DIR", default_value = ".queueproof")]
    pub(crate) out: PathBuf,
    /// Write no files
    #[arg(long, conflicts_with = "out")]
    pub(crate) no_files: bool,
    /// How to show progress
    #[arg(long, value_enum, default_value_t = ProgressMode::Auto)]
    pub(crate) progress: ProgressMode,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

/// How text looks.
#[derive(ClapArgs)]
#[command(next_help_heading = "Look")]
pub(crate) struct LookArgs {
    /// Colour; `auto` respects `NO_COLOR` and pipes
    #[arg(long, value_enum, default_value_t = When::Auto)]
    pub(crate) color: When,
    /// Characters outside ASCII in charts
    #[arg(long, value_enum, default_value_t = When::Auto)]
    pub(crate) unicode: When,
    /// Columns to fill, from 40 to 500; if not given, COLUMNS, else the width of the terminal, else 100
    #[arg(long, value_name = "N")]
    pub(crate) width: Option<usize>,
    /// Do not fold long charts, draw every loop, and list all invariants
    #[arg(long)]
    pub(crate) full: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressMode {
    /// A line that moves on a terminal, a line every 30 seconds elsewhere
    Auto,
    /// A line every second
    Lines,
    None,
}
