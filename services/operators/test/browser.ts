/** A browser for the forms of a sign-in: follows redirects, keeps cookies, submits the one form. */
const stepsMax = 20;

const hiddenInputs = (form: string): Record<string, string> =>
  Object.fromEntries(
    [...form.matchAll(/<input[^>]*>/g)].flatMap(([input]) => {
      const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1];
      const name = attribute('name');
      return name ? [[name, attribute('value') ?? '']] : [];
    }),
  );

/**
 * Opens the page and submits each form that comes, filled with `values`, until there is none.
 * @returns the last page's text.
 */
export const browse = async (
  first: string,
  values: Readonly<Record<string, string>>,
): Promise<string> => {
  const cookies = new Map<string, string>();
  let [url, body]: [string, URLSearchParams | undefined] = [first, undefined];
  for (let step = 0; step < stepsMax; step++) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body && { method: 'POST', body }),
      signal: AbortSignal.timeout(10_000),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const text = await response.text();
    if (location) {
      [url, body] = [new URL(location, url).href, undefined];
      continue;
    }
    const [, form] = /(<form[\s\S]*<\/form>)/.exec(text) ?? [];
    if (!form) return text;
    const [, action] = /action="([^"]*)"/.exec(form) ?? [];
    const filled = { ...hiddenInputs(form) };
    for (const name of Object.keys(filled)) if (values[name]) filled[name] = values[name];
    [url, body] = [new URL(action || url, url).href, new URLSearchParams(filled)];
  }
  throw new Error('the sign-in did not come to an end');
};
