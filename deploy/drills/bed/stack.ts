/** The local stack of a drill: real processes and stores, and the operator's command line. */
import { until } from '@pto/testing';
import {
  type LocalStack,
  type StartOptions,
  startLocalStack,
  unlimited,
} from '../../../e2e/local-stack.ts';
import { operator as runOperator } from '../../../e2e/operator.ts';
import type { Bed } from '../drill.ts';

/**
 * How long a process serves on when its successor is ready, in ms: `drainSeconds` of the charts, the
 * time between the end of a pod and its SIGTERM.
 */
export const drainMs = 10_000;
const startMaxMs = 240_000;
const readyMaxMs = 60_000;
const lookEachMs = 100;

/** Starts the local stack, with an auditor that is quick to notice; it ends with the drill. */
export const openStack = async (bed: Bed, options: StartOptions = {}): Promise<LocalStack> => {
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
  bed.atEnd(async () => {
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
  (bed: Bed, stack: LocalStack) =>
  // biome-ignore lint/suspicious/noExplicitAny: a drill looks into whatever came
  async (...words: readonly string[]): Promise<{ code: number; json: any }> => {
    const { code, json, stderr } = await runOperator(stack, ...words);
    const output = `${json === null ? '' : JSON.stringify(json)}${stderr}`.trim();
    bed.note(`  $ operator ${words.join(' ')}   (exit ${code})`);
    if (output !== '')
      bed.note(`    ${output.length > 300 ? `${output.slice(0, 300)} …` : output}`);
    return { code, json };
  };

export type Operator = ReturnType<typeof operatorOf>;

/**
 * Runs `work` while no process of these services works, as `kubectl scale --replicas=0` does it; then
 * new processes start.
 */
export const whileScaledToNone = async (
  bed: Bed,
  stack: LocalStack,
  names: readonly string[],
  work: () => Promise<void> = async () => {},
): Promise<void> => {
  const own = () => stack.file().services.filter(({ name }) => names.includes(name));
  const pids = own().map(({ pid }) => pid);
  bed.note(`  scale to 0: ${names.join(', ')}`);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    bed.note(`  scale up: ${names.join(', ')}`);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  }
  await until(
    async () => {
      const started = own();
      if (started.some(({ pid }) => pids.includes(pid))) return false;
      return (await Promise.all(started.map(({ healthUrl }) => isReady(healthUrl)))).every(Boolean);
    },
    { deadlineMs: readyMaxMs, what: `${names} to be ready again` },
  );
};

/** Returns the stack whose gateways are those that are ready, as partners see it behind an ingress. */
export const behindIngress = (bed: Bed, stack: LocalStack): LocalStack => {
  let { gateways } = stack.file();
  const look = async () => {
    const file = stack.file();
    const own = file.services.filter(({ name }) => name === 'gateway');
    const states = await Promise.all(own.map(({ healthUrl }) => isReady(healthUrl)));
    gateways = own.filter((_, n) => states[n]).map(({ replica }) => file.gateways[replica]!);
  };
  const timer = setInterval(() => void look(), lookEachMs);
  bed.atEnd(() => clearInterval(timer));
  return { ...stack, file: () => ({ ...stack.file(), gateways }) };
};

const isReady = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(1000) }).then(
    ({ ok }) => ok,
    () => false,
  );
