/** The npm packages: the client, which contains both verifiers, and each verifier alone. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { commonJs, entriesOf, type Manifest, scopeOf } from './npm-entries.ts';
import { fromRoot, run } from './run.ts';

const verifiers = ['webhook-verifier', 'custody-verifier'] as const;

/** @returns the paths of the tarballs. */
export const buildNpmPackages = (staging: string, out: string): string[] => {
  const client = join(staging, 'client');
  compile(client);
  const folders = verifiers.map((name) => stageVerifier(name, client, join(staging, name)));
  rmSync(join(client, 'src'), { recursive: true });
  for (const place of ['dist', commonJs])
    for (const name of ['bin', 'note/sign-note.js'])
      rmSync(join(client, place, 'custody-verifier', name), { recursive: true });
  bundleCommand(join(client, 'dist/command-line'));
  return [client, ...folders].map((folder) => {
    const [{ filename }] = JSON.parse(
      run(folder, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', out),
    );
    return join(out, filename);
  });
};

/** One run of the compiler for each kind of modules: the verifiers lie in the client as folders. */
const compile = (folder: string): void => {
  cpSync(fromRoot('clients/typescript'), folder, { recursive: true });
  rmSync(join(folder, 'test'), { recursive: true, force: true });
  cpSync(fromRoot('LICENSE'), join(folder, 'LICENSE'));
  for (const name of verifiers)
    cpSync(fromRoot(`verifiers/${name}/src`), join(folder, 'src', name), { recursive: true });
  const index = join(folder, 'src/index.ts');
  writeFileSync(index, readFileSync(index, 'utf8').replaceAll(/'@pto\/(\S+)'/g, "'./$1/index.ts'"));
  emit(folder, 'dist', {});
  compileCommonJs(folder);
  withEntries(join(folder, 'package.json'));
  for (const path of readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.d.ts')) withJsImports(join(folder, 'dist', path));
};

/**
 * The same as CommonJS below `dist/cjs`, for `require` of Node 20. The compiler takes the kind of a
 * module from the nearest package.json, in which #sha256 is then found, too.
 */
const compileCommonJs = (folder: string): void => {
  const manifest = join(folder, 'package.json');
  const own = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(own), type: 'commonjs' }));
  // a program is started, never required, and its imports would not be CommonJS
  emit(folder, commonJs, { verbatimModuleSyntax: false }, ['src/*/bin/custody-verify.ts']);
  writeFileSync(manifest, own);
  writeFileSync(join(folder, commonJs, 'package.json'), scopeOf(JSON.parse(own)));
};

const withEntries = (manifest: string): void => {
  const { exports, ...rest } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
  writeFileSync(manifest, JSON.stringify({ ...rest, ...entriesOf(exports) }, null, 2));
};

const emit = (folder: string, outDir: string, more: object, exclude: string[] = []): void => {
  const options = {
    extends: fromRoot('tsconfig.base.json'),
    compilerOptions: {
      target: 'es2022',
      lib: ['es2023', 'es2024.string'], // what Node 20 has
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: 'src',
      outDir,
      typeRoots: [fromRoot('node_modules/@types')],
      ...more,
    },
    include: ['src'],
    exclude,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  run(folder, process.execPath, fromRoot('node_modules/typescript/lib/tsc.js'), '-p', folder);
  rmSync(join(folder, 'tsconfig.json'));
};

/**
 * The compiler rewrites the extensions in .js files alone, and node10 finds no import of the package
 * itself.
 */
const withJsImports = (file: string): void => {
  const text = readFileSync(file, 'utf8').replaceAll("'#sha256'", "'./hash/sha256.ts'");
  writeFileSync(file, text.replaceAll(/((?:from|import) ?\(?'\.[^']*)\.ts'/g, "$1.js'"));
};

/** Packages that the bundle of the partner's command line contains. */
const bundled = ['commander', '@bomb.sh/tab'] as const;

/**
 * The partner's command line as one program, so that the package of the client has no dependencies.
 * Beside it are the licenses of what it contains.
 */
export const bundleCommand = (folder: string): void => {
  const place = fromRoot('clients/command-line');
  buildSync({
    entryPoints: [join(place, 'src/main.ts')],
    outfile: join(folder, 'pto.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.12',
    logLevel: 'warning',
  });
  writeFileSync(join(folder, 'LICENSES'), bundled.map((name) => license(place, name)).join('\n'));
};

const license = (from: string, name: string): string => {
  const folder = [from, fromRoot('.')]
    .map((place) => join(place, 'node_modules', name))
    .find((path) => existsSync(path))!;
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const text = join(folder, 'LICENSE');
  const head = `${name} ${manifest.version}, ${manifest.license}, ${manifest.author}\n`;
  return existsSync(text) ? `${head}\n${readFileSync(text, 'utf8')}` : head;
};

const stageVerifier = (name: string, client: string, folder: string): string => {
  const source = fromRoot(`verifiers/${name}`);
  mkdirSync(folder, { recursive: true });
  cpSync(join(client, 'dist', name), join(folder, 'dist'), { recursive: true });
  cpSync(join(client, commonJs, name), join(folder, commonJs), { recursive: true });
  for (const file of ['README.md', 'vectors'])
    cpSync(join(source, file), join(folder, file), { recursive: true });
  cpSync(fromRoot('LICENSE'), join(folder, 'LICENSE'));
  const own = readFileSync(join(source, 'package.json'), 'utf8');
  // `src/x.ts` is then `dist/x.js`
  const built = JSON.parse(own.replaceAll(/"\.\/src\/([^"]*)\.ts"/g, '"./dist/$1.js"'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(published(built), null, 2));
  writeFileSync(join(folder, commonJs, 'package.json'), scopeOf(built));
  return folder;
};

/** @returns the `package.json` of a built package. */
const published = ({
  private: _,
  devDependencies,
  scripts,
  exports,
  ...rest
}: Manifest): object => ({
  ...rest,
  sideEffects: false,
  engines: { node: '>=20.12' },
  files: ['dist', 'vectors', 'README.md', 'LICENSE'],
  ...entriesOf(exports),
});
