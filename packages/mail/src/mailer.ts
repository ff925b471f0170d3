import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text, url } from '@pto/config';
import { uuidv7 } from '@pto/database';
import { createTransport, type Transporter } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type SMTPTransport from 'nodemailer/lib/smtp-transport';

/** Settings of every service that sends mails. */
export const mailSettings = {
  /**
   * `smtp://user:password@host:port` or `smtps://…`. If empty, mails become files in MAIL_DIR; if
   * that is empty as well, mails are dropped.
   */
  smtpUrl: { ...url('SMTP_URL', ['smtp', 'smtps'], { fallback: '' }), secret: true },
  mailDir: text('MAIL_DIR', { fallback: '' }),
  mailFrom: text('MAIL_FROM', { fallback: '' }),
};

export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

export interface Sent {
  /** Why recipients were rejected: for each a status code of the server, or `SMTPUTF8`. */
  readonly rejected: readonly string[];
}

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

type Smtp = Transporter<SMTPTransport.SentMessageInfo, SMTPTransport.Options>;

/** Sends a mail by SMTP, as `Mailer.send` describes. */
const sendBySmtp = async (smtp: Smtp, from: string, { to, ...mail }: Mail): Promise<Sent> => {
  const supportsUtf8 = ![from, ...to].some(needsUtf8) || (await isUtf8Server(smtp));
  if (!supportsUtf8 && needsUtf8(from))
    throw new Error('MAIL_FROM has letters that need SMTPUTF8, which the mail server lacks');
  const sendable = to.filter((address) => supportsUtf8 || !needsUtf8(address));
  const rejected = to.slice(sendable.length).map(() => 'SMTPUTF8');
  if (sendable.length === 0) throw allRejected(rejected);
  try {
    const sent = await smtp.sendMail({ from, to: sendable, ...mail });
    return { rejected: [...rejected, ...codesOf(sent.rejectedErrors)] };
  } catch (error) {
    const { rejectedErrors } = error as { rejectedErrors?: readonly unknown[] };
    // the error's text has the addresses
    throw rejectedErrors ? allRejected([...rejected, ...codesOf(rejectedErrors)]) : error;
  }
};

/** Letters beyond ASCII before the last `@`; a domain is sent in its ASCII form. */
const needsUtf8 = (address: string): boolean =>
  /\P{ASCII}/u.test(address.slice(0, address.lastIndexOf('@')));

const allRejected = (codes: readonly string[]): Error =>
  new Error(`the mail server accepts none of ${codes.length} recipients: ${codes.join(', ')}`);

const codesOf = (errors: readonly unknown[] | undefined): string[] =>
  (errors ?? []).map((error) => `${(error as { responseCode?: number }).responseCode ?? 'error'}`);

/** Whether the server announces SMTPUTF8, which nodemailer does not tell before it sends. */
const isUtf8Server = (smtp: Smtp): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const connection = new Probe(smtp.options);
    connection.once('error', reject);
    connection.connect(() => {
      resolve(connection.has('SMTPUTF8'));
      connection.quit();
    });
  });

class Probe extends SMTPConnection {
  has(extension: string): boolean {
    const { _supportedExtensions: names } = this as unknown as { _supportedExtensions: string[] };
    return names.includes(extension);
  }
}
