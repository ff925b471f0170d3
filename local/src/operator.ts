#!/usr/bin/env node
/** Runs the operator's command line against the local stack that runs in LOCAL_DIR (`.local`). */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { readStackFile } from './stack/stack-file.ts';

const dir = resolve(process.env.LOCAL_DIR || '.local');
const stack = readStackFile(dir);
if (stack) {
  const [program = '', ...first] = stack.operator.command;
  const { status } = spawnSync(program, [...first, ...process.argv.slice(2)], {
    cwd: stack.operator.cwd,
    env: { ...process.env, ...stack.operator.env },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} else {
  process.stderr.write(`no local stack is ready in ${dir}: run npm start, or set LOCAL_DIR\n`);
  process.exitCode = 1;
}
