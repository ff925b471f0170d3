import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort, makeAuthority, until } from '@pto/testing';
import { referredToAs } from './deliveries/bodies.ts';
import { newSecret, secret, signed } from './deliveries/sign.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const body = JSON.stringify(referredToAs('Größe'), null, 1);
const id = '018f4eb0-5a11-7b6c-9e0d-1f2a3b4c5d6e';
const now = () => Math.floor(Date.now() / 1000);

describe.each([
  ['Node', process.execPath, () => ['node/receiver.ts']],
  ['Python', 'python3', () => ['-B', '-X', 'utf8', 'python/receiver.py']],
  ['PHP', 'php', (port: number) => ['-n', '-S', `127.0.0.1:${port}`, 'php/receiver.php']],
])('the receiver in %s', (language, command, words) => {
  const here = spawnSync(command, ['--version']).status === 0;
  if (!here)
    process.stderr.write(`\n*** TESTS WILL BE SKIPPED: there is no ${command} (${language})\n\n`);
  const promise = here ? test : test.skip;
  const inbox = mkdtempSync(join(tmpdir(), 'inbox-'));
  let url: string;
  let receiver: ReturnType<typeof spawn> | undefined;

  beforeAll(async () => {
    if (!here) return;
    const port = await freePort();
    url = `http://127.0.0.1:${port}/hooks`;
    receiver = spawn(command, words(port), {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        PORT: `${port}`,
        WEBHOOK_SECRETS: `${newSecret},${secret}`,
        INBOX: inbox,
      },
      stdio: 'ignore',
    });
    await until(
      () =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        ),
      { what: 'the receiver' },
    );
  });
  afterAll(() => {
    receiver?.kill('SIGKILL');
    rmSync(inbox, { recursive: true, force: true });
  });

  const post = async (header: string | undefined, rawBody = body, delivery = id) => {
    const headers = {
      'x-service-delivery': delivery,
      ...(header && { 'x-service-signature': header }),
    };
    const answer = await fetch(url, { method: 'POST', headers, body: rawBody });
    return [answer.status, await answer.text()];
  };

  promise('answers the handshake', async () => {
    const answer = await fetch(`${url}?a=1&verification=n0nce-_`);
    expect([answer.status, await answer.text()]).toEqual([200, 'n0nce-_']);
  });

  promise('turns away what is unsigned, changed, stale or signed by another', async () => {
    expect(await post(undefined)).toEqual([401, 'no_header']);
    expect(await post(signed(body, now()), `${body} `)).toEqual([401, 'no_signature_matches']);
    expect(await post(signed(body, now() - 3600))).toEqual([401, 'stale']);
    expect(await post(signed(body, now(), 'whsec_other'))).toEqual([401, 'no_signature_matches']);
    expect(await post(signed(body, now()), body, '../outside')).toEqual([400, 'no delivery id']);
    expect(readdirSync(inbox)).toEqual([]);
  });

  promise('takes a body of 64 KiB, and refuses a larger one', async () => {
    const filled = (bytes: number) => body + ' '.repeat(bytes - Buffer.byteLength(body));
    const large = filled(65_537);
    expect((await post(signed(large, now()), large))[0]).toBe(413);
    expect(readdirSync(inbox)).toEqual([]);
    const just = filled(65_536);
    expect(await post(signed(just, now()), just, id.replace('0', '2'))).toEqual([204, '']);
    rmSync(join(inbox, id.replace('0', '2')));
  });

  promise('keeps what either secret signed, once, and answers 2xx every time', async () => {
    for (const by of [secret, newSecret, secret])
      expect(await post(signed(body, now(), by))).toEqual([204, '']);
    expect(readdirSync(inbox)).toEqual([id]);
    expect(readFileSync(join(inbox, id), 'utf8')).toBe(body);
  });

  promise('answers 5xx where it cannot keep it, so that it comes again', async () => {
    rmSync(inbox, { recursive: true });
    writeFileSync(inbox, 'not a folder');
    const [status] = await post(signed(body, now()), body, id.replace('0', '1'));
    expect(status).toBe(500);
  });
});

