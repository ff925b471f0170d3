/** The thread that parses bodies of more than 256 KiB. */
import { serveThread } from '@pto/concurrency';
import { parseLargeBody } from './large-body.ts';

serveThread(parseLargeBody, ({ json }) =>
  Object.values(json ?? {}).flatMap((value) =>
    value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [],
  ),
);
