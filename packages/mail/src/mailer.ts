import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uuidv7 } from '@pto/database';
import { createTransport } from 'nodemailer';

export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Whether SMTP or a folder is configured. If false, `send` drops mails. */
  readonly works: boolean;
  /**
   * Sends a mail.
   * @throws Error of the mail server or the file system, or if the server is silent for 10 s.
   */
  send(mail: Mail): Promise<void>;
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
    return {
      works: true,
      send: async ({ to, ...mail }) => {
        await smtp.sendMail({ from, to: [...to], ...mail });
      },
    };
  }
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    works: mailDir !== '',
    send: async ({ to, ...mail }) => {
      if (mailDir === '') return;
      const { message } = await composer.sendMail({ from, to: [...to], ...mail });
      await writeFile(join(mailDir, `${uuidv7()}.eml`), message as Buffer, { mode: 0o600 });
    },
  };
};
