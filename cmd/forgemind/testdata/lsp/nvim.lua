-- Opens a wrong decision, prints the findings, mends it, and prints what a member means.
local client = vim.lsp.start_client({ name = 'forgemind', cmd = { 'forgemind', 'lsp' }, root_dir = vim.fn.getcwd() })
vim.cmd('edit .forgemind/decisions/DEC-A.json')
local buf = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(buf, client)
vim.wait(60000, function() return #vim.diagnostic.get(buf) > 0 end, 20)
for _, d in ipairs(vim.diagnostic.get(buf)) do
  local code = d.code or (d.user_data and d.user_data.lsp and d.user_data.lsp.code)
  print(string.format('%d:%d: %s [%s]\n', d.lnum + 1, d.col + 1, (d.message:gsub('\n', ' ')), tostring(code)))
end
vim.api.nvim_buf_set_lines(buf, 3, 4, false, { '  "decision": "Use RS256",', '  "rationale": null' })
vim.wait(60000, function() return #vim.diagnostic.get(buf) == 0 end, 20)
print('left: ' .. #vim.diagnostic.get(buf) .. '\n')
vim.api.nvim_win_set_cursor(0, { 5, 4 })
local answers = vim.lsp.buf_request_sync(buf, 'textDocument/hover', vim.lsp.util.make_position_params(), 60000)
for _, a in pairs(answers or {}) do
  print((a.result and a.result.contents.value or vim.inspect(a)) .. '\n')
end
vim.lsp.stop_client(client)
vim.wait(5000, function() return vim.lsp.client_is_stopped(client) end, 20)
vim.cmd('qa!')
