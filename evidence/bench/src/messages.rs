//! The data of a row: many messages of one kind in one buffer.

/// Where every message starts unless messages are packed: a cache line, which is
/// also the widest vector.
const LINE_LEN: usize = 64;

/// Less than the smallest first-level data cache that we know.
const CACHED_LEN: usize = 16 * 1024;

/// Messages apart are read from a page and written to another, half a page further on. So no
/// load meets the store of its own message at the same offset in a page.
const PAGE_LEN: usize = 4096;

/// No more messages than this in a row of single calls: enough that neighbouring
/// calls do not depend on each other.
const MOST_CACHED: usize = 256;

/// The interface of a row; throughput is measured in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interface {
    /// Every message in place.
    InPlace,
    /// From one buffer to another; the calls do not depend on each other.
    Apart,
    /// The same, and every call needs the results of the one before.
    Chained,
}

/// The lengths of one row's messages, in bytes, and how they are handed over.
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
    /// For a row that measures an interface.
    pub(crate) interface: Option<Interface>,
}

impl Shape {
    /// Whether messages go from one buffer to another.
    pub(crate) fn is_apart(self) -> bool {
        matches!(self.interface, Some(Interface::Apart | Interface::Chained))
    }

    /// A message with its tag and, if apart, space for its nonce.
    fn room_len(self) -> usize {
        let nonce_len = if self.is_apart() { self.nonce_len } else { 0 };
        self.len + self.tag_len + nonce_len
    }
}

/// Messages of one kind, each followed by space for its tag.
///
/// Every contender of a row works on the same buffer, so that none has the better alignment. A row
/// of single calls walks over as many messages as the first-level cache holds, each on its own
/// cache line; a batch is packed.
pub(crate) struct Messages {
    shape: Shape,
    stride: usize,
    count: usize,
    nonces: Vec<u8>,
    aad: Vec<u8>,
    /// `count` strides, starting at `start`, which lies on a cache line; if apart, the output.
    buffer: Vec<u8>,
    start: usize,
    /// If apart, the input: as many strides of the same buffer.
    input: Option<usize>,
}

impl Messages {
    /// Fills messages, nonces and AAD with bytes that depend on nothing but the lengths.
    pub(crate) fn new(shape: Shape) -> Self {
        let room_len = shape.room_len();
        let (stride, count) = if shape.batch > 1 {
            (room_len, shape.batch)
        } else {
            let stride = room_len.next_multiple_of(LINE_LEN).max(LINE_LEN);
            let cached_len = CACHED_LEN / if shape.is_apart() { 2 } else { 1 };
            (stride, (cached_len / stride).clamp(1, MOST_CACHED))
        };
        let stride = stride.max(1);
        let mut bytes = Bytes(0x5349_564b_4120_0001);
        let mut nonces = bytes.take(count * shape.nonce_len.max(1));
        // MGM takes no other; to the rest all nonces are the same.
        for nonce in nonces.chunks_exact_mut(shape.nonce_len.max(1)) {
            nonce[0] &= 0x7f;
        }
        let aad = bytes.take(shape.aad_len);
        let span = count * stride;
        let (buffer, start, input) = if shape.is_apart() {
            let apart = span.next_multiple_of(PAGE_LEN) + PAGE_LEN / 2;
            let buffer = bytes.take(PAGE_LEN + apart + span);
            let input = buffer.as_ptr().align_offset(PAGE_LEN);
            (buffer, input + apart, Some(input))
        } else {
            let buffer = bytes.take(span + LINE_LEN);
            let start = buffer.as_ptr().align_offset(LINE_LEN);
            (buffer, start, None)
        };
        Self { shape, stride, count, nonces, aad, buffer, start, input }
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

    /// Replaces all messages and tags by `bytes`, as [`Messages::bytes`] gave them. If apart, they
    /// are the next input, and the old output is gone.
    pub(crate) fn restore(&mut self, bytes: &[u8]) {
        let span = self.count * self.stride;
        if let Some(input) = self.input {
            self.buffer[input..][..span].copy_from_slice(bytes);
            self.buffer[self.start..][..span].fill(0);
        } else {
            self.buffer[self.start..][..span].copy_from_slice(bytes);
        }
    }

    /// Packed messages in groups of `count`: nonces, AAD, messages, and from one message to
    /// the next in bytes.
    pub(crate) fn groups(
        &mut self,
        count: usize,
    ) -> impl Iterator<Item = (&[u8], &[u8], &mut [u8], usize)> {
        let (count, nonce_len) = (count.min(self.count), self.shape.nonce_len);
        let (nonces, aad, stride) = (&self.nonces[..], &self.aad[..], self.stride);
        let groups = self.buffer[self.start..][..self.count * stride].chunks_mut(count * stride);
        groups.enumerate().map(move |(i, group)| {
            let nonces = &nonces[i * count * nonce_len..];
            let nonces = &nonces[..group.len() / stride * nonce_len];
            (nonces, aad, group, stride)
        })
    }

    /// Each message alone: nonce, AAD, and plaintext or ciphertext followed by
    /// the `tag_len` bytes of its tag.
    #[inline(always)]
    pub(crate) fn each(&mut self) -> impl Iterator<Item = (&[u8], &[u8], &mut [u8])> {
        let (sealed_len, nonce_len) = (self.shape.len + self.shape.tag_len, self.shape.nonce_len);
        let (stride, aad) = (self.stride, &self.aad[..]);
        let messages = &mut self.buffer[self.start..][..self.count * stride];
        self.nonces
            .chunks_exact(nonce_len.max(1))
            .zip(messages.chunks_exact_mut(stride))
            .map(move |(nonce, message)| (&nonce[..nonce_len], aad, &mut message[..sealed_len]))
    }

    /// Each message apart: nonce, AAD, input and output, both with space for text, tag and nonce.
    #[inline(always)]
    pub(crate) fn each_apart(&mut self) -> impl Iterator<Item = (&[u8], &[u8], &[u8], &mut [u8])> {
        let (room_len, nonce_len) = (self.shape.room_len(), self.shape.nonce_len);
        let (stride, aad, span) = (self.stride, &self.aad[..], self.count * self.stride);
        let input = self.input.expect("a row of messages apart");
        let (inputs, outputs) = self.buffer.split_at_mut(self.start);
        let inputs = inputs[input..][..span].chunks_exact(stride);
        let outputs = outputs[..span].chunks_exact_mut(stride);
        let nonces = self.nonces.chunks_exact(nonce_len.max(1));
        nonces.zip(inputs.zip(outputs)).map(move |(nonce, (input, output))| {
            let (input, output) = (&input[..room_len], &mut output[..room_len]);
            (&nonce[..nonce_len], aad, input, output)
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
