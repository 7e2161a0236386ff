//! Values of JSON, as text. Numbers have all their digits.

use std::fmt::Write as _;

/// A value of JSON.
#[derive(Clone, Debug)]
pub(crate) struct Json(String);

impl Json {
    pub(crate) fn list(values: impl IntoIterator<Item = impl Into<Self>>) -> Self {
        Self::joined('[', values.into_iter().map(|value| value.into().0), ']')
    }

    /// An object with these members.
    pub(crate) fn object<N: AsRef<str>>(members: impl IntoIterator<Item = (N, Self)>) -> Self {
        let member = |(name, value): (N, Self)| format!("{}:{}", Self::from(name.as_ref()).0, value.0);
        Self::joined('{', members.into_iter().map(member), '}')
    }

    fn joined(start: char, parts: impl Iterator<Item = String>, end: char) -> Self {
        let mut text = String::from(start);
        for (at, part) in parts.enumerate() {
            text.push_str(if at == 0 { "" } else { "," });
            text.push_str(&part);
        }
        text.push(end);
        Self(text)
    }

    /// A value that is JSON already.
    pub(crate) fn raw(text: &str) -> Self {
        Self(text.to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        let mut quoted = String::from('"');
        for sign in text.chars() {
            match sign {
                '"' | '\\' => quoted.extend(['\\', sign]),
                _ if sign.is_control() => {
                    let _ = write!(quoted, "\\u{:04x}", u32::from(sign));
                }
                _ => quoted.push(sign),
            }
        }
        quoted.push('"');
        Self(quoted)
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<f64> for Json {
    fn from(number: f64) -> Self {
        Self(if number.is_finite() { format!("{number:.6}") } else { "null".to_owned() })
    }
}

impl<T: Into<Self>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(|| Self("null".to_owned()), Into::into)
    }
}

macro_rules! plain {
    ($($name:ty),*) => {$(
        impl From<$name> for Json {
            fn from(value: $name) -> Self {
                Self(value.to_string())
            }
        }
    )*};
}
plain!(bool, i32, i128, u8, u16, u64, u128, usize);

#[cfg(test)]
mod tests {
    use tinyjson::JsonValue;

    use super::*;

    #[test]
    fn values_are_read_back() {
        let text: String = (0..0x2000).filter_map(char::from_u32).chain("🦀\\\"/".chars()).collect();
        let object = Json::object([
            (text.clone(), Json::from(text.as_str())),
            ("numbers".to_owned(), Json::list([Json::from(-3), Json::from(0.5), Json::from(f64::NAN)])),
            ("none".to_owned(), None::<bool>.into()),
        ]);
        let JsonValue::Object(members) = object.as_str().parse().unwrap() else { panic!() };
        assert_eq!(members[&text], JsonValue::String(text.clone()));
        assert_eq!(
            members["numbers"],
            JsonValue::Array(
                [-3.0, 0.5].map(JsonValue::Number).to_vec().into_iter().chain([JsonValue::Null]).collect()
            )
        );
        assert_eq!((&members["none"], object.as_str().lines().count()), (&JsonValue::Null, 1));
        assert_eq!(Json::from(i128::MIN).as_str(), "-170141183460469231731687303715884105728");
    }
}
