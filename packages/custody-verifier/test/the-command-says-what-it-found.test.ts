import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { vkeyOfSigner } from '../src/note/sign-note.ts';
import { checkpoint, consistencyFrom, entries, log, orderId, proof } from './a-proof.ts';
import { logKey, otherKey } from './a-signed-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'custody-verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  const asIs = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(path, asIs ? content : JSON.stringify(content));
  return path;
};

const bin = new URL('../src/bin/custody-verify.ts', import.meta.url).pathname;
const verify = (args: string[], input = '') => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    input,
    encoding: 'utf8',
    env: { NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
  });
  return { status, stdout, stderr };
};

const edited = [entries[0], { ...entries[1], type: 'order.closed' }, entries[2]];
const proofFile = file('proof.json', proof);
const eventsFile = file('events.json', entries);
const noteFile = file('checkpoint.txt', checkpoint);
const earlierFile = file('earlier.json', {
  checkpoint: await log.checkpointAt(42),
  consistency: await consistencyFrom(42),
});
const earlierNote = file('earlier.txt', await log.checkpointAt(42));
const key = vkeyOfSigner(logKey);
const head = (n: number) => `${n}:${entries[n - 1]!.event_hash}`;

test('a proof: one line for each finding', () => {
  expect(verify([proofFile])).toEqual({
    status: 0,
    stderr: '',
    stdout: `chain: 3 entries of order ${orderId}, each linked to the one before
head: ${proof.head_hash}
log: the last entry is leaf 41 of custody.vectors.example/log
checkpoint: 57 leaves, root ${checkpoint.split('\n')[2]}
key: ${key} (from the file)
note: the checkpoint is signed by a key that the file itself brings
valid
`,
  });
});

describe('valid is', () => {
  test.each([
    ['a proof with a key got elsewhere', [proofFile, '--key', key], /given with --key\)\nvalid/],
    ['a proof with a seen head', [proofFile, '--seen-head', head(2)], /valid/],
    ['a proof with a seen checkpoint', [proofFile, '--seen-checkpoint', noteFile], /valid/],
    ['a proof with an earlier one', [proofFile, '--seen-checkpoint', earlierFile], /valid/],
    ['a list of events', [eventsFile, '--order', orderId], /3 entries.*\nvalid/s],
    ['an empty list', [file('none.json', []), '--order', orderId], /nothing is proved/],
    ['an order in upper case', [eventsFile, '--order', orderId.toUpperCase()], /valid/],
    ['events with a seen head', [eventsFile, '--order', orderId, '--seen-head', head(3)], /valid/],
  ])('%s', (_, args, stdout) => {
    expect(verify(args)).toEqual({ status: 0, stderr: '', stdout: expect.stringMatching(stdout) });
  });
});

describe('not valid is', () => {
  const editedFile = file('edited.json', edited);
  const hostile = file('hostile.json', [{ ...entries[0], id: '\u001b[2J\u202e' }]);
  test.each([
    ['an edited entry, and it is named', [editedFile, '--order', orderId], /entry 2 \(b7d0d3c4-/],
    ['a list of another order', [eventsFile, '--order', entries[0]!.id], /entry 1 .*genesis/],
    [
      'a lost head',
      [eventsFile, '--order', orderId, '--seen-head', `4:${proof.head_hash}`],
      /has 3/,
    ],
    ['no JSON', [file('not.json', '{')], /form: not JSON/],
    ['an object for a list', [proofFile, '--order', orderId], /form: not a list of events/],
    ['no UTF-8', [file('utf.json', Uint8Array.of(0x7b, 0xff))], /not UTF-8/],
    ['a wrong key', [proofFile, '--key', vkeyOfSigner(otherKey)], /no signature by a known key/],
    ['an unanswered question', [proofFile, '--seen-checkpoint', earlierNote], /cannot be told/],
    ['what steers a terminal, unseen', [hostile, '--order', orderId], /^\P{C}*\n$/u],
  ])('%s', (_, args, stdout) => {
    const found = verify(args);
    expect(found).toEqual({ status: 1, stderr: '', stdout: expect.stringMatching(stdout) });
    expect(found.stdout).toMatch(/^not valid: [^\n]*\n$/);
  });
});

describe('wrong usage is', () => {
  test.each([
    ['no file', []],
    ['two files', [proofFile, proofFile]],
    ['an unknown option', [proofFile, '--trust']],
    ['a file that is not there', [join(folder, 'nowhere.json')]],
    ['a list without its order', [eventsFile]],
    ['an order that is no UUID', [eventsFile, '--order', '1']],
    ['a list with a key', [eventsFile, '--order', orderId, '--key', key]],
    ['a head that is none', [proofFile, '--seen-head', '3']],
    ['a key that is none', [proofFile, '--key', 'x']],
  ])('%s', (_, args) => {
    expect(verify(args)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^custody-verify: .*\n\ncustody-verify FILE/),
    });
  });
});

test('standard input and JSON serve programs', () => {
  const { status, stdout } = verify(['-', '--json', '--order', orderId], JSON.stringify(edited));
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    valid: false,
    at: 'entries',
    index: 1,
    entryId: entries[1]!.id,
    reason: 'event_hash does not match what the entry says',
  });
  expect(JSON.parse(verify(['-', '--json'], JSON.stringify(proof)).stdout).log.leafIndex).toBe(41);
});

test('help is no error', () => {
  expect(verify(['--help'])).toMatchObject({ status: 0, stderr: '' });
});
