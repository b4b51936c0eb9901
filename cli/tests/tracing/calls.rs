//! Runs programs, and stops before each of their system calls.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

/// A run that takes longer waits for something that never comes.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs `script`, and calls `before` before each system call of the first thread of the program
/// that it ends in, with the number of the call. Gives the status, or `None` if `before` has ended
/// it: then the program is stopped.
pub(crate) fn traced(
    folder: &Path,
    script: &str,
    mut before: impl FnMut(Pid, usize) -> ControlFlow<()>,
) -> (Child, Option<i32>) {
    let mut child = Command::new("sh")
        .args(["-c", &format!("kill -s STOP $$; exec {script}")])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("sh runs");
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a pid"));
    let stopped = waitpid(pid, Some(WaitPidFlag::WUNTRACED)).expect("it stops");
    assert!(matches!(stopped, WaitStatus::Stopped(_, Signal::SIGSTOP)));
    let options = Options::PTRACE_O_TRACESYSGOOD | Options::PTRACE_O_TRACEEXEC;
    ptrace::seize(pid, options).expect("a child may be traced");
    kill(pid, Signal::SIGCONT).expect("it goes on");
    let (_ends, ended) = channel::<()>();
    std::thread::spawn(move || {
        if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            let _ = kill(pid, Signal::SIGKILL);
        }
    });

    let (mut has_begun, mut stops) = (false, 0);
    loop {
        match waitpid(pid, None).expect("it is ours to wait for") {
            WaitStatus::Exited(_, status) => {
                let _ = child.wait(); // It was waited for just now.
                return (child, Some(status));
            }
            WaitStatus::Signaled(_, signal, _) => {
                let _ = child.wait();
                return (child, Some(128 + signal as i32));
            }
            WaitStatus::PtraceEvent(_, _, event) if event == nix::libc::PTRACE_EVENT_EXEC => {
                has_begun = true;
                stops = 0;
            }
            WaitStatus::PtraceSyscall(_) if has_begun => {
                stops += 1;
                // The first stop is the end of execve; then each call begins and ends.
                if stops % 2 == 0 && before(pid, stops / 2).is_break() {
                    return (child, None);
                }
            }
            WaitStatus::Stopped(_, signal) if signal != Signal::SIGTRAP => {
                // A signal of its own, SIGCONT among them.
                ptrace::syscall(pid, Some(signal)).expect("it is traced");
                continue;
            }
            _ => {}
        }
        ptrace::syscall(pid, None).expect("it is traced");
    }
}
