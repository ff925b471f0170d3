import { cachedFor } from '@pto/concurrency';
import * as oidc from 'openid-client';
import type { Pending } from '../browser/pending-cookie.ts';
import type { ConsoleSettings } from '../config.ts';

const requestTimeoutSeconds = 10;
const providerMaxAgeMs = 60_000;

/** What the operators service says about sign-ins, by `SignInService/GetSignIn`. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/**
 * Signs people in with OpenID Connect: the authorization code flow with PKCE, as a public client.
 * @param read reads the provider from the operators service; an empty issuer means that it has none.
 */
export const openId = (
  { publicUrl }: Pick<ConsoleSettings, 'publicUrl'>,
  read: () => Promise<Provider>,
) => {
  const readRecently = cachedFor(providerMaxAgeMs, read);
  const redirectUri = `${publicUrl.replace(/\/+$/, '')}/session/openid/callback`;

  /** Returns the provider, or undefined if people sign in with personal tokens only. */
  const providerOf = async (): Promise<Provider | undefined> => {
    if (publicUrl === '') return undefined;
    const provider = await readRecently();
    return provider.issuer === '' ? undefined : provider;
  };
  const discover = ({ issuer, clientId }: Provider): Promise<oidc.Configuration> => {
    const url = new URL(issuer);
    const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
    return oidc.discovery(url, clientId, undefined, oidc.None(), {
      timeout: requestTimeoutSeconds,
      execute: url.protocol === 'http:' && isLoopback ? [oidc.allowInsecureRequests] : [],
    });
  };
  /** At most once a minute: anyone may begin a sign-in, and a provider limits the console's address. */
  const discoverRecently = cachedFor(providerMaxAgeMs, async () => discover(await readRecently()));
  return {
    providerOf,
    /** Begins a sign-in: the provider's page, and what the browser keeps. */
    begin: async (provider: Provider): Promise<{ url: string; pending: Pending }> => {
      const config = await discoverRecently();
      const pending = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        // a session is not renewed, so it needs no refresh token
        scope: provider.scopes.filter((scope) => scope !== 'offline_access').join(' '),
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, pending };
    },
    /**
     * Ends a sign-in. @param query of the provider's redirect.
     * @returns the ID token. @throws Error if it is not the sign-in that this browser began.
     */
    end: async (query: string, pending: Pending): Promise<string> => {
      const tokens = await oidc.authorizationCodeGrant(
        await discoverRecently(),
        new URL(`${redirectUri}${query}`),
        {
          expectedState: pending.state,
          expectedNonce: pending.nonce,
          pkceCodeVerifier: pending.verifier,
        },
      );
      if (!tokens.id_token) throw new Error('the OpenID provider issued no ID token');
      return tokens.id_token;
    },
  };
};

export type OpenId = ReturnType<typeof openId>;
