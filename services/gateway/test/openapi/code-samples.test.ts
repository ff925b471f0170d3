import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeSamples } from '../../src/openapi/code-samples.ts';
import { deliveryId, endpointId, linkId, orderId } from '../../src/openapi/example-values.ts';
import { routeTable } from '../../src/routes/table.ts';
import { type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';
import { answeringServices } from './answering-services.ts';

const run = promisify(execFile);
const rows = routeTable({} as never, 'sandbox')
  .filter(({ linksOnly }) => !linksOnly)
  .map((row) => [row.name, row] as const);
const folder = mkdtempSync(join(tmpdir(), 'samples-'));
let under: GatewayUnderTest;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_WRITES_PER_MINUTE: '10000' },
    behind: answeringServices(),
  });
  const { key } = await partnerOf(under);
  const [ORDER_ID, ENDPOINT_ID, DELIVERY_ID] = [orderId, endpointId, deliveryId];
  const SHA256 = 'ab'.repeat(32);
  const ids = { ORDER_ID, ENDPOINT_ID, DELIVERY_ID, LINK_ID: linkId, KEY_ID: linkId, SHA256 };
  environment = { PATH: process.env.PATH, HOME: folder, API: under.baseUrls[0], KEY: key, ...ids };
});
afterAll(async () => {
  await under.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Execute the programs of their arguments in turn, and print for each what it printed, and its error. */
const runners: Readonly<Record<string, string>> = {
  sh: `for file in "$@"; do
  if sh "$file" > printed; then error=null; else error='"it failed"'; fi
  echo "{\\"printed\\": $(wc -c < printed), \\"error\\": $error}"
done
`,
  mts: `const write = process.stdout.write.bind(process.stdout);
for (const file of process.argv.slice(2)) {
  let printed = 0;
  process.stdout.write = (part) => (printed += part.length) > 0;
  const error = await import(file).then(() => null, String);
  write(JSON.stringify({ printed, error }) + '\\n');
}
`,
  py: `import contextlib, io, json, runpy, sys
for file in sys.argv[1:]:
    printed, error = io.TextIOWrapper(io.BytesIO(), write_through=True), None
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(file)
    except Exception as thrown:
        error = repr(thrown)
    print(json.dumps({"printed": len(printed.buffer.getvalue()), "error": error}))
`,
};

describe.each([
  ['curl', 'sh', 'sh', 'curl'],
  ['TypeScript', process.execPath, 'mts', process.execPath],
  ['Python', 'python3', 'py', 'python3'],
])('the samples in %s', (label, command, extension, needed) => {
  const isHere = spawnSync(needed, ['--version']).status === 0;
  if (!isHere) process.stderr.write(`\n*** TESTS WILL BE SKIPPED: there is no ${needed}\n\n`);
  const each = isHere ? test.each : test.skip.each;
  /** Executes the samples of these routes in one process, which takes most of the time to start. */
  const execute = async (of: typeof rows, env: NodeJS.ProcessEnv) => {
    const runner = join(folder, `runner.${extension}`);
    writeFileSync(runner, runners[extension]!);
    const files = of.map(([name, row]) => {
      const file = join(folder, `${name}.${extension}`);
      writeFileSync(file, codeSamples(row).find((sample) => sample.label === label)!.source);
      return file;
    });
    const { stdout } = await run(command, [runner, ...files], {
      ...{ cwd: folder, env, timeout: 60_000 },
    });
    const results = stdout.trim().split('\n');
    expect(results).toHaveLength(of.length);
    return new Map(of.map(([name], n) => [name, JSON.parse(results[n]!)]));
  };
  let executed: Awaited<ReturnType<typeof execute>>;
  beforeAll(async () => {
    if (isHere) executed = await execute(rows, environment);
  });

  each(rows)('%s is executed as shown and gets a success', (name, row) => {
    const { printed, error } = executed.get(name);
    expect(error).toBe(null);
    const printsNothing = row.success === 204 && label !== 'Python';
    expect(printed > 0).toBe(!printsNothing);
  });

  each(rows.slice(0, 1))('%s fails if the key is not valid', async (name) => {
    const wrong = await execute(rows.slice(0, 1), { ...environment, KEY: 'no' });
    expect(wrong.get(name).error).toEqual(expect.any(String));
  });
});
