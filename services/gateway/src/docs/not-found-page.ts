import { createHash } from 'node:crypto';

const style = `
:root { color-scheme: light dark }
body { max-width: 40rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
`;

/**
 * Content-Security-Policy of the page: allows the page's own style and the gateway's images, no
 * scripts.
 */
export const notFoundPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/**
 * Returns the HTML page for an unknown path. The page does not repeat the path.
 * @param root relative URL of the root of the site, such as `../`
 */
export const notFoundPage = (root: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Page not found: Partner Transport Orders</title>
<style>${style}</style>
<main>
<h1>Page not found</h1>
<p>There is no page at this address. See the <a href="${root}docs">API reference</a>, the
<a href="${root}docs/errors">error codes</a>, or <a href="${root}verify">verify a custody proof</a>.</p>
</main>
</html>
`;