describe.each([
  ['Node', process.execPath, (folder: string) => [join(folder, 'node/receiver.ts')]],
  ['Python', 'python3', (folder: string) => ['-B', join(folder, 'python/receiver.py')]],
  [
    'PHP',
    'php',
    (folder: string, port: number) => [
      '-n',
      '-S',
      `127.0.0.1:${port}`,
      join(folder, 'php/receiver.php'),
    ],
  ],
])('the quickstart in %s, copied to another folder', (language, command, words) => {
  const isHere = spawnSync(command, ['--version']).status === 0;
  const folder = mkdtempSync(join(tmpdir(), 'quickstart-'));
  let receiver: ReturnType<typeof spawn> | undefined;
  let log = '';
  let url: string;

  beforeAll(() => {
    for (const part of ['package.json', 'src', 'node', 'python', 'php'])
      cpSync(join(root, part), join(folder, part), { recursive: true });
  });
  /** Starts it in the folder, without an inbox, and waits for its first response. */
  const start = async (environment: NodeJS.ProcessEnv): Promise<void> => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/hooks`;
    log = '';
    const env = { PATH: process.env.PATH, PORT: `${port}`, ...environment };
    receiver = spawn(command, words(folder, port), { cwd: folder, env });
    receiver.stderr!.on('data', (text) => {
      log += text;
    });
    const isUp = () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isUp, { what: 'the receiver' });
  };
  const post = (headers: Record<string, string>) =>
    fetch(url, { method: 'POST', headers: { 'x-service-delivery': id, ...headers }, body });
  afterEach(() => {
    receiver?.kill('SIGKILL');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  (isHere ? test : test.skip)('answers the handshake before it has a secret', async () => {
    await start({});
    const response = await fetch(`${url}?verification=n0nce`);
    expect([response.status, await response.text()]).toEqual([200, 'n0nce']);
    const rejected = await post({ 'x-service-signature': signed(body, now()) });
    expect([rejected.status, await rejected.text()]).toEqual([
      401,
      'no secret: set WEBHOOK_SECRETS',
    ]);
    await until(() => log.includes('rejected with 401: no secret'), { what: 'the reason' });
  });

  (isHere ? test : test.skip)('stores a delivery and logs each rejection', async () => {
    await start({ WEBHOOK_SECRETS: secret });
    const stored = await post({ 'x-service-signature': signed(body, now()) });
    expect(stored.status).toBe(204);
    expect(readFileSync(join(folder, 'inbox', id), 'utf8')).toBe(body);
    expect((await post({})).status).toBe(401);
    await until(() => log.includes('rejected with 401: no_header'), { what: 'the reason' });
  });

  (isHere && language !== 'PHP' ? test : test.skip)(
    'speaks HTTPS with a certificate, also while somebody does not complete the handshake',
    async () => {
      const { certFile, keyFile, caFile, forget } = makeAuthority();
      const port = await freePort();
      const env = { PATH: process.env.PATH, PORT: `${port}`, TLS_CERT: certFile, TLS_KEY: keyFile };
      receiver = spawn(command, words(folder, port), { cwd: folder, env });
      const ca = readFileSync(caFile);
      const answer = async () => {
        const request = get(`https://localhost:${port}/hooks?verification=n0nce`, { ca });
        const [response] = await once(request, 'response');
        return [response.statusCode, `${await response.toArray()}`];
      };
      await until(() => answer().catch(() => null), { what: 'the receiver' });
      const silent = connect(port, '127.0.0.1');
      await once(silent, 'connect');
      expect(await answer()).toEqual([200, 'n0nce']);
      silent.destroy();
      forget();
    },
    20_000,
  );
});
