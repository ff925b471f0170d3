/** `info.description` of the document, in CommonMark. */
export const about = (errorsUrl: string): string =>
  `Create, track and cancel medical transport orders, read their hash-chained custody history, and receive every change by signed webhooks.

- **Authentication**: every operation requires a bearer API key. The operator sets the scopes of a key when it is issued.
- **Times** are ISO 8601. A time without an offset is UTC. Responses always have the form \`YYYY-MM-DDTHH:mm:ss.sssZ\`.
- **Compatibility**: v1 changes only by addition. Responses, webhook payloads and enumerations may get new members and values: ignore members and accept values that you do not know. A removal is announced 12 months ahead by the headers \`Deprecation\` and \`Sunset\`. Unknown members of a request are ignored.
- **Errors** have the form \`{error: {code, message, details}}\`. Decide by \`code\`. A request that fails validation gets 422 with the array \`detail\`. [All error codes](${errorsUrl}).
- **Methods**: HEAD is supported wherever GET is. An unsupported method gets 405 with \`Allow\`, an unknown path 404; without a valid key both get 401.
- **Rate limits**: 600 reads (GET, HEAD) and 60 writes per minute and key over any 60 s, unless the operator set other limits. Within these limits no request is rejected for its size or for others that run: an organization's requests take turns, and only the 65th that waits is rejected. Requests rejected with 403, 404 of a path, or 405 have a limit of 120 per minute. Beyond a limit the response is 429 with \`Retry-After\`.
- **Code samples** read the base URL of the API from the environment variable \`API\` and the key from \`KEY\`. They need only Node 22.18 or newer, or Python 3.
- **Malformed HTTP**, or more than 16 KiB of headers, gets 400 or 431 without a body.`;

/** Tag descriptions by the tag's name. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Ping: 'Check an API key.',
  Orders: 'Transport orders and their custody history.',
  Locations: 'Saved pickup and drop-off addresses.',
  Webhooks: 'Webhook endpoints, their deliveries and their signing secrets.',
  'Webhook events': 'Requests that the service sends to a webhook endpoint.',
};
