import type { Response } from 'express';

/** Sends an error in the form of the Connect protocol, which the web application reads. */
export const fail = (response: Response, status: number, code: string, message: string): void => {
  response.status(status).set('Cache-Control', 'no-store').json({ code, message });
};
