import type { Transporter } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import type { Mail, Sent } from './mail.ts';

type Smtp = Transporter<SMTPTransport.SentMessageInfo, SMTPTransport.Options>;

/** Sends a mail by SMTP, as `Mailer.send` describes. */
export const sendBySmtp = async (
  smtp: Smtp,
  from: string,
  { to, ...mail }: Mail,
): Promise<Sent> => {
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
