//! Whatever is printed as JSON has the form that `docs/schema` says.

use serde_json::Value;

use crate::place::{GROWING, PROVED, Place, VIOLATED, repository, with_samples};

/// Fields may be added, so that schemas allow any. Here they have to be written down.
fn closed(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            map.values_mut().for_each(closed);
            let is_object = map.get("type").is_some_and(|it| match it {
                Value::Array(all) => all.iter().any(|it| it == "object"),
                it => it == "object",
            });
            if is_object && !map.contains_key("additionalProperties") {
                map.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
        }
        Value::Array(all) => all.iter_mut().for_each(closed),
        _ => {}
    }
}

/// The schema that an object names.
fn schema_of(object: &Value) -> Value {
    let name = object["schema"].as_str().unwrap_or_else(|| panic!("no schema: {object}"));
    let name = name.strip_prefix("queueproof.").unwrap().replace('/', "-");
    let path = repository().join("docs/schema").join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).unwrap()
}

/// What is wrong with a text, by the schema that it names.
fn mistakes(object: &Value) -> Vec<String> {
    let schema = schema_of(object);
    let mut strict = schema.clone();
    closed(&mut strict);
    let mut all = Vec::new();
    for schema in [schema, strict] {
        let validator = jsonschema::validator_for(&schema).unwrap();
        all.extend(validator.iter_errors(object).map(|it| format!("{}: {it}", it.instance_path())));
    }
    all
}

fn valid(place: &Place, words: &[&str]) -> Value {
    let ended = place.run(words);
    let object: Value = serde_json::from_str(&ended.out)
        .unwrap_or_else(|error| panic!("{words:?}: {error}\n{}\n{}", ended.out, ended.err));
    assert_eq!(mistakes(&object), Vec::<String>::new(), "{words:?}");
    object
}

const JSON: [&str; 4] = ["--format", "json", "--steps", "20000"];

#[test]
fn answers_of_every_kind_have_the_form_of_their_schema() {
    let place = with_samples("schema_answers");
    for model in [PROVED, VIOLATED, GROWING] {
        for command in ["check", "bounds", "explore"] {
            valid(&place, &[&[command, model][..], &JSON].concat());
        }
    }
    valid(&place, &[&["bounds", PROVED, "--set", "Server=1"][..], &JSON].concat());
    valid(&place, &["bounds", PROVED, "--emit", "json"]);
    valid(&place, &["reach", PROVED, "--format", "json"]);
    valid(&place, &["reach", PROVED, "--will-end", "--format", "json"]);
    valid(&place, &["reach", GROWING, "--will-end", "--format", "json"]);
    let many = valid(&place, &[&["check", PROVED, VIOLATED, "missing.cfsm"][..], &JSON].concat());
    assert_eq!(many["schema"], "queueproof.reports/1");
}

#[test]
fn other_languages_have_the_same_form() {
    let place = Place::new("schema_languages");
    let models = [
        "corpus/p/elevator_buggy.p",
        "corpus/p/ping_flood.p",
        "corpus/promela/dekker_bug.pml",
        "corpus/promela/alternating_bit_bug.pml",
        "corpus/promela/credit_recovery.pml",
    ];
    for model in models {
        place.copy(model);
        let words = ["check", model, "--property", "all", "--fair"];
        valid(&place, &[&words[..], &JSON].concat());
    }
}

#[test]
fn troubles_have_a_form_too() {
    let place = with_samples("schema_troubles");
    place.file("wrong.cfsm", "machine A { init S: send }");
    place.file("odd.txt", "machine");
    std::fs::create_dir(place.path().join("empty")).unwrap();
    let cases: [(&[&str], &str); 8] = [
        (&["check", "missing.cfsm"], "unreadable"),
        (&["check", "wrong.cfsm"], "refused"),
        (&["check", "odd.txt"], "refused"),
        (&["check", PROVED, "--property", "nonsense"], "usage"),
        (&["check", PROVED, "--nonsense"], "usage"),
        (&["check", "empty"], "usage"),
        (&["bounds", "missing.cfsm"], "unreadable"),
        (&["explore", "wrong.cfsm"], "refused"),
    ];
    for (words, kind) in cases {
        let object = valid(&place, &[words, &["--format", "json"]].concat());
        assert_eq!(object["error"]["kind"], kind, "{words:?}");
    }
}

/// A schema that allows everything would pass as well.
#[test]
fn schemas_refuse_what_is_wrong() {
    let place = with_samples("schema_refuses");
    let good = valid(&place, &[&["check", VIOLATED][..], &JSON].concat());
    let changes: [fn(&mut Value); 6] = [
        |it| it["properties"][0]["verdict"] = "safe".into(),
        |it| it["properties"][1]["trace"]["run"][0]["action"] = "sings".into(),
        |it| drop(it["properties"][0].as_object_mut().unwrap().remove("reason")),
        |it| it["properties"][0]["surprise"] = true.into(),
        |it| drop(it.as_object_mut().unwrap().remove("limits")),
        |it| it["queues"][0]["bound"] = "two".into(),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut bad = good.clone();
        change(&mut bad);
        assert!(!mistakes(&bad).is_empty(), "change {number} is not noticed");
    }
}
