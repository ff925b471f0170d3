import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { deliveriesOf, underTest } from '../under-test.ts';
import { environmentOf, eventsOf, startReplica } from '../webhooks-service.ts';

// long enough that the process is killed before the attempt ends
const short = { WEBHOOKS_ATTEMPT_TIMEOUT: '3s' };
const under = underTest(short, 0);
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The service in a process of its own, which can be killed. */
const startProcess = async (environment: Record<string, string>): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  const started = () => output.includes('"msg":"started"');
  await until(started, { what: 'the process to start' }).catch((error) => {
    child.kill('SIGKILL'); // else jest waits for its end
    throw error;
  });
  return child;
};

test('killed in the middle of an attempt: the same delivery id goes out again', async () => {
  const environment = environmentOf(under.stores, {
    WEBHOOKS_CA_FILE: under.authority.caFile,
    ...short,
  });
  const setUp = await startReplica(under.stores, {
    WEBHOOKS_CA_FILE: under.authority.caFile,
    ...short,
  });
  const receiver = await under.receiver(() => {});
  const organizationId = '0192f0c1-2b3c-4d5e-8f60-718293a4b5c6';
  const { endpoint } = await setUp.webhooks.createEndpoint({ organizationId, url: receiver.url });
  await setUp.stop();

  const child = await startProcess(environment);
  try {
    await under.stores.publish(eventsOf(organizationId, 1));
    await until(() => receiver.received.length === 1, { what: 'the first attempt' });
  } finally {
    child.kill('SIGKILL');
  }
  receiver.answer = 204;
  const heir = await startReplica(under.stores, {
    WEBHOOKS_CA_FILE: under.authority.caFile,
    ...short,
  });
  try {
    const [delivery] = await deliveriesOf(heir, endpoint!.id, 'DELIVERED');
    expect(receiver.received.map((post) => post.id)).toEqual([delivery!.id, delivery!.id]);
    expect(delivery!.attempts).toMatchObject([{ error: 'lost' }, { error: '', statusCode: 204 }]);
  } finally {
    await heir.stop();
  }
}, 90_000);
