//! What the content of a file is (specification section 5.1).

/// The kind of a file's content. A reader that opens the file sees it before the first chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A file, number 0.
    #[default]
    File,
    /// A folder's archive, number 1.
    Folder,
    /// A file, compressed, number 2.
    CompressedFile,
    /// A folder's archive, compressed, number 3.
    CompressedFolder,
}

impl Kind {
    /// The byte beside the file key.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The kind of a number, if this version knows it.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        let all = [
            Self::File,
            Self::Folder,
            Self::CompressedFile,
            Self::CompressedFolder,
        ];
        all.get(usize::from(number)).copied()
    }

    /// Whether the content, once it is not compressed any more, is an archive of a folder.
    #[must_use]
    pub const fn is_folder(self) -> bool {
        matches!(self, Self::Folder | Self::CompressedFolder)
    }

    /// Whether the content is compressed.
    #[must_use]
    pub const fn is_compressed(self) -> bool {
        matches!(self, Self::CompressedFile | Self::CompressedFolder)
    }
}
