/** The stores of a run, with a proxy before PostgreSQL and Redis, and ways to hurt them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { startStores } from '@pto/stores';
import { openClocks } from '../../clocks.ts';
import { environmentOf } from '../../kill.ts';
import { openPacketFilter } from './packet-filter.ts';
import { startProxy, type TcpProxy } from './tcp-proxy.ts';

type StoreName = 'postgres' | 'redis' | 'kafka';

/** Starts the stores in a folder. */
export const startStand = async (dir: string, say: (line: string) => void) => {
  const want = { postgres: undefined, redis: undefined, kafka: undefined };
  const stores = await startStores({ dir, want, onProgress: say });
  const pids: Record<StoreName, number | undefined> = {
    postgres: stores.postgres.pid,
    redis: stores.redis?.pid,
    kafka: stores.kafka?.pid,
  };
  const again: ChildProcess[] = [];
  /** By the names that the plan uses. */
  const proxies: Record<string, TcpProxy> = {};
  const through = async (name: string, url: string): Promise<string> => {
    const { hostname: host, port } = new URL(url);
    proxies[name] = await startProxy({ host, port: Number(port) });
    const near = new URL(url);
    near.port = `${proxies[name].port}`;
    return near.href;
  };
  const clocks = openClocks();
  const filter = openPacketFilter();
  if (filter === null)
    say('connections between processes are left alone: that needs root, iptables and ss');
  const env = {
    ...clocks.env,
    DATABASE_URL: await through('postgres', stores.postgres.url),
    ...(stores.redis && { REDIS_URL: await through('redis', stores.redis.url) }),
    ...(stores.kafka && { KAFKA_BROKERS: stores.kafka.brokers.join(',') }),
  };
  /** kill -9, and the same again on the same data; of PostgreSQL one backend, which ends all. */
  const restart = async (name: StoreName): Promise<void> => {
    const pid = pids[name];
    if (pid === undefined) return;
    if (name === 'postgres') {
      process.kill(backendOf(pid), 'SIGKILL');
      return;
    }
    const program = programOf(pid);
    process.kill(pid, 'SIGKILL');
    const { env, uid } = program;
    const child = spawn(program.command, program.args, { cwd: '/', env, uid, stdio: 'ignore' });
    again.push(child);
    pids[name] = child.pid;
  };
  return {
    /** For the local stack's environment. */
    env,
    brokers: stores.kafka?.brokers ?? [],
    /** Of the PostgreSQL server itself, as its superuser. */
    postgresUrl: stores.postgres.url,
    clocks,
    /** Null where the kernel's packet filter cannot be used. */
    filter,
    proxies,
    pid: (name: StoreName) => pids[name],
    restart,
    stop: async () => {
      filter?.close();
      clocks.forget();
      for (const child of again) child.kill('SIGKILL');
      await Promise.all(Object.values(proxies).map((proxy) => proxy.stop()));
      await stores.stop();
    },
  };
};

export type Stand = Awaited<ReturnType<typeof startStand>>;

/** A process that PostgreSQL cannot lose without recovery. */
const backendOf = (postmaster: number): number =>
  Number(readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ')[0]);

/** How a process was started. */
const programOf = (pid: number) => {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const [command = '', ...args] = words.filter((word) => word !== '');
  return { command, args, env: environmentOf(pid), uid: statSync(`/proc/${pid}`).uid };
};
