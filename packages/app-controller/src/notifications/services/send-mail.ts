import { createTransport } from 'nodemailer';

export interface Mail {
  readonly host: string;
  readonly port: number;
  readonly insecure: boolean;
  readonly username: string;
  readonly password: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly body: string;
  readonly html: boolean;
}

/** Sends a mail. Rejects if the server does not accept it for one of its recipients. */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<void>;

const timeoutMs = 20_000;

/** Mail over SMTP: TLS from the start on port 465, else as soon as the server offers it. */
export const sendMail: SendMail = async (mail, signal) => {
  const { host, port, username, password, insecure } = mail;
  const transport = createTransport({
    host,
    port,
    secure: port === 465,
    ...(username === '' ? {} : { auth: { user: username, pass: password } }),
    tls: { rejectUnauthorized: !insecure },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const stop = (): void => transport.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const { rejected } = await transport.sendMail({
      from: mail.from,
      to: [...mail.to],
      subject: mail.subject,
      ...(mail.html ? { html: mail.body } : { text: mail.body }),
      textEncoding: 'quoted-printable',
    });
    if (rejected.length > 0) throw new Error(`the server refused ${rejected.map(String).join(', ')}`);
  } finally {
    signal.removeEventListener('abort', stop);
    transport.close();
  }
};
