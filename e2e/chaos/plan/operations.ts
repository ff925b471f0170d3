/** Every kind of operation: how often it is drawn, what is drawn of it, and how it is carried out. */
import { below, pick, type Random } from '../../random.ts';
import { advance, cancel, command } from '../operations/command.ts';
import { create, duplicate, repeat, reuse, twins } from '../operations/create.ts';
import { intrude } from '../operations/intrude.ts';
import { audit, events, list, poll, proof, read } from '../operations/read.ts';
import { move, pause, recover, replay, rotate, test } from '../operations/webhooks.ts';
import { commandNames } from '../order-model.ts';
import type { Slot, Word } from '../slot.ts';
import type { Endpoint, World } from '../world.ts';

/** Most operations go to orders so recent that they are not at their end. */
const recentSlots = 10;

/** `slot` numbers the orders of the run. */
const operation = <T extends object>(
  weight: number,
  draw: (random: Random, slots: number) => T,
  perform: (world: World, drawn: T) => Promise<Word>,
) => ({ weight, draw, perform });

const oneSlot = (random: Random, slots: number): number =>
  random() < 0.15
    ? below(random, slots)
    : Math.max(0, slots - 1 - below(random, Math.min(slots, recentSlots)));

type OnSlot<T> = (world: World, slot: Slot, drawn: T) => Promise<Word>;

/** On an order that the plan creates earlier. */
const onOrder = (weight: number, act: OnSlot<object>) => onOrderWith(weight, () => ({}), act);

const onOrderWith = <T extends object>(
  weight: number,
  more: (random: Random) => T,
  act: OnSlot<T>,
) =>
  operation(
    weight,
    (random, slots) => ({ slot: oneSlot(random, slots), ...more(random) }),
    async (world, drawn) => {
      const slot = world.slots.get(drawn.slot);
      return slot ? act(world, slot, drawn) : 'skipped';
    },
  );

const creation = (weight: number, act: (world: World, slot: Slot) => Promise<Word>) =>
  operation(
    weight,
    (random, slots) => ({ slot: slots, draft: random() < 0.2, items: below(random, 3) }),
    (world, { slot, draft, items }) => {
      const name = `${world.runName}-${slot}`;
      const seen = { ids: [], responses: [], history: [], status: 'ABSENT' };
      world.slots.set(slot, { name, draft, items, ...seen });
      return act(world, world.slots.get(slot)!);
    },
  );

/** @param among the numbers of the endpoints. */
const onEndpoint = (
  weight: number,
  act: (world: World, endpoint: Endpoint) => Promise<Word>,
  among: readonly number[] = [0, 1, 2],
) =>
  operation(
    weight,
    (random) => ({ endpoint: pick(random, among) }),
    (world, { endpoint }) => act(world, world.endpoints[endpoint]!),
  );

const alone = (weight: number, act: (world: World) => Promise<Word>) =>
  operation(weight, () => ({}), act);

export const operations = {
  create: creation(12, create),
  twins: creation(4, twins),
  repeat: onOrder(3, repeat),
  reuse: onOrder(1, reuse),
  duplicate: onOrder(1, duplicate),
  advance: onOrder(40, advance),
  command: onOrderWith(
    10,
    (random) => ({ name: pick(random, commandNames) }),
    (world, slot, { name }) => command(world, slot, name),
  ),
  race: onOrderWith(
    6,
    (random) => ({
      names: Array.from({ length: 2 + below(random, 3) }, () => pick(random, commandNames)),
    }),
    async (world, slot, { names }) => {
      const words = await Promise.all(names.map((name) => command(world, slot, name)));
      return words.includes('accepted') ? 'accepted' : words[0]!;
    },
  ),
  cancel: onOrder(2, cancel),
  read: onOrder(8, read),
  events: onOrder(4, events),
  proof: onOrder(2, proof),
  intrude: onOrder(2, intrude),
  list: alone(2, list),
  poll: alone(10, poll),
  audit: alone(1, audit),
  rotate: onEndpoint(1, rotate),
  replay: onEndpoint(1, replay),
  test: onEndpoint(1, test),
  recover: onEndpoint(1, recover, [2]),
  move: onEndpoint(1, move, [1]),
  pause: onEndpoint(1, pause, [2]),
};
