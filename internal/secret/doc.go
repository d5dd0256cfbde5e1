// Package secret finds and masks secrets in text: keys, tokens and passwords.
//
// Its functions only compute. [Find] returns the places of secrets, and [Mask]
// replaces each by `[masked:<kind>]`. [Possible] is a fast test that excludes most
// texts without a secret.
//
// # Limits
//
//   - A secret is recognized by its shape or by the name that it is assigned to. A
//     password in prose is not found, and neither is a token that is a UUID or a
//     number.
package secret
