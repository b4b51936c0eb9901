// Package folder opens a sealed folder as an [io/fs.FS]: every function that
// takes one walks, lists, serves and reads what the command sivka has sealed.
//
// The content of a sealed folder is an archive, by docs/spec/folder-v1.md in
// Sivka's repository. To open one, its headers are read, and no contents. To
// read a file, the chunks that hold it are opened, and no others. Each byte is
// authenticated before it is returned.
package folder
