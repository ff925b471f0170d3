import { createHash } from 'node:crypto';
import { kinds } from '@pto/errors';
import { errorCatalogue, type PublicKind, publicKinds } from '../errors/catalogue.ts';
import type { PublicResource } from '../http/public-routes.ts';

/**
 * Renders the error catalogue as a page without scripts and external resources, with one anchor for
 * each code.
 */
export const errorPage = (): PublicResource => ({
  contentType: 'text/html; charset=utf-8',
  bytes: Buffer.from(page()),
  policy: `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
});

const page = (): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Partner Transport Orders: error codes</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<main>
<h1>Error codes</h1>
<p>Every error response has the form <code>{"error": {"code", "message", "details"}}</code>. React to the
code; the message may change its wording. A malformed request is answered with
<a href="#VALIDATION"><code>{"detail": [...]}</code></a> instead. See also the
<a href="../docs">reference</a>.</p>
${publicKinds.map(section).join('\n')}
</main>
</html>
`;

const section = (code: PublicKind): string => {
  const { meaning, whatToDo, details } = errorCatalogue[code];
  const { http, retryable } = kinds[code];
  return `<section id="${code}">
<h2><a href="#${code}"><code>${code}</code></a> <span>${http}</span></h2>
<p>${escaped(meaning)}</p>
<p><strong>What to do:</strong> ${escaped(whatToDo)}</p>
${retryable ? '<p>The very same request may succeed later.</p>\n' : ''}${
  details ? `<pre>"details": ${escaped(JSON.stringify(details, null, 2))}</pre>\n` : ''
}</section>`;
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const style = `
:root { color-scheme: light dark; --text: #1b1f24; --back: #fff; --soft: #f3f5f7; --link: #0b57a4 }
@media (prefers-color-scheme: dark) {
  :root { --text: #e3e7ec; --back: #14171b; --soft: #20252b; --link: #8ab8f0 }
}
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 44rem; margin: 0 auto; padding: 1rem }
h2 { margin: 2rem 0 0; font-size: 1.05rem; overflow-wrap: anywhere }
h2 span { font-weight: normal }
section:target { background: var(--soft); box-shadow: 0 0 0 .75rem var(--soft) }
a { color: var(--link) }
p { margin: .4rem 0 }
pre { background: var(--soft); padding: .6rem; overflow-x: auto; font-size: .9rem }
`;
