import { LostLeaseError } from '@fairlead/kube/lost-lease';

/** An error that the user can fix. It is printed as its message, without a stack, and the process exits with its code. */
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
    `no permission to listen on port ${port} of ${address}: choose a port from 1024 to 65535`,
  EADDRNOTAVAIL: ({ address }) => `${address} is not an address of this machine: choose another host to listen on`,
  ENOTFOUND: ({ hostname }) => `unknown host ${hostname}: check its name`,
};

/** The CliError in the chain of causes, or one for a lost lease or a failure to listen on an address. */
export function cliErrorIn(error: unknown): CliError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof CliError) return at;
    if (at instanceof LostLeaseError) return new CliError(at.message, { cause: error });
    const failed = at as ListenError;
    const message =
      failed.syscall === 'listen' || failed.syscall === 'getaddrinfo' ? listenMessages[failed.code ?? ''] : undefined;
    if (message) return new CliError(message(failed), { cause: error });
  }
  return undefined;
}
