/**
 * The Python client with both verifiers, as a wheel and a source distribution. Both are archives with
 * a few files of metadata (packaging.python.org), so no Python and no uv is needed to build them.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { tarGzOf, zipOf } from './archives.ts';
import { fromRoot } from './run.ts';

const source = 'clients/python';
const verifiers = ['webhook-verifier', 'custody-verifier'] as const;

/** The members of `pyproject.toml` that the package has. */
interface Project {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly 'requires-python': string;
  readonly dependencies: readonly string[];
  readonly classifiers: readonly string[];
  readonly 'optional-dependencies': Readonly<Record<string, readonly string[]>>;
  readonly scripts: Readonly<Record<string, string>>;
}

/** @returns the paths of both. */
export const buildPythonPackage = (out: string): string[] => {
  const pyproject = read(`${source}/pyproject.toml`);
  const { project } = parse(pyproject.toString()) as unknown as { project: Project };
  const name = `${project.name.replaceAll('-', '_')}-${project.version}`;
  const metadata = Buffer.from(metadataOf(project, read(`${source}/README.md`).toString()));
  const write = (file: string, bytes: Uint8Array): string => {
    writeFileSync(join(out, file), bytes);
    return join(out, file);
  };
  const others = [
    ['LICENSE', read('LICENSE')],
    ['PKG-INFO', metadata],
    ['README.md', read(`${source}/README.md`)],
    ['pyproject.toml', pyproject],
    ...modules().map(([path, bytes]) => [`src/${path}`, bytes] as const),
  ] as const;
  return [
    write(`${name}-py3-none-any.whl`, wheelOf(name, project, metadata)),
    write(
      `${name}.tar.gz`,
      tarGzOf(new Map(others.map(([path, bytes]) => [`${name}/${path}`, bytes]))),
    ),
  ];
};

const read = (path: string): Buffer => readFileSync(fromRoot(path));

/** The files of the package; the verifiers are modules of it. */
const modules = (): (readonly [path: string, bytes: Uint8Array])[] => {
  const own = globSync('**/*.{py,pyi,typed}', { cwd: fromRoot(`${source}/src`) });
  const files = own.map((path) => [path, read(`${source}/src/${path}`)] as const);
  const verifying = verifiers.map((name) => {
    const module = `partner_transport_orders/_${name.replace('-', '_')}.py`;
    const file = `${name.replace('-', '_').replace('verifier', 'verify')}.py`;
    return [module, read(`verifiers/${name}/python/${file}`)] as const;
  });
  return [...files, ...verifying].sort(([a], [b]) => (a < b ? -1 : 1));
};

const wheelOf = (name: string, { scripts }: Project, metadata: Uint8Array): Uint8Array => {
  const info = `${name}.dist-info`;
  const programs = Object.entries(scripts).map(([script, call]) => `${script} = ${call}\n`);
  const files = new Map([
    ...modules(),
    [`${info}/licenses/LICENSE`, read('LICENSE')],
    [`${info}/METADATA`, metadata],
    [`${info}/WHEEL`, Buffer.from(wheel)],
    [`${info}/entry_points.txt`, Buffer.from(`[console_scripts]\n${programs.join('')}`)],
  ]);
  const rows = [...files].map(([path, bytes]) => {
    const digest = createHash('sha256').update(bytes).digest('base64url');
    return `${path},sha256=${digest},${bytes.length}\n`;
  });
  const record = `${rows.join('')}${info}/RECORD,,\n`;
  return zipOf(files.set(`${info}/RECORD`, Buffer.from(record)));
};

const wheel = `Wheel-Version: 1.0
Generator: partner-transport-orders
Root-Is-Purelib: true
Tag: py3-none-any
`;

/** Core metadata 2.4. */
const metadataOf = (project: Project, readme: string): string => {
  const extras = Object.entries(project['optional-dependencies']);
  const lines = [
    'Metadata-Version: 2.4',
    `Name: ${project.name}`,
    `Version: ${project.version}`,
    `Summary: ${project.description}`,
    `License-Expression: ${project.license}`,
    'License-File: LICENSE',
    ...project.classifiers.map((classifier) => `Classifier: ${classifier}`),
    ...project.dependencies.map((dependency) => `Requires-Dist: ${dependency}`),
    ...extras.flatMap(([extra, dependencies]) =>
      dependencies.map((dependency) => `Requires-Dist: ${dependency}; extra == '${extra}'`),
    ),
    `Requires-Python: ${project['requires-python']}`,
    ...extras.map(([extra]) => `Provides-Extra: ${extra}`),
    'Description-Content-Type: text/markdown',
  ];
  return `${lines.join('\n')}\n\n${readme}`;
};
