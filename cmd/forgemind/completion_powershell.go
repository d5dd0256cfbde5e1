package main

import (
	"fmt"
	"strings"
)

// powershellScript returns the completion script for PowerShell. It uses the words of the command
// table, and runs 'forgemind complete' for words of the tree.
func powershellScript(levels []completionLevel) string {
	var called, words, values, asks strings.Builder
	for _, l := range levels {
		for _, name := range l.called {
			fmt.Fprintf(&called, "    '%s' = '%s'\n", name, l.path)
		}
		fmt.Fprintf(&words, "    '%s' = '%s'\n", l.path, strings.Join(l.words, " "))
		for _, flag := range l.valued() {
			fmt.Fprintf(&values, "    '%s %s' = '%s'\n", l.path, flag, strings.Join(l.values[flag], " "))
			if l.asks[flag] {
				fmt.Fprintf(&asks, "    '%s %s' = $true\n", l.path, flag)
			}
		}
		if l.asks[""] {
			fmt.Fprintf(&asks, "    '%s' = $true\n", l.path)
		}
	}
	return `# PowerShell completion for forgemind
Register-ArgumentCompleter -Native -CommandName forgemind -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $called = @{
` + called.String() + `  }
  $words = @{
` + words.String() + `  }
  $values = @{
` + values.String() + `  }
  $asks = @{
` + asks.String() + `  }
  $path = 'forgemind'
  $flag = ''
  $before = @()
  foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
    $word = if ($element.Value -is [string]) { $element.Value } else { "$element" }
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    if ($called.ContainsKey("$path $word")) { $path = $called["$path $word"] }
    $flag = $word
    $before += $word
  }
  $place = if ($values.ContainsKey("$path $flag")) { "$path $flag" } else { $path }
  $ids = @()
  if ($asks.ContainsKey($place) -and -not "$wordToComplete".StartsWith('-')) {
    $ids = @(& forgemind complete -- @before 2>$null)
  }
  foreach ($line in $ids) {
    $id, $text = $line -split "` + "`" + `t", 2
    if (-not $id.StartsWith($wordToComplete)) { continue }
    if (-not $text) { $text = $id }
    $inserted = if ($id -match '^[A-Za-z0-9._-]+$') { $id } else { "'" + $id.Replace("'", "''") + "'" }
    [System.Management.Automation.CompletionResult]::new($inserted, $id, 'ParameterValue', $text)
  }
  $offered = if ($values.ContainsKey($place)) { $values[$place] } else { $words[$place] }
  $offered -split ' ' | Where-Object { $_ -and $_ -like "$wordToComplete*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`
}
