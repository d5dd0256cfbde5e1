package health

import (
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// Logs are the lines of the tree's logs, rotated ones too, in the order of time.
type Logs struct {
	Compactions []schema.LogCompaction
	Curations   []schema.LogCuration
	Drops       []schema.LogDrop
	Recoveries  []schema.LogRecovery
	Health      []schema.LogHealth
	Faults      []LogFault // lines that were passed over
}

// A LogFault is a line of a log that is none.
type LogFault struct {
	Name string
	Line int // 1-based; 0 where it is the file
	Msg  string
}

// ReadLogs reads the logs of both folders, from a time on; the zero time is all
// of them.
func ReadLogs(r fs.Reader, since time.Time) (Logs, error) { panic("not built") }
