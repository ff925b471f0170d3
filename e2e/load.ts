/** A partner and an operator who do not give up: they ask again until they have an answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Mesh, operator } from './mesh.ts';
import { orderBody, partner } from './partner.ts';

const patienceMs = 60_000;

const persistently = async <T>(what: string, attempt: () => Promise<T | null>): Promise<T> => {
  const end = Date.now() + patienceMs;
  for (;;) {
    const result = await attempt().catch(() => null);
    if (result !== null) return result;
    if (Date.now() > end) throw new Error(`gave up on ${what}`);
    await sleep(100);
  }
};

/** Creates an order, asking again with the same key. @returns its id. */
export const createOrder = (mesh: Mesh, name: string): Promise<string> => {
  let gateway = 0;
  return persistently(`creating ${name}`, async () => {
    const replica = gateway++ % mesh.file().gateways.length;
    const answer = await partner(mesh).post(
      '/orders',
      orderBody({ external_id: name }),
      { 'idempotency-key': name },
      replica,
    );
    if (answer.status === 201) return answer.body.id as string;
    if (answer.status >= 500 || answer.status === 409) return null;
    throw new Error(`creating ${name}: ${answer.status} ${answer.text}`);
  });
};

/** Takes an order to its end; a step whose answer was lost is not taken twice. */
export const walkOrder = (mesh: Mesh, id: string, to = 'CLOSED'): Promise<void> =>
  persistently(`walking ${id}`, async () => {
    const { code } = await operator(mesh, 'order', 'walk', id, '--to', to);
    return code === 0 ? undefined : null;
  }) as Promise<void>;

/** Runs `work` for 0..count-1, `lanes` at a time. */
export const inLanes = async (
  count: number,
  lanes: number,
  work: (n: number) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};
