// Package tokens is what a text costs.
//
// A Counter has a name, and every stored count names its counter, so that a
// count by another one is never taken for the same.
//
//   - o200k is the default: the tokens of OpenAI's o200k_base vocabulary. It is
//     exact, but for runs of 16 KiB without a place to cut, which are counted in
//     parts: a token more for each cut, at most a few.
//   - claude estimates what Claude models are billed for code, tool output and
//     prose: characters / 2.87. Real requests cost about 90 tokens more for each
//     exchange of a user's message and its answer; a text knows of no exchanges,
//     so whoever adds up a conversation adds them. It is within 10 % there, and
//     much too low for Chinese, Japanese and Korean.
//   - chars4 is the usual rule of thumb, characters / 4. It loads nothing and is
//     36 % off.
package tokens
