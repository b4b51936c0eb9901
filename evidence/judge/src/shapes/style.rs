//! The dimensions of a batch, and the styles of each.

use super::parts::Parts;
use super::source::Source;

/// A style of one dimension.
pub trait Style: Copy + PartialEq + 'static {
    /// All of the dimension.
    const ALL: &'static [Self];
    /// Their names, in that order.
    const NAMES: &'static [&'static str];

    /// Its place in [`ALL`](Self::ALL).
    fn index(self) -> usize;

    /// Draws one by one [`Source::below`]: each equally likely, unless something else is said.
    fn draw(source: &mut dyn Source) -> Self;
}

/// One of `all`, each as often as `times` says.
fn drawn<T: Copy>(source: &mut dyn Source, all: &[T], times: &[usize]) -> T {
    let mut number = source.below(times.iter().sum());
    for (style, times) in all.iter().zip(times) {
        match number.checked_sub(*times) {
            Some(left) => number = left,
            None => return *style,
        }
    }
    all[0]
}

/// Makes enums of styles from their names, and from how many times in all each is drawn if that is
/// not the same for all.
macro_rules! styles {
    ($(
        $(#[$doc:meta])*
        $name:ident {
            $($(#[$style_doc:meta])* $style:ident: $words:literal $(, $times:literal times)?;)+
        }
    )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the words say it")]
        pub enum $name {
            $($(#[$style_doc])* $style,)+
        }

        impl Style for $name {
            const ALL: &'static [Self] = &[$(Self::$style),+];
            const NAMES: &'static [&'static str] = &[$($words),+];

            fn index(self) -> usize {
                self as usize
            }

            fn draw(source: &mut dyn Source) -> Self {
                drawn(source, Self::ALL, &[$(1 $(* $times)?),+])
            }
        }
    )+};
}

styles! {
    /// How many messages.
    Count {
        /// 0 to 5.
        Few: "few", 15 times;
        /// A number around 16, 32 or 64, the sizes of groups in kernels.
        Group: "a group", 64 times;
        /// Some groups: 2 to 200.
        Groups: "groups", 48 times;
        /// Around the 256 messages of a batch in C, or the 1,024 rows of a column, that are
        /// handed on at once; or twice these and one.
        Slab: "a slab", 1 times;
    }

    /// The lengths of texts, or of AADs.
    LengthStyle {
        Equal: "equal";
        /// Runs of 1 to 65 of one length, which is one of a few.
        Runs: "runs";
        /// Runs of empty ones and of others, by turns.
        Gaps: "runs of none";
        Rising: "rising";
        Falling: "falling";
        /// All of one length but one.
        Outlier: "one outlier";
        Empty: "all empty";
        /// Lengths at which code takes another way, and one more or less.
        Boundary: "boundaries";
        Independent: "independent";
    }

    /// The content of AADs.
    AadBytes {
        Own: "own";
        /// All are beginnings of one string; as slices, of one place.
        Shared: "shared";
    }

    /// How AADs are given: one for all, a slice for each, or one buffer and offsets.
    AadForm { Common: "common"; List: "list"; Contiguous: "contiguous"; }

    /// Nonces.
    NonceStyle {
        Distinct: "distinct";
        Equal: "equal";
        /// Runs of equal ones.
        Runs: "runs";
        /// Each one more than the one before.
        Counter: "counted";
        /// Of bytes 00, 01, 7f, 80 and ff; an algorithm may refuse some.
        Boundary: "boundary bytes";
        /// Drawn by the call that seals, where it can; distinct elsewhere.
        Random: "random";
    }

    /// Which values of a column are null.
    Nulls {
        Unsaid: "no bitmap";
        None: "none";
        All: "all";
        Runs: "runs";
        Outlier: "one";
        /// Each, once in four.
        Independent: "independent";
    }

    /// The content of a column for a null; such bytes belong to no value.
    Gaps { Nothing: "nothing"; Bytes: "bytes"; }

    /// The order in which messages come.
    Order { Drawn: "as drawn"; Reversed: "reversed"; Shuffled: "shuffled"; }

    /// The width of a column's offsets in bits: those of the input, and those of the output.
    Width { Bits32: "32"; Bits64: "64"; Wider: "32 to 64"; Narrower: "64 to 32"; }

    /// Where the first message begins in a buffer: at its start, or after bytes of nobody, with
    /// others after the last one.
    Base { Zero: "0"; Later: "later"; }

    /// How the texts of a batch are given: a slice for each, or one buffer and offsets.
    BatchForm { List: "list"; Contiguous: "contiguous"; }

    /// How one message is given: in place, or from one buffer to another, its tag apart; or to
    /// one buffer with its tag.
    SingleForm { InPlace: "in place"; Apart: "apart"; Joined: "joined"; }

    /// Which messages are forged before they are opened.
    Forged {
        None: "none";
        One: "one";
        Runs: "runs";
        Alternating: "every other";
        /// Each, once in four.
        Independent: "independent";
        All: "all";
    }

    /// The part that a forger changes; the tag of a message without that part.
    ForgedPart {
        Tag: "tag";
        Text: "text";
        Aad: "AAD";
        Nonce: "nonce";
        /// Of each message one of these.
        Any: "any";
        /// The length of a row of a column; elsewhere the tag.
        Length: "length";
    }

    /// Which bit of it: the lowest of the first byte, the highest of the last, or any.
    Bit { First: "first"; Last: "last"; Random: "random"; }
}

/// Makes [`Shape`] from its dimensions.
macro_rules! shape {
    ($($(#[$doc:meta])* $field:ident: $style:ty, $name:literal;)+) => {
        /// A style for each dimension.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Shape {
            $($(#[$doc])* pub $field: $style,)+
        }

        impl Shape {
            /// The name of each dimension, and those of its styles.
            pub const DIMENSIONS: [(&'static str, &'static [&'static str]); [$($name),+].len()] =
                [$(($name, <$style>::NAMES)),+];

            /// The place of each style in its dimension.
            #[must_use]
            pub fn indices(&self) -> [usize; Self::DIMENSIONS.len()] {
                [$(self.$field.index()),+]
            }

            /// Draws the styles of a batch, in the order of the fields, each by one
            /// [`Source::below`]; then what does not go together is [`fitted`](Self::fitted).
            pub fn draw(parts: Parts, source: &mut dyn Source) -> Self {
                Self { $($field: <$style>::draw(source),)+ }.fitted(parts)
            }

            /// With another style in the dimension of this number.
            #[must_use]
            pub fn with(mut self, dimension: usize, style: usize) -> Self {
                let mut fields = 0..;
                $(if fields.next() == Some(dimension) {
                    self.$field = <$style>::ALL[style];
                })+
                self
            }
        }
    };
}

shape! {
    /// How many there are.
    count: Count, "messages";
    /// The lengths of their texts.
    text: LengthStyle, "texts";
    /// The lengths of their AADs.
    aad: LengthStyle, "AADs";
    /// The content of their AADs.
    aad_bytes: AadBytes, "bytes of AADs";
    /// How their AADs are given.
    aad_form: AadForm, "form of AADs";
    /// Their nonces.
    nonce: NonceStyle, "nonces";
    /// Which of them are null in a column.
    nulls: Nulls, "nulls";
    /// The content of a column for nulls.
    gaps: Gaps, "under nulls";
    /// The order in which they come.
    order: Order, "order";
    /// The width of a column's offsets.
    width: Width, "width";
    /// Where buffers begin.
    base: Base, "first offset";
    /// How the texts of a batch are given.
    batch: BatchForm, "batch";
    /// How one message is given.
    single: SingleForm, "single";
    /// Which are forged.
    forged: Forged, "forged";
    /// The forged part.
    part: ForgedPart, "forged part";
    /// Which bit of it.
    bit: Bit, "forged bit";
}

impl Shape {
    /// A shape that agrees with every other style of any one dimension, and of most two.
    pub const PLAIN: Self = Self {
        count: Count::Group,
        text: LengthStyle::Equal,
        aad: LengthStyle::Equal,
        aad_bytes: AadBytes::Own,
        aad_form: AadForm::List,
        nonce: NonceStyle::Equal,
        nulls: Nulls::Unsaid,
        gaps: Gaps::Nothing,
        order: Order::Drawn,
        width: Width::Bits32,
        base: Base::Zero,
        batch: BatchForm::Contiguous,
        single: SingleForm::InPlace,
        forged: Forged::One,
        part: ForgedPart::Tag,
        bit: Bit::First,
    };

    /// Changes styles that do not agree. One AAD for all has one length, and no forger changes it
    /// for one message. An algorithm without nonces has equal ones, which nobody forges. If nothing
    /// is forged, the part is the tag and the bit the first.
    #[must_use]
    pub fn fitted(mut self, parts: Parts) -> Self {
        if self.aad_form == AadForm::Common && self.aad != LengthStyle::Empty {
            self.aad = LengthStyle::Equal;
        }
        if parts.nonce_len == 0 && self.nonce != NonceStyle::Random {
            self.nonce = NonceStyle::Equal;
        }
        let is_absent = match self.part {
            ForgedPart::Aad => self.aad_form == AadForm::Common || self.aad == LengthStyle::Empty,
            ForgedPart::Nonce => parts.nonce_len == 0,
            ForgedPart::Text => self.text == LengthStyle::Empty,
            _ => false,
        };
        if is_absent {
            self.part = ForgedPart::Tag;
        }
        if self.forged == Forged::None {
            (self.part, self.bit) = (ForgedPart::Tag, Bit::First);
        }
        self
    }
}
