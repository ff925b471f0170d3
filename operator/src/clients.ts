import { userInfo } from 'node:os';
import { readConfig, text, url } from '@pto/config';
import { AccessService } from '@pto/proto/access/v1/access';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import type { ProcessName } from '@pto/proto/callers';
import { LedgerService } from '@pto/proto/custody/v1/custody';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { ViolationService } from '@pto/proto/orders/v1/violations';
import { DeliveryService } from '@pto/proto/webhooks/v1/webhooks';
import { connectClient, rpcClientSettings } from '@pto/rpc';

export const settings = {
  ...rpcClientSettings,
  gatewayUrl: url('OPERATOR_GATEWAY_URL', ['https']),
  ordersUrl: url('OPERATOR_ORDERS_URL', ['https']),
  custodyUrl: url('OPERATOR_CUSTODY_URL', ['https']),
  webhooksUrl: url('OPERATOR_WEBHOOKS_URL', ['https']),
  /** Who acts, as it is recorded with what is acknowledged; else the name of the system's user. */
  operatorName: text('OPERATOR_NAME', { fallback: '' }),
};

/** The services' internal ports. */
export const openClients = (environment: NodeJS.ProcessEnv) => {
  const config = readConfig(settings, environment).settings;
  const operatorName = config.operatorName || userInfo().username;
  const at = (server: ProcessName, base: string, timeoutMs = 10_000) => ({
    urls: [base],
    server,
    operator: operatorName,
    tls: config,
    timeoutMs,
  });
  const orders = at('orders', config.ordersUrl);
  const custody = at('custody', config.custodyUrl, 30_000);
  const webhooks = at('webhooks', config.webhooksUrl);
  return {
    operatorName,
    access: connectClient(AccessService, at('gateway', config.gatewayUrl)),
    orders: connectClient(OrderCommandService, orders),
    violations: connectClient(ViolationService, orders),
    ledger: connectClient(LedgerService, custody),
    deliveries: connectClient(DeliveryService, webhooks),
    /** Every service that consumes stores its own dead letters. */
    deadLetters: {
      orders: connectClient(DeadLetterService, orders),
      custody: connectClient(DeadLetterService, custody),
      webhooks: connectClient(DeadLetterService, webhooks),
    },
  };
};

export type Clients = ReturnType<typeof openClients>;
/** Opened by the command that needs them, so that --help needs no settings. */
export type OpenClients = () => Clients;
