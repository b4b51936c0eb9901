package file_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"

	"sivka.dev/go/file"
)

func Example() {
	key, err := file.GenerateKeyFile("laptop")
	if err != nil {
		log.Fatal(err)
	}
	var sealed bytes.Buffer // or an *os.File, a connection, ...
	w, err := file.NewWriter(&sealed, []file.Key{key}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close() // gives the file up where Finish is not reached
	for day := range 1000 {
		if _, err := fmt.Fprintf(w, "day %03d: nothing happened\n", day); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Finish(); err != nil {
		log.Fatal(err)
	}

	r, err := file.NewReader(bytes.NewReader(sealed.Bytes()), []file.Key{key}, nil)
	if err != nil {
		log.Fatal(err)
	}
	text, err := io.ReadAll(r)
	fmt.Println(len(text), err)

	cut := sealed.Bytes()[:sealed.Len()-1]
	r, err = file.NewReader(bytes.NewReader(cut), []file.Key{key}, nil)
	if err != nil {
		log.Fatal(err)
	}
	_, err = io.Copy(io.Discard, r)
	fmt.Println(errors.Is(err, file.ErrTruncated), err)
	// Output:
	// 26000 <nil>
	// true file: the end is missing or damaged, from chunk 1 on
}
