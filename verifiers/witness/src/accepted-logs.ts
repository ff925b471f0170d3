import { type LogKey, parseVkey } from '@pto/custody-verifier';

/** A key of a log, from the settings. */
export interface LogSetting {
  readonly origin: string;
  readonly key: LogKey;
}

/** The keys of each log that the witness accepts, by the log's origin. */
export type AcceptedLogs = ReadonlyMap<string, readonly LogKey[]>;

/** Parses `ORIGIN VKEY`. @throws Error for another form or a malformed key. */
export const parseLog = (text: string): LogSetting => {
  const at = text.lastIndexOf(' ');
  if (at < 1) throw new Error('expected ORIGIN VKEY');
  return { origin: text.slice(0, at), key: parseVkey(text.slice(at + 1)) };
};

/** Groups the keys by origin. A log has two keys during a key rotation. */
export const acceptedLogs = (logs: readonly LogSetting[]): AcceptedLogs => {
  const groups = Map.groupBy(logs, ({ origin }) => origin);
  return new Map([...groups].map(([origin, of]) => [origin, of.map(({ key }) => key)]));
};
