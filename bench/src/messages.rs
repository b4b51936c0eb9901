//! The data a row is measured on: many messages of one shape in one buffer.

/// Where every message starts unless messages are packed: a cache line, which is
/// also the widest vector.
const LINE_LEN: usize = 64;

/// What fits the smallest first-level data cache we know with room to spare.
const CACHED_LEN: usize = 16 * 1024;

/// No more messages than this in a row of single calls: enough that neighbouring
/// calls do not depend on each other.
const MOST_CACHED: usize = 256;

/// The lengths of one row's messages, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Plaintext of one message.
    pub(crate) len: usize,
    /// Additional authenticated data, the same for every message.
    pub(crate) aad_len: usize,
    /// Nonce of one message; 0 for algorithms without one.
    pub(crate) nonce_len: usize,
    /// Tag that follows each message; 0 for algorithms without one.
    pub(crate) tag_len: usize,
    /// Messages in a batch, or 1 for a row that measures single calls.
    pub(crate) batch: usize,
}

/// Messages of one shape, each followed by room for its tag.
///
/// Every contender of a row works on the same buffer, so that none has the
/// better alignment. A row of single calls walks over as many messages as the
/// first-level cache holds, each on its own cache line; a batch is packed.
pub(crate) struct Messages {
    shape: Shape,
    stride: usize,
    count: usize,
    nonces: Vec<u8>,
    aad: Vec<u8>,
    /// `count` strides, starting at `start`, which lies on a cache line.
    buffer: Vec<u8>,
    start: usize,
}

impl Messages {
    /// Fills messages, nonces and AAD with bytes that depend on nothing but the shape.
    pub(crate) fn new(shape: Shape) -> Self {
        let sealed_len = shape.len + shape.tag_len;
        let (stride, count) = if shape.batch > 1 {
            (sealed_len, shape.batch)
        } else {
            let stride = sealed_len.next_multiple_of(LINE_LEN).max(LINE_LEN);
            (stride, (CACHED_LEN / stride).clamp(1, MOST_CACHED))
        };
        let stride = stride.max(1);
        let mut bytes = Bytes(0x5349_564b_4120_0001);
        let mut nonces = bytes.take(count * shape.nonce_len.max(1));
        // MGM takes no other; to the rest all nonces are the same.
        for nonce in nonces.chunks_exact_mut(shape.nonce_len.max(1)) {
            nonce[0] &= 0x7f;
        }
        let aad = bytes.take(shape.aad_len);
        let buffer = bytes.take(count * stride + LINE_LEN);
        let start = buffer.as_ptr().align_offset(LINE_LEN);
        Self {
            shape,
            stride,
            count,
            nonces,
            aad,
            buffer,
            start,
        }
    }

    /// The lengths all messages have.
    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// How many messages one walk over the buffer handles.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// All messages with their tags, `stride` apart.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..][..self.count * self.stride]
    }

    /// Replaces all messages and tags by `bytes`, as [`Messages::bytes`] gave them.
    pub(crate) fn restore(&mut self, bytes: &[u8]) {
        self.buffer[self.start..][..self.count * self.stride].copy_from_slice(bytes);
    }

    /// All messages at once, for work that takes a whole batch in one call.
    pub(crate) fn parts(&mut self) -> Parts<'_> {
        Parts {
            nonces: &self.nonces,
            aad: &self.aad,
            bytes: &mut self.buffer[self.start..][..self.count * self.stride],
            stride: self.stride,
        }
    }

    /// Each message alone: nonce, AAD, and plaintext or ciphertext followed by
    /// the `tag_len` bytes of its tag.
    #[inline(always)]
    pub(crate) fn each(&mut self) -> impl Iterator<Item = (&[u8], &[u8], &mut [u8])> {
        let (sealed_len, nonce_len) = (self.shape.len + self.shape.tag_len, self.shape.nonce_len);
        let parts = self.parts();
        parts
            .nonces
            .chunks_exact(nonce_len.max(1))
            .zip(parts.bytes.chunks_exact_mut(parts.stride))
            .map(move |(nonce, message)| {
                (&nonce[..nonce_len], parts.aad, &mut message[..sealed_len])
            })
    }

    /// Whether the contents, padding between messages aside, equal `bytes`.
    pub(crate) fn equal(&self, bytes: &[u8], with_tags: bool) -> bool {
        let len = self.shape.len + if with_tags { self.shape.tag_len } else { 0 };
        self.bytes()
            .chunks_exact(self.stride)
            .zip(bytes.chunks_exact(self.stride))
            .all(|(mine, other)| mine[..len] == other[..len])
    }
}

/// Borrowed from [`Messages::parts`].
pub(crate) struct Parts<'a> {
    /// One nonce after another; a byte for each message where there are none.
    pub(crate) nonces: &'a [u8],
    /// The AAD that all messages share.
    pub(crate) aad: &'a [u8],
    /// One message and its tag every `stride` bytes; in batches nothing stands between.
    pub(crate) bytes: &'a mut [u8],
    /// From one message to the next, in bytes.
    pub(crate) stride: usize,
}

/// A xorshift generator: contents that no branch predictor or zero-page finds easy.
struct Bytes(u64);

impl Bytes {
    fn take(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        for chunk in bytes.chunks_mut(8) {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            chunk.copy_from_slice(&self.0.to_le_bytes()[..chunk.len()]);
        }
        bytes
    }
}
