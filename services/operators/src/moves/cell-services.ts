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
