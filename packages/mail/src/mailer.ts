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
  /** Whether mails reach anybody. */
  readonly works: boolean;
  /** @throws Error of the mail server, or when it takes longer than 10 s. */
  send(mail: Mail): Promise<void>;
}

const timeoutMs = 10_000;

/** By SMTP where there is a URL, else a `.eml` file a mail, else nobody is written to. */
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
