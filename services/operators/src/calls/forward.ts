import type { DescMethod, Message } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { ConfigError } from '@pto/config';
import type { Sql } from '@pto/database';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import type { CallingCarrier, ProcessName } from '@pto/proto/callers';
import { LedgerService } from '@pto/proto/custody/v1/custody';
import { StatusService } from '@pto/proto/operators/v1/status';
import { OrderCommandService, type ShowOrderResponse } from '@pto/proto/orders/v1/commands';
import { ViolationService } from '@pto/proto/orders/v1/violations';
import { DeliveryService } from '@pto/proto/webhooks/v1/webhooks';
import { type CallContext, type ConnectMount, connectClient } from '@pto/rpc';
import { fillRecord } from '../carriers/fill-record.ts';
import { sendToCell } from '../cells.ts';
import type { OperatorsSettings } from '../config.ts';
import { textAt } from '../fields.ts';
import type { Operator } from '../identity/operator.ts';

interface RemoteMount extends ConnectMount {
  readonly prefix: ProcessName;
}

/** The services to which operators' calls are forwarded. The prefix is the process's name. */
export const remoteMounts: readonly RemoteMount[] = [
  {
    prefix: 'orders',
    services: [OrderCommandService, ViolationService, DeadLetterService, StatusService],
  },
  { prefix: 'custody', services: [LedgerService, DeadLetterService, StatusService] },
  { prefix: 'webhooks', services: [DeliveryService, DeadLetterService, StatusService] },
];

/** A call to forward. */
export interface ForwardedCall {
  /** Names the process (`remoteMounts`). */
  readonly prefix: string;
  readonly method: DescMethod;
  readonly request: Message;
  /** The cell that the operator has named; undefined: none. */
  readonly cell: string | undefined;
}

/** Forwards a call in the operator's name to its cell. */
export type Forward = (
  call: ForwardedCall,
  operator: Operator,
  context: CallContext,
) => Promise<object>;

type Call = (request: object, options: object) => Promise<object>;

/** Returns the cells, the main one first. @throws ConfigError if the settings name different ones */
export const cellsOf = ({
  ordersUrls,
  custodyUrls,
  webhooksUrls,
}: OperatorsSettings): readonly string[] => {
  const [first, ...others] = [ordersUrls, custodyUrls, webhooksUrls].map((urls) => [
    ...urls.keys(),
  ]);
  if (others.some((names) => `${names.toSorted()}` !== `${first!.toSorted()}`))
    throw new ConfigError(['ORDERS_URL, CUSTODY_URL and WEBHOOKS_URL name different cells']);
  return first!;
};

/**
 * Opens a client of each service in each cell.
 * @throws ConfigError as `cellsOf`
 */
export const openTargets = (settings: OperatorsSettings, sql: Sql): Forward => {
  const cells = cellsOf(settings);
  const urls: Readonly<Record<string, ReadonlyMap<string, readonly string[]>>> = {
    orders: settings.ordersUrls,
    custody: settings.custodyUrls,
    webhooks: settings.webhooksUrls,
  };
  const nameOf = (cell: string, prefix: string, service: string) => `${cell}/${prefix}/${service}`;
  const clients = new Map<string, Record<string, Call>>(
    remoteMounts.flatMap(({ prefix, services }) =>
      services.flatMap((service) =>
        cells.map((cell) => {
          const to = { urls: urls[prefix]!.get(cell)!, server: prefix, tls: settings };
          const client = connectClient(service, to) as unknown as Record<string, Call>;
          return [nameOf(cell, prefix, service.typeName), client] as const;
        }),
      ),
    ),
  );
  return ({ prefix, method, request, cell: named }, operator, { deadline, signal }) => {
    const { typeName: service } = method.parent;
    const isRead = method.idempotency === Idempotency.NO_SIDE_EFFECTS;
    const to = (
      cell: string,
      [process, of, rpc]: RpcOf,
      sent: object,
      by = deadline,
      party?: CallingCarrier,
    ) =>
      clients.get(nameOf(cell, process, of))![rpc]!(sent, {
        ...{ deadline: by, signal, operator: operator.name, party },
      });
    const orderIn = async (cell: string, orderId: string, by = deadline) =>
      ((await to(cell, showOrder, { orderId }, by)) as ShowOrderResponse).order;
    const read = readBefore(service, method.name);
    return sendToCell(
      sql,
      cells,
      { service, rpc: method.name, request, isRead, named, deadline },
      {
        send: async (cell, by) => {
          const filled = await fillRecord(
            sql,
            { method, request },
            async (orderId) => (await orderIn(cell, orderId, by))?.carrierId ?? '',
            operator.carrier,
          );
          return to(
            cell,
            [prefix, service, method.localName],
            filled,
            by,
            operator.driver ?? operator.carrier,
          );
        },
        organizationOf: async (cell, orderId, by) =>
          (await orderIn(cell, orderId, by))!.organizationId,
        find: read && ((cell, by) => to(cell, read, { id: textAt(request, 'id') }, by)),
      },
    );
  };
};

/** The process, the service and the local name of an RPC. */
type RpcOf = readonly [process: string, service: string, rpc: string];

const showOrder: RpcOf = ['orders', OrderCommandService.typeName, 'showOrder'];

/** Returns the RPC that reads what a change names by its id; undefined if there is none. */
const readBefore = (service: string, rpc: string): RpcOf | undefined =>
  service === DeliveryService.typeName
    ? ['webhooks', service, rpc === 'ReplayDelivery' ? 'getDelivery' : 'showEndpoint']
    : undefined;
