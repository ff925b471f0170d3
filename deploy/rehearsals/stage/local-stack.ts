/** The local stack of a rehearsal: real processes and stores, and the operator's command line. */
import { until } from '@pto/testing';
import {
  type LocalStack,
  type StartOptions,
  startLocalStack,
  unlimited,
} from '../../../e2e/local-stack.ts';
import { operator as runOperator } from '../../../e2e/operator.ts';
import type { Stage } from './rehearsal.ts';

const startMaxMs = 120_000;
const readyMaxMs = 60_000;

/** Starts the local stack, with an auditor that is quick to notice; it ends with the rehearsal. */
export const openStack = async (stage: Stage, options: StartOptions = {}): Promise<LocalStack> => {
  const stack = await startLocalStack({
    startMaxMs,
    ...options,
    env: {
      ...unlimited,
      CUSTODY_AUDITOR_PAUSE: '500ms',
      WEBHOOKS_RETRY_WAITS: '500ms,1s,2s,5s,10s',
      ...options.env,
    },
  });
  stage.atEnd(async () => {
    await stack.stop();
    stack.forget();
  });
  if (stack.file().stores.kafka.length === 0) throw new Error('needs Kafka: Java 17 and Maven');
  return stack;
};

/**
 * Runs the operator's command line; the transcript has the command, its output and its exit code.
 * @returns the output and the exit code.
 */
export const operatorOf =
  (stage: Stage, stack: LocalStack) =>
  // biome-ignore lint/suspicious/noExplicitAny: a rehearsal looks into whatever came
  async (...words: readonly string[]): Promise<{ code: number; json: any }> => {
    const { code, json, stderr } = await runOperator(stack, ...words);
    const output = `${json === null ? '' : JSON.stringify(json)}${stderr}`.trim();
    stage.note(`  $ operator ${words.join(' ')}   (exit ${code})`);
    if (output !== '')
      stage.note(`    ${output.length > 300 ? `${output.slice(0, 300)} …` : output}`);
    return { code, json };
  };

/**
 * Runs `work` while no process of these services works, as `kubectl scale --replicas=0` does it; then
 * new processes start.
 */
export const whileScaledToNone = async (
  stage: Stage,
  stack: LocalStack,
  names: readonly string[],
  work: () => Promise<void>,
): Promise<void> => {
  const pids = stack
    .file()
    .services.filter(({ name }) => names.includes(name))
    .map(({ pid }) => pid);
  stage.note(`  scale to 0: ${names.join(', ')}`);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    stage.note(`  scale up: ${names.join(', ')}`);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  }
  await until(
    async () => {
      const started = stack.file().services.filter(({ name }) => names.includes(name));
      if (started.some(({ pid }) => pids.includes(pid))) return false;
      return (await Promise.all(started.map(({ healthUrl }) => fetch(healthUrl)))).every(
        ({ ok }) => ok,
      );
    },
    { deadlineMs: readyMaxMs, what: `${names} to be ready again` },
  );
};

/** Returns one number of a service's metrics, summed over its series; undefined without a series. */
export const metricOf = async (
  stack: LocalStack,
  service: string,
  name: string,
): Promise<number | undefined> => {
  const { metricsUrl } = stack.file().services.find((one) => one.name === service)!;
  const lines = (await (await fetch(metricsUrl)).text()).split('\n');
  const values = lines
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => Number(line.split(' ').at(-1)));
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
};
