/** The calls of the driver's page, in the session of the phone. */
import { createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { cellHeader } from '@pto/proto/headers';
import { PositionService } from '@pto/proto/operators/v1/positions';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';

/** A photo needs its time on a slow network. */
const timeoutMs = 60_000;

export const orders = createClient(
  OrderCommandService,
  createConnectTransport({ baseUrl: '/driver/rpc/orders', defaultTimeoutMs: timeoutMs }),
);

export const positions = createClient(
  PositionService,
  createConnectTransport({ baseUrl: '/driver/rpc/operators', defaultTimeoutMs: timeoutMs }),
);

/** Options of a list of one cell; an order's own cell is found by the operators service. */
export const ofCell = (cell: string) => ({ headers: { [cellHeader]: cell } });
