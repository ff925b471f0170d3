import { openThread } from '@pto/concurrency';
import type { LargeBody, ParsedBody } from './large-body.ts';

/** Parsing 8 MiB takes 0.1 s, on a busy machine some times as long. */
const parseMaxMs = 8000;
/** Requests that use the thread have a turn of their own (admission.ts). */
const waitingMax = 16;
const heapMaxMb = 64;

/**
 * Opens the thread that parses large bodies in a heap of its own, so that none of them holds the event
 * loop or ends the process (decision 76).
 */
export const openLargeBodies = () => {
  const thread = openThread<LargeBody, ParsedBody>({
    program: 'large-body-thread',
    source: new URL('large-body-thread.ts', import.meta.url),
    workMaxMs: parseMaxMs,
    waitingMax,
    heapMaxMb,
  });
  return {
    /** @throws Failure VALIDATION, PAYLOAD_TOO_LARGE, and those of a thread */
    parse: (body: LargeBody): Promise<ParsedBody> =>
      thread.run(body, [body.bytes.buffer as ArrayBuffer]),
    stop: () => thread.stop(),
  };
};

export type LargeBodies = ReturnType<typeof openLargeBodies>;
