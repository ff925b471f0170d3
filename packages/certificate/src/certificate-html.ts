import { certificateDocument } from './certificate-document.ts';
import { blockHtml } from './html/blocks.ts';
import { escapeHtml } from './html/escape.ts';
import { style } from './html/style.ts';
import type { CertificateInput } from './input.ts';

/** A page with this policy runs no script and loads nothing, also from a disk. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/**
 * Returns the certificate of an order's custody as one HTML page without scripts and outside
 * resources. The same input gives the same text.
 * @throws Error if order, proof and verdict are not about the same history
 */
export const certificateHtml = (input: CertificateInput): string => {
  const { language, title, subtitle, blocks, footer } = certificateDocument(input);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
${style}
</style>
</head>
<body>
<header><h1>${escapeHtml(title)}</h1><p>${escapeHtml(subtitle)}</p></header>
<main>
${blocks.map(blockHtml).join('\n')}
</main>
<footer>${footer.map(escapeHtml).join('<br>')}</footer>
</body>
</html>
`;
};
