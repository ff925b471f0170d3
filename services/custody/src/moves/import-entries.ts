import { type Database, insertAll, lockName, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import { type Held, importing } from '@pto/moves';
import { rejectWhileHalted } from '../chain/append.ts';
import { lockHeads, saveHeads } from '../chain/heads.ts';
import { type Head, readChains } from '../chain/read-chain.ts';
import { tables } from '../schema/ledger-database.ts';
import { checkChain, storedChains } from '../verification/check-chain.ts';
import { copiedColumns, type EntriesPage, type NumberedEntry } from './page.ts';
import { countEntries, storedEntries } from './stored-entries.ts';

const insertEntries = insertAll(tables, 'entries');
const queueForLog = insertAll(tables, 'log_queue');

/**
 * Appends a page of another cell's entries to this ledger, in one transaction. Entries that are
 * stored already must be equal to those of the page, because entries are never changed. The next
 * ones continue the organization's feed and its chains, and are queued for the log in the order of
 * their numbers: the lock of the organization admits one page at a time, so the queue's ids grow
 * with the numbers. Nothing is announced, because webhooks and orders copy rows of their own.
 * @throws Failure ILLEGAL_TRANSITION if the organization is not held as ARRIVING with this token, or
 *   if an entry contradicts this ledger, its chain or its own hash; then the page changes nothing.
 * @throws Failure SERVICE_UNAVAILABLE while the log is halted.
 */
export const importEntries = (db: Database, held: Held, page: EntriesPage): Promise<void> =>
  importing(db, held, async (tx) => {
    const { organizationId } = held;
    if (page.organizationId !== organizationId) throw contradicts('is of another organization');
    await lockName(tx, `move ${organizationId}`);
    await rejectWhileHalted(tx);
    const count = await countEntries(tx, organizationId);
    rejectGap(page.entries, count);
    const known = page.entries.filter(({ number }) => number <= count);
    await rejectDifference(tx, organizationId, known);
    const added = page.entries.slice(known.length);
    if (added.length > 0) await append(tx, organizationId, added);
  });

/** @param count the number of entries that this ledger has of the organization. */
const rejectGap = (entries: readonly NumberedEntry[], count: number): void => {
  const [first] = entries;
  if (first && first.number > count + 1)
    throw contradicts(`begins with entry ${first.number}, this ledger has ${count}`);
  const gap = entries.findIndex(({ number }, n) => number !== first!.number + n);
  if (gap >= 0)
    throw contradicts(`has entry ${entries[gap]!.number} behind ${entries[gap - 1]!.number}`);
};

const rejectDifference = async (
  tx: Transaction,
  organizationId: string,
  known: readonly NumberedEntry[],
): Promise<void> => {
  const [first, last] = [known.at(0), known.at(-1)];
  if (!first || !last) return;
  const span = { first: first.number, last: last.number };
  const stored = await storedEntries(tx, organizationId, span);
  const differs = known.find((entry, n) => !isSame(entry, stored[n]));
  if (differs) throw contradicts(`has an entry ${differs.number} that differs from the stored one`);
};

const isSame = (entry: NumberedEntry, stored: NumberedEntry | undefined): boolean =>
  stored !== undefined &&
  (['number', ...copiedColumns] as const).every((member) => entry[member] === stored[member]);

/** Appends entries to their chains, and requires that each chain is valid then. */
const append = async (
  tx: Transaction,
  organizationId: string,
  added: readonly NumberedEntry[],
): Promise<void> => {
  const orderIds = [...new Set(added.map(({ order_id }) => order_id))];
  const organizations = new Map(orderIds.map((orderId) => [orderId, organizationId]));
  const heads = await lockHeads(tx, orderIds, organizations);
  const chains = await readChains(tx, orderIds);
  for (const { number, order_id } of added)
    if (chains.get(order_id)?.organizationId !== organizationId)
      throw contradicts(`has an entry ${number} of an order of another organization`);
  for (const entry of added)
    heads.set(entry.order_id, headAfter(heads.get(entry.order_id)!, entry));
  await saveHeads(tx, heads);
  await insertEntries(
    tx.pipelined,
    added.map(({ number: _, ...entry }) => entry),
  );
  await queueForLog(
    tx.pipelined,
    added.map(({ order_id, sequence, event_hash }) => ({ order_id, sequence, event_hash })),
  );
  for (const chain of await storedChains(tx, orderIds)) {
    const violation = checkChain(chain);
    if (violation)
      throw contradicts(
        `makes the chain of order ${chain.orderId} invalid at entry ${violation.entryId}: ${violation.reason}`,
      );
  }
};

const headAfter = (head: Head, { number, sequence, ...entry }: NumberedEntry): Head => {
  if (sequence !== head.sequence + 1 || entry.prev_event_hash !== head.hash)
    throw contradicts(`has an entry ${number} that does not follow the head of its chain`);
  return { sequence, hash: entry.event_hash };
};

const contradicts = (what: string): Failure =>
  new Failure('ILLEGAL_TRANSITION', `The page was not stored: it ${what}.`);
