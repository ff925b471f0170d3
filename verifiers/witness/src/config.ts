import { list, port, type Settings, text } from '@pto/config';
import { type LogKey, parseVkey } from '@pto/custody-verifier';

/**
 * Parses `ORIGIN VKEY`, a key of a log that the witness accepts.
 * @throws Error for another form or a malformed key.
 */
const parseLog = (text: string): { readonly origin: string; readonly key: LogKey } => {
  const at = text.lastIndexOf(' ');
  if (at < 1) throw new Error('expected ORIGIN VKEY');
  return { origin: text.slice(0, at), key: parseVkey(text.slice(at + 1)) };
};

export const settings = {
  /** The witness's permanent name: a host and path without a scheme (C2SP tlog-cosignature). */
  name: text('WITNESS_NAME'),
  /** Ed25519 seed, 32 bytes in base64. Exactly one of `key` and `keyFile` must be set. */
  key: text('WITNESS_KEY', { fallback: '', secret: true }),
  keyFile: text('WITNESS_KEY_FILE', { fallback: '' }),
  /** `ORIGIN VKEY` for each key of each accepted log, comma-separated. */
  logs: list('WITNESS_LOGS', parseLog),
  /** Folder with the newest cosigned checkpoint of each log. Never restore it from a backup. */
  stateFolder: text('WITNESS_STATE_DIR'),
  host: text('BIND_HOST', { fallback: '0.0.0.0' }),
  port: port('HTTP_PORT', { fallback: 7380 }),
};

export type WitnessSettings = Settings<typeof settings>;
