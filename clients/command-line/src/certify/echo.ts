/**
 * Whether a body returns the nonce of a handshake: it is the nonce, a JSON string of it, or a JSON
 * object with a top-level member of it (decision 35).
 */
export const isEcho = (body: string, nonce: string): boolean => {
  if (body.trim() === nonce) return true;
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'string') return value === nonce;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.values(value).includes(nonce)
      : false;
  } catch {
    return false;
  }
};
