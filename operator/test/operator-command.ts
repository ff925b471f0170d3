import { execFile } from 'node:child_process';
import { createServer } from 'node:https';
import { Failure } from '@pto/errors';
import { listening } from '@pto/lifecycle';
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
import { connectListener, type Implementation } from '@pto/rpc';
import { createTelemetry } from '@pto/telemetry';
import { makeAuthority } from '@pto/testing';
import { openPrograms } from '../../local/src/processes/programs.ts';

/** Bundled, as operators have it: a start from the sources takes twice the time. */
export const program = (await openPrograms(undefined)).fileOf('operator');
const mounts = [
  { prefix: 'access', services: [AccessService, OrderLinkService, MoveService] },
  {
    prefix: 'operators',
    services: [SignInService, OperatorService, CarrierService, DriverService, AuditService],
  },
  {
    prefix: 'orders',
    services: [OrderCommandService, ViolationService, DeadLetterService, StatusService],
  },
  { prefix: 'custody', services: [LedgerService, DeadLetterService, StatusService] },
  { prefix: 'webhooks', services: [DeliveryService, DeadLetterService, StatusService] },
];

export interface FakeGateway {
  readonly url: string;
  readonly caFile: string;
  /** Headers of each call. */
  readonly calls: { rpc: string; authorization?: string | undefined; requestId: unknown }[];
  stop(): Promise<void>;
}

/** An operators service over HTTPS whose services the test answers; the rest does not answer. */
export const startGateway = async (
  behind: Readonly<Record<string, readonly Implementation[]>>,
): Promise<FakeGateway> => {
  const authority = makeAuthority();
  const calls: FakeGateway['calls'] = [];
  const listener = connectListener({
    mounts,
    admit: async () => {},
    forAnyone: [],
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
    handle: async ({ prefix, method, request, http, context }) => {
      const { authorization, 'x-request-id': requestId } = http.headers;
      calls.push({ rpc: method.name, authorization, requestId });
      const found = behind[prefix]?.find(({ service }) => service === method.parent);
      if (!found) throw new Failure('SERVICE_UNAVAILABLE', `${prefix} does not answer.`);
      return found.handlers[method.localName]!(request as never, context);
    },
  });
  const server = createServer({ cert: authority.cert, key: authority.key }, listener);
  const port = await listening(server, 0, '127.0.0.1');
  return {
    url: `https://127.0.0.1:${port}`,
    caFile: authority.caFile,
    calls,
    stop: () =>
      new Promise((resolve) => {
        authority.forget();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

type Target = Pick<FakeGateway, 'url' | 'caFile'>;

/** The environment of an operator who has a personal token. */
export const environmentOf = ({ url, caFile }: Target): NodeJS.ProcessEnv => {
  const { NODE_OPTIONS, ...rest } = process.env;
  return {
    ...rest,
    OPERATOR_URL: url,
    OPERATOR_CA_FILE: caFile,
    OPERATOR_TOKEN: 'opt_of-a-test',
  };
};

/** Runs the command line as an operator does. */
export const runCommand = (
  gateway: Target,
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ code: number; stdout: string; stderr: string }> => {
  const env = { ...environmentOf(gateway), ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
};
