//! Blocks of BLAKE2b in general registers with ten rounds of four blocks of ChaCha20 beside each,
//! as one text of assembly.
//!
//! The hash of a block is a chain of 288 instructions that wait for one another. The CPU could do
//! several times as much meanwhile, but looks ahead a few hundred instructions at most, and the
//! compiler parts hash and cipher further than that. Here they alternate, and each has registers
//! of its own. What is between two blocks has no chain beside it, so it is short, and the
//! chaining value stays in one place.
//!
//! The cipher has four blocks in four rows: then every block of the hash has the same beside
//! it, and the text is 6 KiB. With sixteen blocks in sixteen vectors it was 16, and slower.

use crate::kernel::blake2b::{BLOCK_LEN, Block, IV, State};
use crate::kernel::chacha20::avx512::four_matrices;
use crate::kernel::chacha20::{self, FourBlocks, Matrix};
use crate::tier::kernel;
use core::arch::x86_64::{__m512i, _mm512_maskz_set1_epi64};
use core::ptr;

/// One instruction of the cipher. Rows a to d of four matrices are in `zmm16` to `zmm19`.
macro_rules! cipher {
    (()) => {
        ""
    };
    ((add a b)) => {
        "vpaddd zmm16, zmm16, zmm17\n"
    };
    ((add c d)) => {
        "vpaddd zmm18, zmm18, zmm19\n"
    };
    ((xor b c)) => {
        "vpxord zmm17, zmm17, zmm18\n"
    };
    ((xor d a)) => {
        "vpxord zmm19, zmm19, zmm16\n"
    };
    ((rol b $bits:literal)) => {
        concat!("vprold zmm17, zmm17, ", $bits, "\n")
    };
    ((rol d $bits:literal)) => {
        concat!("vprold zmm19, zmm19, ", $bits, "\n")
    };
    ((turn a $by:literal)) => {
        concat!("vpshufd zmm16, zmm16, ", $by, "\n")
    };
    ((turn c $by:literal)) => {
        concat!("vpshufd zmm18, zmm18, ", $by, "\n")
    };
    ((turn d $by:literal)) => {
        concat!("vpshufd zmm19, zmm19, ", $by, "\n")
    };
}

/// The same instruction of two functions G.
macro_rules! both {
    ($name:literal $a:literal $b:literal, $a2:literal $b2:literal) => {
        concat!($name, " ", $a, ", ", $b, "\n", $name, " ", $a2, ", ", $b2, "\n")
    };
}

/// The same with message words.
macro_rules! both_add_word {
    ($a:literal $x:literal, $a2:literal $x2:literal) => {
        concat!("add ", $a, ", [rsi + 8*", $x, "]\nadd ", $a2, ", [rsi + 8*", $x2, "]\n")
    };
}

/// Two functions G (RFC 7693 section 3.1) of the registers `[a b c d: x y]`, where `x` and `y`
/// are numbers of message words, among four instructions of the cipher. A word joins `a`
/// before `b` does: `b` is what the next step waits for.
macro_rules! g {
    ([$a:literal $b:literal $c:literal $d:literal: $x:literal $y:literal]
     [$a2:literal $b2:literal $c2:literal $d2:literal: $x2:literal $y2:literal]
     $v0:tt $v1:tt $v2:tt $v3:tt) => {
        concat!(
            both_add_word!($a $x, $a2 $x2), cipher!($v0),
            both!("add" $a $b, $a2 $b2),
            both!("xor" $d $a, $d2 $a2),
            both!("ror" $d "32", $d2 "32"), cipher!($v1),
            both!("add" $c $d, $c2 $d2),
            both!("xor" $b $c, $b2 $c2),
            both!("ror" $b "24", $b2 "24"),
            both_add_word!($a $y, $a2 $y2), cipher!($v2),
            both!("add" $a $b, $a2 $b2),
            both!("xor" $d $a, $d2 $a2),
            both!("ror" $d "16", $d2 "16"), cipher!($v3),
            both!("add" $c $d, $c2 $d2),
            both!("xor" $b $c, $b2 $c2),
            both!("ror" $b "63", $b2 "63"),
        )
    };
}

