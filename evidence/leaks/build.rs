//! How the program is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A symbol that is looked for at its first call has every vector register put on the stack.
    // Programs that bind so are the ones in which a key in a register lasts longest.
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,lazy");
    }
}
