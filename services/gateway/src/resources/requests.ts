import { loggedErrors, loggedMethods, requestLogDays, statusFilterForm } from '@pto/access';
import { count, number, openEnum, timestamp } from '../validation/response-only.ts';
import { described, list, maybe, model, optional, parameters } from '../validation/schema.ts';
import { choice, string, uuid } from '../validation/texts.ts';
import { nextCursor, pageLimit } from './pages.ts';

export const requestQuery = parameters({
  limit: pageLimit('requests'),
  cursor: described(optional(uuid()), '`next_cursor` of the previous page.'),
  status: described(
    optional(string({ pattern: statusFilterForm })),
    'Only requests with this status, such as `429`, or of this class of statuses: `4xx`.',
  ),
  method: described(
    optional(choice(loggedMethods, 'KnownRequestMethod')),
    'Only requests with this method.',
  ),
  request_id: described(
    optional(string({ min: 1, max: 128 })),
    'Only requests whose response had this `X-Request-Id`.',
  ),
});

const requestError = model('RequestError', {
  field: described(
    string(),
    'Where the error is: the parts of `loc` of a validation error, or `details.field` of another one, with dots between them. A name that is not in this document is `*`. Empty: the request.',
  ),
  type: described(
    string(),
    'The `type` of a validation error, such as `missing`; else the code of the error.',
  ),
});

const loggedRequest = model('LoggedRequest', {
  id: uuid(),
  at: described(timestamp(), 'When the request arrived.'),
  method: openEnum('RequestMethod', loggedMethods, 'Method of the request.'),
  path: described(
    string(),
    'Path below the base URL, at most 255 characters, without the query. A part that cannot be an id is `*`.',
  ),
  operation: described(
    maybe(string()),
    'The `operationId` in the OpenAPI document; null if no operation has this path and method.',
  ),
  status: described(
    count(),
    'Status of the response. 499: your client disconnected before the response.',
  ),
  code: described(
    maybe(string()),
    'Code of the error; null for a success and for validation errors, which have none.',
  ),
  errors: described(
    list(requestError),
    `The fields that the response named, the first ${loggedErrors}; empty if it named none.`,
  ),
  required_scope: described(
    maybe(string()),
    'The scope that the response to a 403 named; else null.',
  ),
  request_id: described(string(), 'The `X-Request-Id` of the response.'),
  duration_ms: described(number(), 'Time from arrival to the end of the response, in ms.'),
  key_id: described(uuid(), 'Id of the API key.'),
  left_out: described(
    maybe(count()),
    'Number of further requests of the same minute that were rejected and are not in the log; null if there are none.',
  ),
});

export const requestList = model('RequestList', {
  data: list(loggedRequest),
  next_cursor: nextCursor,
});

/** For how long requests are in the log, as partners read it. */
export const requestLogSpan = `${requestLogDays} days`;
