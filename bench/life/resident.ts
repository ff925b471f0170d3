import { readFileSync } from 'node:fs';
import type { MeshFile } from '../../e2e/mesh-file.ts';

/** Resident memory of each service's process in MiB, as one text. */
export const residentMiB = ({ services }: MeshFile): string =>
  services
    .map(({ name, pid }) => {
      const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
      return `${name} ${Math.round(Number(kib) / 1024)} MiB`;
    })
    .join(', ');
