import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { JsonObject } from '@fairlead/apimachinery';

export interface SmtpRules {
  readonly rejectAuth?: boolean;
  readonly rejectRcpt?: readonly string[];
  readonly rejectData?: boolean;
  readonly greeting?: string;
}

/** A mail server without TLS that notes what it receives in the form of the recording. */
export class SmtpReceiver {
  readonly #server: Server;
  readonly #received: (mail: JsonObject) => void;
  rules: SmtpRules = {};

  constructor(received: (mail: JsonObject) => void) {
    this.#received = received;
    this.#server = createServer((socket) => new Session(socket, this.rules, this.#received));
  }

  async start(): Promise<{ host: string; port: number }> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return { host: '127.0.0.1', port: (this.#server.address() as AddressInfo).port };
  }

  close(): void {
    this.#server.close();
  }
}

class Session {
  readonly #socket: Socket;
  readonly #rules: SmtpRules;
  readonly #received: (mail: JsonObject) => void;
  #buffer = '';
  #from = '';
  #recipients: string[] = [];
  #auth: string[] | undefined;
  #data: string[] | undefined;

  constructor(socket: Socket, rules: SmtpRules, received: (mail: JsonObject) => void) {
    this.#socket = socket;
    this.#rules = rules;
    this.#received = received;
    socket.on('error', () => {});
    if (rules.greeting === undefined) this.#serve();
    else socket.end(`${rules.greeting}\r\n`);
  }

  #serve(): void {
    this.#say('220 ready');
    this.#socket.on('data', (part) => {
      this.#buffer += part.toString();
      for (let end = this.#buffer.indexOf('\r\n'); end >= 0; end = this.#buffer.indexOf('\r\n')) {
        const line = this.#buffer.slice(0, end);
        this.#buffer = this.#buffer.slice(end + 2);
        if (this.#data) this.#dataLine(line);
        else this.#command(line);
      }
    });
  }

  #say(text: string): void {
    this.#socket.write(`${text}\r\n`);
  }

  #command(line: string): void {
    const verb = line.slice(0, 4).toUpperCase();
    const address = /<([^>]*)>/u.exec(line)?.[1] ?? '';
    if (verb === 'EHLO') this.#say('250-here\r\n250-AUTH PLAIN LOGIN\r\n250 8BITMIME');
    else if (verb === 'AUTH') this.#authenticate(line.split(' ')[2] ?? '');
    else if (verb === 'MAIL') {
      this.#from = address;
      this.#recipients = [];
      this.#say('250 ok');
    } else if (verb === 'RCPT') {
      const refused = this.#rules.rejectRcpt?.includes(address);
      if (!refused) this.#recipients.push(address);
      this.#say(refused ? '550 5.1.1 no such user' : '250 ok');
    } else if (verb === 'DATA') {
      this.#data = [];
      this.#say('354 go on');
    } else if (verb === 'QUIT') this.#socket.end('221 bye\r\n');
    else this.#say('250 ok');
  }

  #authenticate(credentials: string): void {
    if (this.#rules.rejectAuth) return this.#say('535 5.7.8 bad credentials');
    const [, user = '', password = ''] = Buffer.from(credentials, 'base64').toString().split('\0');
    this.#auth = [user, password];
    this.#say('235 ok');
  }

  #dataLine(line: string): void {
    if (line !== '.') return void this.#data?.push(line.replace(/^\.\./u, '.'));
    const lines = this.#data ?? [];
    this.#data = undefined;
    if (this.#rules.rejectData) return this.#say('554 5.7.1 message refused');
    this.#received({ mail: this.#mailOf(lines) });
    this.#say('250 queued');
  }

  #mailOf(lines: readonly string[]): JsonObject {
    const blank = lines.indexOf('');
    const headers = lines
      .slice(0, blank)
      .join('\r\n')
      .replaceAll(/\r\n[ \t]+/gu, ' ')
      .split('\r\n');
    const header = (name: string): string =>
      decodedWords(
        headers
          .find((one) => one.toLowerCase().startsWith(`${name}:`))
          ?.slice(name.length + 1)
          .trim() ?? '',
      );
    return {
      rcpt: this.#recipients,
      ...(this.#auth ? { auth: this.#auth } : {}),
      from: this.#from,
      to: header('to').split(', '),
      headerFrom: header('from'),
      subject: header('subject'),
      contentType: header('content-type'),
      body: decodedBody(lines.slice(blank + 1).join('\n'), header('content-transfer-encoding')),
    };
  }
}

/** RFC 2047. */
const decodedWords = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?/gu, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/giu, (_, encoding: string, word: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : quotedPrintable(word.replaceAll('_', ' ')),
    );

const quotedPrintable = (text: string): string =>
  Buffer.from(
    text
      .replaceAll(/=\n/gu, '')
      .replaceAll(/=([0-9A-F]{2})/gu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

/** The lines of a mail end with a line end, which is not part of the body. */
function decodedBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString().replaceAll('\r\n', '\n').replace(/\n$/u, '');
  return encoding === 'quoted-printable' ? quotedPrintable(body) : body;
}
