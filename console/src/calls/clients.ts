/** Clients of the RPCs that the console forwards in the operator's name. */
import type { DescService, Message } from '@bufbuild/protobuf';
import { createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { AccessService } from '@pto/proto/access/v1/access';
import { MoveService } from '@pto/proto/access/v1/moves';
import { OrderLinkService } from '@pto/proto/access/v1/order_links';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { LedgerService } from '@pto/proto/custody/v1/custody';
import { cellHeader, unattendedHeader } from '@pto/proto/headers';
import { CarrierService } from '@pto/proto/operators/v1/carriers';
import { DriverService } from '@pto/proto/operators/v1/drivers';
import { AuditService, OperatorService } from '@pto/proto/operators/v1/operators';
import { PositionService } from '@pto/proto/operators/v1/positions';
import { StatusService } from '@pto/proto/operators/v1/status';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { ViolationService } from '@pto/proto/orders/v1/violations';
import { DeliveryService } from '@pto/proto/webhooks/v1/webhooks';
import { chosenCell } from './cell.ts';
import { pageRequestId } from './page-request-id.ts';
import { isUnattended } from './unattended.ts';

/** As the command line's. A page that shows old data for longer must say so. */
const timeoutMs = 10_000;

/**
 * Whether a request names an order, endpoint or delivery, whose cell the operators service finds. The
 * chosen cell is that of the lists, and would win over it.
 */
const findsItsCell = ({ typeName }: DescService, message: Message): boolean => {
  const { id, endpointId, orderId } = message as Readonly<Record<string, unknown>>;
  return Boolean(orderId || endpointId || (typeName === DeliveryService.typeName && id));
};

const withHeaders: Interceptor = (next) => (request) => {
  request.header.set('x-request-id', pageRequestId());
  if (isUnattended()) request.header.set(unattendedHeader, '1');
  const cell = chosenCell();
  const isFound = !request.stream && findsItsCell(request.service, request.message);
  if (cell !== undefined && !isFound) request.header.set(cellHeader, cell);
  return next(request);
};

const at = <S extends DescService>(process: string, service: S) =>
  createClient(
    service,
    createConnectTransport({
      baseUrl: `/rpc/${process}`,
      interceptors: [withHeaders],
      defaultTimeoutMs: timeoutMs,
    }),
  );

/** The processes that answer for their own state. */
export const processes = ['orders', 'custody', 'webhooks'] as const;
export type Process = (typeof processes)[number];

const ofEach = <S extends DescService>(service: S) => ({
  orders: at('orders', service),
  custody: at('custody', service),
  webhooks: at('webhooks', service),
});

export const clients = {
  operators: at('operators', OperatorService),
  audit: at('operators', AuditService),
  carriers: at('operators', CarrierService),
  drivers: at('operators', DriverService),
  positions: at('operators', PositionService),
  access: at('access', AccessService),
  moves: at('access', MoveService),
  orderLinks: at('access', OrderLinkService),
  orders: at('orders', OrderCommandService),
  violations: at('orders', ViolationService),
  ledger: at('custody', LedgerService),
  deliveries: at('webhooks', DeliveryService),
  deadLetters: ofEach(DeadLetterService),
  status: ofEach(StatusService),
};
