import { Failure } from '@pto/errors';
import { AccessService } from '@pto/proto/access/v1/access';
import { MoveService } from '@pto/proto/access/v1/moves';
import { OrganizationMoveService } from '@pto/proto/moves/v1/moves';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { implement } from '@pto/rpc';
import { until } from '@pto/testing';
import {
  type OperatorsUnderTest,
  query,
  startBehind,
  startOperatorsService,
  tokenOf,
} from '../operators-service.ts';

type Service = 'orders' | 'custody' | 'webhooks';
type Rpc = Exclude<keyof typeof OrganizationMoveService.method, symbol>;

/** A call of a service: `main orders hold 2`, with the level of a hold. */
export interface Call {
  readonly at: string;
  readonly organizationId: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/**
 * Two cells whose services answer a move as the real ones do with an organization of one row, and
 * operators services in front of them.
 */
export const startTwoCells = async (replicas = 1) => {
  const calls: Call[] = [];
  /** Tokens by cell, service and organization: a lower one is rejected. */
  const tokens = new Map<string, bigint>();
  /** Answers that a test has set, by the place of the call and the organization. */
  const answers = new Map<string, (request: Call['request']) => object | Promise<object>>();

  const serve = (cell: string, service: Service) => {
    const rpc =
      (name: Rpc, usual: object) =>
      async (request: Call['request']): Promise<object> => {
        const { organizationId, token, level } = request as Record<string, never> & Call;
        const at = [cell, service, name, ...(name === 'hold' ? [level] : [])].join(' ');
        calls.push({ at, organizationId, request });
        const held = `${cell} ${service} ${organizationId}`;
        if (token !== undefined) {
          if (BigInt(token) < (tokens.get(held) ?? 0n))
            throw new Failure(
              'ILLEGAL_TRANSITION',
              'Another try of a move holds the organization.',
            );
          tokens.set(held, BigInt(token));
        }
        return (await answers.get(`${at} ${organizationId}`)?.(request)) ?? usual;
      };
    const mark = { mark: `mark of ${cell}`, schema: 'newest', probe: Buffer.from('probe') };
    return implement(OrganizationMoveService, {
      mark: rpc('mark', mark),
      export: rpc('export', { rows: Buffer.from('[{}]') }),
      import: rpc('import', { rows: 1 }),
      count: rpc('count', { rows: { things: 1n } }),
      serves: rpc('serves', { serves: false }),
      hold: rpc('hold', {}),
      release: rpc('release', {}),
      retire: rpc('retire', {}),
    } as never);
  };

  const names = ['main', 'north'];
  const cells = await Promise.all(
    names.map((cell) => startBehind((service) => [serve(cell, service)])),
  );
  const inEach = (variable: string) =>
    names
      .map((cell, n) => `${cell}=${(cells[n]!.environment as Record<string, string>)[variable]}`)
      .join(';');
  const environment = Object.fromEntries(
    ['ORDERS_URL', 'CUSTODY_URL', 'WEBHOOKS_URL'].map((name) => [name, inEach(name)]),
  );
  const first = await startOperatorsService({ environment });
  const others: OperatorsUnderTest[] = [];
  for (let n = 1; n < replicas; n += 1)
    others.push(await startOperatorsService({ environment, database: first.database }));
  // the first try of all has none before it whose holds it releases
  await query(first.database.ownerUrl, "select nextval('move_tokens')");
  const token = await tokenOf(first.database);
  const access = first.client(AccessService, 'access', token);
  const moves = first.client(MoveService, 'access', token);

  return {
    calls,
    access,
    moves,
    orders: first.client(OrderCommandService, 'orders', token),
    first,
    others,
    /** The calls of an organization, in their order; a repeated one once. */
    callsOf: (organizationId: string) =>
      calls
        .filter((call) => call.organizationId === organizationId)
        .map(({ at }) => at)
        .filter((at, n, all) => at !== all[n - 1]),
    /** Sets what a call of the organization gets; undefined: the usual answer. */
    answer: (
      organizationId: string,
      at: string,
      with_: (request: Call['request']) => object | Promise<object>,
    ) => answers.set(`${at} ${organizationId}`, with_),
    usual: (organizationId: string, at: string) => answers.delete(`${at} ${organizationId}`),
    newOrganization: async (): Promise<string> =>
      (await access.createOrganization({ name: 'Clinic' })).organization!.id,
    cellOf: async (id: string) => (await access.getOrganization({ id })).organization!.cell,
    moveOf: async (organizationId: string) => (await moves.listMoves({ organizationId })).moves[0],
    whenPhase: (organizationId: string, phase: string) =>
      until(
        async () => {
          const [move] = (await moves.listMoves({ organizationId })).moves;
          return move?.phase === phase && move;
        },
        { what: `the phase ${phase}`, deadlineMs: 40_000 },
      ),
    stop: async () => {
      await Promise.all(others.map((one) => one.stop()));
      await first.stop();
      await Promise.all(cells.map((cell) => cell.stop()));
    },
  };
};

export type TwoCells = Awaited<ReturnType<typeof startTwoCells>>;
