/** Maximum number of characters of a body that a report has. */
const shownMax = 200;

/**
 * Returns the beginning of a receiver's body on one line: at most 200 printable characters. A secret
 * that the receiver sends back is left out: the report goes to the operator.
 */
export const printableBody = (body: string, secrets: readonly (string | null)[]): string => {
  let text = body;
  for (const secret of secrets) if (secret !== null) text = text.replaceAll(secret, '(secret)');
  const printable = text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]+/gu, ' ');
  return [...printable.trim()].slice(0, shownMax).join('');
};
