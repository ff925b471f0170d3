import { knownEventNames } from '@pto/webhook-verifier';
import { InvalidArgumentError } from 'commander';

const unitMs = { s: 1000, m: 60_000, h: 3_600_000 } as const;
const durationMaxMs = 24 * unitMs.h;

/** Parses a duration such as `90s`, `5m` or `2h`, at most 24 h. @returns milliseconds */
export const durationMs = (text: string): number => {
  const [, digits, unit] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const ms = Number(digits) * unitMs[unit as keyof typeof unitMs];
  if (!(ms > 0 && ms <= durationMaxMs))
    throw new InvalidArgumentError('expected a duration such as 90s, 5m or 2h, at most 24h');
  return ms;
};

/** Parses a whole number from 0. */
export const count = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
};

/** Names of the events of an order (contract 6.1). */
export const eventNames: readonly string[] = knownEventNames.filter(
  (name) => name !== 'order.test',
);

/** Parses a name of an event. A wrong one would never come. */
export const eventName = (text: string): string => {
  if (!eventNames.includes(text))
    throw new InvalidArgumentError(`expected one of ${eventNames.join(', ')}`);
  return text;
};

/** Parses a comma-separated list of names of events. */
export const eventList = (text: string): string[] =>
  text.split(',').map((part) => eventName(part.trim()));

/** Parses the URL of a receiver. */
export const receiverUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new InvalidArgumentError('expected a URL such as http://localhost:3000/hooks');
  if (url.username || url.password) throw new InvalidArgumentError('a URL takes no user here');
  return url.href;
};
