/** Waits, after healing, until the system has nothing left to do. */
import { until } from '@pto/testing';
import { settled } from '../local-stack.ts';
import { chainOf, deliveriesTo, eventOf, everyOrder, sequenceOf } from './observe.ts';
import { poll, proofVerdict } from './operations/read.ts';
import { persist } from './slot.ts';
import { type Endpoint, send, type World } from './world.ts';

const patienceMs = 180_000;
const readyMaxMs = 360_000;
const settingsTries = 60;

/** Opens an endpoint again, whatever the run has left of it, and has missed events sent. */
const reopen = async (world: World, endpoint: Endpoint): Promise<void> => {
  const path = `/webhooks/${endpoint.id}`;
  const opened = await persist(settingsTries, async () => {
    const { body, status } = await send(world, 'GET', path);
    if (status !== 200) return undefined;
    if (body.disabled) await send(world, 'PATCH', path, { body: { disabled: false } });
    if (body.status !== 'ENABLED') await send(world, 'POST', `${path}/verify`);
    return body.status === 'ENABLED' && !body.disabled ? true : undefined;
  });
  if (!opened) throw new Error(`${endpoint.name} does not become ENABLED`);
};

/** What a recovery must bring is known once webhooks has consumed everything: so, repeatedly. */
const recoverAll = async (world: World, endpoint: Endpoint): Promise<void> => {
  let since: string | null = world.startedAt;
  while (since !== null) {
    const answer = await send(world, 'POST', `/webhooks/${endpoint.id}/recover`, {
      body: { since },
    });
    if (answer.status !== 200) return;
    since = answer.body.next_since;
  }
};

const eventsAt = (endpoint: Endpoint): Set<string> =>
  new Set(deliveriesTo(endpoint).map((one) => Object.values(eventOf(one)).join()));

/**
 * @returns what did not come in time, one line each: empty when all did. The lines name the first
 * thing of a kind; the invariants name the rest.
 */
export const converge = async (world: World): Promise<string[]> => {
  const late: string[] = [];
  const wait = async (what: string, condition: () => Promise<boolean>) => {
    await until(condition, { deadlineMs: patienceMs, what }).catch((error: Error) => {
      late.push(`${error.message} ${(error.cause as Error | undefined)?.message ?? ''}`.trim());
    });
  };
  await settled(world.stack, readyMaxMs).catch((error: Error) => late.push(error.message));
  await Promise.all(
    world.endpoints.map((endpoint) =>
      reopen(world, endpoint).catch((error: Error) => late.push(error.message)),
    ),
  );
  const orders = await everyOrder(world);
  let events = 0;
  await wait('every chain to be as long as its order', async () => {
    events = 0;
    for (const { id } of orders) {
      const [sequence, chain] = [await sequenceOf(world, id), await chainOf(world, id)];
      if (chain?.length !== sequence) return false;
      events += sequence;
    }
    return true;
  });
  await wait('every order to have a complete proof', async () => {
    for (const { id } of orders) if ((await proofVerdict(world, id)) !== 'proven') return false;
    return true;
  });
  for (const endpoint of world.endpoints)
    await wait(`${events} events at ${endpoint.name}`, async () => {
      if (endpoint.recovered) await recoverAll(world, endpoint);
      return eventsAt(endpoint).size >= events;
    });
  for (const endpoint of world.endpoints)
    await wait(`a recovery of ${endpoint.name} that finds nothing`, async () => {
      const body = { since: world.startedAt };
      const answer = await send(world, 'POST', `/webhooks/${endpoint.id}/recover`, { body });
      if (answer.status === 200 && answer.body.queued > 0)
        late.push(`a recovery queued ${answer.body.queued} delivered events of ${endpoint.name}`);
      return answer.status === 200;
    });
  await wait('the last poll', async () => (await poll(world)) === 'accepted');
  return late;
};
