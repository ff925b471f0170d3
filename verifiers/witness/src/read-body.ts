import type { IncomingMessage } from 'node:http';

/**
 * Maximum size of a request's body in bytes. A body with 63 hashes and a checkpoint with 100
 * signatures is smaller.
 */
const bodyMax = 65_536;

/** Reads the body of a request; null if it is larger than {@link bodyMax} bytes. */
export const readBody = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let length = 0;
  // keep the socket open, so that the response can be sent without reading the rest of the body
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > bodyMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
