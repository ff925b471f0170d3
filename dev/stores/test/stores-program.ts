/** A program of its own that runs stores in a folder, for tests that kill it. Says its stores. */
import { startStores } from '../src/start-stores.ts';

const [dir = '', redis, kafka] = process.argv.slice(2);
try {
  const stores = await startStores({
    dir,
    want: { postgres: undefined, redis: redis || undefined, kafka: kafka ? [kafka] : undefined },
    onProgress: () => {},
    onDeath: (name) => process.stdout.write(`died: ${name}\n`),
  });
  process.stdout.write(`${JSON.stringify(stores)}\n`);
} catch (error) {
  process.stderr.write((error as Error).message);
  process.exit(1);
}
