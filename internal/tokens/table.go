package tokens

import (
	_ "embed" // the table
)

// table is the vocabulary of o200k_base as a hash table that needs no loading: only
// the pages that a lookup touches are read from disk.
//
// It begins with the offset of each bucket and the end of the last one, as
// little-endian numbers of three bytes. A bucket is the tokens of one hash: for each
// its length (one byte), its rank (three bytes) and its bytes. TestTable writes the
// file from the tokenizer library's vocabulary if called with -update.
//
//go:embed o200k.table
var table string

const (
	buckets    = 1 << 16
	numberSize = 3 // bytes of a number
	headerSize = 1 + numberSize
	noRank     = 1 << 24
)

// rankOf returns the rank of a token, noRank if it is not in the vocabulary. Tokens
// of a lower rank are merged first.
func rankOf(token string) uint32 {
	at := numberSize * bucketOf(token)
	from, to := numberAt(at), numberAt(at+numberSize)
	for from < to {
		size := int(table[from])
		next := int(from) + headerSize + size
		if size == len(token) && table[next-size:next] == token {
			return numberAt(int(from) + 1)
		}
		from = uint32(next)
	}
	return noRank
}

// numberAt returns the three-byte number at an offset of the table.
func numberAt(at int) uint32 {
	return uint32(table[at]) | uint32(table[at+1])<<8 | uint32(table[at+2])<<16
}

// bucketOf returns the bucket of a token: its FNV-1a hash, xor-folded.
func bucketOf(token string) int {
	h := uint32(2166136261)
	for i := range len(token) {
		h = (h ^ uint32(token[i])) * 16777619
	}
	return int((h ^ h>>16) % buckets)
}
