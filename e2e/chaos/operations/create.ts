import { orderBody } from '../../partner.ts';
import type { Outcome } from '../history.ts';
import { persist, record, type Slot, type Word } from '../slot.ts';
import { send, sort, type World } from '../world.ts';

const triesMax = 4;

const bodyOf = ({ name, items, draft }: Slot, more: object = {}) =>
  orderBody({
    external_id: name,
    items: Array.from({ length: items }, (_, n) => ({ goods_type: `goods-${n}` })),
    auto_dispatch: !draft,
    ...more,
  });

const actionOf = ({ draft }: Slot) => (draft ? 'createDraft' : 'create');

/** One POST with the slot's own key: the creation, or its replay. */
const post = (world: World, slot: Slot, replica?: number): Promise<Word> =>
  record(slot, actionOf(slot), async (): Promise<Outcome | null> => {
    const answer = await send(world, 'POST', '/orders', {
      body: bodyOf(slot),
      headers: { 'idempotency-key': slot.name },
      ...(replica !== undefined && { replica }),
    });
    if (answer.status === 409 && answer.body.error.code === 'IDEMPOTENCY_IN_PROGRESS') return null;
    const sorted = sort(world, 'create', answer, [201]);
    if (sorted === 'limited') return null;
    if (sorted === 'unknown') return { kind: 'unknown' };
    const { id, status, updated_at } = answer.body;
    if (slot.ids.length === 0) slot.status = status;
    slot.ids.push(id);
    slot.responses.push(answer.text);
    world.changes.push({ orderId: id, updatedAt: updated_at, returnedAt: performance.now() });
    return { kind: 'accepted' };
  });

/** Creates the order, with the same key again until a response comes. */
export const create = async (world: World, slot: Slot): Promise<Word> =>
  (await persist(triesMax, async () => {
    const word = await post(world, slot);
    return word === 'accepted' ? word : undefined;
  })) ?? 'unknown';

/** Creations with one key at the same moment, at different gateways. */
export const twins = async (world: World, slot: Slot): Promise<Word> => {
  const words = await Promise.all([0, 1, 2].map((replica) => post(world, slot, replica)));
  return words.includes('accepted') ? 'accepted' : create(world, slot);
};

/** A creation again, long after its response. */
export const repeat = (world: World, slot: Slot): Promise<Word> => post(world, slot);

/** A request that must be rejected with 409: it makes no order, so it is no part of a history. */
const rejected = async (
  world: World,
  what: string,
  code: string,
  request: { body: unknown; headers: Record<string, string> },
): Promise<Word> => {
  const answer = await send(world, 'POST', '/orders', request);
  if (sort(world, what, answer, [409]) !== 'known') return 'unknown';
  const found = answer.body.error.code;
  if (found !== code && found !== 'IDEMPOTENCY_IN_PROGRESS')
    world.unexpected.push(`${what}: ${found} in place of ${code}`);
  return 'rejected';
};

/** The slot's key with another body (decision 26). */
export const reuse = async (world: World, slot: Slot): Promise<Word> =>
  slot.ids.length === 0
    ? 'skipped'
    : rejected(world, 'reuse', 'IDEMPOTENCY_KEY_REUSED', {
        body: bodyOf(slot, { notes: 'another body' }),
        headers: { 'idempotency-key': slot.name },
      });

/** The slot's external_id with another key (decision 27). */
export const duplicate = async (world: World, slot: Slot): Promise<Word> =>
  slot.ids.length === 0
    ? 'skipped'
    : rejected(world, 'duplicate', 'DUPLICATE_EXTERNAL_ID', {
        body: bodyOf(slot),
        headers: { 'idempotency-key': `${slot.name}-again-${Math.round(performance.now())}` },
      });