/// A round of the hash, which adds the message words of these numbers, beside one of the cipher
/// and a turn of its rows. Words 0 to 3 are in `rax`, `rcx`, `rdx` and `rbx`, 4 to 7 in `rdi`,
/// `r8`, `r9` and `r10`, 12 to 15 in `r11` to `r14`. Two of words 8 to 11 are in `r15` and `rbp`,
/// the other two in memory: one half of the round ends with those with which the next begins.
macro_rules! round {
    ([$m0:literal $m1:literal $m2:literal $m3:literal $m4:literal $m5:literal $m6:literal $m7:literal
      $m8:literal $m9:literal $m10:literal $m11:literal $m12:literal $m13:literal $m14:literal $m15:literal]
     [$($v0:tt)*] [$($v1:tt)*] [$($v2:tt)*] [$($v3:tt)*]) => {
        concat!(
            g!(["rax" "rdi" "r15" "r11": $m0 $m1] ["rcx" "r8" "rbp" "r12": $m2 $m3] $($v0)*),
            "mov [rsp], r15\nmov r15, [rsp + 16]\nmov [rsp + 8], rbp\nmov rbp, [rsp + 24]\n",
            g!(["rdx" "r9" "r15" "r13": $m4 $m5] ["rbx" "r10" "rbp" "r14": $m6 $m7] $($v1)*),
            g!(["rax" "r8" "r15" "r14": $m8 $m9] ["rcx" "r9" "rbp" "r11": $m10 $m11] $($v2)*),
            "mov [rsp + 16], r15\nmov r15, [rsp]\nmov [rsp + 24], rbp\nmov rbp, [rsp + 8]\n",
            g!(["rdx" "r10" "r15" "r12": $m12 $m13] ["rbx" "rdi" "rbp" "r13": $m14 $m15] $($v3)*),
        )
    };
    ($m:tt columns) => { round!($m beside 0x93 0x39) };
    ($m:tt diagonals) => { round!($m beside 0x39 0x93) };
    ($m:tt beside $a:literal $c:literal) => {
        round!($m
            [(add a b) (xor d a) (rol d 16) (add c d)]
            [(xor b c) (rol b 12) (add a b) (xor d a)]
            [(rol d 8) (add c d) (turn a $a) (xor b c)]
            [(turn d 0x4e) (turn c $c) (rol b 7) ()])
    };
    ($m:tt alone) => { round!($m [() () () ()] [() () () ()] [() () () ()] [() () () ()]) };
}

/// The working words before round 0 (RFC 7693 section 3.2).
macro_rules! begin {
    () => {
        concat!(
            "mov r15, {iv2}\nmov [rsp + 16], r15\nmov r15, {iv3}\nmov [rsp + 24], r15\n",
            "mov r11, {iv4}\nxor r11, [rsp + 96]\nmov r12, {iv5}\n",
            "mov r13, {iv6}\nxor r13, [rsp + 104]\nmov r14, {iv7}\n",
            "mov r15, {iv0}\nmov rbp, {iv1}\n",
            "mov rax, [rsp + 32]\nmov rcx, [rsp + 40]\nmov rdx, [rsp + 48]\nmov rbx, [rsp + 56]\n",
            "mov rdi, [rsp + 64]\nmov r8, [rsp + 72]\nmov r9, [rsp + 80]\nmov r10, [rsp + 88]\n",
        )
    };
}

/// The chaining value after round 11, and on to the next block.
macro_rules! end {
    () => {
        concat!(
            "xor rax, r15\nxor rcx, rbp\nxor rdx, [rsp + 16]\nxor rbx, [rsp + 24]\n",
            "xor rdi, r11\nxor r8, r12\nxor r9, r13\nxor r10, r14\n",
            "xor [rsp + 32], rax\nxor [rsp + 40], rcx\nxor [rsp + 48], rdx\nxor [rsp + 56], rbx\n",
            "xor [rsp + 64], rdi\nxor [rsp + 72], r8\nxor [rsp + 80], r9\nxor [rsp + 88], r10\n",
            "sub rsi, -128\nsub qword ptr [rsp + 96], -128\n",
        )
    };
}

