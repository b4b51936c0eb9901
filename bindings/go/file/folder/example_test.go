package folder_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"log"

	"sivka.dev/go/file"
	"sivka.dev/go/file/folder"
)

func Example() {
	source := sealedPhotos() // or an *os.File, and its length
	photos, err := folder.Open(bytes.NewReader(source), int64(len(source)), []file.Key{testKey}, nil)
	if err != nil {
		log.Fatal(err)
	}
	beach, err := fs.ReadFile(photos, "2025/beach")
	fmt.Printf("%s%v\n", beach, err)
	err = fs.WalkDir(photos, "2025", func(path string, entry fs.DirEntry, err error) error {
		fmt.Println(path)
		return err
	})
	fmt.Println(err)
	// Output:
	// the beach was empty
	// <nil>
	// 2025
	// 2025/beach
	// 2025/notes
	// 2025/same
	// 2025/up
	// <nil>
}
