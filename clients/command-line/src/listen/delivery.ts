import { createHmac, randomBytes } from 'node:crypto';
import type { FeedEvent } from '../../../typescript/src/index.ts';
import { WrongUsage } from '../failure.ts';

/** What is forwarded of an event: the body of a delivery, and the id that its repetitions have. */
export interface Delivery {
  readonly id: string;
  readonly number: number;
  readonly event: string;
  readonly body: string;
}

/**
 * Returns the delivery of an event of the feed, with the body of a webhook (contract 6.5). Its
 * `sequence` is the event's number in the feed, its id that of the custody entry: a repetition has
 * the same id, by which receivers deduplicate (contract 6.3).
 */
export const deliveryOf = ({ number, custody, ...rest }: FeedEvent): Delivery => {
  const { event, occurred_at, data, links } = rest;
  const body = JSON.stringify({ event, occurred_at, data, links, sequence: number });
  return { id: custody.id, number, event, body };
};

/**
 * Returns the headers of a delivery (contract 6.3), signed with each of the secrets (contract 6.4).
 * @param t time of the attempt in seconds since the epoch.
 */
export const deliveryHeaders = (
  { id, number, event, body }: Delivery,
  secrets: readonly string[],
  t: number,
): Record<string, string> => {
  // the complete text of a secret is the key, `whsec_` included (decision 37)
  const signatures = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'),
  );
  return {
    'content-type': 'application/json',
    'x-service-signature': [`t=${t}`, ...signatures.map((v1) => `v1=${v1}`)].join(','),
    'x-service-event': event,
    'x-service-delivery': id,
    'x-service-sequence': String(number),
  };
};

/**
 * Returns the secret of PTO_WEBHOOK_SECRET, else a new one of 256 random bits.
 * @throws WrongUsage for a text that is no secret; the message does not have the text.
 */
export const secretOf = ({
  PTO_WEBHOOK_SECRET: given,
}: NodeJS.ProcessEnv): { secret: string; isNew: boolean } => {
  if (!given) return { secret: newSecret(), isNew: true };
  return { secret: checkedSecret(given, 'PTO_WEBHOOK_SECRET'), isNew: false };
};

/** Returns a secret of 256 random bits. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('hex')}`;

/**
 * Returns a given secret.
 * @param from the setting or flag, for the message.
 * @throws WrongUsage for a text that is no secret; the message does not have the text.
 */
export const checkedSecret = (given: string, from: string): string => {
  if (!/^whsec_[\x21-\x7e]{16,250}$/.test(given))
    throw new WrongUsage(`${from}: expected whsec_ and at least 16 characters.`);
  return given;
};
