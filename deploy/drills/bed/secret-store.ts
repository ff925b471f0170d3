import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import { replaceEach } from '../../../e2e/rolling.ts';
import type { Bed } from '../drill.ts';
import { drainMs } from './stack.ts';
import type { StoredSettings } from './stored-settings.ts';

const preload = new URL('./stored-settings.ts', import.meta.url).pathname;

/** The store of secrets of a drill: a process that starts gets what the store has by then. */
export const openSecretStore = (bed: Bed) => {
  const path = join(bed.folder, 'secrets.json');
  let stored: StoredSettings = { settings: {}, passwords: {} };
  const write = (next: StoredSettings): void => {
    stored = next;
    writeFileSync(`${path}.new`, JSON.stringify(stored), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };
  return {
    /** Environment of the local stack: two replicas need GATEWAY_DRAIN to be replaced unnoticed. */
    env: {
      NODE_OPTIONS: `--import=${preload}`,
      DRILL_SECRETS: path,
      GATEWAY_DRAIN: '2s',
    },
    args: ['--no-demo', '--replicas', 'gateway=2,orders=2,custody=2,webhooks=2'],
    put: (settings: Readonly<Record<string, string>>): void => {
      bed.note(`  the store has new values: ${Object.keys(settings).join(', ')}`);
      write({ ...stored, settings: { ...stored.settings, ...settings } });
    },
    /** Replaces the password in the URLs of a role of PostgreSQL. */
    putPassword: (role: string, password: string): void =>
      write({ ...stored, passwords: { ...stored.passwords, [role]: password } }),
    /** Restarts the processes of services, one of each at a time, as `kubectl rollout restart` does it. */
    restart: async (stack: LocalStack, ...names: readonly string[]): Promise<void> => {
      bed.note(`  rollout restart: ${names.join(', ')}`);
      await Promise.all(
        names.map((name) => replaceEach(stack, { names: [name], servesMs: drainMs })),
      );
    },
  };
};

/** Returns the secrets with which a local stack was started. */
// biome-ignore lint/suspicious/noExplicitAny: a drill looks into whatever is there
export const secretsOf = ({ dir }: LocalStack): any =>
  JSON.parse(readFileSync(join(dir, 'secrets.json'), 'utf8'));
