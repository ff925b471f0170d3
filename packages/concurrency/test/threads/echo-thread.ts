/** A thread for tests: does what its input says. */
import { invalid } from '@pto/errors';
import { serveThread } from '../../src/index.ts';

serveThread(async (input: { readonly does: string; readonly ms?: number }) => {
  const until = performance.now() + (input.ms ?? 0);
  while (performance.now() < until);
  if (input.does === 'throw') throw new Error('a thrown text');
  if (input.does === 'reject') throw invalid(['file'], 'too large', 7);
  if (input.does === 'exit') process.exit(3);
  if (input.does === 'fill') {
    const kept: unknown[] = [];
    for (;;) kept.push(Array.from({ length: 1000 }, () => ({})));
  }
  return { did: input.does, environment: Object.keys(process.env) };
});
