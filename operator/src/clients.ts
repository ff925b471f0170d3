import { readConfig, text, url } from '@pto/config';
import { AccessService } from '@pto/proto/access/v1/access';
import { MoveService } from '@pto/proto/access/v1/moves';
import { OrderLinkService } from '@pto/proto/access/v1/order_links';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { LedgerService } from '@pto/proto/custody/v1/custody';
import { CarrierService } from '@pto/proto/operators/v1/carriers';
import { DriverService } from '@pto/proto/operators/v1/drivers';
import { AuditService, OperatorService, SignInService } from '@pto/proto/operators/v1/operators';
import { StatusService } from '@pto/proto/operators/v1/status';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { ViolationService } from '@pto/proto/orders/v1/violations';
import { DeliveryService } from '@pto/proto/webhooks/v1/webhooks';
import { operatorClient } from '@pto/rpc';
import { credentialOf } from './session/credential.ts';
import { sessionPath } from './session/session-file.ts';

const ledgerTimeoutMs = 30_000;
const statusTimeoutMs = 4000;

/**
 * Opens clients of the operators service, which forwards calls to the services.
 * @param cell the cell of the installation to call; undefined: the service finds it, or requires its
 *   name.
 */
export const openClients = (environment: NodeJS.ProcessEnv, cell?: string) => {
  const config = readConfig(settings, environment).settings;
  const sessionFile = config.sessionFile || sessionPath(environment);
  const credential = credentialOf({ ...config, sessionFile });
  const base = config.operatorUrl.replace(/\/+$/, '');
  const at = (prefix: string, timeoutMs = 10_000) => ({
    url: `${base}/${prefix}`,
    caFile: config.caFile,
    credential,
    timeoutMs,
    ...(cell !== undefined && { cell }),
  });
  return {
    operatorUrl: base,
    sessionFile,
    usesToken: config.token !== '',
    signIn: operatorClient(SignInService, {
      ...at('operators'),
      credential: async () => undefined,
    }),
    operators: operatorClient(OperatorService, at('operators')),
    audit: operatorClient(AuditService, at('operators')),
    carriers: operatorClient(CarrierService, at('operators')),
    drivers: operatorClient(DriverService, at('operators')),
    access: operatorClient(AccessService, at('access')),
    orderLinks: operatorClient(OrderLinkService, at('access')),
    moves: operatorClient(MoveService, at('access')),
    orders: operatorClient(OrderCommandService, at('orders')),
    violations: operatorClient(ViolationService, at('orders')),
    ledger: operatorClient(LedgerService, at('custody', ledgerTimeoutMs)),
    deliveries: operatorClient(DeliveryService, at('webhooks')),
    /** Clients for the measurements of each service. */
    status: {
      orders: operatorClient(StatusService, at('orders', statusTimeoutMs)),
      custody: operatorClient(StatusService, at('custody', statusTimeoutMs)),
      webhooks: operatorClient(StatusService, at('webhooks', statusTimeoutMs)),
    },
    /** Clients for dead letters: each consuming service stores its own. */
    deadLetters: {
      orders: operatorClient(DeadLetterService, at('orders')),
      custody: operatorClient(DeadLetterService, at('custody')),
      webhooks: operatorClient(DeadLetterService, at('webhooks')),
    },
  };
};

export type Clients = ReturnType<typeof openClients>;
/** Opens the clients when a command needs them, so that --help needs no settings. */
export type OpenClients = () => Clients;

/** What names the next page, by the kind of the list; absent or empty at the end. */
interface Page {
  readonly nextId?: string | undefined;
  readonly nextCursor?: string | undefined;
  readonly nextPageToken?: string | undefined;
}

/**
 * Returns the items of a paged list: requests the page after each `next…` until there is none or
 * there are enough.
 * @param itemsOf returns the items of a page.
 * @param limit maximum number of items; 0: all.
 */
export const everyPage = async <Paged extends Page, Item>(
  page: (after: string) => Promise<Paged>,
  itemsOf: (page: Paged) => readonly Item[],
  limit = 0,
): Promise<Item[]> => {
  const all: Item[] = [];
  let after = '';
  do {
    const found: Paged = await page(after);
    all.push(...itemsOf(found));
    after = found.nextId || found.nextCursor || found.nextPageToken || '';
  } while (after !== '' && (limit === 0 || all.length < limit));
  return limit === 0 ? all : all.slice(0, limit);
};

const settings = {
  /** URL of the operators service. */
  operatorUrl: url('OPERATOR_URL', ['https']),
  /** PEM file of the trusted authorities. If empty, Node's default CA certificates are trusted. */
  caFile: text('OPERATOR_CA_FILE', { fallback: '' }),
  /** Personal token. If empty, the session of `operator login` is used. */
  token: text('OPERATOR_TOKEN', { secret: true, fallback: '' }),
  /** Path of the session file. If empty, the path of `sessionPath` is used. */
  sessionFile: text('OPERATOR_SESSION_FILE', { fallback: '' }),
};
