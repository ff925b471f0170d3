// The other side of R5: a log of Tessera with its POSIX driver, and callers that add leaves to it.
//
// It reads JSON commands from its standard input and writes one JSON line for each:
// {"leaves": [base64, ...]} holds the leaves of the next round; {"run": true} adds them and returns
// when all are integrated; {"settle": true} returns when a published checkpoint covers them.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/storage/posix"
	"golang.org/x/mod/sumdb/note"
)

type command struct {
	Leaves [][]byte `json:"leaves"`
	Run    bool     `json:"run"`
	Settle bool     `json:"settle"`
}

// A published checkpoint, in milliseconds since the start of the program.
type published struct {
	Size uint64  `json:"size"`
	At   float64 `json:"at"`
}

// A call that added a leaf: its index, and when it began and ended.
type call struct {
	Index uint64  `json:"index"`
	Begun float64 `json:"begun"`
	Ended float64 `json:"ended"`
}

var start = time.Now()

func now() float64 { return float64(time.Since(start).Nanoseconds()) / 1e6 }

func require(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	folder := flag.String("folder", "", "folder of the log")
	callers := flag.Int("callers", 100, "number of concurrent callers")
	batch := flag.Uint("batch", tessera.DefaultBatchMaxSize, "leaves of a batch at most")
	age := flag.Duration("age", tessera.DefaultBatchMaxAge, "time that a batch waits at most")
	interval := flag.Duration("interval", time.Second, "time between two checkpoints")
	flag.Parse()

	ctx := context.Background()
	secret, _, err := note.GenerateKey(rand.Reader, "log.bench/tessera")
	require(err)
	signer, err := note.NewSigner(secret)
	require(err)
	driver, err := posix.New(ctx, posix.Config{Path: *folder})
	require(err)
	options := tessera.NewAppendOptions().
		WithCheckpointSigner(signer).
		WithBatching(*batch, *age).
		WithCheckpointInterval(*interval)
	appender, shutdown, reader, err := tessera.NewAppender(ctx, driver, options)
	require(err)

	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	watch := watchCheckpoints(ctx, reader)
	var leaves [][]byte
	for {
		var given command
		if err := in.Decode(&given); errors.Is(err, io.EOF) {
			break
		} else {
			require(err)
		}
		switch {
		case given.Run:
			require(out.Encode(add(ctx, appender, leaves, *callers)))
		case given.Settle:
			size, err := reader.IntegratedSize(ctx)
			require(err)
			require(out.Encode(watch(size)))
		default:
			leaves = given.Leaves
			require(out.Encode(len(leaves)))
		}
	}
	require(shutdown(ctx))
}

// add lets callers add the leaves: each takes the next leaf when its last one is integrated.
func add(ctx context.Context, appender *tessera.Appender, leaves [][]byte, callers int) []call {
	calls := make([]call, len(leaves))
	var next atomic.Int64
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for n := next.Add(1) - 1; n < int64(len(leaves)); n = next.Add(1) - 1 {
				begun := now()
				index, err := appender.Add(ctx, tessera.NewEntry(leaves[n]))()
				require(err)
				calls[n] = call{Index: index.Index, Begun: begun, Ended: now()}
			}
		})
	}
	all.Wait()
	return calls
}

// watchCheckpoints reads the published checkpoint every 10 ms. The function that it returns waits for
// a checkpoint over that many leaves, and returns those published since its last call.
func watchCheckpoints(ctx context.Context, reader tessera.LogReader) func(uint64) []published {
	var lock sync.Mutex
	var seen []published
	var newest uint64
	go func() {
		for ; ; time.Sleep(10 * time.Millisecond) {
			text, err := reader.ReadCheckpoint(ctx)
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			require(err)
			size, err := sizeOf(text)
			require(err)
			lock.Lock()
			if size > newest {
				newest = size
				seen = append(seen, published{Size: size, At: now()})
			}
			lock.Unlock()
		}
	}()
	return func(size uint64) []published {
		for ; ; time.Sleep(time.Millisecond) {
			lock.Lock()
			if newest >= size {
				all := seen
				seen = nil
				lock.Unlock()
				return all
			}
			lock.Unlock()
		}
	}
}
