//! Numbers and texts as bytes, and back. What comes from another process is not trusted.

/// Something arrived that nobody could have sent: another version, or not one of us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Garbled;

/// Appends a number: seven bits a byte, the lowest first.
pub(crate) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends a text.
pub(crate) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

/// Reads what [`put`] and [`put_text`] wrote.
pub(crate) struct Bytes<'b>(pub(crate) &'b [u8]);

impl<'b> Bytes<'b> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Garbled> {
        let (&first, rest) = self.0.split_first().ok_or(Garbled)?;
        self.0 = rest;
        Ok(first)
    }

    pub(crate) fn number(&mut self) -> Result<u64, Garbled> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Garbled)
    }

    pub(crate) fn small(&mut self) -> Result<u32, Garbled> {
        u32::try_from(self.number()?).map_err(|_| Garbled)
    }

    /// How many things follow, each of which takes a byte at least.
    pub(crate) fn count(&mut self) -> Result<usize, Garbled> {
        let count = self.small()? as usize;
        if count > self.0.len() { Err(Garbled) } else { Ok(count) }
    }

    pub(crate) fn text(&mut self) -> Result<&'b str, Garbled> {
        let length = self.count()?;
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        std::str::from_utf8(text).map_err(|_| Garbled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_are_read_as_written() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut bytes = Vec::new();
        for number in numbers {
            put(&mut bytes, number);
        }
        put_text(&mut bytes, "größer");
        let mut read = Bytes(&bytes);
        for number in numbers {
            assert_eq!(read.number(), Ok(number));
        }
        assert_eq!(read.text(), Ok("größer"));
        assert!(read.is_empty());
        assert_eq!(read.byte(), Err(Garbled));
    }

    #[test]
    fn what_nobody_wrote_is_refused() {
        assert_eq!(Bytes(&[0x80]).number(), Err(Garbled));
        assert_eq!(Bytes(&[0xFF; 11]).number(), Err(Garbled));
        assert_eq!(Bytes(&[5, b'a']).text(), Err(Garbled));
        assert_eq!(Bytes(&[1, 0xFF]).text(), Err(Garbled));
        assert_eq!(Bytes(&[0x80, 0x80, 0x80, 0x80, 0x10]).small(), Err(Garbled));
    }
}
