/** Where an order stands by what the phone knows and has recorded, and what its driver does next. */
import { orderCommands } from '@pto/proto/order-commands';
import type { KnownOrder } from './known-orders.ts';
import type { DriverRecord } from './records.ts';
import type { Step } from './steps.ts';

export type Stop = 'pickup' | 'dropoff';

/** One large button, or a form. */
export type Next =
  | { readonly name: 'startPickup' | 'startTransport' | 'deliver' | 'close' }
  | { readonly name: 'seal' }
  | { readonly name: 'incident' | 'condition' }
  | { readonly name: 'arrive'; readonly stop: Stop }
  | { readonly name: 'handover'; readonly stage: Stage };
export type Stage = Extract<Step, { name: 'handover' }>['stage'];

type Known = Pick<KnownOrder, 'order' | 'open'>;

/**
 * Returns the status after the driver's records. One that was sent may be newer than the order as it
 * was last read, and no status from the pick-up on comes again.
 */
export const statusOf = ({ order }: Known, records: readonly DriverRecord[]): string => {
  let { status } = order;
  for (const { step } of records.filter(isValid)) {
    const { change } = orderCommands[step.name];
    const from: readonly string[] = change.from;
    if (change.to !== 'same' && from.includes(status)) status = change.to;
  }
  return status;
};

/** Returns the stop where the driver is or goes. */
export const stopOf = (status: string): Stop =>
  ['IN_TRANSIT', 'DELIVERED', 'CLOSED'].includes(status) ? 'dropoff' : 'pickup';

/** Returns the seals of the goods; empty: they are not sealed. */
export const sealsOf = ({ order }: Known, records: readonly DriverRecord[]): readonly string[] => {
  const sealed = stepsOf(records).findLast((step) => step.name === 'seal');
  return sealed ? sealed.sealIds : order.items.flatMap(({ sealId }) => sealId ?? []);
};

/** Returns the difference between the order's seals and scanned ones; null: there is none. */
export const differenceOf = (seals: readonly string[], scanned: readonly string[]) => {
  const missing = seals.filter((id) => !scanned.includes(id));
  const unexpected = scanned.filter((id) => !seals.includes(id));
  return missing.length + unexpected.length === 0 ? null : { missing, unexpected };
};

/** The status in which the service says what a stage lacks. */
const asked: Readonly<Record<string, string>> = {
  ...{ pickup: 'SEALED', dropoff: 'IN_TRANSIT', return: 'DELIVERED' },
};

/** Returns the methods that the order requires at a stage, and that it does not have. */
export const missingOf = (
  known: Known,
  records: readonly DriverRecord[],
  stage: Stage,
): readonly string[] => {
  const { open, order } = known;
  const required: readonly string[] =
    open.status === asked[stage]
      ? open.missingEvidence
      : (JSON.parse(order.requiredEvidenceJson ?? '{}')[stage] ?? []);
  const seals = sealsOf(known, records);
  const recorded = handovers(records, stage).flatMap(({ methods, scannedSealIds }) =>
    // a scan of other seals is no evidence
    methods.filter((method) => method !== 'scan' || !differenceOf(seals, scannedSealIds ?? [])),
  );
  // each handover of this phone is one that a device has signed
  const given = handovers(records, stage).length > 0 ? [...recorded, 'device_signature'] : recorded;
  return required.filter((method) => !given.includes(method));
};

/**
 * Returns the next step; null: the driver has none.
 * @param records of this order, oldest first.
 * @param leftOut the stop whose arrival is not recorded.
 */
export const nextStep = (
  known: Known,
  records: readonly DriverRecord[],
  leftOut: Stop | null = null,
): Next | null => {
  const { open } = known;
  const hasArrived = (stop: Stop) =>
    leftOut === stop ||
    handovers(records, stop).length > 0 ||
    stepsOf(records).some((step) => step.name === 'arrive' && step.stop === stop);
  const first = (stop: Stop, after: Next): Next =>
    hasArrived(stop) ? after : { name: 'arrive', stop };
  // the office may have recorded it, or another phone
  const holder: Readonly<Record<Stop, boolean>> = {
    pickup: open.heldBy !== undefined,
    dropoff: open.heldBy !== undefined && open.heldBy === open.dropoff!.label,
  };
  const handedOver = (stage: Stop, after: Next): Next =>
    (handovers(records, stage).length > 0 || holder[stage]) &&
    missingOf(known, records, stage).length === 0
      ? after
      : { name: 'handover', stage };
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
      return missingOf(known, records, 'return').length > 0
        ? { name: 'handover', stage: 'return' }
        : { name: 'close' };
    default:
      return null;
  }
};

/** Whether a record is an entry of the history, or will be. */
export const isValid = ({ state }: DriverRecord): boolean =>
  state === 'waiting' || state === 'sent';

const stepsOf = (records: readonly DriverRecord[]): readonly Step[] =>
  records.filter(isValid).map(({ step }) => step);

const handovers = (records: readonly DriverRecord[], stage: Stage) =>
  stepsOf(records).filter((step) => step.name === 'handover' && step.stage === stage) as Extract<
    Step,
    { name: 'handover' }
  >[];
