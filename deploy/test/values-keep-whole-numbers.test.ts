import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { findProgram } from './programs.ts';
import { manifests, render } from './rendered.ts';

const dir = mkdtempSync(join(tmpdir(), 'pto-numbers-'));
afterAll(() => rmSync(dir, { recursive: true }));

// --set reads whole numbers as such; a values file is where they become floats
const values = join(dir, 'values.yaml');
writeFileSync(
  values,
  `
gateway:
  env: { GATEWAY_READS_PER_MINUTE: 2000000, GATEWAY_REPLICAS: 1, GATEWAY_DRAIN: 5s }
orders:
  env: { DATABASE_POOL_MAX: 12345678901, ORDERS_GEOCODER: "2000000" }
  jobs: { migrate: { deadlineSeconds: 2000000, env: { LOG_LEVEL: info } } }
  scratch: { tmp: { path: /tmp, size: 104857600 } }
  resources: { limits: { memory: 536870912 } }
custody:
  env: { KAFKA_TLS: false }
  persistence: { anchor: { path: /anchor, size: 10737418240, access: ReadWriteMany } }
`,
);

(findProgram('helm') ? test : test.skip)('whole numbers of any size are rendered as such', () => {
  const text = render('local', ['-f', values]);
  expect(text).not.toMatch(/\de\+\d/);
  const all = manifests(text);
  const find = (kind: string, name: string) =>
    all.find((one) => one.kind === kind && one.metadata.name === name)!.spec;
  const setting = (name: string, variable: string) =>
    find('Deployment', name).template.spec.containers[0].env.find(
      (one: { name: string }) => one.name === variable,
    ).value;
  expect(setting('gateway', 'GATEWAY_READS_PER_MINUTE')).toBe('2000000');
  expect(setting('gateway', 'GATEWAY_REPLICAS')).toBe('1');
  expect(setting('gateway', 'GATEWAY_DRAIN')).toBe('5s');
  expect(setting('orders', 'DATABASE_POOL_MAX')).toBe('12345678901');
  expect(setting('orders', 'ORDERS_GEOCODER')).toBe('2000000');
  expect(setting('custody', 'KAFKA_TLS')).toBe('false');
  expect(find('Job', 'orders-migrate').activeDeadlineSeconds).toBe(2_000_000);
  const [tmp] = find('Deployment', 'orders').template.spec.volumes.filter(
    (one: { name: string }) => one.name === 'tmp',
  );
  expect(tmp.emptyDir.sizeLimit).toBe(104_857_600);
});
