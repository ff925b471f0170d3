/**
 * Patterns of secrets and their replacements, for any position in a message, an error's text or a
 * URL.
 */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/svc_(live|test)_[0-9A-Za-z]+/g, 'svc_$1_***'],
  [/opt_[0-9A-Za-z]{20,}/g, 'opt_***'],
  // JSON Web Tokens: two parts of base64url JSON and a signature
  [/eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g, 'eyJ***'],
  [/whsec_[0-9A-Za-z]+/g, 'whsec_***'],
  [/(bearer\s+)[^\s"',\\]+/gi, '$1***'],
  [/(\/\/[^:@/\s"]*:)[^@/\s"]+@/g, '$1***@'],
];

/**
 * Masks secrets in a text: API keys, operators' tokens, JSON Web Tokens, signing secrets, bearer
 * tokens and passwords in URLs.
 */
export const scrub = (text: string): string =>
  secrets.reduce((t, [shape, instead]) => t.replace(shape, instead), text);
