package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A tool is a tool that a client can call.
type tool struct {
	name, title, about string
	members            []member
	plural             string // name of the items of its list; "" if it returns no list
	prose              bool   // it returns a text without structured content
	writes             bool   // it changes documents
	again              bool   // it is idempotent
	run                func(*call) (answer, error)
}

// A call is a call of a tool.
type call struct {
	*server
	given
	ctx   context.Context
	agent string // name of the client
}

// allTools returns the tools, read-only ones first. Order, names and descriptions are constant.
func allTools() []tool {
	return []tool{
		briefTool(), contextTool(), searchTool(), recoverTool(), governsTool(), decisionListTool(), workListTool(), sessionListTool(), statusTool(), validateTool(),
		decisionAddTool(), decisionSupersedeTool(), goalTool(), constraintTool(), questionTool(), rememberTool(), sessionTool(),
	}
}

// offer returns the description of the tool for clients.
func (t tool) offer() *sdk.Tool {
	no := false
	offered := &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.about,
		InputSchema: json.RawMessage(schemaOf(t.members)),
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: !t.writes, IdempotentHint: !t.writes || t.again, OpenWorldHint: &no},
	}
	if t.writes { // no tool destroys data
		offered.Annotations.DestructiveHint = &no
	}
	switch {
	case t.prose:
	case t.plural != "":
		offered.OutputSchema = json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"array","items":{"type":"object"}}},"required":[%[1]q]}`, t.plural))
	default:
		offered.OutputSchema = json.RawMessage(`{"type":"object"}`)
	}
	return offered
}

// handler returns the function that answers calls of a tool.
func (s *server) handler(t tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		in, err := read(t.members, req.Params.Arguments)
		if err != nil {
			return failed(fmt.Errorf("%s: %w", t.name, err)), nil
		}
		a, err := t.run(&call{server: s, given: in, ctx: ctx, agent: clientName(req.ClientInfo())})
		if ctx.Err() != nil {
			return nil, ctx.Err() // nobody is waiting any longer
		}
		if err != nil {
			return failed(err), nil
		}
		return a.result(), nil
	}
}

// withheld returns the function that answers calls of a tool that is not offered.
func withheld(t tool) sdk.ToolHandler {
	return func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return failed(errors.New(t.name + " changes the tree, and this server is read-only: nothing was changed; whoever configured it can start it as 'forgemind mcp --allow-writes'")), nil
	}
}
