/** Two PostgreSQL servers under Patroni, with etcd, behind HAProxy. */
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGuards, freePorts } from '@pto/stores';
import { until } from '@pto/testing';
import { startProxy } from '../../../e2e/chaos/faults/tcp-proxy.ts';
import { signalProcess } from '../../../e2e/kill.ts';
import { needProgram } from '../stage/programs.ts';
import type { Stage } from '../stage/rehearsal.ts';
import { patroniEnvironment } from './patroni-programs.ts';
import { haproxySettings, type NodePorts, patroniSettings } from './patroni-settings.ts';
import { postgresOwner as owner, postgresPrograms } from './programs.ts';

const deadlineMs = 90_000;

/** Starts etcd, HAProxy and the nodes `a` and `b`, with a synchronous standby. */
export const openPatroni = async (stage: Stage) => {
  const bin = await postgresPrograms(stage);
  const env = await patroniEnvironment(stage);
  const guards = createGuards(stage.folder);
  const [etcd = 0, peer = 0, front = 0] = await freePorts(3);
  const password = randomBytes(18).toString('base64url');
  const url = `postgres://postgres:${password}@127.0.0.1:${front}/postgres`;
  const own = (path: string) => owner && chownSync(path, owner.uid, owner.gid);

  await guards.run('etcd', {
    command: needProgram('etcd', 'etcd-server'),
    args: [
      ...['--data-dir', join(stage.folder, 'etcd'), '--log-level', 'warn'],
      ...['--listen-client-urls', `http://127.0.0.1:${etcd}`],
      ...['--advertise-client-urls', `http://127.0.0.1:${etcd}`],
      ...['--listen-peer-urls', `http://127.0.0.1:${peer}`],
      ...['--initial-advertise-peer-urls', `http://127.0.0.1:${peer}`],
      ...['--initial-cluster', `default=http://127.0.0.1:${peer}`],
    ],
    signal: 'TERM',
    graceS: 5,
  });

  const openNode = async (name: string) => {
    const [port = 0, rest = 0] = await freePorts(2);
    const wire = await startProxy({ host: '127.0.0.1', port });
    stage.atEnd(wire.stop);
    const home = join(stage.folder, `node-${name}`);
    mkdirSync(home, { mode: 0o755 });
    own(home);
    const ports: NodePorts = { name, port, rest, replication: wire.port };
    const file = join(home, 'patroni.yml');
    writeFileSync(file, patroniSettings(ports, { home, bin, etcd, password }), { mode: 0o600 });
    own(file);
    const state = { patroni: 0 };
    const data = join(home, 'data');
    const postmaster = () => {
      const pidFile = join(data, 'postmaster.pid');
      return existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : 0;
    };
    return {
      ...{ ...ports, data, file },
      wire,
      start: async (): Promise<void> => {
        const command = { command: 'python3', args: ['-m', 'patroni', file], env, owner };
        const run = await guards.run(`patroni-${name}`, { ...command, signal: 'TERM', graceS: 20 });
        state.patroni = run.pid;
      },
      /** Ends Patroni and PostgreSQL as a failing machine does. */
      kill: (): void => {
        stage.note(`  kill -KILL of node ${name}: Patroni and PostgreSQL`);
        for (const pid of [state.patroni, postmaster()]) signalProcess(pid, 'SIGKILL');
      },
      isPrimary: async (): Promise<boolean> =>
        (await fetch(`http://127.0.0.1:${rest}/primary`).catch(() => undefined))?.ok ?? false,
      stopLeftOver: () => void signalProcess(postmaster(), 'SIGKILL'),
    };
  };
  const nodes = [await openNode('a'), await openNode('b')];
  for (const node of nodes) stage.atEnd(node.stopLeftOver);
  stage.atEnd(guards.stopAll);
  const config = join(stage.folder, 'haproxy.cfg');
  writeFileSync(config, haproxySettings(front, nodes));
  await guards.run('haproxy', {
    ...{ command: needProgram('haproxy'), args: ['-db', '-f', config] },
    ...{ signal: 'INT', graceS: 2 },
  });
  const primary = (except?: (typeof nodes)[number]) =>
    until(
      async () => {
        for (const node of nodes) if (node !== except && (await node.isPrimary())) return node;
        return undefined;
      },
      { deadlineMs, what: 'a primary' },
    );
  const ctl = (...words: string[]) =>
    stage.command('python3', ['-c', 'from patroni.ctl import ctl; ctl()', ...words], {
      env: { ...env, PATRONICTL_CONFIG_FILE: nodes[0]!.file },
      shown: `patronictl ${words.join(' ')}`,
    });
  /** Waits until the other node follows the primary. */
  const replicated = async (role: 'sync_standby' | 'replica'): Promise<void> => {
    const { rest } = await primary();
    await until(
      async () => {
        const response = await fetch(`http://127.0.0.1:${rest}/cluster`);
        const { members } = (await response.json()) as {
          members: { role: string; state: string }[];
        };
        return members.some((one) => one.role === role && one.state === 'streaming');
      },
      { deadlineMs, what: `a ${role} that streams` },
    );
    await ctl('list');
  };
  await nodes[0]!.start();
  await primary();
  await nodes[1]!.start();
  await replicated('sync_standby');
  return { url, password, bin, nodes, primary, replicated, ctl };
};

export type Patroni = Awaited<ReturnType<typeof openPatroni>>;
export type Node = Patroni['nodes'][number];
