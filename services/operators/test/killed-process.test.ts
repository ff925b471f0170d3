import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AuditService } from '@pto/proto/operators/v1/operators';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { operatorClient } from '@pto/rpc';
import { freePort, until } from '@pto/testing';
import { emptyServices } from './behind.ts';
import {
  type Behind,
  type OperatorsUnderTest,
  startBehind,
  startOperatorsService,
  tokenOf,
} from './operators-service.ts';

const main = new URL('../src/main.ts', import.meta.url).pathname;
const orderId = '01900000-0000-7000-8000-000000000001';

let child: ChildProcess;
let behind: Behind;
let under: OperatorsUnderTest;
beforeAll(async () => {
  behind = await startBehind(
    emptyServices(async (_, rpc) => {
      if (rpc === 'AcceptOrder') child.kill('SIGKILL');
      return {};
    }),
  );
  under = await startOperatorsService({ behind });
});
afterAll(async () => {
  child.kill('SIGKILL');
  await under.stop();
  await behind.stop();
});

test('an action whose process is killed before its end is recorded with the outcome unknown', async () => {
  const [port, admin, connect] = [await freePort(), await freePort(), await freePort()];
  const { NODE_OPTIONS, ...inherited } = process.env;
  child = spawn(process.execPath, [main], {
    env: {
      ...inherited,
      ...under.environment,
      OPERATORS_PORT: `${port}`,
      ADMIN_PORT: `${admin}`,
      CONNECT_PORT: `${connect}`,
    },
  });
  let output = '';
  child.stdout!.on('data', (part) => {
    output += part;
  });
  await until(() => output.includes('"msg":"started"'), {
    deadlineMs: 60_000,
    what: 'a started operators service',
  });
  const token = await tokenOf(under.database);
  const orders = operatorClient(OrderCommandService, {
    url: `https://127.0.0.1:${port}/orders`,
    caFile: under.caFile,
    credential: async () => token,
  });
  await expect(orders.acceptOrder({ circumstances: { orderId } })).rejects.toMatchObject({
    kind: 'SERVICE_UNAVAILABLE',
  });
  const audit = under.client(AuditService, 'operators', token);
  const { actions } = await audit.listActions({ outcome: 'unknown', target: orderId });
  expect(actions).toMatchObject([{ operatorName: 'Ada Operator', target: orderId }]);
  expect(actions[0]!.durationMs).toBeUndefined();
});
