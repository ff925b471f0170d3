import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { operatorProgram } from '../src/program.ts';

const repository = new URL('../../', import.meta.url).pathname;
const program = operatorProgram(() => {
  throw new Error('no command is run');
});

/** Files that show commands of the operator. */
const files = execFileSync('git', ['ls-files', '*.md'], { cwd: repository, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /^(?:docs\/|services\/[^/]+\/README|README)/.test(path));

interface Documented {
  readonly where: string;
  readonly words: readonly string[];
  /** Whether the reader pastes it: a line of a block, not a name in a sentence. */
  readonly isLine: boolean;
}

/** Returns the words of a shell command up to a comment, a pipe or a redirection. */
const wordsOf = (text: string): string[] => {
  const words = [...text.matchAll(/"[^"]*"|'[^']*'|\S+/g)].map(([word]) => word);
  const end = words.findIndex((word) => /^(?:#|\||>|&&|;)/.test(word));
  return words.slice(0, end === -1 ? words.length : end);
};

const documented: Documented[] = files.flatMap((path) => {
  const text = readFileSync(`${repository}${path}`, 'utf8');
  const at = (index: number) => `${path}:${text.slice(0, index).split('\n').length}`;
  const lines = [...text.matchAll(/^ *(?:npm run operator --|operator) ([a-z-].*)$/gm)].map(
    (found) => ({ where: at(found.index), words: wordsOf(found[1]!), isLine: true }),
  );
  const names = [...text.matchAll(/`operator ([a-z][^`]*)`/g)].map((found) => ({
    where: at(found.index),
    words: wordsOf(found[1]!),
    isLine: false,
  }));
  return [...lines, ...names];
});

/** Returns what is wrong with a documented command; nothing for a correct one. */
const faultsOf = ({ words, isLine }: Documented): string[] => {
  let command: Command = program;
  const rest = [...words];
  while (command.commands.length > 0) {
    const name = rest.shift();
    if (name === '…') return []; // stands for any command
    const next = command.commands.find((one) => one.name() === name);
    if (!next) return [`${command.name()} has no command ${name ?? '(none is named)'}`];
    command = next;
  }
  const given: string[] = [];
  const faults: string[] = [];
  let values = 0;
  while (rest.length > 0) {
    const word = rest.shift()!;
    if (!word.startsWith('--')) {
      values++;
      continue;
    }
    const [name, value] = word.split('=');
    const option = command.options.find(({ long }) => long === name);
    if (!option) faults.push(`${command.name()} has no ${name}`);
    given.push(name!);
    const next = value ?? (option?.required ? rest.shift() : '');
    if (option?.required && (next === undefined || next.startsWith('--')))
      faults.push(`${name} needs a value`);
    const choice = next?.replaceAll(/["']/g, '') ?? '';
    if (option?.argChoices && !/^[A-Z]$/.test(choice) && !option.argChoices.includes(choice))
      faults.push(`${name} does not take ${next}`);
  }
  const { registeredArguments } = command;
  if (values > registeredArguments.length && !registeredArguments.at(-1)?.variadic)
    faults.push(`${command.name()} takes ${registeredArguments.length} values, not ${values}`);
  if (!isLine) return faults;
  if (values < registeredArguments.filter(({ required }) => required).length)
    faults.push(`${command.name()} needs more values`);
  for (const { mandatory, long } of command.options)
    if (mandatory && !given.includes(long!)) faults.push(`${command.name()} needs ${long}`);
  return faults;
};

test('each documented command of the operator exists, with its flags and values', () => {
  expect(documented.length).toBeGreaterThan(70);
  const faults = documented.flatMap((one) =>
    faultsOf(one).map((fault) => `${one.where}: operator ${one.words.join(' ')}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

test.each([
  ['ledger verify --orders ID', 'verify has no --orders'],
  ['ledger check', 'ledger has no command check'],
  ['key rotate ID --overlap', '--overlap needs a value'],
  ['key rotate', 'rotate needs more values'],
  ['dlq replay ID OTHER', 'replay takes 1 values, not 2'],
  ['dlq discard ID', 'discard needs --reason'],
  ['delivery list --state OLD', '--state does not take OLD'],
])('operator %s is reported: %s', (text, fault) => {
  expect(faultsOf({ where: '', words: wordsOf(text), isLine: true })).toContain(fault);
});
