import type { Operation } from '../plan/operations.ts';
import type { Slot, Word } from '../slot.ts';
import type { World } from '../world.ts';
import { advance, cancel, command } from './command.ts';
import { create, duplicate, repeat, reuse, twins } from './create.ts';
import { intrude } from './intrude.ts';
import { audit, events, list, poll, proof, read } from './read.ts';
import { move, pause, recover, replay, rotate, test } from './webhooks.ts';

const newSlot = (
  world: World,
  { slot, draft, items }: { slot: number; draft: boolean; items: number },
) => {
  const name = `${world.runName}-${slot}`;
  const made: Slot = { name, draft, items, ids: [], responses: [], history: [], status: 'ABSENT' };
  world.slots.set(slot, made);
  return made;
};

const ofSlot = { repeat, reuse, duplicate, advance, cancel, read, events, proof, intrude };
const ofEndpoint = { rotate, replay, test, recover };
const ofNothing = { list, poll, audit };

/** Carries out one drawn operation. @returns what became of it. */
export const perform = async (world: World, step: Operation): Promise<Word> => {
  const slotOf = (n: number) => world.slots.get(n);
  switch (step.kind) {
    case 'create':
      return create(world, newSlot(world, step));
    case 'twins':
      return twins(world, newSlot(world, step));
    case 'command': {
      const slot = slotOf(step.slot);
      return slot ? command(world, slot, step.command) : 'skipped';
    }
    case 'race': {
      const slot = slotOf(step.slot);
      if (!slot) return 'skipped';
      const words = await Promise.all(step.commands.map((name) => command(world, slot, name)));
      return words.includes('accepted') ? 'accepted' : words[0]!;
    }
    case 'list':
    case 'poll':
    case 'audit':
      return ofNothing[step.kind](world);
    case 'move':
      return move(world, world.endpoints[1]!);
    case 'pause':
      return pause(world, world.endpoints[2]!);
    case 'rotate':
    case 'replay':
    case 'test':
    case 'recover':
      return ofEndpoint[step.kind](world, world.endpoints[step.endpoint]!);
    default: {
      const slot = slotOf(step.slot);
      return slot ? ofSlot[step.kind](world, slot) : 'skipped';
    }
  }
};
