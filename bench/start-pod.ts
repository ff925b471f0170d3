/**
 * Measures how long a pod's process takes from its start until it is ready: with TypeScript files,
 * with a bundle, and with a bundle and a compile cache as in the images. Starts one more replica of
 * each service of a local stack, in turns. `ROUNDS=5 node bench/start-pod.ts`.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildPrograms, images } from '@pto/bundle';
import { withStack } from './http/with-stack.ts';
import { percentile } from './measuring/percentile.ts';
import { fillCompileCache } from './start/fill-compile-cache.ts';
import { type Start, startOnce, type Variant } from './start/start-once.ts';

const rounds = Number(process.env.ROUNDS ?? 5);
const services = ['gateway', 'orders', 'custody', 'webhooks'];
const root = join(import.meta.dirname, '..');

const say = (line: string) => process.stdout.write(`${line}\n`);

/** In the checkout, so that the programs find their packages. */
const cacheDir = join(root, 'node_modules', '.cache');
mkdirSync(cacheDir, { recursive: true });
const folder = mkdtempSync(join(cacheDir, 'start-pod-'));
const place = (service: string) => join(folder, service);
const bundled = ['--import', './register.mjs', 'main.mjs'];

const variantsOf = (service: string): Variant[] => [
  {
    name: 'files',
    cwd: join(root, 'services', service),
    args: ['--import', '@pto/telemetry/register', 'src/main.ts'],
  },
  { name: 'bundle', cwd: place(service), args: bundled },
  {
    name: 'bundle and compile cache',
    cwd: place(service),
    args: bundled,
    compileCache: join(place(service), 'compile-cache'),
  },
];

try {
  for (const service of services) {
    await buildPrograms(root, images[service]!.programs, place(service));
    fillCompileCache(place(service), bundled);
  }
  await withStack(async ({ stack }) => {
    say('| Service | Started from | Ready after, ms | CPU time, ms | Resident, MiB |');
    say('|---|---|---|---|---|');
    for (const service of services) {
      const { pid } = stack.file().services.find(({ name }) => name === service)!;
      const variants = variantsOf(service);
      const starts = new Map<string, Start[]>(variants.map(({ name }) => [name, []]));
      for (let round = 0; round <= rounds; round++)
        for (const variant of variants) {
          const start = await startOnce(pid, service, variant);
          if (round > 0) starts.get(variant.name)!.push(start); // the first reads from the disk
        }
      for (const [name, all] of starts) {
        const median = (of: (start: Start) => number) => percentile(all.map(of), 0.5);
        const ready = all.map(({ readyMs }) => readyMs);
        const spread = `${Math.min(...ready).toFixed(0)} to ${Math.max(...ready).toFixed(0)}`;
        const cells = [
          ...[service, name, `${median((s) => s.readyMs).toFixed(0)} (${spread})`],
          ...[median((s) => s.cpuMs), median((s) => s.residentKib) / 1024].map((n) => n.toFixed(0)),
        ];
        say(`| ${cells.join(' | ')} |`);
      }
    }
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
