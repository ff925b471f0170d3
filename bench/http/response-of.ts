import { requireStatus } from '../measuring/void-run.ts';
import type { Target } from './wrk.ts';

/** The response to one request, as data. @throws VoidRun for another status. */
export const responseOf = async ({ url, method = 'GET', headers = {}, body, status }: Target) => {
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  requireStatus(`${method} ${url}`, status, response.status);
  return JSON.parse(text);
};
