import type { Telemetry } from '@pto/telemetry';

const everyMs = 1000;

/** Rejected requests that one log line reports together. */
interface Rejected {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly keyId: string;
  readonly organizationId: string;
}

/**
 * Writes one log line for all requests of one second with the same key, method, route and status.
 * The line has their number, the longest duration and the id of the last one.
 */
export const createRejectionLog = (log: Telemetry['log']) => {
  const lines = new Map<string, Rejected & { requests: number; ms: number; requestId: string }>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const line of lines.values()) log.info(line, 'requests rejected');
    lines.clear();
  };
  return {
    add: (rejected: Rejected, requestId: string, ms: number): void => {
      const { method, route, status, keyId } = rejected;
      const name = `${keyId} ${method} ${route} ${status}`;
      const line = lines.get(name);
      if (line) {
        line.requests++;
        line.ms = Math.max(line.ms, ms);
        line.requestId = requestId;
      } else lines.set(name, { ...rejected, requests: 1, ms, requestId });
      timer ??= setTimeout(flush, everyMs).unref();
    },
    /** Writes the lines of the current second. */
    flush,
  };
};
