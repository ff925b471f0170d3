import type { ServerResponse } from 'node:http';

/** Announces the end of an operation, at least 12 months ahead (decision 50). */
export interface Deprecation {
  /** Time from which the operation is deprecated. */
  readonly since: Date;
  /** Time from which the operation no longer responds. */
  readonly sunset: Date;
  /** URL of the page that describes the replacement. */
  readonly link: string;
}

/** Sets the headers that announce the end of a deprecated operation. */
export const announceDeprecation = (
  response: ServerResponse,
  deprecated: Deprecation | undefined,
): void => {
  if (deprecated) response.setHeaders(new Map(Object.entries(deprecationHeaders(deprecated))));
};

/**
 * Returns the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and `Link` to the page that
 * describes the replacement.
 */
const deprecationHeaders = ({
  since,
  sunset,
  link,
}: Deprecation): Readonly<Record<string, string>> => ({
  Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
  Sunset: sunset.toUTCString(),
  Link: `<${link}>; rel="deprecation"; type="text/html", <${link}>; rel="sunset"; type="text/html"`,
});
