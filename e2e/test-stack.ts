/** The local stack of a test file: one of its own, or the one that test files share. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { sharedStackFolder, until } from '@pto/testing';
import {
  type LocalStack,
  type StartOptions,
  standingStack,
  startLocalStack,
  unlimited,
} from './local-stack.ts';
import { operatorClients } from './operator.ts';
import type { StackFile } from './stack-file.ts';

const startMaxMs = 100_000;

/** What a test file uses before its stack runs: every member is that of the stack. */
const later = (current: () => LocalStack | undefined): LocalStack => {
  const stack = () => {
    const started = current();
    if (!started) throw new Error('the local stack has not been started');
    return started;
  };
  return {
    get dir() {
      return stack().dir;
    },
    get pid() {
      return stack().pid;
    },
    file: () => stack().file(),
    output: () => stack().output(),
    stop: () => stack().stop(),
    forget: () => stack().forget(),
  };
};

/** Starts a local stack before the tests of this file and stops it after them. */
export const ownStack = (options: StartOptions = {}): LocalStack => {
  let stack: LocalStack | undefined;
  beforeAll(async () => {
    stack = await startLocalStack(options);
  }, startMaxMs);
  afterAll(async () => {
    await stack?.stop();
    stack?.forget();
  });
  return later(() => stack);
};

/**
 * The local stack that test files share, with two organizations of this file's own: unlimited, its
 * bus in PostgreSQL. The first file of a run starts it, the end of the run stops it. Its files may
 * run at the same time: none of them harms it, or judges its ledger or memory as a whole.
 * MESH_FILE names the `mesh.json` of a deployment that takes its place, such as one in a cluster.
 */
export const sharedStack = (): LocalStack => {
  let stack: LocalStack | undefined;
  beforeAll(async () => {
    const dir = sharedStackFolder();
    const given = process.env.MESH_FILE;
    if (!given) await startOnce(dir);
    else mkdirSync(dir, { recursive: true });
    const standing = standingStack(given || join(dir, 'mesh.json'), dir);
    const organizations = given ? standing.file().organizations : await newOrganizations(standing);
    stack = { ...standing, file: () => ({ ...standing.file(), organizations }) };
  }, startMaxMs);
  return later(() => stack);
};

/** Starts the shared stack unless another test file has begun to do it; waits until it runs. */
const startOnce = async (dir: string): Promise<void> => {
  try {
    mkdirSync(dir, { mode: 0o755 });
  } catch {
    await until(() => existsSync(join(dir, 'mesh.json')), {
      deadlineMs: startMaxMs,
      what: 'the shared local stack',
    });
    return;
  }
  const env = { ...unlimited, WEBHOOKS_CONNECT_TIMEOUT: '500ms' };
  await startLocalStack({ dir, kafka: false, env });
};

const newOrganizations = (stack: LocalStack): Promise<StackFile['organizations']> => {
  const { access } = operatorClients(stack);
  const issue = async (organizationId: string, ...scopes: string[]) =>
    (await access.issueKey({ organizationId, scopes })).secret;
  const names = ['Demo Clinic', 'Other Clinic'];
  return Promise.all(
    names.map(async (name) => {
      const { id } = (await access.createOrganization({ name })).organization!;
      const [read, write, webhooks] = ['orders:read', 'orders:write', 'webhooks:manage'] as const;
      const keys = {
        all: await issue(id, read, write, webhooks),
        read: await issue(id, read),
        write: await issue(id, write),
        webhooks: await issue(id, webhooks),
      };
      return { id, name, keys };
    }),
  );
};
