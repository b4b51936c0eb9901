package folder_test

import (
	"fmt"
	"io/fs"
	"log"
	"os"

	"sivka.dev/go/file"
	"sivka.dev/go/file/folder"
)

func Example() {
	text, err := os.ReadFile("testdata/alice.key")
	if err != nil {
		log.Fatal(err)
	}
	key, err := file.ParseKeyFile(text, nil)
	if err != nil {
		log.Fatal(err)
	}
	// sivka seal --key alice.key photos
	sealed, err := os.Open("testdata/photos.sivka")
	if err != nil {
		log.Fatal(err)
	}
	defer sealed.Close()
	about, err := sealed.Stat()
	if err != nil {
		log.Fatal(err)
	}
	photos, err := folder.Open(sealed, about.Size(), []file.Key{key}, nil)
	if err != nil {
		log.Fatal(err)
	}

	notes, err := fs.ReadFile(photos, "2025/notes")
	fmt.Printf("%s%v\n", notes, err)
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
	// 2025/sparse
	// 2025/up
	// <nil>
}
