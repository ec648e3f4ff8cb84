//! Serialization of seeds in scene files: a whole number, or its digits as text from 2^63 on, which
//! exceeds TOML's integers.

use std::fmt;

use serde::{Deserializer, Serializer, de};

pub(super) fn serialize<S: Serializer>(seed: &u64, to: S) -> Result<S::Ok, S::Error> {
    match i64::try_from(*seed) {
        Ok(number) => to.serialize_i64(number),
        Err(_) => to.serialize_str(&seed.to_string()),
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    from.deserialize_any(Seed)
}

struct Seed;

impl de::Visitor<'_> for Seed {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a seed, 0 to 18446744073709551615")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<u64, E> {
        Ok(number)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<u64, E> {
        u64::try_from(number).map_err(|_| E::invalid_value(de::Unexpected::Signed(number), &self))
    }

    fn visit_str<E: de::Error>(self, digits: &str) -> Result<u64, E> {
        digits
            .parse()
            .map_err(|_| E::invalid_value(de::Unexpected::Str(digits), &self))
    }
}
