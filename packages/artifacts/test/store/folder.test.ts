import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { ArtifactId } from '../../src/index.ts';
import { artifactsWith, conformsToArtifacts, idOf, testKeys } from './conformance.ts';

const storingProgram = new URL('storing-program.ts', import.meta.url).pathname;

let root = '';
let dir = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'artifacts-'));
  dir = join(root, 'of/orders');
});
afterAll(() => rm(root, { recursive: true }));

const environment = () => ({ ARTIFACTS_DIR: dir });
const pathOf = ({ orderId, sha256 }: ArtifactId): string =>
  join(dir, sha256.slice(0, 2), `${orderId}.${sha256}`);

describe('a folder', () => {
  conformsToArtifacts({
    environment,
    stored: (id) => readFile(pathOf(id)),
    replace: (id, bytes) => writeFile(pathOf(id), bytes),
  });
});

test('files and folders are accessible to their owner alone', async () => {
  const artifacts = await artifactsWith(environment());
  const id = idOf(Buffer.of(1));
  await artifacts.store(id, Buffer.of(1));
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  expect(await modeOf(pathOf(id))).toBe('600');
  for (const folder of [dir, join(dir, 'incoming'), join(pathOf(id), '..')])
    expect(await modeOf(folder)).toBe('700');
});

test('concurrent writes of one artifact leave one complete file', async () => {
  const artifacts = await artifactsWith(environment());
  const bytes = Buffer.alloc(1_000_000, 7);
  const id = idOf(bytes);
  await Promise.all(Array.from({ length: 10 }, () => artifacts.store(id, bytes)));
  expect(await artifacts.read(id)).toEqual(bytes);
  expect(await readdir(join(dir, 'incoming'))).toEqual([]);
});

test('a process that is killed while storing leaves no partial artifact', async () => {
  const program = spawn(process.execPath, [storingProgram], {
    env: { ...process.env, ARTIFACTS_DIR: dir, ARTIFACTS_KEYS: testKeys },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(program, 'exit');
  let text = '';
  program.stdout.on('data', (more) => {
    text += more;
  });
  const lines = () => text.split('\n').slice(0, -1);
  await until(() => lines().length > 20, { what: 'stored artifacts' });
  program.kill('SIGKILL');
  await exited;
  const artifacts = await artifactsWith(environment());
  for (const line of lines()) {
    const { id, stored } = JSON.parse(line);
    // an artifact that was being stored is absent or complete
    const bytes = await artifacts.read(id);
    if (stored) expect(bytes).not.toBeNull();
  }
});

test('opening a folder deletes what an ended process has left, after an hour', async () => {
  await artifactsWith(environment());
  const [old, recent] = ['old', 'recent'].map((name) => join(dir, 'incoming', name));
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  for (const [path, minutes] of [
    [old!, 61],
    [recent!, 59],
  ] as const) {
    await writeFile(path, 'x');
    await utimes(path, ago(minutes), ago(minutes));
  }
  await artifactsWith(environment());
  const left = await readdir(join(dir, 'incoming'));
  expect(left).toContain('recent');
  expect(left).not.toContain('old');
});

test('a service with a folder does not load the client of object storage', async () => {
  const check = `
    import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => {
      if (url.includes('@aws-sdk')) throw new Error('loaded ' + url);
      return next(url, context);
    } });
    const { openArtifacts, artifactSettings } = await import('@pto/artifacts');
    const { readConfig } = await import('@pto/config');
    await openArtifacts(readConfig(artifactSettings, process.env).settings);`;
  const program = spawn(process.execPath, ['--input-type=module', '-e', check], {
    cwd: import.meta.dirname,
    env: { ...process.env, ARTIFACTS_DIR: dir, ARTIFACTS_KEYS: testKeys },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(program, 'exit')).toEqual([0, null]);
});
