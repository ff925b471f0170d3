import { readFileSync } from 'node:fs';
import type { MeshFile } from '../../e2e/mesh-file.ts';
import { withChildren } from '../http/processes.ts';

/**
 * Resident memory in KiB of these processes together. Memory that several processes share counts
 * once (Linux, proportional set size).
 */
const residentKib = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const [, kib] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))!;
    return sum + Number(kib);
  }, 0);

/** Resident memory of each service and store in MiB, and the sum, as one text. */
export const residentMiB = ({ services, stores }: MeshFile): string => {
  const kib = [
    ...services.map(({ name, pid }) => [name, residentKib([pid])] as const),
    ...Object.entries(stores.pids).map(
      ([name, pid]) => [name, residentKib(withChildren(pid))] as const,
    ),
  ];
  const sum = kib.reduce((total, [, one]) => total + one, 0);
  return [...kib, ['sum', sum] as const]
    .map(([name, one]) => `${name} ${Math.round(one / 1024)} MiB`)
    .join(', ');
};
