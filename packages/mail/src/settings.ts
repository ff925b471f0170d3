import { text, url } from '@pto/config';

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
