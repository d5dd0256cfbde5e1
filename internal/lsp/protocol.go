package lsp

import "encoding/json"

// The types of this file are those of the protocol, with the members that are used.

type position struct {
	Line      int `json:"line"`      // from 0
	Character int `json:"character"` // from 0
}

// A span is a range.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type textDocument struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Text    string `json:"text"` // of didOpen alone
}

// documentParams are the parameters of most requests.
type documentParams struct {
	TextDocument   textDocument    `json:"textDocument"`
	Position       position        `json:"position"`
	Range          span            `json:"range"`
	ContentChanges []contentChange `json:"contentChanges"`
	Context        struct {
		IncludeDeclaration bool         `json:"includeDeclaration"`
		Only               []string     `json:"only"`
		Diagnostics        []diagnostic `json:"diagnostics"`
	} `json:"context"`
}

type contentChange struct {
	Range *span  `json:"range"` // nil: the text is the whole document
	Text  string `json:"text"`
}

type folder struct {
	URI string `json:"uri"`
}

type initializeParams struct {
	RootURI          string   `json:"rootUri"`
	WorkspaceFolders []folder `json:"workspaceFolders"`
	Capabilities     struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		TextDocument struct {
			Hover struct {
				ContentFormat []string `json:"contentFormat"`
			} `json:"hover"`
		} `json:"textDocument"`
		Workspace struct {
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
	} `json:"capabilities"`
}

// The severities of diagnostics.
const (
	severityError       = 1
	severityWarning     = 2
	severityInformation = 3
)

type diagnostic struct {
	Range    span            `json:"range"`
	Severity int             `json:"severity"`
	Code     json.RawMessage `json:"code,omitempty"` // the name of a rule; another server's may be a number
	Source   string          `json:"source"`
	Message  string          `json:"message"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"` // nil if the document is not open
	Diagnostics []diagnostic `json:"diagnostics"`
}

type markup struct {
	Kind  string `json:"kind"` // markdown or plaintext
	Value string `json:"value"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    *span  `json:"range,omitempty"`
}

// The kinds of completion items.
const (
	itemFile      = 17
	itemProperty  = 10
	itemEnum      = 20
	itemReference = 18
)

type completionItem struct {
	Label         string   `json:"label"`
	Kind          int      `json:"kind"`
	Detail        string   `json:"detail,omitempty"`
	Documentation *markup  `json:"documentation,omitempty"`
	SortText      string   `json:"sortText"`
	FilterText    string   `json:"filterText,omitempty"`
	TextEdit      textEdit `json:"textEdit"`
}

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

// The kinds of symbols.
const (
	symbolString = 15
	symbolNumber = 16
	symbolBool   = 17
	symbolArray  = 18
	symbolObject = 19
	symbolNull   = 21
)

type documentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Range          span             `json:"range"`
	SelectionRange span             `json:"selectionRange"`
	Children       []documentSymbol `json:"children,omitempty"`
}

type workspaceSymbol struct {
	Name          string   `json:"name"`
	Kind          int      `json:"kind"`
	Location      location `json:"location"`
	ContainerName string   `json:"containerName,omitempty"`
}

type inlayHint struct {
	Position    position `json:"position"`
	Label       string   `json:"label"`
	PaddingLeft bool     `json:"paddingLeft"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	Edit        *workspaceEdit `json:"edit"`
}
