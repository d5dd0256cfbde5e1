// Package tokens counts how many tokens a text costs.
//
// A Counter has a name. Every stored count names its counter, so that counts of
// different counters are never compared.
//
//   - o200k is the default: the tokens of OpenAI's o200k_base vocabulary. It is
//     exact, except for a piece of more than 16 KiB, which is counted in parts:
//     each cut adds at most a few tokens.
//   - claude estimates what Claude models are billed for code, tool output and
//     prose: 0.78 × o200k + 0.11 × characters. Real requests cost 74 tokens more
//     for each exchange of a user's message and its answer. A text does not show
//     its exchanges, so the caller that sums a conversation adds
//     [Counter.Exchange] for each. The factors were fitted to the sizes of real
//     requests.
//   - chars4 is the usual rule of thumb, characters / 4. It loads nothing and is
//     36 % off.
package tokens
