import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import { pythonWith } from '@pto/testing';
import { unzipSync } from 'fflate';
import { buildPythonPackage } from '../../clients/build-python.ts';

const folder = mkdtempSync(join(tmpdir(), 'python-package-'));
const [wheel, sdist] = buildPythonPackage(folder) as [string, string];
afterAll(() => rmSync(folder, { recursive: true }));

const info = 'partner_transport_orders-1.0.0.dist-info'.replace(
  '1.0.0',
  /-(\d+\.\d+\.\d+)-/.exec(wheel)![1]!,
);
const contents = unzipSync(readFileSync(wheel));
const text = (path: string) => Buffer.from(contents[path]!).toString();

test('the record of the wheel has the SHA-256 of each of its files', () => {
  const rows = text(`${info}/RECORD`).trimEnd().split('\n');
  const listed = rows.map((row) => row.split(',') as [string, string, string]);
  expect(listed.map(([path]) => path).sort()).toEqual(Object.keys(contents).sort());
  for (const [path, digest] of listed.slice(0, -1))
    expect(digest).toBe(
      `sha256=${createHash('sha256').update(contents[path]!).digest('base64url')}`,
    );
});

test('the packages have the client, both verifiers, its types and its metadata', () => {
  const names = ['__init__.py', '_custody_verifier.py', '_webhook_verifier.py', 'py.typed'];
  const paths = names.map((name) => `partner_transport_orders/${name}`);
  expect(Object.keys(contents)).toEqual(expect.arrayContaining(paths));
  expect(text(`${info}/METADATA`)).toContain("\nRequires-Dist: rfc8785>=0.1.4; extra == 'custody'");
  const tar = gunzipSync(readFileSync(sdist)).toString('latin1');
  for (const path of paths) expect(tar).toContain(`src/${path}`);
  expect(tar).toContain('/PKG-INFO');
});

test('the same sources give the same bytes', () => {
  mkdirSync(join(folder, 'again'));
  const again = buildPythonPackage(join(folder, 'again'));
  expect(again.map((path) => readFileSync(path))).toEqual(
    [wheel, sdist].map((path) => readFileSync(path)),
  );
});

const python = pythonWith(['packaging==25.0']);
(python ? test : test.skip)('the tools of Python read the metadata of both', () => {
  const script = `
import sys, tarfile, zipfile
from packaging.metadata import Metadata
wheel, sdist, info = sys.argv[1:]
inner = sdist.rsplit("/", 1)[1].removesuffix(".tar.gz")
a = zipfile.ZipFile(wheel).read(info + "/METADATA")
b = tarfile.open(sdist).extractfile(inner + "/PKG-INFO").read()
assert a == b
print(Metadata.from_email(a, validate=True).name, zipfile.ZipFile(wheel).testzip())
`;
  const read = spawnSync(python!, ['-c', script, wheel, sdist, info], { encoding: 'utf8' });
  expect([read.stdout, read.stderr]).toEqual(['partner-transport-orders None\n', '']);
});
