//! The clock.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// A walk that takes less is timed by the wall clock in any case, because
/// asking for CPU time is a system call.
const CPU_TIME_FROM: Duration = Duration::from_micros(100);

/// Which time counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// Time that passes.
    Wall,
    /// Time that the measuring thread spends on a CPU: leaves out what other
    /// programs take, and is wrong for contenders that start threads.
    #[cfg(unix)]
    Cpu,
}

/// A clock with what reading it costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    clock: Clock,
    base: Instant,
    cost: Duration,
}

impl Stopwatch {
    /// Measures the cost of reading `clock`.
    pub(crate) fn new(clock: Clock) -> Self {
        let mut stopwatch = Self { clock, base: Instant::now(), cost: Duration::ZERO };
        let least = (0..10_000).map(|_| stopwatch.time(|| ())).min();
        stopwatch.cost = least.unwrap_or_default();
        stopwatch
    }

    /// The same, or the wall clock if the work is too short for this one.
    pub(crate) fn for_span(self, span: Duration) -> Self {
        if span < CPU_TIME_FROM { Self::new(Clock::Wall) } else { self }
    }

    /// How long `work` takes, without the cost of finding out.
    #[inline(always)]
    pub(crate) fn time(&self, work: impl FnOnce()) -> Duration {
        let start = self.now();
        work();
        (self.now() - start).saturating_sub(self.cost)
    }

    #[inline(always)]
    fn now(&self) -> Duration {
        match self.clock {
            Clock::Wall => self.base.elapsed(),
            #[cfg(unix)]
            Clock::Cpu => {
                let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
                Duration::try_from(now).unwrap_or_default()
            }
        }
    }
}

/// The CPU's clock in GHz while it is busy, from a chain of rotations and additions, which
/// take one cycle each on every CPU of today.
pub(crate) fn gigahertz() -> f64 {
    const STEPS: u32 = 1_000_000;
    let chain = || {
        let mut x = black_box(1_u64);
        let start = Instant::now();
        for _ in 0..STEPS {
            x = x.rotate_left(7).wrapping_add(0x9e37_79b9);
        }
        let taken = start.elapsed();
        black_box(x);
        taken
    };
    let least = (0..50).map(|_| chain()).min().unwrap_or_default();
    2.0 * f64::from(STEPS) / least.as_nanos() as f64
}

#[cfg(test)]
mod tests {
    use super::{Clock, Stopwatch};
    use std::time::Duration;

    /// Sleeping passes time but spends none.
    #[test]
    #[cfg(unix)]
    fn the_two_clocks_differ() {
        let nap = Duration::from_millis(30);
        let wall = Stopwatch::new(Clock::Wall).time(|| std::thread::sleep(nap));
        let cpu = Stopwatch::new(Clock::Cpu).time(|| std::thread::sleep(nap));
        assert!(wall >= nap - Duration::from_millis(1), "{wall:?}");
        assert!(cpu < nap / 2, "{cpu:?}");
    }
}
