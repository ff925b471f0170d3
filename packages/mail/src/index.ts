/** Mails to people: over SMTP, or, where nobody serves SMTP, a file each in a folder. */
export { type Mail, type Mailer, openMailer } from './mailer.ts';
export { mailSettings } from './settings.ts';
