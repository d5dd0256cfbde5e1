package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A tool is what a client can call.
type tool struct {
	name, title, about string
	members            []member
	plural             string // of the list that it gives; "" is no list
	prose              bool   // it gives a text of its own
	writes             bool   // it changes documents
	again              bool   // calling it twice is calling it once
	run                func(*call) (answer, error)
}

// A call is one of a tool.
type call struct {
	*server
	given
	ctx   context.Context
	agent string // what the client calls itself
}

// allTools are the tools, those that only read first. The order, the names and
// what is said of them are constant.
func allTools() []tool {
	return []tool{
		briefTool(), contextTool(), searchTool(), recoverTool(), governsTool(), decisionListTool(), workListTool(), sessionListTool(), statusTool(), validateTool(),
		decisionAddTool(), decisionSupersedeTool(), goalTool(), constraintTool(), questionTool(), rememberTool(), sessionTool(),
	}
}

// offer is the tool as clients are told of it.
func (t tool) offer() *sdk.Tool {
	no := false
	offered := &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.about,
		InputSchema: json.RawMessage(schemaOf(t.members)),
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: !t.writes, IdempotentHint: !t.writes || t.again, OpenWorldHint: &no},
	}
	if t.writes { // nothing is lost by any of them
		offered.Annotations.DestructiveHint = &no
	}
	switch {
	case t.prose:
		offered.OutputSchema = json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)
	case t.plural != "":
		offered.OutputSchema = json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"array","items":{"type":"object"}}},"required":[%[1]q]}`, t.plural))
	default:
		offered.OutputSchema = json.RawMessage(`{"type":"object"}`)
	}
	return offered
}

// handler is what answers the calls of a tool.
func (s *server) handler(t tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		in, err := read(t.members, req.Params.Arguments)
		if err != nil {
			return failed(fmt.Errorf("%s: %w", t.name, err)), nil
		}
		a, err := t.run(&call{server: s, given: in, ctx: ctx, agent: clientName(req.ClientInfo())})
		if ctx.Err() != nil {
			return nil, ctx.Err() // nobody waits any more
		}
		if err != nil {
			return failed(err), nil
		}
		return a.result(), nil
	}
}

// withheld is what answers the calls of a tool that is not offered.
func withheld(t tool) sdk.ToolHandler {
	return func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return failed(errors.New(t.name + " changes the tree, and this server is read-only: nothing was changed; whoever configured it can start it as 'forgemind mcp --allow-writes'")), nil
	}
}
