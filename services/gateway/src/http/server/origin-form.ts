/**
 * A request's target as path and query. `http://host/path`, which every server must take (RFC 9112,
 * 3.2.2), is the path behind the host, unread and unmended; whatever else is no path becomes `/`,
 * where there is nothing. So Express never meets a target that it cannot parse: it would answer in
 * HTML, and before the key was looked at.
 */
export const originForm = (target: string): string => {
  if (target.startsWith('/')) return target;
  const [, rest = '/'] = /^https?:\/\/[^/?#]*([/?].*)?$/i.exec(target) ?? [];
  return rest.startsWith('/') ? rest : `/${rest}`;
};
