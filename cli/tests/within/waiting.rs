//! Child processes that end in time: one that does not is killed, and its test fails.

#![allow(dead_code)] // No test needs all of it.

use std::io;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Many times what the slowest needs, also beside other work.
const LIMIT: Duration = Duration::from_secs(300);

pub(crate) trait RunInTime {
    fn output_in_time(&mut self) -> io::Result<Output>;
    fn status_in_time(&mut self) -> io::Result<ExitStatus>;
}

impl RunInTime for Command {
    fn output_in_time(&mut self) -> io::Result<Output> {
        self.stdin(Stdio::null()).stdout(Stdio::piped());
        self.stderr(Stdio::piped()).spawn()?.wait_with_output_in_time()
    }

    fn status_in_time(&mut self) -> io::Result<ExitStatus> {
        self.spawn()?.wait_in_time()
    }
}

pub(crate) trait WaitInTime {
    fn wait_in_time(&mut self) -> io::Result<ExitStatus>;
    fn wait_with_output_in_time(self) -> io::Result<Output>;
}

impl WaitInTime for Child {
    fn wait_in_time(&mut self) -> io::Result<ExitStatus> {
        in_time(self.id(), || self.wait())
    }

    fn wait_with_output_in_time(self) -> io::Result<Output> {
        in_time(self.id(), || self.wait_with_output())
    }
}

pub(crate) fn in_time<T>(id: u32, wait: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let (ended, waits) = channel::<()>();
    let watch = thread::spawn(move || {
        let is_late = waits.recv_timeout(LIMIT) == Err(RecvTimeoutError::Timeout);
        if is_late {
            // What it has started, as a shell does, goes first: it may hold a pipe open.
            for (program, args) in [("pkill", ["-KILL", "-P"]), ("kill", ["-s", "KILL"])] {
                let id = id.to_string();
                let _ = Command::new(program).args(args).arg(id).status();
            }
        }
        is_late
    });
    let waited = wait();
    drop(ended);
    let is_late = watch.join().expect("it does not panic");
    assert!(!is_late, "a process did not end within {LIMIT:?}");
    waited
}
