/** The address that a printed certificate carries, and what the page reads from it. Pure. */

/** The end of a history as a certificate names it. */
export interface CertifiedHead {
  readonly sequence: number;
  readonly hash: string;
}

/**
 * The address for the QR code: the page, with the number of entries and the head hash in the
 * fragment, which a browser never sends to a server.
 */
export const certificateUrl = (page: string, { sequence, hash }: CertifiedHead): string =>
  `${page.replace(/[?#].*$/s, '')}#${sequence}:${hash}`;

/** Reads the fragment of such an address, or returns null for any other fragment. */
export const certifiedHead = (fragment: string): CertifiedHead | null => {
  const [, sequence, hash] = /^#(\d{1,7}):([0-9a-f]{64})$/.exec(fragment) ?? [];
  return hash === undefined ? null : { sequence: Number(sequence), hash };
};

/** The path data of a QR code: one square of size 1 for each dark module. */
export const modulesPath = (modules: readonly (readonly boolean[])[]): string =>
  modules
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
