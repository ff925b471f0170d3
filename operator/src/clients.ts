import { userInfo } from 'node:os';
import { readConfig, text, url } from '@pto/config';
import { AccessService } from '@pto/proto/access/v1/access';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { LedgerService } from '@pto/proto/custody/v1/custody';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { ViolationService } from '@pto/proto/orders/v1/violations';
import { DeliveryService } from '@pto/proto/webhooks/v1/webhooks';
import { connectClient, rpcClientSettings } from '@pto/rpc';

export const settings = {
  ...rpcClientSettings,
  gatewayUrl: url('OPERATOR_GATEWAY_URL', ['http', 'https']),
  ordersUrl: url('OPERATOR_ORDERS_URL', ['http', 'https']),
  custodyUrl: url('OPERATOR_CUSTODY_URL', ['http', 'https']),
  webhooksUrl: url('OPERATOR_WEBHOOKS_URL', ['http', 'https']),
  operatorToken: text('OPERATOR_TOKEN', { secret: true }),
  /** Who acts, as it is recorded with what is acknowledged; else the name of the system's user. */
  operatorName: text('OPERATOR_NAME', { fallback: '' }),
};

/** The services' internal ports. */
export const openClients = (environment: NodeJS.ProcessEnv) => {
  const config = readConfig(settings, environment).settings;
  const at = (base: string, timeoutMs = 10_000) => ({
    urls: [base],
    operatorToken: config.operatorToken,
    tls: config,
    timeoutMs,
  });
  return {
    operatorName: config.operatorName || userInfo().username,
    access: connectClient(AccessService, at(config.gatewayUrl)),
    orders: connectClient(OrderCommandService, at(config.ordersUrl)),
    violations: connectClient(ViolationService, at(config.ordersUrl)),
    ledger: connectClient(LedgerService, at(config.custodyUrl, 30_000)),
    deliveries: connectClient(DeliveryService, at(config.webhooksUrl)),
    /** Every service that consumes keeps its own dead letters. */
    deadLetters: {
      orders: connectClient(DeadLetterService, at(config.ordersUrl)),
      custody: connectClient(DeadLetterService, at(config.custodyUrl)),
      webhooks: connectClient(DeadLetterService, at(config.webhooksUrl)),
    },
  };
};

export type Clients = ReturnType<typeof openClients>;
/** Opened by the command that needs them, so that --help needs no settings. */
export type OpenClients = () => Clients;
