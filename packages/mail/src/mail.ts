export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

export interface Sent {
  /** Why recipients were rejected: for each a status code of the server, or `SMTPUTF8`. */
  readonly rejected: readonly string[];
}
