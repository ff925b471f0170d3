/** Schemathesis, a fuzzer of others that reads OpenAPI documents. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pythonWith } from '@pto/testing';

const runMaxMs = 240_000;
const run = promisify(execFile);

/** The Python that has it; null if it is not available. */
export const findSchemathesis = (): string | null => pythonWith(['schemathesis==4.32.5']);

/** One run of it; what it keeps goes into the folder. @returns its exit code and all that it said. */
export const fuzz = async (
  python: string,
  words: readonly string[],
  cwd: string,
): Promise<{ code: number; output: string }> => {
  const options = { cwd, timeout: runMaxMs, maxBuffer: 64 << 20 };
  try {
    const { stdout, stderr } = await run(python, ['-m', 'schemathesis.cli', ...words], options);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    // the message would show the command, and with it the key
    const { code, killed, stdout, stderr } = error as Error & Record<string, string | number>;
    const late = killed ? `not done after ${runMaxMs} ms` : '';
    return { code: Number(code) || 1, output: `${stdout}${stderr}${late}` };
  }
};
