/** Two Redis servers with three Sentinels, behind HAProxy, which sends connections to the master. */
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createGuards, fetchWithMaven, freePorts } from '@pto/stores';
import { until } from '@pto/testing';
import { signalProcess } from '../../../e2e/kill.ts';
import { needProgram } from '../stage/programs.ts';
import type { Stage } from '../stage/rehearsal.ts';

const none = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];

export const openSentinel = async (stage: Stage) => {
  const guards = createGuards(stage.folder);
  stage.atEnd(guards.stopAll);
  const files = await fetchWithMaven(guards, stage.note);
  const command =
    (typeof files === 'string' ? undefined : files.redisServer) ?? needProgram('redis-server');
  const [front = 0, one = 0, two = 0, ...sentinels] = await freePorts(6);
  const servers = new Map([one, two].map((port) => [port, 0]));
  const start = async (port: number, more: readonly string[] = []): Promise<void> => {
    const args = ['--port', `${port}`, '--dir', stage.folder, ...none, ...more];
    const server = { command, args, signal: 'TERM', graceS: 5 } as const;
    servers.set(port, (await guards.run(`redis-${port}`, server)).pid);
  };
  await start(one);
  await start(two, ['--replicaof', '127.0.0.1', `${one}`]);
  for (const port of sentinels) {
    const file = join(stage.folder, `sentinel-${port}.conf`);
    writeFileSync(
      file,
      `port ${port}
bind 127.0.0.1
dir ${stage.folder}
sentinel monitor budgets 127.0.0.1 ${one} 2
sentinel down-after-milliseconds budgets 1000
sentinel failover-timeout budgets 5000
`,
    );
    const sentinel = { command, args: [file, '--sentinel'], signal: 'TERM', graceS: 5 } as const;
    await guards.run(`sentinel-${port}`, sentinel);
  }
  const config = join(stage.folder, 'haproxy-redis.cfg');
  writeFileSync(config, haproxySettings(front, [one, two]));
  await guards.run('haproxy-redis', {
    ...{ command: needProgram('haproxy'), args: ['-db', '-f', config] },
    ...{ signal: 'INT', graceS: 2 },
  });
  /** Runs a command of redis-cli, over HAProxy unless a port is given. */
  const ask = async (text: string, port = front): Promise<string> => {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(`${text}\r\n`));
      socket.setTimeout(1000, () => socket.destroy(new Error('no response')));
      socket.once('data', (bytes) => resolve(`${bytes}`)).once('close', () => reject(new Error()));
      socket.on('error', reject);
      socket.once('data', () => socket.destroy());
    });
  };
  const responds = async () => (await ask('PING')).startsWith('+PONG');
  await until(responds, { what: 'Redis' });
  await until(async () => (await ask('INFO replication')).includes('connected_slaves:1'), {
    what: 'the replica',
  });
  await until(
    async () => (await ask('SENTINEL sentinels budgets', sentinels[0]!)).startsWith('*2'),
    {
      what: 'the Sentinels to know one another',
    },
  );
  let master = one;
  return {
    url: `redis://127.0.0.1:${front}`,
    /** Kills the master, and waits until the replica has its place. */
    failOver: async (): Promise<void> => {
      stage.note('  kill -KILL of the master');
      signalProcess(servers.get(master)!, 'SIGKILL');
      master = master === one ? two : one;
      await until(responds, { deadlineMs: 60_000, what: 'a new master' });
    },
    killAll: (): void => {
      stage.note('  kill -KILL of all Redis servers');
      for (const pid of servers.values()) signalProcess(pid, 'SIGKILL');
    },
    startEmpty: async (): Promise<void> => {
      stage.note('  start of Redis, empty');
      await start(master);
      await until(responds, { deadlineMs: 60_000, what: 'Redis' });
    },
  };
};

const haproxySettings = (port: number, servers: readonly number[]): string =>
  `defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen redis
  bind 127.0.0.1:${port}
  option tcp-check
  tcp-check send info\\ replication\\r\\n
  tcp-check expect string role:master
  default-server inter 500ms fall 1 rise 1 on-marked-down shutdown-sessions
${servers.map((one) => `  server r${one} 127.0.0.1:${one} check\n`).join('')}`;
