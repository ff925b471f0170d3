import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parseNote } from '../src/index.ts';
import { cosign, vkeyOfSigner, vkeyOfWitness } from '../src/note/sign-note.ts';
import { python } from './a-python.ts';
import { completeProof, signedTime } from './samples/a-complete-proof.ts';
import { inventedEntries, unsigned } from './samples/a-forged-proof.ts';
import { checkpoint, consistencyFrom, entries, log, orderId, proof } from './samples/a-proof.ts';
import { aKey, logKey, origin, otherKey, witnessKey } from './samples/a-signed-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'custody-verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  const asIs = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(path, asIs ? content : JSON.stringify(content));
  return path;
};

const bin = new URL('../src/bin/custody-verify.ts', import.meta.url).pathname;
const pythonProgram = new URL('../python/custody_verify.py', import.meta.url).pathname;
const verify = (args: string[], input = '') => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    input,
    encoding: 'utf8',
    env: {
      NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    },
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
const keysJson = (valid_until: string | null, vkey = key) => ({
  origin,
  keys: [{ vkey, valid_from: '2026-01-01T00:00:00.000Z', valid_until }],
});
const keysFile = file('keys.json', keysJson(null));
const oldKeysFile = file('old-keys.json', keysJson('2026-01-15T10:00:00.000Z'));
const brokenKeysFile = file('broken-keys.json', keysJson(null, 'x'));
const proofFileWithoutKeys = file('list.json', []);
const unloggedFile = file('unlogged.json', { ...proof, log: null });
const keylessFile = file('keyless.json', { ...proof, keys: [] });
const inventedFile = file('invented.json', unsigned(inventedEntries));
const noneFile = file('none.json', []);
const head = (n: number) => `${n}:${entries[n - 1]!.event_hash}`;

test('prints the verdict, its limit, and one line for each detail', () => {
  expect(verify([proofFile, '--key', key])).toEqual({
    status: 0,
    stderr: '',
    stdout: `Proven: a trusted key signed the checkpoint that covers this history.
Covers 3 entries up to 2026-01-15T11:02:59.001Z; entries added after checkpoint 57 are not covered. The file alone does not show whether entries after entry 3 were cut off.
order: ${orderId}
entries: 3
head: ${proof.head_hash}
log: the last entry is leaf 41 of custody.vectors.example/log
checkpoint: 57 leaves, root ${checkpoint.split('\n')[2]}
key: ${key} (trusted)
`,
  });
});

describe('with witnesses', () => {
  const witness = vkeyOfWitness(witnessKey);
  const other = vkeyOfWitness(aKey('other.witness.example', 12));
  const { text } = parseNote(checkpoint);
  const cosigned = file('cosigned.json', {
    ...proof,
    log: { ...proof.log, checkpoint: checkpoint + cosign(text, 1_768_475_000, witnessKey) },
  });

  test('prints who cosigned and when', () => {
    const { status, stdout } = verify([cosigned, '--key', key, '--witness', witness]);
    expect([status, ...stdout.split('\n')]).toEqual(
      expect.arrayContaining([
        0,
        'witnesses: 1 of 1 cosigned, 1 required',
        'cosigned: witness.vectors.example at 2026-01-15T11:03:20.000Z',
      ]),
    );
  });

  test('exits with 3 unless the quorum cosigned', () => {
    const both = ['--witness', witness, '--witness', other];
    expect(verify([cosigned, '--key', key, ...both])).toMatchObject({
      status: 3,
      stdout: expect.stringMatching(/^Consistent, but 1 of 2 witnesses cosigned/),
    });
    expect(verify([cosigned, '--key', key, ...both, '--quorum', '1']).status).toBe(0);
  });
});

test('prints since when a history is complete, and the order index that says so', () => {
  const path = file('complete.json', completeProof);
  const found = verify([path, '--key', key]);
  const root = /^order-index\/1 (.*)$/m.exec(completeProof.log!.checkpoint)![1];
  expect(found).toMatchObject({ status: 0, stderr: '' });
  expect(found.stdout.split('\n')[1]).toBe(
    `Covers 3 entries up to 2026-01-15T11:02:59.001Z; complete as of ${signedTime} (checkpoint 57).`,
  );
  expect(found.stdout).toContain(
    `order index: checkpoint 57, signed at ${signedTime}, root ${root}\nkey: ${key} (trusted)\n`,
  );
});

describe('exits with 0 for a proven history:', () => {
  test.each([
    ['a proof with a trusted key', ['--key', key]],
    ['a proof with two keys, one of which signed', ['--key', vkeyOfSigner(otherKey), '--key', key]],
    ['a proof with the keys of keys.json', ['--keys', keysFile]],
    ['a proof with a seen head', ['--key', key, '--seen-head', head(2)]],
    ['a proof with a seen checkpoint', ['--key', key, '--seen-checkpoint', noteFile]],
    ['a proof with an earlier checkpoint', ['--key', key, '--seen-checkpoint', earlierFile]],
  ])('%s', (_, args) => {
    const found = verify([proofFile, ...args]);
    expect(found).toEqual({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Proven: /),
    });
  });
});

