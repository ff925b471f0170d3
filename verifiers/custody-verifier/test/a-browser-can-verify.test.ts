import { expect, test } from '@jest/globals';
import { inBrowser } from './in-browser.ts';
import { proof } from './samples/a-proof.ts';

test('without Buffer, process or any module of Node, by its own SHA-256', async () => {
  const { verifyProof } = await inBrowser({ crypto });
  expect(await verifyProof(JSON.stringify(proof))).toMatchObject({
    verdict: 'consistent',
    entries: 3,
  });
  const trustedKeys = [proof.keys[0]!.vkey];
  expect(await verifyProof(JSON.stringify(proof), { trustedKeys })).toMatchObject({
    verdict: 'proven',
  });
  const edited = JSON.stringify(proof).replace('S-1042', 'S-1043');
  expect(await verifyProof(edited)).toMatchObject({ verdict: 'invalid', index: 0 });
});

test.each([
  ['has no crypto.subtle', {}],
  [
    'does not know Ed25519',
    {
      crypto: {
        subtle: { importKey: () => Promise.reject(new DOMException('', 'NotSupportedError')) },
      },
    },
  ],
])('a browser that %s proves nothing, and says why', async (_, globals) => {
  const { verifyProof } = await inBrowser(globals);
  const trustedKeys = [proof.keys[0]!.vkey];
  expect(await verifyProof(JSON.stringify(proof), { trustedKeys })).toMatchObject({
    verdict: 'consistent',
    headline: 'Consistent, but the signer is unknown: this program cannot check signatures.',
    log: { signer: 'unchecked', key: null },
  });
});
