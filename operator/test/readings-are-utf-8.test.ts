import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { type Handlers, implement } from '@pto/rpc';
import { type FakeGateway, startGateway } from './operator-command.ts';
import { runHere } from './output/run-here.ts';

const id = '01900000-0000-7000-8000-000000000001';
const sent: { readings: { content: Uint8Array } }[] = [];
const folder = mkdtempSync(join(tmpdir(), 'readings-'));
const file = join(folder, 'readings.csv');

let gateway: FakeGateway;
beforeAll(async () => {
  const handlers = {
    recordCondition: async (request: (typeof sent)[number]) => {
      sent.push(request);
      return { payloadJson: '{}' };
    },
  } as unknown as Handlers<typeof OrderCommandService>;
  gateway = await startGateway({ orders: [implement(OrderCommandService, handlers)] });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await gateway.stop();
});

const condition = () =>
  runHere(gateway, ['order', 'condition', id, '--file', file, '--device', 'D']);
const csv = 'time,value,note\n2026-01-01T00:00:00Z,4,Kühlkette\n';

test('readings in another encoding are wrong usage, and nothing is sent', async () => {
  writeFileSync(file, csv, 'latin1');
  const { code, stderr } = await condition();
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${file} is not UTF-8: line 2,`)]);
  expect(sent).toEqual([]);
});

test('readings in UTF-8 are sent byte for byte, with their byte order mark', async () => {
  writeFileSync(file, `\ufeff${csv}`);
  expect((await condition()).code).toBe(0);
  expect(Buffer.from(sent[0]!.readings.content).toString()).toBe(`\ufeff${csv}`);
});
