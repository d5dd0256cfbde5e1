// Package secret finds and masks secrets in text: keys, tokens and passwords.
//
// It is pure: text comes in, text and kinds come out. [Find] says where a secret
// stands, [Mask] replaces it by `[masked:<kind>]`. [Possible] is a fast test that
// tells most texts without a secret apart.
//
// # Limits
//
//   - A secret is known by its shape or by the name that it is assigned to. A
//     password in prose is not found, and neither is a token that is a UUID or a
//     number.
package secret
