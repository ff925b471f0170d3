import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeSamples } from '../../src/openapi/code-samples.ts';
import { deliveryId, endpointId, linkId, orderId } from '../../src/openapi/example-values.ts';
import { routeTable } from '../../src/routes/table.ts';
import { type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';
import { answeringServices } from './answering-services.ts';

const run = promisify(execFile);
const rows = routeTable({} as never, 'sandbox')
  .filter(({ linksOnly }) => !linksOnly)
  .map((row) => [row.name, row] as const);
const folder = mkdtempSync(join(tmpdir(), 'samples-'));
let under: GatewayUnderTest;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_WRITES_PER_MINUTE: '10000' },
    behind: answeringServices(),
  });
  const { key } = await partnerOf(under);
  const [ORDER_ID, ENDPOINT_ID, DELIVERY_ID] = [orderId, endpointId, deliveryId];
  const SHA256 = 'ab'.repeat(32);
  const ids = { ORDER_ID, ENDPOINT_ID, DELIVERY_ID, LINK_ID: linkId, KEY_ID: linkId, SHA256 };
  environment = { PATH: process.env.PATH, HOME: folder, API: under.baseUrls[0], KEY: key, ...ids };
});
afterAll(async () => {
  await under.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ['curl', 'sh', 'sh', 'curl'],
  ['TypeScript', process.execPath, 'mts', process.execPath],
  ['Python', 'python3', 'py', 'python3'],
])('the samples in %s', (label, command, extension, needed) => {
  const isHere = spawnSync(needed, ['--version']).status === 0;
  if (!isHere) process.stderr.write(`\n*** TESTS WILL BE SKIPPED: there is no ${needed}\n\n`);
  const each = isHere ? test.each : test.skip.each;
  const sampleOf = (row: (typeof rows)[number][1]) =>
    codeSamples(row).find((sample) => sample.label === label)!.source;
  const execute = (name: string, source: string, env: NodeJS.ProcessEnv) => {
    const file = join(folder, `${name}.${extension}`);
    writeFileSync(file, source);
    return run(command, [file], { env, timeout: 20_000 });
  };

  each(rows)('%s is executed as shown and gets a success', async (name, row) => {
    const { stdout } = await execute(name, sampleOf(row), environment);
    const printsNothing = row.success === 204 && label !== 'Python';
    expect(stdout.length > 0).toBe(!printsNothing);
  });

  each(rows.slice(0, 1))('%s fails if the key is not valid', async (name, row) => {
    const wrong = execute(name, sampleOf(row), { ...environment, KEY: 'no' });
    await expect(wrong).rejects.toThrow();
  });
});
