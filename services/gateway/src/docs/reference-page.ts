import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { PublicResource } from '../http/public-routes.ts';

/**
 * The reference: Swagger UI out of its npm package, reading our own document. It loads nothing from
 * anywhere else, and its policy would not let it. It is for reading: it sends no requests, so that
 * nobody gets used to pasting keys into pages.
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

/** Its pictures are data URLs inside the stylesheet. */
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

/** Its links are relative, so that it may stand behind a proxy's own prefix. */
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

/** Nothing is sent from here, so nobody has to sign in. */
const ownStyle = '.swagger-ui .auth-wrapper, .swagger-ui .authorization__btn { display: none }\n';
