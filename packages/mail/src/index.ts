/**
 * Sends mails by SMTP. Without an SMTP server, writes each mail as a file into MAIL_DIR; without
 * both, drops mails.
 */

export { type Mail, type Mailer, mailSettings, openMailer } from './mailer.ts';
