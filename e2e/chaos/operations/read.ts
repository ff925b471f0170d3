import { verifyChain, verifyProof } from '@pto/custody-verifier';
import { operator } from '../../operator.ts';
import type { Outcome } from '../history.ts';
import { persist, record, type Slot, type Word } from '../slot.ts';
import { send, sort, type World } from '../world.ts';

/** GET /orders/{id}, as a part of the order's history. */
export const read = async (world: World, slot: Slot): Promise<Word> => {
  const [orderId] = slot.ids;
  if (orderId === undefined) return 'skipped';
  return record(slot, 'read', async (): Promise<Outcome | null> => {
    const answer = await send(world, 'GET', `/orders/${orderId}`);
    if (sort(world, 'read', answer, [200, 404]) !== 'known') return null;
    return answer.status === 404
      ? { kind: 'rejected' }
      : { kind: 'accepted', status: answer.body.status };
  });
};

/** The events so far: a valid chain at any moment. */
export const events = async (world: World, slot: Slot): Promise<Word> => {
  const [orderId] = slot.ids;
  if (orderId === undefined) return 'skipped';
  const answer = await send(world, 'GET', `/orders/${orderId}/events`);
  if (sort(world, 'events', answer, [200]) !== 'known') return 'unknown';
  const verdict = verifyChain(orderId, answer.body);
  if (!verdict.valid) world.unexpected.push(`events of ${orderId}: ${verdict.reason}`);
  return 'accepted';
};

/** The verdict on an order's proof file with the log's keys trusted; undefined without a response. */
export const proofVerdict = async (world: World, orderId: string): Promise<string | undefined> => {
  const answer = await send(world, 'GET', `/orders/${orderId}/custody/proof`);
  if (sort(world, 'proof', answer, [200]) !== 'known') return undefined;
  const verdict = await verifyProof(answer.text, { trustedKeys: world.logKeys });
  return verdict.verdict;
};

/** A proof at any moment may be incomplete, but never invalid. */
export const proof = async (world: World, slot: Slot): Promise<Word> => {
  const [orderId] = slot.ids;
  if (orderId === undefined) return 'skipped';
  const verdict = await proofVerdict(world, orderId);
  if (verdict === 'invalid') world.unexpected.push(`the proof of ${orderId} is invalid`);
  return verdict === undefined ? 'unknown' : 'accepted';
};

const pageTries = 20;

interface Page {
  readonly data: readonly { id: string; status: string; updated_at: string; external_id: string }[];
  readonly next_cursor: string | null;
  readonly as_of?: string;
}

/** One page, requested again until it comes; undefined after many tries. */
const page = (world: World, query: string, tries = pageTries): Promise<Page | undefined> =>
  persist(tries, async () => {
    const answer = await send(world, 'GET', `/orders?limit=20${query}`);
    return sort(world, 'list', answer, [200]) === 'known' ? (answer.body as Page) : undefined;
  });

/** All pages of a list; undefined when a page did not come. */
export const walkList = async (world: World, query = '', first?: Page) => {
  const found: Page['data'][number][] = [];
  let next = first ?? (await page(world, query));
  for (;;) {
    if (next === undefined) return undefined;
    found.push(...next.data);
    if (next.next_cursor === null) return found;
    next = await page(world, `${query}&cursor=${encodeURIComponent(next.next_cursor)}`);
  }
};

export const list = async (world: World): Promise<Word> => {
  const startedAt = performance.now();
  const found = await walkList(world);
  if (found === undefined) return 'unknown';
  world.walks.push({ startedAt, ids: found.map(({ id }) => id) });
  return 'accepted';
};

/** The next traversal by `updated_since`, from the `as_of` of the one before. */
export const poll = async (world: World): Promise<Word> => {
  const { poller } = world;
  if (poller.busy) return 'skipped';
  poller.busy = true;
  try {
    const query = `&updated_since=${encodeURIComponent(poller.since)}`;
    const startedAt = performance.now();
    const first = await page(world, query, 1);
    if (first === undefined) return 'unknown';
    const found = await walkList(world, query, first);
    if (found === undefined) return 'unknown';
    const shown = Object.fromEntries(found.map(({ id, updated_at }) => [id, updated_at]));
    world.polls.push({ startedAt, shown });
    poller.since = first.as_of!;
    return 'accepted';
  } finally {
    poller.busy = false;
  }
};

/** `ledger verify` by the command line: faults are violations at any moment (decision 53). */
export const audit = async ({ stack, ledgerFaults }: World): Promise<Word> => {
  const { json } = await operator(stack, 'ledger', 'verify');
  const verdict = json as { faults: unknown[] } | null;
  for (const fault of verdict?.faults ?? []) ledgerFaults.push(`verify: ${JSON.stringify(fault)}`);
  return verdict === null ? 'unknown' : 'accepted';
};
