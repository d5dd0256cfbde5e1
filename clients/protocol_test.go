//go:build clients && unix

package clients

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

var protocols = []protocol{
	{"/messages", readMessages, writeMessages},
	{"/responses", readResponses, writeResponses},
	{"/chat/completions", readChat, writeChat},
	{":streamGenerateContent", readGemini, func(w http.ResponseWriter, r reply) { events(w)("", answerGemini(r)) }},
	{":generateContent", readGemini, func(w http.ResponseWriter, r reply) { w.Write(mustJSON(answerGemini(r))) }},
}

type object = map[string]any

var ids atomic.Int64

func newID(kind string) string { return fmt.Sprintf("%s_%04d", kind, ids.Add(1)) }

// readMessages reads a request in Anthropic's Messages API.
func readMessages(body []byte) (request, error) {
	var b struct {
		System   json.RawMessage
		Tools    []struct{ Name string }
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return request{}, err
	}
	r := request{items: []item{{"system", texts(b.System)}}}
	for _, t := range b.Tools {
		r.tools = append(r.tools, t.Name)
	}
	for _, m := range b.Messages {
		var parts []struct {
			Type, Text string
			Content    json.RawMessage
		}
		if json.Unmarshal(m.Content, &parts) != nil {
			r.items = append(r.items, item{m.Role, texts(m.Content)})
			continue
		}
		for _, p := range parts {
			switch p.Type {
			case "tool_use":
				r.items = append(r.items, item{kind: "call"})
			case "tool_result":
				r.items = append(r.items, item{"result", texts(p.Content)})
			default:
				r.items = append(r.items, item{m.Role, p.Text})
			}
		}
	}
	return r, nil
}

// writeMessages answers a request in Anthropic's Messages API.
func writeMessages(w http.ResponseWriter, r reply) {
	begin, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": r.text}
	stop := "end_turn"
	if r.call != nil {
		begin = object{"type": "tool_use", "id": newID("toolu"), "name": r.call.tool, "input": object{}}
		delta = object{"type": "input_json_delta", "partial_json": string(mustJSON(r.call.arguments))}
		stop = "tool_use"
	}
	message := object{"id": newID("msg"), "type": "message", "role": "assistant", "model": "model", "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": r.tokens, "output_tokens": 20}}
	send := events(w)
	send("message_start", object{"type": "message_start", "message": message})
	send("content_block_start", object{"type": "content_block_start", "index": 0, "content_block": begin})
	send("content_block_delta", object{"type": "content_block_delta", "index": 0, "delta": delta})
	send("content_block_stop", object{"type": "content_block_stop", "index": 0})
	send("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 20}})
	send("message_stop", object{"type": "message_stop"})
}

// readResponses reads a request in OpenAI's Responses API.
func readResponses(body []byte) (request, error) {
	var b struct {
		Instructions string
		Tools        []struct{ Type, Name string }
		Input        []struct {
			Type, Role string
			Content    json.RawMessage
			Output     json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return request{}, err
	}
	r := request{items: []item{{"system", b.Instructions}}}
	for _, t := range b.Tools {
		r.tools = append(r.tools, t.Name)
	}
	for _, i := range b.Input {
		switch {
		case strings.HasSuffix(i.Type, "_call"):
			r.items = append(r.items, item{kind: "call"})
		case strings.HasSuffix(i.Type, "_call_output"):
			r.items = append(r.items, item{"result", texts(i.Output)})
		case i.Role == "developer":
			r.items = append(r.items, item{"system", texts(i.Content)})
		case i.Role != "":
			r.items = append(r.items, item{i.Role, texts(i.Content)})
		}
	}
	return r, nil
}

// writeResponses answers a request in OpenAI's Responses API.
func writeResponses(w http.ResponseWriter, r reply) {
	out := object{"type": "message", "id": newID("msg"), "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": r.text, "annotations": []any{}}}}
	if c := r.call; c != nil {
		out = object{"type": "function_call", "id": newID("fc"), "call_id": newID("call"), "status": "completed", "name": c.tool, "arguments": string(mustJSON(c.arguments))}
	}
	response := object{"id": newID("resp"), "object": "response", "created_at": time.Now().Unix(), "status": "completed", "model": "model", "output": []any{out},
		"usage": object{"input_tokens": r.tokens, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": 20,
			"output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": r.tokens + 20}}
	send := events(w)
	send("response.created", object{"type": "response.created", "response": object{"id": response["id"], "object": "response", "status": "in_progress", "output": []any{}}})
	send("response.output_item.added", object{"type": "response.output_item.added", "output_index": 0, "item": out})
	send("response.output_item.done", object{"type": "response.output_item.done", "output_index": 0, "item": out})
	send("response.completed", object{"type": "response.completed", "response": response})
}

