//go:build go1.25

package folder

import "io/fs"

var _ fs.ReadLinkFS = (*FS)(nil)