describe('exits with 3 for a consistent history:', () => {
  const onlyFile = /only a key that the file itself brings.*\(from the file\)\n$/s;
  test.each([
    ['a proof without a trusted key', [proofFile], onlyFile],
    [
      'a proof with a key that did not sign',
      [proofFile, '--key', vkeyOfSigner(otherKey)],
      onlyFile,
    ],
    ['a proof without a log part', [unloggedFile, '--key', key], /no checkpoint covers/],
    [
      'an invented chain, and the genuine key',
      [inventedFile, '--key', key],
      /no checkpoint covers/,
    ],
    ['a list of events', [eventsFile, '--order', orderId], /a list of events has no signature/],
    ['an empty list', [noneFile, '--order', orderId], /the order has no custody entries/],
    ['an order in upper case', [eventsFile, '--order', orderId.toUpperCase()], /entries: 3/],
    ['events with a seen head', [eventsFile, '--order', orderId, '--seen-head', head(3)], /: 3/],
  ])('%s', (_, args, stdout) => {
    const found = verify(args);
    expect(found).toEqual({ status: 3, stderr: '', stdout: expect.stringMatching(stdout) });
    expect(found.stdout).toMatch(/^Consistent, but the signer is unknown: /);
  });
});

describe('exits with 1 for an invalid file:', () => {
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
    ['a key that was rotated out', [proofFile, '--keys', oldKeysFile], /trusted_keys: the key was/],
    ['a log proof without any key', [keylessFile], /no signature by a known key/],
    ['an unanswered question', [proofFile, '--seen-checkpoint', earlierNote], /cannot be checked/],
    [
      'what steers a terminal, unseen',
      [hostile, '--order', orderId],
      /^\P{C}*\n\P{C}*\n\P{C}*\\u001b\[2J\\u202e\P{C}*\n$/u,
    ],
  ])('%s', (_, args, stdout) => {
    const found = verify(args);
    expect(found).toEqual({ status: 1, stderr: '', stdout: expect.stringMatching(stdout) });
    expect(found.stdout).toMatch(/^Invalid: [^\n]*\nAn invalid file [^\n]*\nreason: [^\n]*\n$/);
  });
});

describe('exits with 2 for wrong usage:', () => {
  test.each([
    ['no file', []],
    ['two files', [proofFile, proofFile]],
    ['an unknown option', [proofFile, '--trust']],
    ['a file that is not there', [join(folder, 'nowhere.json')]],
    ['a list without its order', [eventsFile]],
    ['an order that is no UUID', [eventsFile, '--order', '1']],
    ['a list with a key', [eventsFile, '--order', orderId, '--key', key]],
    ['a keys file without keys', [proofFile, '--keys', proofFileWithoutKeys]],
    ['a keys file with a broken key', [proofFile, '--keys', brokenKeysFile]],
    ['a head that is none', [proofFile, '--seen-head', '3']],
    ['a key that is none', [proofFile, '--key', 'x']],
    ['a key of the log as a witness', [proofFile, '--witness', key]],
    ['a quorum without witnesses', [proofFile, '--quorum', '1']],
  ])('%s', (_, args) => {
    expect(verify(args)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^custody-verify: .*\n\ncustody-verify FILE/),
    });
  });
});

test('reads standard input and prints the verdict as JSON', () => {
  const { status, stdout } = verify(['-', '--json', '--order', orderId], JSON.stringify(edited));
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    verdict: 'invalid',
    headline: 'Invalid: entry 2 does not fit: an entry was changed, added, moved or removed.',
    limit: 'An invalid file proves nothing about the order.',
    at: 'entries',
    index: 1,
    entryId: entries[1]!.id,
    reason: 'event_hash does not match what the entry says',
  });
  expect(JSON.parse(verify(['-', '--json'], JSON.stringify(proof)).stdout).log.leafIndex).toBe(41);
});

test('a text of the file that controls a terminal is escaped in the JSON, too', () => {
  const list = JSON.stringify([{ ...entries[0], id: '\u009b2J\u202e' }]);
  const { stdout } = verify(['-', '--json', '--order', orderId], list);
  expect(stdout).toMatch(/^\P{C}*\n$/u);
  expect(JSON.stringify(JSON.parse(stdout))).toContain('\u009b2J\u202e');
});

describe('without a verdict that was printed exits with 2:', () => {
  test.each([[[]], [['--json']]])('a full disk %j', (more) => {
    for (const path of [proofFile, noneFile]) {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(process.execPath, [bin, path, '--key', key, ...more], {
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
      closeSync(full);
      expect(status).toBe(2);
      expect(stderr).toContain('custody-verify: ');
    }
  });

  test.each([
    ['node', process.execPath, [bin]],
    ...(python ? [['python', python, ['-B', pythonProgram]] as const] : []),
  ])('a closed pipe, in silence: %s', (_, program, first) => {
    // the shell has closed the pipe's end for reading when the program begins
    const script = `exec 3>&1; { sleep 0.2; "$@"; echo "$?" >&3; } | true`;
    const { stdout, stderr } = spawnSync(
      'bash',
      ['-c', script, 'bash', program, ...first, proofFile],
      { encoding: 'utf8' },
    );
    expect([stdout, stderr]).toEqual(['2\n', '']);
  });

  (python ? test : test.skip)('a full disk, in Python', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(python!, ['-B', pythonProgram, proofFile], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect([status, stderr]).toEqual([2, expect.stringContaining('cannot be printed')]);
  });
});

test('exits with 0 for --help', () => {
  expect(verify(['--help'])).toMatchObject({ status: 0, stderr: '' });
});
