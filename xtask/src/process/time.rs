//! The time of processors that programs take, told apart by the thread that waits for them:
//! steps of CI run beside each other.

use std::cell::Cell;
use std::fs;
use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

thread_local! {
    /// CPU time of the programs that this thread has waited for.
    static SPENT: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Only one program at a time is waited for, or its time would count as another's.
static WAITING: Mutex<()> = Mutex::new(());

const POLL: Duration = Duration::from_millis(20);

pub(super) fn spent() -> Duration {
    SPENT.get()
}

/// Runs a program to its end.
pub(crate) fn status(command: &mut Command) -> io::Result<ExitStatus> {
    wait(&mut command.spawn()?)
}

/// The same, with the standard output.
pub(super) fn output(command: &mut Command) -> io::Result<(ExitStatus, Vec<u8>)> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut printed = Vec::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_end(&mut printed)?;
    }
    Ok((wait(&mut child)?, printed))
}

/// Waits for a program, and counts its time for this thread.
pub(super) fn wait(child: &mut Child) -> io::Result<ExitStatus> {
    loop {
        let waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        let before = of_children();
        if let Some(status) = child.try_wait()? {
            SPENT.set(spent() + of_children().saturating_sub(before));
            return Ok(status);
        }
        drop(waiting);
        thread::sleep(POLL);
    }
}

/// Does pieces of work beside each other. Their time counts as this thread's.
pub(crate) fn beside<T: Send, W: FnOnce() -> T + Send>(works: Vec<W>) -> Vec<T> {
    thread::scope(|scope| {
        let timed = |work: W| move || (work(), spent());
        let running: Vec<_> = works.into_iter().map(|w| scope.spawn(timed(w))).collect();
        let ended = running.into_iter().map(|work| {
            let (result, time) = work.join().expect("no panic");
            SPENT.set(spent() + time);
            result
        });
        ended.collect()
    })
}

/// CPU time of all programs that were waited for, and of theirs. Only Linux reports it.
fn of_children() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name, which may have spaces: `cutime` and `cstime`, in hundredths of a second.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let times = fields.split_whitespace().skip(13).take(2);
    let hundredths: u64 = times.filter_map(|time| time.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * hundredths)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn time_is_that_of_the_thread_that_waits() {
        let busy = || {
            let mut command = Command::new("sh");
            command.args(["-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"]);
            assert!(status(&mut command).unwrap().success());
            spent()
        };
        let idle = || {
            status(Command::new("sleep").arg("0.1")).unwrap();
            spent()
        };
        let before = spent();
        let [busy, idle] = beside(vec![&busy as &(dyn Fn() -> Duration + Sync), &idle])[..] else {
            panic!("two results");
        };
        assert!(busy > Duration::from_millis(20) && idle < busy, "{busy:?} {idle:?}");
        assert_eq!(spent() - before, busy + idle);
    }
}
