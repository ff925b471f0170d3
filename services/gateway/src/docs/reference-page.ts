import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { PublicResource } from '../http/public-routes.ts';

/**
 * Serves the API reference: Swagger UI from its npm package, with the gateway's own document. The
 * page loads nothing from other servers; its policy forbids that. It sends no requests to the API,
 * so that partners never enter keys into a page.
 */
export const referencePage = (): readonly [string, PublicResource][] => [
  ['/docs', { contentType: html, bytes: Buffer.from(page), policy }],
  ['/docs/start.js', { contentType: javascript, bytes: Buffer.from(start) }],
  ['/docs/swagger-ui.js', { contentType: javascript, bytes: packaged('swagger-ui-bundle.js') }],
  ['/docs/swagger-ui.css', { contentType: css, bytes: packaged('swagger-ui.css') }],
  ['/docs/reference.css', { contentType: css, bytes: Buffer.from(ownStyle) }],
];

const html = 'text/html; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

/** Content-Security-Policy of the page. Swagger UI's images are data URLs inside its stylesheet. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const packaged = (file: string): Buffer =>
  readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`));

/** The HTML of the page. Its links are relative, because a proxy may add a prefix to all paths. */
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Partner Transport Orders: reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/reference.css">
<main id="reference"></main>
<noscript>This page needs a script of ours; <a href="openapi.json">the document</a> and
<a href="docs/errors">the error codes</a> do not.</noscript>
<script src="docs/swagger-ui.js"></script>
<script src="docs/start.js"></script>
</html>
`;

const start = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayOperationId: true,
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: [],
  validatorUrl: null,
});
`;

/** Hides the sign-in buttons of Swagger UI, because the page sends no requests to the API. */
const ownStyle = '.swagger-ui .auth-wrapper, .swagger-ui .authorization__btn { display: none }\n';
