/** Signs the operator in and out. No secret stays in the page: the session is in a cookie. */

interface Refusal {
  readonly message?: string;
}

const timeoutMs = 10_000;

/** Returns whether people sign in at an OpenID provider. @throws Error if the console does not answer. */
export const hasOpenId = async (): Promise<boolean> => {
  const response = await fetch('/session', { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`the console responded with ${response.status}`);
  const { openId = false }: { openId?: boolean } = await response.json();
  return openId;
};

/** @throws Error with a sentence for the person. */
export const signIn = async (credential: string): Promise<void> => {
  const response = await fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ credential }),
  }).catch(() => undefined);
  if (!response) throw new Error('The console does not answer. Look at your connection.');
  if (response.ok) return;
  const { message }: Refusal = await response.json().catch(() => ({}));
  throw new Error(message ?? 'The sign-in failed. Try again.');
};

/** Signs out, and begins with the first page again. @throws Error if the session still runs. */
export const signOut = async (everywhere: boolean): Promise<void> => {
  const response = await fetch(`/session${everywhere ? '?everywhere' : ''}`, { method: 'DELETE' });
  if (!response.ok) throw new Error('You are not signed out. Try again.');
  location.assign('/');
};
