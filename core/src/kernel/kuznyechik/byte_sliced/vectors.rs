//! Groups of as many blocks as a vector has bytes, written once for every width.

/// Four of these transpose. Each moves the top bit of a vector's number to the bottom of the
/// bytes', and the top bit of the bytes' to the bottom of the vectors'.
macro_rules! interleave {
    ($v:ident, $($i:literal)*) => {
        [$( unpack_low($v[$i], $v[$i + 8]), unpack_high($v[$i], $v[$i + 8]) ),*]
    };
}

/// Does `$crypt` with each whole `$group`, and with a last one of more than `$few` blocks. Fewer
/// are left to `$crypt_few`.
macro_rules! in_groups {
    ($blocks:ident, $group:ident, $few:literal, $crypt:expr $(, $crypt_few:expr)?) => {
        let (groups, rest) = $blocks.as_chunks_mut();
        for $group in groups {
            $crypt;
        }
        if rest.len() > $few {
            let mut room = Scratch::<BLOCKS>::new();
            let $group = &mut *room;
            $group[..rest.len()].copy_from_slice(rest);
            $crypt;
            rest.copy_from_slice(&$group[..rest.len()]);
        } $( else if !rest.is_empty() {
            let $blocks = rest;
            $crypt_few;
        } )?
    };
}

/// Defines `encrypt_blocks` and `decrypt_blocks` of a tier, whose file has names for what its
/// vectors can do. `$linear!(vectors, keys)` is L on bytes, and the addition of a key.
macro_rules! byte_slices {
    ($tier:ident, $features:literal, $linear:ident, FEW: $few:literal $(, $few_blocks:ident)?) => {
        use super::byte_sliced::vectors::{in_groups, interleave};
        use crate::tier::erased::Scratch;

        /// The blocks of one group.
        const BLOCKS: usize = size_of::<Vector>();

        $crate::tier::helpers! {
            $features;
            /// Vector `i` of the result holds byte `i` of the blocks, or the reverse.
            fn transpose(v: [Vector; 16]) -> [Vector; 16] {
                let v = interleave!(v, 0 1 2 3 4 5 6 7);
                let v = interleave!(v, 0 1 2 3 4 5 6 7);
                let v = interleave!(v, 0 1 2 3 4 5 6 7);
                interleave!(v, 0 1 2 3 4 5 6 7)
            }

            /// Loads blocks as vectors of their bytes, the leftmost first.
            fn load_bytes(blocks: &[Block; BLOCKS]) -> [Vector; 16] {
                let mut v = [broadcast([0; 8]); 16];
                for (vector, bytes) in v.iter_mut().zip(blocks.as_flattened().as_chunks().0) {
                    *vector = load(bytes);
                }
                transpose(v)
            }

            fn store_bytes(v: [Vector; 16], blocks: &mut [Block; BLOCKS]) {
                let v = transpose(v);
                for (vector, bytes) in v.iter().zip(blocks.as_flattened_mut().as_chunks_mut().0) {
                    store(bytes, *vector);
                }
            }

            fn add_first_key(v: &mut [Vector; 16], keys: &RoundKeys) {
                for (vector, byte) in v.iter_mut().zip(&keys.first) {
                    *vector = xor(*vector, broadcast(*byte));
                }
            }

            /// Encrypts what `bytes_of` makes of a group. Each way to load has a copy of the
            /// rounds: a function that two call would take its vectors through memory.
            fn encrypt_bytes(
                keys: &RoundKeys, group: &mut [Block; BLOCKS],
                bytes_of: impl FnOnce(&[Block; BLOCKS]) -> [Vector; 16],
            ) {
                let mut v = bytes_of(group);
                add_first_key(&mut v, keys);
                v.reverse();
                for keys in &keys.encryption {
                    for vector in &mut v {
                        *vector = substitute(&PI, *vector);
                    }
                    v = $linear!(v, keys);
                }
                v.reverse();
                store_bytes(v, group);
            }

            fn encrypt_group(keys: &RoundKeys, group: &mut [Block; BLOCKS]) {
                encrypt_bytes(keys, group, |group| load_bytes(group));
            }

            fn decrypt_group(
                keys: &RoundKeys, inverse: &InverseKeys, group: &mut [Block; BLOCKS],
            ) {
                let mut v = load_bytes(group);
                for keys in &inverse.0 {
                    v = $linear!(v, keys);
                    for vector in &mut v {
                        *vector = substitute_inverse(&PI_INVERSE, *vector);
                    }
                }
                add_first_key(&mut v, keys);
                store_bytes(v, group);
            }
        }

        kernel! {
            fn encrypt_blocks(tier: $tier, keys: &RoundKeys, blocks: &mut [Block]) {
                in_groups!(
                    blocks, group, $few, encrypt_group(keys, group)
                    $(, $few_blocks::encrypt_blocks(tier, keys, blocks))?
                );
            }

            fn decrypt_blocks(
                tier: $tier, keys: &RoundKeys, inverse: &InverseKeys, blocks: &mut [Block],
            ) {
                in_groups!(
                    blocks, group, $few, decrypt_group(keys, inverse, group)
                    $(, $few_blocks::decrypt_blocks(tier, keys, blocks))?
                );
            }
        }
    };
}

/// Implements the trait for a tier that has nothing but these kernels, its `expand`, and
/// `corrections` for the keys of its steps.
macro_rules! impl_kuznyechik {
    ($tier:ident, $expand:path, $corrections:path, { $($more:tt)* }) => {
        impl Kuznyechik for $tier {
            type RoundKeys = RoundKeys;
            type InverseKeys = InverseKeys;

            #[inline(always)]
            fn expand(self, key: &[u8; 32]) -> RoundKeys {
                $expand(self, key)
            }

            #[inline(always)]
            fn expand_inverse(self, keys: &RoundKeys) -> InverseKeys {
                byte_sliced::expand_inverse(keys, $corrections)
            }

            #[inline(always)]
            fn encrypt_blocks(self, keys: &RoundKeys, blocks: &mut [Block]) {
                encrypt_blocks(self, keys, blocks);
            }

            #[inline(always)]
            fn decrypt_blocks(self, keys: &RoundKeys, inverse: &InverseKeys, blocks: &mut [Block]) {
                decrypt_blocks(self, keys, inverse, blocks);
            }

            $($more)*
        }
    };
}

pub(in crate::kernel::kuznyechik) use {byte_slices, impl_kuznyechik, in_groups, interleave};
