package embed

import (
	"errors"
	"fmt"
	"math"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/remote"
)

// read parses the answer to a request with the given number of texts: one vector for
// each, all of the same length or of the given number of dimensions.
func read(body []byte, texts, dimensions int) ([][]float32, error) {
	var answer struct {
		Data []struct {
			Index  *int      `json:"index"`
			Vector []float64 `json:"embedding"`
		} `json:"data"`
	}
	if err := jsonedit.Decode(body, &answer); err != nil || answer.Data == nil {
		return nil, remote.Unreadable("a list of embeddings", body)
	}
	if len(answer.Data) != texts {
		return nil, fmt.Errorf("%d embeddings for %d texts", len(answer.Data), texts)
	}
	vectors := make([][]float32, texts)
	for _, d := range answer.Data {
		if d.Index == nil || *d.Index < 0 || *d.Index >= texts || vectors[*d.Index] != nil {
			return nil, errors.New("its answer does not say which embedding is of which text")
		}
		if dimensions == 0 {
			dimensions = len(d.Vector)
		}
		v, err := unit(d.Vector, dimensions)
		if err != nil {
			return nil, fmt.Errorf("the embedding of text %d: %w", *d.Index+1, err)
		}
		vectors[*d.Index] = v
	}
	return vectors, nil
}

// unit returns the vector of length 1 in the direction of v.
func unit(v []float64, dimensions int) ([]float32, error) {
	if len(v) != dimensions || dimensions < 1 || dimensions > maxDimensions {
		return nil, fmt.Errorf("%d dimensions, not %d", len(v), dimensions)
	}
	largest := 0.0
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, errors.New("it holds what is no number")
		}
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 {
		return nil, errors.New("all of it is 0")
	}
	sum := 0.0
	for _, x := range v {
		sum += x / largest * (x / largest)
	}
	length := math.Sqrt(sum)
	out := make([]float32, dimensions)
	for i, x := range v {
		out[i] = float32(x / largest / length)
	}
	return out, nil
}
