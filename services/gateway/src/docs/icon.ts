import type { PublicResource } from '../http/public-routes.ts';

/** Serves the icon of all pages. Browsers request `/favicon.ico` without a link to it. */
export const icon = (): PublicResource => ({
  contentType: 'image/svg+xml',
  bytes: Buffer.from(svg),
});

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#0b57a4"/><path d="M7 16a5 5 0 0 1 5-5h3v3h-3a2 2 0 0 0 0 4h3v3h-3a5 5 0 0 1-5-5zm18 0a5 5 0 0 1-5 5h-3v-3h3a2 2 0 0 0 0-4h-3v-3h3a5 5 0 0 1 5 5z" fill="#fff"/></svg>
`;
