import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, until } from '@pto/testing';

const command = '/usr/lib/rabbitmq/bin/rabbitmq-server';
const startMaxMs = 60_000;
const stopMaxMs = 30_000;

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });

/**
 * Starts a RabbitMQ with its files in the folder: the Debian package `rabbitmq-server`, which must
 * be installed.
 */
export const startRabbitmq = async (folder: string) => {
  if (!existsSync(command))
    throw new Error('RabbitMQ is missing: install the Debian package rabbitmq-server');
  mkdirSync(folder, { recursive: true });
  const [port, distribution] = [await freePort(), await freePort()];
  const program = spawn(command, {
    stdio: 'ignore',
    detached: true, // the script starts the server as its child: both are ended together
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      RABBITMQ_NODENAME: `bench${port}@localhost`,
      RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
      RABBITMQ_NODE_PORT: `${port}`,
      RABBITMQ_DIST_PORT: `${distribution}`,
      RABBITMQ_MNESIA_BASE: join(folder, 'data'),
      RABBITMQ_LOG_BASE: join(folder, 'log'),
      RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    },
  });
  await until(() => isListening(port), { what: 'RabbitMQ', deadlineMs: startMaxMs });
  return {
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    pid: program.pid!,
    stop: async () => {
      process.kill(-program.pid!, 'SIGTERM');
      const ended = () => program.exitCode !== null || program.signalCode !== null;
      await until(ended, { what: 'the end of RabbitMQ', deadlineMs: stopMaxMs });
    },
  };
};
