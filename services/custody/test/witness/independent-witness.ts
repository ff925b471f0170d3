/** Builds and runs the witness of github.com/transparency-dev/witness. */
import { execFile, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const source = fileURLToPath(new URL('./independent/', import.meta.url));
const run = promisify(execFile);

/** Whether there is a Go that can build the program. */
export const hasGo = spawnSync('go', ['version']).status === 0;

/**
 * The released versions of the witness's own dependencies lack subtree signing, which this test
 * does not use. These three expressions are left out of the build; everything else is as released.
 */
const withoutSubtrees: readonly (readonly [string, string])[] = [
  ['s.(f_note.SubtreeSigner)', 'any(s).(f_note.SubtreeSigner)'],
  ['ss.Verifier()', 'nil'],
  [
    'proof.VerifySubtreeConsistency(rfc6962.DefaultHasher, start, end, cp.Size, cProof, subRoot, cp.Hash)',
    'ErrNotImplemented',
  ],
];

/** Copies the witness's module with these changes. @returns a go.mod that builds with the copy. */
const writeModule = (folder: string, moduleFolder: string): string => {
  const copy = join(folder, 'witness');
  for (const part of ['go.mod', 'config', 'persistence/inmemory', 'witness'])
    cpSync(join(moduleFolder, part), join(copy, part), { recursive: true });
  const file = join(copy, 'witness', 'witness.go');
  let text = readFileSync(file, 'utf8');
  for (const [before, after] of withoutSubtrees) {
    if (text.split(before).length !== 2) throw new Error(`witness.go does not have ${before} once`);
    text = text.replace(before, after);
  }
  chmodSync(file, 0o600);
  writeFileSync(file, text);
  const module = join(folder, 'go.mod');
  const replaced = `replace github.com/transparency-dev/witness => ${copy}\n`;
  writeFileSync(module, `${readFileSync(join(source, 'go.mod'), 'utf8')}\n${replaced}`);
  copyFileSync(join(source, 'go.sum'), join(folder, 'go.sum'));
  return module;
};

/** Builds the program once: about 20 s without a build cache. */
export const buildIndependent = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'independent-'));
  const options = { cwd: source, timeout: 240_000 };
  await run('go', ['mod', 'download', 'github.com/transparency-dev/witness'], options);
  const listed = ['list', '-m', '-f', '{{.Dir}}', 'github.com/transparency-dev/witness'];
  const { stdout } = await run('go', listed, options);
  const program = join(folder, 'independent');
  const module = writeModule(folder, stdout.trim());
  await run('go', ['build', `-modfile=${module}`, '-o', program, '.'], options);
  const started = new Set<ReturnType<typeof spawn>>();
  return {
    /** Starts a witness with a new key and without a state. */
    serve: async (name: string, logVkey: string): Promise<{ vkey: string; url: string }> => {
      const stdio: SpawnOptions['stdio'] = ['ignore', 'pipe', 'inherit'];
      const child = spawn(program, ['serve', name, logVkey], { stdio });
      started.add(child);
      for await (const line of createInterface({ input: child.stdout! })) return JSON.parse(line);
      throw new Error('the independent witness did not start');
    },
    /** Whether the vkey cosigned each note, by github.com/transparency-dev/formats. */
    checks: async (vkey: string, notes: readonly string[]): Promise<boolean> => {
      const paths = notes.map((note, n) => {
        const path = join(folder, `${n}.note`);
        writeFileSync(path, note);
        return path;
      });
      return run(program, ['check', vkey, ...paths]).then(
        () => true,
        () => false,
      );
    },
    stop: () => {
      for (const child of started) child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
};
