import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import type { Argument, Command, Option } from 'commander';
import { operatorProgram } from '../src/program.ts';
import { recordingClients, typeFaults } from './request-recorder.ts';

const folder = mkdtempSync(join(tmpdir(), 'flags-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'readings.csv');
writeFileSync(file, 'time,value\n2026-01-01T00:00:00Z,4\n');

const id = '01900000-0000-7000-8000-000000000001';
/** Values of which each flag and argument takes one. */
const candidates = ['7', id, '2026-01-15T09:30:00Z', '1h', '{"a": 1}', '192.0.2.0/24', 'a@b.test'];
/** Commands that make no request, or none without a session or a terminal. */
const silent = new Set(['login', 'logout', 'completion', 'complete']);

/** A flag of two, of which a command needs one. */
const oneOf: Readonly<Record<string, string>> = {
  'order assign': '--to',
  'order driver': '--name',
};

const acceptedValue = ({ argChoices, parseArg }: Option | Argument, other: string): string =>
  argChoices?.[0] ??
  candidates.find((one) => {
    if (!parseArg) return false;
    try {
      parseArg(one, undefined);
      return true;
    } catch {
      return false;
    }
  }) ??
  other;

const given = (option: Option): string[] =>
  option.required || option.optional
    ? [option.long!, acceptedValue(option, option.long === '--file' ? file : '7')]
    : [option.long!];

interface Leaf {
  readonly path: readonly string[];
  readonly command: Command;
}
const leavesOf = (command: Command, path: readonly string[] = []): Leaf[] =>
  command.commands.length === 0
    ? [{ path, command }]
    : command.commands.flatMap((one) => leavesOf(one, [...path, one.name()]));
const leaves = leavesOf(operatorProgram(() => recordingClients([]))).filter(
  ({ path }) => !silent.has(path[0]!),
);

/** Runs a command with these flags. @returns its requests */
const requestsOf = async ({ path, command }: Leaf, flags: readonly string[]) => {
  const calls: Parameters<typeof recordingClients>[0] = [];
  const values = command.registeredArguments.map((one) => acceptedValue(one, id));
  const spy = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const program = operatorProgram(() => recordingClients(calls));
  const refusal = await program.parseAsync([...path, ...values, ...flags], { from: 'user' }).then(
    () => undefined,
    (thrown: Error) => (calls.length === 0 ? `${flags.join(' ')}: ${thrown.message}` : undefined),
  );
  spy.mockRestore();
  return { calls, refusal };
};

test.each(leaves.map((leaf) => [leaf.path.join(' '), leaf] as const))(
  'the flags of %s are sent in the types of their fields',
  async (_, leaf) => {
    const { options } = leaf.command;
    const optional = options.filter(
      ({ long, mandatory }) =>
        !mandatory && !['--json', '--cell', '--yes', '--out', '--lat', '--lng'].includes(long!),
    );
    const always = options
      .filter(
        ({ mandatory, long }) =>
          mandatory || long === '--yes' || long === oneOf[leaf.path.join(' ')],
      )
      .flatMap(given);
    const pairs = options.filter(({ long }) => long === '--lat' || long === '--lng').flatMap(given);
    const runs = [[], ...optional.map(given), pairs, [...optional.flatMap(given), ...pairs]];
    const results = [];
    for (const flags of runs) results.push(await requestsOf(leaf, [...always, ...flags]));
    expect(results.flatMap(({ refusal }) => refusal ?? [])).toEqual([]);
    const calls = results.flatMap((one) => one.calls);
    expect([...new Set(calls.flatMap(({ faults }) => faults))]).toEqual([]);
  },
);

test('a number as text is found, at any depth', () => {
  const { input: request } = OrderCommandService.method.recordCondition;
  const readings = { minimum: '4' as never, unit: 'celsius' };
  expect(typeFaults(request, { readings })).toEqual([
    `${request.name}.readings.minimum is a string`,
  ]);
  expect(typeFaults(request, { readings: { ...readings, minimum: 4 } })).toEqual([]);
});
