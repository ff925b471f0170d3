import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { createGuards, fetchWithMaven, freePorts } from '@pto/stores';
import { until } from '@pto/testing';
import { needProgram } from '../stage/programs.ts';
import type { Stage } from '../stage/rehearsal.ts';

/** Starts a Redis whose user has a password. */
export const openRedis = async (stage: Stage) => {
  const guards = createGuards(stage.folder);
  stage.atEnd(guards.stopAll);
  const files = await fetchWithMaven(guards, stage.note);
  const command =
    (typeof files === 'string' ? undefined : files.redisServer) ?? needProgram('redis-server');
  const [port = 0] = await freePorts(1);
  const old = randomBytes(18).toString('base64url');
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', stage.folder, '--save', ''];
  await guards.run('redis-with-password', {
    ...{ command, args: [...args, '--requirepass', old], signal: 'TERM', graceS: 5 },
  });
  const run = (password: string, words: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`AUTH ${password}\r\n${words}\r\nQUIT\r\n`),
      );
      let text = '';
      socket.on('data', (bytes) => {
        text += bytes;
      });
      socket.once('close', () => resolve(text)).once('error', reject);
    });
  await until(async () => (await run(old, 'PING')).includes('+PONG'), { what: 'Redis' });
  const urlOf = (password: string) => `redis://:${password}@127.0.0.1:${port}`;
  const changed = async (password: string, words: string): Promise<void> => {
    const text = await run(password, words);
    if (text !== '+OK\r\n+OK\r\n+OK\r\n') throw new Error(`Redis responds ${text}`);
  };
  return {
    url: urlOf(old),
    /** Adds a password to the user. @returns the URL with it. */
    addPassword: async (): Promise<string> => {
      const next = randomBytes(18).toString('base64url');
      stage.note('  $ redis-cli ACL SETUSER default ">NEW"');
      await changed(old, `ACL SETUSER default >${next}`);
      return urlOf(next);
    },
    /** Removes the password of the start. */
    removeOld: async (url: string): Promise<void> => {
      stage.note('  $ redis-cli ACL SETUSER default "<OLD"');
      await changed(new URL(url).password, `ACL SETUSER default <${old}`);
    },
  };
};
