import { describe, expect, test } from '@jest/globals';
import { checkpointText, Rejection, verifyProof } from '../../src/index.ts';
import { emptyRoot } from '../../src/log/verify-paths.ts';
import { signNote, vkeyOfSigner } from '../../src/note/sign-note.ts';
import { checkSeenCheckpoint } from '../../src/proof/log-proof.ts';
import { readTrustedKeys } from '../../src/proof/signed-checkpoint.ts';
import { checkpoint, consistencyFrom, log, proof } from '../samples/a-proof.ts';
import { aKey, logKey, origin } from '../samples/a-signed-log.ts';

const another = aKey('another.example/log', 12);
const keys = {
  trusted: readTrustedKeys([vkeyOfSigner(logKey), vkeyOfSigner(another)]),
  brought: [],
};
const shown = { origin, size: 57, root: await log.rootAt(57) };
const empty = { origin, size: 0, root: emptyRoot() };
const [first, at42, at70] = await Promise.all([1, 42, 70].map((size) => log.checkpointAt(size)));
const signed = (of: typeof shown, key = logKey) => signNote(checkpointText(of), key);

describe('a seen checkpoint is rejected with the reason:', () => {
  const sameSize = 'logs of the same size have different roots';
  test.each<[string, string, unknown, typeof shown | null, string]>([
    [
      'the file shows none',
      checkpoint,
      undefined,
      null,
      'the file shows no checkpoint to compare with the seen one',
    ],
    [
      'another log signed it',
      signed({ ...shown, origin: another.name }, another),
      undefined,
      shown,
      'the seen checkpoint is of another log, another.example/log',
    ],
    [
      'it is smaller, and there is no path',
      first!,
      undefined,
      shown,
      'cannot be checked offline: it needs a consistency proof from 1 to 57',
    ],
    [
      'it is larger, and there is no path',
      at70!,
      undefined,
      shown,
      'cannot be checked offline: it needs a consistency proof from 57 to 70',
    ],
    ['the path is a text', at42!, 'x', shown, 'a path is an array'],
    [
      'it has the same size and another root',
      signed({ ...shown, root: emptyRoot() }),
      undefined,
      shown,
      `${sameSize} (sizes 57 and 57)`,
    ],
    [
      'it is empty, and its root is not that of an empty log',
      signed({ ...empty, root: shown.root }),
      undefined,
      empty,
      `${sameSize} (sizes 0 and 0)`,
    ],
  ])('%s', async (_, note, path, of, reason) => {
    const checked = checkSeenCheckpoint(note, path, of, keys);
    await expect(checked).rejects.toThrow(new Rejection(reason));
    await expect(checked).rejects.toMatchObject({ at: 'seen.checkpoint' });
  });
});

test.each([
  ['of the same size', checkpoint, undefined],
  ['of an empty log, which every log begins with', signed(empty), undefined],
  ['that is smaller, with a path', at42!, await consistencyFrom(42)],
  ['that is larger, with a path', at70!, await consistencyFrom(57, 70)],
])('a seen checkpoint %s agrees with the file', async (_, note, consistency) => {
  const seen = { checkpoint: note, consistency };
  const trustedKeys = [vkeyOfSigner(logKey)];
  const judged = await verifyProof(JSON.stringify(proof), { trustedKeys, seen });
  expect(judged.verdict).toBe('proven');
});
