/** Sends mails by SMTP, or writes each as a file if no SMTP server is configured. */
export { type Mail, type Mailer, openMailer } from './mailer.ts';
export { mailSettings } from './settings.ts';
