import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../stage/rehearsal.ts';

const libraries = '/usr/lib';

/** A wall clock of processes that read it through libfaketime; their monotonic clocks are right. */
export const openFakeClock = (stage: Stage) => {
  const library = readdirSync(libraries)
    .map((folder) => join(libraries, folder, 'faketime/libfaketime.so.1'))
    .find((path) => existsSync(path));
  if (library === undefined) throw new Error('needs libfaketime: apt-get install libfaketime');
  const file = join(stage.folder, 'clock');
  const set = (seconds: number) =>
    writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}`, { mode: 0o644 });
  set(0);
  return {
    /** For the environment of the processes with this clock. */
    env: {
      ...process.env,
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DISABLE_SHM: '1',
    },
    /** Sets the clock ahead of the machine's, within 2 s. */
    ahead: (seconds: number): void => {
      stage.note(`  the clock is set to ${seconds} s ahead`);
      set(seconds);
    },
  };
};
