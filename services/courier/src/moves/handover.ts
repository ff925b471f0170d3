/** The handovers that an order requires (decision 71), recorded as a driver would. */
import { createHash } from 'node:crypto';
import type { Failure } from '@pto/errors';
import { invented, inventedSealIds } from '@pto/order-steps';
import type { Order } from '@pto/proto/orders/v1/orders';

/** The methods that an order misses at a stage. */
export interface MissingEvidence {
  readonly stage: string;
  readonly methods: readonly string[];
}

/** Returns the evidence for whose lack orders rejected a command; undefined: it has another reason. */
export const missingEvidence = (rejection: Failure): MissingEvidence | undefined => {
  const missing = rejection.details?.missing_evidence as Record<string, string[]> | undefined;
  const [found] = Object.entries(missing ?? {});
  return found && { stage: found[0], methods: found[1] };
};

/** A picture of one pixel, in place of a signature or a photo. */
const picture = {
  content: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
  mediaType: 'image/png',
};

/** The picture as a payload names it. */
const reference = {
  sha256: createHash('sha256').update(picture.content).digest('hex'),
  media_type: picture.mediaType,
  size: picture.content.length,
};

/**
 * Returns the fields of the RPC for a handover by these methods, with invented names, and the payload
 * of its entry, which a phone signs. A scan finds the seals of the order, so that it is no incident.
 */
export const handoverOf = (order: Order, { stage, methods }: MissingEvidence) => {
  const driver = {
    party: order.transportOrganization ?? invented.transportOrganization,
    role: 'courier',
    person: order.driver ?? invented.driver,
  };
  const shipper = { party: 'Walking Shipper', role: 'shipper', person: 'Walking Sender' };
  const consignee = { party: 'Walking Consignee', role: 'consignee', person: 'Walking Recipient' };
  const [from, to] = {
    pickup: [shipper, driver],
    dropoff: [driver, consignee],
    return: [driver, shipper],
  }[stage] ?? [driver, driver];
  const sealed = order.items.flatMap(({ sealId }) => sealId ?? []);
  const seals = sealed.length > 0 ? sealed : inventedSealIds(order);
  const isScan = methods.includes('scan');
  const hasPicture = methods.some((method) => method === 'signature' || method === 'photo');
  const organizationOf = ({ party, role }: typeof driver) => ({ party, role });
  return {
    request: {
      ...{ stage, from, to },
      methods: [...methods],
      scannedSealIds: isScan ? seals : [],
      ...(hasPicture && { artifact: picture }),
    },
    payload: {
      ...{ v: 'handover/1', stage, methods },
      ...{ from: organizationOf(from!), to: organizationOf(to!) },
      ...{ from_person: from!.person, to_person: to!.person },
      scanned_seal_ids: isScan ? seals : null,
      artifact: hasPicture ? reference : null,
    },
  };
};
