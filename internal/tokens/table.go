package tokens

import (
	_ "embed" // the table
)

// table is the vocabulary of o200k_base, laid out so that it is looked up as it
// stands: nothing is loaded, and of what is not looked up nothing is read from disk.
//
// It begins with where each of the buckets begins, and where the last ends, three
// bytes each, little-endian. A bucket is the tokens of one hash: of each its length
// in one byte, its rank in three, and its bytes. TestTable makes it, with -update,
// of the tokenizer library's vocabulary.
//
//go:embed o200k.table
var table string

const (
	buckets   = 1 << 16
	wide      = 3 // bytes of a number
	tokenHead = 1 + wide
	noRank    = 1 << 24
)

// rankOf is the rank of a token: the lower, the sooner it is merged. It is noRank
// where token is none.
func rankOf(token string) uint32 {
	at := wide * bucketOf(token)
	from, to := number(at), number(at+wide)
	for from < to {
		size := int(table[from])
		next := int(from) + tokenHead + size
		if size == len(token) && table[next-size:next] == token {
			return number(int(from) + 1)
		}
		from = uint32(next)
	}
	return noRank
}

// number is the number that stands in the table at an offset.
func number(at int) uint32 {
	return uint32(table[at]) | uint32(table[at+1])<<8 | uint32(table[at+2])<<16
}

// bucketOf is the bucket of a token: FNV-1a, folded.
func bucketOf(token string) int {
	h := uint32(2166136261)
	for i := range len(token) {
		h = (h ^ uint32(token[i])) * 16777619
	}
	return int((h ^ h>>16) % buckets)
}
