/** The system's keyring: Keychain, Credential Manager, or a Secret Service such as GNOME Keyring. */
import { spawnSync } from 'node:child_process';

/** Maximum time in ms of one access: a locked keyring asks the person for a password. */
const accessMaxMs = 30_000;
const reasonMaxLength = 200;
const service = 'partner-transport-orders';

/** The keyring cannot be used; the message says why, as the second half of a sentence. */
export class NoKeyring extends Error {}

/** The entry of one account in the keyring. */
export interface Keyring {
  /** Returns the text, null if there is none. @throws NoKeyring */
  read(account: string): string | null;
  /** @throws NoKeyring */
  write(account: string, text: string): void;
  /** Does nothing if there is no entry. @throws NoKeyring */
  remove(account: string): void;
}

/**
 * Returns the keyring. Each access runs in a process of its own, which can be ended: the library
 * blocks while the keyring does. The text passes through a pipe, never through an argument.
 * @param node the program that runs JavaScript.
 */
export const systemKeyring = (environment: NodeJS.ProcessEnv, node: string): Keyring => {
  const access = (request: object): string | null => {
    const input = JSON.stringify({ module: moduleUrl(), service, ...request });
    const { stdout, error } = spawnSync(node, ['--input-type=module', '--eval', accessScript], {
      ...{ input, encoding: 'utf8', timeout: accessMaxMs, killSignal: 'SIGKILL' },
      env: withoutSettings(environment),
    });
    if (error) throw new NoKeyring(`the keyring did not respond within ${accessMaxMs / 1000} s`);
    return answerOf(stdout);
  };
  return {
    read: (account) => access({ method: 'getPassword', account, texts: [] }),
    write: (account, text) => void access({ method: 'setPassword', account, texts: [text] }),
    remove: (account) => void access({ method: 'deletePassword', account, texts: [] }),
  };
};

/**
 * On Linux a Secret Service is required: the library would else use the kernel's keyring, which
 * forgets the key when the computer restarts.
 */
const accessScript = `
import { text } from 'node:stream/consumers';
const { module, service, account, method, texts } = JSON.parse(await text(process.stdin));
let answer;
try {
  const { Entry } = await import(module);
  const entry = new Entry(service, account, { linux: { store: 'secret-service' } });
  answer = { value: entry[method](...texts) };
} catch (error) {
  answer = { error: error.message };
}
process.stdout.write(JSON.stringify(answer));`;

/** Returns the URL of the library. It is optional, because it is a program for each system. */
const moduleUrl = (): string => {
  try {
    return import.meta.resolve('@napi-rs/keyring');
  } catch {
    throw new NoKeyring('the package @napi-rs/keyring is not installed');
  }
};

const answerOf = (stdout: string): string | null => {
  let answer: { value?: unknown; error?: unknown };
  try {
    answer = JSON.parse(stdout);
  } catch {
    throw new NoKeyring('the keyring cannot be used: its library ended early');
  }
  if (typeof answer.error === 'string')
    throw new NoKeyring(`the keyring cannot be used: ${answer.error.slice(0, reasonMaxLength)}`);
  return typeof answer.value === 'string' ? answer.value : null;
};

/** Returns an environment without the settings of pto: neither key nor secret. */
export const withoutSettings = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('PTO_')));
