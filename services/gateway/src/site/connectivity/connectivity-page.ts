import { escapeHtml } from '@pto/certificate';
import { shownDuration as duration, facts, list, table } from '../html.ts';
import type { PageParts } from '../page-parts.ts';
import type { Connectivity } from './connectivity.ts';

/** PageParts the parts of the page /docs/connectivity that belong to this environment. */
export const connectivityFills = (read: () => Promise<Connectivity>): PageParts => ({
  'connectivity-environment': async () => environmentOf(await read()),
  'connectivity-outbound': async () => outboundOf(await read()),
  'connectivity-inbound': async () => inboundOf(await read()),
  'connectivity-certificates': async () => certificatesOf(await read()),
  'connectivity-retries': async () => retriesOf(await read()),
  'connectivity-contact': async () => contactOf((await read()).support_contact),
});

const silent =
  '<p>The webhooks service does not respond at the moment, so its figures are not shown. Reload the page in a minute.</p>';

const environmentOf = ({ environment }: Connectivity): string =>
  `<p>Environment: <strong>${escapeHtml(environment)}</strong>, as of ${day(new Date().toISOString())}.</p>`;

const outboundOf = ({ api }: Connectivity): string =>
  facts('From your systems to us', [
    ['Address', api.url === null ? 'the address of this page' : escapeHtml(new URL(api.url).host)],
    ['Protocol', `HTTPS (TCP ${api.port}), TLS 1.2 or newer`],
  ]);

const inboundOf = ({ egress_addresses: addresses, receivers }: Connectivity): string =>
  facts('From us to your receiver', [
    [
      'Source addresses',
      addresses.length === 0
        ? 'The operator has not stated them.'
        : list(addresses.map((address) => `<code>${escapeHtml(address)}</code>`)),
    ],
    ...(receivers
      ? ([
          [
            'Protocol',
            `HTTPS (TCP ${receivers.port ?? 'of your URL'}), ${versions(receivers.tls_versions)}`,
          ],
          [
            'Time limits',
            `${duration(receivers.connect_timeout_seconds)} for the connection, ${duration(receivers.attempt_timeout_seconds)} for the complete response`,
          ],
        ] as const)
      : []),
  ]) + (receivers ? '' : silent);

const versions = (names: readonly string[]): string =>
  names.map((name) => escapeHtml(name.replace('TLSv', 'TLS '))).join(' or ');

const certificatesOf = ({ client_certificates: certificates }: Connectivity): string => {
  if (certificates.length === 0)
    return '<p>The operator has stated no client certificate for this environment.</p>';
  const rows = certificates.map((one) => [
    `${escapeHtml(one.subject)}<br>${fingerprint(one.sha256)}`,
    `${day(one.valid_from)} to ${day(one.valid_until)}`,
    useOf(one),
  ]);
  return table('Client certificates', ['Subject and SHA-256 fingerprint', 'Valid', 'In use'], rows);
};

/** Returns a fingerprint in two halves, between which a narrow column breaks it. */
const fingerprint = (sha256: string): string =>
  `<code>${escapeHtml(sha256.slice(0, 48))}<wbr>${escapeHtml(sha256.slice(48))}</code>`;

const useOf = (one: Connectivity['client_certificates'][number]): string => {
  if (one.in_use) return '<strong>now</strong>';
  if (one.in_use_from !== null) return `from ${minute(one.in_use_from)}`;
  return one.in_use === null ? 'unknown at the moment' : 'not now';
};

const retriesOf = ({ retries, receivers }: Connectivity): string => {
  if (!retries || !receivers) return silent;
  const waits = retries.wait_seconds;
  const rows = waits.map((seconds, n) => [
    `${n + 2}`,
    duration(seconds) + (n < waits.length - 1 ? ` ± ${Math.round(retries.jitter * 100)} %` : ''),
    duration(waits.slice(0, n + 1).reduce((sum, wait) => sum + wait, 0)),
  ]);
  const total = duration(waits.reduce((sum, wait) => sum + wait, 0));
  return [
    list([
      `Respond with 2xx within ${duration(receivers.attempt_timeout_seconds)}, to duplicates as well, and do the work afterwards. At most ${receivers.response_max_bytes / 1024} KiB of the response are read.`,
      `Any other status and any timeout is a failure. A delivery has ${retries.attempts} attempts within ${total}; <code>Retry-After</code> extends a wait to at most twice its length.`,
      `An endpoint becomes <code>BROKEN</code> after ${retries.broken_failures} consecutive failures over at least ${duration(retries.broken_min_age_seconds)}, or after ${duration(retries.broken_silence_seconds)} without a success if a delivery has used up its attempts. Administrators are warned by e-mail before.`,
    ]),
    table('Attempts', ['Attempt', 'Wait before it', 'After the first attempt'], rows),
  ].join('');
};

const contactOf = (contact: string | null): string =>
  contact === null
    ? '<p>The operator has not stated a contact.</p>'
    : `<p>${escapeHtml(contact)}</p>`;

const day = (time: string): string => `<time>${time.slice(0, 10)}</time>`;
const minute = (time: string): string =>
  `<time>${time.slice(0, 10)} ${time.slice(11, 16)} UTC</time>`;
