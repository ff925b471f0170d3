import type { Answer } from '../../partner.ts';
import type { Word } from '../slot.ts';
import { type Endpoint, send, sort, type World } from '../world.ts';

const wordOf = (
  world: World,
  what: string,
  answer: Answer,
  expected: readonly number[] = [200, 201, 409],
): Word => {
  const sorted = sort(world, what, answer, expected);
  if (sorted !== 'known') return sorted === 'limited' ? 'skipped' : 'unknown';
  return answer.status === 409 ? 'rejected' : 'accepted';
};

/** A new secret with the usual overlap, so that the receiver may learn of it late. */
export const rotate = async (world: World, { id, secrets }: Endpoint): Promise<Word> => {
  const answer = await send(world, 'POST', `/webhooks/${id}/secret/rotate`, { body: {} });
  const word = wordOf(world, 'rotate', answer);
  if (word === 'accepted') secrets.push(answer.body.secret);
  return word;
};

/** The newest delivery again. */
export const replay = async (world: World, endpoint: Endpoint): Promise<Word> => {
  const path = `/webhooks/${endpoint.id}/deliveries`;
  const listed = await send(world, 'GET', `${path}?limit=1`);
  if (sort(world, 'deliveries', listed, [200]) !== 'known') return 'unknown';
  const delivery = listed.body.data[0]?.id;
  if (delivery === undefined) return 'skipped';
  endpoint.replays++; // whatever the response: the request may take effect
  return wordOf(world, 'replay', await send(world, 'POST', `${path}/${delivery}/replay`));
};

export const test = async (world: World, { id }: Endpoint): Promise<Word> =>
  wordOf(world, 'test', await send(world, 'POST', `/webhooks/${id}/test`));

/** What was missed since the beginning, one call. */
export const recover = async (world: World, endpoint: Endpoint): Promise<Word> => {
  endpoint.recovered = true;
  const body = { since: world.startedAt };
  const answer = await send(world, 'POST', `/webhooks/${endpoint.id}/recover`, { body });
  return wordOf(world, 'recover', answer);
};

/** The endpoint's URL becomes its other receiver's. */
export const move = async (world: World, { id, receivers }: Endpoint): Promise<Word> => {
  const shown = await send(world, 'GET', `/webhooks/${id}`);
  if (sort(world, 'endpoint', shown, [200]) !== 'known') return 'unknown';
  const url = receivers.find((receiver) => receiver.url !== shown.body.url)!.url;
  return wordOf(world, 'move', await send(world, 'PATCH', `/webhooks/${id}`, { body: { url } }));
};

/** Disables an endpoint, or enables it. */
export const pause = async (world: World, endpoint: Endpoint): Promise<Word> => {
  endpoint.disabled = !endpoint.disabled;
  endpoint.recovered = true; // only a recovery brings what was not queued meanwhile
  const body = { disabled: endpoint.disabled };
  return wordOf(world, 'pause', await send(world, 'PATCH', `/webhooks/${endpoint.id}`, { body }));
};
