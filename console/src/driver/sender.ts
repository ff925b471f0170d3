/**
 * Sends the records in their order: one page of the phone at a time, until each has its outcome. One
 * that gets answers of no service waits; after some of them the records of other orders overtake it.
 */
import { kinds } from '@pto/errors/kinds';
import { isSignedOut } from '../calls/failure.ts';
import { orders } from './calls.ts';
import { detailsOf, reasonOf } from './reason.ts';
import type { DriverRecord } from './records.ts';
import { leaveShift, type Shift } from './shift.ts';
import { noteChange, onChange, openStore } from './store.ts';

type Rpcs = Readonly<Record<string, (request: object) => Promise<unknown>>>;

/** Bounds of the time between two attempts while no answer comes, in ms. */
const [pauseMinMs, pauseMaxMs] = [1000, 30_000];

/** A record is sent so often while the server has an error, which another record may not meet. */
const errorsMax = 5;
/** After so many answers that no service gave, such as a proxy's 403, the page says which one comes. */
const strangeMax = 3;

/** What ended a run over the records. */
type Ended = 'empty' | 'no answer' | 'signed out';

/**
 * Sends what is waiting, whenever the network, the page or a new record gives a reason. It makes no
 * attempt of its own accord while the page is hidden.
 * @param signedOut the shift has ended; the records stay.
 * @returns what ends it.
 */
export const startSending = (shift: Shift, signedOut: () => void): (() => void) => {
  let [isRunning, isWanted, hasStopped, failures] = [false, false, false, 0];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = async () => {
    clearTimeout(timer);
    isWanted = true;
    if (isRunning || hasStopped) return;
    isRunning = true;
    let ended: Ended = 'empty';
    while (isWanted) {
      isWanted = false;
      ended = await navigator.locks.request('driver-sender', () => sendWaiting(shift));
      if (ended !== 'empty') break;
    }
    isRunning = false;
    if (ended === 'signed out' && !hasStopped) {
      await leaveShift(shift.id);
      signedOut();
    }
    failures = ended === 'no answer' ? failures + 1 : 0;
    if (failures > 0 && !hasStopped && document.visibilityState === 'visible') {
      const longest = Math.min(pauseMaxMs, pauseMinMs * 2 ** failures);
      timer = setTimeout(run, pauseMinMs + Math.random() * longest);
    }
  };
  const seen = () => document.visibilityState === 'visible' && void run();
  const stopChanges = onChange(() => void run());
  addEventListener('online', run);
  document.addEventListener('visibilitychange', seen);
  void run();
  return () => {
    hasStopped = true;
    clearTimeout(timer);
    stopChanges();
    removeEventListener('online', run);
    document.removeEventListener('visibilitychange', seen);
  };
};

const sendWaiting = async ({ driverId, key }: Shift): Promise<Ended> => {
  const store = await openStore();
  const held = new Set<string>();
  for (const record of await store.getAll('records')) {
    if (record.state !== 'waiting' || record.driverId !== driverId || held.has(record.orderId))
      continue;
    const isOfKey = record.request.circumstances?.device.publicKey === key;
    const outcome = isOfKey ? await send(record) : ofRevokedKey;
    if (typeof outcome === 'string') return outcome;
    const { failure, ...before } = record;
    if (outcome.state === 'waiting' && outcome.failure) {
      held.add(record.orderId);
      if (outcome.failure.message === failure?.message) continue;
    }
    // what was sent leaves the phone: names, and photos
    const request = outcome.state === 'sent' ? {} : record.request;
    await store.put('records', { ...before, request, ...outcome });
    noteChange();
    if (outcome.state === 'waiting' && !outcome.failure) return 'no answer';
  }
  return held.size > 0 ? 'no answer' : 'empty';
};

type Outcome = Pick<DriverRecord, 'state' | 'failure' | 'errors'>;

/** A driver has another key on the same phone after the office has revoked the one before. */
const ofRevokedKey: Outcome = {
  state: 'rejected',
  failure: { kind: 'VALIDATION', subject: 'key', message: '' },
};

/** Sends one record. @returns its outcome, or why it has none yet. */
const send = async ({
  rpc,
  request,
  errors = 0,
}: DriverRecord): Promise<Outcome | Exclude<Ended, 'empty'>> => {
  try {
    await (orders as unknown as Rpcs)[rpc]!(request);
    return { state: 'sent' };
  } catch (thrown) {
    const reason = reasonOf(thrown);
    const { kind, kept_entry: entry, status, missing_evidence } = detailsOf(thrown);
    // another driver has begun a shift on this phone; the record waits for this one's next
    if (isSignedOut(thrown) || reason.message.includes('public_key')) return 'signed out';
    if (kind === undefined && reason.kind === 'INTERNAL')
      return {
        state: 'waiting',
        errors: Math.min(errors + 1, strangeMax),
        ...(errors + 1 >= strangeMax && { failure: reason }),
      };
    if (kind === undefined || isRetryable(kind)) return 'no answer';
    if (kind === 'INTERNAL' && errors < errorsMax) return { state: 'waiting', errors: errors + 1 };
    const missing = Object.values<string[]>(missing_evidence ?? {}).flat();
    return {
      state: entry === undefined ? 'rejected' : 'kept',
      failure: { ...reason, entry, status, missing },
    };
  }
};

const isRetryable = (kind: string): boolean =>
  Object.hasOwn(kinds, kind) && kinds[kind as keyof typeof kinds].retryable;