// readChat reads a request in OpenAI's Chat Completions API.
func readChat(body []byte) (request, error) {
	var b struct {
		Tools    []struct{ Function struct{ Name string } }
		Messages []struct {
			Role      string
			Content   json.RawMessage
			ToolCalls []any `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return request{}, err
	}
	r := request{}
	for _, t := range b.Tools {
		r.tools = append(r.tools, t.Function.Name)
	}
	for _, m := range b.Messages {
		kind := m.Role
		if kind == "tool" {
			kind = "result"
		}
		r.items = append(r.items, item{kind, texts(m.Content)})
		for range m.ToolCalls {
			r.items = append(r.items, item{kind: "call"})
		}
	}
	return r, nil
}

// writeChat answers a request in OpenAI's Chat Completions API.
func writeChat(w http.ResponseWriter, r reply) {
	message, finish := object{"role": "assistant", "content": r.text}, "stop"
	if r.call != nil {
		message["content"], finish = nil, "tool_calls"
		message["tool_calls"] = []any{object{"index": 0, "id": newID("call"), "type": "function",
			"function": object{"name": r.call.tool, "arguments": string(mustJSON(r.call.arguments))}}}
	}
	document := func(kind, part string, value any, finish any) object {
		return object{"id": newID("chatcmpl"), "object": kind, "created": time.Now().Unix(), "model": "model",
			"choices": []any{object{"index": 0, part: value, "finish_reason": finish}},
			"usage":   object{"prompt_tokens": r.tokens, "completion_tokens": 20, "total_tokens": r.tokens + 20}}
	}
	send := events(w)
	first := document("chat.completion.chunk", "delta", message, nil)
	delete(first, "usage")
	send("", first)
	send("", document("chat.completion.chunk", "delta", object{}, finish))
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// readGemini reads a request in Gemini's API.
func readGemini(body []byte) (request, error) {
	var b struct {
		SystemInstruction struct{ Parts json.RawMessage }
		Tools             []struct{ FunctionDeclarations []struct{ Name string } }
		Contents          []struct {
			Role  string
			Parts []struct {
				Text             string
				FunctionCall     *struct{}
				FunctionResponse *struct{ Response json.RawMessage }
			}
		}
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return request{}, err
	}
	r := request{items: []item{{"system", texts(b.SystemInstruction.Parts)}}}
	for _, t := range b.Tools {
		for _, f := range t.FunctionDeclarations {
			r.tools = append(r.tools, f.Name)
		}
	}
	for _, c := range b.Contents {
		for _, p := range c.Parts {
			switch {
			case p.FunctionCall != nil:
				r.items = append(r.items, item{kind: "call"})
			case p.FunctionResponse != nil:
				r.items = append(r.items, item{"result", string(p.FunctionResponse.Response)})
			case c.Role == "model":
				r.items = append(r.items, item{"assistant", p.Text})
			default:
				r.items = append(r.items, item{"user", p.Text})
			}
		}
	}
	return r, nil
}

// answerGemini returns the answer to a request in Gemini's API.
func answerGemini(r reply) object {
	part := object{"text": r.text}
	if r.call != nil {
		part = object{"functionCall": object{"name": r.call.tool, "args": r.call.arguments}}
	}
	return object{"candidates": []any{object{"content": object{"role": "model", "parts": []any{part}}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": r.tokens, "candidatesTokenCount": 20, "totalTokenCount": r.tokens + 20},
		"modelVersion":  "model", "responseId": newID("r")}
}
