/** All that operations and faults act on, and all that they note down. */
import { type Mesh, settled } from '../mesh.ts';
import { type Answer, partner } from '../partner.ts';
import type { Receiver } from '../receiver.ts';
import type { FailingStatements } from './faults/failing-statements.ts';
import type { Stand } from './faults/stand.ts';
import type { Tap } from './faults/tap.ts';
import type { ChangeSeen, PollSeen, WalkSeen } from './observation.ts';
import type { Slot } from './slot.ts';

export interface Endpoint {
  readonly name: string;
  readonly id: string;
  /** Where its deliveries may arrive; the URL is the first receiver's until it is moved. */
  readonly receivers: readonly Receiver[];
  /** All that it ever had: around a rotation a delivery may be signed with the previous one alone. */
  readonly secrets: string[];
  /** Requests for a replay, acknowledged or not. */
  replays: number;
  recovered: boolean;
  disabled: boolean;
}

export interface World {
  readonly mesh: Mesh;
  readonly stand: Stand;
  readonly statements: FailingStatements;
  /** Null where the local stack has no Kafka. */
  readonly tap: Tap | null;
  readonly runName: string;
  /** ISO 8601, before the first order. */
  readonly startedAt: string;
  readonly logKeys: readonly { vkey: string }[];
  readonly slots: Map<number, Slot>;
  readonly endpoints: readonly Endpoint[];
  readonly polls: PollSeen[];
  readonly walks: WalkSeen[];
  readonly changes: ChangeSeen[];
  readonly unexpected: string[];
  readonly ledgerFaults: string[];
  /** Why outcomes are unknown, and how often. */
  readonly reasons: Record<string, number>;
  /** Event ids of the messages that the workload made up: consumers park them. */
  readonly poisoned: Set<string>;
  readonly poller: { since: string; busy: boolean };
}

/** Counts a reason for an unknown outcome. */
export const noteReason = ({ reasons }: World, reason: string): void => {
  reasons[reason] = (reasons[reason] ?? 0) + 1;
};

/**
 * A request as an organization, the first by default; `replica` spreads requests over the gateways.
 */
export const send = async (
  world: World,
  method: string,
  path: string,
  more: {
    body?: unknown;
    headers?: Record<string, string>;
    replica?: number;
    organization?: 0 | 1;
  } = {},
): Promise<Answer> => {
  const { mesh } = world;
  const { gateways, organizations } = mesh.file();
  const replica = (more.replica ?? Math.floor(performance.now())) % gateways.length;
  try {
    const { all: key } = organizations[more.organization ?? 0]!.keys;
    return await partner(mesh, key).call(method, path, more.body, more.headers ?? {}, replica);
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    noteReason(world, `${name} ${cause?.code ?? ''}`.trim());
    throw error;
  }
};

/** Statuses after which nobody knows whether the request took effect. */
const open = [500, 502, 503, 504, 408];

/**
 * Sorts a response: `known` when it is one of the expected statuses, else `unknown` or, for a
 * 429, `limited`. Notes a response that the contract does not have here.
 */
export const sort = (
  world: World,
  what: string,
  answer: Answer,
  expected: readonly number[],
): 'known' | 'unknown' | 'limited' => {
  if (expected.includes(answer.status)) return 'known';
  if (answer.status === 429) return 'limited';
  if (!open.includes(answer.status) || answer.status === 500)
    world.unexpected.push(`${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
  noteReason(world, `${answer.status} ${answer.body?.error?.code ?? ''}`);
  return 'unknown';
};

/** Every process ready again, within ten minutes of a slow machine. */
export const allReady = async (mesh: Mesh): Promise<void> => {
  for (let tries = 5; ; tries--) {
    try {
      await settled(mesh);
      return;
    } catch (error) {
      if (tries === 0) throw error;
    }
  }
};
