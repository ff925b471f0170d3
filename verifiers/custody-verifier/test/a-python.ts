/** A Python with independent implementations of what the verifier does. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pythonWith } from '@pto/testing';

/** Null where there is no Python. */
export const python = pythonWith(['rfc8785==0.1.4', 'cryptography==46.0.3']);

/** What a program prints for what it reads, both as JSON. */
export const askPython = (program: string, question: unknown): unknown =>
  JSON.parse(
    execFileSync(python!, ['-B', '-X', 'utf8', '-c', program], {
      input: JSON.stringify(question),
      cwd: fileURLToPath(new URL('../python/', import.meta.url)),
      maxBuffer: 2 ** 28,
      encoding: 'utf8',
    }),
  );
