let page = '';
let id = '';

/**
 * Returns the request id of the calls of the shown page. The audit log then has one row for a list
 * that a page reads again and again, and a person can quote it.
 */
export const pageRequestId = (): string => {
  if (location.pathname !== page || id === '') {
    page = location.pathname;
    id = crypto.randomUUID();
  }
  return id;
};
