import { commitmentIn } from '@pto/custody-verifier';
import type { OrderEvent } from '@pto/proto/orders/events/v1/order_event';
import { payloadField } from '@pto/proto/payload-fields';

/**
 * Rejects an event that would put personal data into the ledger: each field of its payload is
 * declared, a personal one is a commitment or null, and an open one is none (decision 70).
 * @throws Error, which parks the event.
 */
export const rejectUndeclaredFields = ({ internalType, payloadJson }: OrderEvent): void => {
  if (payloadJson === '') return;
  const payload: Record<string, unknown> = JSON.parse(payloadJson);
  for (const field of Object.keys(payload)) {
    const declared = payloadField(internalType, field);
    const name = `${internalType}.${field}`;
    if (declared === undefined) throw new Error(`${name} is not declared in payload-fields.ts`);
    const isCommitment = commitmentIn(payload, field) !== null;
    if (declared === 'personal' && !isCommitment && payload[field] !== null)
      throw new Error(`${name} is personal, and not a commitment`);
    if (declared === 'open' && isCommitment)
      throw new Error(`${name} is open, and looks like a commitment`);
  }
};
