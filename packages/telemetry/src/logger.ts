import { format } from 'node:util';
import { trace } from '@opentelemetry/api';
import { Failure, privateCause } from '@pto/errors';
import { destination, type Logger, pino, stdSerializers } from 'pino';
import { currentRequestId } from './tracing.ts';

export type { Logger };

/** Returns pino's fields of an error without PostgreSQL's texts that have the values of a row. */
const fieldsOf = (error: Error): object => {
  const { detail: _, where: __, ...fields } = stdSerializers.err(error);
  return fields;
};

/** Returns the log fields of an error: for a Failure its private cause, otherwise pino's fields. */
const errorFields = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  if (!(error instanceof Failure)) return fieldsOf(error);
  const cause = privateCause(error);
  return {
    type: 'Failure',
    kind: error.kind,
    message: error.message,
    details: error.details,
    cause: cause instanceof Error ? fieldsOf(cause) : cause,
  };
};

/**
 * Creates a logger that writes JSON lines to standard output, with request id and trace id. Each
 * complete line is scrubbed, so a secret in an error's text is removed as well.
 */
export const createLogger = (options: {
  service: string;
  replica?: string;
  /** `info` by default. */
  level?: string;
  write?: (line: string) => void;
}): Logger =>
  pino(
    {
      level: options.level ?? 'info',
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
    options.write ? { write: options.write } : destination({ fd: 1, sync: true }),
  );

/**
 * Patterns of secrets and their replacements, for any position in a message, an error's text or a
 * URL. A secret that somebody retyped is masked, too: in upper case, with `-` for `_` or in its
 * middle, percent-encoded, or without its prefix.
 */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/svc(?:[_-]|%5f)(live|test)(?:[_-]|%5f)[\w%-]+/gi, 'svc_$1_***'],
  // operators' tokens and sessions, codes of links to the portal
  [/(op[ts]|ptl)(?:[_-]|%5f)[0-9a-z]{20,}[\w%-]*/gi, '$1_***'],
  [/whsec(?:[_-]|%5f)[\w%-]+/gi, 'whsec_***'],
  // JSON Web Tokens: two parts of base64url JSON and a signature
  [/eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g, 'eyJ***'],
  [/(bearer\s+)[^\s"',\\]+/gi, '$1***'],
  [/(\/\/[^:@/\s"]*:)[^@/\s"]+@/g, '$1***@'],
  // last, because it matches parts of others: the random part of our secrets has 43 or 49 characters;
  // hashes in hexadecimal and base64 have other forms
  [
    /(?<![0-9a-z+])(?=[0-9a-z]{43})(?=[a-z]*\d)(?![0-9a-f]+(?![0-9a-z]))[0-9a-z]+(?![0-9a-z=+])/gi,
    '***',
  ],
];

/**
 * Masks secrets in a text: API keys, operators' tokens and sessions, codes of links to the portal,
 * JSON Web Tokens, signing secrets, bearer tokens, passwords in URLs, and what has the form of such a
 * secret without its prefix.
 */
export const scrub = (text: string): string =>
  secrets.reduce((t, [shape, instead]) => t.replace(shape, instead), text);

/**
 * Redirects what libraries print to the console into the log, scrubbed and as JSON like every other
 * line. A plain-text line breaks a log pipeline and can contain a secret.
 */
export const captureConsole = (log: Logger): void => {
  const levels = {
    error: 'warn',
    warn: 'warn',
    log: 'info',
    info: 'info',
    debug: 'debug',
  } as const;
  for (const [method, level] of Object.entries(levels))
    console[method as keyof typeof levels] = (...values: unknown[]) =>
      log[level]({ printed: format(...values) }, 'a library printed to the console');
};
