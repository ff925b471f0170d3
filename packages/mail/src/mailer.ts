import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uuidv7 } from '@pto/database';
import { createTransport } from 'nodemailer';
import type { Mail, Sent } from './mail.ts';
import { sendBySmtp } from './send-by-smtp.ts';

export interface Mailer {
  /** Whether SMTP or a folder is configured. If false, `send` drops mails. */
  readonly works: boolean;
  /**
   * Sends a mail to each recipient that the mail server accepts. An address with letters beyond
   * ASCII before its `@` is never sent to a server without SMTPUTF8 (RFC 6531).
   * @throws Error if no recipient is accepted, without addresses; Error of the mail server or the
   *   file system, or if the server is silent for 10 s.
   */
  send(mail: Mail): Promise<Sent>;
}

const timeoutMs = 10_000;

/**
 * Opens a mailer. With `smtpUrl` it sends mails by SMTP; else with `mailDir` it writes one `.eml`
 * file per mail; else it drops mails.
 */
export const openMailer = (settings: {
  smtpUrl: string;
  mailDir: string;
  mailFrom: string;
}): Mailer => {
  const { smtpUrl, mailDir, mailFrom: from } = settings;
  const limits = {
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  };
  if (smtpUrl !== '') {
    const smtp = createTransport({ url: smtpUrl, ...limits });
    return { works: true, send: (mail) => sendBySmtp(smtp, from, mail) };
  }
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    works: mailDir !== '',
    send: async ({ to, ...mail }) => {
      if (mailDir === '') return { rejected: [] };
      const { message } = await composer.sendMail({ from, to: [...to], ...mail });
      await writeFile(join(mailDir, `${uuidv7()}.eml`), message as Buffer, { mode: 0o600 });
      return { rejected: [] };
    },
  };
};
