import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { operatorProgram } from '../../operator/src/program.ts';
import { repository } from './monitoring/monitoring.ts';

/** Thrown where a command would begin its work: its words are right. */
class Accepted extends Error {}

/** Values for words in capitals; any other one stands for an id. */
const values: Readonly<Record<string, string>> = {
  TIME: '24h',
  N: '5',
  LIST: '10.0.0.0/8',
  PENDING: 'PENDING',
};
const ofMissing = /^commander\.(?:missing|help)/;

/** Returns the words of a command as a shell reads them, without a comment or a redirection. */
const wordsOf = (command: string): string[] =>
  [...command.replace(/\s+(?:[#>|]|&&).*$/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .map(([, double, single, plain]) => double ?? single ?? plain!)
    .slice(1);

/** Keeps the command's own messages out of the output of the tests. */
const silence = (command: ReturnType<typeof operatorProgram>): void => {
  command.configureOutput({ writeErr: () => {} });
  for (const child of command.commands) silence(child);
};

/** Returns why the command line rejects the words; undefined if it accepts them. */
const rejection = async (command: string): Promise<string | undefined> => {
  const words = wordsOf(command);
  const program = operatorProgram(() => {
    throw new Error('no command may begin');
  });
  silence(program);
  program.hook('preAction', () => {
    throw new Accepted();
  });
  const given = words.map((word) =>
    /^[A-Z][A-Z_]*$/.test(word) ? (values[word] ?? randomUUID()) : word,
  );
  const error = await program.parseAsync(given, { from: 'user' }).catch((thrown) => thrown);
  if (error instanceof Accepted) return undefined;
  const { code = '', message } = error as { code?: string; message: string };
  if (!code.startsWith('commander.')) throw error;
  // a sentence may name a command without what follows it
  const isName = words.every((word) => /^[a-z][a-z-]*$/.test(word));
  return isName && ofMissing.test(code) ? undefined : `${command}: ${message}`;
};

const pages = globSync('docs/operators/**/*.md', { cwd: repository }).map((name) => ({
  name,
  text: readFileSync(`${repository}${name}`, 'utf8'),
}));

test.each(pages)(
  '$name: the command line accepts each command of the operator',
  async ({ text }) => {
    const named = [
      ...text.matchAll(/`(operator [^`\n]+)`/g),
      ...text.matchAll(/^ *(operator .+)$/gm),
    ]
      .map(([, command]) => command!)
      .filter((command) => !command.includes('…'));
    const rejected = await Promise.all(named.map(rejection));
    expect(rejected.filter((why) => why !== undefined)).toEqual([]);
  },
);

test.each([
  'operator dlq list --topics a',
  'operator dlq lists',
  'operator endpoint recover ID --sinse 1h',
])('a wrong command is reported: %s', async (command) =>
  expect(await rejection(command)).toMatch(/unknown|required option '--since/),
);