/// Adds the matrices that the rounds began with, in `zmm20` to `zmm23`, as
/// `cipher::xor_four_matrices`; XORs the keystream into the text at `r15`; begins the next.
macro_rules! xor {
    () => {
        concat!(
            "vpaddd zmm16, zmm16, zmm20\nvpaddd zmm17, zmm17, zmm21\n",
            "vpaddd zmm18, zmm18, zmm22\nvpaddd zmm19, zmm19, zmm23\n",
            "vshufi32x4 zmm0, zmm16, zmm17, 0x88\nvshufi32x4 zmm1, zmm16, zmm17, 0xdd\n",
            "vshufi32x4 zmm2, zmm18, zmm19, 0x88\nvshufi32x4 zmm3, zmm18, zmm19, 0xdd\n",
            "vshufi32x4 zmm16, zmm0, zmm2, 0x88\nvshufi32x4 zmm17, zmm1, zmm3, 0x88\n",
            "vshufi32x4 zmm18, zmm0, zmm2, 0xdd\nvshufi32x4 zmm19, zmm1, zmm3, 0xdd\n",
            "vpxorq zmm16, zmm16, [r15]\nvpxorq zmm17, zmm17, [r15 + 64]\n",
            "vpxorq zmm18, zmm18, [r15 + 128]\nvpxorq zmm19, zmm19, [r15 + 192]\n",
            "vmovdqu64 [r15], zmm16\nvmovdqu64 [r15 + 64], zmm17\n",
            "vmovdqu64 [r15 + 128], zmm18\nvmovdqu64 [r15 + 192], zmm19\n",
            "vpaddq zmm23, zmm23, zmm24\n",
            "vmovdqa64 zmm16, zmm20\nvmovdqa64 zmm17, zmm21\n",
            "vmovdqa64 zmm18, zmm22\nvmovdqa64 zmm19, zmm23\n",
        )
    };
}

/// Absorbs so many blocks, and makes ten of the cipher's rounds beside each. `t` counts the
/// message up to the end of the first; `last` is all bits if that ends the message, else none.
/// After every second block, XORs the keystream into 256 bytes of `in_out`, unless that is null,
/// and goes on with the next four matrices. In one place of the machine code, for it is long.
///
/// # Safety
///
/// `count` is at least 1, and so many blocks can be read. As many bytes, if the pointer is not
/// null, can be written at `in_out`. `count` is even then.
#[allow(unsafe_code, clippy::too_many_arguments)]
#[inline(never)]
#[target_feature(enable = "avx512f")]
unsafe fn absorb(
    h: &mut [u64; 8],
    t: u64,
    last: u64,
    blocks: *const Block,
    count: usize,
    rows: &mut [__m512i; 4],
    in_out: *mut u8,
) {
    // Four to each counter.
    let next = _mm512_maskz_set1_epi64(0b0101_0101, 4);
    // SAFETY: the text reads the blocks, and reads and writes the 64 bytes of `h` and, as is
    // said above, `in_out`. It leaves `rbx`, `rbp` and `rsp` as they were, and writes no other
    // memory than what it takes of the stack, of which it overwrites what is secret. This
    // function has the target features of its instructions.
    unsafe {
        core::arch::asm!(
            "push rbx",
            "push rbp",
            // Words 8 to 11, the chaining value, and the arguments.
            "sub rsp, 144",
            "vmovdqu64 zmm0, [rdi]",
            "vmovdqu64 [rsp + 32], zmm0",
            "mov [rsp + 96], r8",
            "mov [rsp + 104], r9",
            "mov [rsp + 112], r10",
            "mov [rsp + 120], rdx",
            "mov [rsp + 128], rdi",
            "vmovdqa64 zmm20, zmm16",
            "vmovdqa64 zmm21, zmm17",
            "vmovdqa64 zmm22, zmm18",
            "vmovdqa64 zmm23, zmm19",
            "2:",
            begin!(),
            round!([0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] columns),
            round!([14 10 4 8 9 15 13 6 1 12 0 2 11 7 5 3] diagonals),
            round!([11 8 12 0 5 2 15 13 10 14 3 6 7 1 9 4] columns),
            round!([7 9 3 1 13 12 11 14 2 6 5 10 4 0 15 8] diagonals),
            round!([9 0 5 7 2 4 10 15 14 1 11 12 6 8 3 13] columns),
            round!([2 12 6 10 0 11 8 3 4 13 7 5 15 14 1 9] diagonals),
            round!([12 5 1 15 14 13 4 10 0 7 6 3 9 2 8 11] columns),
            round!([13 11 7 14 12 1 3 9 5 0 15 4 8 6 2 10] diagonals),
            round!([6 15 14 9 11 3 0 8 12 2 13 7 1 4 10 5] columns),
            round!([10 2 8 4 7 6 1 5 15 11 9 14 3 12 13 0] diagonals),
            round!([0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] alone),
            round!([14 10 4 8 9 15 13 6 1 12 0 2 11 7 5 3] alone),
            end!(),
            "dec qword ptr [rsp + 112]",
            "test byte ptr [rsp + 112], 1",
            "jnz 2b",
            "mov r15, [rsp + 120]",
            "test r15, r15",
            "jz 3f",
            xor!(),
            "add r15, 256",
            "mov [rsp + 120], r15",
            "cmp qword ptr [rsp + 112], 0",
            "jne 2b",
            "3:",
            "mov rdi, [rsp + 128]",
            "vmovdqu64 zmm0, [rsp + 32]",
            "vmovdqu64 [rdi], zmm0",
            "vpxorq zmm0, zmm0, zmm0",
            "vmovdqu64 [rsp], zmm0",
            "vmovdqu64 [rsp + 32], zmm0",
            "add rsp, 144",
            "pop rbp",
            "pop rbx",
            iv0 = const IV[0], iv1 = const IV[1], iv2 = const IV[2], iv3 = const IV[3],
            iv4 = const IV[4], iv5 = const IV[5], iv6 = const IV[6], iv7 = const IV[7],
            inout("rsi") blocks => _,
            inout("rdi") h.as_mut_ptr() => _,
            inout("rdx") in_out => _,
            inout("r8") t => _,
            inout("r9") last => _,
            inout("r10") count => _,
            out("rax") _, out("rcx") _,
            out("r11") _, out("r12") _, out("r13") _, out("r14") _, out("r15") _,
            out("zmm0") _, out("zmm1") _, out("zmm2") _, out("zmm3") _,
            inout("zmm16") rows[0], inout("zmm17") rows[1],
            inout("zmm18") rows[2], inout("zmm19") rows[3],
            out("zmm20") _, out("zmm21") _, out("zmm22") _, out("zmm23") _, in("zmm24") next,
        );
    }
}

