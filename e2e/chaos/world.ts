/** All that operations and faults act on, and all that they note down. */
import { until } from '@pto/testing';
import type { LocalStack } from '../local-stack.ts';
import { type Answer, partner } from '../partner.ts';
import type { Receiver } from '../receiver.ts';
import { openFailingStatements } from './faults/failing-statements.ts';
import type { Stand } from './faults/stand.ts';
import { openTap } from './faults/tap.ts';
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

/** Registers the endpoints and reads the log's keys: the state before the first operation. */
export const openWorld = async (parts: {
  stack: LocalStack;
  stand: Stand;
  receivers: readonly Receiver[];
  runName: string;
}) => {
  const { stack, stand, receivers, runName } = parts;
  const [steady, first, second, paused] = receivers;
  const endpoints: Endpoint[] = [];
  const register = async (name: string, of: readonly Receiver[]) => {
    const { status, text, body } = await partner(stack).post('/webhooks', { url: of[0]!.url });
    if (status !== 201) throw new Error(`${name}: ${text}`);
    const fresh = { replays: 0, recovered: false, disabled: false };
    endpoints.push({ name, id: body.id, receivers: of, secrets: [body.secret], ...fresh });
  };
  await register('the steady endpoint', [steady!]);
  await register('the moving endpoint', [first!, second!]);
  await register('the paused endpoint', [paused!]);
  const logKeys = await until(
    async () => {
      const answer = await fetch(`${stack.file().gateways[0]}/custody/keys.json`);
      return ((await answer.json()) as { keys: { vkey: string }[] }).keys;
    },
    { what: 'the keys of the log' },
  );
  const startedAt = new Date(Date.now() - 60_000).toISOString();
  const statements = await openFailingStatements(stand.postgresUrl);
  const tap = stand.brokers.length > 0 ? await openTap(stand.env) : null;
  return {
    ...{ stack, stand, statements, runName, logKeys, endpoints },
    /** Null where the local stack has no Kafka. */
    tap,
    /** ISO 8601, before the first order. */
    startedAt,
    slots: new Map<number, Slot>(),
    polls: [] as PollSeen[],
    walks: [] as WalkSeen[],
    changes: [] as ChangeSeen[],
    unexpected: [] as string[],
    ledgerFaults: [] as string[],
    /** Why outcomes are unknown, and how often. */
    reasons: {} as Record<string, number>,
    /** Event ids of the messages that the workload made up: consumers park them. */
    poisoned: new Set<string>(),
    poller: { since: startedAt, busy: false },
  };
};

export type World = Awaited<ReturnType<typeof openWorld>>;

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
  const { stack } = world;
  const { gateways, organizations } = stack.file();
  const replica = (more.replica ?? Math.floor(performance.now())) % gateways.length;
  try {
    const { all: key } = organizations[more.organization ?? 0]!.keys;
    return await partner(stack, key).call(method, path, more.body, more.headers ?? {}, replica);
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
