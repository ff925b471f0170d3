import { persist, type Slot, type Word } from '../slot.ts';
import { send, sort, type World } from '../world.ts';

/** Another first character: a cursor begins with its signature. */
const changed = (cursor: string): string =>
  `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`;

const pageTries = 4;

/** A cursor of the first organization's list of all orders; undefined while there is one page. */
const cursorOf = async (world: World): Promise<string | undefined> => {
  const found = await persist(pageTries, async () => {
    const { status, body } = await send(world, 'GET', '/orders?limit=1');
    return status === 200 ? body : undefined;
  });
  return found?.next_cursor ?? undefined;
};

/**
 * What nobody may do, at the moment in which the owner reads the order: another organization finds
 * nothing of it (decision 21), and a cursor is valid as issued alone (decision 13).
 */
export const intrude = async (world: World, slot: Slot): Promise<Word> => {
  const [id] = slot.ids;
  if (id === undefined) return 'skipped';
  const cursor = encodeURIComponent((await cursorOf(world)) ?? 'none');
  const other = { organization: 1 } as const;
  const forbidden = [
    ['GET', `/orders/${id}`, other, 404],
    ['GET', `/orders/${id}/events`, other, 404],
    ['GET', `/orders/${id}/custody/proof`, other, 404],
    ['POST', `/orders/${id}/cancel`, { ...other, body: { reason: 'not theirs' } }, 404],
    ['GET', `/orders?limit=1&cursor=${cursor}`, other, 422],
    ['GET', `/orders?limit=1&status=DELIVERED&cursor=${cursor}`, {}, 422],
    ['GET', `/orders?limit=1&cursor=${changed(cursor)}`, {}, 422],
  ] as const;
  const attempts = forbidden.map(async ([method, path, more, expected]) => {
    const replica = 0; // one process receives them together with the owner's request
    const answer = await send(world, method, path, { ...more, replica });
    sort(world, `${method} ${path} of another`, answer, [expected]);
  });
  const owners = send(world, 'GET', `/orders/${id}`, { replica: 0 });
  await Promise.allSettled([owners, ...attempts]);
  return 'rejected';
};