kernel! {
    /// Absorbs a block, of which if it ends the message so many bytes are the message's, and
    /// makes ten rounds of the cipher beside it.
    pub(super) fn absorb_block(tier: Avx512, state: &mut State, block: &Block, last_len: Option<u8>, rows: &mut [__m512i; 4]) {
        state.t += last_len.map_or(BLOCK_LEN as u64, u64::from);
        let last = if last_len.is_some() { u64::MAX } else { 0 };
        // SAFETY: one block and no text.
        unsafe { absorb(&mut state.h, state.t, last, block, 1, rows, ptr::null_mut()) };
    }

    /// Absorbs `len` bytes of `data`, whole groups of which none ends the message, and XORs
    /// keystream into as many: group by group, the hash first.
    ///
    /// # Panics
    ///
    /// If `data` does not hold both.
    pub(super) fn absorb_and_xor(tier: Avx512, state: &mut State, matrix: &Matrix, data: &mut [u8], hash_at: usize, xor_at: usize, len: usize) {
        assert!(data[hash_at..].len() >= len && data[xor_at..].len() >= len);
        let count = len / FourBlocks::LEN * 2;
        if count == 0 {
            return;
        }
        let [mut rows] = four_matrices(matrix, (xor_at / chacha20::BLOCK_LEN) as u64);
        let t = state.t + BLOCK_LEN as u64;
        let data = data.as_mut_ptr();
        // SAFETY: there are blocks, they and the text are in `data`, as was just checked, and
        // of each group there are two.
        unsafe {
            let (blocks, in_out) = (data.add(hash_at).cast(), data.add(xor_at));
            absorb(&mut state.h, t, 0, blocks, count, &mut rows, in_out);
        }
        state.t += (count * BLOCK_LEN) as u64;
    }
}
