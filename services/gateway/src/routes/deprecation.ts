/** The announcement that an operation will go, at least 12 months ahead (decision 50). */
export interface Deprecation {
  /** When it was announced. */
  readonly since: Date;
  /** When it will stop to answer. */
  readonly sunset: Date;
  /** Where to read what comes instead. */
  readonly link: string;
}

/** `Deprecation` of RFC 9745, `Sunset` of RFC 8594, and where both are explained. */
export const deprecationHeaders = ({
  since,
  sunset,
  link,
}: Deprecation): Readonly<Record<string, string>> => ({
  Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
  Sunset: sunset.toUTCString(),
  Link: `<${link}>; rel="deprecation"; type="text/html", <${link}>; rel="sunset"; type="text/html"`,
});
