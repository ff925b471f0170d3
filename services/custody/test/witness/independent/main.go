// An independent witness (github.com/transparency-dev/witness), and an independent check of
// cosignatures (github.com/transparency-dev/formats).
//
//	independent serve NAME LOG-VKEY     prints {"vkey", "url"} and serves until it is killed
//	independent check VKEY NOTE-FILE... exits with 0 if VKEY cosigned each of the notes
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"

	fnote "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/witness/persistence/inmemory"
	"github.com/transparency-dev/witness/witness"
	"golang.org/x/mod/sumdb/note"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func serve(name, logKey string) {
	private, public, err := note.GenerateKey(rand.Reader, name)
	if err != nil {
		log.Fatal(err)
	}
	signer := must(fnote.NewSignerForCosignatureV1(private))
	verifier := must(note.NewVerifier(logKey))
	core := must(witness.New(context.Background(), witness.Opts{
		Persistence: inmemory.New(),
		Signers:     []note.Signer{signer},
		VerifierForLog: func(_ context.Context, origin string) (note.Verifier, bool, error) {
			return verifier, origin == verifier.Name(), nil
		},
	}))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /add-checkpoint", witness.NewHTTPHandler(core).AddCheckpoint)
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	json.NewEncoder(os.Stdout).Encode(map[string]string{
		"vkey": must(fnote.VKeyToCosignatureV1(public)),
		"url":  "http://" + listener.Addr().String(),
	})
	log.Fatal(http.Serve(listener, mux))
}

func check(key string, paths []string) {
	verifier := must(fnote.NewVerifierForCosignatureV1(key))
	for _, path := range paths {
		must(note.Open(must(os.ReadFile(path)), note.VerifierList(verifier)))
	}
}

func main() {
	switch os.Args[1] {
	case "serve":
		serve(os.Args[2], os.Args[3])
	case "check":
		check(os.Args[2], os.Args[3:])
	}
}
