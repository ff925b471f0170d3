/** The headers with a partner's key. */
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
