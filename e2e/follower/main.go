// Follows the custody log with other people's code: golang.org/x/mod's signed notes and tiles.
//
//	follower GATEWAY VKEY [OLDER-CHECKPOINT-FILE]
//
// Opens the newest checkpoint, proves every leaf under it, and proves that it is consistent with an
// older one; prints one line of JSON, or fails.
package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

var gateway = strings.TrimRight(os.Args[1], "/")

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func get(path string) ([]byte, error) {
	response, err := http.Get(gateway + path)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != 200 {
		return nil, fmt.Errorf("%s: %s", path, response.Status)
	}
	return io.ReadAll(response.Body)
}

func openCheckpoint(text []byte, vkey string) tlog.Tree {
	verifier := must(note.NewVerifier(vkey))
	opened := must(note.Open(text, note.VerifierList(verifier)))
	lines := strings.Split(opened.Text, "\n")
	size := must(strconv.ParseInt(lines[1], 10, 64))
	var root tlog.Hash
	copy(root[:], must(base64.StdEncoding.DecodeString(lines[2])))
	return tlog.Tree{N: size, Hash: root}
}

// tiles reads C2SP paths: those of x/mod without the height.
type tiles struct{}

func (tiles) Height() int { return 8 }

func (tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range wanted {
		path := "/custody/tile/" + strings.TrimPrefix(tile.Path(), "tile/8/")
		data, err := get(path)
		if err != nil {
			return nil, err
		}
		found = append(found, data)
	}
	return found, nil
}

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func leaves(size int64) [][]byte {
	var all [][]byte
	for first := int64(0); first < size; first += 256 {
		tile := tlog.Tile{H: 8, L: 0, N: first / 256, W: int(min(256, size-first))}
		path := strings.Replace(tile.Path(), "tile/8/0/", "/custody/tile/entries/", 1)
		for data := must(get(path)); len(data) > 0; {
			length := 2 + int(data[0])<<8 + int(data[1])
			all = append(all, data[2:length])
			data = data[length:]
		}
	}
	return all
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

func main() {
	tree := openCheckpoint(must(get("/custody/checkpoint")), os.Args[2])
	hashes := tlog.TileHashReader(tree, tiles{})
	all := leaves(tree.N)
	for index, leaf := range all {
		proof := must(tlog.ProveRecord(tree.N, int64(index), hashes))
		if err := tlog.CheckRecord(proof, tree.N, tree.Hash, int64(index), tlog.RecordHash(leaf)); err != nil {
			log.Fatalf("leaf %d: %v", index, err)
		}
	}
	consistent := int64(0)
	if len(os.Args) > 3 {
		older := openCheckpoint(must(os.ReadFile(os.Args[3])), os.Args[2])
		proof := must(tlog.ProveTree(tree.N, older.N, hashes))
		if err := tlog.CheckTree(proof, tree.N, tree.Hash, older.N, older.Hash); err != nil {
			log.Fatalf("not consistent with the older checkpoint: %v", err)
		}
		consistent = older.N
	}
	fmt.Printf("{\"size\":%d,\"leaves\":%d,\"consistentWith\":%d}\n", tree.N, len(all), consistent)
}
