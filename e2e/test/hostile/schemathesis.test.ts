/** Schemathesis, a fuzzer of others that reads OpenAPI documents. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { pythonWith } from '@pto/testing';
import { size } from '../experiments.ts';
import { sharedStack } from '../test-stack.ts';

const examples = size(2, 100);
/** The Python that has it; null if it is not available. */
const schemathesis = pythonWith(['schemathesis==4.32.5']);
const runMaxMs = 240_000;
const run = promisify(execFile);
const stack = sharedStack();
/**
 * Not judged: bodies are read as leniently as pydantic does, so more is taken than the document
 * says (decision 1); and what it says is not all, for an address has to exist, too.
 */
const notJudged = 'negative_data_rejection,positive_data_acceptance';

/** One run of it; what it keeps goes into the folder. @returns its exit code and all that it said. */
const fuzz = async (
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

(schemathesis ? test : test.skip)(
  'every answer to it is documented, of the documented form, and no 5xx',
  async () => {
    const { gateways, organizations } = stack.file();
    const document = `${gateways[0]}/openapi.json`;
    const { paths } = (await (await fetch(document)).json()) as { paths: object };
    const operations = Object.values(paths).flatMap((methods) => Object.keys(methods));
    const words = [
      ...['run', document, '--header', `Authorization: Bearer ${organizations[0]!.keys.all}`],
      ...['--checks', 'all', '--exclude-checks', notJudged],
      // one worker: two threads that parse at once fail in Python 3.11 (AST recursion depth mismatch)
      ...['--seed', '20261121', '--max-examples', `${examples}`, '--workers', '1'],
      ...['--generation-deterministic'],
      ...['--request-timeout', '20', '--max-failures', '20', '--no-color'],
    ];
    const { code, output } = await fuzz(schemathesis!, words, stack.dir);
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    expect(output).toContain(`Tested: ${operations.length}`);
    expect(Number(/(\d+) passed/.exec(output.split('Test cases:')[1]!)![1])).toBeGreaterThan(
      10 * examples,
    );
  },
  400_000,
);
