import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildImage, filesOf, images, npmPackages } from '@pto/bundle';
import { certificatePdf } from '@pto/certificate';
import { freePort, stores, testDatabase, tlsEnvironment, until } from '@pto/testing';
import { sources as consoleSources } from '../../console/build/recent-console.ts';
import { provenInput } from '../../packages/certificate/test/samples/an-input.ts';
import { sources as siteSources } from '../../site/src/recent-site.ts';
import { buildContext } from './build-context.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const isInContext = buildContext(join(root, '.dockerignore'));
const names = Object.keys(images);

/** Outside of the checkout, so that a program finds no file that its image lacks. */
const folder = mkdtempSync(join(tmpdir(), 'pto-images-'));
const inputs = new Map<string, readonly string[]>();
beforeAll(async () => {
  for (const name of names) inputs.set(name, await buildImage(root, name, join(folder, name)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const programsOf = (image: string): string => join(folder, image, 'programs');

/** Of the test's own process, whose options are not those of an image. */
const environment = { PATH: process.env.PATH };

describe.each(names)('the image %s', (name) => {
  test('has every file that its programs import', () => {
    const { register, ...programs } = images[name]!.programs;
    const first = register ? ['--import', './register.mjs'] : [];
    for (const program of Object.keys(programs)) {
      const { status, stderr } = spawnSync(
        process.execPath,
        [...first, `${program}.mjs`, '--help'],
        { cwd: programsOf(name), env: environment, encoding: 'utf8' },
      );
      // 78: without settings a service ends as soon as it has loaded
      expect([program, [0, 78].includes(status!), stderr]).toEqual([program, true, '']);
    }
  });

  test('lists every package that it contains, with its digest and its license', () => {
    const read = (file: string) => readFileSync(join(folder, name, file), 'utf8');
    const bill = JSON.parse(read('sbom.cdx.json'));
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
    const listed = new Map<string, { hashes: object[]; licenses: object[] }>(
      bill.components.map((one: { purl: string }) => [one.purl, one]),
    );
    const copied = globSync('node_modules/**/package.json', { cwd: join(folder, name) });
    const contained = npmPackages(root, [...inputs.get(name)!, ...copied]);
    expect(contained.length).toBeGreaterThan(10);
    const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    for (const { name: of, version, license, folder: place } of contained) {
      const content = Buffer.from(locked[place].integrity.slice('sha512-'.length), 'base64');
      expect([of, listed.get(`pkg:npm/${of.replace('@', '%40')}@${version}`)]).toMatchObject([
        of,
        {
          hashes: [{ alg: 'SHA-512', content: content.toString('hex') }],
          licenses: [{ expression: license }],
        },
      ]);
      expect(read('third-party-notices.txt')).toContain(`${of} ${version} (${license})`);
    }
    expect(listed.size).toBe(new Set(contained.map((one) => `${one.name} ${one.version}`)).size);
  });

  test('has no TypeScript that Node would strip at its start', () => {
    const files = readdirSync(programsOf(name));
    expect(files.filter((file) => !file.endsWith('.mjs'))).toEqual([]);
  });

  test('is made of files of the build’s context', () => {
    const own = inputs.get(name)!.filter((path) => !path.includes('node_modules/'));
    const files = (images[name]!.files ?? []).filter((path) => !path.includes('node_modules/'));
    expect([...own, ...files].filter((path) => !isInContext(path))).toEqual([]);
  });
});

test('the documentation site is made of files of the build’s context', () => {
  const sources = filesOf(root, [...siteSources, ...consoleSources]);
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((path) => !isInContext(path))).toEqual([]);
});

test('the build’s context has no packages, tests or secrets', () => {
  for (const path of ['node_modules/pg/package.json', 'services/orders/test/a.ts', 'services/.env'])
    expect([path, isInContext(path)]).toEqual([path, false]);
});

test('the tracing module replaces the driver that bundled programs import', () => {
  const probe = join(programsOf('orders'), 'probe.mjs');
  writeFileSync(probe, `import pg from 'pg'; console.log(pg.Client.prototype.query.__wrapped);`);
  const isTraced = (env: NodeJS.ProcessEnv): string =>
    spawnSync(process.execPath, ['--import', './register.mjs', probe], {
      cwd: programsOf('orders'),
      env: { ...environment, ...env },
      encoding: 'utf8',
    }).stdout.trim();
  expect(isTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })).toBe('true');
  expect(isTraced({})).toBe('undefined');
});

test('a gateway outside of the checkout serves the pages that it reads from files', async () => {
  const database = await testDatabase('access');
  const [http, admin] = await Promise.all([freePort(), freePort()]);
  const gateway = spawn(process.execPath, ['--import', './register.mjs', 'main.mjs'], {
    cwd: programsOf('gateway'),
    stdio: 'ignore',
    env: {
      ...environment,
      ENVIRONMENT: 'sandbox',
      COURIER_ADDRESS: 'ipv4:127.0.0.1:1',
      ACCESS_URL: 'https://127.0.0.1:1',
      DATABASE_URL: database.serviceUrl,
      MIGRATION_DATABASE_URL: database.ownerUrl,
      REDIS_URL: stores().redis ?? '',
      ...Object.fromEntries(
        ['ORDERS', 'CUSTODY', 'WEBHOOKS'].map((name) => [`${name}_ADDRESS`, 'ipv4:127.0.0.1:1']),
      ),
      ...tlsEnvironment('gateway'),
      BIND_HOST: '127.0.0.1',
      HTTP_PORT: `${http}`,
      ADMIN_PORT: `${admin}`,
    },
  });
  const statusOf = (path: string) =>
    fetch(`http://127.0.0.1:${http}${path}`).then(
      async (response) => [response.status, (await response.text()).length > 100],
      () => [],
    );
  try {
    await until(async () => (await statusOf('/openapi.json'))[0] === 200, {
      what: 'a started gateway',
    });
    for (const path of [
      ...['/verify', '/verify/page.js', '/verify/qr.js', '/verify/certificate.ts'],
      ...['/verify/src/index.ts', '/verify/src/proof/verify-proof.ts'],
    ])
      expect([path, ...(await statusOf(path))]).toEqual([path, 200, true]);
  } finally {
    gateway.kill('SIGKILL');
    await once(gateway, 'exit');
    await database.drop();
  }
});

test('the thread of a gateway outside of the checkout renders the same certificate', async () => {
  const program = `
    const { Worker } = require('node:worker_threads');
    const worker = new Worker('./certificate-thread.mjs', { execArgv: [], env: {} });
    worker.on('message', (message) => {
      if (message === 'ready') return;
      const { output, error } = message;
      process.stdout.write(error ?? Buffer.from(output).toString('base64'));
      worker.terminate();
    });
    worker.postMessage(JSON.parse(require('node:fs').readFileSync(0, 'utf8')));`;
  const { stdout } = spawnSync(process.execPath, ['-e', program], {
    cwd: programsOf('gateway'),
    input: JSON.stringify(provenInput),
    encoding: 'utf8',
    env: {},
  });
  expect(stdout).toBe(Buffer.from(await certificatePdf(provenInput)).toString('base64'));
});

test('files that sources find by their own place are in the image at the same place', () => {
  const found = names.flatMap((name) =>
    readdirSync(programsOf(name)).flatMap((file) => {
      const text = readFileSync(join(programsOf(name), file), 'utf8');
      const urls = text.matchAll(/new URL\("(\.\.\/[^"]+\.ts)", import\.meta\.url\)\.href/g);
      return [...urls].map(([, path]) => relative(folder, join(programsOf(name), path!)));
    }),
  );
  // another module that reads files needs them in `images`, and a test
  expect([...new Set(found)].filter((path) => !path.endsWith('telemetry/src/register.ts'))).toEqual(
    [
      // its thread is the program `certificate-thread`
      'gateway/services/gateway/src/certificates/pdf-renderer.ts',
      // its thread is the program `large-body-thread`
      'gateway/services/gateway/src/http/large-bodies.ts',
      'gateway/services/gateway/src/site/verify-page.ts',
      'gateway/packages/certificate/src/pdf/fonts.ts',
      'gateway/packages/certificate/src/pdf/pdf-a.ts',
      // its thread is the program `files-thread`
      'orders/services/orders/src/files/file-reader.ts',
      'orders/services/orders/src/geocoding/gazetteer.ts',
      // its thread is the program `map-thread`
      'console/services/console/src/map/map-route.ts',
    ],
  );
  const cities = join(folder, 'orders/services/orders/src/geocoding/cities.tsv');
  const source = readFileSync(join(root, 'services/orders/src/geocoding/cities.tsv'));
  expect(readFileSync(cities).equals(source)).toBe(true);
  for (const font of [
    '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
    '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
    '@expo-google-fonts/noto-sans-math/400Regular/NotoSansMath_400Regular.ttf',
    '@expo-google-fonts/noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf',
    '@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
    '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
    '@expo-google-fonts/noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf',
    'pdfkit/js/data/sRGB_IEC61966_2_1.icc',
  ]) {
    const path = `node_modules/${font}`;
    const original = readFileSync(join(root, path));
    expect(readFileSync(join(folder, 'gateway', path)).equals(original)).toBe(true);
  }
});
