import { Failure } from '@pto/errors';
import { OrganizationMoveService } from '@pto/proto/moves/v1/moves';
import { type ConnectClient, connectClient } from '@pto/rpc';
import type { OperatorsSettings } from '../config.ts';

/** The services of a cell that store rows of organizations, in the order of a copy. */
export const movedServices = ['orders', 'custody', 'webhooks'] as const;

export type MovedService = (typeof movedServices)[number];

/** A client of each of these services in one cell. */
export type CellServices = Readonly<
  Record<MovedService, ConnectClient<typeof OrganizationMoveService>>
>;

const timeoutMs = 30_000;

/** Opens the clients of all cells. */
export const openCellServices = (
  settings: OperatorsSettings,
): ReadonlyMap<string, CellServices> => {
  const { ordersUrls, custodyUrls, webhooksUrls } = settings;
  const open = (server: MovedService, urls: readonly string[]) =>
    connectClient(OrganizationMoveService, { urls, server, tls: settings, timeoutMs });
  return new Map(
    [...ordersUrls].map(([cell, urls]) => [
      cell,
      {
        orders: open('orders', urls),
        custody: open('custody', custodyUrls.get(cell)!),
        webhooks: open('webhooks', webhooksUrls.get(cell)!),
      },
    ]),
  );
};

/** What ends calls. */
export interface Bound {
  /** A time of `performance.now()`; undefined: each call has 30 s. */
  readonly deadline?: number;
  readonly signal: AbortSignal;
}

type Call = (request: object, bound: Bound) => Promise<object>;

/**
 * Returns the services of a cell whose calls end with the bound, and fail at once after it.
 * @throws Failure DEADLINE_EXCEEDED, from each call, which names the service and the RPC.
 */
export const withinBound = (cell: CellServices, bound: Bound): CellServices => {
  const bounded = (name: MovedService) =>
    Object.entries(cell[name]).map(([rpc, call]) => [
      rpc,
      async (request: object): Promise<object> => {
        bound.signal.throwIfAborted();
        try {
          return await (call as Call)(request, bound);
        } catch (error) {
          if (!(error instanceof Failure && error.kind === 'DEADLINE_EXCEEDED')) throw error;
          throw new Failure(error.kind, `${name} ${rpc}: ${error.message}`, { cause: error });
        }
      },
    ]);
  return Object.fromEntries(
    movedServices.map((name) => [name, Object.fromEntries(bounded(name))]),
  ) as unknown as CellServices;
};
