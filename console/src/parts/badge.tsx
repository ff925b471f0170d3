import type { Schemas } from './schemas.ts';
import { t } from './words.ts';

/** Colors have a meaning: who has custody, and whether something is wrong. */
const tones: Readonly<Record<string, string>> = {
  PICKUP_STARTED: 'moving',
  SEALED: 'moving',
  IN_TRANSIT: 'moving',
  DELIVERED: 'good',
  CLOSED: 'good',
  CANCELLED: 'ended',
  ENABLED: 'good',
  PENDING_VERIFICATION: 'warn',
  BROKEN: 'bad',
  FAILING: 'bad',
  EXHAUSTED: 'bad',
  ok: 'good',
  denied: 'bad',
};

/** Returns the meaning of a state as a class of the style. */
export const toneOf = (state: string): string => tones[state] ?? 'plain';

/** Returns a value of a vocabulary as a word of the page. */
export const wordOf = (code: string): string => t(code.replaceAll('_', ' ').toLowerCase());

/** A state in one word, such as an order's status. */
export const Badge = ({ of }: { of: string }) => (
  <span className={`badge ${toneOf(of)}`}>{wordOf(of)}</span>
);

/** The state of an endpoint in one word. */
export const EndpointBadge = ({ of }: { of: Schemas['WebhookEndpoint'] }) => {
  const isFailing = of.status === 'ENABLED' && of.consecutive_failures > 0;
  return <Badge of={of.disabled ? 'DISABLED' : isFailing ? 'FAILING' : of.status} />;
};
