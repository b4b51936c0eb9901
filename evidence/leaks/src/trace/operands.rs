//! Which addresses an instruction uses, by a disassembler and the registers.

use super::process::{Process, Registers, VectorRegisters};
use iced_x86::{Decoder, DecoderOptions, InstructionInfoFactory, Mnemonic, Register, UsedMemory};
use std::collections::HashMap;
use std::ops::Range;

/// The longest instruction.
const MAX_LEN: usize = 15;

/// The facts of each executed instruction.
pub(super) struct Operands {
    known: HashMap<u64, Known>,
    factory: InstructionInfoFactory,
    /// Memory in which only the offset counts, and not its address.
    movable: Range<u64>,
}

#[derive(Clone)]
enum Known {
    /// The end of the watched code.
    Mark,
    Uses {
        memory: Vec<UsedMemory>,
        /// How many addresses a gather or a scatter has; 1 for all others.
        elements: usize,
        /// Where the next one is, if this one goes on as often as a register says and
        /// looks at nothing else: it fills or copies.
        repeats_before: Option<u64>,
    },
}

/// The operands of the next instruction.
pub(super) struct Uses {
    /// A hash of the addresses.
    pub(super) addresses: u64,
    /// An address that stops it, if it would otherwise be stopped at each repetition.
    pub(super) repeats_before: Option<u64>,
}

impl Operands {
    pub(super) fn new() -> Self {
        Self { known: HashMap::new(), factory: InstructionInfoFactory::new(), movable: 0..0 }
    }

    /// Counts addresses in `memory` from its beginning: it is at another place in the other run.
    pub(super) fn count_from(&mut self, memory: Range<u64>) {
        self.movable = memory;
    }

    /// The operands of the next instruction; `None` at the mark.
    pub(super) fn next(
        &mut self,
        process: &Process,
        registers: &Registers,
    ) -> Result<Option<Uses>, String> {
        if !self.known.contains_key(&registers.rip) {
            let known = self.decode(process, registers.rip)?;
            self.known.insert(registers.rip, known);
        }
        let Known::Uses { memory, elements, repeats_before } = &self.known[&registers.rip] else {
            return Ok(None);
        };
        let vectors = match elements {
            1 => None,
            _ => Some(process.vector_registers()?),
        };
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        if repeats_before.is_some() {
            hash ^= registers.rcx;
        }
        for used in memory {
            for element in 0..*elements {
                let address = used.virtual_address(element, |register, element, size| {
                    value(registers, vectors.as_ref(), register, element, size)
                });
                let address = address.ok_or_else(|| {
                    format!("the address of {used:?} at {:#x} is unknown", registers.rip)
                })?;
                let address = match self.movable.contains(&address) {
                    // The lowest page is nobody's.
                    true => address - self.movable.start,
                    false => address,
                };
                hash = (hash ^ address).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(17);
            }
        }
        Ok(Some(Uses { addresses: hash, repeats_before: *repeats_before }))
    }

    fn decode(&mut self, process: &Process, at: u64) -> Result<Known, String> {
        let mut code = [0; MAX_LEN];
        let len = process.read(at, &mut code)?;
        let mut decoder = Decoder::with_ip(64, &code[..len], at, DecoderOptions::NONE);
        let instruction = decoder.decode();
        if instruction.mnemonic() == Mnemonic::Int3 {
            return Ok(Known::Mark);
        }
        if instruction.is_invalid() {
            return Err(format!("an unknown instruction: {code:02x?}"));
        }
        let info = self.factory.info(&instruction);
        // `lea` computes an address and uses none; the decoder says so too.
        let memory = info.used_memory().to_vec();
        let elements = if instruction.is_vsib() {
            let vector = instruction.memory_index().size();
            let index = if instruction.is_vsib64() { 8 } else { 4 };
            let data = instruction.op0_register().size() / instruction.memory_size().size().max(1);
            (vector / index).min(data)
        } else {
            1
        };
        // Other repeated instructions end by the data.
        let fills_or_copies = matches!(
            instruction.mnemonic(),
            Mnemonic::Stosb
                | Mnemonic::Stosd
                | Mnemonic::Stosq
                | Mnemonic::Movsb
                | Mnemonic::Movsd
                | Mnemonic::Movsq
        );
        let repeats = fills_or_copies && instruction.has_rep_prefix();
        Ok(Known::Uses { memory, elements, repeats_before: repeats.then(|| instruction.next_ip()) })
    }
}

/// The value of a register, or of an element of a vector.
fn value(
    registers: &Registers,
    vectors: Option<&VectorRegisters>,
    register: Register,
    element: usize,
    size: usize,
) -> Option<u64> {
    if register.is_vector_register() {
        return vectors?.element(register.number(), element, size);
    }
    let r = registers;
    let general = [
        r.rax, r.rcx, r.rdx, r.rbx, r.rsp, r.rbp, r.rsi, r.rdi, r.r8, r.r9, r.r10, r.r11, r.r12,
        r.r13, r.r14, r.r15,
    ];
    match register.full_register() {
        Register::FS => Some(r.fs_base),
        Register::GS => Some(r.gs_base),
        Register::CS | Register::DS | Register::ES | Register::SS => Some(0),
        Register::RIP => Some(r.rip),
        full if full.is_gpr64() => general.get(full.number()).copied(),
        _ => None,
    }
}
