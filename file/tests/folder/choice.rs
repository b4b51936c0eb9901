//! Some of the entries of an archive.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use super::support::{named, packed, tree, unpacked_only};
use sivka_file::folder::{Archive, Unpack, unpack};

fn make(root: &Path) -> Vec<u8> {
    let at = |name: &str| root.join(name);
    fs::create_dir_all(at("deep/er")).unwrap();
    fs::create_dir_all(at("other")).unwrap();
    fs::write(at("a"), "content").unwrap();
    fs::write(at("deep/er/x"), "x").unwrap();
    symlink("a", at("l")).unwrap();
    fs::hard_link(at("l"), at("other/l")).unwrap();
    fs::hard_link(at("a"), at("other/b")).unwrap();
    fs::hard_link(at("a"), at("other/c")).unwrap();
    packed(root)
}

#[test]
fn folders_on_the_way_come_with_it() {
    let desk = tempfile::tempdir().unwrap();
    let [from, to] = ["from", "to"].map(|name| desk.path().join(name));
    let archive = make(&from);
    let came = unpacked_only(&archive, &to, &["deep/er"]);
    assert!(came.named.is_empty() && came.entries == 4, "{came:?}");
    let (before, after) = (tree(&from), tree(&to));
    let paths: Vec<_> = after.keys().map(|path| path.to_str().unwrap()).collect();
    assert_eq!(paths, ["", "deep", "deep/er", "deep/er/x"]);
    assert!(after.iter().all(|(path, found)| *found == before[path]));
}

#[test]
fn another_name_comes_with_its_content() {
    let desk = tempfile::tempdir().unwrap();
    let [from, to, stream] = ["from", "to", "stream"].map(|name| desk.path().join(name));
    let archive = make(&from);
    let came = unpacked_only(&archive, &to, &["other"]);
    assert!(came.named.is_empty() && came.entries == 5, "{came:?}");
    assert_eq!(fs::read(to.join("other/b")).unwrap(), b"content");
    let about = |name: &str| to.join(name).symlink_metadata().unwrap();
    assert_eq!(about("other/b").ino(), about("other/c").ino());
    assert!(about("other/l").is_symlink() && !to.join("a").exists());
    assert_eq!(
        tree(&to)[Path::new("other")],
        tree(&from)[Path::new("other")]
    );

    // What is read once has no second look.
    let select = |path: &Path, _: bool| path == "other/b";
    let mut options = Unpack::default();
    options.select = &select;
    let mut bytes = archive.as_slice();
    let came = unpack(Archive::stream(&mut bytes), &stream, &options).unwrap();
    assert_eq!(
        named(&came.named),
        ["other/b: is another name of a, which is not here"]
    );
}
