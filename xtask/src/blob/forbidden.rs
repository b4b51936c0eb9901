//! Instructions that a blob may not have.

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

    /// A line is `architecture and feature | instruction | words of the complaint`, which are
    /// missing where there shall be none.
    #[test]
    fn what_is_forbidden_is_found() {
        let cases = "
            amd64 gcm-siv | syscall | asks the system
            amd64 gcm-siv | int $0x80 | asks the system
            amd64 gcm-siv | movq %fs:0x28, %rax | memory of a thread
            amd64 gcm-siv | cpuid | asks the CPU
            amd64 gcm-siv | <unknown> | no instruction
            amd64 gcm-siv | movq %rax, -0x8(%rsp) | below its stack
            amd64 gcm-siv | vmovdqa -0x20(%rsp), %ymm0 | below its stack
            amd64 cpu | cpuid
            amd64 gcm-siv | movq %rax, 0x8(%rsp)
            amd64 gcm-siv | leaq -0x40(%rsp), %rsp
            amd64 gcm-siv | vmovdqu -0x18b0(%rsp,%rdi), %xmm0
            amd64 gcm-siv | movq -0x8(%rax), %rsp
            arm64 gcm-siv | svc #0 | asks the system
            arm64 gcm-siv | mrs x0, TPIDR_EL0 | asks the system
            arm64 gcm-siv | mov x18, x0 | a register of others
            arm64 gcm-siv | stp x27, w28, [sp, #0x10] | a register of others
            arm64 gcm-siv | <unknown> | no instruction
            arm64 gcm-siv | str x0, [sp, #-0x8] | below its stack
            arm64 gcm-siv | adrp x0, 0x1000 | page
            arm64 gcm-siv | str x0, [sp, #-0x10]!
            arm64 gcm-siv | ldr x0, [x1, #-0x8]
            arm64 gcm-siv | add v18.4s, v28.4s, v0.4s
            arm64 gcm-siv | mov x1, #0x18";
        for case in cases.trim().lines().map(str::trim) {
            let parts: Vec<&str> = case.split(" | ").collect();
            let found = match parts[0].split_once(' ').unwrap() {
                ("amd64", feature) => on_amd64(feature, parts[1]),
                (_, feature) => on_arm64(feature, parts[1]),
            };
            match parts.get(2) {
                Some(words) => assert!(found.is_some_and(|why| why.contains(words)), "{case}"),
                None => assert_eq!(found, None, "{case}"),
            }
        }
    }
}
