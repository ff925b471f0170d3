#!/usr/bin/env node
/** The operator's command line against the local stack that runs in LOCAL_DIR (`.local`). */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { readMesh } from './mesh-file.ts';

const dir = resolve(process.env.LOCAL_DIR || '.local');
const mesh = readMesh(dir);
if (mesh) {
  const [program = '', ...first] = mesh.operator.command;
  const { status } = spawnSync(program, [...first, ...process.argv.slice(2)], {
    cwd: mesh.operator.cwd,
    env: { ...process.env, ...mesh.operator.env },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} else {
  process.stderr.write(`no mesh is ready in ${dir}: npm start first, or set LOCAL_DIR\n`);
  process.exitCode = 1;
}
