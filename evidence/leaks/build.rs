//! How the program is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // With lazy binding, the first call of a symbol puts every vector register on the stack. In
    // such programs a key in a register lasts longest.
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,lazy");
    }
}
