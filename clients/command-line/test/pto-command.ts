import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtOnce } from '@pto/bundle';
import { until } from '@pto/testing';
import { bundleCommand } from '../../../tools/clients/build-npm.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { folder, build } = builtOnce(root, 'pto', [
  'clients/{command-line,typescript}/{package.json,src/**}',
  'verifiers/*/{package.json,src/**}',
  'packages/*/{package.json,src/**}',
  'proto/*.ts',
  'package-lock.json',
]);
await build(async (into) => {
  bundleCommand(into);
  writeFileSync(join(into, 'package.json'), '{"type": "module"}');
});
/**
 * The program of the checkout, bundled as partners have it: a start from the sources takes twice the
 * time. A test can give an installed one.
 */
const bundled = { program: join(folder, 'pto.js') };

/** A home folder of a test, and the environment of a partner who has it. */
export const aHome = (more: NodeJS.ProcessEnv = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'pto-home-'));
  const { NODE_OPTIONS, PTO_API_KEY, PTO_BASE_URL, ...rest } = process.env;
  const environment = {
    ...rest,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    // no keyring of the person who runs the tests
    XDG_RUNTIME_DIR: folder,
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, 'no-bus')}`,
    ...more,
  };
  return {
    environment: environment as NodeJS.ProcessEnv,
    config: join(folder, 'config', 'pto'),
    credentials: join(folder, 'config', 'pto', 'credentials.json'),
    state: join(folder, 'state', 'pto'),
    forget: () => rmSync(folder, { recursive: true, force: true }),
  };
};

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Whether a session with a keyring can be started. */
export const hasKeyring = ['dbus-run-session', 'gnome-keyring-daemon'].every(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/** Runs the command line in a session of its own, whose unlocked keyring lies in the home folder. */
export const withKeyring = (
  { DBUS_SESSION_BUS_ADDRESS: _, ...environment }: NodeJS.ProcessEnv,
  words: readonly string[],
  input = '',
  { program } = bundled,
): Promise<Ended> => {
  const script =
    'printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$@"';
  const session = ['--', 'sh', '-c', script, 'sh'];
  const child = spawn('dbus-run-session', [...session, process.execPath, program, ...words], {
    env: environment,
  });
  const { ended } = watched(child);
  child.stdin.end(input);
  return ended;
};

/** Starts the command line; `ended` resolves when its process has ended. */
export const startPto = (
  environment: NodeJS.ProcessEnv,
  words: readonly string[],
  { program } = bundled,
) => {
  const child = spawn(process.execPath, [program, ...words], { env: environment });
  return { child, ...watched(child) };
};

const watched = (child: ChildProcessWithoutNullStreams) => {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (part) => {
      texts[name] += part;
    });
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code) => resolve({ code, ...texts })),
  );
  /** Waits until it has printed this on standard output or standard error. */
  const printed = (text: string | RegExp) =>
    until(
      () => {
        const all = texts.stdout + texts.stderr;
        const found = typeof text === 'string' ? all.includes(text) : text.test(all);
        if (!found && child.exitCode !== null) throw new Error(`pto ended: ${all}`);
        return found;
      },
      { what: `pto to print ${text}` },
    );
  return { texts, ended, printed };
};

/** Runs the command line to its end with this text on standard input. */
export const runPto = (
  environment: NodeJS.ProcessEnv,
  words: readonly string[],
  input = '',
  { program } = bundled,
): Promise<Ended> => {
  const { child, ended } = startPto(environment, words, { program });
  child.stdin.end(input);
  return ended;
};

/** Runs a command on a pseudo-terminal and types an answer to its first question. */
const terminal = `
import os, pty, sys
question, answer, words = sys.argv[1].encode(), sys.argv[2].encode(), sys.argv[3:]
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
    if question in shown and not answered:
        os.write(fd, answer)
        answered = True
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** Runs the command line on a pseudo-terminal. @returns all that it shows, and its exit code. */
export const atTerminal = (
  environment: NodeJS.ProcessEnv,
  words: readonly string[],
  { question, answer }: { question: string; answer: string },
): Promise<Ended> => {
  const args = ['-c', terminal, question, answer, process.execPath, bundled.program, ...words];
  return watched(spawn('python3', args, { env: environment })).ended;
};
