package main

import (
	"bytes"
	"errors"
	"strconv"
)

// sizeOf returns the number of leaves that a checkpoint covers: its second line.
func sizeOf(checkpoint []byte) (uint64, error) {
	lines := bytes.SplitN(checkpoint, []byte("\n"), 3)
	if len(lines) < 3 {
		return 0, errors.New("the checkpoint has fewer than 3 lines")
	}
	return strconv.ParseUint(string(lines[1]), 10, 64)
}
