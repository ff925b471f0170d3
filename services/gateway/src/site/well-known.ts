import { Failure } from '@pto/errors';
import type { Installation } from '../openapi/document.ts';
import { basePath } from '../routes/table.ts';
import type { PublicResource, PublicRoute } from './representation.ts';

/** `Expires` is less than a year ahead (RFC 9116, 2.5.5); each response computes it again. */
const validDays = 180;
const dayMs = 86_400_000;

/**
 * Serves `/robots.txt` (RFC 9309) and `/.well-known/security.txt` (RFC 9116). The contacts are those
 * of support, because SECURITY.md sends reports on a deployment to its operator.
 */
export const wellKnownRoutes = (installation: Installation): readonly PublicRoute[] => [
  {
    path: /^\/robots\.txt$/,
    name: '/robots.txt',
    read: () => plain(['User-agent: *', `Disallow: ${basePath}/`, 'Disallow: /*/tile/']),
  },
  {
    path: /^\/\.well-known\/security\.txt$/,
    name: '/.well-known/security.txt',
    read: () => plain(securityLines(installation)),
  },
];

/** @throws Failure NOT_FOUND without a contact, which the format requires. */
const securityLines = ({ baseUrl, supportEmail, supportUrl }: Installation): string[] => {
  const contacts = [supportEmail && `mailto:${supportEmail}`, supportUrl].filter(Boolean);
  if (contacts.length === 0)
    throw new Failure('NOT_FOUND', 'This installation states no contact.', {
      details: { resource: 'path' },
    });
  const expires = new Date((Math.floor(Date.now() / dayMs) + validDays) * dayMs);
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    ...(baseUrl ? [`Canonical: ${new URL('/.well-known/security.txt', baseUrl)}`] : []),
  ];
};

const plain = (lines: readonly string[]): PublicResource => ({
  contentType: 'text/plain; charset=utf-8',
  bytes: Buffer.from(`${lines.join('\n')}\n`),
});
