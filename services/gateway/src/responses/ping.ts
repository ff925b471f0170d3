import { byDefault, named, text } from './shape.ts';

/** The response of a ping (contract 2.6). */
export const ping = named('Ping', {
  status: byDefault(text, 'ok'),
  organization: text,
  environment: text,
});
