import { trace } from '@opentelemetry/api';
import { Failure, privateCause } from '@pto/errors';
import { destination, type Logger, pino, stdSerializers } from 'pino';
import { currentRequestId } from './request-id.ts';
import { scrub } from './scrub.ts';

export type { Logger };

/** Returns the log fields of an error: for a Failure its private cause, otherwise pino's fields. */
const errorFields = (error: unknown): unknown => {
  if (!(error instanceof Failure)) return stdSerializers.err(error as Error);
  const cause = privateCause(error);
  return {
    type: 'Failure',
    kind: error.kind,
    message: error.message,
    details: error.details,
    cause: cause instanceof Error ? stdSerializers.err(cause) : cause,
  };
};

/**
 * Creates a logger that writes JSON lines to standard output, with request id and trace id. Each
 * complete line is scrubbed, so a secret in an error's text is removed as well.
 */
export const createLogger = (options: {
  service: string;
  replica?: string;
  level: string;
  write?: (line: string) => void;
}): Logger =>
  pino(
    {
      level: options.level,
      base: { service: options.service, replica: options.replica },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      serializers: { err: errorFields },
      hooks: { streamWrite: scrub },
      mixin: () => {
        const traceId = trace.getActiveSpan()?.spanContext().traceId;
        const requestId = currentRequestId();
        return { ...(requestId && { requestId }), ...(traceId && { traceId }) };
      },
    },
    options.write ? { write: options.write } : standardOutput(),
  );

/**
 * Number of buffered characters above which the buffer is written immediately, before the turn of
 * the event loop ends.
 */
const heldMax = 16_000;

/**
 * Returns a destination that buffers the lines of one turn of the event loop and writes them to
 * standard output in one system call.
 */
const standardOutput = (): { write(line: string): void } => {
  const output = destination({ fd: 1, sync: true });
  let held = '';
  const flush = (): void => {
    if (held !== '') output.write(held);
    held = '';
  };
  process.once('exit', flush);
  return {
    write: (line) => {
      if (held === '') setImmediate(flush);
      held += line;
      if (held.length > heldMax) flush();
    },
  };
};
