import { expect, test } from '@jest/globals';
import { documentText } from '../openapi/gateway-document.ts';
import { lint } from '../openapi/lint.ts';

test('the document of the gateway has no finding', async () => {
  expect(await lint(documentText)).toEqual([]);
});

test('both linters report a document without contact and operation ids', async () => {
  const document = JSON.parse(documentText);
  delete document.info.contact;
  delete document.paths['/ping'].get.operationId;
  delete document.paths['/ping'].get.summary;
  const rules = (await lint(JSON.stringify(document))).map((fault) =>
    fault.split(' ').slice(0, 2).join(' '),
  );
  expect(rules).toEqual(
    expect.arrayContaining([
      'redocly operation-summary',
      'spectral info-contact',
      'spectral operation-operationId',
    ]),
  );
});
