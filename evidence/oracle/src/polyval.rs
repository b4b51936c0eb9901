//! POLYVAL as RFC 8452 section 3 writes it, one bit at a time.
//!
//! An element of the field is a `u128` whose bit `i` is the coefficient of
//! x^i; the field is modulo x^128 + x^127 + x^126 + x^121 + 1.

/// x^-1 in the field: x * x^-1 = x^128 + x^127 + x^126 + x^121 = 1.
const INVERSE_OF_X: u128 = 1 << 127 | 1 << 126 | 1 << 125 | 1 << 120;

/// x^128 in the field, the identity of [`dot`].
const X_TO_128: u128 = 1 << 127 | 1 << 126 | 1 << 121 | 1;

/// `dot(a, b) = a * b * x^-128`.
#[must_use]
pub fn dot(a: u128, b: u128) -> u128 {
    // Horner from the lowest coefficient: each of the 128 steps divides by x,
    // so that the term a_i * b ends as a_i * b * x^(i - 128).
    let mut sum = 0;
    for i in 0..128 {
        if a >> i & 1 == 1 {
            sum ^= b;
        }
        let constant_term = sum & 1;
        sum >>= 1;
        if constant_term == 1 {
            sum ^= INVERSE_OF_X;
        }
    }
    sum
}

/// The element that undoes [`dot`] by `a`: `dot(dot(z, a), inverse(a)) == z`.
///
/// The non-zero elements with `dot` are a group of order 2^128 - 1, so this is
/// `a` to the power 2^128 - 2. Zero maps to zero.
#[must_use]
pub fn inverse(a: u128) -> u128 {
    let mut power = X_TO_128;
    let mut a_to_2_to_i = a;
    for _ in 1..128 {
        a_to_2_to_i = dot(a_to_2_to_i, a_to_2_to_i);
        power = dot(power, a_to_2_to_i);
    }
    power
}

/// `POLYVAL(H, X_1, ..., X_n)`.
#[must_use]
pub fn polyval(h: u128, blocks: &[u128]) -> u128 {
    blocks.iter().fold(0, |sum, block| dot(sum ^ block, h))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::hex;

    fn element(text: &str) -> u128 {
        u128::from_le_bytes(hex(text).unwrap().try_into().unwrap())
    }

    /// RFC 8452 section 7 ("field operation examples").
    #[test]
    fn field_operation_examples() {
        let a = element("66e94bd4ef8a2c3b884cfa59ca342b2e");
        let b = element("ff000000000000000000000000000000");
        assert_eq!(dot(a, b), element("ebe563401e7e91ea3ad6426b8140c394"));
        assert_eq!(dot(b, a), dot(a, b));
    }

    /// RFC 8452 appendix A.
    #[test]
    fn appendix_a() {
        let h = element("25629347589242761d31f826ba4b757b");
        let blocks = [
            element("4f4f95668c83dfb6401762bb2d01a262"),
            element("d1a24ddd2721d006bbe45f20d3c9f362"),
        ];
        assert_eq!(polyval(h, &blocks), element("f7a3b47b846119fae5b7866cf5e5b77e"));
    }

    #[test]
    fn inverse_undoes_dot() {
        let a = element("25629347589242761d31f826ba4b757b");
        let z = element("4f4f95668c83dfb6401762bb2d01a262");
        assert_eq!(dot(dot(z, a), inverse(a)), z);
        assert_eq!(dot(z, X_TO_128), z);
    }
}
