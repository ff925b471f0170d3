/**
 * Connections to a port of this machine, lost or refused, by the kernel's packet filter. Needs root,
 * iptables and ss; without them `openPacketFilter` returns null.
 */
import { execFileSync } from 'node:child_process';

const run = (...words: readonly [string, ...string[]]): string => {
  const [program, ...rest] = words;
  return execFileSync(program, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
};

/** The ports of 127.0.0.1 on which a process listens. */
export const listeningPorts = (pid: number): number[] =>
  run('ss', '-Hltnp')
    .split('\n')
    .filter((line) => line.includes(`pid=${pid},`))
    .map((line) => Number(/:(\d+)\s/.exec(line)?.[1]));

export const openPacketFilter = () => {
  const chain = `workload-${process.pid}`;
  const tables = (...words: readonly string[]) => run('iptables', '-w', '5', ...words);
  try {
    run('ss', '-V');
    tables('-N', chain);
    tables('-I', 'INPUT', '-i', 'lo', '-p', 'tcp', '-j', chain);
  } catch {
    return null;
  }
  const loss = ['-j', 'DROP'];
  const refusal = ['-j', 'REJECT', '--reject-with', 'tcp-reset'];
  const add = (port: number, target: readonly string[]) =>
    tables('-A', chain, '-p', 'tcp', '--dport', `${port}`, ...target);
  const remove = (port: number) => {
    for (const target of [loss, refusal])
      try {
        tables('-D', chain, '-p', 'tcp', '--dport', `${port}`, ...target);
      } catch {} // there was no such rule
  };
  return {
    /** Packets to the ports are dropped: connections stay open and say nothing. */
    lose: (ports: readonly number[]) => {
      for (const port of ports) add(port, loss);
    },
    /** Open connections to the ports end, and new ones are refused. */
    refuse: (ports: readonly number[]) => {
      for (const port of ports) {
        add(port, refusal);
        run('ss', '-K', `dst 127.0.0.1 and dport = :${port}`);
      }
    },
    restore: (ports: readonly number[]) => ports.forEach(remove),
    close: () => {
      tables('-D', 'INPUT', '-i', 'lo', '-p', 'tcp', '-j', chain);
      tables('-F', chain);
      tables('-X', chain);
    },
  };
};
