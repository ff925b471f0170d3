/**
 * Whether an answer proves that whoever runs the endpoint wants our events (contract 6.2, decision
 * 35): 2xx, and the nonce as the trimmed body, as a JSON string or as any top-level string member
 * of a JSON object. Never "somewhere in it": a page that prints its own URL would pass.
 */
export const passesHandshake = (
  answer: { readonly statusCode: number; readonly body: Uint8Array },
  nonce: string,
): boolean => {
  if (answer.statusCode < 200 || answer.statusCode > 299) return false;
  const text = new TextDecoder().decode(answer.body).trim();
  if (text === nonce) return true;
  const json = parsed(text);
  if (json === nonce) return true;
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  return isObject && Object.values(json).includes(nonce);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
