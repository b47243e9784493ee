//! Payloads of messages as JSON: from the text that names a message to the values in it.

use serde_json::{Map, Value};

/// Deeper values stay texts; no program gets there.
const DEPTH_MAX: usize = 100;

/// Event, payload, and both as P's logs show them.
pub(super) fn parts(message: &str) -> (String, Option<Value>, String) {
    let Some((event, rest)) = message.split_once('(') else {
        return (message.to_owned(), None, message.to_owned());
    };
    let inside = rest.strip_suffix(')').unwrap_or(rest);
    let shown = format!("{event} with payload ({inside})");
    (event.to_owned(), Some(payload(rest, inside)), shown)
}

/// The payload, of which `rest` is the text behind its opening bracket. What is no list of values stays a
/// text.
fn payload(rest: &str, inside: &str) -> Value {
    let mut reader = Reader { rest };
    match reader.round(DEPTH_MAX) {
        Some(value) if reader.rest.is_empty() => value,
        _ => Value::String(inside.to_owned()),
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        self.rest = self.rest.trim_start();
        if self.eat("(") {
            return self.round(depth);
        }
        if self.eat("[") {
            return Some(Value::Array(self.values("]", depth)?));
        }
        if self.eat("{") {
            return self.braces(depth);
        }
        if self.eat("\"") {
            return Some(Value::String(self.string()?));
        }
        let word = self.word()?;
        Some(match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            _ => number(word).unwrap_or_else(|| Value::String(word.to_owned())),
        })
    }

    /// Behind `(`: an object if the values have names, a value alone if it is one, else an array.
    fn round(&mut self, depth: usize) -> Option<Value> {
        if self.eat("=)") {
            return Some(Value::Object(Map::new()));
        }
        if self.name().is_some() {
            let mut object = Map::new();
            while let Some(name) = self.name() {
                self.rest = &self.rest[name.len() + " = ".len()..];
                object.insert(name.to_owned(), self.value(depth)?);
                self.eat(", ");
            }
            return self.eat(")").then_some(Value::Object(object));
        }
        let mut values = Vec::new();
        while !self.eat(")") {
            values.push(self.value(depth)?);
            let one = values.len() == 1;
            if one && self.eat(",)") {
                break;
            }
            if one && self.eat(")") {
                return values.pop();
            }
            self.eat(", ");
        }
        Some(Value::Array(values))
    }

    /// Behind `{`: an object for a map, an array for a set.
    fn braces(&mut self, depth: usize) -> Option<Value> {
        if self.eat(":}") {
            return Some(Value::Object(Map::new()));
        }
        let (mut object, mut values) = (Map::new(), Vec::new());
        while !self.eat("}") {
            let start = self.rest;
            let key = self.value(depth)?;
            if self.eat(": ") {
                let length = start.len() - self.rest.len() - ": ".len();
                let text = key.as_str().map_or_else(|| start[..length].to_owned(), str::to_owned);
                object.insert(text, self.value(depth)?);
            } else {
                values.push(key);
            }
            self.eat(", ");
        }
        match (object.is_empty(), values.is_empty()) {
            (true, _) => Some(Value::Array(values)),
            (false, true) => Some(Value::Object(object)),
            (false, false) => None,
        }
    }

    fn values(&mut self, end: &str, depth: usize) -> Option<Vec<Value>> {
        let mut values = Vec::new();
        while !self.eat(end) {
            values.push(self.value(depth)?);
            self.eat(", ");
        }
        Some(values)
    }

    /// The name of a field, if one comes next.
    fn name(&self) -> Option<&'t str> {
        let (name, _) = self.rest.split_once(" = ")?;
        let plain = |c: char| c.is_alphanumeric() || c == '_';
        (!name.is_empty() && name.chars().all(plain)).then_some(name)
    }

    /// Behind `"`.
    fn string(&mut self) -> Option<String> {
        let mut text = String::new();
        loop {
            match self.next()? {
                '"' => return Some(text),
                '\\' => match self.next()? {
                    'n' => text.push('\n'),
                    'u' => text.push(self.code_point()?),
                    other => text.push(other),
                },
                other => text.push(other),
            }
        }
    }

    fn code_point(&mut self) -> Option<char> {
        let (digits, rest) = self.rest.strip_prefix('{')?.split_once('}')?;
        self.rest = rest;
        char::from_u32(u32::from_str_radix(digits, 16).ok()?)
    }

    /// A number, an element of an enum, a machine with its number: up to what ends a value.
    fn word(&mut self) -> Option<&'t str> {
        let length = self.rest.find([',', ')', ']', '}', ':', '(']).unwrap_or(self.rest.len());
        let number = self.rest[length..].strip_prefix('(').and_then(|rest| rest.find(')'));
        let length = length + number.map_or(0, |number| number + "()".len());
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }
}

