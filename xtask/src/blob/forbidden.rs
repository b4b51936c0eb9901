//! What no instruction of a blob may do.

/// Of x86-64, as the disassembler writes it.
pub(super) fn on_amd64(feature: &str, text: &str) -> Option<&'static str> {
    let name = text.split(' ').next().unwrap_or_default();
    if ["syscall", "sysenter", "int", "in", "out", "hlt"].contains(&name) {
        return Some("asks the system");
    }
    if text.contains("%fs") || text.contains("%gs") {
        return Some("uses memory of a thread");
    }
    if ["cpuid", "xgetbv", "rdtsc"].contains(&name) && feature != "cpu" {
        return Some("asks the CPU again");
    }
    if text.contains("<unknown>") {
        return Some("is no instruction");
    }
    // Below the stack pointer, signals and debuggers may write.
    let mut places = text.match_indices("(%rsp)").map(|(at, _)| &text[..at]);
    let is_below = |before: &str| {
        let distance = before.rsplit([' ', ',']).next();
        distance.is_some_and(|distance| distance.starts_with('-'))
    };
    if places.any(is_below) && name != "leaq" {
        return Some("uses what is below its stack");
    }
    None
}

/// Of AArch64.
pub(super) fn on_arm64(_feature: &str, text: &str) -> Option<&'static str> {
    let name = text.split(' ').next().unwrap_or_default();
    if ["svc", "hvc", "smc", "mrs", "msr", "hlt", "wfi", "wfe"].contains(&name) {
        return Some("asks the system");
    }
    if name == "adrp" {
        return Some("asks where its page begins");
    }
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    if words.any(|word| ["x18", "w18", "x28", "w28"].contains(&word)) {
        return Some("uses a register of others");
    }
    if text.contains("<unknown>") {
        return Some("is no instruction");
    }
    // With `!`, the stack pointer goes there as well.
    if text.contains("[sp, #-") && !text.ends_with('!') {
        return Some("uses what is below its stack");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line is `feature | instruction | words of the complaint`, which are missing where
    /// there shall be none.
    fn judged(forbidden: fn(&str, &str) -> Option<&'static str>, cases: &str) {
        for case in cases.lines().map(str::trim).filter(|case| !case.is_empty()) {
            let parts: Vec<&str> = case.split(" | ").collect();
            let found = forbidden(parts[0], parts[1]);
            match parts.get(2) {
                Some(words) => assert!(found.is_some_and(|why| why.contains(words)), "{case}"),
                None => assert_eq!(found, None, "{case}"),
            }
        }
    }

    #[test]
    fn what_is_forbidden_on_amd64_is_found() {
        let cases = "
            gcm-siv | syscall | asks the system
            gcm-siv | int $0x80 | asks the system
            gcm-siv | movq %fs:0x28, %rax | memory of a thread
            gcm-siv | cpuid | asks the CPU
            gcm-siv | <unknown> | no instruction
            gcm-siv | movq %rax, -0x8(%rsp) | below its stack
            gcm-siv | vmovdqa -0x20(%rsp), %ymm0 | below its stack
            cpu | cpuid
            gcm-siv | movq %rax, 0x8(%rsp)
            gcm-siv | leaq -0x40(%rsp), %rsp
            gcm-siv | vmovdqu -0x18b0(%rsp,%rdi), %xmm0
            gcm-siv | movq -0x8(%rax), %rsp";
        judged(on_amd64, cases);
    }

    #[test]
    fn what_is_forbidden_on_arm64_is_found() {
        let cases = "
            gcm-siv | svc #0 | asks the system
            gcm-siv | mrs x0, TPIDR_EL0 | asks the system
            gcm-siv | mov x18, x0 | a register of others
            gcm-siv | ldr w28, [x0] | a register of others
            gcm-siv | stp x27, x28, [sp, #0x10] | a register of others
            gcm-siv | <unknown> | no instruction
            gcm-siv | str x0, [sp, #-0x8] | below its stack
            gcm-siv | stur q0, [sp, #-0x10] | below its stack
            gcm-siv | adrp x0, 0x1000 | page
            gcm-siv | str x0, [sp, #-0x10]!
            gcm-siv | ldr x0, [x1, #-0x8]
            gcm-siv | add v18.4s, v28.4s, v0.4s
            gcm-siv | mov x1, #0x18";
        judged(on_arm64, cases);
    }
}
