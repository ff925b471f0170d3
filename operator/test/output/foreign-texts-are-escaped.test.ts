import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import type { Command } from 'commander';
import { operatorProgram } from '../../src/program.ts';
import { type FakeGateway, runCommand } from '../operator-command.ts';
import { gatewayWithText } from './hostile-gateway.ts';
import { runHere } from './run-here.ts';

/** Colors, a title, a link, a forged row, C1, directions, separators, and more. */
const hostile =
  'a\u001b[2J\u001b]8;;http://x.example\u0007\r\nfb\t\u007f\u0085\u009b31m\u202e\u2066\u200f\u061c\u2028\u2029\u0000z';
const escapedStart = 'a\\u001b[2J\\u001b]8;;http://x.example\\u0007';
const escaped =
  'a\\u001b[2J\\u001b]8;;http://x.example\\u0007\\u000d\\u000afb\\u0009\\u007f\\u0085\\u009b31m\\u202e\\u2066\\u200f\\u061c\\u2028\\u2029\\u0000z';
const honest = 'Größe 👩‍⚕️ 臓器 مستشفى ילד \u200cनमस्ते';
const forbidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u;

const folder = mkdtempSync(join(tmpdir(), 'readings-'));
const readings = join(folder, 'readings.csv');
writeFileSync(readings, 'time,value\n');
afterAll(() => rmSync(folder, { recursive: true }));

/** A carrier or driver by its id: no name in the responses is that of a flag. */
const record = '01900000-0000-7000-8000-000000000001';

/** Every command without subcommands, with a value for each thing that it requires. */
const commands = ((): string[][] => {
  const values: Record<string, string> = {
    '--expires-in': '8h',
    '--scopes': 'orders:read',
    '--file': readings,
    '--since': '24h',
    '--entry': '1',
    '--at': '14:05',
    '--carrier': record,
    '--out': join(folder, 'stored'),
  };
  const walk = (command: Command, words: readonly string[]): string[][] => {
    if (command.commands.length > 0)
      return command.commands.flatMap((child) => walk(child, [...words, child.name()]));
    const required = command.options.filter((option) => option.mandatory);
    const flags = required.map((option) => [
      option.long!,
      values[option.long!] ?? option.argChoices?.[0] ?? 'x',
    ]);
    const given = command.registeredArguments.map((one) =>
      ['carrier', 'driver'].includes(one.name()) ? record : 'id',
    );
    return [[...words, ...given, ...flags.flat()]];
  };
  const program = operatorProgram(() => {
    throw new Error('not opened');
  });
  /** Flags of which a command needs one, or that show more. */
  const more: Record<string, string[]> = {
    status: ['--all'],
    'order assign': ['--to', 'x'],
    'order driver': ['--name', 'x'],
  };
  // `login` needs a provider; the others print no text of anybody
  const left = ['login', 'logout', 'completion', 'complete'];
  return walk(program, [])
    .filter(([word = '']) => !left.includes(word))
    .map((words) => [...words, ...(more[words.slice(0, 2).join(' ')] ?? [])]);
})();

test('the list has every command', () => {
  const words = commands.map((one) => one.slice(0, 2).join(' '));
  for (const some of ['order list', 'order show', 'org list', 'dlq list', 'key list', 'audit list'])
    expect(words).toContain(some);
  expect(words.length).toBeGreaterThan(45);
});

// these print numbers and the operator's own argument
const withoutTexts = ['endpoint reseal', 'dlq discard', 'portal end'];

describe.each([
  ['hostile texts', hostile, escapedStart],
  ['honest texts', honest, honest],
])('%s', (_, text, shown) => {
  let gateway: FakeGateway;
  beforeAll(async () => {
    gateway = await gatewayWithText(text);
  });
  afterAll(() => gateway.stop());

  test.each(commands.map((words) => ({ name: words.join(' '), words })))(
    '$name',
    async ({ name, words }) => {
      const table = await runHere(gateway, words);
      const json = await runHere(gateway, [...words, '--json']);
      for (const { stdout, stderr } of [table, json])
        for (const line of [...stdout.split('\n'), ...stderr.split('\n')])
          expect(line).not.toMatch(forbidden);
      const texts = textsOf(JSON.parse(json.stdout));
      if (withoutTexts.some((one) => name.startsWith(one))) return;
      expect(texts).toContain(text);
      expect(json.stdout).toContain(shown);
      expect(table.stdout).toContain(shown);
    },
  );
});

/** All texts within a value. */
const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

test('the message and the details of an error are shown on one line each', async () => {
  const failure = new Failure('VALIDATION', `wrong: ${hostile}`, {
    details: { errors: [{ loc: ['name'], msg: hostile, type: 'value_error' }] } as never,
  });
  const gateway = await gatewayWithText('', failure);
  const { code, stdout, stderr } = await runHere(gateway, ['org', 'list']);
  await gateway.stop();
  const lines = stderr.split('\n');
  expect([code, stdout, lines.length]).toEqual([1, '', 3]);
  expect(lines[0]).toBe(`VALIDATION: wrong: ${escaped}`);
  for (const line of lines) expect(line).not.toMatch(forbidden);
});

test("an argument's text in a message about usage is shown escaped", async () => {
  const { code, stderr } = await runCommand({ url: 'https://127.0.0.1:1', caFile: '' }, [
    'order',
    'show',
    'x',
    `--a\u001b[2J\u009b`,
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain('\\u001b[2J\\u009b');
  for (const line of stderr.split('\n')) expect(line).not.toMatch(forbidden);
});
