// Package folder opens a sealed folder as an [io/fs.FS]: every function that
// takes one walks, lists, serves and reads what the command sivka has sealed.
//
// A sealed folder is a sealed file whose content is a tar archive (see
// docs/adr/0030 in Sivka's repository). To open one, its headers are read, and
// no contents. To read a file, the chunks that hold it are opened, and no
// others. Each byte is authenticated before it is returned.
//
// It is a package of its own because archive/tar needs os/user, which links
// the C library into programs that are built with cgo.
package folder
