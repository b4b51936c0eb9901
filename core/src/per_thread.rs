//! A value for each thread. On Linux the process goes on where the system refuses its memory. C's
//! library aborts there when it is to remember what `thread_local!` does at a thread's end.

#[cfg(any(target_os = "linux", target_os = "android"))]
mod posix;

#[cfg(any(target_os = "linux", target_os = "android"))]
pub use posix::PerThread;

/// Declares a static of which each thread has a value, the default one at first.
#[cfg(any(target_os = "linux", target_os = "android"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __per_thread {
    ($(#[$attribute:meta])* static $name:ident: $type:ty) => {
        $(#[$attribute])*
        static $name: $crate::__PerThread<$type> = $crate::__PerThread::new();
        #[allow(unsafe_code, reason = "what is done when the library is unloaded")]
        const _: () = {
            extern "C" fn end() {
                $name.end();
            }
            #[used]
            #[unsafe(link_section = ".fini_array")]
            static END: extern "C" fn() = end;
        };
    };
}

/// The same.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __per_thread {
    ($(#[$attribute:meta])* static $name:ident: $type:ty) => {
        std::thread_local! {
            $(#[$attribute])*
            static $name: $type = <$type>::default();
        }
    };
}
