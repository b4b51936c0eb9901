//! A value for each thread. With keys of POSIX, the process goes on where Linux refuses its memory.
//! C's library aborts there when it is to remember what `thread_local!` does at a thread's end. But
//! it keeps a library loaded until that is done, which keys do not.

#[cfg(all(feature = "posix-keys", any(target_os = "linux", target_os = "android")))]
mod posix;

#[cfg(all(feature = "posix-keys", any(target_os = "linux", target_os = "android")))]
pub use posix::PerThread;

/// Declares a static of which each thread has a value, the one that is given here at first.
#[cfg(all(feature = "posix-keys", any(target_os = "linux", target_os = "android")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __per_thread {
    ($(#[$attribute:meta])* static $name:ident: $type:ty = $first:expr) => {
        $(#[$attribute])*
        static $name: $crate::__PerThread<$type> = $crate::__PerThread::new(|| $first);
    };
}

/// The same.
#[cfg(not(all(feature = "posix-keys", any(target_os = "linux", target_os = "android"))))]
#[doc(hidden)]
#[macro_export]
macro_rules! __per_thread {
    ($(#[$attribute:meta])* static $name:ident: $type:ty = $first:expr) => {
        std::thread_local! {
            $(#[$attribute])*
            static $name: $type = const { $first };
        }
    };
}
