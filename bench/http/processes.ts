/** CPU time of the processes of one side, by name, as the kernel counts it (Linux). */
import { readdirSync, readFileSync } from 'node:fs';
import type { MeshFile } from '../../e2e/mesh-file.ts';
import { type CpuMicros, cpuMicrosWithEnded, parentIn } from '../measuring/process-cpu.ts';

/** The process ids of a store: PostgreSQL has a process for each connection. */
export const withChildren = (parent: number): number[] => {
  const children = readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && parentIn(readFileSync(`/proc/${name}/stat`, 'utf8')) === parent;
    } catch {
      return false; // it has ended
    }
  });
  return [parent, ...children.map(Number)];
};

export const microsOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    try {
      return sum + cpuMicrosWithEnded(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return sum;
    }
  }, 0);

export const stackCpu = ({ services, stores }: MeshFile): CpuMicros => {
  const micros: Record<string, number> = {};
  for (const { name, pid } of services) micros[name] = (micros[name] ?? 0) + microsOf([pid]);
  for (const [name, pid] of Object.entries(stores.pids)) micros[name] = microsOf(withChildren(pid));
  return micros;
};

export const processCpu = (name: string, pid: number, file: MeshFile): CpuMicros => ({
  [name]: microsOf([pid]),
  postgres: microsOf(withChildren(file.stores.pids.postgres!)),
});

export { cpuSince } from '../measuring/process-cpu.ts';
