/** Prints the provenance of an image: `node tools/provenance.ts IMAGE sha256:…` (install.md). */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What an image was built from. */
export interface Build {
  /** Without a tag. */
  readonly image: string;
  /** Of the image's manifest: `sha256:…`. */
  readonly digest: string;
  readonly commit: string;
  readonly repository: string;
  /** With its digest. */
  readonly base: string;
  /** SHA-256 in hex, by path. */
  readonly files: Readonly<Record<string, string>>;
}

const sha256 = /^sha256:([0-9a-f]{64})$/;

/**
 * Returns an in-toto statement with SLSA provenance v1, to be signed by the pipeline that builds.
 * @throws Error for a digest that is none, and for a base image without one.
 */
export const provenance = ({ image, digest, commit, repository, base, files }: Build) => {
  const subject = sha256.exec(digest)?.[1];
  if (!subject) throw new Error(`expected sha256: and 64 hex digits, not ${digest}`);
  const [, name, baseDigest] = /^([^@]+)@sha256:([0-9a-f]{64})$/.exec(base) ?? [];
  if (!name || !baseDigest)
    throw new Error(
      `the base image has no digest: ${base}. Pin it in the Dockerfile (NODE_IMAGE).`,
    );
  const target = image.split('/').at(-1);
  const material = (uri: string, of: Record<string, string>) => ({ uri, digest: of });
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: image, digest: { sha256: subject } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${repository}#dockerfile/v1`,
        externalParameters: { dockerfile: 'Dockerfile', target, revision: commit },
        resolvedDependencies: [
          material(`git+${repository}@${commit}`, { gitCommit: commit }),
          material(`pkg:docker/${name}`, { sha256: baseDigest }),
          ...Object.entries(files).map(([path, hex]) => material(path, { sha256: hex })),
        ],
      },
      runDetails: { builder: { id: `${repository}#tools/provenance.ts` } },
    },
  };
};

const root = new URL('..', import.meta.url).pathname;
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const printProvenance = (image: string | undefined, digest: string | undefined): void => {
  if (!image || !digest) throw new Error('usage: node tools/provenance.ts IMAGE sha256:DIGEST');
  if (git('status', '--porcelain') !== '')
    throw new Error('There are uncommitted changes: an image is built from a commit.');
  const repository = process.env.REPOSITORY ?? git('config', '--default', '', 'remote.origin.url');
  if (repository === '')
    throw new Error('There is no remote origin: set REPOSITORY to the URL of the repository.');
  const base =
    process.env.NODE_IMAGE ?? /^ARG NODE_IMAGE=(\S+)$/m.exec(read('Dockerfile'))?.[1] ?? '';
  const hashed = ['Dockerfile', 'package-lock.json'].map((path) => [
    path,
    createHash('sha256').update(read(path)).digest('hex'),
  ]);
  const build = { image, digest, commit: git('rev-parse', 'HEAD'), repository };
  const statement = provenance({ ...build, base, files: Object.fromEntries(hashed) });
  process.stdout.write(`${JSON.stringify(statement, null, 2)}\n`);
};

if (import.meta.main)
  try {
    printProvenance(process.argv[2], process.argv[3]);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
