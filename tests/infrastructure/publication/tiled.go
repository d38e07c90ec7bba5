// Reads a folder of tiles with the reference implementation of tiled logs and checks what it says: the checkpoint's
// signature, the root, every leaf's inclusion, and the consistency of each size with the whole.
package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type folder string

func (f folder) Height() int { return 8 }

func (f folder) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range tiles {
		// tlog's own paths name the height, too: tile/8/0/000. C2SP's do not.
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		data, err := os.ReadFile(filepath.Join(string(f), path))
		if err != nil {
			return nil, err
		}
		found = append(found, data)
	}
	return found, nil
}

func (f folder) SaveTiles([]tlog.Tile, [][]byte) {}

func require(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	place := folder(os.Args[1])
	verifier, err := note.NewVerifier(os.Args[2])
	require(err)
	text, err := os.ReadFile(filepath.Join(string(place), "checkpoint"))
	require(err)
	opened, err := note.Open(text, note.VerifierList(verifier))
	require(err)
	var origin, root string
	var size int64
	_, err = fmt.Sscanf(opened.Text, "%s\n%d\n%s\n", &origin, &size, &root)
	require(err)
	hash, err := tlog.ParseHash(root)
	require(err)
	reader := tlog.TileHashReader(tlog.Tree{N: size, Hash: hash}, place)
	var entries [][]byte
	for at := int64(0); at*256 < size; at++ {
		tile := tlog.Tile{H: 8, L: -1, N: at, W: int(min(256, size-at*256))}
		path := strings.Replace(strings.Replace(tile.Path(), "tile/8/", "tile/", 1), "/data/", "/entries/", 1)
		data, err := os.ReadFile(filepath.Join(string(place), path))
		require(err)
		for len(data) > 0 {
			length := int(binary.BigEndian.Uint16(data))
			entries = append(entries, data[2:2+length])
			data = data[2+length:]
		}
	}
	if int64(len(entries)) != size {
		require(fmt.Errorf("%d entries for %d leaves", len(entries), size))
	}
	for at := int64(0); at < size; at++ {
		proof, err := tlog.ProveRecord(size, at, reader)
		require(err)
		require(tlog.CheckRecord(proof, size, hash, at, tlog.RecordHash(entries[at])))
	}
	for _, old := range []int64{1, size / 2, size - 1, size} {
		if old < 1 {
			continue
		}
		earlier, err := tlog.TreeHash(old, reader)
		require(err)
		proof, err := tlog.ProveTree(size, old, reader)
		require(err)
		require(tlog.CheckTree(proof, size, hash, old, earlier))
	}
	fmt.Println(size, len(entries))
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}
