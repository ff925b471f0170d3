/** The document's own opening, in CommonMark. */
export const about = (errorsUrl: string): string =>
  `Create, follow and cancel medical transport orders, read their hash-chained custody history, and be told of every change by signed webhooks.

- **Keys**: every operation takes a bearer key. Its scopes are fixed when the operator issues it.
- **Times** are ISO 8601; one without an offset is UTC. Answers are always \`YYYY-MM-DDTHH:mm:ss.sssZ\`.
- **Unknown members** of a request are ignored; answers may get more members, and receivers ignore those that they do not know.
- **Errors** have the form \`{error: {code, message, details}}\`; react to \`code\`. A malformed request is answered 422 with the array \`detail\`. [All codes](${errorsUrl}).
- **Methods**: HEAD is answered wherever GET is. Another method is answered 405 with \`Allow\`, a path that is not here 404; without a good key both are 401.
- **Limits**: 600 reads (GET, HEAD) and 60 writes a minute for each key, unless the operator set others, over any 60 s. At most 8 requests of an organization are in flight at once; more wait up to 1 s. Requests answered 403, 404 or 405 before they reach an operation have a limit of their own, 120 a minute. Over any of them: 429 with \`Retry-After\`.
- **Versions**: v1 changes only by addition. What will go is announced 12 months ahead, with the headers \`Deprecation\` and \`Sunset\`.
- What is not HTTP, or has more than 16 KiB of headers, gets a bare 400 or 431.`;

/** By the tag's name. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Ping: 'Whether a key works.',
  Orders: 'Transport orders, from their creation to the end of custody.',
  Locations: 'Where the organisation has things fetched and brought.',
  Webhooks: 'The endpoints that events are pushed to.',
  Events: 'What is pushed to a webhook endpoint.',
};
