/** Something that the person at the keyboard can put right. It is told in its one sentence, without a stack, and ends with its code. */
export class CliError extends Error {
  readonly code: number;

  constructor(message: string, options?: ErrorOptions & { readonly code?: number }) {
    super(message, options);
    this.name = 'CliError';
    this.code = options?.code ?? 1;
  }
}

interface ListenError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

const listenMessages: Readonly<Record<string, (error: ListenError) => string>> = {
  EADDRINUSE: ({ port, address }) =>
    `port ${port} on ${address} is in use: stop what listens there, or choose another port`,
  EACCES: ({ port, address }) =>
    `this user may not listen on port ${port} of ${address}: choose a port from 1024 to 65535`,
  EADDRNOTAVAIL: ({ address }) => `${address} is no address of this machine: choose another host to listen on`,
  ENOTFOUND: ({ hostname }) => `the host ${hostname} is not known: check its name`,
};

/** The complaint that an error is at heart: itself, or a place to listen on that cannot be had, whoever asked for it. */
export function cliErrorIn(error: unknown): CliError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof CliError) return at;
    const place = at as ListenError;
    const says =
      place.syscall === 'listen' || place.syscall === 'getaddrinfo' ? listenMessages[place.code ?? ''] : undefined;
    if (says) return new CliError(says(place), { cause: error });
  }
  return undefined;
}
