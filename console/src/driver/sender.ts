/** Sends the records in their order: one page of the phone at a time, until each has its outcome. */
import { ConnectError } from '@connectrpc/connect';
import { kinds } from '@pto/errors/kinds';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import { failureOf, isSignedOut } from '../calls/failure.ts';
import { orders } from './calls.ts';
import type { DriverRecord } from './records.ts';
import { noteChange, onChange, openStore } from './store.ts';

type Rpcs = Readonly<Record<string, (request: object) => Promise<unknown>>>;

/** Bounds of the time between two attempts while no answer comes, in ms. */
const [pauseMinMs, pauseMaxMs] = [1000, 30_000];

/** What ended a run over the records. */
type Ended = 'empty' | 'no answer' | 'signed out';

/**
 * Sends what is waiting, whenever the network, the page or a new record gives a reason. It makes no
 * attempt of its own accord while the page is hidden.
 * @param signedOut the shift has ended; the records stay.
 * @returns what ends it.
 */
export const startSending = (driverId: string, signedOut: () => void): (() => void) => {
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
      ended = await navigator.locks.request('driver-sender', () => sendWaiting(driverId));
      if (ended !== 'empty') break;
    }
    isRunning = false;
    if (ended === 'signed out' && !hasStopped) signedOut();
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

const sendWaiting = async (driverId: string): Promise<Ended> => {
  const store = await openStore();
  for (const record of await store.getAll('records')) {
    if (record.state !== 'waiting' || record.driverId !== driverId) continue;
    const outcome = await send(record);
    if (typeof outcome === 'string') return outcome;
    // what was sent leaves the phone: names, and photos
    const request = outcome.state === 'sent' ? {} : record.request;
    await store.put('records', { ...record, request, ...outcome });
    noteChange();
  }
  return 'empty';
};

/** Sends one record. @returns its outcome, or why it has none yet. */
const send = async ({
  rpc,
  request,
}: DriverRecord): Promise<Pick<DriverRecord, 'state' | 'failure'> | Exclude<Ended, 'empty'>> => {
  try {
    await (orders as unknown as Rpcs)[rpc]!(request);
    return { state: 'sent' };
  } catch (thrown) {
    const { kind, message, isOffline } = failureOf(thrown);
    // another driver has begun a shift on this phone; the record waits for this one's next
    if (isSignedOut(thrown) || message.includes('public_key')) return 'signed out';
    if (isOffline || kind === '' || isRetryable(kind)) return 'no answer';
    const { entry, ...why } = detailsOf(thrown);
    return {
      state: entry === undefined ? 'rejected' : 'kept',
      failure: { kind, message, ...why, ...(entry !== undefined && { entry }) },
    };
  }
};

const isRetryable = (kind: string): boolean =>
  Object.hasOwn(kinds, kind) && kinds[kind as keyof typeof kinds].retryable;

/** Returns the entry that keeps a record which could not be applied, and what stood against it. */
const detailsOf = (thrown: unknown): { entry?: number; status?: string; missing?: string[] } => {
  const [carried] = ConnectError.from(thrown).findDetails(FailureSchema);
  const details = JSON.parse(carried?.detailsJson || '{}');
  return {
    entry: details.kept_entry,
    status: details.status,
    missing: Object.values<string[]>(details.missing_evidence ?? {}).flat(),
  };
};
