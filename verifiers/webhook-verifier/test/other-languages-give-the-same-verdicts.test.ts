import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { sealed } from './deliveries/bodies.ts';
import { pinned } from './deliveries/pinned.ts';
import { secret, signed, t } from './deliveries/sign.ts';
import { rawBodyOf } from './deliveries/vector.ts';

const calls = pinned.map((vector) => ({
  ...vector.input,
  body: rawBodyOf(vector).toString('base64'),
}));
const expected = pinned.map(({ name, expect: of }) => [
  name,
  [of.valid, of.valid ? of.event : of.reason],
]);

describe.each([
  ['Python', 'python3', ['-B', '-X', 'utf8'], 'judge.py'],
  ['PHP', 'php', ['-n'], 'judge.php'], // -n: without the machine's settings, and what they load
])('the snippet in %s', (language, command, flags, program) => {
  const here = spawnSync(command, ['--version']).status === 0;
  if (!here)
    process.stderr.write(`\n*** TESTS WILL BE SKIPPED: there is no ${command} (${language})\n\n`);

  const judge = (asked: readonly object[]): unknown[] => {
    const file = fileURLToPath(new URL(program, import.meta.url));
    const input = JSON.stringify(asked);
    return JSON.parse(execFileSync(command, [...flags, file], { input, encoding: 'utf8' }));
  };

  (here ? test : test.skip)('judges every vector as the package does', () => {
    const verdicts = judge(calls);
    expect(pinned.map(({ name }, n) => [name, verdicts[n]])).toEqual(expected);
  });

  (here ? test : test.skip)('believes nothing without a secret', () => {
    const body = JSON.stringify(sealed);
    const unset = { body: btoa(body), header: signed(body, t, ''), now: t };
    for (const verdict of judge([
      { ...unset, secrets: [] },
      { ...unset, secrets: [secret, ''] },
    ]))
      expect(verdict).toEqual([false, expect.stringMatching(/^secrets: expected .*whsec_/)]);
  });

  (here ? test : test.skip)('takes the clock of its machine unless told', () => {
    const text = JSON.stringify(sealed);
    const now = Math.floor(Date.now() / 1000);
    const at = (time: number) => ({ body: btoa(text), header: signed(text, time), now: null });
    const asked = [now, now - 3600, now + 3600].map((time) => ({ ...at(time), secrets: [secret] }));
    expect(judge(asked)).toEqual([
      [true, 'order.sealed'],
      [false, 'stale'],
      [false, 'from_the_future'],
    ]);
  });
});
