/** The scopes of API keys (contract 5.6). */
export const scopes = ['orders:read', 'orders:write', 'webhooks:manage'] as const;

export type Scope = (typeof scopes)[number];

export const isScope = (text: string): text is Scope =>
  (scopes as readonly string[]).includes(text);
