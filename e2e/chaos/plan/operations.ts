import { below, pick, type Random } from '../../random.ts';
import { type CommandName, commandNames } from '../order-model.ts';

/** `slot` numbers the orders of the run, `gateway` the replica that gets the request. */
export type Operation =
  | {
      readonly kind: 'create';
      readonly slot: number;
      readonly draft: boolean;
      readonly items: number;
    }
  | {
      readonly kind: 'twins';
      readonly slot: number;
      readonly draft: boolean;
      readonly items: number;
    }
  | { readonly kind: 'repeat' | 'reuse' | 'duplicate'; readonly slot: number }
  | {
      readonly kind: 'advance' | 'read' | 'events' | 'proof' | 'cancel' | 'intrude';
      readonly slot: number;
    }
  | { readonly kind: 'command'; readonly slot: number; readonly command: CommandName }
  | { readonly kind: 'race'; readonly slot: number; readonly commands: readonly CommandName[] }
  | { readonly kind: 'list' | 'poll' | 'audit' }
  | { readonly kind: 'rotate' | 'replay' | 'test' | 'recover'; readonly endpoint: number }
  | { readonly kind: 'move' | 'pause' };

/** Most operations go to orders so recent that they are not at their end. */
const recentSlots = 10;

type Draw = (random: Random, slots: number) => Operation;

const oneSlot = (random: Random, slots: number): number =>
  random() < 0.15
    ? below(random, slots)
    : Math.max(0, slots - 1 - below(random, Math.min(slots, recentSlots)));

const ofSlot =
  <K extends Operation & { readonly slot: number }>(kind: K['kind']): Draw =>
  (random, slots) =>
    ({ kind, slot: oneSlot(random, slots) }) as Operation;

export const creation =
  (kind: 'create' | 'twins'): Draw =>
  (random, slots) => ({ kind, slot: slots, draft: random() < 0.2, items: below(random, 3) });

/** Operations and their weights. */
export const operations: readonly (readonly [number, Draw])[] = [
  [12, creation('create')],
  [4, creation('twins')],
  [3, ofSlot('repeat')],
  [1, ofSlot('reuse')],
  [1, ofSlot('duplicate')],
  [40, ofSlot('advance')],
  [
    10,
    (random, slots) => ({
      kind: 'command',
      slot: oneSlot(random, slots),
      command: pick(random, commandNames),
    }),
  ],
  [
    6,
    (random, slots) => ({
      kind: 'race',
      slot: oneSlot(random, slots),
      commands: Array.from({ length: 2 + below(random, 3) }, () => pick(random, commandNames)),
    }),
  ],
  [2, ofSlot('cancel')],
  [8, ofSlot('read')],
  [4, ofSlot('events')],
  [2, ofSlot('proof')],
  [2, ofSlot('intrude')],
  [2, () => ({ kind: 'list' })],
  [10, () => ({ kind: 'poll' })],
  [1, () => ({ kind: 'audit' })],
  [1, (random) => ({ kind: 'rotate', endpoint: below(random, 3) })],
  [1, (random) => ({ kind: 'replay', endpoint: below(random, 3) })],
  [1, (random) => ({ kind: 'test', endpoint: below(random, 3) })],
  [1, () => ({ kind: 'recover', endpoint: 2 })],
  [1, () => ({ kind: 'move' })],
  [1, () => ({ kind: 'pause' })],
];
