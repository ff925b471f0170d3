/** The thread that parses bodies of more than 256 KiB. */
import { serveThread } from '@pto/concurrency';
import { type LargeBody, type ParsedBody, parseLargeBody } from './large-body.ts';

/** The buffer of the text in a parsed body, which is that of the body. */
const bufferIn = ({ json }: ParsedBody): ArrayBuffer[] =>
  Object.values(json ?? {}).flatMap((value) =>
    value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [],
  );

serveThread(async (body: LargeBody) => {
  let parsed: ParsedBody | undefined;
  try {
    parsed = await parseLargeBody(body);
    return parsed;
  } finally {
    // free now: a collection of this thread's garbage would come much later
    if (!parsed || bufferIn(parsed).length === 0) (body.bytes.buffer as ArrayBuffer).transfer(0);
  }
}, bufferIn);
