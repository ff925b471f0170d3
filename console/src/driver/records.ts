/**
 * The records of the driver. Each is signed when it is made, kept on the phone, and sent in its turn:
 * a phone without a network loses none, and sends none twice (its command id).
 */
import { signStep } from '@pto/order-steps/device-record';
import { draftsOf, type FormKey } from './draft.ts';
import type { Reason } from './failure-words.ts';
import type { KnownOrder } from './known-orders.ts';
import { deviceOfShift, type Shift } from './shift.ts';
import { prepare, type Step, withoutFiles } from './steps.ts';
import { noteChange, openStore } from './store.ts';

export interface DriverRecord {
  /** Its place in the order of all records; the store gives it. */
  readonly number?: number;
  readonly orderId: string;
  readonly driverId: string;
  readonly step: Step;
  readonly rpc: string;
  /** The signed request, as it is sent. */
  readonly request: { readonly circumstances?: Awaited<ReturnType<typeof signStep>> };
  /** The phone's time. */
  readonly at: string;
  /**
   * `waiting`: not sent. `sent`: an entry of the history. `kept`: it could not be applied, and the
   * history keeps it. `rejected`: the history has nothing of it.
   */
  readonly state: 'waiting' | 'sent' | 'kept' | 'rejected';
  /** How often the server had an error, or another server answered, when it was sent. */
  readonly errors?: number;
  /** Why it could not be applied; of one that waits, which answer another server gives. */
  readonly failure?: Reason & {
    /** The entry that keeps it. */
    readonly entry?: number;
    /** The order's status by then. */
    readonly status?: string;
    /** Evidence that the order requires before this step. */
    readonly missing?: readonly string[];
  };
}

/** What the pages and forms of an order are about. */
export interface OfOrder {
  readonly known: KnownOrder;
  readonly records: readonly DriverRecord[];
  readonly shift: Shift;
}

export interface Position {
  readonly lat: number;
  readonly lng: number;
}

/**
 * Signs a step and keeps it in the place of its form. It is sent afterwards (`sender.ts`).
 * @param shown the records of the order that the driver saw. With any other ones nothing is recorded:
 *   of two taps, or of two pages, one records.
 * @returns whether it is recorded.
 */
export const addRecord = async (
  { id: orderId, seen }: Pick<KnownOrder, 'id' | 'seen'>,
  { driverId, carrierId, key }: Shift,
  step: Step,
  position: Position | null,
  shown: readonly DriverRecord[],
  form: FormKey,
): Promise<boolean> => {
  const device = await deviceOfShift(key);
  const { rpc, internalType, fields, payload } = await prepare(step);
  const [at, commandId] = [new Date().toISOString(), crypto.randomUUID()];
  const circumstances = await signStep(
    device,
    { driverId, carrierId },
    { orderId, internalType, payload, position, at, seen, commandId },
  );
  const request = { circumstances, ...fields };
  const writing = (await openStore()).transaction(['records', 'drafts'], 'readwrite');
  const all = writing.objectStore('records');
  const own = (await all.index('byOrder').getAll(orderId)).filter(
    (one) => one.driverId === driverId,
  );
  const isShown = own.length === shown.length;
  if (isShown) {
    const of = { orderId, driverId, step: withoutFiles(step), rpc, request, at };
    await all.add({ ...of, state: 'waiting' });
    await writing.objectStore('drafts').delete(draftsOf(...form));
  }
  await writing.done;
  noteChange();
  return isShown;
};