fn number(word: &str) -> Option<Value> {
    let whole = word.parse::<i64>().ok().map(Value::from);
    whole.or_else(|| {
        let starts_right = word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
        word.parse::<f64>().ok().filter(|_| starts_right).map(Value::from)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn payload_of(message: &str) -> Option<Value> {
        parts(message).1
    }

    #[test]
    fn an_event_without_payload_has_none() {
        assert_eq!(parts("ePing"), ("ePing".into(), None, "ePing".into()));
    }

    #[test]
    fn the_log_shows_event_and_payload() {
        let (event, _, shown) = parts("ePing(3)");
        assert_eq!((event.as_str(), shown.as_str()), ("ePing", "ePing with payload (3)"));
    }

    #[test]
    fn named_tuples_become_objects() {
        let message = "eReq(source = Client(2), id = -1, inner = (a = true, b = null))";
        let expected = json!({"source": "Client(2)", "id": -1, "inner": {"a": true, "b": null}});
        assert_eq!(payload_of(message), Some(expected));
        assert_eq!(payload_of("eReq(=)"), Some(json!({})));
    }

    #[test]
    fn tuples_become_arrays_and_single_values_stay_alone() {
        assert_eq!(payload_of("e(3)"), Some(json!(3)));
        assert_eq!(payload_of("e(3,)"), Some(json!([3])));
        assert_eq!(payload_of("e(1, (2, 2.5))"), Some(json!([1, [2, 2.5]])));
        assert_eq!(payload_of("e()"), Some(json!([])));
    }

    #[test]
    fn collections_keep_their_shape() {
        assert_eq!(payload_of("e([7])"), Some(json!([7])));
        assert_eq!(payload_of("e({7})"), Some(json!([7])));
        assert_eq!(payload_of("e([])"), Some(json!([])));
        assert_eq!(payload_of("e({})"), Some(json!([])));
        assert_eq!(payload_of("e({:})"), Some(json!({})));
        let map = "e({1: [Color.Red], (2, 3): \"x\", \"k\": Node(4)})";
        let expected = json!({"1": ["Color.Red"], "(2, 3)": "x", "k": "Node(4)"});
        assert_eq!(payload_of(map), Some(expected));
    }

    #[test]
    fn texts_lose_quotes_and_escapes() {
        let message = r#"e(text = "a, \"b\" = (c)\n\\\u{7}", rest = 1)"#;
        let expected = json!({"text": "a, \"b\" = (c)\n\\\u{7}", "rest": 1});
        assert_eq!(payload_of(message), Some(expected));
    }

    #[test]
    fn what_is_no_value_stays_a_text() {
        assert_eq!(payload_of("m(x"), Some(json!("x")));
        assert_eq!(payload_of("m(a)(b)"), Some(json!("a)(b")));
        assert_eq!(payload_of("m({1: 2, 3})"), Some(json!("{1: 2, 3}")));
        let deep = format!("m({}", "(".repeat(5000));
        assert_eq!(payload_of(&deep), Some(json!("(".repeat(5000))));
    }
}
