/** The local stack of a test file: one of its own, or the one that test files share. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { sharedStackFolder, until } from '@pto/testing';
import { type Mesh, type StartOptions, standingMesh, startMesh, unlimited } from './mesh.ts';
import type { MeshFile } from './mesh-file.ts';
import { operatorClients } from './operator.ts';

const startMaxMs = 100_000;

/** What a test file uses before its stack runs: every member is that of the stack. */
const later = (current: () => Mesh | undefined): Mesh => {
  const mesh = () => {
    const started = current();
    if (!started) throw new Error('the local stack has not been started');
    return started;
  };
  return {
    get dir() {
      return mesh().dir;
    },
    get pid() {
      return mesh().pid;
    },
    file: () => mesh().file(),
    output: () => mesh().output(),
    stop: () => mesh().stop(),
    forget: () => mesh().forget(),
  };
};

/** Starts a local stack before the tests of this file and stops it after them. */
export const ownStack = (options: StartOptions = {}): Mesh => {
  let mesh: Mesh | undefined;
  beforeAll(async () => {
    mesh = await startMesh(options);
  }, startMaxMs);
  afterAll(async () => {
    await mesh?.stop();
    mesh?.forget();
  });
  return later(() => mesh);
};

/**
 * The local stack that test files share, with two organizations of this file's own: unlimited, its
 * bus in PostgreSQL. The first file of a run starts it, the end of the run stops it. Its files may
 * run at the same time: none of them harms it, or judges its ledger or memory as a whole.
 * MESH_FILE names the `mesh.json` of a deployment that takes its place, such as one in a cluster.
 */
export const sharedStack = (): Mesh => {
  let mesh: Mesh | undefined;
  beforeAll(async () => {
    const dir = sharedStackFolder();
    const given = process.env.MESH_FILE;
    if (!given) await startOnce(dir);
    else mkdirSync(dir, { recursive: true });
    const standing = standingMesh(given || join(dir, 'mesh.json'), dir);
    const organizations = given ? standing.file().organizations : await newOrganizations(standing);
    mesh = { ...standing, file: () => ({ ...standing.file(), organizations }) };
  }, startMaxMs);
  return later(() => mesh);
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
  await startMesh({ dir, kafka: false, env });
};

const newOrganizations = (mesh: Mesh): Promise<MeshFile['organizations']> => {
  const { access } = operatorClients(mesh);
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
