package artifact

import (
	"errors"
	iofs "io/fs"
	"maps"
	"slices"

	"github.com/forgemind/forgemind/fs"
)

// maxLikely is the largest number of artifacts that a preload loads, maxLeftOut that of those it
// examines or names in addition.
const (
	maxLikely  = 20
	maxLeftOut = 100
)

// defaultLight is the default limit for a preload, in percent of the window.
const defaultLight = 50

// A Forecast lists the artifacts that work in a layer will need.
type Forecast struct {
	IDs     []string // ids, or paths of files that are not artifacts yet, for Load; most needed first
	LeftOut []string // likewise, those that exceed the limits
	Unfit   []error  // an *UnusableError for each artifact that cannot be loaded
}

// Predict returns the artifacts that work in a layer will need (strategy 3 of the CMS document).
// These are the layer's current artifacts, then others of its kinds in the State or in the loader's
// paths, then those to which they have trace links. It returns at most 20, as many as fit below
// e.Light percent of the window; loaded artifacts need no further room. Artifacts that cannot be
// loaded are skipped.
func Predict(r fs.Reader, layer int, e Edge) (Forecast, error) {
	s, err := readRoster(r)
	if err != nil {
		return Forecast{}, err
	}
	f := forecast{r: r, s: s, e: e, room: s.room(e), seen: map[string]bool{}}
	switch layer {
	case 0:
		if ids := s.current("idea"); len(ids) > 0 {
			f.offer(ids...)
		} else {
			f.all("idea")
		}
		f.all(kindClarification)
		f.offer(clarificationNames(f.r)...)
	case 4:
		f.layer(layer)
		f.linked("requirement")
		f.offer(s.current("requirement")...)
	case 5:
		f.all("specification")
		f.linked(kindCode)
		f.layer(layer)
	default:
		f.layer(layer)
	}
	return f.out, f.err
}

// room returns the number of tokens that a preload may load.
func (s *stateArtifacts) room(e Edge) int64 {
	light := e.Light
	if light <= 0 {
		light = defaultLight
	}
	total, ok := s.figure("/context_window/total_tokens")
	if !ok || total <= 0 {
		return 1 << 62
	}
	used, _ := s.figure("/context_window/used_tokens")
	return int64(light/100*float64(total)) - used
}

// A forecast holds the state of one call of Predict.
type forecast struct {
	r      fs.Reader
	s      *stateArtifacts
	e      Edge
	room   int64 // tokens
	seen   map[string]bool
	chosen []target
	out    Forecast
	err    error // an error of the disk
}

// layer offers the artifacts of the kinds of a layer.
func (f *forecast) layer(layer int) {
	for _, kind := range kindsOfLayer(layer) {
		f.all(kind)
	}
}

// all offers the current artifacts of a kind, then those of the State, then those on disk.
func (f *forecast) all(kind string) {
	f.offer(f.s.current(kind)...)
	f.offer(f.s.idsOf(kind)...)
	found := onDisk(f.r, kind, f.e.Loader)
	f.offer(slices.Sorted(maps.Keys(found))...)
}

// linked offers the artifacts of a kind to which the chosen artifacts link. Every file that is no
// artifact of another kind counts as code.
func (f *forecast) linked(kind string) {
	for _, from := range slices.Clone(f.chosen) {
		for _, l := range linksOf(from.artifact.Path, from.content) {
			if i := max(f.s.byID(l.to), f.s.byPath(l.to)); i >= 0 && kindOf(f.s.list[i]) == kind {
				f.offer(f.s.list[i].ID)
			} else if i < 0 && (kindByID(l.to) == kind || kind == kindCode && kindByPath(l.to) == kindCode) {
				f.offer(l.to)
			}
		}
	}
}

// offer considers artifacts, given by ids or paths, in order.
func (f *forecast) offer(ids ...string) {
	for _, id := range ids {
		if f.err != nil || f.seen[id] {
			continue
		}
		f.seen[id] = true
		if len(f.out.LeftOut) >= maxLeftOut {
			return
		}
		if len(f.out.IDs) >= maxLikely {
			f.out.LeftOut = append(f.out.LeftOut, id)
			continue
		}
		found, err := f.s.resolve(f.r, id, f.e.Loader)
		var unknown *UnknownError
		var unusable *UnusableError
		if errors.As(err, &unusable) && !errors.Is(err, iofs.ErrNotExist) && len(f.out.Unfit) < maxLeftOut {
			f.out.Unfit = append(f.out.Unfit, err)
		}
		if errors.As(err, &unknown) || errors.As(err, &unusable) {
			continue
		}
		if err != nil {
			f.err = err
			return
		}
		if key := found.artifact.Path; key != "" {
			if f.seen[key] && key != id {
				continue
			}
			f.seen[key] = true
		}
		tokens := int64(0)
		if !found.artifact.Loaded {
			tokens = int64(f.e.Count(string(found.content)))
		}
		if tokens > max(0, f.room) {
			f.out.LeftOut = append(f.out.LeftOut, id)
			continue
		}
		f.room -= tokens
		f.out.IDs = append(f.out.IDs, id)
		f.chosen = append(f.chosen, found)
	}
}
