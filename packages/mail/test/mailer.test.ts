import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openMailer } from '../src/index.ts';

const mail = {
  to: ['a@test.example', 'b@test.example'],
  subject: 'Zürich 😀',
  text: 'Grüße\n.\nEnde',
};
const mailFrom = 'ledger@test.example';

/** A stranger's mail server, as far as one mail needs it (RFC 5321). */
let server: Server;
let refuse = '';
let extension = '';
let commands: string[] = [];
let got: { recipients: string[]; text: string };
beforeEach(async () => {
  got = { recipients: [], text: '' };
  refuse = '';
  extension = '';
  commands = [];
  server = createServer((socket) => serve(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.close();
});

const serve = (socket: Socket): void => {
  let inMail = false;
  let rest = '';
  socket.write('220 test.example\r\n');
  socket.on('data', (part) => {
    rest += part;
    for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 2);
      if (inMail && line !== '.') got.text += `${line}\n`;
      else if (inMail) {
        inMail = false;
        socket.write('250 taken\r\n');
      } else if (refuse !== '' && line.startsWith(refuse)) socket.write('550 no\r\n');
      else if (line === 'DATA') {
        inMail = true;
        socket.write('354 go on\r\n');
      } else {
        commands.push(line);
        if (line.startsWith('RCPT TO')) got.recipients.push(line.slice(9, -1));
        if (line.startsWith('EHLO') && extension !== '') socket.write(`250-${extension}\r\n`);
        socket.write('250 well\r\n');
      }
    }
  });
};

const smtp = () => `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?ignoreTLS=true`;

test('over SMTP it reaches everybody it is for', async () => {
  const mailer = openMailer({ smtpUrl: smtp(), mailDir: '', mailFrom });
  expect(mailer.works).toBe(true);
  await mailer.send(mail);
  expect(got.recipients).toEqual(mail.to);
  expect(got.text).toContain('From: ledger@test.example');
  expect(got.text).toContain('=?UTF-8?');
});

test('what the server refuses is an error', async () => {
  refuse = 'RCPT';
  await expect(openMailer({ smtpUrl: smtp(), mailDir: '', mailFrom }).send(mail)).rejects.toThrow(
    /550/,
  );
});

test('a rejected recipient is returned as its code, and the others get the mail', async () => {
  refuse = 'RCPT TO:<b@';
  const sent = await openMailer({ smtpUrl: smtp(), mailDir: '', mailFrom }).send(mail);
  expect(sent).toEqual({ rejected: ['550'] });
  expect(got.recipients).toEqual(['a@test.example']);
  expect(got.text).toContain('=?UTF-8?');
});

test('the error about rejected recipients has no address', async () => {
  refuse = 'RCPT';
  const sending = openMailer({ smtpUrl: smtp(), mailDir: '', mailFrom }).send(mail);
  await expect(sending).rejects.toThrow('the mail server accepts none of 2 recipients: 550, 550');
});

const international = ['müller@test.example', 'b@müller.example'];

test('a server without SMTPUTF8 gets no letters beyond ASCII in an envelope', async () => {
  const mailer = openMailer({ smtpUrl: smtp(), mailDir: '', mailFrom });
  expect(await mailer.send({ ...mail, to: international })).toEqual({ rejected: ['SMTPUTF8'] });
  expect(got.recipients).toEqual(['b@xn--mller-kva.example']);
  const alone = mailer.send({ ...mail, to: ['müller@test.example'] });
  await expect(alone).rejects.toThrow('none of 1 recipients: SMTPUTF8');
  const other = openMailer({ smtpUrl: smtp(), mailDir: '', mailFrom: 'prüfer@test.example' });
  await expect(other.send(mail)).rejects.toThrow('MAIL_FROM');
  expect(commands.filter((line) => /\P{ASCII}/u.test(line))).toEqual([]);
});

test('a server with SMTPUTF8 gets them', async () => {
  extension = 'SMTPUTF8';
  const mailer = openMailer({ smtpUrl: smtp(), mailDir: '', mailFrom });
  expect(await mailer.send({ ...mail, to: international })).toEqual({ rejected: [] });
  expect(got.recipients).toEqual(['müller@test.example', 'b@xn--mller-kva.example']);
  expect(commands).toContainEqual(expect.stringMatching(/^MAIL FROM:.* SMTPUTF8/));
});

test('a server that is not there is an error', async () => {
  const url = smtp();
  await new Promise((resolve) => server.close(resolve));
  await expect(openMailer({ smtpUrl: url, mailDir: '', mailFrom }).send(mail)).rejects.toThrow();
});

test('without SMTP it is a file that only its owner reads', async () => {
  const mailDir = mkdtempSync(join(tmpdir(), 'mail-'));
  await openMailer({ smtpUrl: '', mailDir, mailFrom }).send(mail);
  const [name, ...more] = readdirSync(mailDir);
  expect(more).toEqual([]);
  const path = join(mailDir, name!);
  expect(readFileSync(path, 'utf8')).toContain('To: a@test.example, b@test.example');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  rmSync(mailDir, { recursive: true });
});

test('where there is neither, nobody is written to, and the mailer says so', async () => {
  const mailer = openMailer({ smtpUrl: '', mailDir: '', mailFrom });
  expect(mailer.works).toBe(false);
  await mailer.send(mail);
});
