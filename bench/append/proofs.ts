/** Proofs of origin with keys of the benchmark's own (decision 55). */
import { randomBytes } from 'node:crypto';
import { messageKeys, messageSigner, messageVerifier } from '@pto/message-authentication';

const ring = (name: string) =>
  messageKeys(name).parse(`bench:${randomBytes(32).toString('base64')}`);
const [orders, webhooks] = [ring('ORDERS_CUSTODY_KEYS'), ring('CUSTODY_WEBHOOKS_KEYS')];

export const signAsOrders = messageSigner('orders', { custody: orders });
export const signAsCustody = messageSigner('custody', { orders, webhooks });
export const verifyAsCustody = messageVerifier({
  sender: 'orders',
  recipient: 'custody',
  keys: orders,
});
