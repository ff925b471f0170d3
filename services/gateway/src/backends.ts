import { ConfigError } from '@pto/config';
import { Failure } from '@pto/errors';
import { isHeld, repeatWhileHeld } from '@pto/moves';
import { OrderLinkService } from '@pto/proto/access/v1/order_links';
import { OwnKeyService } from '@pto/proto/access/v1/own_keys';
import { PortalService } from '@pto/proto/access/v1/portal';
import { CourierService } from '@pto/proto/courier/v1/courier';
import { CustodyService, LogService } from '@pto/proto/custody/v1/custody';
import { LocationService } from '@pto/proto/orders/v1/locations';
import { OrderService } from '@pto/proto/orders/v1/orders';
import { WebhookService } from '@pto/proto/webhooks/v1/webhooks';
import { connectClient, grpcClient } from '@pto/rpc';
import type { Telemetry } from '@pto/telemetry';
import type { GatewaySettings } from './config.ts';

/** Options of an RPC to a service that each cell has. */
export interface CellCall {
  /** The cell of the organization whose request it is, at the time of the RPC. */
  readonly cell: string;
  /** Looks the cell up again, for an organization that moves to another one. Absent: the cell stays. */
  readonly cellNow?: () => Promise<string>;
  /** Called when a move rejects a change, before the first pause. Absent: nothing to do. */
  readonly onHeld?: () => Promise<void>;
  /** A time of `performance.now()`. */
  readonly deadline: number;
  readonly signal?: AbortSignal;
}

/** A client of the service of that name in every cell. */
type InEveryCell<Client> = {
  readonly [Rpc in Exclude<keyof Client, 'close'>]: Client[Rpc] extends (
    request: infer Request,
    options?: never,
  ) => infer Response
    ? (request: Request, call: CellCall) => Response
    : never;
};

/**
 * Returns a client that calls the service of the call's cell. A change that a move rejects is sent
 * again, to the cell that the organization has then.
 * @throws Failure SERVICE_UNAVAILABLE for a cell that the settings do not name
 */
const inEveryCell = <Client extends object>(
  clients: ReadonlyMap<string, Client>,
): InEveryCell<Client> => {
  const [one] = clients.values();
  const rpcs = Object.keys(one!).filter((name) => name !== 'close');
  type Rpc = (request: unknown, options: object) => Promise<unknown>;
  const call =
    (rpc: string) =>
    async (request: unknown, { cell: before, cellNow, onHeld, ...options }: CellCall) => {
      const send = async (cell: string) => {
        const client = clients.get(cell) as Readonly<Record<string, Rpc>> | undefined;
        if (!client)
          throw new Failure('SERVICE_UNAVAILABLE', 'A service does not respond. Try again later.', {
            cause: new Error(`the settings name no cell ${cell}`),
            retryAfterSeconds: 5,
          });
        return client[rpc]!(request, options);
      };
      try {
        return await send(before);
      } catch (error) {
        if (!cellNow || !isHeld(error)) throw error;
        await onHeld?.();
        return repeatWhileHeld(options.deadline, async () => send(await cellNow()));
      }
    };
  return Object.fromEntries(rpcs.map((rpc) => [rpc, call(rpc)])) as InEveryCell<Client>;
};

/**
 * Opens a gRPC channel to each service of each cell, and a Connect client of the operators service
 * for the rare calls about the portal. A channel connects at its first call, and reconnects after a
 * loss. Production has no courier (decision 64).
 * @throws ConfigError for a sandbox without a courier's address, and for settings that do not name
 *   the same cells
 */
export const openBackends = (settings: GatewaySettings, telemetry: Telemetry) => {
  const { ordersAddress, custodyAddress, webhooksAddress, courierAddress, accessUrls, ...tls } =
    settings;
  const isSandbox = settings.environment === 'sandbox';
  const cells = [...ordersAddress.keys()];
  const addresses = new Map([
    ['CUSTODY_ADDRESS', custodyAddress],
    ['WEBHOOKS_ADDRESS', webhooksAddress],
    ...(isSandbox ? [['COURIER_ADDRESS', courierAddress] as const] : []),
  ]);
  const faults = [...addresses].flatMap(([name, named]) => [
    ...(`${[...named.keys()].sort()}` === `${cells.toSorted()}`
      ? []
      : [`${name} and ORDERS_ADDRESS name different cells`]),
    ...([...named.values()].includes('') ? [`${name} is required in the sandbox`] : []),
  ]);
  if (faults.length > 0) throw new ConfigError(faults);

  const opened: { close(): void }[] = [];
  const open = <Client extends { close(): void }>(
    named: ReadonlyMap<string, string>,
    client: (address: string) => Client,
  ): InEveryCell<Client> => {
    const clients = new Map([...named].map(([cell, address]) => [cell, client(address)]));
    opened.push(...clients.values());
    return inEveryCell(clients);
  };
  return {
    /** The cells, the main one first. */
    cells,
    orders: open(ordersAddress, (address) =>
      grpcClient(OrderService, { address, server: 'orders', tls }),
    ),
    locations: open(ordersAddress, (address) =>
      grpcClient(LocationService, { address, server: 'orders', tls }),
    ),
    custody: open(custodyAddress, (address) =>
      grpcClient(CustodyService, { address, server: 'custody', tls }),
    ),
    log: open(custodyAddress, (address) =>
      grpcClient(LogService, { address, server: 'custody', tls }),
    ),
    webhooks: open(webhooksAddress, (address) =>
      grpcClient(WebhookService, { address, server: 'webhooks', tls }),
    ),
    ...(isSandbox && {
      courier: open(courierAddress, (address) =>
        grpcClient(CourierService, { address, server: 'courier', tls }),
      ),
    }),
    portal: connectClient(PortalService, {
      ...{ urls: accessUrls, server: 'operators', tls },
      telemetry, // this process has no RPC server that reports its certificate
    }),
    orderLinks: connectClient(OrderLinkService, { urls: accessUrls, server: 'operators', tls }),
    ownKeys: connectClient(OwnKeyService, { urls: accessUrls, server: 'operators', tls }),
    close: () => {
      for (const client of opened) client.close();
    },
  };
};

/** The clients of the services that the gateway calls. */
export type Backends = Omit<ReturnType<typeof openBackends>, 'close'>;
