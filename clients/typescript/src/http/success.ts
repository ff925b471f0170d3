/** What a success must be. A captive portal or a proxy can respond 200 with a page of its own. */
import { foreignResponse } from './error-response.ts';

/** A response with a 2xx status, and its complete body. */
export interface Success {
  readonly response: Response;
  readonly body: Uint8Array;
}

/** Maximum size of a body in bytes. The largest page of the API has less. */
const bytesMax = 256 * 1024 * 1024;

/** Reads a body. @throws ServerError for one that is too large, as an endless one is. */
export const boundedBody = async (response: Response): Promise<Uint8Array> => {
  // a `fetch` of the program's own can have another kind of stream
  if (typeof response.body?.getReader !== 'function') {
    const body = new Uint8Array(await response.arrayBuffer());
    if (body.length > bytesMax) throw tooLarge(response);
    return body;
  }
  const reader = response.body.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(parts, length);
    parts.push(value);
    length += value.length;
    if (length > bytesMax) {
      await reader.cancel();
      throw tooLarge(response);
    }
  }
};

const tooLarge = (response: Response) =>
  foreignResponse(response, `the response is larger than ${bytesMax} bytes`);

const joined = (parts: readonly Uint8Array[], length: number): Uint8Array => {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

/** Returns the JSON of a success. @throws ServerError for anything but an object or a list. */
export const jsonOf = (success: Success): object => {
  const value = parsed(success);
  if (typeof value !== 'object' || value === null) throw foreignResponse(success.response);
  return value;
};

/** Returns the page of a list. @throws ServerError for anything else. */
export const pageOf = (success: Success): object => {
  const page = jsonOf(success);
  if (!Array.isArray((page as { readonly data?: unknown }).data))
    throw foreignResponse(success.response, 'the response has no list; check the base URL');
  return page;
};

/** Returns the text of a JSON document, unchanged. @throws ServerError as `jsonOf`. */
export const jsonTextOf = (success: Success): string => {
  jsonOf(success);
  return new TextDecoder().decode(success.body);
};

/** Returns the bytes of a file. @throws ServerError for HTML: no file of the API is a page. */
export const fileOf = ({ response, body }: Success): Uint8Array => {
  if (/^text\/html\b/i.test(response.headers.get('content-type') ?? ''))
    throw foreignResponse(response);
  return body;
};

const parsed = ({ response, body }: Success): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw foreignResponse(response, undefined, cause);
  }
};
