import { jest } from '@jest/globals';
import { runOperator } from '../../src/program.ts';
import { environmentOf, type FakeGateway } from '../operator-command.ts';

/** Runs a command in this process, which is much faster than a process of its own. */
export const runHere = (gateway: FakeGateway, words: readonly string[]) =>
  runWith(environmentOf(gateway), words);

export const runWith = async (environment: NodeJS.ProcessEnv, words: readonly string[]) => {
  const texts = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation(((text: string, done?: () => void) => {
      texts[name] += text;
      done?.();
      return true;
    }) as never),
  );
  try {
    const code = await runOperator(words, environment);
    return { code, ...texts };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
};
