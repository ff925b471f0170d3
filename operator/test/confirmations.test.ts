import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { environmentOf, type FakeGateway, program } from './operator-command.ts';
import { gatewayWithText } from './output/hostile-gateway.ts';
import { runHere } from './output/run-here.ts';

let gateway: FakeGateway;
beforeAll(async () => {
  gateway = await gatewayWithText('x');
});
afterAll(() => gateway.stop());

/** Runs a command on a pseudo-terminal, answers its first question, and exits with its code. */
const terminal = `
import os, pty, sys
answer, words = sys.argv[1], sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    os.execv(words[0], words)
shown, answered = b"", False
while True:
    try:
        part = os.read(fd, 65536)
    except OSError:
        part = b""
    if not part:
        break
    shown += part
    if b"go on:" in shown and not answered:
        os.write(fd, answer.encode())
        answered = True
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

const atTerminal = (answer: string, words: readonly string[]) =>
  new Promise<{ code: number | null; shown: string }>((resolve) => {
    const args = ['-c', terminal, answer, process.execPath, program, ...words];
    const child = spawn('python3', args, { env: environmentOf(gateway) });
    let shown = '';
    child.stdout.on('data', (part) => {
      shown += part;
    });
    child.once('exit', (code) => resolve({ code, shown }));
  });

const calls = () => gateway.calls.splice(0).map(({ rpc }) => rpc);

const id = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const irreversible: readonly (readonly [string, readonly string[]])[] = [
  ['RevokeKey', ['key', 'revoke', id]],
  ['EndPortalSession', ['portal', 'end', id]],
  ['RevokeToken', ['token', 'revoke', id]],
  ['CancelOrder', ['order', 'cancel', id, '--reason', 'x']],
  ['ErasePersonalData', ['erase', '--order', id, '--reason', 'x']],
  ['DiscardDeadLetter', ['dlq', 'discard', id, '--reason', 'x']],
  ['SetEndpointDisabled', ['endpoint', 'disable', id]],
];

test.each(irreversible)(
  '%s waits for yes at a terminal, and no calls nothing',
  async (_, words) => {
    const { code, shown } = await atTerminal('no\n', words);
    expect([code, calls()]).toEqual([1, []]);
    expect(shown).toContain('This cannot be undone.');
    expect(shown).toContain('Nothing was done');
  },
);

test('the end of the input is no yes', async () => {
  expect((await atTerminal('\u0004', irreversible[0]![1])).code).toBe(1);
  expect(calls()).toEqual([]);
});

test.each(irreversible)('%s is called after yes', async (rpc, words) => {
  await atTerminal('yes\n', words);
  expect(calls()).toContain(rpc);
});

test('a terminal asks nothing with --yes', async () => {
  const [rpc, words] = irreversible[0]!;
  expect((await atTerminal('', [...words, '--yes'])).shown).not.toContain('cannot be undone');
  expect(calls()).toContain(rpc);
});

test.each(irreversible)('%s asks nobody with --yes', async (rpc, words) => {
  const { stderr } = await runHere(gateway, [...words, '--yes']);
  expect(stderr).not.toContain('cannot be undone');
  expect(calls()).toContain(rpc);
});

test.each(irreversible)('%s asks no script', async (rpc, words) => {
  await runHere(gateway, words);
  expect(calls()).toContain(rpc);
});
