/** Checks an OpenAPI document by Redocly `recommended-strict` and all rules of Spectral `oas`. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralParsers from '@stoplight/spectral-parsers';
import spectralRulesets from '@stoplight/spectral-rulesets';

/** Returns the errors and warnings of both linters, a sentence each. */
export const lint = async (text: string): Promise<readonly string[]> => [
  ...(await byRedocly(text)),
  ...(await bySpectral(text)),
];

const byRedocly = async (source: string): Promise<readonly string[]> => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const found = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return found.map(
    ({ ruleId, message, location }) => `redocly ${ruleId} at ${location[0]?.pointer}: ${message}`,
  );
};

const bySpectral = async (source: string): Promise<readonly string[]> => {
  const { Spectral, Document } = spectralCore;
  const spectral = new Spectral();
  spectral.setRuleset({
    extends: [[spectralRulesets.oas as never, 'all']],
    rules: {
      // URL and e-mail are settings of an installation (SUPPORT_URL, SUPPORT_EMAIL)
      'contact-properties': 'off',
      // tags are in the order in which a new partner needs them
      'openapi-tags-alphabetical': 'off',
    },
  });
  const found = await spectral.run(new Document(source, spectralParsers.Json, 'openapi.json'));
  return found.map(
    ({ code, path, message }) => `spectral ${code} at ${path.join('.')}: ${message}`,
  );
};
