import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../stage/rehearsal.ts';
import type { StoredSettings } from './stored-settings.ts';

const preload = new URL('./stored-settings.ts', import.meta.url).pathname;

/** The store of secrets of a rehearsal: a process that starts gets what the store has by then. */
export const openSecretStore = (stage: Stage) => {
  const path = join(stage.folder, 'secrets.json');
  let stored: StoredSettings = { settings: {}, passwords: {} };
  const write = (next: StoredSettings): void => {
    stored = next;
    writeFileSync(`${path}.new`, JSON.stringify(stored), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };
  return {
    /** Environment of the local stack. */
    env: { NODE_OPTIONS: `--import=${preload}`, REHEARSAL_SECRETS: path },
    put: (settings: Readonly<Record<string, string>>): void => {
      stage.note(`  the store has new values: ${Object.keys(settings).join(', ')}`);
      write({ ...stored, settings: { ...stored.settings, ...settings } });
    },
    /** Replaces the password in the URLs of a role of PostgreSQL. */
    putPassword: (role: string, password: string): void =>
      write({ ...stored, passwords: { ...stored.passwords, [role]: password } }),
  };
};

export type SecretStore = ReturnType<typeof openSecretStore>;
