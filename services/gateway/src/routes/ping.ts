import { json } from '../http/respond.ts';
import { model, optional } from '../validation/schema.ts';
import { string } from '../validation/texts.ts';
import { route } from './route.ts';

/** The response of a ping (contract 2.6). */
export const ping = model('Ping', {
  status: optional(string(), 'ok'),
  organization: string(),
  environment: string(),
});

/**
 * The ping operation (contract 4.1). Any valid key of an enabled organization may call it (decision
 * 19). Its 401 responses come from admission/require-key.ts, which runs before any route.
 */
export const pingRoutes = (environment: string) => [
  route({
    name: 'ping',
    method: 'GET',
    path: '/ping',
    scope: null,
    response: ping,
    summary: 'Check the API key',
    description: 'A 200 means that the key is valid and its organization is enabled.',
    handle: async ({ credentials }) =>
      json({ status: 'ok', organization: credentials.organization.name, environment }),
  }),
];
