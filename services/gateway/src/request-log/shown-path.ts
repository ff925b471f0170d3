import { scrub } from '@pto/telemetry';

const shownMax = 255;
const segmentsMax = 32;
const shownSegment = /^[\w.~-]{1,64}$/;
/** What each secret has, so that most texts need no `scrub`. */
const maySecret = /_|eyJ|:|svc|whsec|op[ts]-|ptl-|[0-9a-z]{43}/i;

/** Returns the text with keys and other secrets masked. */
export const withoutSecrets = (text: string): string => (maySecret.test(text) ? scrub(text) : text);

/**
 * Returns the path below the base path as the client sent it, at most 255 characters. A segment that
 * is longer than 64 characters, has others than letters, digits and `-._~`, or has a key or another
 * secret is `*`, because partners put texts of any kind there.
 */
export const shownPath = (path: string, basePath: string): string =>
  path
    .slice(basePath.length)
    .split('/', segmentsMax)
    .map((segment) => (segment === '' || isShown(segment) ? segment : '*'))
    .join('/')
    .slice(0, shownMax);

const isShown = (segment: string): boolean =>
  shownSegment.test(segment) && withoutSecrets(segment) === segment;
