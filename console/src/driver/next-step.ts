/** Where an order stands by what the phone knows and has recorded, and what its driver does next. */
import { orderCommands } from '@pto/proto/order-commands';
import type { KnownOrder } from './known-orders.ts';
import type { DriverRecord } from './records.ts';
import type { StepName } from './steps.ts';

/** One large button. */
export type Next =
  | { readonly name: 'startPickup' | 'startTransport' | 'deliver' | 'close' }
  | { readonly name: 'seal' }
  | { readonly name: 'arrive'; readonly stop: 'pickup' | 'dropoff' }
  | { readonly name: 'handover'; readonly stage: 'pickup' | 'dropoff' };

/**
 * Returns the status after the driver's records. One that was sent may be newer than the order as it
 * was last read, and no status from the pick-up on comes again.
 */
export const statusOf = (
  { order }: Pick<KnownOrder, 'order'>,
  records: readonly DriverRecord[],
): string => {
  let { status } = order;
  for (const { step } of records.filter(isValid)) {
    const { change } = orderCommands[step.name];
    const from: readonly string[] = change.from;
    if (change.to !== 'same' && from.includes(status)) status = change.to;
  }
  return status;
};

/**
 * Returns the next step; null: the driver has none.
 * @param records of this order, oldest first.
 */
export const nextStep = (known: KnownOrder, records: readonly DriverRecord[]): Next | null => {
  const done = records.filter(isValid);
  const has = (name: StepName, where: string) =>
    done.some(({ step }) =>
      step.name !== name
        ? false
        : step.name === 'arrive'
          ? step.stop === where
          : step.name === 'handover' && step.stage === where,
    );
  const first = (stop: 'pickup' | 'dropoff', after: Next): Next =>
    has('arrive', stop) ? after : { name: 'arrive', stop };
  const handedOver = (stage: 'pickup' | 'dropoff', after: Next): Next =>
    has('handover', stage) ? after : { name: 'handover', stage };
  switch (statusOf(known, records)) {
    case 'DRIVER_ASSIGNED':
      return first('pickup', { name: 'startPickup' });
    case 'PICKUP_STARTED':
      return { name: 'seal' };
    case 'SEALED':
      return handedOver('pickup', { name: 'startTransport' });
    case 'IN_TRANSIT':
      return first('dropoff', handedOver('dropoff', { name: 'deliver' }));
    case 'DELIVERED':
      return { name: 'close' };
    default:
      return null;
  }
};

const isValid = ({ state }: DriverRecord): boolean => state === 'waiting' || state === 'sent';
