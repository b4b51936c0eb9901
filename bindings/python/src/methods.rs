//! What keys of AEADs with nonces have, and those without: the same, but for the nonces.

/// The methods of a class that holds a `Key`, and `$more` of its own.
macro_rules! methods {
    (
        $class:ident($($nonce:ident, $nonces:ident)?): $once:literal $($lists:literal)?,
        { $($more:tt)* }
    ) => {
        #[pymethods]
        impl $class {
            $($more)*

            #[new]
            #[pyo3(signature = (algorithm, key, of_columns=false, /))]
            fn new(algorithm: &str, key: &Any<'_>, of_columns: bool) -> PyResult<Self> {
                Key::new(algorithm, key, of_columns).map(Self)
            }

            /// The algorithm's name.
            #[getter]
            fn algorithm(&self) -> &'static str {
                self.0.algorithm.name()
            }

            /// The length of a nonce in bytes; 0: none.
            #[getter]
            fn nonce_length(&self) -> usize {
                self.0.nonce_len
            }

            /// The length of a tag in bytes.
            #[getter]
            fn tag_length(&self) -> usize {
                self.0.tag_len
            }

            #[doc = $once]
            ///
            /// Returns ciphertext and tag, one after another. Every argument is
            /// any contiguous buffer. Raises ValueError for a wrong length or a nonce or message
            /// that the algorithm refuses, OverflowError for more than it allows, TypeError and
            /// BufferError for what is no contiguous buffer.
            #[pyo3(signature = ($($nonce,)? data, associated_data=None))]
            fn encrypt<'py>(
                &self,
                $($nonce: &Any<'py>,)?
                data: &Any<'py>,
                associated_data: Option<&Any<'py>>,
            ) -> Bytes<'py> {
                self.0.seal(None$(.or(Some($nonce)))?, data, associated_data)
            }

            /// Open what encrypt() returned. Raises InvalidTag if it does not open; there is no
            /// saying why, and no plaintext in any buffer then. Other errors are those of
            /// encrypt().
            #[pyo3(signature = ($($nonce,)? data, associated_data=None))]
            fn decrypt<'py>(
                &self,
                $($nonce: &Any<'py>,)?
                data: &Any<'py>,
                associated_data: Option<&Any<'py>>,
            ) -> Bytes<'py> {
                self.0.open(None$(.or(Some($nonce)))?, data, associated_data)
            }

            /// encrypt() into a buffer as long as the result. Returns the bytes
            /// written.
            ///
            /// The plaintext may stand where its ciphertext stands; nothing else overlaps.
            fn encrypt_into<'py>(
                &self,
                $($nonce: &Any<'py>,)?
                data: &Any<'py>,
                associated_data: Option<&Any<'py>>,
                buf: &Any<'py>,
            ) -> PyResult<usize> {
                self.0.seal_into(None$(.or(Some($nonce)))?, data, associated_data, buf)
            }

            /// decrypt() into a buffer as long as the plaintext. Returns the bytes
            /// written.
            ///
            /// The plaintext may stand where its ciphertext stands; nothing else overlaps. On
            /// InvalidTag buf holds zeros.
            fn decrypt_into<'py>(
                &self,
                $($nonce: &Any<'py>,)?
                data: &Any<'py>,
                associated_data: Option<&Any<'py>>,
                buf: &Any<'py>,
            ) -> PyResult<usize> {
                self.0.open_into(None$(.or(Some($nonce)))?, data, associated_data, buf)
            }

            /// encrypt() of many messages at once: the same bytes, in a fraction of
            /// the time.
            ///
            $(#[doc = $lists])?
            /// associated_data is one buffer for all
            /// messages, or a sequence. Returns a list. If one message is refused, the
            /// whole batch is: ValueError names it.
            #[pyo3(signature = ($($nonces,)? messages, associated_data=None))]
            fn encrypt_batch<'py>(
                &self,
                $($nonces: &Any<'py>,)?
                messages: &Any<'py>,
                associated_data: Option<&Any<'py>>,
            ) -> PyResult<Bound<'py, PyList>> {
                let nonces = None$(.or(Some($nonces)))?;
                batch::run(&self.0, Direction::Seal, nonces, messages, associated_data)
            }

            /// Open what encrypt_batch() returned. The list has None for a message that
            /// does not open, and the plaintext of every other.
            #[pyo3(signature = ($($nonces,)? messages, associated_data=None))]
            fn decrypt_batch<'py>(
                &self,
                $($nonces: &Any<'py>,)?
                messages: &Any<'py>,
                associated_data: Option<&Any<'py>>,
            ) -> PyResult<Bound<'py, PyList>> {
                let nonces = None$(.or(Some($nonces)))?;
                batch::run(&self.0, Direction::Open, nonces, messages, associated_data)
            }

            /// Wipe the key, when calls under way in other threads have ended. Later calls raise
            /// ValueError. A key that nobody refers to any more is wiped by itself.
            fn close(&self) {
                self.0.held.close();
            }

            /// The key.
            fn __enter__(slf: Py<Self>) -> Py<Self> {
                slf
            }

            /// close().
            #[pyo3(signature = (*args))]
            fn __exit__(&self, args: &Bound<'_, PyTuple>) {
                let _ = args;
                self.close();
            }
        }
    };
}
pub(crate) use methods;

