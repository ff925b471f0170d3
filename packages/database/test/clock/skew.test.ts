import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createTelemetry } from '@pto/telemetry';
import { freePort, type TestDatabase, testDatabase, until } from '@pto/testing';
import { watchClock } from '../../src/clock-skew.ts';

const shiftedClock = new URL('./shifted-clock.ts', import.meta.url).pathname;
const program = new URL('./a-process-with-a-database.ts', import.meta.url).pathname;
let database: TestDatabase;
let child: ChildProcess | undefined;
beforeAll(async () => {
  database = await testDatabase('clock');
});
afterEach(() => {
  child?.kill('SIGKILL');
});
afterAll(() => database.drop());

const start = async (shiftMs: number) => {
  const port = await freePort();
  const { NODE_OPTIONS, ...rest } = process.env;
  const started = spawn(process.execPath, ['--import', shiftedClock, program], {
    env: {
      ...rest,
      DATABASE_URL: database.serviceUrl,
      BIND_HOST: '127.0.0.1',
      ADMIN_PORT: `${port}`,
      CLOCK_SHIFT_MS: `${shiftMs}`,
    },
  });
  child = started;
  let output = '';
  started.stdout.on('data', (part) => {
    output += part;
  });
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  await until(() => get('/livez'), { what: 'the process' });
  return {
    get,
    skew: async () =>
      Number(/^clock_skew_seconds\S* (\S+)$/m.exec((await get('/metrics')).text)?.[1]),
    lines: () =>
      output
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    correct: () => started.kill('SIGUSR2'),
  };
};

test.each([
  [7_200_000, "clock: this process's clock is 7200 s ahead of the database's\n"],
  [-90_000, "clock: this process's clock is 90 s behind the database's\n"],
])(
  'a process that is %s ms off is not ready, says why, and is ready once corrected',
  async (shiftMs, reason) => {
    const under = await start(shiftMs);
    expect(await under.get('/readyz')).toEqual({ status: 503, text: reason });
    expect((await under.skew()) * 1000).toBeGreaterThan(shiftMs - 2000);
    expect((await under.skew()) * 1000).toBeLessThan(shiftMs + 2000);
    const wrong = () => under.lines().filter(({ level }) => level === 'error');
    expect(wrong()).toEqual([expect.objectContaining({ skewSeconds: shiftMs / 1000 })]);
    under.correct();
    await until(async () => (await under.get('/readyz')).status === 200, { what: 'readiness' });
    expect(Math.abs(await under.skew())).toBeLessThan(2);
    expect(wrong()).toHaveLength(1);
  },
);

test('a process that is 30 s off is ready and shows it', async () => {
  const under = await start(30_000);
  expect((await under.get('/readyz')).status).toBe(200);
  expect(Math.round(await under.skew())).toBe(30);
});

test('a database that does not answer makes no clock wrong, and the skew is not shown', async () => {
  const telemetry = createTelemetry({ service: 'test', write: () => {} });
  const query = async () => {
    throw new Error('unavailable');
  };
  const clock = watchClock({ query }, telemetry);
  await clock.check();
  clock.stop();
  const { values } = await telemetry.metrics.getSingleMetric('clock_skew_seconds')!.get();
  expect(values).toEqual([]);
});
