/** Wall clocks of single processes that are wrong, by shifted-clock.ts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const openClocks = () => {
  const folder = mkdtempSync(join(tmpdir(), 'pto-clocks-'));
  const file = (pid: number) => join(folder, `${pid}`);
  return {
    /** For the environment of all processes. */
    env: {
      SHIFTED_CLOCKS: folder,
      NODE_OPTIONS: `--import ${new URL('shifted-clock.ts', import.meta.url).href}`,
    },
    /** Makes the clock of a process differ by so many milliseconds, within 50 ms. */
    shift: (pid: number, offsetMs: number) => writeFileSync(file(pid), `${offsetMs}`),
    restore: (pid: number) => rmSync(file(pid), { force: true }),
    forget: () => rmSync(folder, { recursive: true, force: true }),
  };
};