/// Hands to `$then!`, after what it is given, the methods of keys that draw their nonces or have
/// none: messages, and columns of them. `$key` is the `Key` of `$slf`.
macro_rules! sealing {
    (
        $then:ident!($($given:tt)*), |$slf:ident| $key:expr,
        seal: $($seal:literal)*, open: $($open:literal)*,
        { $($more:tt)* }
    ) => {
        $then! {
            $($given)*
            {
                $($more)*

                $(#[doc = $seal])*
                #[pyo3(signature = (data, associated_data=None))]
                fn seal<'py>(
                    $slf: &Bound<'py, Self>,
                    data: &Any<'py>,
                    associated_data: Option<&Any<'py>>,
                ) -> Bytes<'py> {
                    $key.seal(None, data, associated_data)
                }

                $(#[doc = $open])*
                #[pyo3(signature = (data, associated_data=None))]
                fn open<'py>(
                    $slf: &Bound<'py, Self>,
                    data: &Any<'py>,
                    associated_data: Option<&Any<'py>>,
                ) -> Bytes<'py> {
                    $key.open(None, data, associated_data)
                }

                /// seal() every value of a column: the rows, ready to store.
                ///
                /// Value i is data[offsets[i]:offsets[i + 1]]; offsets is a buffer of
                /// integers of 32 or 64 bits, one more than values. Bit first_bit + i of
                /// validity, from the lowest of the first byte on, is 0 if value i is null.
                /// It ends with the byte of the last value's bit. Without validity, none is
                /// null. associated_data is that of every value, or with offsets of its own a
                /// buffer like data. Neither of the two is copied,
                /// and neither may be changed meanwhile. Returns (rows, offsets): the rows one
                /// after the other, and as bytes integers as offsets has them, from 0 on. A
                /// null has no bytes. Raises OverflowError if integers of 32 bits are too
                /// short for the rows, and else what seal() raises.
                #[pyo3(signature = (data, offsets, associated_data=None, *, associated_data_offsets=None, validity=None, first_bit=None))]
                #[pyo3(text_signature = "($self, data, offsets, associated_data=None, *, associated_data_offsets=None, validity=None, first_bit=0)")]
                fn seal_column<'py>(
                    $slf: &Bound<'py, Self>,
                    data: &Any<'py>,
                    offsets: &Any<'py>,
                    associated_data: Option<&Any<'py>>,
                    associated_data_offsets: Option<&Any<'py>>,
                    validity: Option<&Any<'py>>,
                    first_bit: Option<&Any<'py>>,
                ) -> PyResult<column::Sealed<'py>> {
                    let values = Texts::new(data, offsets, associated_data, associated_data_offsets)?;
                    column::seal(data.py(), &$key, &values, validity, first_bit)
                }

                /// Open the rows of a column that seal_column() wrote. Returns (values,
                /// offsets, opened). opened has a byte for each row, 1 if it opened or is
                /// null and 0 if not. Its value is zeros then, or empty if it is too short.
                #[pyo3(signature = (data, offsets, associated_data=None, *, associated_data_offsets=None, validity=None, first_bit=None))]
                #[pyo3(text_signature = "($self, data, offsets, associated_data=None, *, associated_data_offsets=None, validity=None, first_bit=0)")]
                fn open_column<'py>(
                    $slf: &Bound<'py, Self>,
                    data: &Any<'py>,
                    offsets: &Any<'py>,
                    associated_data: Option<&Any<'py>>,
                    associated_data_offsets: Option<&Any<'py>>,
                    validity: Option<&Any<'py>>,
                    first_bit: Option<&Any<'py>>,
                ) -> PyResult<column::Opened<'py>> {
                    let rows = Texts::new(data, offsets, associated_data, associated_data_offsets)?;
                    column::open(data.py(), &$key, &rows, validity, first_bit)
                }
            }
        }
    };
}
pub(crate) use sealing;

/// The methods of a class.
macro_rules! of_class {
    ($class:ident: { $($methods:tt)* }) => {
        #[pymethods]
        impl $class {
            $($methods)*
        }
    };
}
pub(crate) use of_class;
