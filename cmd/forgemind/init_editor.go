package main

import "github.com/urfave/cli/v2"

// noEditor is the value of --editor that stands for none.
const noEditor = "none"

// An editorSetting is the text with which an editor starts the language server.
type editorSetting struct {
	Editor string `json:"editor"`
	File   string `json:"file"` // where the text belongs
	Text   string `json:"text"`
}

// editorSettings returns the settings of the editors that are known.
func editorSettings() []editorSetting {
	return []editorSetting{
		{"vscode", "a shell in a clone of forgemind, which has the extension", vscodeSettings},
		{"neovim", "~/.config/nvim/init.lua, Neovim 0.8 and later", neovimSettings},
		{"emacs", "~/.emacs.d/init.el, Emacs 29 and later", emacsSettings},
		{"helix", ".helix/languages.toml, or ~/.config/helix/languages.toml", helixSettings},
	}
}

const vscodeSettings = `cd editors/vscode
npm install
npx @vscode/vsce package
code --install-extension forgemind-0.1.0.vsix
`

const neovimSettings = `vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
  pattern = { '*/.forgemind/*', '*/.quaid/*' },
  callback = function(event)
    local root = event.match:match('^(.*)/%.forgemind/') or event.match:match('^(.*)/%.quaid/')
    vim.lsp.start({ name = 'forgemind', cmd = { 'forgemind', 'lsp' }, root_dir = root })
  end,
})
`

const emacsSettings = `(defun forgemind-lsp ()
  (when (and buffer-file-name
             (string-match-p "/\\.\\(forgemind\\|quaid\\)/" buffer-file-name))
    (require 'eglot)
    (setq-local eglot-server-programs
                (list (cons major-mode '("forgemind" "lsp"))))
    (eglot-ensure)))
(add-hook 'find-file-hook #'forgemind-lsp)
`

const helixSettings = `[language-server.forgemind]
command = "forgemind"
args = ["lsp"]

[[language]]
name = "json"
language-servers = ["forgemind", "vscode-json-language-server"]

[[language]]
name = "yaml"
language-servers = ["forgemind", "yaml-language-server"]

[[language]]
name = "markdown"
language-servers = ["forgemind", "marksman"]
`

// editorFlag returns --editor of init.
func editorFlag() cli.Flag {
	choices := []string{noEditor}
	for _, e := range editorSettings() {
		choices = append(choices, e.Editor)
	}
	return choice("editor", "print the settings with which an editor starts 'forgemind lsp', and create nothing", choices...)
}

// tellEditor prints the settings of an editor.
func (p *program) tellEditor(c *cli.Context) error {
	for _, e := range editorSettings() {
		if e.Editor != c.String("editor") {
			continue
		}
		if wantsJSON(c) {
			return p.printJSON("editor", e)
		}
		p.note("forgemind: for %s:", e.File)
		return p.printSource(e.Text)
	}
	return nil
}
