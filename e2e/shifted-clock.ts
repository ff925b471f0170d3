/**
 * Loaded before a service's program by `node --import`: the wall clock of the process differs by
 * the milliseconds that a file says, which is named after the process id in the folder
 * SHIFTED_CLOCKS. Without that file the clock is right. Monotonic clocks are left alone.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const readEveryMs = 50;
const folder = process.env.SHIFTED_CLOCKS;
let offsetMs = 0;

const read = (path: string): number => {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return 0; // nobody has shifted the clock of this process
  }
};

if (folder) {
  const path = join(folder, `${process.pid}`);
  setInterval(() => {
    offsetMs = read(path);
  }, readEveryMs).unref();
  const shiftedNow = (): number => now() + offsetMs;
  const { now } = Date;
  globalThis.Date = new Proxy(Date, {
    construct: (target, words, newTarget) =>
      Reflect.construct(target, words.length === 0 ? [shiftedNow()] : words, newTarget) as Date,
    apply: () => new Date(shiftedNow()).toString(),
    get: (target, key) => (key === 'now' ? shiftedNow : Reflect.get(target, key)),
  });
}
