/**
 * Returns a request's target as path and query. The target `http://host/path`, which every server
 * must accept (RFC 9112, 3.2.2), becomes `/path`. Any other target that does not begin with `/`
 * becomes `/`. So Express never receives a target that it cannot parse: Express would respond in
 * HTML, before the key is checked.
 */
export const originForm = (target: string): string => {
  if (target.startsWith('/')) return target;
  const [, rest = '/'] = /^https?:\/\/[^/?#]*([/?].*)?$/i.exec(target) ?? [];
  return rest.startsWith('/') ? rest : `/${rest}`;
};
