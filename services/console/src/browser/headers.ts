import type { RequestHandler } from 'express';

/**
 * Content-Security-Policy of every response: only files and calls of this origin, no inline code or
 * style, no frames, and no text that becomes a script (Trusted Types).
 */
const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
};

/**
 * The driver's page is installed, has a worker for the time without a network, shows its photos, and
 * reads barcodes by a WebAssembly module of this origin.
 */
const driverPolicy = {
  ...policy,
  'script-src': "'self' 'wasm-unsafe-eval'",
  'img-src': "'self' blob:",
  'manifest-src': "'self'",
  'worker-src': "'self'",
  'trusted-types': 'worker',
};

const headersOf = (directives: Readonly<Record<string, string>>, sensors: string) => ({
  'Content-Security-Policy': Object.entries(directives)
    .map((directive) => directive.join(' '))
    .join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': `camera=(${sensors}), geolocation=(${sensors}), microphone=()`,
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
});

const setting =
  (headers: Readonly<Record<string, string>>): RequestHandler =>
  (_request, response, next) => {
    response.set(headers);
    next();
  };

/** Sets the headers that bound what a browser does with a response. */
export const securityHeaders = setting(headersOf(policy, ''));
/** The headers of the driver's page, which uses camera and position. */
export const driverHeaders = setting(headersOf(driverPolicy, 'self'));
